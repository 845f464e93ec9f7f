"""Progress of long computations, for people on terminals and in notebooks, and for callbacks."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from types import TracebackType
from typing import Any, ClassVar, Self, TextIO

#: Seconds before the first update, and between updates.
PATIENCE, PAUSE = 2.0, 0.2

#: Called with the number of sweeps so far and the error that is compared with the tolerance. If it
#: raises an exception, the work ends.
Callback = Callable[[int, float], None]


def silent(step: int, error: float) -> None:
    """Report nothing: the callback where none is given."""


def is_seen(stream: TextIO | None) -> bool:
    """Say whether a person reads a stream as it is written: on a terminal, or in a notebook."""
    if stream is None:
        return False
    return stream.isatty() or type(stream).__module__.startswith("ipykernel.")


class Line:
    """A line that can be overwritten, and that is cleared on exit.

    Nothing is written unless a person reads it, on a terminal or in a notebook.

    Parameters
    ----------
    stream : file, optional
        Where to write; standard error by default.

    Examples
    --------
    >>> with Line() as line:
    ...     line.write("half done")
    """

    #: The length of what is written on the line of each stream: several objects may share it.
    _widths: ClassVar[dict[int, int]] = {}

    def __init__(self, stream: TextIO | None = None):
        self.stream = sys.stderr if stream is None else stream

    @property
    def is_seen(self) -> bool:
        """Whether a person reads the stream."""
        return is_seen(self.stream)

    def write(self, text: str) -> None:
        """Replace the text of the line."""
        if self.is_seen:
            key = id(self.stream)
            self.stream.write("\r" + text.ljust(self._widths.get(key, 0)))
            self.stream.flush()
            self._widths[key] = len(text)

    def leave(self, text: str) -> None:
        """Replace the text of the line, and go on below it."""
        if self.is_seen:
            self.write(text)
            self.stream.write("\n")
            self._widths.pop(id(self.stream), None)

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
        if self._widths.get(id(self.stream)):
            self.write("")
            self.stream.write("\r")
            self._widths.pop(id(self.stream), None)


@dataclass(frozen=True)
class Stage:
    """A part of a computation, in which steps are counted.

    Attributes
    ----------
    name : str
        Empty, if it is the only one.
    step : str
        What a step is called.
    total : int or None
        The number of steps, if it is known in advance.
    measured : str
        What is measured after each step.
    rises : bool
        Whether the largest value so far is what counts, because steps may be undone.
    """

    name: str = ""
    step: str = "sweep"
    total: int | None = None
    measured: str = "error"
    rises: bool = False

    def describe(self, done: int, value: float) -> str:
        """Say how many steps are done, and what was measured after the last one."""
        name = f"{self.name}, " if self.name else ""
        total = "" if self.total is None else f" of {self.total}"
        digits = ".1e" if self.measured == "error" else ".7g"
        measured = "" if value != value else f", {self.measured} {value:{digits}}"
        return f"{name}{self.step} {done}{total}{measured}"


class TerminalProgress(Line):
    """A callback that shows the progress of an iteration on a terminal or in a notebook.

    Nothing is written during the first two seconds, nor to a stream that no person reads. The line
    is cleared on exit.

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
        self.show(Stage().describe(step, error))

    def show(self, text: str) -> None:
        """Show a text after the name of the task, at most once per `PAUSE` seconds."""
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + PAUSE
        self.write(f"{self.what}: {text}")


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
    """Report the progress of an estimator to a terminal or notebook, and to its callbacks.

    Steps are counted from one within each stage, whatever its parts count. The callbacks are those
    of scikit-learn 1.9 and later, registered with ``set_callbacks``.

    Parameters
    ----------
    estimator : BaseEstimator
        The estimator that is being fitted.
    verbose : bool
        Whether to write to a terminal or a notebook.
    fewest, most : int
        The number of stages: at least, and at most, one or none more.
    stream : file, optional
        Where to write; standard error by default.
    """

    def __init__(
        self,
        estimator: Any,
        verbose: bool,
        fewest: int = 1,
        most: int = 1,
        stream: TextIO | None = None,
    ):
        self.estimator, self.fewest, self.most = estimator, fewest, most
        self.terminal = TerminalProgress(type(estimator).__name__, stream) if verbose else None
        self.context: Any = None
        self.stage, self.begun, self.done, self.best = Stage(), 0, 0, -math.inf

    def begin(self, stage: Stage) -> None:
        """Begin a stage."""
        self.stage, self.begun, self.done, self.best = stage, self.begun + 1, 0, -math.inf

    def __call__(self, step: int, value: float) -> None:
        """Report one step."""
        self.done += 1
        self.best = max(self.best, value)
        if self.terminal is not None:
            value = self.best if self.stage.rises else value
            self.terminal.show(self._place() + self.stage.describe(self.done, value))
        if self.context is not None:
            task = self.context.subcontext(task_name=self.stage.step)
            task.call_on_fit_task_begin(estimator=self.estimator)
            task.call_on_fit_task_end(estimator=self.estimator)

    def _place(self) -> str:
        """Say which stage this is, of how many; of one or another number as long as it is open."""
        if self.most == 1:
            return ""
        is_open = self.begun <= self.fewest < self.most
        total = f"{self.fewest} or {self.most}" if is_open else str(self.most)
        return f"stage {self.begun} of {total}, "

    def __enter__(self) -> Self:
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
