"""A dense matrix, swept in blocks of rows: an array of any number type, in memory or mapped."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from rankone.matrix import _sweeps
from rankone.matrix.base import TOO_LARGE, BadEntry, Elementwise, Matrix, Totals, members
from rankone.matrix.groups import numbered
from rankone.matrix.mapped import Pages
from rankone.matrix.observed import Everything, PackedBits
from rankone.typing import FloatArray, IntArray

#: Entries of a block: what is converted or copied of the matrix at a time.
BLOCK = 2**18


class Dense(Matrix):
    """A two-dimensional array, in which NaN stands for an entry that does not exist.

    Parameters
    ----------
    array : ndarray
        Real numbers, best in C order. Blocks of rows become doubles one at a time; nothing of the
        size of the matrix is allocated but, if entries are missing, two bits for each.
    shift : float
        Added to all entries that exist.
    """

    def __init__(self, array: npt.NDArray[Any], shift: float = 0.0):
        self.array, self.shift = array, shift
        self.shape = array.shape
        self._pages = Pages(array)
        self._positive: npt.NDArray[np.uint8] | None = None
        try:
            self._sum_complete()
        except _Missing:
            self._sum_existing()

    def blocks(self) -> Iterator[tuple[slice, FloatArray]]:
        """Yield blocks of rows as doubles."""
        m, n = self.shape
        step = max(1, BLOCK // n)
        for start in range(0, m, step):
            rows = slice(start, min(start + step, m))
            with np.errstate(over="ignore"):  # what is too large for a double is infinite
                block = np.ascontiguousarray(self.array[rows], dtype=np.float64)
            yield rows, block + self.shift if self.shift else block
            self._pages.read(self.array[rows].nbytes)

    def _sum_complete(self) -> None:
        m, n = self.shape
        counts = np.full(m, float(n)), np.full(n, float(m))
        rows, columns, negative = self._sums(_sweeps.add_sums)
        self.totals = Totals(rows, columns, *counts, negative)
        self.observed = Everything(self.shape)

    def _sum_existing(self) -> None:
        m, n = self.shape
        observed, positive = (np.empty((m, -(-n // 8)), np.uint8) for _ in range(2))
        rows, columns, negative = self._sums(_sweeps.add_sums_of_existing, observed, positive)
        self.observed = PackedBits(observed, n)
        self._positive = positive
        counts = self.observed.dot(np.ones(n)), self.observed.dot_transposed(np.ones(m))
        self.totals = Totals(rows, columns, *counts, negative)

    def _sums(
        self, add: Callable[..., bool], *bits: npt.NDArray[np.uint8]
    ) -> tuple[FloatArray, FloatArray, bool]:
        """Return the sums of rows and columns, and whether an entry is negative."""
        sums, column_sums = np.zeros(self.shape[0]), np.zeros(self.shape[1])
        negative = False
        for rows, block in self.blocks():
            part = np.zeros(self.shape[1])
            negative |= bool(add(block, sums[rows], part, *(b[rows] for b in bits)))
            with np.errstate(over="ignore"):  # said by whoever reads the matrix
                column_sums += part
            if not np.isfinite(sums[rows]).all():
                if not bits and np.isnan(block).any():
                    raise _Missing
                self._refuse_infinite(rows, block)
        return sums, column_sums, negative

    def _refuse_infinite(self, rows: slice, block: FloatArray) -> None:
        infinite = np.argwhere(np.isinf(block))
        if infinite.size:
            i, j = infinite[0]
            what = "infinite; entries must be finite, or NaN where they are missing"
            raise BadEntry(rows.start + i, j, what)
        raise ValueError(TOO_LARGE)

    def _filled(self) -> Iterator[tuple[slice, FloatArray]]:
        """Yield blocks with zeros for what is missing."""
        for rows, block in self.blocks():
            yield rows, block if self._positive is None else np.where(block == block, block, 0.0)

    def dot(self, v: FloatArray) -> FloatArray:
        """Return A v."""
        product = np.empty((self.shape[0], *v.shape[1:]))
        for rows, block in self._filled():
            np.matmul(block, v, out=product[rows])
        return product

    def dot_transposed(self, u: FloatArray) -> FloatArray:
        """Return A^T u."""
        product = np.zeros((*u.shape[1:], self.shape[1]))
        for rows, block in self._filled():
            product += u[rows].T @ block
        return product.T

    def sweep(
        self, v: FloatArray, update: Callable[[FloatArray, slice], FloatArray]
    ) -> tuple[FloatArray, FloatArray]:
        """Return u = update(A v) and A^T u, from one sweep: a block serves both products."""
        u, product = np.empty(self.shape[0]), np.zeros(self.shape[1])
        for rows, block in self._filled():
            u[rows] = update(block @ v, rows)
            product += u[rows] @ block
        return u, product

    def regroup(
        self,
        labels: IntArray,
        n_groups: int,
        weights: FloatArray,
        update: Callable[[FloatArray, slice], IntArray],
        n_row_groups: int,
        row_weights: FloatArray,
    ) -> tuple[IntArray, FloatArray]:
        """Group columns, then rows by what came of it, from one sweep."""
        groups = members(labels, n_groups, weights)
        row_labels = np.empty(self.shape[0], np.intp)
        sums = np.zeros((n_row_groups, self.shape[1]))
        for rows, block in self._filled():
            row_labels[rows] = update(block @ groups, rows)
            sums += members(row_labels[rows], n_row_groups, row_weights[rows]).T @ block
        return row_labels, sums.T

    def sum_of(self, function: Elementwise) -> float:
        """Return the sum of a function over all entries that exist."""
        if self._positive is None:
            return sum(float(function(block).sum()) for _, block in self.blocks())
        return sum(float(function(block[block == block]).sum()) for _, block in self.blocks())

    def squares(
        self, row_weights: FloatArray | None = None, column_weights: FloatArray | None = None
    ) -> tuple[FloatArray, FloatArray]:
        """Return the sums of squares of each row and of each column."""
        m, n = self.shape
        over_rows = np.ones(m) if row_weights is None else row_weights
        over_columns = np.ones(n) if column_weights is None else column_weights
        row_squares, column_squares = np.empty(m), np.zeros(n)
        for rows, block in self._filled():
            squares = block * block
            np.matmul(squares, over_columns, out=row_squares[rows])
            column_squares += over_rows[rows] @ squares
        return row_squares, column_squares

    def row_differences(self, first: IntArray, second: IntArray) -> tuple[FloatArray, FloatArray]:
        """Return the sums of squared differences of pairs of rows, and their numbers of entries."""
        sums, counts = np.empty(first.size), np.empty(first.size)
        step = max(1, BLOCK // self.shape[1])
        for start in range(0, first.size, step):
            some = slice(start, start + step)
            squares = (_doubles(self.array[first[some]]) - self.array[second[some]]) ** 2
            counts[some] = np.count_nonzero(squares == squares, axis=1)
            sums[some] = np.nansum(squares, axis=1)
            self._pages.read_rows(2 * squares.shape[0])
        return sums, counts

    def column_differences(
        self, first: IntArray, second: IntArray
    ) -> tuple[FloatArray, FloatArray]:
        """Return the same of pairs of columns."""
        sums, counts = np.zeros(first.size), np.zeros(first.size)
        step = max(1, BLOCK // max(first.size, self.shape[1]))
        for start in range(0, self.shape[0], step):
            block = self.array[start : start + step]
            squares = (_doubles(block[:, first]) - block[:, second]) ** 2
            counts += np.count_nonzero(squares == squares, axis=0)
            sums += np.nansum(squares, axis=0)
            self._pages.read(block.nbytes)
        return sums, counts

    def joined(self) -> tuple[IntArray, IntArray, int]:
        """Return groups of rows and columns that positive entries join."""
        positive = self._positive
        if positive is None:
            positive = np.concatenate(
                [np.packbits(block > 0, axis=1, bitorder="little") for _, block in self.blocks()]
            )
        roots = _sweeps.join_packed(positive, self.shape[1])
        has = positive.any(axis=1)
        bytes_ = positive[has]
        first = (bytes_ != 0).argmax(axis=1)
        lowest = np.unpackbits(
            bytes_[np.arange(first.size), first][:, None], axis=1, bitorder="little"
        ).argmax(axis=1)
        first_column = np.full(self.shape[0], -1)
        first_column[has] = 8 * first + lowest
        return numbered(roots, first_column, self.totals.columns > 0)

    def first_negative(self) -> tuple[int, int, float]:
        """Return row, column and value of a negative entry."""
        for rows, block in self.blocks():
            for i, j in np.argwhere(block < 0):
                return rows.start + int(i), int(j), float(block[i, j])
        raise ValueError("No entry is negative.")

    def shifted(self) -> Matrix:
        """Return the matrix less its minimum."""
        least = min(float(np.nanmin(block)) for _, block in self.blocks() if not _empty(block))
        return Dense(self.array, -least)

    def part(self, rows: IntArray, columns: IntArray) -> FloatArray:
        """Return a copy of some rows and columns."""
        copy = np.empty((rows.size, columns.size))
        step = max(1, BLOCK // self.shape[1])
        for start in range(0, rows.size, step):
            some = slice(start, start + step)
            copy[some] = self.array[np.ix_(rows[some], columns)]
            self._pages.read_rows(copy[some].shape[0])
        return copy + self.shift if self.shift else copy

    def values(self) -> npt.NDArray[Any]:
        """Return all entries, NaN where they are missing."""
        return self.array + self.shift if self.shift else self.array


class _Missing(Exception):
    """Some entry is NaN."""


def _doubles(array: npt.NDArray[Any]) -> FloatArray:
    return array.astype(np.float64, copy=False)


def _empty(block: FloatArray) -> bool:
    return bool(np.isnan(block).all())
