"""Points, ascending, of which some are values and the others buckets with their sums."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rankone._kernel import inlined, kernel
from rankone.cuts import _buckets as bucket
from rankone.cuts._buckets import Grid, number_values, squares_of_rests
from rankone.cuts._double_double import two_product, two_sum
from rankone.cuts._nodes import (
    MOMENT,
    MOMENT_REST,
    N_SUMS,
    NO_STEPS,
    SQUARES,
    SQUARES_REST,
    WEIGHT,
    WEIGHT_REST,
    Points,
    add_lump,
    steps_of_weights,
)
from rankone.cuts._powers import blocks_of
from rankone.typing import BoolArray, FloatArray, IntArray


class Singles(NamedTuple):
    """Distinct values, ascending, their weights, and the number of coordinates that have them."""

    values: FloatArray
    weights: FloatArray
    counts: FloatArray


class BucketPoints(NamedTuple):
    """Points, with what connects them to the vector.

    Attributes
    ----------
    points : Points
        Values and buckets.
    below : ndarray
        The number of coordinates below each point, and last the number of all.
    buckets : ndarray
        The bucket of each point.
    single : ndarray
        Whether each point is a value.
    within : float
        The cost, for p = 2, of the values of buckets about the means of these, which is part of the
        cost of every partition. Zero for p = 1.
    """

    points: Points
    below: IntArray
    buckets: IntArray
    single: BoolArray
    within: float

    def position(self, ranks: IntArray) -> IntArray:
        """Return the points above so many coordinates."""
        return np.searchsorted(self.below, ranks)


def join(
    grid: Grid, sums: FloatArray, squares: float, chosen: BoolArray, singles: Singles, p: float
) -> BucketPoints:
    """Return the values of the chosen buckets, and all other buckets that are not empty.

    The sum of the squares of all rests is given.
    """
    lows = bucket.anchors_of(grid)
    numbers = np.empty(singles.values.size, np.int32)
    number_values(singles.values, grid._replace(shift=0.0), numbers)
    kept = np.flatnonzero((sums[:, bucket.COUNT] > 0) & ~chosen).astype(np.int32)
    # Where each bucket belongs among the values, and each value among the buckets.
    places = np.searchsorted(numbers, kept) + np.arange(kept.size)
    single = np.ones(kept.size + singles.values.size, bool)
    single[places] = False
    buckets = np.empty(single.size, np.int32)
    buckets[single], buckets[~single] = numbers, kept
    values, counts = np.empty(single.size), np.empty(single.size)
    weights, prefix = np.empty(single.size), np.empty((single.size + 1, N_SUMS))
    values[single], weights[single], counts[single] = singles
    counts[~single] = sums[kept, bucket.COUNT]
    weights[~single] = sums[kept, bucket.WEIGHT]
    of_means = _fill_prefix(sums, lows, single, buckets, weights, values, prefix)
    ends = [np.where(single, values, side[buckets]) for side in (lows, lows + 1.0 / grid.rate)]
    steps = steps_of_weights(prefix) if p == 1.0 else NO_STEPS
    blocks = blocks_of(values, weights, p)
    points = Points(values, weights, prefix, p, blocks, ends[0], ends[1], 0, steps)
    below = np.concatenate([[0], np.cumsum(counts.astype(np.int64))])
    within = 0.0
    if p == 2.0:
        of_singles = squares_of_rests(singles.values, singles.weights, grid)
        within = max(0.0, squares - of_singles - of_means)
    return BucketPoints(points, below, buckets, single, within)


@kernel
def _fill_prefix(sums, anchors, single, buckets, weights, values, prefix):
    """Write the sums before each point, and the means of buckets; return ``sum w r^2`` of these."""
    row, squares = np.zeros(N_SUMS), 0.0
    for t in range(values.size):
        prefix[t] = row
        if single[t]:
            add_lump(row, weights[t], values[t])
        else:
            own, anchor = sums[buckets[t]], anchors[buckets[t]]
            rest = (own[bucket.MOMENT] + own[bucket.MOMENT_REST]) / own[bucket.WEIGHT]
            _add_bucket(row, own, anchor, rest)
            squares += own[bucket.WEIGHT] * rest * rest
            values[t] = anchor + rest
        for column in (WEIGHT, MOMENT, SQUARES):
            row[column], row[column + 1] = two_sum(row[column], row[column + 1])
    prefix[values.size] = row
    return squares


@inlined
def _add_bucket(row, own, anchor, rest):
    """Add the sums of a bucket as if all of it were at its mean, the anchor a plus a rest r.

    ``w x = w a + w r``, and ``w x^2 = w a^2 + 2 a w r + w r^2``.
    """
    w, w_rest = own[bucket.WEIGHT], own[bucket.WEIGHT_REST]
    s, s_rest = two_sum(own[bucket.MOMENT], own[bucket.MOMENT_REST])
    row[WEIGHT], error = two_sum(row[WEIGHT], w)
    row[WEIGHT_REST] += error + w_rest
    wa, wa_error = two_product(w, anchor)
    wa_error += w_rest * anchor
    row[MOMENT], error = two_sum(row[MOMENT], wa)
    row[MOMENT_REST] += error + wa_error
    row[MOMENT], error = two_sum(row[MOMENT], s)
    row[MOMENT_REST] += error + s_rest
    square, square_error = two_product(wa, anchor)
    row[SQUARES], error = two_sum(row[SQUARES], square)
    row[SQUARES_REST] += error + (square_error + wa_error * anchor)
    cross, cross_error = two_product(2.0 * anchor, s)
    row[SQUARES], error = two_sum(row[SQUARES], cross)
    row[SQUARES_REST] += error + (cross_error + 2.0 * anchor * s_rest)
    row[SQUARES], error = two_sum(row[SQUARES], w * rest * rest)
    row[SQUARES_REST] += error
