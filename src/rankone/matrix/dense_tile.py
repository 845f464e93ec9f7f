"""Tiles that are arrays of doubles."""

from __future__ import annotations

from typing import Any

import numpy as np

from rankone.errors import Entry
from rankone.matrix import _sweeps
from rankone.matrix.errors import BadEntry, too_large
from rankone.matrix.linear import Linear
from rankone.matrix.observed import Everything, Observed, PackedBits
from rankone.matrix.tiles import BLOCK, Condition, Elementwise, Index, Tile, TileSums
from rankone.typing import FloatArray, IntArray


class DenseTile(Tile):
    """An array of doubles, in which NaN stands for a missing entry.

    Parameters
    ----------
    array : ndarray
    rows, columns : slice, optional
        Which rows and columns of the matrix they are; by default, those of a matrix of its own.
    complete : bool, optional
        Whether no entry is missing, where this is known.
    """

    def __init__(
        self,
        array: FloatArray,
        rows: slice | None = None,
        columns: slice | None = None,
        complete: bool | None = None,
    ):
        self.shape = array.shape
        self.rows = slice(0, array.shape[0]) if rows is None else rows
        self.columns = slice(0, array.shape[1]) if columns is None else columns
        self._array, self._complete = array, complete
        self._filled: FloatArray | None = None

    @property
    def T(self) -> Tile:
        """The transpose, without a copy."""
        transposed = DenseTile(self._array.T, self.columns, self.rows, self._complete)
        transposed._filled = None if self._filled is None else self._filled.T
        return transposed

    @property
    def stored(self) -> Any:
        """The array, NaN where entries are missing."""
        return self._array

    def array(self) -> FloatArray:
        """Return the array."""
        return self._array

    @property
    def is_complete(self) -> bool:
        """Whether no entry is missing."""
        if self._complete is None:
            self._complete = not np.isnan(self._array).any()
        return self._complete

    def _like(self, array: FloatArray) -> DenseTile:
        return DenseTile(array, self.rows, self.columns, self._complete)

    def filled(self) -> FloatArray:
        """Return the array with zeros for missing entries; it is computed once for all products."""
        if self._filled is None:
            array = self._array
            self._filled = array if self.is_complete else np.where(array == array, array, 0.0)
        return self._filled

    def take(self, rows: Index, columns: Index) -> Tile:
        """Return the entries of some rows and columns of the tile."""
        return DenseTile(self._array[rows][:, columns], complete=self._complete or None)

    def dot(self, v: FloatArray) -> FloatArray:
        """Return the product with a vector."""
        return _product(self.filled(), v)

    def sum_of(self, function: Elementwise) -> float:
        """Return the sum of a function over the observed entries."""
        array = self._array if self._array.flags.c_contiguous else self._array.T
        return float(function(array if self.is_complete else array[array == array]).sum())

    def census(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return the numbers that `Census` counts, and the sums of squares of rows and columns."""
        if not self._array.flags.c_contiguous:
            numbers, columns, rows = self.T.census()
            return numbers, rows, columns
        rows, columns = np.zeros(self.shape[0]), np.zeros(self.shape[1])
        return _sweeps.census_of(self._array, rows, columns), rows, columns

    def squared(self) -> Tile:
        """Return the squares of the entries."""
        return self._like(self._array * self._array)

    def map(self, function: Elementwise) -> Tile:
        """Return a function of the entries; missing ones stay missing."""
        return self._like(function(self._array))

    def plus(self, constant: float) -> Tile:
        """Return the entries plus a constant."""
        return self._like(self._array + constant)

    def minimum(self) -> float:
        """Return the least observed entry; infinity if there is none."""
        return float(np.fmin.reduce(self._array, axis=None, initial=np.inf))

    def first(self, condition: Condition) -> tuple[int, int, float] | None:
        """Return row, column and value of an entry that meets a condition."""
        for i, j in np.argwhere(condition(self._array)):
            value = float(self._array[i, j])
            return self.rows.start + int(i), self.columns.start + int(j), value
        return None

    def row_differences(self, first: IntArray, second: IntArray) -> tuple[FloatArray, FloatArray]:
        """Return the sums of squared differences of pairs of rows, in the order of memory."""
        sums, counts = np.zeros(first.size), np.zeros(first.size)
        if self._array.flags.c_contiguous:
            step = max(1, BLOCK // self.shape[1])
            for start in range(0, first.size, step):
                pairs = slice(start, start + step)
                squares = (self._array[first[pairs]] - self._array[second[pairs]]) ** 2
                counts[pairs] = np.count_nonzero(squares == squares, axis=1)
                sums[pairs] = np.nansum(squares, axis=1)
            return sums, counts
        step = max(1, BLOCK // max(first.size, self.shape[0]))
        for start in range(0, self.shape[1], step):
            block = self._array.T[start : start + step]
            squares = (block[:, first] - block[:, second]) ** 2
            counts += np.count_nonzero(squares == squares, axis=0)
            sums += np.nansum(squares, axis=0)
        return sums, counts

    def observed(self) -> Linear | Tile:
        """Return the matrix of zeros and ones of the observed entries."""
        if self.is_complete:
            return Everything(self.shape)
        return DenseTile((self._array == self._array) * 1.0, complete=True)

    def positive(self) -> Observed:
        """Return which entries are positive."""
        return PackedBits(
            np.packbits(self._array > 0, axis=1, bitorder="little"), self._array.shape[1]
        )

    def sums(self, missing: bool) -> TileSums | None:
        """Return the sums of rows and columns; with missing entries, flag which are observed."""
        m, n = self.shape
        rows, columns = np.zeros(m), np.zeros(n)
        if missing:
            bits = [np.empty((m, -(-n // 8)), np.uint8) for _ in range(2)]
            negative = _sweeps.add_sums_of_observed(self._array, rows, columns, *bits)
            masks: Any = [PackedBits(packed, n) for packed in bits]
        else:
            negative = _sweeps.add_sums(self._array, rows, columns)
            masks = [Everything(self.shape)]
        if not np.isfinite(rows).all():
            if not missing and np.isnan(self._array).any():
                return None
            self._refuse_infinite()
        return TileSums(rows, columns, bool(negative), *masks)

    def _refuse_infinite(self) -> None:
        for i, j in np.argwhere(np.isinf(self._array)):
            raise BadEntry(
                "{entry} is infinite",
                "entries must be finite, or NaN where they are missing",
                entry=Entry(int(self.rows.start + i), int(self.columns.start + j)),
            )
        raise too_large()


def _product(array: FloatArray, v: FloatArray) -> FloatArray:
    """Return a product, computed in the order in which the array lies in memory."""
    return array @ v if array.flags.c_contiguous else (v.T @ array.T).T
