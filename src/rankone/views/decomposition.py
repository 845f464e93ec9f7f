"""The leading singular pairs of a matrix that is known by its products."""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np
from scipy.linalg import svd

from rankone.typing import FloatArray

__all__ = ["Operator", "Pairs", "leading_pairs"]

#: If one side has no more lines, the matrix is decomposed as a whole.
SMALL = 256

#: Vectors beyond those asked for, and how often the subspace is multiplied from both sides.
MORE, ROUNDS = 10, 4

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

    Of a matrix with a short side, they are exact; otherwise they are those within a subspace that
    starts from fixed random vectors and is multiplied by the matrix from both sides (Halko,
    Martinsson and Tropp 2011).

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
    basis = np.eye(n) if n <= max(SMALL, number + MORE) else _subspace(matrix, number + MORE)
    products = matrix.times(basis)
    values, turn = _values_and_vectors(np.asarray(np.linalg.qr(products, mode="r")))
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


def _subspace(matrix: Operator, size: int) -> FloatArray:
    """Return an orthonormal basis of a space that holds the leading right vectors."""
    start = np.random.default_rng(0).normal(size=(matrix.shape[1], size))
    basis = np.linalg.qr(start)[0]
    for _ in range(ROUNDS):
        basis = np.linalg.qr(matrix.T.times(matrix.times(basis)))[0]
    return basis
