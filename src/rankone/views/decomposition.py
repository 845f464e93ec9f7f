"""The leading singular pairs of a matrix that is known by its products."""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np

from rankone.typing import FloatArray

#: If one side has no more lines, its Gram matrix is decomposed as a whole.
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

    def times(self, vectors: FloatArray) -> FloatArray:
        """Return the products with vectors of one value per column."""

    def transposed_times(self, vectors: FloatArray) -> FloatArray:
        """Return the products of the transpose with vectors of one value per row."""


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


def leading_pairs(matrix: Operator, number: int) -> Pairs:
    """Return the leading singular pairs: at most so many, without those that are rounding.

    Of a matrix with a short side, they are those of its Gram matrix; otherwise a subspace that
    starts from fixed random vectors is multiplied by the matrix from both sides (Halko, Martinsson
    and Tropp 2011).
    """
    m, n = matrix.shape
    if min(m, n) <= max(SMALL, number + MORE):
        right = _by_gram(matrix)
    else:
        right = _by_subspace(matrix, number)
    products = matrix.times(right)
    left, values, turn = np.linalg.svd(products, full_matrices=False)
    kept = min(number, int((values > ROUNDING * values[:1]).sum()))
    return Pairs(left[:, :kept], values[:kept], right @ turn[:kept].T)


def _by_gram(matrix: Operator) -> FloatArray:
    """Return an orthonormal basis of the space of rows."""
    m, n = matrix.shape
    if n <= m:
        return np.eye(n)
    return np.linalg.qr(matrix.transposed_times(np.eye(m)))[0]


def _by_subspace(matrix: Operator, number: int) -> FloatArray:
    """Return an orthonormal basis of a space that holds the leading right vectors."""
    start = np.random.default_rng(0).normal(size=(matrix.shape[1], number + MORE))
    basis = np.linalg.qr(start)[0]
    for _ in range(ROUNDS):
        left = np.linalg.qr(matrix.times(basis))[0]
        basis = np.linalg.qr(matrix.transposed_times(left))[0]
    return basis
