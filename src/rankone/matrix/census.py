"""A census of the entries of a matrix: how many are of which kind, and how large they are.

What a matrix holds (counts, zeros and ones, real numbers) is asked in many places, and one sweep
answers all of them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from rankone.matrix.tiled import Tiled
from rankone.typing import FloatArray

__all__ = ["Census", "take_census"]


@dataclass(frozen=True, eq=False)
class Census:
    """What one sweep tells about the observed entries of a matrix.

    Attributes
    ----------
    n_zeros, n_ones, n_positive : float
        How many entries are zero, one, and larger than zero.
    n_fractions : float
        How many are not whole numbers, or beyond 2^53, where all doubles are.
    absolute : float
        The sum of their absolute values.
    row_squares, column_squares : ndarray
        The sums of squares of each row and of each column.
    """

    n_zeros: float
    n_ones: float
    n_positive: float
    n_fractions: float
    absolute: float
    row_squares: FloatArray
    column_squares: FloatArray

    @property
    def T(self) -> Census:
        """The census of the transpose."""
        return replace(self, row_squares=self.column_squares, column_squares=self.row_squares)

    @property
    def squares(self) -> float:
        """The sum of squares of all entries."""
        return float(self.column_squares.sum())

    @property
    def is_whole(self) -> bool:
        """Whether all entries are whole numbers."""
        return self.n_fractions == 0.0


def take_census(matrix: Tiled) -> Census:
    """Count the entries of a matrix, and sum their squares, in one sweep."""
    numbers, rows, columns = matrix.collect(lambda tile: tile.census(), None, 0, 1)
    zeros, ones, positive, fractions, absolute = numbers.tolist()
    return Census(zeros, ones, positive, fractions, absolute, rows, columns)
