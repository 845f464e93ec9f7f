"""Errors about the entries of a matrix."""

from __future__ import annotations

#: The message for sums that no double can hold.
TOO_LARGE = "The sums of X are larger than the largest double; divide X by a constant."


class BadEntry(ValueError):
    """An entry that no matrix may have, with its position.

    Parameters
    ----------
    row, column : int
    problem : str
        What is wrong with the entry, and what to do about it.
    """

    def __init__(self, row: int, column: int, problem: str):
        super().__init__(f"X[{row}, {column}] is {problem}.")
        self.row, self.column, self.problem = int(row), int(column), problem

    def transposed(self) -> BadEntry:
        """Return the same error for the transpose."""
        return BadEntry(self.column, self.row, self.problem)
