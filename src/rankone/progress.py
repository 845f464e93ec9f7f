"""Progress of long work, where somebody is looking."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Any, TextIO

#: Seconds before the first word, and between two of them.
PATIENCE, PAUSE = 2.0, 0.2


class TerminalProgress:
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
        self.what = what
        self.stream = sys.stderr if stream is None else stream
        self._width = 0
        self._next = time.monotonic() + PATIENCE

    def __call__(self, step: int, error: float) -> None:
        """Show the number of sweeps and the present error, unless that was done just now."""
        now = time.monotonic()
        if now < self._next or not self.stream.isatty():
            return
        self._next = now + PAUSE
        shown = "" if error != error else f", error {error:.1e}"
        self._write(f"{self.what}: sweep {step}{shown}")

    def _write(self, text: str) -> None:
        self.stream.write("\r" + text.ljust(self._width))
        self.stream.flush()
        self._width = len(text)

    def __enter__(self) -> TerminalProgress:
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
            self._write("")
            self.stream.write("\r")


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
