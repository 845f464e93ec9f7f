r"""Sums of powers of distances, ``sum w |x - m|^q``, over any run of sorted points.

Points that are far from m, relative to how far they are from each other, need not be read one by
one. Let a block of points lie within r of its centre c, and :math:`x = c + r s`. With
:math:`D = |c - m|` and :math:`\rho = \pm r / D`, the sign being that of :math:`c - m`,

.. math:: \sum w |x - m|^q = D^q \sum_k \binom{q}{k} \rho^k M_k, \qquad M_k = \sum w s^k

which converges like :math:`|\rho|^k`. The moments of blocks of 8, 16, 32, ... points are computed
once. A run of points is then a number of blocks that grows with its logarithm: large ones far from
m, smaller ones nearer to it, and a few points in its neighbourhood.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rankone._kernel import inlined, kernel
from rankone.typing import FloatArray, IntArray

#: Points of the smallest blocks, and the logarithm of their number.
LEAF, LEAF_BITS = 8, 3

#: Moments of a block: enough for the ratios of `_largest_ratio`.
_MOMENTS = 32

#: Terms of a series below this are rounding.
_NEGLIGIBLE = 2.0**-57

#: The least distance, as a share of the range, at which a point counts in second derivatives:
#: those of powers below 2 are infinite at every point, but only there.
_CLOSEST = 2.0**-12


class Blocks(NamedTuple):
    """Blocks of points on several levels, each twice as large as the ones on the level before.

    Attributes
    ----------
    offsets : ndarray
        Where the blocks of each level begin, and where all end.
    centres, radii : ndarray
        The middle, and half the width, of the range of each block.
    moments : ndarray
        One row for each block.
    """

    offsets: IntArray
    centres: FloatArray
    radii: FloatArray
    moments: FloatArray


class PowerPiece(NamedTuple):
    """A run of points, and lumps of weight on the ends of its range.

    Attributes
    ----------
    values, weights : ndarray
        Of all points.
    blocks : Blocks
    first, last : int
        The points ``first <= t < last`` belong to the piece.
    low, low_lump, high, high_lump : float
        The ends of its range, and the weights on them.
    guess : float
        Where to look for the level first, within the range.
    p : float
    """

    values: FloatArray
    weights: FloatArray
    blocks: Blocks
    first: int
    last: int
    low: float
    low_lump: float
    high: float
    high_lump: float
    guess: float
    p: float


class PowerSums(NamedTuple):
    """What is known of ``sum w |x - m|^p`` at a level m, all in units of a given length.

    Attributes
    ----------
    cost : float
        The sum itself.
    slope : float
        Its derivative in m, divided by p.
    curvature : float
        Roughly its second derivative, divided by p.
    """

    cost: float
    slope: float
    curvature: float


def blocks_of(values: FloatArray, weights: FloatArray, p: float) -> Blocks:
    """Return the blocks of sorted values; none for powers 1 and 2, which do without."""
    n_levels = 0 if p in (1.0, 2.0) else max(0, values.size.bit_length() - LEAF_BITS)
    numbers = [values.size >> (LEAF_BITS + level) for level in range(n_levels)]
    offsets = np.cumsum([0, *numbers]).astype(np.int64)
    shape = int(offsets[-1])
    blocks = Blocks(offsets, np.empty(shape), np.empty(shape), np.zeros((shape, _MOMENTS)))
    _fill_moments(values, weights, blocks)
    return blocks


@kernel
def no_blocks():
    """Return no blocks: every point is read."""
    return Blocks(np.zeros(1, np.int64), np.empty(0), np.empty(0), np.empty((0, _MOMENTS)))


@kernel
def _fill_moments(values, weights, blocks):
    for level in range(blocks.offsets.size - 1):
        size = LEAF << level
        for b in range(blocks.offsets[level], blocks.offsets[level + 1]):
            first = (b - blocks.offsets[level]) * size
            low, high = values[first], values[first + size - 1]
            centre = low + 0.5 * (high - low)
            radius = max(high - centre, centre - low)
            blocks.centres[b], blocks.radii[b] = centre, radius
            for t in range(first, first + size):
                term = weights[t] if weights.size else 1.0
                share = (values[t] - centre) / radius
                for k in range(_MOMENTS):
                    blocks.moments[b, k] += term
                    term *= share


@inlined
def _largest_ratio(p):
    """Return the largest r / D of a block that is summed by its moments.

    Terms fall off by themselves up to 1/3; for large powers, binomial coefficients must not grow
    faster than that, or the sum would be less accurate than its terms.
    """
    return min(1.0 / 3.0, 2.0 / p)


@kernel
def best_level(piece, tolerance):
    """Return the m with the least ``sum w |x - m|^p``, and the sum, in units of the range.

    Newton's method on the derivative, within a bracket that is halved where that is too slow. The
    sum is convex, so that it exceeds the least by no more than its slope times the bracket: it ends
    where that is a share of ``tolerance``, or rounding.
    """
    a, b = piece.low, piece.high
    unit = b - a if b > a else 1.0
    m, step_before = piece.guess, unit
    while True:
        sums = _lumped_sums(piece, m, unit)
        if sums.slope > 0.0:
            b = m
        else:
            a = m
        excess = piece.p * abs(sums.slope) * ((b - a) / unit)
        if excess <= tolerance * sums.cost:
            return m, sums.cost
        step = unit * sums.slope / sums.curvature if sums.curvature > 0.0 else np.inf
        guess = m - step
        if not a < guess < b or abs(step) > 0.5 * step_before:
            if guess == m:
                return m, sums.cost
            guess = a + 0.5 * (b - a)
            step = m - guess
            if not a < guess < b:
                return m, sums.cost
        m, step_before = guess, abs(step)


@kernel
def _lumped_sums(piece, m, unit):
    """Return the sums of a piece, its lumps included."""
    sums = power_sums(
        piece.values, piece.weights, piece.blocks, piece.first, piece.last, m, unit, piece.p
    )
    low = _near_sums(piece.low_lump, (m - piece.low) / unit, piece.p)
    high = _near_sums(piece.high_lump, (m - piece.high) / unit, piece.p)
    return PowerSums(
        sums.cost + (low[0] + high[0]),
        sums.slope + (low[1] + high[1]),
        sums.curvature + (low[2] + high[2]),
    )


@kernel
def power_sums(values, weights, blocks, first, last, m, unit, p):
    """Return the `PowerSums` of the points ``first <= t < last``, in units of length."""
    cost = slope = curvature = 0.0
    ratio = _largest_ratio(p)
    t = first
    while t < last:
        level = _fitting_level(blocks, t, last)
        b = 0
        while level >= 0:
            b = blocks.offsets[level] + (t >> (LEAF_BITS + level))
            if blocks.radii[b] <= ratio * abs(blocks.centres[b] - m):
                break
            level -= 1
        if level >= 0:
            far = _far_sums(blocks.moments[b], blocks.centres[b] - m, blocks.radii[b], unit, p)
            cost, slope, curvature = cost + far[0], slope + far[1], curvature + far[2]
            t += LEAF << level
        else:
            end = min(last, (t >> LEAF_BITS << LEAF_BITS) + LEAF)
            for s in range(t, end):
                near = _near_sums(weights[s] if weights.size else 1.0, (m - values[s]) / unit, p)
                cost, slope, curvature = cost + near[0], slope + near[1], curvature + near[2]
            t = end
    return PowerSums(cost, slope, curvature)


@inlined
def _fitting_level(blocks, t, last):
    """Return the level of the largest block that begins at a point and ends in time; -1 if none."""
    level = -1
    while (
        level + 2 < blocks.offsets.size
        and t & ((LEAF << (level + 1)) - 1) == 0
        and t + (LEAF << (level + 1)) <= last
    ):
        level += 1
    return level


@inlined
def _near_sums(w, d, p):
    """Return what a single point adds to the sums, given how far m is above it."""
    distance = abs(d)
    power = w * distance ** (p - 1.0)
    apart = max(distance, _CLOSEST) if p < 2.0 else distance
    bent = (p - 1.0) * w * apart ** (p - 2.0)
    return power * distance, power if d > 0.0 else -power, bent


@inlined
def _far_sums(moments, above, radius, unit, p):
    """Return what a block adds to the sums, given how far its centre is above m."""
    distance = abs(above)
    ratio = radius / distance if above > 0.0 else -radius / distance
    # The powers p, p - 1 and p - 2: the sum, and up to factors its derivatives.
    term, term_1, term_2 = 1.0, 1.0, 1.0
    total = total_1 = total_2 = 0.0
    for k in range(_MOMENTS):
        total += term * moments[k]
        total_1 += term_1 * moments[k]
        total_2 += term_2 * moments[k]
        step = ratio / (k + 1)
        term *= (p - k) * step
        term_1 *= (p - 1.0 - k) * step
        term_2 *= (p - 2.0 - k) * step
        if abs(term) + abs(term_1) + abs(term_2) < _NEGLIGIBLE:
            break
    distance /= unit
    power = distance ** (p - 2.0)
    slope = power * distance * total_1
    return (
        power * distance * distance * total,
        -slope if above > 0.0 else slope,
        (p - 1.0) * power * total_2,
    )
