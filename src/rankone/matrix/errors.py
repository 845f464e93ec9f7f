"""Errors about the entries of a matrix."""

from __future__ import annotations

from rankone.errors import Entry, Input, InputError


def too_large() -> InputError:
    """Return the error for sums that no double can hold."""
    return InputError(
        "The sums of {X} are larger than the largest double", "divide {X} by a constant", X=Input()
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
