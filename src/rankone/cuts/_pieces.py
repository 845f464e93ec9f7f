r"""What one piece of a sorted vector costs.

The points ``start <= t < end`` of the sorted values ``x`` with weights ``w``, as one piece, cost

.. math:: c(start, end) = \min_m \sum_{start \le t < end} w_t |x_t - m|^p.

For p = 1 and p = 2 it follows from the sums of the two nodes between which the piece lies (see
``_nodes``); for other p, see ``_powers``. A *rough* cost is the same in plain doubles, in a
third of the time; for p = 1 and 2, `rough_error` bounds its error.

Numba counts references to arrays that are taken out of a tuple, except in functions compiled as
`inlined`: in loops, only these do so.
"""

from __future__ import annotations

import numpy as np

from rankone._kernel import inlined, kernel
from rankone.cuts._double_double import two_product, two_sum
from rankone.cuts._nodes import (
    END_LUMP,
    MOMENT,
    MOMENT_REST,
    POSITION,
    SQUARES,
    START_LUMP,
    WEIGHT,
    WEIGHT_REST,
    end_column,
    first_position,
    last_position,
    position_nodes,
    sums_before,
)
from rankone.cuts._powers import PowerPiece, best_level

#: The share by which the cost of other powers may exceed the least.
_POWER_TOLERANCE = 2.0**-52


@kernel
def rough_error(points):
    """Bound the error of the difference of two rough costs, for p = 1 and 2 from large sums."""
    values, weights, p = points.values, points.weights, points.p
    if p != 1.0 and p != 2.0:
        return 0.0
    weight = weights.sum() if weights.size else float(values.size)
    return 2.0**-48 * weight * max(abs(values[0]), abs(values[-1])) ** p


@inlined
def _is_empty(nodes, i, j):
    """Return whether a piece lies inside a cell, or between two cells that touch."""
    if end_column(nodes) == 0 or j != i + 1:
        return False
    return i % 2 == 1 or (i > 0 and last_position(nodes, i) == first_position(nodes, j))


@inlined
def piece_cost(points, nodes, i, j):
    """Return the cost of the piece from node ``i`` to node ``j > i``."""
    if _is_empty(nodes, i, j):
        return 0.0
    if points.p == 2.0:
        return _squared_cost(nodes, i, j, end_column(nodes))
    if points.p == 1.0:
        return _absolute_cost(points, nodes, i, j, end_column(nodes))
    return _power_cost(points, nodes, i, j, end_column(nodes))


@inlined
def rough_cost(points, nodes, i, j):
    """Return an approximation of the cost of the piece from node ``i`` to node ``j > i``."""
    if _is_empty(nodes, i, j):
        return 0.0
    if points.p == 2.0:
        return _rough_squared_cost(nodes, i, j, end_column(nodes))
    if points.p == 1.0:
        return _rough_absolute_cost(points, nodes, i, j, end_column(nodes))
    return _power_cost(points, nodes, i, j, end_column(nodes))


@inlined
def _rough_squared_cost(nodes, i, j, end):
    w = nodes[j, end + WEIGHT] - nodes[i, WEIGHT]
    s = nodes[j, end + MOMENT] - nodes[i, MOMENT]
    return (nodes[j, end + SQUARES] - nodes[i, SQUARES]) - s * s / w


@inlined
def _rough_absolute_cost(points, nodes, i, j, end):
    h, m = _median(points, nodes, i, j, 0.5 * (nodes[i, WEIGHT] + nodes[j, end + WEIGHT]), 0.0)
    if end == 0 and nodes.shape[0] == points.values.size + 1:  # all positions are there
        w, s = nodes[h, WEIGHT], nodes[h, MOMENT]
    else:
        w, s = sums_before(points, h)
    excess = (w - nodes[i, WEIGHT]) - (nodes[j, end + WEIGHT] - w)
    return ((nodes[j, end + MOMENT] - s) - (s - nodes[i, MOMENT])) + m * excess


@inlined
def _squared_cost(nodes, i, j, end):
    """Return ``sum w (x - m)^2`` about the mean m."""
    w, w_low = _difference(nodes, i, j, end, WEIGHT)
    s, s_low = _difference(nodes, i, j, end, MOMENT)
    q, q_low = _difference(nodes, i, j, end, SQUARES)
    # m is rounded, so that sum w (x - m) leaves a rest, and sum w (x - m)^2 = q - m (s + rest).
    m = (s + s_low) / (w + w_low)
    product, error = two_product(m, w)
    rest = ((s - product) - error) + (s_low - m * w_low)
    product, error = two_product(m, s)
    return max(0.0, (q - product) + ((q_low - error) - m * (s_low + rest)))


@inlined
def _absolute_cost(points, nodes, i, j, end):
    """Return ``sum w |x - m|`` about a median m: the sum above it less the sum below."""
    values, weights, sums = points.values, points.weights, points.sums
    w, error = two_sum(nodes[i, WEIGHT], nodes[j, end + WEIGHT])
    w_low = error + (nodes[i, WEIGHT_REST] + nodes[j, end + WEIGHT_REST])
    h, m = _median(points, nodes, i, j, 0.5 * w, 0.5 * w_low)
    b = h >> points.bits
    w, w_low = sums[b, WEIGHT], sums[b, WEIGHT_REST]
    s, s_low = sums[b, MOMENT], sums[b, MOMENT_REST]
    if weights.size:
        for t in range(b << points.bits, h):
            wx, wx_error = two_product(weights[t], values[t])
            w, error = two_sum(w, weights[t])
            w_low += error
            s, error = two_sum(s, wx)
            s_low += error + wx_error
    else:
        w = h
        for t in range(b << points.bits, h):
            s, error = two_sum(s, values[t])
            s_low += error
    # The sums of what is above less what is below, and m times the excess of weight below.
    total, total_low = _excess_below(nodes, i, j, end, MOMENT, s, s_low)
    excess, excess_low = _excess_below(nodes, i, j, end, WEIGHT, w, w_low)
    product, error = two_product(m, excess)
    return max(0.0, (product - total) + ((error + m * excess_low) - total_low))


@inlined
def _difference(nodes, i, j, end, column):
    """Return the sum over the points of a piece, as a double and its rest."""
    total, error = two_sum(nodes[j, end + column], -nodes[i, column])
    return total, error + (nodes[j, end + column + 1] - nodes[i, column + 1])


@inlined
def _excess_below(nodes, i, j, end, column, x, x_low):
    """Return the sum over a piece below a point less that above, as a double and its rest.

    The sum over all points below that one is ``x + x_low``.
    """
    lower, lower_error = two_sum(x, -nodes[i, column])
    upper, upper_error = two_sum(nodes[j, end + column], -x)
    total, error = two_sum(lower, -upper)
    rest = (x_low - nodes[i, column + 1]) - (nodes[j, end + column + 1] - x_low)
    return total, error + ((lower_error - upper_error) + rest)


@kernel
def medians(points, positions):
    """Return the points between which the medians of pieces are, mostly one and the same."""
    nodes = position_nodes(points, positions)
    lower = np.empty(positions.size - 1, np.int64)
    upper = np.empty(positions.size - 1, np.int64)
    for i in range(lower.size):
        t = median_point(points, nodes, i, i + 1)
        below = points.sums[t, WEIGHT] - nodes[i, WEIGHT]
        above = nodes[i + 1, WEIGHT] - points.sums[t, WEIGHT]
        lower[i] = upper[i] = t
        if t > positions[i] and below == above:
            lower[i] = t - 1
    return lower, upper


@inlined
def median_point(points, nodes, i, j):
    """Return the point that a median of the piece between two positions is in."""
    w, error = two_sum(nodes[i, WEIGHT], nodes[j, WEIGHT])
    w_low = error + (nodes[i, WEIGHT_REST] + nodes[j, WEIGHT_REST])
    first, last = last_position(nodes, i), first_position(nodes, j)
    h = _point_at_weight(points, 0.5 * w, 0.5 * w_low, first, last)
    return min(max(h, first), last - 1)


@inlined
def _median(points, nodes, i, j, half, half_low):
    """Return the first point that is not below a median, and the median, of a piece.

    It is where the running weight passes ``half + half_low``.
    """
    first, last = last_position(nodes, i), first_position(nodes, j)
    h = _point_at_weight(points, half, half_low, first, last)
    # It may be in a lump, on the value before the first or after the last point.
    lowest = first - 1 if i % 2 == 1 and first > first_position(nodes, i) else first
    highest = last if j % 2 == 0 and last < last_position(nodes, j) else last - 1
    h = min(max(h, lowest), highest)
    if h < first:
        return first, points.highs[h]
    return h, points.lows[h] if h >= last else points.values[h]


@inlined
def _point_at_weight(points, weight, weight_low, first, last):
    """Return the point t on which the running weight passes ``weight + weight_low``.

    Where that is outside ``first <= t < last``, some t below ``first`` or not below ``last``.
    """
    weights, sums = points.weights, points.sums
    if weights.size == 0:
        return int(weight)
    bits = points.bits
    low, high = first >> bits, ((last - 1) >> bits) + 1
    if points.steps.size:
        step = int(weight / sums[-1, WEIGHT] * points.steps.shape[0])
        step = min(max(step, 0), points.steps.shape[0] - 1)
        low = min(max(low, points.steps[step, 0]), max(low, high - 1))
        high = max(low + 1, min(high, points.steps[step, 1]))
    while high - low > 1:
        b = (low + high) // 2
        if (sums[b, WEIGHT] - weight) + (sums[b, WEIGHT_REST] - weight_low) <= 0.0:
            low = b
        else:
            high = b
    w, w_low = sums[low, WEIGHT], sums[low, WEIGHT_REST]
    if (w - weight) + (w_low - weight_low) > 0.0:
        return first - 1
    t = low << bits
    while t < last:
        w, error = two_sum(w, weights[t])
        w_low += error
        if (w - weight) + (w_low - weight_low) > 0.0:
            break
        t += 1
    return t


@kernel
def _power_cost(points, nodes, i, j, end):
    """Return ``min_m sum w |x - m|^p``, looking for m around the mean."""
    values, p = points.values, points.p
    first, last = int(nodes[i, POSITION]), int(nodes[j, end + POSITION])
    low_lump = nodes[i, START_LUMP] if end else 0.0
    high_lump = nodes[j, END_LUMP] if end else 0.0
    low = values[first - 1] if low_lump > 0.0 else values[first]
    high = values[last] if high_lump > 0.0 else values[last - 1]
    weight = nodes[j, end + WEIGHT] - nodes[i, WEIGHT]
    mean = (nodes[j, end + MOMENT] - nodes[i, MOMENT]) / weight if weight > 0.0 else low
    guess = min(max(mean, low), high)
    piece = PowerPiece(
        values, points.weights, points.blocks, first, last, low, low_lump, high, high_lump, guess, p
    )
    _, cost = best_level(piece, _POWER_TOLERANCE)
    return cost * (high - low) ** p
