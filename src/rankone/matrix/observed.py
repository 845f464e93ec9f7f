"""Which entries of a matrix exist: all, those of packed bits, or those of a sparse pattern."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from rankone.matrix import _sweeps
from rankone.matrix.base import Observed
from rankone.typing import FloatArray, IntArray


class Everything(Observed):
    """M = 1 1^T: nothing is missing."""

    def __init__(self, shape: tuple[int, int]):
        self.shape = shape

    def dot(self, v: FloatArray) -> FloatArray:
        """Return M v, which is the sum of v in all places."""
        return np.full((self.shape[0], *v.shape[1:]), v.sum(axis=0))

    def dot_transposed(self, u: FloatArray) -> FloatArray:
        """Return M^T u."""
        return np.full((self.shape[1], *u.shape[1:]), u.sum(axis=0))

    def between(self, rows: IntArray, columns: IntArray, n_groups: int) -> Any:
        """Return which groups of rows meet which groups of columns."""
        meets = np.outer(np.isin(range(n_groups), rows), np.isin(range(n_groups), columns))
        return sp.csr_array(meets)

    def n_components(self) -> int:
        """Return into how many sets the entries fall."""
        return 1

    def within(self, rows: IntArray, columns: IntArray) -> Observed:
        """Return the entries inside of groups."""
        bits = np.full((self.shape[0], -(-self.shape[1] // 8)), 255, np.uint8)
        return PackedBits(bits, self.shape[1]).within(rows, columns)


class PackedBits(Observed):
    """M in packed bits, 1/64 of the memory of the matrix, rows padded to whole bytes."""

    def __init__(self, bits: npt.NDArray[np.uint8], n: int):
        self.bits = bits
        self.shape = (bits.shape[0], n)

    def dot(self, v: FloatArray) -> FloatArray:
        """Return M v."""
        return _each(lambda v: _sweeps.packed_dot(self.bits, v), v)

    def dot_transposed(self, u: FloatArray) -> FloatArray:
        """Return M^T u."""
        return _each(lambda u: _sweeps.packed_dot_transposed(self.bits, u, self.shape[1]), u)

    def between(self, rows: IntArray, columns: IntArray, n_groups: int) -> Any:
        """Return which groups of rows meet which groups of columns."""
        meets = []
        for group in range(n_groups):
            some = np.bitwise_or.reduce(self.bits[rows == group], axis=0)
            seen = columns[np.unpackbits(some, count=self.shape[1], bitorder="little") == 1]
            met = np.unique(seen[seen >= 0])
            meets.append(
                sp.coo_array((np.ones(met.size), (np.zeros_like(met), met)), (1, n_groups))
            )
        return sp.vstack(meets, format="csr")

    def n_components(self) -> int:
        """Return into how many sets the entries fall."""
        return np.unique(_sweeps.join_packed(self.bits, self.shape[1])).size

    def within(self, rows: IntArray, columns: IntArray) -> Observed:
        """Return the entries inside of groups."""
        bits = np.zeros_like(self.bits)
        for group in np.unique(rows[rows >= 0]):
            members = np.packbits(columns == group, bitorder="little")
            bits[rows == group] = self.bits[rows == group] & members
        return PackedBits(bits, self.shape[1])


class Pattern(Observed):
    """M as the places that a sparse matrix stores, row by row."""

    def __init__(self, indices: IntArray, indptr: IntArray, n: int):
        self.indices, self.indptr = indices, indptr
        self.shape = (indptr.size - 1, n)

    def dot(self, v: FloatArray) -> FloatArray:
        """Return M v."""
        return _each(lambda v: _sweeps.pattern_dot(self.indices, self.indptr, v), v)

    def dot_transposed(self, u: FloatArray) -> FloatArray:
        """Return M^T u."""
        return _each(
            lambda u: _sweeps.pattern_dot_transposed(self.indices, self.indptr, u, self.shape[1]), u
        )

    def between(self, rows: IntArray, columns: IntArray, n_groups: int) -> Any:
        """Return which groups of rows meet which groups of columns."""
        i, j = np.repeat(rows, np.diff(self.indptr).astype(np.int64)), columns[self.indices]
        both = (i >= 0) & (j >= 0)
        i, j = i[both], j[both]
        return sp.coo_array((np.ones(i.size), (i, j)), (n_groups, n_groups)).tocsr()

    def n_components(self) -> int:
        """Return into how many sets the entries fall."""
        everywhere = np.broadcast_to(np.int8(1), self.indices.size)
        roots = _sweeps.join_sparse(everywhere, self.indices, self.indptr, self.shape[1])
        return np.unique(roots).size

    def within(self, rows: IntArray, columns: IntArray) -> Observed:
        """Return the entries inside of groups."""
        i, j = np.repeat(rows, np.diff(self.indptr).astype(np.int64)), columns[self.indices]
        keep = (i == j) & (i >= 0)
        indptr = np.concatenate([[0], np.cumsum(keep)])[self.indptr]
        return Pattern(self.indices[keep], indptr.astype(self.indptr.dtype), self.shape[1])


def _each(product: Callable[[FloatArray], FloatArray], vectors: FloatArray) -> FloatArray:
    """Return the product with a vector, or with each column of a matrix."""
    if vectors.ndim == 1:
        return product(vectors)
    columns = (np.ascontiguousarray(vectors[:, c]) for c in range(vectors.shape[1]))
    return np.column_stack([product(column) for column in columns])
