"""Progress of long work, where somebody is looking."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from types import TracebackType
from typing import Any, Self, TextIO

#: Seconds before the first word, and between two of them.
PATIENCE, PAUSE = 2.0, 0.2

#: Called with the number of sweeps so far and the error that is compared with the tolerance. If it
#: raises an exception, the work ends.
Callback = Callable[[int, float], None]


def silent(step: int, error: float) -> None:
    """Report nothing: the callback where none is given."""


class Line:
    """A line of a terminal that is written over, and wiped when the work ends, however it ends.

    It is never written to anything but a terminal.

    Parameters
    ----------
    stream : file, optional
        Standard error, unless another is given.

    Examples
    --------
    >>> with Line() as line:
    ...     line.write("half of it is done")
    """

    def __init__(self, stream: TextIO | None = None):
        self.stream = sys.stderr if stream is None else stream
        self._width = 0

    @property
    def is_seen(self) -> bool:
        """Whether somebody may be looking."""
        return self.stream is not None and self.stream.isatty()

    def write(self, text: str) -> None:
        """Write over what the line said before."""
        if self.is_seen:
            self.stream.write("\r" + text.ljust(self._width))
            self.stream.flush()
            self._width = len(text)

    def __enter__(self) -> Self:
        """Begin."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Wipe the line."""
        if self._width:
            self.write("")
            self.stream.write("\r")


class TerminalProgress(Line):
    """A callback that says on a terminal how far the work is, once it takes longer than expected.

    Nothing is written within two seconds, and never to anything but a terminal; the line is wiped
    when the work ends, however it ends.

    Parameters
    ----------
    what : str
        What is being done.
    stream : file, optional
        Standard error, unless another is given.

    Examples
    --------
    >>> from rankone import NMF
    >>> with TerminalProgress("factors") as progress:
    ...     vectors = NMF(beta=1.5).extract([[1, 2], [3, 4]], callback=progress)
    """

    def __init__(self, what: str, stream: TextIO | None = None):
        super().__init__(stream)
        self.what = what
        self._next = time.monotonic() + PATIENCE

    def __call__(self, step: int, error: float) -> None:
        """Show the number of sweeps and the present error, unless that was done just now."""
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + PAUSE
        shown = "" if error != error else f", error {error:.1e}"
        self.write(f"{self.what}: sweep {step}{shown}")


class ProgressBar(Line):
    """A bar on a terminal that says how much of a known amount of work is done, and when it ends.

    Parameters
    ----------
    what : str
        What is being done.
    total : int
        The number of steps.
    stream : file, optional
        Standard error, unless another is given.

    Examples
    --------
    >>> with ProgressBar("draws", total=3) as bar:
    ...     for _ in range(3):
    ...         bar.step()
    """

    WIDTH = 30

    def __init__(self, what: str, total: int, stream: TextIO | None = None):
        super().__init__(stream)
        self.what, self.total, self.done = what, total, 0
        self._first = self._next = time.monotonic()

    def step(self) -> None:
        """Say that one more step is done, unless something was written just now."""
        self.done += 1
        now = time.monotonic()
        if self.done == 1:  # it may have had to compile, and tells nothing about the others
            self._first = now
        if now < self._next:
            return
        self._next = now + PAUSE
        share = self.done / self.total
        text = f"{self.what}: [{'#' * int(share * self.WIDTH):.<{self.WIDTH}}] {share:4.0%}"
        if self.done > 1:
            pace = (now - self._first) / (self.done - 1)
            text += f", {_duration(pace * (self.total - self.done))} left"
        self.write(text)


def _duration(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 99.5 else f"{seconds / 60:.0f} min"


class Stages:
    """What the work of an estimator tells about itself: to a terminal, and to callbacks.

    Each call is one step of unknown number. Callbacks are those of scikit-learn 1.9 and later,
    which the estimator was given by ``set_callbacks``.

    Parameters
    ----------
    estimator : BaseEstimator
    what : str
        What is being done.
    verbose : bool
        Whether to write to a terminal.
    """

    def __init__(self, estimator: Any, what: str, verbose: bool):
        self.estimator = estimator
        self.terminal = TerminalProgress(what) if verbose else None
        self.context: Any = None

    def __call__(self, step: int, error: float) -> None:
        """Tell about one step."""
        if self.terminal is not None:
            self.terminal(step, error)
        if self.context is not None:
            task = self.context.subcontext(task_name="sweep")
            task.call_on_fit_task_begin(estimator=self.estimator)
            task.call_on_fit_task_end(estimator=self.estimator)

    def __enter__(self) -> Stages:
        """Begin."""
        if getattr(self.estimator, "_skl_callbacks", None):
            self.context = self.estimator._init_callback_context(max_subtasks=None)
            self.context.call_on_fit_task_begin(estimator=self.estimator)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """End, and wipe the terminal's line."""
        if self.context is not None and error is None:
            self.context.call_on_fit_task_end(estimator=self.estimator)
        if self.terminal is not None:
            self.terminal.__exit__(kind, error, traceback)
