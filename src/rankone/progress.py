"""Progress of long computations, shown on a terminal and reported to callbacks."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from types import TracebackType
from typing import Any, Self, TextIO

#: Seconds before the first update, and between updates.
PATIENCE, PAUSE = 2.0, 0.2

#: Called with the number of sweeps so far and the error that is compared with the tolerance. If it
#: raises an exception, the work ends.
Callback = Callable[[int, float], None]


def silent(step: int, error: float) -> None:
    """Report nothing: the callback where none is given."""


class Line:
    """A terminal line that can be overwritten, and that is cleared on exit.

    Nothing is written unless the stream is a terminal.

    Parameters
    ----------
    stream : file, optional
        Where to write; standard error by default.

    Examples
    --------
    >>> with Line() as line:
    ...     line.write("half done")
    """

    def __init__(self, stream: TextIO | None = None):
        self.stream = sys.stderr if stream is None else stream
        self._width = 0

    @property
    def is_seen(self) -> bool:
        """Whether the stream is a terminal."""
        return self.stream is not None and self.stream.isatty()

    def write(self, text: str) -> None:
        """Replace the text of the line."""
        if self.is_seen:
            self.stream.write("\r" + text.ljust(self._width))
            self.stream.flush()
            self._width = len(text)

    def __enter__(self) -> Self:
        """Enter the context."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Clear the line."""
        if self._width:
            self.write("")
            self.stream.write("\r")


class TerminalProgress(Line):
    """A callback that shows the progress of an iteration on a terminal.

    Nothing is written during the first two seconds, nor to a stream that is not a terminal. The
    line is cleared on exit.

    Parameters
    ----------
    what : str
        The name of the task.
    stream : file, optional
        Where to write; standard error by default.

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
        """Show the number of sweeps and the current error, at most once per `PAUSE` seconds."""
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + PAUSE
        suffix = "" if error != error else f", error {error:.1e}"
        self.write(f"{self.what}: sweep {step}{suffix}")


class ProgressBar(Line):
    """A progress bar for a known number of steps, with an estimate of the remaining time.

    Parameters
    ----------
    what : str
        The name of the task.
    total : int
        The number of steps.
    stream : file, optional
        Where to write; standard error by default.

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
        """Count one more finished step and update the bar, at most once per `PAUSE` seconds."""
        self.done += 1
        now = time.monotonic()
        if self.done == 1:  # excluded from the estimate, because it may include compilation
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
    """Report the progress of an estimator to a terminal and to its callbacks.

    Each call reports one sweep; the number of sweeps is not known in advance. The callbacks are
    those of scikit-learn 1.9 and later, registered with ``set_callbacks``.

    Parameters
    ----------
    estimator : BaseEstimator
        The estimator that is being fitted.
    what : str
        The name of the task.
    verbose : bool
        Whether to write to a terminal.
    """

    def __init__(self, estimator: Any, what: str, verbose: bool):
        self.estimator = estimator
        self.terminal = TerminalProgress(what) if verbose else None
        self.context: Any = None

    def __call__(self, step: int, error: float) -> None:
        """Report one step."""
        if self.terminal is not None:
            self.terminal(step, error)
        if self.context is not None:
            task = self.context.subcontext(task_name="sweep")
            task.call_on_fit_task_begin(estimator=self.estimator)
            task.call_on_fit_task_end(estimator=self.estimator)

    def __enter__(self) -> Stages:
        """Enter the context."""
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
        """Report the end of the task and clear the terminal line."""
        if self.context is not None and error is None:
            self.context.call_on_fit_task_end(estimator=self.estimator)
        if self.terminal is not None:
            self.terminal.__exit__(kind, error, traceback)
