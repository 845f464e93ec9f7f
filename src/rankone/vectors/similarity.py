"""Similarities of the rows of a matrix: written out, or as products with the matrix itself."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.neighbors import kneighbors_graph

from rankone._arithmetic import ratio
from rankone._memory import check_memory
from rankone.matrix import Matrix
from rankone.progress import Callback
from rankone.typing import FloatArray
from rankone.vectors._singular import leading_eigenvectors, singular_pairs


@dataclass(frozen=True)
class Spectrum:
    """The two leading eigenvectors of a scaled similarity, and how they were got."""

    values: FloatArray
    vectors: FloatArray
    n_iter: int
    converged: bool


class Similarity(ABC):
    """A symmetric matrix S of similarities, not negative, known by its products."""

    size: int

    @abstractmethod
    def dot(self, x: FloatArray) -> FloatArray:
        """Return S x."""

    @abstractmethod
    def spectrum(self, weights: FloatArray, tol: float, callback: Callback) -> Spectrum:
        """Return the two leading eigenvectors of diag(weights) S diag(weights)."""

    @abstractmethod
    def n_components(self) -> int:
        """Return into how many components the graph of S falls."""


class Gram(Similarity):
    """S = B B^T with B = diag(scale) A, never formed: two products with A take the place of one."""

    def __init__(self, matrix: Matrix, scale: FloatArray):
        self.matrix, self.scale, self.size = matrix, scale, matrix.shape[0]

    def dot(self, x: FloatArray) -> FloatArray:
        """Return S x."""
        return self.scale * (self.matrix @ (self.matrix.T @ (self.scale * x)))

    def spectrum(self, weights: FloatArray, tol: float, callback: Callback) -> Spectrum:
        """Return the leading eigenvectors: left singular vectors of diag(weights) B."""
        ones = np.ones(self.matrix.shape[1])
        u, values, _, n_iter, converged = singular_pairs(
            self.matrix, 2, weights * self.scale, ones, tol, callback
        )
        return Spectrum(values**2, u, n_iter, converged)

    def n_components(self) -> int:
        """Return into how many components rows fall that share columns."""
        rows, _, n_groups = self.matrix.joined()
        return n_groups + int((rows < 0).sum())


class Explicit(Similarity):
    """S as an array, or as a sparse matrix."""

    def __init__(self, array: Any):
        self.array, self.size = array, array.shape[0]

    def dot(self, x: FloatArray) -> FloatArray:
        """Return S x."""
        product: FloatArray = self.array @ x
        return product

    def spectrum(self, weights: FloatArray, tol: float, callback: Callback) -> Spectrum:
        """Return the leading eigenvectors."""
        return Spectrum(
            *leading_eigenvectors(
                lambda x: weights * (self.array @ (weights * x)),
                self.size,
                min(2, self.size),
                tol,
                callback,
            )
        )

    def n_components(self) -> int:
        """Return into how many components the graph falls."""
        if sp.issparse(self.array):
            return int(connected_components(self.array, directed=False, return_labels=False))
        # Each row is looked at once, and none when all are reached.
        count, away = 0, np.ones(self.size, bool)
        while away.any():
            reached = [int(np.argmax(away))]
            away[reached] = False
            count += 1
            while reached and away.any():
                found = np.flatnonzero(away & (self.array[reached.pop()] > 0))
                away[found] = False
                reached.extend(found.tolist())
        return count


def similarity_of_rows(
    matrix: Matrix, kind: str, gamma: float | None, n_neighbors: int
) -> Similarity:
    """Return how similar the rows of a complete matrix are to each other."""
    m = matrix.shape[0]
    if kind == "linear":
        return Gram(matrix, np.ones(m))
    if kind == "cosine":
        return Gram(matrix, ratio(np.ones(m), np.sqrt(matrix.squares()[0])))
    if kind == "knn":
        # Each row is its own neighbour too, also where it has copies.
        k, itself = min(n_neighbors, m - 1), sp.eye_array(m, format="csr")
        if k == 0:
            return Explicit(itself)
        graph = kneighbors_graph(doubles(matrix), k, mode="connectivity", include_self=False)
        return Explicit(sp.csr_array((graph + graph.T) / 2) + itself)
    if kind == "rbf":
        check_memory(2, m, m, "similarity='rbf'", "use similarity='knn', 'cosine' or 'linear'")
        values = centred(matrix)
        return Explicit(rbf_kernel(values, gamma=gamma or default_gamma(values)))
    return Explicit(_checked_symmetric(doubles(matrix)))


def doubles(matrix: Matrix) -> Any:
    """Return all entries as doubles: an array, or a sparse matrix."""
    return matrix.values().astype(np.float64)


def centred(matrix: Matrix) -> Any:
    """Return rows for distances: less their mean, which would cancel in these (if not sparse)."""
    values = doubles(matrix)
    if not sp.issparse(values):
        values -= matrix.totals.columns / matrix.shape[0]
    return values


def default_gamma(values: Any) -> float:
    """Return one over the mean squared distance between two rows."""
    squares = float((values * values).sum()) / values.shape[0]
    mean = np.asarray(values.sum(axis=0)) / values.shape[0]
    spread = 2.0 * (squares - float(mean @ mean))
    return 1.0 / spread if spread > 0 else 1.0


def _checked_symmetric(array: Any) -> Any:
    difference = abs(array - array.T).max()
    if difference > 1e-8 * abs(array).max():
        raise ValueError(
            "similarity='precomputed' needs a symmetric matrix, but X and its transpose differ by "
            f"{difference:g}; give (X + X.T) / 2, or similarity='bipartite'."
        )
    return array
