r"""Total variation: the exact partition of a signal whose jumps are charged by their height.

Johnson (2013) solves it from left to right. Let :math:`f_i(b)` be the least cost of the coordinates
up to i if :math:`x_i = b`. Its slope never falls, and

.. math:: f_i'(b) = 2 w_i (b - u_i) + \mathrm{clip}(f_{i-1}'(b), -\lambda, \lambda),

so between two *knots* the slope is ``2 (W b - S) + side lam``: W and S are the sums of w and of w u
from the point after the last clipping up to i, and ``side`` says where it was clipped. A piece of
the slope is therefore two small numbers, its first point and its side, that stay as they are when
points are added. Clipping removes knots at both ends and puts one in their place, so the work is
proportional to n. Then :math:`x_i` is :math:`x_{i+1}`, moved between the two places where
:math:`f_i'` was clipped. (Here all slopes are halved, and S comes from sums in double-double.)
"""

from __future__ import annotations

import math

import numpy as np

from rankone._kernel import inlined, kernel
from rankone.checks import check_number
from rankone.cuts._double_double import two_product, two_sum
from rankone.cuts.base import Cut, CutCapabilities
from rankone.cuts.contiguous import Runs, contiguous_partition
from rankone.cuts.input import check_objective
from rankone.cuts.partition import Partition
from rankone.cuts.units import Units
from rankone.typing import FloatArray

#: The least share of the largest sum that a penalty must have.
_RESOLUTION = 2.0**-90

# Columns of the prefix sums: those of w and of w u, each as a double and the rest that it leaves.
_WEIGHT, _WEIGHT_REST, _MOMENT, _MOMENT_REST = range(4)
_N_COLUMNS = 4


class TotalVariation(Cut):
    r"""Partition a signal into contiguous pieces by total variation denoising, exactly.

    .. math:: \min_x \; \sum_i w_i (x_i - u_i)^2 + \lambda \sum_i |x_{i+1} - x_i|

    The pieces on which x is constant are the clusters, numbered by level, then by position. There
    is no factor 1/2. The vector is taken in its given order, in time proportional to its length.

    Parameters
    ----------
    lam : float
        The penalty of the total variation, zero or more.

    See Also
    --------
    Potts : Counts jumps whatever their height, so that levels are not shrunk.

    Notes
    -----
    Levels are not means: each neighbour that a piece jumps to pulls its level by ``lam / 2``,
    divided by the weight of the piece. On a sorted vector only the two ends are pulled and the
    middle is unchanged, so that total variation cannot cluster a sorted vector.

    A coordinate of weight zero takes the value of the last coordinate of positive weight before
    it or, if there is none, of the first after it.

    Levels are accurate up to rounding relative to the range of u.

    References
    ----------
    Johnson (2013), A dynamic programming algorithm for the fused lasso and L0-segmentation, Journal
    of Computational and Graphical Statistics 22.

    Examples
    --------
    >>> from rankone.cuts import TotalVariation
    >>> part = TotalVariation(lam=0.5).cut([0.0, 0.25, 0.0, 4.0, 3.5])
    >>> part.labels
    array([0, 0, 0, 1, 1])
    >>> part.breakpoints
    array([3])
    >>> part.levels.round(3)
    array([0.167, 3.625])
    """

    capabilities = CutCapabilities(("lam",), ordered=True, intervals=False)

    def __init__(self, lam: float) -> None:
        self.lam = lam

    def _cut(self, u: FloatArray, weights: FloatArray | None) -> Partition:
        lam = check_number(self.lam, "lam")
        runs = Runs.of(u, weights)
        x = _denoise(runs.values, runs.weights, lam) if lam else runs.values
        first = np.concatenate([[0], np.flatnonzero(x[1:] != x[:-1]) + 1])
        return contiguous_partition(
            u.size,
            runs.first[first[1:]],
            x[first],
            objective=_objective(runs.values, runs.weights, x, lam),
            lam=lam,
            p=2.0,
            penalty="variation",
        )


def _denoise(u: FloatArray, w: FloatArray, lam: float) -> FloatArray:
    """Return the minimiser, for positive weights."""
    units = Units(u, w, p=1.0)  # lam multiplies heights: it scales like a cost of power 1
    values, own = units.values_in(u), units.weights_in(w)
    low, high, scaled = values.min(), values.max(), units.cost_in(lam)
    # Beyond this penalty x is constant; no larger one may enter, as it could overflow.
    enough = 4.0 * own.sum() * max(abs(low), abs(high))
    if scaled < _RESOLUTION * enough:
        raise ValueError(
            f"lam = {lam:g} is too small for values that are spread so widely: differences of the "
            "sums are lost in rounding. Cut the parts of u one by one."
        )
    x = np.empty(u.size)
    _solve(values, own, 0.5 * min(scaled, enough), x)
    # Rounding must not lift a level above the largest value, or push it below the least.
    return units.values_out(np.clip(x, low, high))


@kernel
def _solve(u, w, half, x):
    """Fill x with the minimiser; ``half`` is ``lam / 2``."""
    n = u.size
    sums = _prefix_sums(u, w)
    low, high = np.empty(n), np.empty(n)
    # The slope right of knot k sums the points from first[k] on and was clipped on side[k].
    knot, first, side = np.empty(2 * n), np.empty(2 * n, np.int64), np.empty(2 * n, np.int64)
    left, right = n, n - 1
    for i in range(n):
        # Left of all knots the slope was clipped at -lam just before i (before 0 it was zero).
        start, sign = i, -1 if i else 0
        target = -1 if i < n - 1 else 0
        b = _crossing(u, w, sums, i, start, sign, target, half)
        while left <= right and b > knot[left]:
            start, sign = first[left], side[left]
            left += 1
            b = _crossing(u, w, sums, i, start, sign, target, half)
        left -= 1
        low[i], knot[left], first[left], side[left] = b, b, start, sign

        b = _crossing(u, w, sums, i, first[right], side[right], 1, half)
        while right > left and b < knot[right]:
            right -= 1
            b = _crossing(u, w, sums, i, first[right], side[right], 1, half)
        right += 1
        high[i] = max(b, low[i])
        knot[right], first[right], side[right] = high[i], i + 1, 1
    x[n - 1] = low[n - 1]
    for i in range(n - 2, -1, -1):
        x[i] = min(max(x[i + 1], low[i]), high[i])


@inlined
def _crossing(u, w, sums, i, start, side, target, half):
    """Return where a piece of the slope at point i has the value ``target * half``."""
    pull = (target - side) * half
    if start == i:
        return u[i] + pull / w[i]
    weight = _sum_between(sums, start, i + 1, _WEIGHT)
    moment = _sum_between(sums, start, i + 1, _MOMENT)
    return (moment + pull) / weight


@inlined
def _sum_between(sums, first, last, column):
    """Return a sum over the points ``first <= t < last``."""
    rest = sums[last, column + 1] - sums[first, column + 1]
    return (sums[last, column] - sums[first, column]) + rest


@kernel
def _prefix_sums(u, w):
    """Return the sums of w and of w u before each point, each as a double and its rest."""
    sums = np.zeros((u.size + 1, _N_COLUMNS))
    for i in range(u.size):
        product, rest = two_product(w[i], u[i])
        sums[i + 1, _WEIGHT], error = two_sum(sums[i, _WEIGHT], w[i])
        sums[i + 1, _WEIGHT_REST] = sums[i, _WEIGHT_REST] + error
        sums[i + 1, _MOMENT], error = two_sum(sums[i, _MOMENT], product)
        sums[i + 1, _MOMENT_REST] = sums[i, _MOMENT_REST] + (error + rest)
    return sums


def _objective(u: FloatArray, w: FloatArray, x: FloatArray, lam: float) -> float:
    """Return the objective, without intermediate overflow or underflow."""
    units = Units(u, w, p=2.0)
    values, denoised = units.values_in(u), units.values_in(x)
    with np.errstate(under="ignore"):
        fit = float((units.weights_in(w) * (denoised - values) ** 2).sum())
    mantissa, exponent = math.frexp(lam)
    with np.errstate(over="ignore", under="ignore"):
        variation = mantissa * float(np.abs(np.diff(denoised)).sum())
        penalty = float(np.ldexp(variation, exponent + units.exponent))
    return check_objective(units.cost_out(fit) + penalty, 2.0)
