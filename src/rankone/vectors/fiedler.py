"""The Fiedler vectors of the rows and of the columns."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from rankone._arithmetic import ratio
from rankone._warnings import warn
from rankone.checks import check_choice, check_number, check_positive, check_whole
from rankone.matrix import Matrix
from rankone.progress import Callback
from rankone.typing import FloatArray
from rankone.vectors._singular import singular_pairs
from rankone.vectors.base import Capabilities, VectorMethod, Vectors, fix_sign
from rankone.vectors.similarity import Similarity, similarity_of_rows

SIMILARITIES = ("rbf", "cosine", "linear", "knn", "bipartite", "precomputed")

#: Similarities of sparse data, whose second eigenvectors light up on a few rows unless regularised.
REGULARIZED = ("bipartite", "cosine", "linear")


class DisconnectedGraphWarning(UserWarning):
    """A graph falls into components: its Fiedler vector tells these apart, and nothing else."""


@dataclass(frozen=True, eq=False)
class FiedlerVectors(Vectors):
    """Vectors of unit norm, and the second eigenvalue of the Laplacian of each side.

    Attributes
    ----------
    row_eigenvalue, column_eigenvalue : float
    n_row_components, n_column_components : int
        Into how many components the graph of rows, and of columns, falls; for "bipartite" the
        one graph of both.
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
    r"""The second eigenvector of the normalised Laplacian, of rows and of columns.

    .. math:: L u = \lambda_2 u, \qquad L = I - D^{-1/2} S D^{-1/2}, \qquad D_{ii} = \sum_j S_{ij}

    where S holds the similarities of the rows (for the column vector: of the columns). With
    ``doubly_stochastic=True``, S is first scaled to diag(w) S diag(w) with sums of one, so that D
    is the identity: the paper's *Fiedler DS*. The objective is the sum of the two eigenvalues.

    Parameters
    ----------
    similarity : {"rbf", "cosine", "linear", "knn", "bipartite", "precomputed"}
        - "linear": :math:`S = A A^T`; "cosine": the same of rows of unit length. Neither S is ever
          formed.
        - "bipartite": rows and columns are the nodes of one graph with weights A; the second
          singular pair of :math:`D_r^{-1/2} A D_c^{-1/2}`. It suits documents by words.
        - "rbf": :math:`S_{ij} = \exp(-\gamma \|a_i - a_j\|^2)`, for some thousands of rows.
        - "knn": a graph of nearest neighbours.
        - "precomputed": A is S, symmetric; rows and columns have one vector.
    doubly_stochastic : bool
    regularization : float or "auto"
        This many times the mean degree is added to every degree. Without it, the second
        eigenvector of sparse data often lights up on a few nearly disconnected rows. "auto" is 1
        for "bipartite", "cosine" and "linear", and otherwise, or if doubly stochastic, 0.
    normalization : {"symmetric", "random-walk"}
        u itself, as the paper has it; or :math:`D^{-1/2} u`, the eigenvector of the random walk,
        which is nearer to piecewise constant.
    gamma : float or None
        For "rbf"; None is one over the mean squared distance.
    n_neighbors : int
        For "knn".
    tol : float
        The relative accuracy of eigenvalues, and of a doubly stochastic scaling.
    max_iter : int
        The most sweeps of a doubly stochastic scaling.

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
        """What can be taken: complete matrices; negative entries, if they only enter distances."""
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
                raise ValueError(
                    "A doubly stochastic scaling has no degrees to regularise; set one of the two."
                )
        if self.gamma is not None:
            check_positive(self.gamma, "gamma")
        check_whole(self.n_neighbors, "n_neighbors")
        check_positive(self.tol, "tol")
        check_whole(self.max_iter, "max_iter")

    def _extract(self, matrix: Matrix, callback: Callback) -> FiedlerVectors:
        if matrix.is_zero:  # No row resembles any other, nor itself.
            rows = _Side(np.zeros(matrix.shape[0]), 1.0, matrix.shape[0], 1, True)
            columns = _Side(np.zeros(matrix.shape[1]), 1.0, matrix.shape[1], 1, True)
        elif self.similarity == "bipartite":
            rows, columns = self._bipartite(matrix, callback)
        else:
            rows = columns = self._side(matrix, callback)
            if self.similarity != "precomputed":
                columns = self._side(matrix.T, callback)
        self._warn_of_components(rows.n_components, columns.n_components)
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
            weights, settled = self._scale_symmetric(similarity)
        else:
            degrees = similarity.dot(np.ones(similarity.size))
            weights, settled = self._inverse_roots(degrees), True
        spectrum = similarity.spectrum(weights, self.tol, callback)
        vector = _second(spectrum.vectors, self._trivial(weights))
        vector = self._finish(vector, weights)
        return _Side(
            fix_sign((vector, matrix.totals.rows)) * vector,
            max(0.0, 1.0 - float(spectrum.values[-1])),
            similarity.n_components(),
            spectrum.n_iter,
            spectrum.converged and settled,
        )

    def _bipartite(self, matrix: Matrix, callback: Callback) -> tuple[_Side, _Side]:
        """Return the Fiedler vectors of the graph of rows and columns."""
        t = matrix.totals
        if self.doubly_stochastic:
            left, right, settled = self._scale_both(matrix)
        else:
            left, right = self._inverse_roots(t.rows), self._inverse_roots(t.columns)
            settled = True
        u, values, v, n_iter, converged = singular_pairs(matrix, 2, left, right, self.tol, callback)
        row, column = _second(u, self._trivial(left)), _second(v, self._trivial(right))
        # The two were turned separately: the singular value is positive if they belong together.
        if float((left * row) @ (matrix @ (right * column))) < 0:
            column = -column
        row, column = self._finish(row, left), self._finish(column, right)
        sign = fix_sign((row, t.rows), (column, t.columns))
        in_rows, in_columns, n_groups = matrix.joined()
        n_components = n_groups + int((in_rows < 0).sum() + (in_columns < 0).sum())
        eigenvalue = max(0.0, 1.0 - float(values[-1]))
        how = eigenvalue, n_components, n_iter, converged and settled
        return _Side(sign * row, *how), _Side(sign * column, *how)

    def _inverse_roots(self, degrees: FloatArray) -> FloatArray:
        regularized = degrees + self._tau * degrees.mean()
        return ratio(np.ones(degrees.size), np.sqrt(regularized))

    def _trivial(self, weights: FloatArray) -> FloatArray | None:
        """Return the first eigenvector, where it is known: the roots of degrees, or a constant."""
        if self.doubly_stochastic:
            return (weights > 0).astype(np.float64)
        return ratio(np.ones(weights.size), weights) if self._tau == 0.0 else None

    def _finish(self, vector: FloatArray, weights: FloatArray) -> FloatArray:
        if self.normalization == "random-walk" and not self.doubly_stochastic:
            vector = weights * vector
        norm = float(np.linalg.norm(vector))
        return vector / norm if norm else vector

    def _scale_symmetric(self, similarity: Similarity) -> tuple[FloatArray, bool]:
        """Return w such that diag(w) S diag(w) has sums of one; rows without similarity have 0."""
        w = np.sqrt(ratio(np.ones(similarity.size), similarity.dot(np.ones(similarity.size))))
        present = w > 0

        def improve(w: FloatArray) -> tuple[FloatArray, float]:
            product = similarity.dot(w)
            return np.sqrt(ratio(w, product)), float(np.abs(w * product - present).max())

        return self._until_settled(improve, w)

    def _scale_both(self, matrix: Matrix) -> tuple[FloatArray, FloatArray, bool]:
        """Return scalings of rows and columns to sums that make the leading pair constant."""
        t = matrix.totals
        m, n = int((t.rows > 0).sum()), int((t.columns > 0).sum())
        row_sum, column_sum = np.sqrt(n / m), np.sqrt(m / n)
        right = np.ones(t.columns.size)

        def improve(right: FloatArray) -> tuple[FloatArray, float]:
            left = ratio(np.full(t.rows.size, row_sum), matrix @ right)
            sums = right * (matrix.T @ left)
            after = right * ratio(np.full(t.columns.size, column_sum), sums)
            return after, float(np.abs(sums[t.columns > 0] / column_sum - 1.0).max())

        right, settled = self._until_settled(improve, np.where(t.columns > 0, right, 0.0))
        return ratio(np.full(t.rows.size, row_sum), matrix @ right), right, settled

    def _until_settled(
        self, improve: Callable[[FloatArray], tuple[FloatArray, float]], start: FloatArray
    ) -> tuple[FloatArray, bool]:
        scaling, error = start, np.inf
        for _ in range(self.max_iter):
            after, error = improve(scaling)
            if error <= self.tol:
                return scaling, True
            scaling = after
        warn(
            f"Sums of the doubly stochastic scaling are still off by {error:.1e} after max_iter = "
            f"{self.max_iter} sweeps; raise max_iter, or tol. Zeros may rule out such a scaling.",
            ConvergenceWarning,
        )
        return scaling, False

    def _warn_of_components(self, rows: int, columns: int) -> None:
        if self._tau == 0.0 and max(rows, columns) > 1:
            warn(
                f"The graph of rows falls into {rows} components and that of columns into "
                f"{columns}: the vector tells components apart, and nothing else; "
                "regularization=1 would join them.",
                DisconnectedGraphWarning,
            )


def _second(vectors: FloatArray, trivial: FloatArray | None) -> FloatArray:
    """Return the second of two eigenvectors: if the first is known, what is orthogonal to it.

    In a disconnected graph the two share their eigenvalue, and any mixture may have been found.
    """
    if vectors.shape[1] < 2:
        return np.zeros(vectors.shape[0])
    if trivial is None:
        return vectors[:, 1]
    a, b = vectors.T @ (trivial / np.linalg.norm(trivial))
    second: FloatArray = vectors @ np.array([-b, a])
    return second
