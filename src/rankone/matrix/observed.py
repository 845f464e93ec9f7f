"""Which entries of a matrix are observed: all, those of packed bits, or those of a pattern."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from rankone.matrix import _joins, _sweeps
from rankone.matrix.linear import Linear
from rankone.typing import FloatArray, IntArray


class Observed(Linear):
    """A matrix M of zeros and ones; the ones are the entries of another matrix that are observed.

    Groups of rows and columns are given by one number per row and per column, from 0; rows and
    columns numbered -1 belong to no group.
    """

    @property
    def T(self) -> Observed:
        """The transpose, without a copy."""
        return TransposedObserved(self)

    @abstractmethod
    def between(self, rows: IntArray, columns: IntArray, n_groups: int) -> Any:
        """Return a sparse matrix whose entry (g, h) is not zero if a one joins groups g and h.

        The row of the one is in group g, its column in group h.
        """

    @abstractmethod
    def within(self, rows: IntArray, columns: IntArray) -> Observed:
        """Return M without the ones whose row and column are in different groups."""

    @abstractmethod
    def joined(self) -> tuple[IntArray, IntArray, int]:
        """Return the groups of rows and columns that ones join, and the number of groups.

        Rows and columns without a one are in group -1.
        """

    def n_components(self) -> int:
        """Return the number of sets of columns that share no row."""
        _, columns, n_groups = self.joined()
        return n_groups + int((columns < 0).sum())


class Everything(Observed):
    """M = 1 1^T: nothing is missing."""

    def __init__(self, shape: tuple[int, int]):
        self.shape = shape

    def dot(self, v: FloatArray) -> FloatArray:
        """Return M v: the sum of v, once per row."""
        return np.full((self.shape[0], *v.shape[1:]), v.sum(axis=0))

    def dot_transposed(self, u: FloatArray) -> FloatArray:
        """Return M^T u."""
        return np.full((self.shape[1], *u.shape[1:]), u.sum(axis=0))

    def between(self, rows: IntArray, columns: IntArray, n_groups: int) -> Any:
        """Return which groups of rows meet which groups of columns: all of them."""
        meets = np.outer(np.isin(range(n_groups), rows), np.isin(range(n_groups), columns))
        return sp.csr_array(meets)

    def within(self, rows: IntArray, columns: IntArray) -> Observed:
        """Return the ones within groups."""
        bits = np.full((self.shape[0], -(-self.shape[1] // 8)), 255, np.uint8)
        return PackedBits(bits, self.shape[1]).within(rows, columns)

    def joined(self) -> tuple[IntArray, IntArray, int]:
        """Return one group of all rows and columns."""
        return np.zeros(self.shape[0], np.intp), np.zeros(self.shape[1], np.intp), 1


class PackedBits(Observed):
    """M as packed bits, 1/64 of the memory of the matrix, with rows padded to whole bytes."""

    def __init__(self, bits: npt.NDArray[np.uint8], n: int):
        self.bits = bits
        self.shape = (bits.shape[0], n)

    def dot(self, v: FloatArray) -> FloatArray:
        """Return M v."""
        return _each(lambda v: _sweeps.packed_dot(self.bits, v), v, self.shape[0])

    def dot_transposed(self, u: FloatArray) -> FloatArray:
        """Return M^T u."""
        n = self.shape[1]
        return _each(lambda u: _sweeps.packed_dot_transposed(self.bits, u, n), u, n)

    def between(self, rows: IntArray, columns: IntArray, n_groups: int) -> Any:
        """Return which groups of rows meet which groups of columns."""
        meets = []
        for group in range(n_groups):
            met = columns[self._any_of(rows == group)]
            met = np.unique(met[met >= 0])
            meets.append(
                sp.coo_array((np.ones(met.size), (np.zeros_like(met), met)), (1, n_groups))
            )
        return sp.vstack(meets, format="csr")

    def _any_of(self, rows: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
        """Return which columns have a one in the given rows."""
        bits = np.bitwise_or.reduce(self.bits[rows], axis=0)
        return np.unpackbits(bits, count=self.shape[1], bitorder="little") == 1

    def within(self, rows: IntArray, columns: IntArray) -> Observed:
        """Return the ones within groups."""
        bits = np.zeros_like(self.bits)
        for group in np.unique(rows[rows >= 0]):
            members = np.packbits(columns == group, bitorder="little")
            bits[rows == group] = self.bits[rows == group] & members
        return PackedBits(bits, self.shape[1])

    def joined(self) -> tuple[IntArray, IntArray, int]:
        """Return the groups of rows and columns that ones join."""
        m, n = self.shape
        roots = _joins.join_packed(self.bits, n)
        has_one = self.bits.any(axis=1)
        bits = self.bits[has_one]
        first_byte = (bits != 0).argmax(axis=1)
        bytes_ = bits[np.arange(first_byte.size), first_byte][:, None]
        first_bit = np.unpackbits(bytes_, axis=1, bitorder="little").argmax(axis=1)
        first_column = np.full(m, -1)
        first_column[has_one] = 8 * first_byte + first_bit
        return _numbered(roots, first_column, self._any_of(np.ones(m, np.bool_)))


class Pattern(Observed):
    """M as the positions that a sparse matrix stores, row by row."""

    def __init__(self, indices: IntArray, indptr: IntArray, n: int):
        self.indices, self.indptr = indices, indptr
        self.shape = (indptr.size - 1, n)

    def dot(self, v: FloatArray) -> FloatArray:
        """Return M v."""
        m = self.shape[0]
        return _each(lambda v: _sweeps.pattern_dot(self.indices, self.indptr, v), v, m)

    def dot_transposed(self, u: FloatArray) -> FloatArray:
        """Return M^T u."""
        arrays, n = (self.indices, self.indptr), self.shape[1]
        return _each(lambda u: _sweeps.pattern_dot_transposed(*arrays, u, n), u, n)

    def where(self, keep: npt.NDArray[np.bool_]) -> Pattern:
        """Return the pattern of some of the positions."""
        if keep.all():
            return self
        indptr = np.concatenate([[0], np.cumsum(keep)])[self.indptr]
        return Pattern(self.indices[keep], indptr.astype(self.indptr.dtype), self.shape[1])

    def _groups(self, rows: IntArray, columns: IntArray) -> tuple[IntArray, IntArray]:
        """Return the group of the row, and that of the column, of each position."""
        return np.repeat(rows, np.diff(self.indptr).astype(np.int64)), columns[self.indices]

    def between(self, rows: IntArray, columns: IntArray, n_groups: int) -> Any:
        """Return which groups of rows meet which groups of columns."""
        i, j = self._groups(rows, columns)
        grouped = (i >= 0) & (j >= 0)
        i, j = i[grouped], j[grouped]
        return sp.coo_array((np.ones(i.size), (i, j)), (n_groups, n_groups)).tocsr()

    def within(self, rows: IntArray, columns: IntArray) -> Observed:
        """Return the ones within groups."""
        i, j = self._groups(rows, columns)
        return self.where((i == j) & (i >= 0))

    def joined(self) -> tuple[IntArray, IntArray, int]:
        """Return the groups of rows and columns that ones join."""
        m, n = self.shape
        roots = _joins.join_pattern(self.indices, self.indptr, n)
        has_one = self.indptr[1:] > self.indptr[:-1]
        first_column = np.full(m, -1)
        first_column[has_one] = self.indices[self.indptr[:-1][has_one]]
        seen = np.zeros(n, np.bool_)
        seen[self.indices] = True
        return _numbered(roots, first_column, seen)


class TransposedObserved(Observed):
    """The transpose of a matrix of zeros and ones."""

    def __init__(self, base: Observed):
        self.base, self.shape = base, (base.shape[1], base.shape[0])

    @property
    def T(self) -> Observed:
        """The matrix that this is the transpose of."""
        return self.base

    def dot(self, v: FloatArray) -> FloatArray:
        """Return the product with a vector."""
        return self.base.dot_transposed(v)

    def dot_transposed(self, u: FloatArray) -> FloatArray:
        """Return the product of the transpose with a vector."""
        return self.base.dot(u)

    def between(self, rows: IntArray, columns: IntArray, n_groups: int) -> Any:
        """Return which groups of rows meet which groups of columns."""
        return self.base.between(columns, rows, n_groups).T

    def within(self, rows: IntArray, columns: IntArray) -> Observed:
        """Return the ones within groups."""
        return self.base.within(columns, rows).T

    def joined(self) -> tuple[IntArray, IntArray, int]:
        """Return the groups of rows and columns that ones join."""
        rows, columns, n_groups = self.base.joined()
        return columns, rows, n_groups


def _numbered(
    roots: IntArray, first_column: IntArray, seen: npt.NDArray[np.bool_]
) -> tuple[IntArray, IntArray, int]:
    """Return roots as numbers from 0; those of rows are those of their first column."""
    names, numbers = np.unique(roots[seen], return_inverse=True)
    columns = np.full(roots.size, -1)
    columns[seen] = numbers
    rows = np.where(first_column >= 0, columns[first_column], -1)
    return rows, columns, int(names.size)


def _each(
    product: Callable[[FloatArray], FloatArray], vectors: FloatArray, size: int
) -> FloatArray:
    """Return the product of the given size with a vector, or with each column of a matrix."""
    if vectors.ndim == 1:
        return product(vectors)
    products = np.empty((size, vectors.shape[1]))
    for c in range(vectors.shape[1]):
        products[:, c] = product(np.ascontiguousarray(vectors[:, c]))
    return products
