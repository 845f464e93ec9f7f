r"""What one piece of a sorted vector costs.

The points ``start <= t < end`` of the sorted values ``x`` with weights ``w``, as one piece, cost

.. math:: c(start, end) = \min_m \sum_{start \le t < end} w_t |x_t - m|^p.

For p = 1 and p = 2 it follows from the prefix sums of ``w``, ``w x`` and ``w x^2``, kept in
double-double arithmetic; other p read the points of the piece. Pieces start and end at *nodes*,
rows of one of two tables:

- *Positions*: the piece is as above.
- *Cells*, runs of positions, for bounds (see ``_monge``): a piece may carry a *lump* at either end,
  extra weight on the value before its first, or after its last point.

A *rough* cost is the same in plain doubles, in a third of the time, and for p = 1 and 2 as wrong as
`rough_error` says.

Kernels take bare arrays, since numba counts references to whatever it takes out of a tuple:
``values`` and ``weights`` (none, an empty array, means ones), and ``sums``, whose row b holds the
sums of w, wx and wx^2 before point ``b * BLOCK``, each as a double and the double it leaves over.
"""

from __future__ import annotations

import numpy as np

from rankone._kernel import inlined, kernel
from rankone.cuts._double_double import two_product, two_sum
from rankone.typing import FloatArray

#: Points between two stored prefix sums: the memory of the sums against the time of a look-up.
BLOCK = 8

#: Blocks that are summed side by side, so that the compiler can use vector instructions.
_LANES = 32

#: Columns of a position: the six sums, and the number of points before.
_POSITION_COLUMNS = 7

#: Columns of a cell: those of a piece that starts here, those of a piece that ends here, and the
#: weights of the lumps of either piece, which are part of its sums.
_CELL_COLUMNS = 2 * _POSITION_COLUMNS + 2
_START_LUMP, _END_LUMP = _CELL_COLUMNS - 2, _CELL_COLUMNS - 1


def prefix_sums(values: FloatArray, weights: FloatArray, p: float) -> FloatArray:
    """Return the ``sums`` of sorted values; those of the squares only if p = 2 asks for them."""
    sums = np.empty((values.size // BLOCK + 1, 6))
    _fill_sums(values, weights, p == 2.0, sums)
    return sums


@kernel
def _fill_sums(values, weights, squares, sums):
    n_blocks = sums.shape[0]
    row = np.zeros(6)
    lanes = np.empty((4, _LANES))
    for b in range(n_blocks):
        _copy(row, sums[b], 6)
        if b == n_blocks - 1:
            break
        if weights.size:
            _add_points(values, weights, b * BLOCK, (b + 1) * BLOCK, row)
        else:
            lane = b % _LANES
            if lane == 0:
                _sum_lanes(values, b * BLOCK, min(_LANES, n_blocks - 1 - b), squares, lanes)
            row[0] += BLOCK
            row[2], error = two_sum(row[2], lanes[0, lane])
            row[3] += error + lanes[1, lane]
            row[4], error = two_sum(row[4], lanes[2, lane])
            row[5] += error + lanes[3, lane]


@kernel
def _sum_lanes(values, first, n_lanes, squares, lanes):
    """Sum x, and x^2 if asked to, over the blocks from point ``first`` on, one block a lane."""
    s, s_low, q, q_low = lanes[0], lanes[1], lanes[2], lanes[3]
    for lane in range(_LANES):
        s[lane] = s_low[lane] = q[lane] = q_low[lane] = 0.0
    for t in range(BLOCK):
        for lane in range(n_lanes):
            s[lane], error = two_sum(s[lane], values[first + lane * BLOCK + t])
            s_low[lane] += error
        if squares:
            for lane in range(n_lanes):
                x = values[first + lane * BLOCK + t]
                square, square_error = two_product(x, x)
                q[lane], error = two_sum(q[lane], square)
                q_low[lane] += error + square_error


@kernel
def _add_points(values, weights, first, last, row):
    """Add the points ``first <= t < last`` to a row of sums."""
    for t in range(first, last):
        _add_lump(row, weights[t] if weights.size else 1.0, values[t])


@kernel
def _add_lump(row, w, x):
    """Add a weight on one value to a row of sums."""
    wx, wx_error = two_product(w, x)
    square, square_error = two_product(wx, x)
    row[0], error = two_sum(row[0], w)
    row[1] += error
    row[2], error = two_sum(row[2], wx)
    row[3] += error + wx_error
    row[4], error = two_sum(row[4], square)
    row[5] += error + (square_error + wx_error * x)


@kernel
def rough_error(values, weights, p):
    """Bound the error of the difference of two rough costs, for p = 1 and 2 from large sums."""
    if p != 1.0 and p != 2.0:
        return 0.0
    weight = weights.sum() if weights.size else float(values.size)
    return 2.0**-48 * weight * max(abs(values[0]), abs(values[-1])) ** p


@kernel
def position_nodes(values, weights, sums, positions):
    """Return the table of positions, ascending, one a row."""
    nodes = np.empty((positions.size, _POSITION_COLUMNS))
    for i in range(positions.size):
        if i and positions[i - 1] >= positions[i] // BLOCK * BLOCK:
            _copy(nodes[i - 1], nodes[i], 6)
            _add_points(values, weights, positions[i - 1], positions[i], nodes[i])
            nodes[i, 6] = positions[i]
        else:
            _fill_position(values, weights, sums, positions[i], nodes[i])
    return nodes


@kernel
def cell_nodes(values, weights, sums, low, high):
    """Return the table of both ends and, between them, cells of positions ``low[g] ... high[g]``.

    A cell is two nodes. At the first, 2g + 1, its points are a lump of the piece that starts there,
    on the cell's highest value; at the second, a lump of the piece that ends there, on its lowest.
    """
    nodes = np.zeros((2 * low.size + 2, _CELL_COLUMNS))
    for g in range(low.size):
        lower, upper = nodes[2 * g + 1], nodes[2 * g + 2]
        _fill_position(values, weights, sums, high[g], lower)
        _fill_position(values, weights, sums, low[g], lower[_POSITION_COLUMNS:])
        _copy(lower, upper, _CELL_COLUMNS)
        lump = (upper[0] - upper[_POSITION_COLUMNS]) + (upper[1] - upper[_POSITION_COLUMNS + 1])
        if high[g] > low[g]:
            _add_lump(lower, -lump, values[high[g] - 1])
            _add_lump(upper[_POSITION_COLUMNS:], lump, values[low[g]])
            lower[_START_LUMP] = upper[_END_LUMP] = lump
    _fill_position(values, weights, sums, values.size, nodes[-1, _POSITION_COLUMNS:])
    return nodes


@kernel
def _fill_position(values, weights, sums, t, row):
    b = t // BLOCK
    _copy(sums[b], row, 6)
    _add_points(values, weights, b * BLOCK, t, row)
    row[6] = t


@inlined
def _copy(source, target, n):
    for i in range(n):
        target[i] = source[i]


@inlined
def end_column(nodes):
    """Return the first column of a piece that ends at a node: not 0 for cells."""
    return _POSITION_COLUMNS if nodes.shape[1] > _POSITION_COLUMNS else 0


@inlined
def last_position(nodes, i):
    """Return the highest position of a node: a piece that starts there has all points beyond."""
    return int(nodes[i, 6])


@inlined
def first_position(nodes, i):
    """Return the lowest position of a node: a piece that ends there has all points before."""
    return int(nodes[i, end_column(nodes) + 6])


@inlined
def _is_inside_a_cell(nodes, i, j):
    return end_column(nodes) > 0 and j == i + 1 and i % 2 == 1


@inlined
def piece_cost(values, weights, sums, nodes, i, j, p):
    """Return the cost of the piece from node ``i`` to node ``j > i``."""
    if _is_inside_a_cell(nodes, i, j):
        return 0.0
    if p == 2.0:
        return _squared_cost(nodes, i, j, end_column(nodes))
    if p == 1.0:
        return _absolute_cost(values, weights, sums, nodes, i, j, end_column(nodes))
    return _power_cost(values, weights, nodes, i, j, end_column(nodes), p)


@inlined
def rough_cost(values, weights, sums, nodes, i, j, p):
    """Return about the cost of the piece from node ``i`` to node ``j > i``."""
    if _is_inside_a_cell(nodes, i, j):
        return 0.0
    if p == 2.0:
        return _rough_squared_cost(nodes, i, j, end_column(nodes))
    if p == 1.0:
        return _rough_absolute_cost(values, weights, sums, nodes, i, j, end_column(nodes))
    return _power_cost(values, weights, nodes, i, j, end_column(nodes), p)


@inlined
def _rough_squared_cost(nodes, i, j, end):
    s = nodes[j, end + 2] - nodes[i, 2]
    return (nodes[j, end + 4] - nodes[i, 4]) - s * s / (nodes[j, end] - nodes[i, 0])


@inlined
def _rough_absolute_cost(values, weights, sums, nodes, i, j, end):
    h, m = _median(values, weights, sums, nodes, i, j, 0.5 * (nodes[i, 0] + nodes[j, end]), 0.0)
    if nodes.shape[0] == values.size + 1:  # all positions are there
        w, s = nodes[h, 0], nodes[h, 2]
    else:
        b = h // BLOCK
        w, s = sums[b, 0], sums[b, 2]
        for t in range(b * BLOCK, h):
            weight = weights[t] if weights.size else 1.0
            w += weight
            s += weight * values[t]
    excess = (w - nodes[i, 0]) - (nodes[j, end] - w)
    return ((nodes[j, end + 2] - s) - (s - nodes[i, 2])) + m * excess


@inlined
def _squared_cost(nodes, i, j, end):
    """Return ``sum w (x - m)^2`` about the mean m."""
    w, error = two_sum(nodes[j, end], -nodes[i, 0])
    w_low = error + (nodes[j, end + 1] - nodes[i, 1])
    s, error = two_sum(nodes[j, end + 2], -nodes[i, 2])
    s_low = error + (nodes[j, end + 3] - nodes[i, 3])
    q, error = two_sum(nodes[j, end + 4], -nodes[i, 4])
    q_low = error + (nodes[j, end + 5] - nodes[i, 5])
    # m is rounded, so that sum w (x - m) leaves a rest, and sum w (x - m)^2 = q - m (s + rest).
    m = (s + s_low) / (w + w_low)
    product, error = two_product(m, w)
    rest = ((s - product) - error) + (s_low - m * w_low)
    product, error = two_product(m, s)
    return max(0.0, (q - product) + ((q_low - error) - m * (s_low + rest)))


@inlined
def _absolute_cost(values, weights, sums, nodes, i, j, end):
    """Return ``sum w |x - m|`` about a median m: the sum above it less the sum below."""
    w, error = two_sum(nodes[i, 0], nodes[j, end])
    w_low = error + (nodes[i, 1] + nodes[j, end + 1])
    h, m = _median(values, weights, sums, nodes, i, j, 0.5 * w, 0.5 * w_low)
    b = h // BLOCK
    w, w_low, s, s_low = sums[b, 0], sums[b, 1], sums[b, 2], sums[b, 3]
    if weights.size:
        for t in range(b * BLOCK, h):
            wx, wx_error = two_product(weights[t], values[t])
            w, error = two_sum(w, weights[t])
            w_low += error
            s, error = two_sum(s, wx)
            s_low += error + wx_error
    else:
        w = h
        for t in range(b * BLOCK, h):
            s, error = two_sum(s, values[t])
            s_low += error
    # The sums of what is above less what is below, and m times the excess of weight below.
    total, total_low = _twice_less(
        s, s_low, nodes[i, 2], nodes[i, 3], nodes[j, end + 2], nodes[j, end + 3]
    )
    excess, excess_low = _twice_less(
        w, w_low, nodes[i, 0], nodes[i, 1], nodes[j, end], nodes[j, end + 1]
    )
    product, error = two_product(m, excess)
    return max(0.0, (product - total) + ((error + m * excess_low) - total_low))


@inlined
def _twice_less(x, x_low, a, a_low, b, b_low):
    """Return ``(x - a) - (b - x)`` of pairs of doubles."""
    lower, lower_error = two_sum(x, -a)
    upper, upper_error = two_sum(b, -x)
    total, error = two_sum(lower, -upper)
    return total, error + ((lower_error - upper_error) + ((x_low - a_low) - (b_low - x_low)))


@inlined
def _median(values, weights, sums, nodes, i, j, half, half_low):
    """Return the first point that is not below a median, and the median, of a piece.

    It is where the running weight passes ``half + half_low``.
    """
    first, last = last_position(nodes, i), first_position(nodes, j)
    h = _point_at_weight(weights, sums, half, half_low, first, last)
    # It may be in a lump, on the value before the first or after the last point.
    lowest = first - 1 if i % 2 == 1 and first > first_position(nodes, i) else first
    highest = last if j % 2 == 0 and last < last_position(nodes, j) else last - 1
    h = min(max(h, lowest), highest)
    return max(h, first), values[h]


@inlined
def _point_at_weight(weights, sums, weight, weight_low, first, last):
    """Return the point t on which the running weight passes ``weight + weight_low``.

    Where that is outside ``first <= t < last``, some t below ``first`` or not below ``last``.
    """
    if weights.size == 0:
        return int(weight)
    low, high = first // BLOCK, (last + BLOCK - 1) // BLOCK
    while high - low > 1:
        b = (low + high) // 2
        if (sums[b, 0] - weight) + (sums[b, 1] - weight_low) <= 0.0:
            low = b
        else:
            high = b
    w, w_low = sums[low, 0], sums[low, 1]
    if (w - weight) + (w_low - weight_low) > 0.0:
        return first - 1
    t = low * BLOCK
    while t < last:
        w, error = two_sum(w, weights[t])
        w_low += error
        if (w - weight) + (w_low - weight_low) > 0.0:
            break
        t += 1
    return t


@kernel
def _power_cost(values, weights, nodes, i, j, end, p):
    """Return ``min_m sum w |x - m|^p`` from the points themselves."""
    first, last = int(nodes[i, 6]), int(nodes[j, end + 6])
    low_lump = nodes[i, _START_LUMP] if end else 0.0
    high_lump = nodes[j, _END_LUMP] if end else 0.0
    low = values[first - 1] if low_lump > 0.0 else values[first]
    high = values[last] if high_lump > 0.0 else values[last - 1]
    points, own = values[first:last], weights[first:last]
    m = power_level(points, own, p, low, low_lump, high, high_lump, 1e-15 * (high - low))
    # In units of the range, no power of a distance is too small that matters.
    scale = 1.0 / (high - low) if high > low else 1.0
    total = low_lump * ((m - low) * scale) ** p + high_lump * ((high - m) * scale) ** p
    for t in range(points.size):
        total += (own[t] if own.size else 1.0) * (abs(points[t] - m) * scale) ** p
    return total * (high - low) ** p


@kernel
def power_level(points, weights, p, low, low_lump, high, high_lump, tolerance):
    """Return the m that minimises ``sum w |x - m|^p``, by Ridders' method on the derivative.

    The lumps are weights on ``low`` and on ``high``, between which m lies.
    """
    a, b = low, high
    slope_a = _power_slope(points, weights, p, low, low_lump, high, high_lump, a)
    slope_b = _power_slope(points, weights, p, low, low_lump, high, high_lump, b)
    m = a
    while slope_a < 0.0 < slope_b:
        middle = a + 0.5 * (b - a)
        if not a < middle < b:  # one of them may be a point, near which the cost has a kink
            return a if -slope_a <= slope_b else b
        slope = _power_slope(points, weights, p, low, low_lump, high, high_lump, middle)
        share = slope / np.sqrt(slope * slope - slope_a * slope_b)
        guess = min(max(middle - share * (middle - a), a), b)
        slope_guess = _power_slope(points, weights, p, low, low_lump, high, high_lump, guess)
        for x, s in ((middle, slope), (guess, slope_guess)):
            if s <= 0.0 and x > a:
                a, slope_a = x, s
            if s >= 0.0 and x < b:
                b, slope_b = x, s
        if abs(guess - m) <= tolerance:
            return guess
        m = guess
    return a if slope_a >= 0.0 else b


@kernel
def _power_slope(points, weights, p, low, low_lump, high, high_lump, m):
    """Return the derivative of ``sum w |x - m|^p / p`` in m, in units of the range."""
    scale = 1.0 / (high - low) if high > low else 1.0
    slope = low_lump * ((m - low) * scale) ** (p - 1.0)
    slope -= high_lump * ((high - m) * scale) ** (p - 1.0)
    for t in range(points.size):
        d = (m - points[t]) * scale
        term = (weights[t] if weights.size else 1.0) * abs(d) ** (p - 1.0)
        slope += term if d > 0.0 else -term
    return slope
