"""A coarse view of a matrix: the means of the cells where strips of rows and columns meet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp

from rankone.matrix.base import Matrix
from rankone.matrix.tiles import Tile
from rankone.typing import FloatArray, IntArray


@dataclass(frozen=True)
class Strips:
    """Rows, or columns, in an order that is cut into strips.

    Attributes
    ----------
    order : ndarray
    edges : ndarray
        Where each strip begins, and the last one ends, in that order.
    """

    order: IntArray
    edges: IntArray

    @staticmethod
    def of(numbers: IntArray) -> Strips:
        """Return the strips that are given by a number for each row, from 0."""
        sizes = np.bincount(numbers)
        return Strips(np.argsort(numbers, kind="stable"), np.concatenate([[0], np.cumsum(sizes)]))

    @property
    def sizes(self) -> IntArray:
        """The number of rows of each strip."""
        return np.diff(self.edges)

    @property
    def numbers(self) -> IntArray:
        """The strip of each row of the matrix."""
        numbers = np.empty(self.order.size, np.intp)
        numbers[self.order] = np.repeat(np.arange(self.sizes.size), self.sizes)
        return numbers

    def members(self) -> Any:
        """Return the sparse matrix of which row is in which strip."""
        return _members(self.numbers, self.sizes.size)


def cell_means(matrix: Matrix, rows: Strips, columns: Strips) -> tuple[FloatArray, FloatArray]:
    """Return the means of the observed entries of each cell, and how many there are.

    Where nothing is observed, the mean is NaN.

    Examples
    --------
    >>> from rankone.matrix import as_matrix
    >>> A = as_matrix([[1.0, 2.0, 9.0], [3.0, 4.0, np.nan]])
    >>> means, counts = cell_means(A, Strips.of(np.array([0, 0])), Strips.of(np.array([0, 0, 1])))
    >>> means, counts
    (array([[2.5, 9. ]]), array([[4., 1.]]))
    """
    row_strips, in_columns = rows.numbers, columns.members()
    sums, counts = np.zeros((2, rows.sizes.size, columns.sizes.size))

    def of_tile(tile: Tile) -> tuple[IntArray, FloatArray, FloatArray]:
        strips, places = np.unique(row_strips[tile.rows], return_inverse=True)
        in_rows, in_strips = _members(places, strips.size).T, in_columns[tile.columns]
        pair = (in_rows @ part.dot(in_strips) for part in (tile, tile.observed()))
        return strips, *(p.toarray() if sp.issparse(p) else p for p in pair)

    for strips, tile_sums, tile_counts in matrix.each(of_tile):
        sums[strips] += tile_sums
        counts[strips] += tile_counts
    with np.errstate(invalid="ignore"):  # NaN where nothing is observed
        return sums / counts, counts


def _members(numbers: IntArray, n_strips: int) -> Any:
    ones, places = np.ones(numbers.size), np.arange(numbers.size)
    return sp.csr_array((ones, (places, numbers)), shape=(numbers.size, n_strips))
