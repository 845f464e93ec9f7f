"""A sparse matrix, whose absent entries are zeros, or missing."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import scipy.sparse as sp

from rankone.errors import Entry, Setting
from rankone.matrix import _sweeps
from rankone.matrix.base import Matrix
from rankone.matrix.errors import BadEntry
from rankone.matrix.sparse_tile import SparseTile, kernel_arrays
from rankone.matrix.tiled import Result
from rankone.matrix.tiles import BLOCK, Elementwise, Index, Tile
from rankone.typing import FloatArray


class Sparse(Matrix):
    """A sparse matrix in CSR format: a single tile.

    Parameters
    ----------
    csr : scipy.sparse.csr_array
        Without duplicates.
    absent_missing : bool
        Whether absent entries are missing; otherwise they are zeros. A stored NaN is missing as
        well, which is refused where absent entries are zeros.
    """

    whole_columns = True

    def __init__(self, csr: sp.csr_array, absent_missing: bool):
        self.shape = csr.shape
        self.tile = SparseTile(without_nan(csr, absent_missing), absent_missing)

    def each(self, function: Callable[[Tile], Result]) -> Iterator[Result]:
        """Apply a function to the whole matrix."""
        yield function(self.tile)

    def take(self, rows: Index, columns: Index) -> Tile:
        """Return the entries of some rows and columns."""
        return self.tile.take(rows, columns)

    def map(self, function: Elementwise) -> Matrix:
        """Return a function of the stored entries, in memory."""
        return Sparse(self.tile.map(function).stored, self.tile.absent_missing)

    def shifted(self) -> Matrix:
        """Return the matrix minus its least entry, in memory: it is swept faster."""
        shifted = self.tile.plus(-self.tile.minimum())
        return Sparse(shifted.stored, self.tile.absent_missing)

    def sweep(
        self,
        v: FloatArray,
        update: Callable[[FloatArray, slice], FloatArray],
        onwards: Callable[[FloatArray, slice], FloatArray] = lambda u, rows: u,
    ) -> tuple[FloatArray, FloatArray]:
        """Return u and A^T onwards(u), by blocks of rows: each is read from memory once."""
        if v.ndim > 1:
            return super().sweep(v, update, onwards)
        m, arrays = self.shape[0], kernel_arrays(self.tile.entries)
        u, product = np.empty(m), np.zeros(self.shape[1])
        step = max(1, BLOCK * m // max(1, self.tile.entries.nnz))
        for start in range(0, m, step):
            rows = slice(start, min(start + step, m))
            _sweeps.sparse_dot(*arrays, v, start, u[rows])
            u[rows] = update(u[rows], rows)
            _sweeps.add_sparse_dot_transposed(*arrays, onwards(u[rows], rows), start, product)
        return u, product


def without_nan(csr: sp.csr_array, absent_missing: bool) -> sp.csr_array:
    """Return the matrix without stored NaN; refuse these if absent entries are zeros."""
    with np.errstate(over="ignore", invalid="ignore"):
        if not np.isnan(csr.data.sum()):  # which is faster than to look for NaN
            return csr
    keep = ~np.isnan(csr.data)
    if keep.all():
        return csr
    rows = np.repeat(np.arange(csr.shape[0]), np.diff(csr.indptr))
    if not absent_missing:
        e = int(np.argmin(keep))
        raise BadEntry(
            "{entry} is NaN in a sparse matrix whose absent entries are zeros",
            "give a dense array, or {absent} if absent entries are missing",
            entry=Entry(int(rows[e]), int(csr.indices[e])),
            absent=Setting("missing", "absent"),
        )
    return sp.csr_array((csr.data[keep], (rows[keep], csr.indices[keep])), shape=csr.shape)
