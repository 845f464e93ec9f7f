"""A sparse matrix, whose absent entries are zeros, or do not exist."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

from rankone.matrix import _sweeps
from rankone.matrix.base import TOO_LARGE, BadEntry, Elementwise, Matrix, Totals
from rankone.matrix.groups import numbered
from rankone.matrix.observed import Everything, Pattern
from rankone.typing import FloatArray, IntArray


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
        data = csr.data
        sums, column_sums, negative = _sweeps.sparse_sums(data, csr.indices, csr.indptr, n)
        if not np.isfinite(sums).all():
            csr = _existing(csr, absent_missing)
            sums, column_sums, negative = _sweeps.sparse_sums(csr.data, csr.indices, csr.indptr, n)
        self.csr = csr
        if absent_missing:
            self.observed = Pattern(csr.indices, csr.indptr, n)
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

    def sum_of(self, function: Elementwise) -> float:
        """Return the sum of a function over all entries that exist."""
        stored = float(function(self.csr.data.astype(np.float64, copy=False)).sum())
        return stored + (self._absent * float(function(np.zeros(1))[0]) if self._absent else 0.0)

    def squares(self) -> tuple[FloatArray, FloatArray]:
        """Return the sums of squares of each row and of each column."""
        csr, data = self.csr, self.csr.data.astype(np.float64, copy=False)
        rows, columns, _ = _sweeps.sparse_sums(data * data, csr.indices, csr.indptr, csr.shape[1])
        return rows, columns

    def joined(self) -> tuple[IntArray, IntArray, int]:
        """Return groups of rows and columns that positive entries join."""
        csr = self.csr
        roots = _sweeps.join_sparse(csr.data, csr.indices, csr.indptr, self.shape[1])
        first_column, some = _first_positive(csr)
        return numbered(roots, first_column, some)

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

    def values(self) -> Any:
        """Return the sparse matrix itself."""
        return self.csr


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


def _first_positive(csr: sp.csr_array) -> tuple[IntArray, Any]:
    """Return a column with a positive entry for each row (-1: none), and which columns have one."""
    positive = csr.data > 0
    rows = np.repeat(np.arange(csr.shape[0]), np.diff(csr.indptr))[positive]
    first = np.full(csr.shape[0], -1)
    first[rows] = csr.indices[positive]
    some = np.zeros(csr.shape[1], bool)
    some[csr.indices[positive]] = True
    return first, some
