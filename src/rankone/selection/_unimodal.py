r"""The closest unimodal distribution function to that of a sample.

**The problem.** A distribution function G is unimodal if it is convex up to a mode and concave
from there on; it may jump at the mode. The dip is the smallest :math:`\delta` for which some
unimodal G stays within :math:`F \pm \delta`, where F is the empirical distribution function.

**Lower bounds.** Left of the mode, G is convex and at most :math:`F + \delta`, hence at most
:math:`C + \delta`, where C is the greatest convex minorant of F. Since G is also at least
:math:`F - \delta`, it follows that :math:`F - C \le 2\delta`. Right of the mode, likewise,
:math:`A - F \le 2\delta`, where A is the least concave majorant of F.

**When to stop.** Given an interval that contains the mode, let C and A belong to the points within
it. If :math:`A - C \le 2\delta` throughout, a straight line separates the concave
:math:`A - \delta` from the convex :math:`C + \delta`. It is within :math:`F \pm \delta`, so that
the interval adds nothing to the dip.

**The rounds.** :math:`A - C` is concave. Where it is largest, at a knot of C say, both have a slope
s in common. If it is larger than :math:`2\delta` there, the mode is between this knot and the next
knot of A on its right:

- G is below :math:`A - \delta` at the former and not at the latter, so that it rises faster than s
  between the two.
- If the mode is further left, G is concave from there on, hence rises faster than s up to the knot
  of C, and is at most :math:`C + \delta`. It can be replaced by :math:`C + \delta` up to the knot,
  and then by the line of slope s until this meets G, without leaving :math:`F \pm \delta`.
- If the mode is further right, G is convex up to there, and the same holds with the roles of C and
  A, and of left and right, exchanged.

So each round narrows the interval. What :math:`F - C` and :math:`A - F` reach in the parts that are
given up is a lower bound of :math:`2\delta`. The rounds end when :math:`A - C` does not exceed the
largest of these bounds, or when a single value is left, at which G may jump.

**Cost.** A of a sample is C of the mirrored sample, so that one set of functions serves both sides.
The minorants of the first j points, for all j, form a tree in which each point knows the knot
before it (Graham's scan). A knot remains one when other points are removed, so that the minorant of
each interval is a path in this tree. Each point is given up once, and a round visits the remaining
knots. Rounds are few: fewer than ten on Gaussian samples. Rounds that give up few points need gaps
that shrink geometrically, so that their number is limited by the range of exponents (about 140 if
gaps shrink by 1e300), not by n.

References
----------
Hartigan and Hartigan, "The dip test of unimodality", Annals of Statistics 13 (1985).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rankone._kernel import inlined, kernel
from rankone.cuts.units import Units
from rankone.typing import FloatArray, IntArray


def dip_and_valley(values: FloatArray) -> tuple[float, float]:
    """Return the dip of a sample, and a value in the valley that makes it, NaN if there is none."""
    ordered = np.sort(values)
    units = Units(ordered[[0, -1]], np.empty(0), 1.0)
    ordinary = units.values_in(ordered)
    firsts = np.concatenate([[0], np.flatnonzero(np.diff(ordinary)) + 1])
    below = np.append(firsts, ordinary.size).astype(np.float64)
    twice, valley = closest_unimodal(ordinary[firsts], below)
    return twice / (2 * ordinary.size), float(units.values_out(valley))


class _Side(NamedTuple):
    """A sample, as seen from one end.

    values : distinct, increasing
    below : the number of sample points below each value, and at the end that of all
    previous : for each value, the knot before it on the minorant of all values up to it
    """

    values: FloatArray
    below: FloatArray
    previous: IntArray


@kernel
def closest_unimodal(values, below):
    """Return twice the dip in units of one sample point, and where the valley is.

    The valley is the middle between the point where the deviation is attained and the next knot
    towards the mode: F grows less there than on either side. It is NaN if there is one value only.
    """
    left = _side(values, below)
    right = _side(-values[::-1], below[-1] - below[::-1])
    last = values.size - 1
    from_left = from_right = 0  # how many values each side has given up
    bound, valley = 0.0, np.nan
    while from_left + from_right < last:
        convex = _knots(left, from_left, last - from_right)
        concave = _knots(right, from_right, last - from_left)
        gap, next_left, next_right = _widest_gap(left, convex, right, concave)
        mirrored_gap, mirrored_right, mirrored_left = _widest_gap(right, concave, left, convex)
        if max(gap, mirrored_gap) <= bound:
            break
        if mirrored_gap > gap:
            next_left, next_right = mirrored_left, mirrored_right
        deviation, place = _largest_deviation(left, convex, next_left)
        if deviation > bound:
            bound, valley = deviation, place
        deviation, place = _largest_deviation(right, concave, next_right)
        if deviation > bound:
            bound, valley = deviation, -place
        from_left, from_right = next_left, next_right
    return bound, valley


@kernel
def _side(values, below):
    """Return a side, with the tree of its convex minorants."""
    previous = np.zeros(values.size, np.int64)
    for j in range(1, values.size):
        k = j - 1
        while k > 0 and _is_above(values, below, previous[k], k, j):
            k = previous[k]
        previous[j] = k
    return _Side(values.copy(), below.copy(), previous)


@inlined
def _is_above(values, below, i, k, j):
    """Return whether point k is on or above the line from point i to point j."""
    return (below[k] - below[i]) * (values[j] - values[k]) >= (below[j] - below[k]) * (
        values[k] - values[i]
    )


@kernel
def _knots(side, first, last):
    """Return the knots of the convex minorant from ``first``, which is one of them, to ``last``."""
    knots = np.empty(last - first + 1, np.int64)
    k, knot = knots.size - 1, last
    while knot > first:
        knots[k] = knot
        k -= 1
        knot = side.previous[knot]
    knots[k] = first  # rounding may pass it by
    return knots[k:]


@inlined
def _height(side, start, end, i):
    """Return the height at point i of the line between the points ``start`` and ``end``."""
    values, below = side.values, side.below
    share = (values[i] - values[start]) / (values[end] - values[start])
    return below[start] + share * (below[end] - below[start])


@kernel
def _widest_gap(side, knots, mirror, mirror_knots):
    """Return the widest gap between minorant and majorant at a knot of the minorant.

    With it come that knot and the next knot of the majorant towards the mode, each counted from its
    own side.
    """
    last, total = side.values.size - 1, side.below[-1]
    widest, best, opposite = -1.0, 0, 0
    k = mirror_knots.size - 1
    for knot in knots:
        i = last - knot  # the same point, counted from the other side
        while mirror_knots[k] > i:
            k -= 1
        height = mirror.below[i]
        if mirror_knots[k] < i:
            height = _height(mirror, mirror_knots[k], mirror_knots[k + 1], i)
        gap = total - height - side.below[knot]
        if gap > widest:
            widest, best, opposite = gap, knot, mirror_knots[k]
    return widest, best, opposite


@kernel
def _largest_deviation(side, knots, end):
    """Return how far F is above its minorant before the knot ``end``, at most, and the valley."""
    largest, valley = 0.0, np.nan
    k = 0
    while knots[k] < end:
        start, stop = knots[k], knots[k + 1]
        for i in range(start, stop):
            deviation = side.below[i + 1] - _height(side, start, stop, i)
            if deviation > largest:
                largest, valley = deviation, side.values[i] / 2 + side.values[stop] / 2
        k += 1
    return largest, valley
