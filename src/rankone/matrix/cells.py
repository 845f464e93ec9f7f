"""A matrix seen from afar: the means of what lies where strips of rows and of columns meet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp

from rankone.matrix.base import Matrix
from rankone.typing import FloatArray, IntArray

#: Entries that are read at a time.
READ = 2**22


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
        """Return the strips that are given by a number for each row, all from 0 on."""
        sizes = np.bincount(numbers)
        return Strips(np.argsort(numbers, kind="stable"), np.concatenate([[0], np.cumsum(sizes)]))

    @property
    def numbers(self) -> IntArray:
        """The strip of each row, in the order."""
        return np.repeat(np.arange(self.edges.size - 1), np.diff(self.edges))

    def members(self) -> Any:
        """Return the sparse matrix of which row is in which strip."""
        ones, shape = np.ones(self.order.size), (self.order.size, self.edges.size - 1)
        return sp.csr_array((ones, (self.order, self.numbers)), shape=shape)


def cell_means(matrix: Matrix, rows: Strips, columns: Strips) -> tuple[FloatArray, FloatArray]:
    """Return the means of the entries that exist in each cell, and how many there are.

    A sparse matrix stays sparse, a dense one is read by parts. Where nothing exists, the mean is
    NaN.

    Examples
    --------
    >>> from rankone.matrix import as_matrix
    >>> A = as_matrix([[1.0, 2.0, 9.0], [3.0, 4.0, np.nan]])
    >>> means, counts = cell_means(A, Strips.of(np.array([0, 0])), Strips.of(np.array([0, 0, 1])))
    >>> means, counts
    (array([[2.5, 9. ]]), array([[4., 1.]]))
    """
    values: Any = matrix.values()
    if sp.issparse(values):
        left, right = rows.members().T, columns.members()
        sums = (left @ values @ right).toarray()
        counts = np.outer(np.diff(rows.edges), np.diff(columns.edges)).astype(float)
        if matrix.n_missing:
            ones = sp.csr_array((np.ones(values.nnz), values.indices, values.indptr), values.shape)
            counts = (left @ ones @ right).toarray()
    else:
        sums, counts = _dense_sums(matrix, rows, columns)
    means: FloatArray = np.full(sums.shape, np.nan)
    np.divide(sums, counts, out=means, where=counts > 0)
    return means, counts


def _dense_sums(matrix: Matrix, rows: Strips, columns: Strips) -> tuple[FloatArray, FloatArray]:
    sums, counts = np.zeros((2, rows.edges.size - 1, columns.edges.size - 1))
    numbers, step = rows.numbers, max(1, READ // columns.order.size)
    for start in range(0, rows.order.size, step):
        some = slice(start, start + step)
        block = matrix.part(rows.order[some], columns.order)
        exists = ~np.isnan(block)
        block[~exists] = 0.0
        own = numbers[some]
        first = np.flatnonzero(np.diff(own, prepend=-1))  # numbers ascend
        for total, part in ((sums, block), (counts, exists)):
            by_row = np.add.reduceat(part, first, axis=0, dtype=float)
            total[own[first]] += np.add.reduceat(by_row, columns.edges[:-1], axis=1)
    return sums, counts


def colour_limits(cells: FloatArray) -> tuple[float, float]:
    """Return the ends of the colours of cells: around zero, if that is between them."""
    seen = cells[~np.isnan(cells)]
    low, high = np.percentile(seen, [1, 99])
    if low == high:  # few entries differ from the rest, as those of a sparse matrix from zero
        low, high = seen.min(), seen.max()
    if low < 0 < high:
        low, high = min(low, -high), max(-low, high)
    return float(low), float(high)
