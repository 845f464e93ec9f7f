"""Tiles that are sparse: their absent entries are zeros, or missing."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

from rankone.errors import Entry, Input, InputError, Method, Setting
from rankone.matrix import _sweeps
from rankone.matrix.errors import BadEntry, too_large
from rankone.matrix.linear import Linear
from rankone.matrix.observed import Everything, Observed, Pattern
from rankone.matrix.tiles import (
    Condition,
    Elementwise,
    Grouping,
    Index,
    Tile,
    TileSums,
    is_all,
)
from rankone.typing import FloatArray, IntArray


class SparseTile(Tile):
    """A sparse array.

    Parameters
    ----------
    entries : csr_array or csc_array
        Without duplicates, and without NaN.
    absent_missing : bool
        Whether absent entries are missing; otherwise they are zeros.
    rows, columns : slice, optional
        Which rows and columns of the matrix they are; by default, those of a matrix of its own.
    """

    def __init__(
        self,
        entries: Any,
        absent_missing: bool,
        rows: slice | None = None,
        columns: slice | None = None,
    ):
        self.shape = entries.shape
        self.rows = slice(0, entries.shape[0]) if rows is None else rows
        self.columns = slice(0, entries.shape[1]) if columns is None else columns
        self.entries, self.absent_missing = entries, absent_missing
        self.by_rows = entries.format == "csr"

    @property
    def T(self) -> Tile:
        """The transpose, without a copy."""
        return SparseTile(self.entries.T, self.absent_missing, self.columns, self.rows)

    @property
    def stored(self) -> Any:
        """The sparse array."""
        return self.entries

    def array(self) -> FloatArray:
        """Return the entries as an array, NaN where they are missing."""
        dense: FloatArray = self.entries.astype(np.float64).toarray()
        if self.absent_missing:
            dense[self._with(np.ones(self.entries.nnz)).toarray() == 0.0] = np.nan
        return dense

    def _with(self, data: FloatArray) -> Any:
        """Return other values in the same places."""
        entries = self.entries
        return type(entries)((data, entries.indices, entries.indptr), shape=self.shape)

    def _doubles(self) -> FloatArray:
        return self.entries.data.astype(np.float64, copy=False)

    @property
    def n_zeros(self) -> int:
        """The number of absent entries that are zeros."""
        return 0 if self.absent_missing else self.shape[0] * self.shape[1] - self.entries.nnz

    def take(self, rows: Index, columns: Index) -> Tile:
        """Return the entries of some rows and columns of the tile."""
        entries = self.entries if is_all(rows, self.shape[0]) else self.entries[rows]
        entries = entries if is_all(columns, self.shape[1]) else entries[:, columns]
        return SparseTile(entries, self.absent_missing)

    def dot(self, v: FloatArray) -> FloatArray:
        """Return the product with a vector."""
        product: FloatArray = self.entries @ v
        return product

    def group_columns(self, groups: Grouping) -> FloatArray:
        """Return the weighted sums of each row over each group of columns."""
        labels, weights, n_groups = groups.labels, groups.weights, groups.n_groups
        if self.by_rows:
            arrays = kernel_arrays(self.entries)
            return _sweeps.sparse_group_columns(*arrays, labels, weights, n_groups)
        arrays = kernel_arrays(self.entries.T)
        return _sweeps.sparse_group_rows(*arrays, labels, weights, n_groups, self.shape[0])

    def dot_own(self, vectors: FloatArray, labels: IntArray) -> FloatArray:
        """Return the product of each row with the vector of its label."""
        if not self.by_rows:
            return super().dot_own(vectors, labels)
        return _sweeps.sparse_dot_own(*kernel_arrays(self.entries), vectors, labels)

    def sum_of(self, function: Elementwise) -> float:
        """Return the sum of a function over the observed entries."""
        total = float(function(self._doubles()).sum())
        return total + (self.n_zeros * float(function(np.zeros(1))[0]) if self.n_zeros else 0.0)

    def census(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return the numbers that `Census` counts, and the sums of squares of rows and columns."""
        numbers = _sweeps.census_of_values(self._doubles())
        numbers[0] += self.n_zeros
        with np.errstate(over="ignore"):  # infinite sums of squares say that entries are large
            squares = self.squared()
        return numbers, squares.dot(np.ones(self.shape[1])), squares.T.dot(np.ones(self.shape[0]))

    def squared(self) -> Tile:
        """Return the squares of the entries."""
        data = self._doubles()
        return SparseTile(self._with(data * data), self.absent_missing, self.rows, self.columns)

    def map(self, function: Elementwise) -> Tile:
        """Return a function of the stored entries."""
        entries = self._with(function(self._doubles()))
        return SparseTile(entries, self.absent_missing, self.rows, self.columns)

    def plus(self, constant: float) -> Tile:
        """Return the entries plus a constant; zeros that are not stored have no place for it."""
        if self.n_zeros:
            raise InputError(
                "{X} is sparse, and {shift} would make all of its zeros positive",
                "give a dense matrix, such as X.toarray(), or use {methods}, which accept negative "
                "entries",
                X=Input(),
                shift=Setting("negative", "shift", of="vectors"),
                methods=Method(("Marginal", "SVD")),
            )
        entries = self._with(self._doubles() + constant)
        return SparseTile(entries, self.absent_missing, self.rows, self.columns)

    def minimum(self) -> float:
        """Return the least observed entry; infinity if there is none."""
        return float(self.entries.data.min(initial=0.0 if self.n_zeros else np.inf))

    def first(self, condition: Condition) -> tuple[int, int, float] | None:
        """Return row, column and value of a stored entry that meets a condition."""
        for e in np.flatnonzero(condition(self.entries.data)):
            i, j = self._position(int(e))
            return self.rows.start + i, self.columns.start + j, float(self.entries.data[e])
        return None

    def _position(self, e: int) -> tuple[int, int]:
        """Return row and column, in the tile, of the e-th stored entry."""
        major = int(np.searchsorted(self.entries.indptr, e, side="right")) - 1
        minor = int(self.entries.indices[e])
        return (major, minor) if self.by_rows else (minor, major)

    def row_differences(self, first: IntArray, second: IntArray) -> tuple[FloatArray, FloatArray]:
        """Return the sums of squared differences of pairs of rows, and over how many entries."""
        a, b = (self.entries[i].tocsr().astype(np.float64) for i in (first, second))
        if not self.absent_missing:
            difference = a - b
            counts = np.full(first.size, float(self.shape[1]))
            return difference.multiply(difference).sum(axis=1), counts
        ones = [sp.csr_array((np.ones(x.nnz), x.indices, x.indptr), shape=x.shape) for x in (a, b)]
        squares = (a * a * ones[1] + ones[0] * b * b - 2.0 * (a * b)).sum(axis=1)
        return np.maximum(squares, 0.0), (ones[0] * ones[1]).sum(axis=1)

    def observed(self) -> Linear | Tile:
        """Return the matrix of zeros and ones of the observed entries."""
        if not self.absent_missing:
            return Everything(self.shape)
        return SparseTile(self._with(np.ones(self.entries.nnz)), True)

    def _pattern(self) -> Pattern:
        return Pattern(*kernel_arrays(self.entries)[1:], self.shape[1])

    def positive(self) -> Observed:
        """Return which entries are positive."""
        return self._pattern().where(self.entries.data > 0)

    def sums(self, missing: bool) -> TileSums | None:
        """Return the sums of rows and columns."""
        arrays = kernel_arrays(self.entries)
        rows, columns, negative = _sweeps.sparse_sums(*arrays, self.shape[1])
        if not np.isfinite(rows).all():
            self._refuse_infinite()
        observed = self._pattern() if self.absent_missing else Everything(self.shape)
        return TileSums(rows, columns, bool(negative), observed)

    def _refuse_infinite(self) -> None:
        for e in np.flatnonzero(np.isinf(self.entries.data)):
            i, j = self._position(int(e))
            raise BadEntry(
                "{entry} is infinite",
                "entries must be finite",
                entry=Entry(int(self.rows.start + i), int(self.columns.start + j)),
            )
        raise too_large()


def kernel_arrays(csr: Any) -> tuple[Any, Any, Any]:
    """Return the arrays of a sparse matrix for kernels.

    Indices are never negative. Read as unsigned, they need no check whether they count from the
    end, which would cost as much as the rest.
    """
    unsigned = (a.view(f"u{a.dtype.itemsize}") for a in (csr.indices, csr.indptr))
    return csr.data, *unsigned
