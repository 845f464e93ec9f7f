"""Where the pieces of a sorted vector start and end, with the sums that their costs follow from.

*Nodes* are rows of one of two tables:

- *Positions*: a piece between two of them has the points ``start <= t < end``.
- *Cells*, runs of positions, for bounds (see ``_monge``): a piece may carry a *lump* at either end,
  extra weight on the value before its first, or after its last point.

Each holds the sums of ``w``, ``w x`` and ``w x^2`` over the points before it, in double-double
arithmetic. They come from prefix sums that are stored for every `BLOCK` points, or for each.

A *point* is a value, or an interval of values of which only the sums are known (see ``_buckets``).
In a cost it is its mean value with all of its weight, and the lumps of cells are on its ends.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rankone._kernel import inlined, kernel
from rankone.cuts._double_double import two_product, two_sum
from rankone.cuts._powers import Blocks, blocks_of
from rankone.typing import FloatArray, IntArray

#: Points between two stored prefix sums: the memory of the sums against the time of a look-up.
BLOCK = 8
_BLOCK_BITS = 3

#: Blocks that are summed side by side, so that the compiler can use vector instructions.
_LANES = 32

# Columns of a row of sums, those of w, w x and w x^2: each is a double and the rest that it leaves.
WEIGHT, WEIGHT_REST, MOMENT, MOMENT_REST, SQUARES, SQUARES_REST = range(6)
N_SUMS = 6

# Columns of a position: the sums of the points before it, and their number.
POSITION = N_SUMS
_POSITION_COLUMNS = N_SUMS + 1

# Columns of a cell: those of a piece that starts here, those of a piece that ends here, and the
# weights of the lumps of either piece, which are part of its sums.
START_LUMP, END_LUMP = 2 * _POSITION_COLUMNS, 2 * _POSITION_COLUMNS + 1
_CELL_COLUMNS = 2 * _POSITION_COLUMNS + 2


#: The number of steps into which all weight is divided by steps, and what bounds rounding.
_STEPS, _ROUNDING = 4096, 1e-9

NO_STEPS = np.empty((0, 2), np.int64)


class Points(NamedTuple):
    """Sorted values, with what their costs are computed from.

    Attributes
    ----------
    values : ndarray
        Distinct, in ascending order.
    weights : ndarray
        Their weights; an empty array means ones.
    sums : ndarray
        Row b holds the sums over the points before ``b << bits``.
    p : float
        The power of the cost.
    blocks : Blocks
        Moments of blocks of points, for powers other than 1 and 2.
    lows, highs : ndarray
        The ends of the interval that each point is; for single values, these.
    bits : int
        The binary logarithm of the number of points between two rows of sums.
    steps : ndarray
        Where to look for a running weight (see `steps_of_weights`); may be empty.
    """

    values: FloatArray
    weights: FloatArray
    sums: FloatArray
    p: float
    blocks: Blocks
    lows: FloatArray
    highs: FloatArray
    bits: int
    steps: IntArray


def with_sums(values: FloatArray, weights: FloatArray, p: float) -> Points:
    """Return sorted values with their prefix sums; those of squares are computed for p = 2 only."""
    sums = np.empty((values.size // BLOCK + 1, N_SUMS))
    _fill_sums(values, weights, p == 2.0, sums)
    blocks = blocks_of(values, weights, p)
    return Points(values, weights, sums, p, blocks, values, values, _BLOCK_BITS, NO_STEPS)


def steps_of_weights(sums: FloatArray) -> IntArray:
    """Divide all weight into steps; return the rows of sums between which each step lies."""
    ends = np.linspace(0.0, sums[-1, WEIGHT], _STEPS + 1)
    first = np.searchsorted(sums[:, WEIGHT], ends[:-1] * (1.0 - _ROUNDING), side="right") - 1
    last = np.searchsorted(sums[:, WEIGHT], ends[1:] * (1.0 + _ROUNDING), side="left")
    return np.column_stack([np.maximum(first, 0), last])


@kernel
def _fill_sums(values, weights, squares, sums):
    n_blocks = sums.shape[0]
    row = np.zeros(N_SUMS)
    lanes = np.empty((N_SUMS, _LANES))
    for b in range(n_blocks):
        _copy(row, sums[b], N_SUMS)
        if b == n_blocks - 1:
            break
        if weights.size:
            _add_points(values, weights, b * BLOCK, (b + 1) * BLOCK, row)
        else:
            lane = b % _LANES
            if lane == 0:
                _sum_lanes(values, b * BLOCK, min(_LANES, n_blocks - 1 - b), squares, lanes)
            row[WEIGHT] += BLOCK
            row[MOMENT], error = two_sum(row[MOMENT], lanes[MOMENT, lane])
            row[MOMENT_REST] += error + lanes[MOMENT_REST, lane]
            row[SQUARES], error = two_sum(row[SQUARES], lanes[SQUARES, lane])
            row[SQUARES_REST] += error + lanes[SQUARES_REST, lane]
        # Rests add up. Rough costs do without them, so that they must stay below half a unit.
        row[WEIGHT], row[WEIGHT_REST] = two_sum(row[WEIGHT], row[WEIGHT_REST])
        row[MOMENT], row[MOMENT_REST] = two_sum(row[MOMENT], row[MOMENT_REST])
        row[SQUARES], row[SQUARES_REST] = two_sum(row[SQUARES], row[SQUARES_REST])


@kernel
def _sum_lanes(values, first, n_lanes, squares, lanes):
    """Sum x, and x^2 if asked to, over the blocks from point ``first`` on, one block a lane."""
    s, s_low = lanes[MOMENT], lanes[MOMENT_REST]
    q, q_low = lanes[SQUARES], lanes[SQUARES_REST]
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
        add_lump(row, weights[t] if weights.size else 1.0, values[t])


@kernel
def add_lump(row, w, x):
    """Add a weight on one value to a row of sums."""
    wx, wx_error = two_product(w, x)
    square, square_error = two_product(wx, x)
    row[WEIGHT], error = two_sum(row[WEIGHT], w)
    row[WEIGHT_REST] += error
    row[MOMENT], error = two_sum(row[MOMENT], wx)
    row[MOMENT_REST] += error + wx_error
    row[SQUARES], error = two_sum(row[SQUARES], square)
    row[SQUARES_REST] += error + (square_error + wx_error * x)


@kernel
def position_nodes(points, positions):
    """Return the table of positions, ascending, one a row."""
    values, weights, bits = points.values, points.weights, points.bits
    nodes = np.empty((positions.size, _POSITION_COLUMNS))
    for i in range(positions.size):
        if bits and i and positions[i - 1] >= positions[i] >> bits << bits:
            _copy(nodes[i - 1], nodes[i], N_SUMS)
            _add_points(values, weights, positions[i - 1], positions[i], nodes[i])
            nodes[i, POSITION] = positions[i]
        else:
            _fill_position(points, positions[i], nodes[i])
    return nodes


@kernel
def cell_nodes(points, low, high):
    """Return the table of both ends and, between them, cells of positions ``low[g] ... high[g]``.

    A cell is two nodes. At the first, 2g + 1, its points are a lump of the piece that starts there,
    on the cell's highest value; at the second, a lump of the piece that ends there, on its lowest.
    """
    nodes = np.zeros((2 * low.size + 2, _CELL_COLUMNS))
    for g in range(low.size):
        lower, upper = nodes[2 * g + 1], nodes[2 * g + 2]
        _fill_position(points, high[g], lower)
        _fill_position(points, low[g], lower[_POSITION_COLUMNS:])
        _copy(lower, upper, _CELL_COLUMNS)
        before = lower[_POSITION_COLUMNS:]
        lump = upper[WEIGHT] - before[WEIGHT]
        lump += upper[WEIGHT_REST] - before[WEIGHT_REST]
        if high[g] > low[g]:
            add_lump(lower, -lump, points.highs[high[g] - 1])
            add_lump(upper[_POSITION_COLUMNS:], lump, points.lows[low[g]])
            lower[START_LUMP] = upper[END_LUMP] = lump
    _fill_position(points, points.values.size, nodes[-1, _POSITION_COLUMNS:])
    return nodes


@kernel
def _fill_position(points, t, row):
    b = t >> points.bits
    _copy(points.sums[b], row, N_SUMS)
    _add_points(points.values, points.weights, b << points.bits, t, row)
    row[POSITION] = t


@inlined
def sums_before(points, t):
    """Return the sums of w and of w x over the points before t, in plain doubles."""
    values, weights, sums = points.values, points.weights, points.sums
    b = t >> points.bits
    w, s = sums[b, WEIGHT], sums[b, MOMENT]
    for i in range(b << points.bits, t):
        weight = weights[i] if weights.size else 1.0
        w += weight
        s += weight * values[i]
    return w, s


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
    return int(nodes[i, POSITION])


@inlined
def first_position(nodes, i):
    """Return the lowest position of a node: a piece that ends there has all points before."""
    return int(nodes[i, end_column(nodes) + POSITION])
