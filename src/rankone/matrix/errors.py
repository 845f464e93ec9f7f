"""Errors about the shape, the type and the entries of a matrix."""

from __future__ import annotations

from typing import Any

from rankone.errors import Entry, Input, InputError


def too_large() -> InputError:
    """Return the error for sums that no double can hold."""
    return InputError(
        "The sums of {X} are larger than the largest double", "divide {X} by a constant", X=Input()
    )


def check_shape(X: Any) -> None:
    """Refuse an array that is no matrix, or has no entries."""
    if X.ndim != 2:
        raise InputError(f"{{X}} must be a matrix, but it has {X.ndim} dimensions", X=Input())
    if 0 in X.shape:
        raise InputError(f"{{X}} is empty: its shape is {X.shape}", X=Input())


def check_type(X: Any) -> None:
    """Refuse an array that does not hold real numbers."""
    if X.dtype.kind not in "biuf":
        raise InputError(
            "{X} must hold real numbers, but its type is {type}", X=Input(), type=X.dtype
        )


class BadEntry(InputError):
    """An entry that no matrix may have, with its position in the field `entry`."""

    def moved_down(self, by: int) -> BadEntry:
        """Return the same error for an entry so many rows further down."""
        entry = self.fields["entry"]
        fields = self.fields | {"entry": Entry(entry.row + by, entry.column)}
        return BadEntry(self.problem, self.suggestion, **fields)

    def transposed(self) -> BadEntry:
        """Return the same error for the transpose."""
        entry = self.fields["entry"]
        fields = self.fields | {"entry": Entry(entry.column, entry.row)}
        return BadEntry(self.problem, self.suggestion, **fields)
