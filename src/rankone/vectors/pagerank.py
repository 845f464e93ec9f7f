"""PageRank: the stationary distribution of a random walk over the entries of a matrix."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from rankone._arithmetic import ratio
from rankone._warnings import warn
from rankone.checks import check_choice, check_number, check_positive, check_whole
from rankone.errors import Setting, Worded
from rankone.matrix import Matrix
from rankone.progress import Callback
from rankone.typing import FloatArray
from rankone.vectors.base import Capabilities, VectorMethod, Vectors

Walk = Callable[[FloatArray], FloatArray]


class PageRank(VectorMethod):
    r"""The damped PageRank vector of the column-stochastic matrix.

    .. math:: u = d\, \tilde A u + (1 - d) \mathbf 1, \qquad
              \tilde A_{ij} = \frac{A_{ij}}{\sum_k A_{kj}}, \qquad \sum_i u_i = m

    for a square matrix, interpreted as a graph in which node j links to the nodes i with
    :math:`A_{ij} > 0`. The *left* eigenvector of :math:`\tilde A` is constant, so the column vector
    is the PageRank vector of :math:`A^T`. On a rectangular matrix, the walk alternates between rows
    and columns, in two steps,

    .. math:: u = d\, A D_c^{-1} A^T D_r^{-1} u + (1 - d) \mathbf 1,

    where :math:`D_r` and :math:`D_c` are the diagonal matrices of the row and column sums. Without
    damping (d = 1), the two-step walk on a connected graph is stationary at the row sums. From a
    row (or column) without entries, the walk continues at a node drawn uniformly. The objective is
    the mean absolute difference between the two sides of the equation.

    Parameters
    ----------
    damping : float
        The probability d of following a link, from 0 to 1. With 1, the solution need not be unique
        and the one-step walk need not converge.
    walk : {"auto", "one-step", "two-step"}
        The kind of walk. "auto" means "one-step" for a square matrix and "two-step" otherwise.
    tol : float
        The mean absolute change of u, which has mean one, at which the iterations stop.
    max_iter : int
        The maximum number of iterations.

    Examples
    --------
    >>> PageRank().extract([[0, 1, 1], [1, 0, 0], [0, 1, 0]]).row.round(3)
    array([1.192, 1.163, 0.644])
    """

    def __init__(
        self, damping: float = 0.85, walk: str = "auto", tol: float = 1e-10, max_iter: int = 1000
    ):
        self.damping = damping
        self.walk = walk
        self.tol = tol
        self.max_iter = max_iter

    @property
    def capabilities(self) -> Capabilities:
        """Complete nonnegative matrices are accepted."""
        return Capabilities(rectangular=self.walk != "one-step", joint=self.walk != "two-step")

    def _check_parameters(self) -> None:
        check_number(self.damping, "damping", most=1.0)
        check_choice(self.walk, "walk", ("auto", "one-step", "two-step"))
        check_positive(self.tol, "tol")
        check_whole(self.max_iter, "max_iter")

    def _extract(self, matrix: Matrix, callback: Callback) -> Vectors:
        m, n = matrix.shape
        one_step = self.walk == "one-step" or (self.walk == "auto" and m == n)
        walk = _one_step if one_step else _two_steps
        row, row_iter, row_error = self._stationary(walk(matrix), m, callback, 0)
        column, column_iter, column_error = self._stationary(walk(matrix.T), n, callback, row_iter)
        error = max(row_error, column_error)
        if not error <= self.tol:
            warn(
                Worded(
                    f"PageRank still changes by {error:.1e} after max_iter = {self.max_iter} steps",
                    "increase {max_iter} or decrease {damping}",
                    max_iter=Setting("max_iter", of="vectors"),
                    damping=Setting("damping", of="vectors"),
                ),
                ConvergenceWarning,
            )
        return Vectors(row, column, row_iter + column_iter, error <= self.tol, lambda: error)

    def _stationary(
        self, walk: Walk, size: int, callback: Callback, steps_before: int
    ) -> tuple[FloatArray, int, float]:
        """Iterate the walk from the uniform distribution until it converges."""
        d, u, error = float(self.damping), np.ones(size), np.inf
        for step in range(1, self.max_iter + 1):
            walked = walk(u)
            # Mass lost in rows or columns without entries is redistributed uniformly.
            walked += (size - walked.sum()) / size
            updated = d * walked + (1.0 - d)
            error = float(np.abs(updated - u).mean())
            u = updated
            callback(steps_before + step, error)
            if error <= self.tol:
                break
        return u, step, error


def _one_step(matrix: Matrix) -> Walk:
    sums = matrix.totals.columns
    return lambda u: matrix @ ratio(u, sums)


def _two_steps(matrix: Matrix) -> Walk:
    rows, columns = matrix.totals.rows, matrix.totals.columns
    return lambda u: matrix @ ratio(matrix.T @ ratio(u, rows), columns)
