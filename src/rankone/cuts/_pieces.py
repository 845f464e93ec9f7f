r"""What one piece of a sorted vector costs.

The piece is the points ``start <= t < end`` of the sorted values ``x`` with weights ``w``, and costs

.. math:: c(start, end) = \min_m \sum_{start \le t < end} w_t |x_t - m|^p.

For p = 1 and p = 2 it follows from the prefix sums of ``w``, ``w x`` and ``w x^2``; other p read the
points of the piece. Two kinds of places where a piece may start and end, here called *nodes*:

- *Positions*: the piece is as above. The sums are kept in double-double arithmetic.
- *Cells*, runs of positions, for bounds (see ``_monge``): a piece may carry a *lump* at either end,
  extra weight on its lowest or highest value. Plain arithmetic is enough for bounds.

Kernels take bare arrays, since numba counts references to whatever it takes out of a tuple:
``values`` and ``weights`` (none, an empty array, means ones), and ``sums``, whose row b holds the
sums of w, wx and wx^2 before point ``b * BLOCK``, each as a double and the double it leaves over.
"""

from __future__ import annotations

import numpy as np

from rankone._kernel import inlined, kernel
from rankone.cuts._double_double import two_product, two_square, two_sum
from rankone.typing import FloatArray

#: Points between two stored prefix sums: the memory of the sums against the time of a look-up.
BLOCK = 16

#: Blocks that are summed side by side, so that the compiler can use vector instructions.
_LANES = 32

#: Columns of a table of positions: the six sums, and the number of points before.
_POSITION_COLUMNS = 7

#: Columns of a table of cells: w, wx, wx^2 and the number of points before a piece that starts at
#: this node, lump left out, then the same of a piece that ends here, lump included.
_CELL_COLUMNS = 8


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
        sums[b] = row
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
    lanes[:] = 0.0
    for t in range(BLOCK):
        for lane in range(n_lanes):
            s[lane], error = two_sum(s[lane], values[first + lane * BLOCK + t])
            s_low[lane] += error
        if squares:
            for lane in range(n_lanes):
                square, square_error = two_square(values[first + lane * BLOCK + t])
                q[lane], error = two_sum(q[lane], square)
                q_low[lane] += error + square_error


@kernel
def _add_points(values, weights, first, last, row):
    """Add the points ``first <= t < last`` to a row of sums."""
    for t in range(first, last):
        x = values[t]
        w = weights[t] if weights.size else 1.0
        wx, wx_error = two_product(w, x)
        square, square_error = two_product(wx, x)
        row[0], error = two_sum(row[0], w)
        row[1] += error
        row[2], error = two_sum(row[2], wx)
        row[3] += error + wx_error
        row[4], error = two_sum(row[4], square)
        row[5] += error + (square_error + wx_error * x)


@kernel
def position_nodes(values, weights, sums, positions):
    """Return the table of positions, one a row."""
    nodes = np.empty((positions.size, _POSITION_COLUMNS))
    for i in range(positions.size):
        b = positions[i] // BLOCK
        nodes[i, :6] = sums[b]
        _add_points(values, weights, b * BLOCK, positions[i], nodes[i])
        nodes[i, 6] = positions[i]
    return nodes


@kernel
def cell_nodes(values, weights, sums, low, high):
    """Return the table of cells of positions ``low[g] ... high[g]``, between both ends.

    The points inside cell g are a lump on the cell's highest value for a piece that starts at its
    lower node, 2g + 1, and a lump on its lowest value for a piece that ends at its upper node,
    2g + 2.
    """
    n_cells = low.size
    nodes = np.zeros((2 * n_cells + 2, _CELL_COLUMNS))
    end = 2 * n_cells + 1
    nodes[end, 3] = nodes[end, 7] = values.size
    nodes[end, 4], nodes[end, 5], nodes[end, 6] = _rough_sums(values, weights, sums, values.size)
    for g in range(n_cells):
        lower, upper = 2 * g + 1, 2 * g + 2
        for i in (lower, upper):
            nodes[i, 0], nodes[i, 1], nodes[i, 2] = _rough_sums(values, weights, sums, high[g])
            nodes[i, 4], nodes[i, 5], nodes[i, 6] = _rough_sums(values, weights, sums, low[g])
            nodes[i, 3], nodes[i, 7] = high[g], low[g]
        if high[g] > low[g]:
            lump = nodes[upper, 0] - nodes[lower, 4]
            for i, column, weight, x in (
                (lower, 0, -lump, values[high[g] - 1]),
                (upper, 4, lump, values[low[g]]),
            ):
                nodes[i, column] += weight
                nodes[i, column + 1] += weight * x
                nodes[i, column + 2] += weight * x * x
    return nodes


@inlined
def are_cells(nodes):
    """Say whether a table is one of cells."""
    return nodes.shape[1] == _CELL_COLUMNS


@inlined
def piece_cost(values, weights, sums, nodes, i, j, p):
    """Return the cost of the piece from node ``i`` to node ``j > i``."""
    if are_cells(nodes):
        if j == i + 1 and i % 2 == 1:
            return 0.0  # the piece is inside one cell
        if p == 2.0:
            return _rough_squared_cost(nodes, i, j)
        if p == 1.0:
            return _rough_absolute_cost(values, weights, sums, nodes, i, j)
    elif p == 2.0:
        return _squared_cost(nodes, i, j)
    elif p == 1.0:
        return _absolute_cost(values, weights, sums, nodes, i, j)
    return _power_cost(values, weights, nodes, i, j, p)


@inlined
def _squared_cost(nodes, i, j):
    """Return ``sum w (x - m)^2`` about the mean m."""
    w, error = two_sum(nodes[j, 0], -nodes[i, 0])
    w_low = error + (nodes[j, 1] - nodes[i, 1])
    s, error = two_sum(nodes[j, 2], -nodes[i, 2])
    s_low = error + (nodes[j, 3] - nodes[i, 3])
    q, error = two_sum(nodes[j, 4], -nodes[i, 4])
    q_low = error + (nodes[j, 5] - nodes[i, 5])
    # m is rounded, so that sum w (x - m) leaves a rest, and sum w (x - m)^2 = q - m (s + rest).
    m = s / w
    product, error = two_product(m, w)
    rest = ((s - product) - error) + (s_low - m * w_low)
    product, error = two_product(m, s)
    return max(0.0, (q - product) + ((q_low - error) - m * (s_low + rest)))


@inlined
def _rough_squared_cost(nodes, i, j):
    w = nodes[j, 4] - nodes[i, 0]
    s = nodes[j, 5] - nodes[i, 1]
    return (nodes[j, 6] - nodes[i, 2]) - s * s / w


@inlined
def _absolute_cost(values, weights, sums, nodes, i, j):
    """Return ``sum w |x - m|`` about a median m: the sum above it less the sum below."""
    first, last = int(nodes[i, 6]), int(nodes[j, 6])
    h = _point_at_weight(weights, sums, 0.5 * (nodes[i, 0] + nodes[j, 0]), first, last)
    h = min(max(h, first), last - 1)
    b = h // BLOCK
    w, w_low, s, s_low = sums[b, 0], sums[b, 1], sums[b, 2], sums[b, 3]
    for t in range(b * BLOCK, h):
        wx, wx_error = two_product(weights[t] if weights.size else 1.0, values[t])
        w, error = two_sum(w, weights[t] if weights.size else 1.0)
        w_low += error
        s, error = two_sum(s, wx)
        s_low += error + wx_error
    below = (w - nodes[i, 0]) + (w_low - nodes[i, 1])
    above = (nodes[j, 0] - w) + (nodes[j, 1] - w_low)
    product, error = two_product(values[h], below - above)
    upper, upper_low = two_sum(nodes[j, 2], -s)
    lower, lower_low = two_sum(s, -nodes[i, 2])
    total, total_low = two_sum(upper, -lower)
    total_low += (upper_low - lower_low) + ((nodes[j, 3] - s_low) - (s_low - nodes[i, 3]))
    return max(0.0, (total + product) + (total_low + error))


@inlined
def _rough_absolute_cost(values, weights, sums, nodes, i, j):
    first, last = int(nodes[i, 3]), int(nodes[j, 7])
    h = _point_at_weight(weights, sums, 0.5 * (nodes[i, 0] + nodes[j, 4]), first, last)
    h = min(max(h, first - 1), last)
    m = values[min(max(h, 0), values.size - 1)]  # first - 1 and last are the values of the lumps
    h = max(h, first)
    w, s, _ = _rough_sums(values, weights, sums, h)
    excess = (w - nodes[i, 0]) - (nodes[j, 4] - w)
    return ((nodes[j, 5] - s) - (s - nodes[i, 1])) + m * excess


@inlined
def _point_at_weight(weights, sums, weight, first, last):
    """Return the point t on which the running weight passes ``weight``.

    Where that is outside ``first <= t < last``, some t below ``first`` or not below ``last``.
    """
    if weights.size == 0:
        return int(weight)
    low, high = first // BLOCK, (last + BLOCK - 1) // BLOCK
    while high - low > 1:
        b = (low + high) // 2
        if sums[b, 0] <= weight:
            low = b
        else:
            high = b
    total = sums[low, 0]
    if total > weight:
        return first - 1
    t = low * BLOCK
    while t < last and total + weights[t] <= weight:
        total += weights[t]
        t += 1
    return t


@inlined
def _rough_sums(values, weights, sums, t):
    """Return the sums of w, wx and wx^2 over the points before ``t``, in plain arithmetic."""
    b = t // BLOCK
    w, s, q = sums[b, 0], sums[b, 2], sums[b, 4]
    for i in range(b * BLOCK, t):
        weight, x = weights[i] if weights.size else 1.0, values[i]
        w += weight
        s += weight * x
        q += weight * x * x
    return w, s, q


@kernel
def _power_cost(values, weights, nodes, i, j, p):
    """Return ``min_m sum w |x - m|^p`` from the points themselves."""
    cells = are_cells(nodes)
    first, last = int(nodes[i, 3 if cells else 6]), int(nodes[j, 7 if cells else 6])
    low_lump = nodes[i + 1, 0] - nodes[i, 0] if cells and i % 2 == 1 else 0.0
    high_lump = nodes[j, 4] - nodes[j - 1, 4] if cells and j % 2 == 0 else 0.0
    low = values[first - 1] if low_lump > 0.0 else values[first]
    high = values[last] if high_lump > 0.0 else values[last - 1]
    points, own = values[first:last], weights[first:last]
    # Near its minimum the cost is flat for p >= 2, and has a kink in the limit p = 1.
    tolerance = (high - low) * (1e-9 if p >= 2.0 else 1e-15)
    m = power_level(points, own, p, low, low_lump, high, high_lump, tolerance)
    total = low_lump * (m - low) ** p + high_lump * (high - m) ** p
    for t in range(points.size):
        total += (own[t] if own.size else 1.0) * abs(points[t] - m) ** p
    return total


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
        if not a < middle < b:
            return middle
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
    """Return the derivative of ``sum w |x - m|^p / p`` in m."""
    slope = low_lump * (m - low) ** (p - 1.0) - high_lump * (high - m) ** (p - 1.0)
    for t in range(points.size):
        d = m - points[t]
        term = (weights[t] if weights.size else 1.0) * abs(d) ** (p - 1.0)
        slope += term if d > 0.0 else -term
    return slope
