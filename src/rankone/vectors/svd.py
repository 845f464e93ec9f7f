"""The leading singular pair of a matrix."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rankone.checks import check_positive, check_whole
from rankone.errors import Input, InputError
from rankone.matrix import Matrix
from rankone.progress import Callback
from rankone.typing import FloatArray
from rankone.vectors._alternating import alternate
from rankone.vectors._singular import singular_pairs
from rankone.vectors.base import Capabilities, VectorMethod, Vectors
from rankone.vectors.scales import fix_sign


@dataclass(frozen=True, eq=False)
class SVDVectors(Vectors):
    """Vectors of unit norm and the singular value of their rank-one approximation.

    Attributes
    ----------
    singular_value : float
        The matrix is approximately ``singular_value * outer(row, column)``.
    """

    singular_value: float = 0.0


class SVD(VectorMethod):
    r"""The leading singular pair, which accepts entries of any sign.

    .. math:: \min_{u, v, \sigma} \sum_{A_{ij} \text{ observed}} (A_{ij} - \sigma u_i v_j)^2,
              \qquad \|u\| = \|v\| = 1

    A complete matrix is decomposed by Lanczos iterations, at one sweep each. With missing entries,
    the objective is minimised alternately in u and in v, starting from the singular pair of the
    matrix in which missing entries are zero; this converges to a stationary point, which may be a
    local minimum.

    Parameters
    ----------
    tol : float
        The relative change at which the iterations stop.
    max_iter : int
        The maximum number of sweeps when entries are missing.

    Examples
    --------
    >>> SVD().extract([[2.0, -2.0], [-1.0, 1.0]]).row.round(3)
    array([ 0.894, -0.447])
    """

    def __init__(self, tol: float = 1e-10, max_iter: int = 1000):
        self.tol = tol
        self.max_iter = max_iter

    @property
    def capabilities(self) -> Capabilities:
        """Any matrix is accepted."""
        return Capabilities(missing=True, negative=True, places=True)

    def _check_parameters(self) -> None:
        check_positive(self.tol, "tol")
        check_whole(self.max_iter, "max_iter")

    def weights(
        self, opposite: FloatArray, vectors: Vectors
    ) -> tuple[FloatArray, FloatArray] | None:
        """Return the weights of the least-squares fit of a row to the opposite vector."""
        assert isinstance(vectors, SVDVectors)
        value = vectors.singular_value
        return (opposite, value * opposite**2) if value > 0 else None

    def _extract(self, matrix: Matrix, callback: Callback) -> SVDVectors:
        m, n = matrix.shape
        if matrix.n_missing and matrix.observed.n_components() > 1:
            raise InputError(
                f"The observed entries of {{X}} fall into {matrix.observed.n_components()} sets "
                "that share no row and no column, so that one singular pair cannot describe them",
                "split {X} into these sets",
                X=Input(),
            )
        u, s, v, n_iter, converged = singular_pairs(
            matrix, 1, np.ones(m), np.ones(n), self.tol, callback
        )
        row, column, value = u[:, 0], v[:, 0], float(s[0])
        if matrix.n_missing and value > 0:
            result = alternate(
                matrix, matrix.observed, 2.0, column, self.tol, self.max_iter, callback, signed=True
            )
            norms = np.linalg.norm(result.u), np.linalg.norm(result.v)
            row, column, value = result.u / norms[0], result.v / norms[1], float(np.prod(norms))
            n_iter, converged = n_iter + result.n_iter, result.converged
        sign = fix_sign((row, matrix.totals.rows), (column, matrix.totals.columns))
        row, column = sign * row, sign * column

        def objective() -> float:
            squares = matrix.census.squares
            cross = value * float(row @ (matrix @ column))
            model = value**2 * float(row**2 @ (matrix.observed @ column**2))
            return max(0.0, squares - 2 * cross + model)

        return SVDVectors(row, column, n_iter, converged, objective, singular_value=value)
