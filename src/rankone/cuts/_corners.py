r"""Bounds for p = 1 and 2, in plain doubles: each cell is a single node.

Let C(w) be the sum of the least values of total weight w: a convex curve, whose slope at w is the
value there. A cut is a point (w, s) of it. A piece between two cuts costs

.. math::
    s_i + s_j - 2 C\left(\frac{w_i + w_j}2\right) \quad (p = 1), \qquad
    \sum w x^2 - \frac{(s_j - s_i)^2}{w_j - w_i} \quad (p = 2).

With given levels, m below a cut and m' above it, the cut adds ``s - c w`` to the cost, but for a
positive factor, where c is the middle of m and m'. In the best partition c lies between the values
next to the cut. So let the slopes of two tangents of C be the ends of a cell, with c between them.
They are below the curve, and ``s - c w`` falls along the first and rises along the second: where
they meet, at the *corner*, it is less than at any cut of the cell. The path through corners that
costs least, with the best levels, bounds all best partitions that cut in their cells.

For p = 2 a corner is what becomes of a cell if its points are stretched onto its two ends and keep
their weight and their mean. For p = 1, where only the sums of an interval of values are known, C is
replaced by its chord, which is above it.

Costs are Monge, as C is convex and corners of ascending cells are on a convex curve as well. The
sum of ``w x^2`` is the same for all partitions; what a piece costs without it, with the opposite
sign, is its *gain*.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rankone._kernel import inlined, kernel
from rankone.cuts._monge import next_node, walk_back
from rankone.cuts._nodes import MOMENT, SQUARES, WEIGHT, Points, position_nodes, sums_before
from rankone.cuts._pieces import rough_error
from rankone.typing import FloatArray

#: The penalty must be this many times as large as the errors of gains may add up to.
_ENOUGH = 64.0


class Corners(NamedTuple):
    """The sums of w and of w x before each node, from nothing to everything."""

    points: Points
    weights: FloatArray
    moments: FloatArray


@kernel
def are_precise(points, lam, n_cuts):
    """Return whether bounds by corners are precise enough for a penalty and about so many cuts."""
    return has_gains(points) and lam > _ENOUGH * _error(points, n_cuts)


@inlined
def has_gains(points):
    """Return whether costs follow from sums."""
    return points.p == 1.0 or points.p == 2.0


@inlined
def _error(points, n_cuts):
    """Bound the error of the gain of a path."""
    return (n_cuts + 8.0) * rough_error(points)


@kernel
def best_of_positions(points, lam, positions):
    """Return the indices of the positions at which a good partition cuts, and a count."""
    corners = _empty_corners(points, positions.size)
    for i in range(positions.size):
        corners.weights[i + 1], corners.moments[i + 1] = sums_before(points, positions[i])
    _, before, count = _largest_gains(corners, lam, np.int64(1))
    return walk_back(before) - 1, count


@kernel
def bounds_by_corners(points, lam, low, high):
    """Bound the objective of the best partitions that cut in each cell, and that of all.

    Also return the cuts of a good partition, and a count. A cell has the points from ``low`` to
    ``high - 1``: a cut in it is above the point before these, and below the point after.
    """
    corners = _empty_corners(points, low.size)
    for g in range(low.size):
        corners.weights[g + 1], corners.moments[g + 1] = _corner(points, low[g], high[g])
    to, before, count = _largest_gains(corners, lam, np.int64(1))
    since, _, count_back = _largest_gains(corners, lam, np.int64(-1))
    path = walk_back(before)
    least = -_error(points, path.size) - lam
    if points.p == 2.0:
        least += position_nodes(points, np.array([points.values.size]))[0, SQUARES]
    bounds = least - (to + since)[1:-1]
    cuts = _cuts_near(corners, low, high, path)
    return bounds, least - to[-1], cuts, count + count_back


@inlined
def _corner(points, low, high):
    """Return where the tangents meet that touch the curve below and above a cell."""
    w, s = sums_before(points, low)
    w_high, s_high = sums_before(points, high)
    a, b = points.highs[low - 1], points.lows[high]
    share = w_high - w
    if b > a:
        share = min(max((b * share - (s_high - s)) / (b - a), 0.0), share)
    return w + share, s + share * a


@kernel
def _empty_corners(points, n):
    """Return n nodes, to be filled, between the two ends."""
    corners = Corners(points, np.zeros(n + 2), np.zeros(n + 2))
    corners.weights[-1], corners.moments[-1] = sums_before(points, points.values.size)
    return corners


@kernel
def _cuts_near(corners, low, high, path):
    """Return positions of the cells on a path, so that the weight below is about that of corners.

    Positions of a cell are taken to be equally heavy.
    """
    cuts = np.empty(path.size, np.int64)
    count = 0
    for i in path:
        first, last = low[i - 1], high[i - 1]
        below, _ = sums_before(corners.points, first)
        beyond, _ = sums_before(corners.points, last)
        share = (corners.weights[i] - below) / (beyond - below) if beyond > below else 0.0
        cut = first + int(share * (last - first) + 0.5)
        if count == 0 or cut > cuts[count - 1]:
            cuts[count] = cut
            count += 1
    return cuts[:count].copy()


@kernel
def _largest_gains(corners, lam, direction):
    """Return the largest gain, less penalties, of a path to each node, the node before, a count.

    In direction -1, of a path from each node, and the node after it, counted from the end. This is
    the queue of ``_monge`` without its care for rounding.
    """
    end = corners.weights.size - 1
    gains, before = np.zeros(end + 1), np.zeros(end + 1, np.int32)
    # The queue: starts of last pieces, and the first node for which each is the best
    queue, takes_over = np.zeros(end + 1, np.int32), np.zeros(end + 1, np.int32)
    head = tail = tests = 0
    for j in range(1, end + 1):
        while head < tail and takes_over[head + 1] <= j:
            head += 1
        start = queue[head]
        gains[j], before[j] = gains[start] + _gain(corners, start, j, direction) - lam, start
        wins = end + 1  # where j is known to be better than all starts in the queue
        while tail >= head and j < end:
            start, first = queue[tail], max(takes_over[tail], j + 1)
            loses, at, step = first - 1, first, 1
            while True:
                tests += 1
                later = gains[j] + _gain(corners, j, at, direction)
                if later > gains[start] + _gain(corners, start, at, direction):
                    wins = at
                else:
                    step = 2 * step if loses >= first else step
                    loses = at
                if loses + 1 >= wins or loses >= end:
                    break
                at = next_node(loses, wins, step, end)
            if loses >= first:
                break
            tail -= 1  # that start is never the best
        if wins <= end:
            tail += 1
            queue[tail], takes_over[tail] = j, wins
    return gains[::direction].copy(), before, 2 * tests + end


@inlined
def _gain(corners, i, j, direction):
    """Return what the piece between two nodes gains."""
    w, s = corners.weights, corners.moments
    if direction < 0:
        i, j = w.size - 1 - j, w.size - 1 - i
    if corners.points.p == 1.0:
        return 2.0 * _curve(corners.points, 0.5 * (w[i] + w[j])) - (s[i] + s[j])
    weight, moment = w[j] - w[i], s[j] - s[i]
    return moment * moment / weight if weight > 0.0 else 0.0


@inlined
def _curve(points, weight):
    """Return the sum of the least values of a total weight."""
    values, weights, sums = points.values, points.weights, points.sums
    row = _row_at_weight(points, weight)
    left, total = weight - sums[row, WEIGHT], sums[row, MOMENT]
    last = min((row + 1) << points.bits, values.size) - 1
    t = min(row << points.bits, last)  # where the last weights are lost in their sum, row is beyond
    while t < last:
        w = weights[t] if weights.size else 1.0
        if left <= w:
            break
        left -= w
        total += w * values[t]
        t += 1
    return total + left * values[t]


@inlined
def _row_at_weight(points, weight):
    """Return the last row of sums whose weight is at most this."""
    sums = points.sums
    if points.weights.size == 0:
        return int(weight) >> points.bits
    low, high = 0, sums.shape[0]
    if points.steps.size:
        step = int(weight / sums[-1, WEIGHT] * points.steps.shape[0])
        step = min(max(step, 0), points.steps.shape[0] - 1)
        low, high = points.steps[step, 0], min(points.steps[step, 1] + 1, sums.shape[0])
    while high - low > 1:
        middle = (low + high) // 2
        if sums[middle, WEIGHT] <= weight:
            low = middle
        else:
            high = middle
    return low
