"""The leading singular pairs of a matrix that is known by its products."""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np
from scipy.linalg import svd

from rankone.typing import FloatArray

__all__ = ["Operator", "Pairs", "leading_pairs"]

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

    def times(self, vectors: FloatArray) -> FloatArray:
        """Return the products with vectors of one value per column."""


class Pairs(NamedTuple):
    """Singular pairs, in descending order of their values.

    Attributes
    ----------
    left : ndarray of shape (m, r)
    values : ndarray of shape (r,)
    right : ndarray of shape (n, r)
    """

    left: FloatArray
    values: FloatArray
    right: FloatArray


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
    if m < n:
        right, values, left = leading_pairs(matrix.T, number, rounding)
        return Pairs(left, values, right)
    n_rounds = ROUNDS + -(-number // PAIRS_PER_ROUND)
    if n <= n_rounds * BLOCK or (n <= SMALL and m * n <= LARGEST):
        basis = np.eye(n)
        products = matrix.times(basis)
        values, turn = _values_and_vectors(np.asarray(np.linalg.qr(products, mode="r")))
    else:
        basis, products = _krylov(matrix, n_rounds)
        squares, vectors = np.linalg.eigh(products.T @ products)
        values, turn = np.sqrt(np.maximum(squares[::-1], 0.0)), vectors.T[::-1]
    real = values > np.maximum(rounding, ROUNDING * values[:1])
    turn, values = turn[real][:number].T, values[real][:number]
    return Pairs(products @ turn / values, values, basis @ turn)


def _values_and_vectors(triangle: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the singular values and right vectors of a small matrix.

    LAPACK's faster algorithm does not converge for some matrices with tiny entries.
    """
    try:
        _, values, vectors = np.linalg.svd(triangle, full_matrices=False)
    except np.linalg.LinAlgError:
        _, values, vectors = svd(triangle, full_matrices=False, lapack_driver="gesvd")
    return values, vectors


def _krylov(matrix: Operator, n_rounds: int) -> tuple[FloatArray, FloatArray]:
    """Return an orthonormal basis of a Krylov space of right vectors, and the products with it."""
    m, n = matrix.shape
    basis, products = np.empty((n, n_rounds * BLOCK)), np.empty((m, n_rounds * BLOCK))
    vectors = np.random.default_rng(0).normal(size=(n, BLOCK))
    for start in range(0, n_rounds * BLOCK, BLOCK):
        earlier = basis[:, :start]
        if start > 0:
            vectors = matrix.T.times(products[:, start - BLOCK : start])
        for _ in range(2):  # once is not enough for vectors that lie almost within the space
            vectors = np.linalg.qr(vectors - earlier @ (earlier.T @ vectors))[0]
        basis[:, start : start + BLOCK] = vectors
        products[:, start : start + BLOCK] = matrix.times(vectors)
    return basis, products
