"""The leading singular pairs of a matrix that is known by its products.

A round of the Krylov space multiplies a block of vectors by the matrix and back by its transpose.
Both products are made in one sweep where tiles hold whole rows, and both are kept: they give the
scores of rows and of columns without another sweep.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np
from scipy.linalg import svd

from rankone.typing import FloatArray

__all__ = ["Operator", "Pairs", "Space", "is_short", "krylov", "leading_pairs", "pairs_within"]

#: If one side has no more lines, a matrix of no more entries is decomposed as a whole.
SMALL, LARGEST = 256, 2**25

#: Vectors that are multiplied at once; how many rounds of that there are, and how many pairs of
#: those asked for take one more.
BLOCK, ROUNDS, PAIRS_PER_ROUND = 16, 4, 20

#: Singular values below this share of the largest are rounding.
ROUNDING = 1e-7


class Operator(Protocol):
    """A matrix that is known by its products with several vectors at once."""

    @property
    def shape(self) -> tuple[int, int]:
        """The numbers of rows and columns."""

    @property
    def T(self) -> Operator:
        """The transpose."""

    @property
    def whole_rows(self) -> bool:
        """Whether `there_and_back` takes one sweep; if not, that of the transpose does."""

    def times(self, vectors: FloatArray) -> FloatArray:
        """Return the products with vectors of one value per column."""

    def there_and_back(self, vectors: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the products B V, and B^T B V."""


class Pairs(NamedTuple):
    """Singular pairs, in descending order of their values.

    Attributes
    ----------
    left : ndarray of shape (m, r)
    values : ndarray of shape (r,)
    right : ndarray of shape (n, r)
    row_scores : ndarray of shape (m, r)
        The products of the matrix with the right vectors.
    column_scores : ndarray of shape (n, r)
        The products of its transpose with the left vectors; nearly the right vectors times the
        values, but pairs are not quite exact.
    """

    left: FloatArray
    values: FloatArray
    right: FloatArray
    row_scores: FloatArray
    column_scores: FloatArray

    @property
    def T(self) -> Pairs:
        """The pairs of the transpose."""
        return Pairs(self.right, self.values, self.left, self.column_scores, self.row_scores)


class Space(NamedTuple):
    """A space of right vectors, and what a matrix B makes of it.

    Attributes
    ----------
    basis : ndarray of shape (n, d)
        Q, orthonormal.
    there : ndarray of shape (m, d)
        B Q.
    back : ndarray of shape (n, d)
        B^T B Q.
    """

    basis: FloatArray
    there: FloatArray
    back: FloatArray

    def gram(self) -> FloatArray:
        """Return Q^T B^T B Q, by the shorter of two products."""
        if self.there.shape[0] <= self.back.shape[0]:
            return np.asarray(self.there.T @ self.there)
        product = self.basis.T @ self.back
        return np.asarray((product + product.T) / 2)


def leading_pairs(matrix: Operator, number: int, rounding: float = 0.0) -> Pairs:
    """Return the leading singular pairs: at most so many, without those that are rounding.

    Of a matrix with a short side, they are exact; otherwise they are those within a Krylov space
    that starts from fixed random vectors (Musco and Musco 2015). Its dimension is about three times
    the number of pairs, because real spectra decay slowly.

    Parameters
    ----------
    matrix : Operator
    number : int
    rounding : float
        The largest singular value that may come from rounding alone.
    """
    m, n = matrix.shape
    if is_short(matrix.shape, number):
        if m < n:
            return leading_pairs(matrix.T, number, rounding).T
        return _exact_pairs(matrix.times(np.eye(n)), number, rounding)
    other = matrix.T
    if not matrix.whole_rows or (m < n and other.whole_rows):
        return pairs_within(krylov(other, number), number, rounding).T
    return pairs_within(krylov(matrix, number), number, rounding)


def is_short(shape: tuple[int, int], number: int) -> bool:
    """Say whether a matrix has so short a side that it is decomposed as a whole."""
    m, n = shape
    return min(m, n) <= _n_rounds(number) * BLOCK or (min(m, n) <= SMALL and m * n <= LARGEST)


def _n_rounds(number: int) -> int:
    return ROUNDS + -(-number // PAIRS_PER_ROUND)


def _exact_pairs(matrix: FloatArray, number: int, rounding: float) -> Pairs:
    """Return the pairs of a matrix with no more columns than rows, in memory."""
    values, turn = _values_and_vectors(np.asarray(np.linalg.qr(matrix, mode="r")))
    right, values = _kept(values, turn.T, number, rounding)
    scores = matrix @ right
    left = scores / values
    return Pairs(left, values, right, scores, matrix.T @ left)


def pairs_within(space: Space, number: int, rounding: float = 0.0) -> Pairs:
    """Return the singular pairs of a matrix within a space of right vectors."""
    squares, vectors = np.linalg.eigh(space.gram())
    values = np.sqrt(np.maximum(squares[::-1], 0.0))
    turn, values = _kept(values, vectors[:, ::-1], number, rounding)
    scores = space.there @ turn
    return Pairs(scores / values, values, space.basis @ turn, scores, space.back @ turn / values)


def _kept(
    values: FloatArray, vectors: FloatArray, number: int, rounding: float
) -> tuple[FloatArray, FloatArray]:
    """Return the first vectors and values that are more than rounding."""
    real = values > np.maximum(rounding, ROUNDING * values[:1])
    return vectors[:, real][:, :number], values[real][:number]


def _values_and_vectors(triangle: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the singular values and right vectors of a small matrix.

    LAPACK's faster algorithm does not converge for some matrices with tiny entries.
    """
    try:
        _, values, vectors = np.linalg.svd(triangle, full_matrices=False)
    except np.linalg.LinAlgError:
        _, values, vectors = svd(triangle, full_matrices=False, lapack_driver="gesvd")
    return values, vectors


def krylov(matrix: Operator, number: int, start: FloatArray | None = None) -> Space:
    """Return the Krylov space in which so many pairs are looked for.

    Parameters
    ----------
    matrix : Operator
    number : int
    start : ndarray of shape (n, s), optional
        Vectors that the space contains; random ones fill the first block.
    """
    m, n = matrix.shape
    size = _n_rounds(number) * BLOCK
    space = Space(np.empty((n, size)), np.empty((m, size)), np.empty((n, size)))
    vectors = np.random.default_rng(0).normal(size=(n, BLOCK))
    if start is not None:
        vectors[:, : start.shape[1]] = start
    for first in range(0, size, BLOCK):
        earlier, block = space.basis[:, :first], slice(first, first + BLOCK)
        for _ in range(2):  # once is not enough for vectors that lie almost within the space
            vectors = np.linalg.qr(vectors - earlier @ (earlier.T @ vectors))[0]
        space.basis[:, block] = vectors
        space.there[:, block], vectors = matrix.there_and_back(vectors)
        space.back[:, block] = vectors
    return space
