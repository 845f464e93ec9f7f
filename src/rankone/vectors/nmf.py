"""Nonnegative rank-one factorisation."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from scipy.special import xlogy
from sklearn.utils import check_random_state

from rankone._warnings import warn
from rankone.checks import check_choice, check_number, check_positive, check_whole
from rankone.errors import Input, InputError, Method, Rows, Setting, Worded
from rankone.matrix import Groups, Matrix, Observed, comparable_groups
from rankone.progress import Callback
from rankone.typing import FloatArray, IntArray
from rankone.vectors._alternating import Factors, alternate, power
from rankone.vectors._singular import singular_pairs
from rankone.vectors.base import Capabilities, VectorMethod, Vectors
from rankone.vectors.scales import mean_one


class IncomparableScoresWarning(UserWarning):
    """Issued when the observed entries do not determine how some scores compare with others."""


@dataclass(frozen=True, eq=False)
class NMFVectors(Vectors):
    """Factors of mean one and the scale of their rank-one approximation.

    Attributes
    ----------
    scale : float
        The matrix is approximately ``scale * outer(row, column)``.
    row_groups, column_groups : ndarray or None
        The groups of rows and columns whose scores can be compared with each other, or -1 where the
        sum is zero. None if all scores can be compared.
    row_spread, column_spread : ndarray or None
        The standard deviation of the scores over ``n_init`` initialisations, or None if
        ``n_init`` is 1.
    """

    scale: float = 1.0
    row_groups: IntArray | None = None
    column_groups: IntArray | None = None
    row_spread: FloatArray | None = None
    column_spread: FloatArray | None = None

    def _divided(self, row: float, column: float) -> Self:
        return replace(
            super()._divided(row, column),
            scale=self.scale * row * column,
            row_spread=None if self.row_spread is None else self.row_spread / row,
            column_spread=None if self.column_spread is None else self.column_spread / column,
        )


class NMF(VectorMethod):
    r"""The nonnegative rank-one factors of the observed entries of a matrix.

    .. math:: \min_{u, v \ge 0} \sum_{A_{ij} \text{ observed}} d_\beta(A_{ij} \mid u_i v_j)

    with the beta-divergence :math:`d_\beta(a | x) = \frac{a^\beta + (\beta - 1) x^\beta - \beta a
    x^{\beta - 1}}{\beta (\beta - 1)}`. Its limits are the Kullback-Leibler divergence :math:`a
    \log(a / x) - a + x` for beta = 1 and the Itakura-Saito divergence :math:`a / x - \log(a / x) -
    1` for beta = 0; beta = 2 gives half the squared distance.

    - beta = 1, complete matrix: the factors are proportional to the row and column sums, whatever
      the initialisation, so that `NMF` and `Marginal` agree up to scale.
    - beta = 1, missing entries: the 0/1 matrix of observed entries is scaled to the observed row
      and column sums; the values of A are read once. The minimum is global, and unique up to the
      scale of each connected group of rows and columns.
    - beta = 2, complete matrix: the factors are the leading singular pair.
    - Otherwise, the divergence is minimised alternately in u and in v, each in closed form; one
      sweep updates both. At rank one, Lee and Seung's multiplicative updates are this closed form,
      for every beta: the factor by which they multiply u cancels u itself.

    Parameters
    ----------
    beta : float
        The exponent of the divergence, from 0 to 2.
    n_init : int
        The number of initialisations. With 1, the iteration starts from the column means. With
        more, the result is the mean and the standard deviation of the factors, normalised to mean
        one, over random initialisations.
    negative : {"error", "shift"}
        How to treat negative entries: raise an error, or subtract the minimum of the matrix first.
        For beta = 1 on a complete matrix, the shift changes the vectors only by an affine map.
    tol : float
        The relative change, which bounds the relative gradient, at which the iterations stop.
    max_iter : int
        The maximum number of sweeps.
    random_state : int, RandomState or None
        The seed of the random initialisations, used if ``n_init`` is greater than 1.

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
        """Nonnegative matrices are accepted; with ``negative="shift"``, any matrix is."""
        shifts = self.negative == "shift"
        return Capabilities(missing=True, negative=shifts, places=not shifts)

    def _check_parameters(self) -> None:
        check_number(self.beta, "beta", most=2.0)
        check_whole(self.n_init, "n_init")
        check_choice(self.negative, "negative", ("error", "shift"))
        check_positive(self.tol, "tol")
        check_whole(self.max_iter, "max_iter")

    def _alternatives(self, capability: str, matrix: Matrix) -> list[Method]:
        shifted = Method(("NMF",), "negative", "shift")
        return [*super()._alternatives(capability, matrix), shifted]

    def weights(
        self, opposite: FloatArray, vectors: Vectors
    ) -> tuple[FloatArray, FloatArray] | None:
        """Return the weights of the best fit of a row to the opposite vector."""
        assert isinstance(vectors, NMFVectors)
        if self.negative == "shift" or vectors.scale == 0:
            return None
        beta = float(self.beta)
        return power(opposite, beta - 1.0), vectors.scale * power(opposite, beta)

    def _extract(self, matrix: Matrix, callback: Callback) -> NMFVectors:
        beta = float(self.beta)
        if matrix.totals.has_negative:
            matrix = matrix.shifted()
        if beta == 0.0 and matrix.census.n_zeros:
            raise InputError(
                "beta = 0 needs positive entries, but {X} has zeros",
                "use another {beta}",
                X=Input(),
                beta=Setting("beta", of="vectors"),
            )
        observed, groups = matrix.observed, None
        if matrix.n_missing:
            groups = comparable_groups(matrix)
        if groups is not None and groups.n_groups > 1:
            _warn_incomparable(groups)
            observed = observed.within(groups.rows, groups.columns)
        else:
            groups = None
        runs = [self._factors(matrix, observed, start, callback) for start in self._starts(matrix)]
        rows, columns, scales = zip(*(_normalise(run, groups) for run in runs), strict=True)
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
        """Return the initial values of v: the column means, or random values; 0 for zero sums."""
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
                # By Perron-Frobenius all entries of the pair have one sign, up to rounding errors.
                return Factors(s[0] * np.abs(u[:, 0]), np.abs(v[:, 0]), n_iter, converged)
        return alternate(matrix, observed, beta, start, self.tol, self.max_iter, callback)


def divergence(
    matrix: Matrix, observed: Observed, u: FloatArray, v: FloatArray, beta: float
) -> float:
    r"""Compute the beta-divergence of A from u v^T over the observed entries.

    Each term is a product of a function of u and a function of v, so that sums and matrix-vector
    products suffice. Cancellation limits the precision to about 1e-15 of the largest term.
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


def _normalise(factors: Factors, groups: Groups | None) -> tuple[FloatArray, FloatArray, float]:
    """Return factors of mean one, and their scale.

    The relative scale of two groups of rows and columns is undetermined: the column scores of each
    group are given mean one, so that its row scores are weighted means of its entries.
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


def _warn_incomparable(groups: Groups) -> None:
    """Warn that groups of rows cannot be compared, and name the rows outside the largest one."""
    largest = np.bincount(groups.rows[groups.rows >= 0]).argmax()
    outside = np.flatnonzero((groups.rows >= 0) & (groups.rows != largest))
    if groups.n_apart == groups.n_groups:
        reason = (
            f"The observed entries fall into {groups.n_groups} groups that share no row and no "
            "column"
        )
    else:
        reason = (
            "The minimum is not attained, because observed zeros drive some scores to zero "
            f"relative to others: the scores fall into {groups.n_groups} groups"
        )
    warn(
        Worded(
            f"{reason}; the scores of {{rows}} ({outside.size} in total) cannot be compared with "
            "the rest",
            rows=Rows(tuple(outside.tolist())),
        ),
        IncomparableScoresWarning,
    )
