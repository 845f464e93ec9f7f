"""The Fiedler vectors of the rows and the columns."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rankone._arithmetic import ratio
from rankone._warnings import warn
from rankone.checks import check_choice, check_number, check_positive, check_whole
from rankone.errors import InputError, Setting, Worded
from rankone.matrix import Matrix
from rankone.progress import Callback
from rankone.typing import FloatArray
from rankone.vectors._doubly_stochastic import scale_both, scale_symmetric
from rankone.vectors._singular import singular_pairs
from rankone.vectors.base import Capabilities, VectorMethod, Vectors
from rankone.vectors.scales import fix_sign
from rankone.vectors.similarity import similarity_of_rows

SIMILARITIES = ("rbf", "cosine", "linear", "knn", "bipartite", "precomputed")

#: Similarities suited to sparse data. Without regularisation, their second eigenvector is often
#: concentrated on a few rows.
REGULARIZED = ("bipartite", "cosine", "linear")


class DisconnectedGraphWarning(UserWarning):
    """Issued when a graph is disconnected: its Fiedler vector only separates the components."""


@dataclass(frozen=True, eq=False)
class FiedlerVectors(Vectors):
    """Vectors of unit norm, and the second eigenvalue of the Laplacian of each side.

    Attributes
    ----------
    row_eigenvalue, column_eigenvalue : float
    n_row_components, n_column_components : int
        The number of connected components of the graph of rows and of the graph of columns; for
        "bipartite", both refer to the single graph of rows and columns.
    """

    row_eigenvalue: float = 0.0
    column_eigenvalue: float = 0.0
    n_row_components: int = 1
    n_column_components: int = 1


@dataclass(frozen=True)
class _Side:
    vector: FloatArray
    eigenvalue: float
    n_components: int
    n_iter: int
    converged: bool


class Fiedler(VectorMethod):
    r"""The second eigenvector of the normalised graph Laplacian of the rows and of the columns.

    .. math:: L u = \lambda_2 u, \qquad L = I - D^{-1/2} S D^{-1/2}, \qquad D_{ii} = \sum_j S_{ij}

    where S is the similarity matrix of the rows or, for the column vector, of the columns. With
    ``doubly_stochastic=True``, S is first scaled to diag(w) S diag(w) with row sums of one, so that
    D is the identity: the paper's *Fiedler DS*. The objective is the sum of the two eigenvalues.

    Parameters
    ----------
    similarity : {"rbf", "cosine", "linear", "knn", "bipartite", "precomputed"}
        - "linear": :math:`S = A A^T`. "cosine": the same after scaling rows to unit length. S is
          never formed.
        - "bipartite": rows and columns are the nodes of one graph with edge weights A; the vectors
          are the second singular pair of :math:`D_r^{-1/2} A D_c^{-1/2}`. Suited to
          document-term matrices.
        - "rbf": :math:`S_{ij} = \exp(-\gamma \|a_i - a_j\|^2)`, for up to a few thousand rows.
        - "knn": the graph of nearest neighbours.
        - "precomputed": A is S, the symmetric adjacency matrix of a graph, as the paper supposes
          of every square matrix; rows and columns share one vector. It must be asked for, because a
          square matrix need not be a graph: rows and columns of a table that happens to be square
          are different things.
    doubly_stochastic : bool
        Whether to scale S to be doubly stochastic.
    regularization : float or "auto"
        The multiple of the mean degree that is added to every degree. Without it, the second
        eigenvector of sparse data is often concentrated on a few nearly disconnected rows. "auto"
        means 1 for "bipartite", "cosine" and "linear" unless ``doubly_stochastic``, and 0
        otherwise.
    normalization : {"symmetric", "random-walk"}
        "symmetric" returns u, as in the paper; "random-walk" returns :math:`D^{-1/2} u`, the
        eigenvector of the random walk, which is closer to piecewise constant.
    gamma : float or None
        The parameter of "rbf"; None means one over the mean squared distance between rows.
    n_neighbors : int
        The number of neighbours for "knn".
    tol : float
        The relative accuracy of the eigenvalues and of the doubly stochastic scaling.
    max_iter : int
        The maximum number of sweeps of the doubly stochastic scaling.

    Examples
    --------
    >>> A = [[3, 3, 0, 0], [3, 4, 0, 1], [0, 0, 4, 3], [0, 1, 3, 3]]
    >>> Fiedler("bipartite").extract(A).row.round(2)
    array([-0.52, -0.49,  0.57,  0.4 ])
    """

    def __init__(
        self,
        similarity: str = "rbf",
        doubly_stochastic: bool = False,
        regularization: float | str = "auto",
        normalization: str = "symmetric",
        gamma: float | None = None,
        n_neighbors: int = 10,
        tol: float = 1e-10,
        max_iter: int = 1000,
    ):
        self.similarity = similarity
        self.doubly_stochastic = doubly_stochastic
        self.regularization = regularization
        self.normalization = normalization
        self.gamma = gamma
        self.n_neighbors = n_neighbors
        self.tol = tol
        self.max_iter = max_iter

    @property
    def capabilities(self) -> Capabilities:
        """Complete matrices are accepted; negative entries only if S is based on distances."""
        joint = self.similarity == "precomputed"
        return Capabilities(
            negative=self.similarity in ("rbf", "knn"), rectangular=not joint, joint=joint
        )

    def _check_parameters(self) -> None:
        check_choice(self.similarity, "similarity", SIMILARITIES)
        check_choice(self.normalization, "normalization", ("symmetric", "random-walk"))
        if self.regularization != "auto":
            tau = check_number(self.regularization, "regularization")  # type: ignore[arg-type]
            if tau and self.doubly_stochastic:
                raise InputError(
                    "{regularization} cannot be combined with {stochastic}, which leaves no "
                    "degrees to regularise",
                    "set only one of them",
                    regularization=Setting("regularization", of="vectors"),
                    stochastic=Setting("doubly_stochastic", True, of="vectors"),
                )
        if self.gamma is not None:
            check_positive(self.gamma, "gamma")
        check_whole(self.n_neighbors, "n_neighbors")
        check_positive(self.tol, "tol")
        check_whole(self.max_iter, "max_iter")

    def _extract(self, matrix: Matrix, callback: Callback) -> FiedlerVectors:
        if matrix.is_zero:  # all similarities are zero
            rows = _Side(np.zeros(matrix.shape[0]), 1.0, matrix.shape[0], 1, True)
            columns = _Side(np.zeros(matrix.shape[1]), 1.0, matrix.shape[1], 1, True)
        elif self.similarity == "bipartite":
            rows, columns = self._bipartite(matrix, callback)
        else:
            rows = columns = self._side(matrix, callback)
            if self.similarity != "precomputed":
                columns = self._side(matrix.T, callback)
        self._warn_if_disconnected(rows.n_components, columns.n_components)
        return FiedlerVectors(
            rows.vector,
            columns.vector,
            rows.n_iter + (columns.n_iter if columns is not rows else 0),
            rows.converged and columns.converged,
            lambda: rows.eigenvalue + columns.eigenvalue,
            row_eigenvalue=rows.eigenvalue,
            column_eigenvalue=columns.eigenvalue,
            n_row_components=rows.n_components,
            n_column_components=columns.n_components,
        )

    @property
    def _tau(self) -> float:
        if self.regularization != "auto":
            return float(self.regularization)
        return float(self.similarity in REGULARIZED and not self.doubly_stochastic)

    def _side(self, matrix: Matrix, callback: Callback) -> _Side:
        """Return the Fiedler vector of the rows."""
        similarity = similarity_of_rows(matrix, self.similarity, self.gamma, self.n_neighbors)
        if self.doubly_stochastic:
            weights, scaled = scale_symmetric(similarity, self.tol, self.max_iter)
        else:
            degrees = similarity.dot(np.ones(similarity.size))
            weights, scaled = self._inverse_roots(degrees), True
        spectrum = similarity.spectrum(weights, self.tol, callback)
        vector = _second(spectrum.vectors, self._trivial(weights))
        vector = self._finish(vector, weights)
        return _Side(
            fix_sign((vector, matrix.totals.rows)) * vector,
            max(0.0, 1.0 - float(spectrum.values[-1])),
            similarity.n_components(),
            spectrum.n_iter,
            spectrum.converged and scaled,
        )

    def _bipartite(self, matrix: Matrix, callback: Callback) -> tuple[_Side, _Side]:
        """Return the Fiedler vectors of the bipartite graph of rows and columns."""
        t = matrix.totals
        if self.doubly_stochastic:
            left, right, scaled = scale_both(matrix, self.tol, self.max_iter)
        else:
            left, right = self._inverse_roots(t.rows), self._inverse_roots(t.columns)
            scaled = True
        u, values, v, n_iter, converged = singular_pairs(matrix, 2, left, right, self.tol, callback)
        row, column = _second(u, self._trivial(left)), _second(v, self._trivial(right))
        # Their signs were chosen separately; a pair with a positive singular value matches.
        if float((left * row) @ (matrix @ (right * column))) < 0:
            column = -column
        row, column = self._finish(row, left), self._finish(column, right)
        sign = fix_sign((row, t.rows), (column, t.columns))
        in_rows, in_columns, n_groups = matrix.joined()
        n_components = n_groups + int((in_rows < 0).sum() + (in_columns < 0).sum())
        eigenvalue = max(0.0, 1.0 - float(values[-1]))
        shared = eigenvalue, n_components, n_iter, converged and scaled
        return _Side(sign * row, *shared), _Side(sign * column, *shared)

    def _inverse_roots(self, degrees: FloatArray) -> FloatArray:
        regularized = degrees + self._tau * degrees.mean()
        return ratio(np.ones(degrees.size), np.sqrt(regularized))

    def _trivial(self, weights: FloatArray) -> FloatArray | None:
        """Return the first eigenvector if known: the square roots of degrees, or a constant."""
        if self.doubly_stochastic:
            return (weights > 0).astype(np.float64)
        return ratio(np.ones(weights.size), weights) if self._tau == 0.0 else None

    def _finish(self, vector: FloatArray, weights: FloatArray) -> FloatArray:
        if self.normalization == "random-walk" and not self.doubly_stochastic:
            vector = weights * vector
        norm = float(np.linalg.norm(vector))
        return vector / norm if norm else vector

    def _warn_if_disconnected(self, rows: int, columns: int) -> None:
        if self._tau == 0.0 and max(rows, columns) > 1:
            warn(
                Worded(
                    f"The graph of rows has {rows} connected components and the graph of columns "
                    f"has {columns}: the vectors only separate components",
                    "set {regularization} to connect them",
                    regularization=Setting("regularization", 1, of="vectors"),
                ),
                DisconnectedGraphWarning,
            )


def _second(vectors: FloatArray, trivial: FloatArray | None) -> FloatArray:
    """Return the second of two eigenvectors, orthogonal to the first one if that is known.

    In a disconnected graph the two share an eigenvalue, so that a solver may return any mixture.
    """
    if vectors.shape[1] < 2:
        return np.zeros(vectors.shape[0])
    if trivial is None:
        return vectors[:, 1]
    a, b = vectors.T @ (trivial / np.linalg.norm(trivial))
    second: FloatArray = vectors @ np.array([-b, a])
    return second
