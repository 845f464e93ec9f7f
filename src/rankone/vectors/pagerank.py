"""PageRank: where a walk over the entries of a matrix spends its time."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from rankone._arithmetic import ratio
from rankone._warnings import warn
from rankone.checks import check_choice, check_number, check_positive, check_whole
from rankone.matrix import Matrix
from rankone.progress import Callback
from rankone.typing import FloatArray
from rankone.vectors.base import Capabilities, VectorMethod, Vectors

Walk = Callable[[FloatArray], FloatArray]


class PageRank(VectorMethod):
    r"""The dominant right vector of the column-stochastic matrix, damped.

    .. math:: u = d\, \tilde A u + (1 - d) \mathbf 1, \qquad
              \tilde A_{ij} = \frac{A_{ij}}{\sum_k A_{kj}}, \qquad \sum_i u_i = m

    for a square matrix, read as a graph whose column j points to the rows i with :math:`A_{ij} >
    0`. The *left* vector of :math:`\tilde A` is constant, so the column vector is the same of
    :math:`A^T`. A rectangular matrix is walked in two steps, from a row to a column and back to a
    row,

    .. math:: u = d\, A D_c^{-1} A^T D_r^{-1} u + (1 - d) \mathbf 1,

    where :math:`D_r, D_c` hold the row and column sums. Undamped (d = 1), a connected two-step
    walk has the row sums for its answer; damping is where it differs. From a row (or column)
    without entries, the walk goes on anywhere. The objective is the mean change in the last
    step, by which the two sides of the equation differ.

    Parameters
    ----------
    damping : float
        d, from 0 to 1. With 1 the answer need not be unique, and one step may never settle.
    walk : {"auto", "one-step", "two-step"}
        "auto" takes one step in a square matrix, and two in others.
    tol : float
        The change of u, summed over its entries of mean one and divided by m, at which it stops.
    max_iter : int
        The most steps.

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
        """What can be taken: complete matrices that are not negative."""
        return Capabilities(rectangular=self.walk != "one-step", joint=self.walk != "two-step")

    def _check_parameters(self) -> None:
        check_number(self.damping, "damping", most=1.0)
        check_choice(self.walk, "walk", ("auto", "one-step", "two-step"))
        check_positive(self.tol, "tol")
        check_whole(self.max_iter, "max_iter")

    def _extract(self, matrix: Matrix, callback: Callback) -> Vectors:
        m, n = matrix.shape
        one = self.walk == "one-step" or (self.walk == "auto" and m == n)
        step = _one_step if one else _two_steps
        row, row_iter, row_error = self._stationary(step(matrix), m, callback, 0)
        column, column_iter, column_error = self._stationary(step(matrix.T), n, callback, row_iter)
        error = max(row_error, column_error)
        if not error <= self.tol:
            warn(
                f"PageRank still changes by {error:.1e} after max_iter = {self.max_iter} steps; "
                "raise max_iter, or damp it more.",
                ConvergenceWarning,
            )
        return Vectors(row, column, row_iter + column_iter, error <= self.tol, lambda: error)

    def _stationary(
        self, walk: Walk, size: int, callback: Callback, done: int
    ) -> tuple[FloatArray, int, float]:
        """Iterate the walk from the uniform start until it settles."""
        d, u, error = float(self.damping), np.ones(size), np.inf
        for step in range(1, self.max_iter + 1):
            moved = walk(u)
            # What the walk lost, in rows or columns without entries, goes on anywhere.
            moved += (size - moved.sum()) / size
            after = d * moved + (1.0 - d)
            error = float(np.abs(after - u).mean())
            u = after
            callback(done + step, error)
            if error <= self.tol:
                break
        return u, step, error


def _one_step(matrix: Matrix) -> Walk:
    sums = matrix.totals.columns
    return lambda u: matrix @ ratio(u, sums)


def _two_steps(matrix: Matrix) -> Walk:
    rows, columns = matrix.totals.rows, matrix.totals.columns
    return lambda u: matrix @ ratio(matrix.T @ ratio(u, rows), columns)
