"""What a person should know about how a file was read, besides its content."""

from __future__ import annotations

from typing import Any

from rankone._warnings import warn
from rankone.errors import InputWarning, Worded

__all__ = ["ReadingWarning", "note"]


class ReadingWarning(InputWarning):
    """A file was read in a way that its user may not have meant."""


def note(problem: str, suggestion: str | None = None, **fields: Any) -> None:
    """Issue a warning about a file, worded as errors are: see `Worded`."""
    warn(Worded(problem, suggestion, **fields), ReadingWarning)
