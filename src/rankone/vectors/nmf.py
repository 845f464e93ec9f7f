"""Rank-one factorisation that is not negative."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import xlogy
from sklearn.utils import check_random_state

from rankone._warnings import warn
from rankone.checks import check_choice, check_number, check_positive, check_whole
from rankone.matrix import Groups, Matrix, Observed, comparable_groups
from rankone.progress import Callback
from rankone.typing import FloatArray, IntArray
from rankone.vectors._alternating import Factors, alternate, power
from rankone.vectors._singular import singular_pairs
from rankone.vectors.base import Capabilities, VectorMethod, Vectors, mean_one


class IncomparableScoresWarning(UserWarning):
    """Some scores cannot be compared with others: no observed entry ties them together."""


@dataclass(frozen=True, eq=False)
class NMFVectors(Vectors):
    """Factors of mean one: A is near ``scale`` row column^T.

    Attributes
    ----------
    scale : float
    row_groups, column_groups : ndarray or None
        With missing entries: the groups of rows and columns whose scores can be compared; -1 where
        the sum is zero. None if there is one group only.
    row_spread, column_spread : ndarray or None
        The standard deviation over ``n_init`` starts, if there were several.
    """

    scale: float = 1.0
    row_groups: IntArray | None = None
    column_groups: IntArray | None = None
    row_spread: FloatArray | None = None
    column_spread: FloatArray | None = None


class NMF(VectorMethod):
    r"""The rank-one factors of a matrix that is not negative, over the entries that exist.

    .. math:: \min_{u, v \ge 0} \sum_{A_{ij} \text{ exists}} d_\beta(A_{ij} \mid u_i v_j)

    with the beta-divergence :math:`d_\beta(a | x) = \frac{a^\beta + (\beta - 1) x^\beta - \beta a
    x^{\beta - 1}}{\beta (\beta - 1)}`, whose limits are :math:`a \log(a / x) - a + x` for beta = 1
    (Kullback and Leibler) and :math:`a / x - \log(a / x) - 1` for beta = 0 (Itakura and Saito);
    beta = 2 is half the squared distance.

    - beta = 1, complete: the factors *are* the row and column sums, whatever the start. This makes
      `NMF` and `Marginal` the same method there.
    - beta = 1, entries missing: the matrix of what exists is scaled to the sums of what is
      observed; the values of A are read once. The minimum is global, and unique up to the scale
      of each connected group of rows and columns.
    - beta = 2, complete: the leading singular pair.
    - Otherwise u and v are minimised by turns, each in closed form; one sweep does both.

    Parameters
    ----------
    beta : float
        0 to 2.
    n_init : int
        With 1, the start is the column means. With more, the mean over random starts is returned,
        each normalised to mean one, and their spread.
    negative : {"error", "shift"}
        What to do about negative entries: refuse them, or subtract the minimum of the matrix first.
        For beta = 1 on a complete matrix, that moves the vectors by an affine map only.
    tol : float
        The relative change, and so the relative gradient, at which iterations stop.
    max_iter : int
        The most sweeps.
    random_state : int, RandomState or None
        For the starts, if ``n_init`` is more than 1.

    Examples
    --------
    >>> A = [[2.0, 4.0], [1.0, float("nan")]]
    >>> vectors = NMF().extract(A)
    >>> vectors.row, vectors.column, round(vectors.scale, 6)
    (array([1.33333333, 0.66666667]), array([0.66666667, 1.33333333]), 2.25)
    """

    def __init__(
        self,
        beta: float = 1,
        n_init: int = 1,
        negative: str = "error",
        tol: float = 1e-10,
        max_iter: int = 1000,
        random_state: int | np.random.RandomState | None = None,
    ):
        self.beta = beta
        self.n_init = n_init
        self.negative = negative
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state

    @property
    def capabilities(self) -> Capabilities:
        """What can be taken: all that is not negative; anything, if it is shifted."""
        shifts = self.negative == "shift"
        return Capabilities(missing=True, negative=shifts, places=not shifts)

    def _check_parameters(self) -> None:
        check_number(self.beta, "beta", most=2.0)
        check_whole(self.n_init, "n_init")
        check_choice(self.negative, "negative", ("error", "shift"))
        check_positive(self.tol, "tol")
        check_whole(self.max_iter, "max_iter")

    def _instead(self, what: str, matrix: Matrix) -> str:
        return super()._instead(what, matrix) + ", or NMF(negative='shift')"

    def weights(self, other: FloatArray, vectors: Vectors) -> tuple[FloatArray, FloatArray] | None:
        """Return what makes a score the best fit of its row to the other vector."""
        assert isinstance(vectors, NMFVectors)
        if self.negative == "shift" or vectors.scale == 0:
            return None
        beta = float(self.beta)
        return power(other, beta - 1.0), vectors.scale * power(other, beta)

    def _extract(self, matrix: Matrix, callback: Callback) -> NMFVectors:
        beta = float(self.beta)
        if matrix.totals.has_negative:
            matrix = matrix.shifted()
        if beta == 0.0 and matrix.sum_of(lambda a: np.asarray(a == 0.0, float)):
            raise ValueError("beta = 0 needs entries above zero, but some of X are zero.")
        observed, groups = matrix.observed, None
        if matrix.n_missing:
            groups = comparable_groups(matrix)
        if groups is not None and groups.n_groups > 1:
            _warn(groups)
            observed = observed.within(groups.rows, groups.columns)
        else:
            groups = None
        runs = [self._factors(matrix, observed, start, callback) for start in self._starts(matrix)]
        rows, columns, scales = zip(*(_normalised(run, groups) for run in runs), strict=True)
        row, column, scale = (np.mean(part, axis=0) for part in (rows, columns, scales))
        several = len(runs) > 1
        return NMFVectors(
            row,
            column,
            sum(run.n_iter for run in runs),
            all(run.converged for run in runs),
            lambda: divergence(matrix, observed, scale * row, column, beta),
            scale=float(scale),
            row_groups=groups.rows if groups else None,
            column_groups=groups.columns if groups else None,
            row_spread=np.std(rows, axis=0) if several else None,
            column_spread=np.std(columns, axis=0) if several else None,
        )

    def _starts(self, matrix: Matrix) -> list[FloatArray]:
        """Return a start for v, positive where the sum is: the means, or random ones."""
        t = matrix.totals
        if self.n_init == 1:
            return [t.columns / t.column_counts]
        random = check_random_state(self.random_state)
        return [
            np.where(t.columns > 0, 1.0 - random.uniform(size=t.columns.size), 0.0)
            for _ in range(self.n_init)
        ]

    def _factors(
        self, matrix: Matrix, observed: Observed, start: FloatArray, callback: Callback
    ) -> Factors:
        beta, t = float(self.beta), matrix.totals
        if not matrix.n_missing and self.n_init == 1:
            if beta == 1.0:
                total = float(t.rows.sum())
                return Factors(t.rows, t.columns / total if total else t.columns, 1, True)
            if beta == 2.0:
                ones = np.ones(matrix.shape[0]), np.ones(matrix.shape[1])
                u, s, v, n_iter, converged = singular_pairs(matrix, 1, *ones, self.tol, callback)
                # Perron: the pair has one sign. What differs from it is rounding.
                return Factors(s[0] * np.abs(u[:, 0]), np.abs(v[:, 0]), n_iter, converged)
        return alternate(matrix, observed, beta, start, self.tol, self.max_iter, callback)


def divergence(
    matrix: Matrix, observed: Observed, u: FloatArray, v: FloatArray, beta: float
) -> float:
    r"""Return the beta-divergence of A from u v^T over the entries that exist.

    Its terms are products of a function of u with one of v, so that sums and products with vectors
    are enough; what cancels between them limits its precision to some 1e-15 of the largest.
    """
    t = matrix.totals
    if beta == 1.0:
        entropy = matrix.sum_of(lambda a: np.asarray(xlogy(a, a)))
        cross = float(xlogy(t.rows, u).sum() + xlogy(t.columns, v).sum())
        result = entropy - cross - float(t.rows.sum()) + float(u @ (observed @ v))
    elif beta == 0.0:
        quotients = float(power(u, -1.0) @ (matrix @ power(v, -1.0)))
        logs = float(t.row_counts @ np.log(u) + t.column_counts @ np.log(v))
        result = quotients - matrix.sum_of(np.log) + logs - float(t.row_counts.sum())
    else:
        powers = matrix.sum_of(lambda a: np.asarray(a**beta))
        model = float(power(u, beta) @ (observed @ power(v, beta)))
        cross = float(power(u, beta - 1.0) @ (matrix @ power(v, beta - 1.0)))
        result = (powers + (beta - 1.0) * model - beta * cross) / (beta * (beta - 1.0))
    return max(0.0, result)


def _normalised(factors: Factors, groups: Groups | None) -> tuple[FloatArray, FloatArray, float]:
    """Return factors of mean one, and their scale.

    Each group of rows and columns has a scale of its own, which nothing determines: its column
    scores get mean one, so that its row scores are means of its entries.
    """
    u, v = factors.u.copy(), factors.v.copy()
    for group in range(groups.n_groups if groups else 0):
        assert groups is not None
        mean = v[groups.columns == group].mean()
        v[groups.columns == group] /= mean
        u[groups.rows == group] *= mean
    row, a = mean_one(u)
    column, b = mean_one(v)
    return row, column, a * b


def _warn(groups: Groups) -> None:
    """Name the rows outside of the largest group."""
    largest = np.bincount(groups.rows[groups.rows >= 0]).argmax()
    others = np.flatnonzero((groups.rows >= 0) & (groups.rows != largest))
    shown = ", ".join(map(str, others[:5])) + (", ..." if others.size > 5 else "")
    rows = f"row {shown}" if others.size == 1 else f"rows {shown}"
    if groups.n_apart == groups.n_groups:
        why = f"The entries that exist fall into {groups.n_groups} groups that nothing joins"
    else:
        why = "The minimum is not attained, because observed zeros draw some scores to zero beside "
        why += f"others: they fall into {groups.n_groups} groups"
    warn(
        f"{why}; scores of {rows} ({others.size} in all) cannot be compared with the rest.",
        IncomparableScoresWarning,
    )
