"""A vector in buckets: their sums, and the values of those that have been looked at."""

from __future__ import annotations

import math

import numpy as np

from rankone.cuts import _buckets as bucket
from rankone.cuts._bucket_points import BucketPoints, Singles, join
from rankone.cuts.sorted_values import distinct, label
from rankone.cuts.units import Units
from rankone.typing import FloatArray, IntArray

#: The most buckets, and values per bucket that are worth one.
MOST_BUCKETS, PER_BUCKET = 2**14, 64

#: Values from which the range of the grid is guessed, and how many are left out at either end.
_SAMPLE, _LEFT_OUT = 4096, 4

#: The least share of distinct values in the sample.
_DISTINCT = 0.25

#: The whole range is used if it is at most this many times the range of the sample.
_WIDER = 4.0

#: The largest share of the values that are gathered, and of those that are in the tails.
_GATHERED, _IN_TAILS = 0.25, 1 / 16


class SortInstead(Exception):
    """Buckets do not pay."""


class Buckets:
    """The sums of the buckets of a vector.

    Parameters
    ----------
    u, weights : ndarray
        The vector, and positive weights, an empty array for ones.
    p : float
        The power of the fit.

    Attributes
    ----------
    units : Units
        The units of the values, in which nothing is scaled.
    grid : Grid
        The buckets.
    sums : ndarray
        Their sums.
    weight, largest : float
        The sum of all weights, and the largest absolute value.
    """

    def __init__(self, u: FloatArray, weights: FloatArray, p: float) -> None:
        self.u, self.weights, self.p = u, weights, p
        low, high = float(u.min()), float(u.max())
        self.units = Units(np.array([low, high]), weights, self.p)
        if self.units.exponent or self.units.weight_exponent:
            raise SortInstead
        shift = self.units.shift
        self.largest = max(abs(low - shift), abs(high - shift))
        self.grid = _choose_grid(u, low - shift, high - shift, shift)
        anchors = bucket.anchors_of(self.grid)
        self._numbers = np.empty(u.size, np.uint16)
        room = int(_IN_TAILS * u.size)
        if weights.size:
            tails = np.empty((2, room))
            self.sums, n_tails = bucket.add_up_weighted(
                u, weights, self.grid, anchors, self._numbers, tails
            )
        else:
            tails = np.empty((1, room))
            self.sums, n_tails = bucket.add_up(u, self.grid, anchors, self._numbers, tails[0])
        if n_tails > room:
            raise SortInstead
        self.weight = float(self.sums[:, bucket.WEIGHT].sum())
        self._chosen = np.zeros(self.grid.size + 2, bool)
        self._chosen[[0, -1]] = True
        self._singles = _distinct_singles(tails[0, :n_tails], tails[1:, :n_tails])

    def gather(self, *buckets: IntArray) -> bool:
        """Make single values of the values of buckets; return whether there are new ones."""
        new = np.zeros(self._chosen.size, bool)
        new[np.concatenate(buckets)] = True
        new &= ~self._chosen & (self.sums[:, bucket.COUNT] > 0)
        if not new.any():
            return False
        size = int(self.sums[new, bucket.COUNT].sum())
        if size + self._singles.counts.sum() > _GATHERED * self.u.size:
            raise SortInstead
        values, weights = np.empty(size), np.empty(size if self.weights.size else 0)
        bucket.gather(self.u, self.weights, self._numbers, self.grid.shift, new, values, weights)
        more = _distinct_singles(values, weights[None, :] if weights.size else weights[:0, None])
        together = [np.concatenate(pair) for pair in zip(self._singles, more, strict=True)]
        order = np.argsort(together[0])
        self._singles = Singles(*(array[order] for array in together))
        self._chosen |= new
        return True

    def label(self, boundaries: FloatArray) -> IntArray:
        """Return for each value the number of boundaries that are not above it."""
        inside = np.empty(boundaries.size, np.int64)
        bucket.number_values(boundaries, self.grid, inside)
        if np.unique(inside).size < boundaries.size:
            return label(self.u, boundaries)
        first = np.searchsorted(inside, np.arange(self.grid.size + 2)).astype(np.intp)
        nearest = np.full(first.size, np.inf)
        nearest[inside] = boundaries
        labels = np.empty(self.u.size, np.intp)
        bucket.look_up(self.u, self._numbers, first, nearest, labels)
        return labels

    def points(self) -> BucketPoints:
        """Return the values that have been looked at, and the other buckets."""
        return join(self.grid, self.sums, self._chosen, self._singles, self.p)


def _choose_grid(u: FloatArray, low: float, high: float, shift: float) -> bucket.Grid:
    """Choose a grid for shifted values between low and high, from a sample of them."""
    n_buckets = min(MOST_BUCKETS, u.size // PER_BUCKET)
    sample = np.sort(u[:: max(1, u.size // _SAMPLE)]) - shift
    if np.count_nonzero(np.diff(sample)) < _DISTINCT * sample.size:
        raise SortInstead  # ties are merged after a sort, which is fast for few values
    left_out = min(_LEFT_OUT, sample.size // 8)
    inner_low, inner_high = sample[left_out], sample[-1 - left_out]
    if high - low > _WIDER * (inner_high - inner_low):
        low, high = float(inner_low), float(inner_high)
    if not 2.0**-900 < high - low < math.inf:
        raise SortInstead
    grid = bucket.grid_between(low, high, n_buckets, shift)
    if grid.size < 2 or max(abs(low), abs(high)) * grid.rate > 2.0**52:
        raise SortInstead
    return grid


def _distinct_singles(values: FloatArray, weights: FloatArray) -> Singles:
    """Return distinct values, their weights and their numbers; weights are one row, or none."""
    if not weights.shape[0]:
        values, counts = distinct(values, None)
        counts = counts if counts.size else np.ones(values.size)
        return Singles(values, counts, counts)
    counts = distinct(values, np.ones(values.size))[1]
    return Singles(*distinct(values, weights[0]), counts)
