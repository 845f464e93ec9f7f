"""Progress of long work, where somebody is looking."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import TextIO

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
