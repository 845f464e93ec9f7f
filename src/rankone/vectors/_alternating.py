r"""Alternating minimisation of the beta-divergence of a rank-one model over observed entries.

For a given v, the derivative of the beta-divergence of A from :math:`u v^T` with respect to
:math:`u_i` is

.. math:: u_i^{\beta - 2} \Big( u_i \sum_{j} M_{ij} v_j^\beta
          - \sum_{j} M_{ij} A_{ij} v_j^{\beta - 1} \Big),

where M is the 0/1 matrix of observed entries. It has a single zero, at which it changes from
negative to positive, so the minimiser has a closed form for every beta:
:math:`u = (A v^{\beta-1}) / (M v^\beta)`, elementwise, and likewise for v. The divergence never
increases. For beta = 1 the numerators are the sums of A, so that the iteration does not read A
itself: it is the Sinkhorn-Knopp scaling of M.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import xlogy
from sklearn.exceptions import ConvergenceWarning

from rankone._arithmetic import ratio
from rankone._warnings import warn
from rankone.errors import Setting, Worded
from rankone.matrix import Matrix, Observed
from rankone.progress import Callback
from rankone.typing import FloatArray
from rankone.vectors._anderson import Anderson

#: The number of iterations that the acceleration remembers.
DEPTH = 10

#: Proposals whose scores have a logarithm beyond this magnitude are rejected.
MAX_LOG_SCORE = 200.0


@dataclass(frozen=True)
class Factors:
    """Rank-one factors, the number of sweeps, and whether the iteration converged."""

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
    """Minimise the divergence alternately in u and in v, from an initial v.

    The relative change of v equals the relative gradient of the divergence with respect to log(v),
    and the gradient with respect to log(u) is zero, so the change certifies a stationary point.
    Loosely connected entries make the plain iteration slow; log(v) is therefore accelerated, and a
    proposal that increases the divergence is replaced by the plain iterate.
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
        v = plain if signed else _accelerate(anderson, v, plain)
    warn(
        Worded(
            f"The factors still change by {error:.1e} after max_iter = {max_iter} sweeps (tol is "
            f"{tol:g})",
            "increase {max_iter}",
            max_iter=Setting("max_iter", of="vectors"),
        ),
        ConvergenceWarning,
    )
    return Factors(best, plain, max_iter, False)


def _best_left(
    matrix: Matrix, observed: Observed, beta: float, v: FloatArray
) -> tuple[FloatArray, FloatArray, float]:
    """Return the best u for v, A^T u^(beta - 1), and the divergence up to a constant."""
    t, weights = matrix.totals, observed @ power(v, beta)
    if beta == 1.0:
        u = ratio(t.rows, weights)
        return u, t.columns, -float(xlogy(t.rows, u).sum() + xlogy(t.columns, v).sum())
    u, back = _sweep(matrix, v, weights, beta)
    if beta == 0.0:
        return u, back, float(t.row_counts @ np.log(u) + t.column_counts @ np.log(v))
    return u, back, -float(power(u, beta) @ weights) / (beta * (beta - 1.0))


def _accelerate(anderson: Anderson, v: FloatArray, plain: FloatArray) -> FloatArray:
    """Return the accelerated v; entries that are zero stay zero."""
    positive = plain > 0
    logs = anderson.propose(np.log(v[positive]), np.log(plain[positive]))
    logs -= logs.mean()  # u carries the scale
    if np.abs(logs).max() > MAX_LOG_SCORE:
        anderson.forget()
        return plain
    proposal = np.zeros_like(plain)
    proposal[positive] = np.exp(logs)
    return proposal


def _sweep(
    matrix: Matrix, v: FloatArray, weights: FloatArray, beta: float
) -> tuple[FloatArray, FloatArray]:
    """Return the best u and A^T u^(beta - 1), computed in one sweep."""
    return matrix.sweep(
        power(v, beta - 1.0),
        lambda product, rows: ratio(product, weights[rows]),
        lambda u, rows: power(u, beta - 1.0),
    )


def _change(before: FloatArray, after: FloatArray, signed: bool) -> float:
    """Return the largest change relative to its entry or, if signed, to the largest entry."""
    scale = np.where(after != 0, np.abs(after).max(initial=0.0), 0.0) if signed else after
    return float(ratio(np.abs(after - before), scale).max())


def power(x: FloatArray, exponent: float) -> FloatArray:
    """Raise each entry to a power, mapping zeros to zero even if the exponent is not positive."""
    if exponent == 1.0:
        return x
    if exponent == 2.0:
        return x * x
    return np.power(x, exponent, out=np.zeros_like(x), where=x != 0)
