r"""Rank-one factors of a matrix, each minimised in its turn, over the entries that exist.

The beta-divergence of A from :math:`x = u v^T` depends on u, for given v, through

.. math:: u_i^{\beta - 2} \Big( u_i \sum_{j} M_{ij} v_j^\beta
          - \sum_{j} M_{ij} A_{ij} v_j^{\beta - 1} \Big),

its derivative, which has one zero, where it changes from minus to plus. So the best u is known in
closed form, whatever beta is: :math:`u = (A v^{\beta-1}) / (M v^\beta)`, entry by entry, and
likewise v. The divergence never rises. For beta = 1 the numerators are the sums of A, so that A
itself is not needed any more: this is Sinkhorn and Knopp's scaling of M.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import xlogy
from sklearn.exceptions import ConvergenceWarning

from rankone._arithmetic import ratio
from rankone._warnings import warn
from rankone.matrix import Matrix, Observed
from rankone.progress import Callback
from rankone.typing import FloatArray
from rankone.vectors._anderson import Anderson

#: How many turns the acceleration remembers.
DEPTH = 10

#: Proposals with scores beyond exp(+-this) are not looked at.
FAR = 200.0


@dataclass(frozen=True)
class Factors:
    """Two factors, and how they were got."""

    u: FloatArray
    v: FloatArray
    n_iter: int
    converged: bool


def alternate(
    matrix: Matrix,
    observed: Observed,
    beta: float,
    start: FloatArray,
    tol: float,
    max_iter: int,
    callback: Callback,
    signed: bool = False,
) -> Factors:
    """Minimise the divergence in u and v by turns, from a start for v.

    The relative change of v is also the relative gradient of the divergence in log(v), while that
    in log(u) is zero: it serves as the certificate of a stationary point. Where entries hang
    together loosely, many turns would be needed; log(v) is accelerated, and a proposal that does
    not lower the divergence is given up for the plain turn.
    """
    v = plain = start
    best, lowest, anderson = start, np.inf, Anderson(DEPTH)
    for step in range(1, max_iter + 1):
        u, back, loss = _best_left(matrix, observed, beta, v)
        if loss > lowest + 1e-14 * abs(lowest) and v is not plain:
            v = plain
            anderson.forget()
            continue
        best, lowest = u, loss
        plain = ratio(back, observed.T @ power(u, beta))
        error = _change(v, plain, signed)
        callback(step, error)
        if error <= tol:
            return Factors(u, plain, step, True)
        v = plain if signed else _accelerated(anderson, v, plain)
    warn(
        f"The factors still change by {error:.1e} after max_iter = {max_iter} sweeps (tol is "
        f"{tol:g}); raise max_iter.",
        ConvergenceWarning,
    )
    return Factors(best, plain, max_iter, False)


def _best_left(
    matrix: Matrix, observed: Observed, beta: float, v: FloatArray
) -> tuple[FloatArray, FloatArray, float]:
    """Return the best u for v, A^T u^(beta - 1), and the divergence but for a constant."""
    t, weights = matrix.totals, observed @ power(v, beta)
    if beta == 1.0:
        u = ratio(t.rows, weights)
        return u, t.columns, -float(xlogy(t.rows, u).sum() + xlogy(t.columns, v).sum())
    u, back = _sweep(matrix, v, weights, beta)
    if beta == 0.0:
        return u, back, float(t.row_counts @ np.log(u) + t.column_counts @ np.log(v))
    return u, back, -float(power(u, beta) @ weights) / (beta * (beta - 1.0))


def _accelerated(anderson: Anderson, v: FloatArray, plain: FloatArray) -> FloatArray:
    """Return the next v, of which entries that are zero stay zero."""
    present = plain > 0
    logs = anderson.propose(np.log(v[present]), np.log(plain[present]))
    logs -= logs.mean()  # the scale belongs to u
    if np.abs(logs).max() > FAR:
        anderson.forget()
        return plain
    proposal = np.zeros_like(plain)
    proposal[present] = np.exp(logs)
    return proposal


def _sweep(
    matrix: Matrix, v: FloatArray, weights: FloatArray, beta: float
) -> tuple[FloatArray, FloatArray]:
    """Return the best u, and A^T u^(beta - 1), from one sweep."""
    u = np.empty(matrix.shape[0])

    def update(product: FloatArray, rows: slice) -> FloatArray:
        u[rows] = ratio(product, weights[rows])
        return power(u[rows], beta - 1.0)

    _, back = matrix.sweep(power(v, beta - 1.0), update)
    return u, back


def _change(before: FloatArray, after: FloatArray, signed: bool) -> float:
    """Return the largest change, relative to each entry; if signs differ, to the largest entry."""
    scale = np.where(after != 0, np.abs(after).max(initial=0.0), 0.0) if signed else after
    return float(ratio(np.abs(after - before), scale).max())


def power(x: FloatArray, exponent: float) -> FloatArray:
    """Return powers of entries; those of zeros, which take part in nothing, are zero."""
    if exponent == 1.0:
        return x
    if exponent == 2.0:
        return x * x
    return np.power(x, exponent, out=np.zeros_like(x), where=x != 0)
