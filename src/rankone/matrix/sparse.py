"""A sparse matrix, whose absent entries are zeros, or do not exist."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.sparse as sp

from rankone.matrix import _sweeps
from rankone.matrix.base import TOO_LARGE, BadEntry, Elementwise, Matrix, Totals
from rankone.matrix.groups import numbered
from rankone.matrix.observed import Everything, Pattern
from rankone.typing import FloatArray, IntArray

#: Entries that are swept at a time.
BLOCK = 2**18


class Sparse(Matrix):
    """A sparse matrix in CSR format.

    Parameters
    ----------
    csr : scipy.sparse.csr_array
        Without duplicates.
    absent_missing : bool
        Whether an absent entry does not exist; otherwise it is a zero. A stored NaN does not
        exist either way, but is refused among zeros that do.
    """

    def __init__(self, csr: sp.csr_array, absent_missing: bool):
        self.shape = csr.shape
        m, n = csr.shape
        self._entries = entries_of(csr)
        sums, column_sums, negative = _sweeps.sparse_sums(*self._entries, n)
        if not np.isfinite(sums).all():
            csr = _existing(csr, absent_missing)
            self._entries = entries_of(csr)
            sums, column_sums, negative = _sweeps.sparse_sums(*self._entries, n)
        self.csr = csr
        if absent_missing:
            self.observed = Pattern(*self._entries[1:], n)
            counts = np.diff(csr.indptr).astype(float), self.observed.dot_transposed(np.ones(m))
        else:
            self.observed = Everything(csr.shape)
            counts = np.full(m, float(n)), np.full(n, float(m))
        self.totals = Totals(sums, column_sums, *counts, bool(negative))
        self._absent = 0 if absent_missing else m * n - csr.nnz

    def dot(self, v: FloatArray) -> FloatArray:
        """Return A v."""
        product: FloatArray = self.csr @ v
        return product

    def dot_transposed(self, u: FloatArray) -> FloatArray:
        """Return A^T u."""
        product: FloatArray = self.csr.T @ u
        return product

    def sweep(
        self, v: FloatArray, update: Callable[[FloatArray, slice], FloatArray]
    ) -> tuple[FloatArray, FloatArray]:
        """Return u = update(A v) and A^T u, by blocks of rows: each is read from memory once."""
        m = self.shape[0]
        u, product = np.empty(m), np.zeros(self.shape[1])
        step = max(1, BLOCK * m // max(1, self.csr.nnz))
        for start in range(0, m, step):
            rows = slice(start, min(start + step, m))
            _sweeps.sparse_dot(*self._entries, v, start, u[rows])
            u[rows] = update(u[rows], rows)
            _sweeps.add_sparse_dot_transposed(*self._entries, u[rows], start, product)
        return u, product

    def group_columns(self, labels: IntArray, n_groups: int, weights: FloatArray) -> FloatArray:
        """Return the weighted sums of each row over each group of columns."""
        sums: FloatArray = _sweeps.sparse_group_columns(*self._entries, labels, weights, n_groups)
        return sums

    def group_rows(self, labels: IntArray, n_groups: int, weights: FloatArray) -> FloatArray:
        """Return the weighted sums of each column over each group of rows."""
        sums: FloatArray = _sweeps.sparse_group_rows(
            *self._entries, labels, weights, n_groups, self.shape[1]
        )
        return sums

    def dot_own(self, vectors: FloatArray, labels: IntArray) -> FloatArray:
        """Return the product of each row with one of several vectors, that of its label."""
        product: FloatArray = _sweeps.sparse_dot_own(*self._entries, vectors, labels)
        return product

    def sum_of(self, function: Elementwise) -> float:
        """Return the sum of a function over all entries that exist."""
        stored = float(function(self.csr.data.astype(np.float64, copy=False)).sum())
        return stored + (self._absent * float(function(np.zeros(1))[0]) if self._absent else 0.0)

    def squares(
        self, row_weights: FloatArray | None = None, column_weights: FloatArray | None = None
    ) -> tuple[FloatArray, FloatArray]:
        """Return the sums of squares of each row and of each column."""
        m, n = self.shape
        data = self.csr.data.astype(np.float64, copy=False)
        squares = sp.csr_array((data * data, self.csr.indices, self.csr.indptr), shape=self.shape)
        rows = squares @ (np.ones(n) if column_weights is None else column_weights)
        return rows, squares.T @ (np.ones(m) if row_weights is None else row_weights)

    def row_differences(self, first: IntArray, second: IntArray) -> tuple[FloatArray, FloatArray]:
        """Return the sums of squared differences of pairs of rows, and their numbers of entries."""
        return self._differences(self.csr[first], self.csr[second])

    def column_differences(
        self, first: IntArray, second: IntArray
    ) -> tuple[FloatArray, FloatArray]:
        """Return the same of pairs of columns."""
        return self._differences(self.csr[:, first].T.tocsr(), self.csr[:, second].T.tocsr())

    def _differences(self, a: sp.csr_array, b: sp.csr_array) -> tuple[FloatArray, FloatArray]:
        a, b = a.astype(np.float64), b.astype(np.float64)
        if not isinstance(self.observed, Pattern):
            difference = a - b
            return difference.multiply(difference).sum(axis=1), np.full(
                a.shape[0], float(a.shape[1])
            )
        ones = [sp.csr_array((np.ones(x.nnz), x.indices, x.indptr), shape=x.shape) for x in (a, b)]
        squares = (a * a * ones[1] + ones[0] * b * b - 2.0 * (a * b)).sum(axis=1)
        return np.maximum(squares, 0.0), (ones[0] * ones[1]).sum(axis=1)

    def joined(self) -> tuple[IntArray, IntArray, int]:
        """Return groups of rows and columns that positive entries join."""
        roots = _sweeps.join_sparse(*self._entries, self.shape[1])
        first_column = _sweeps.first_positive(*self._entries)
        return numbered(roots, first_column, self.totals.columns > 0)

    def first_negative(self) -> tuple[int, int, float]:
        """Return row, column and value of a negative entry."""
        e = int(np.argmax(self.csr.data < 0))
        row = int(np.searchsorted(self.csr.indptr, e, side="right")) - 1
        return row, int(self.csr.indices[e]), float(self.csr.data[e])

    def shifted(self) -> Matrix:
        """Return the matrix less its minimum; absent zeros have no place for theirs."""
        if self._absent:
            raise ValueError(
                "X is sparse, and negative='shift' would make all of its zeros positive; "
                "give X.toarray(), or use Marginal or SVD, which take negative entries."
            )
        csr = self.csr.astype(np.float64)
        csr.data = csr.data - csr.data.min()
        return Sparse(csr, absent_missing=isinstance(self.observed, Pattern))

    def part(self, rows: IntArray, columns: IntArray) -> FloatArray:
        """Return a dense copy of some rows and columns, NaN where entries are missing."""
        some = self.csr[rows][:, columns].astype(np.float64)
        dense: FloatArray = some.toarray()
        if isinstance(self.observed, Pattern):
            some.data[:] = 1.0
            dense[some.toarray() == 0.0] = np.nan
        return dense

    def values(self) -> Any:
        """Return the sparse matrix itself."""
        return self.csr


def entries_of(csr: sp.csr_array) -> tuple[Any, Any, Any]:
    """Return the arrays of a sparse matrix for kernels.

    Indices are never negative. Read as unsigned, they need no check whether they count from the
    end, which would cost as much as the rest.
    """
    unsigned = (a.view(f"u{a.dtype.itemsize}") for a in (csr.indices, csr.indptr))
    return csr.data, *unsigned


def _existing(csr: sp.csr_array, absent_missing: bool) -> sp.csr_array:
    """Return the matrix without stored NaN, or say what is wrong with its values."""
    rows = np.repeat(np.arange(csr.shape[0]), np.diff(csr.indptr))
    for bad, what, do in (
        (np.isinf(csr.data), "infinite", "entries must be finite"),
        (
            np.isnan(csr.data) & (not absent_missing),
            "NaN in a sparse matrix whose absent entries are zeros",
            "give a dense array, or say missing='absent' if absent entries do not exist",
        ),
    ):
        if bad.any():
            e = int(np.flatnonzero(bad)[0])
            raise BadEntry(rows[e], csr.indices[e], f"{what}; {do}")
    keep = ~np.isnan(csr.data)
    if keep.all():
        raise ValueError(TOO_LARGE)
    return sp.csr_array((csr.data[keep], (rows[keep], csr.indices[keep])), shape=csr.shape)
