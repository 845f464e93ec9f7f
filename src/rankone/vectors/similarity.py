"""Similarities of the rows of a matrix, stored or computed by products with the matrix."""

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
from rankone.errors import Input, InputError, Setting
from rankone.matrix import Matrix
from rankone.progress import Callback
from rankone.typing import FloatArray
from rankone.vectors._singular import leading_eigenvectors, singular_pairs


@dataclass(frozen=True)
class Spectrum:
    """The two leading eigenpairs of a scaled similarity matrix, and how they were computed."""

    values: FloatArray
    vectors: FloatArray
    n_iter: int
    converged: bool


class Similarity(ABC):
    """A symmetric nonnegative similarity matrix S, known by its products."""

    size: int

    @abstractmethod
    def dot(self, x: FloatArray) -> FloatArray:
        """Return S x."""

    @abstractmethod
    def spectrum(self, weights: FloatArray, tol: float, callback: Callback) -> Spectrum:
        """Return the two leading eigenvectors of diag(weights) S diag(weights)."""

    @abstractmethod
    def n_components(self) -> int:
        """Return the number of connected components of the graph of S."""


class Gram(Similarity):
    """S = B B^T with B = diag(scale) A; instead of forming S, multiply by A twice."""

    def __init__(self, matrix: Matrix, scale: FloatArray):
        self.matrix, self.scale, self.size = matrix, scale, matrix.shape[0]

    def dot(self, x: FloatArray) -> FloatArray:
        """Return S x."""
        return self.scale * (self.matrix @ (self.matrix.T @ (self.scale * x)))

    def spectrum(self, weights: FloatArray, tol: float, callback: Callback) -> Spectrum:
        """Return the leading eigenvectors, the left singular vectors of diag(weights) B."""
        ones = np.ones(self.matrix.shape[1])
        u, values, _, n_iter, converged = singular_pairs(
            self.matrix, 2, weights * self.scale, ones, tol, callback
        )
        return Spectrum(values**2, u, n_iter, converged)

    def n_components(self) -> int:
        """Return the number of components of the graph in which rows that share a column meet."""
        rows, _, n_groups = self.matrix.joined()
        return n_groups + int((rows < 0).sum())


class Explicit(Similarity):
    """S stored as an array or a sparse matrix."""

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
        """Return the number of connected components of the graph."""
        if sp.issparse(self.array):
            return int(connected_components(self.array, directed=False, return_labels=False))
        # Each row is scanned at most once, and the search ends as soon as all rows are reached.
        n_components, unreached = 0, np.ones(self.size, bool)
        while unreached.any():
            to_scan = [int(np.argmax(unreached))]
            unreached[to_scan] = False
            n_components += 1
            while to_scan and unreached.any():
                neighbours = np.flatnonzero(unreached & (self.array[to_scan.pop()] > 0))
                unreached[neighbours] = False
                to_scan.extend(neighbours.tolist())
        return n_components


def similarity_of_rows(
    matrix: Matrix, kind: str, gamma: float | None, n_neighbors: int
) -> Similarity:
    """Return the similarity matrix of the rows of a complete matrix."""
    m = matrix.shape[0]
    if kind == "linear":
        return Gram(matrix, np.ones(m))
    if kind == "cosine":
        return Gram(matrix, ratio(np.ones(m), np.sqrt(matrix.census.row_squares)))
    if kind == "knn":
        # Each row is also its own neighbour, even if other rows equal it.
        k, identity = min(n_neighbors, m - 1), sp.eye_array(m, format="csr")
        if k == 0:
            return Explicit(identity)
        graph = kneighbors_graph(doubles(matrix), k, mode="connectivity", include_self=False)
        return Explicit(sp.csr_array((graph + graph.T) / 2) + identity)
    if kind == "rbf":
        check_memory(2, m, m, "similarity='rbf'", "use similarity='knn', 'cosine' or 'linear'")
        values = centred(matrix)
        return Explicit(rbf_kernel(values, gamma=gamma or default_gamma(values)))
    return Explicit(_check_symmetric(doubles(matrix)))


def doubles(matrix: Matrix) -> Any:
    """Return all entries as doubles, in an array or a sparse matrix."""
    return matrix.values().astype(np.float64)


def centred(matrix: Matrix) -> Any:
    """Return the rows of a dense matrix minus their mean, which improves the accuracy of distances.

    A sparse matrix is not centred, to keep it sparse.
    """
    values = doubles(matrix)
    if not sp.issparse(values):
        values -= matrix.totals.columns / matrix.shape[0]
    return values


def default_gamma(values: Any) -> float:
    """Return one over the mean squared distance between rows."""
    squares = float((values * values).sum()) / values.shape[0]
    mean = np.asarray(values.sum(axis=0)) / values.shape[0]
    spread = 2.0 * (squares - float(mean @ mean))
    return 1.0 / spread if spread > 0 else 1.0


def _check_symmetric(array: Any) -> Any:
    """Return a matrix, or raise a ValueError if it is not symmetric."""
    difference = abs(array - array.T).max()
    if difference > 1e-8 * abs(array).max():
        raise InputError(
            f"{{precomputed}} needs a symmetric matrix, but {{X}} and its transpose differ by "
            f"{difference:g}",
            "pass (X + X.T) / 2, or use {bipartite}",
            X=Input(),
            precomputed=Setting("similarity", "precomputed", of="vectors"),
            bipartite=Setting("similarity", "bipartite", of="vectors"),
        )
    return array
