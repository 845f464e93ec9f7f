"""A vector in buckets: their sums, and the values of those that have been looked at."""

from __future__ import annotations

import math
from operator import methodcaller
from typing import Any

import numpy as np

from rankone.cuts import _buckets as bucket
from rankone.cuts._bucket_points import BucketPoints, Singles, join
from rankone.cuts._buckets import Grid
from rankone.cuts.chunk import Survey, merge_gathered, merge_sums
from rankone.cuts.distinct import distinct
from rankone.cuts.units import Units
from rankone.cuts.vector import Vector
from rankone.typing import FloatArray, IntArray

#: The most buckets, and values per bucket that are worth one.
MOST_BUCKETS, PER_BUCKET = 2**15, 64

#: How many values of a sample are left out at either end to guess the range of the grid.
_LEFT_OUT = 4

#: The least share of distinct values in the sample.
_DISTINCT = 0.25

#: The whole range is used if it is at most this many times the range of the sample.
_WIDER = 4.0

#: The largest share of the values that are gathered, and of those that are in the tails.
_GATHERED, _IN_TAILS = 1 / 8, 1 / 16


class SortInstead(Exception):
    """Buckets do not pay."""


class Buckets:
    """The sums of the buckets of a vector.

    Parameters
    ----------
    vector : Vector
        The vector.
    p : float
        The power of the fit.

    Attributes
    ----------
    units : Units
        The units of the values, in which nothing is scaled.
    grid : Grid
        The buckets.
    survey : Survey
        The survey of all values.
    sums : ndarray
        The sums of buckets.
    weight, largest : float
        The sum of all weights, and the largest absolute value.
    """

    def __init__(self, vector: Vector, p: float) -> None:
        self.vector, self.p = vector, p
        self._surveyed: Survey | None = None
        self._add_up()
        low, high = self.survey.low - self.grid.shift, self.survey.high - self.grid.shift
        self.largest = max(abs(low), abs(high))
        self.weight = float(self.sums[:, bucket.WEIGHT].sum())

    def _add_up(self) -> None:
        """Add up the values; if the chunks that were looked at first misled, once more."""
        survey = self.vector.glance()
        try:
            self._add_up_as(survey)
        except SortInstead:
            whole = self._surveyed or self.vector.survey()
            if whole.size == survey.size:
                raise
            self._add_up_as(whole)

    def _add_up_as(self, survey: Survey) -> None:
        """Add up the values of the buckets that suit a survey, in units that suit all values."""
        if survey.size == 0:
            raise SortInstead
        size = self.vector.expected_size(survey)
        self.grid = _choose_grid(survey, self.p, min(MOST_BUCKETS, int(size) // PER_BUCKET))
        room = int(_IN_TAILS * size)
        add_up = methodcaller("add_up", self.grid, room)
        totals = self.vector.reduce(add_up, merge_sums)
        self.survey, self.sums, self._squares, n_tails, tails = totals
        self._surveyed = self.survey
        self.units = _units_of(self.survey, self.p, self.grid.shift)
        if n_tails > room:
            raise SortInstead
        self._chosen = np.zeros(self.grid.size + 2, bool)
        self._chosen[[0, -1]] = True
        self._singles = _distinct_singles(tails)

    def gather(self, *buckets: IntArray) -> bool:
        """Make single values of the values of buckets; return whether there are new ones."""
        new = np.zeros(self._chosen.size, bool)
        new[np.concatenate(buckets)] = True
        new &= ~self._chosen & (self.sums[:, bucket.COUNT] > 0)
        if not new.any():
            return False
        size = int(self.sums[new, bucket.COUNT].sum())
        if size + self._singles.counts.sum() > _GATHERED * self.survey.size:
            raise SortInstead
        gathered = self.vector.reduce(methodcaller("gather", self.grid, new, size), merge_gathered)
        if gathered.shape[1] != size:
            raise ValueError("u changed between two passes over its chunks; persist it first.")
        self._singles = _merge(self._singles, _distinct_singles(gathered))
        self._chosen |= new
        return True

    def label(self, boundaries: FloatArray) -> Any:
        """Return for each value the number of boundaries that are not above it."""
        return self.vector.label(boundaries, self.grid)

    def points(self) -> BucketPoints:
        """Return the values that have been looked at, and the other buckets."""
        return join(self.grid, self.sums, self._squares, self._chosen, self._singles, self.p)


def _units_of(survey: Survey, p: float, shift: float | None = None) -> Units:
    """Return units in which nothing is scaled, and nothing is rounded by the shift."""
    ends = np.array([survey.low, survey.high])
    units = Units(ends, np.array([survey.largest_weight]), p, shift)
    if units.exponent or units.weight_exponent or not units.is_exact(ends):
        raise SortInstead
    return units


def _choose_grid(survey: Survey, p: float, n_buckets: int) -> Grid:
    """Choose a grid of so many buckets, or less."""
    if n_buckets < 2:
        raise SortInstead
    units = _units_of(survey, p)
    low, high = survey.low - units.shift, survey.high - units.shift
    sample = np.sort(survey.sample) - units.shift
    if np.count_nonzero(np.diff(sample)) < _DISTINCT * sample.size:
        raise SortInstead  # ties are merged after a sort, which is fast for few values
    left_out = min(_LEFT_OUT, sample.size // 8)
    inner_low, inner_high = sample[left_out], sample[-1 - left_out]
    if high - low > _WIDER * (inner_high - inner_low):
        low, high = float(inner_low), float(inner_high)
    if not 2.0**-900 < high - low < math.inf:
        raise SortInstead
    grid = bucket.grid_between(low, high, n_buckets, units.shift)
    if grid.size < 2 or max(abs(low), abs(high)) * grid.rate > 2.0**52:
        raise SortInstead
    first, last = np.searchsorted(sample, (grid.first + np.array([0, grid.size])) / grid.rate)
    if last - first < (1.0 - 2 * _IN_TAILS) * sample.size:
        raise SortInstead
    return grid


def _distinct_singles(gathered: FloatArray) -> Singles:
    """Return distinct values, their weights and their numbers; weights are a second row, if any."""
    if gathered.shape[0] == 1:
        values, counts = distinct(gathered[0], None)
        counts = counts if counts.size else np.ones(values.size)
        return Singles(values, counts, counts)
    counts = distinct(gathered[0], np.ones(gathered.shape[1]))[1]
    return Singles(*distinct(*gathered), counts)


def _merge(one: Singles, other: Singles) -> Singles:
    """Return the values of both, which have none in common."""
    few, many = sorted((one, other), key=lambda singles: singles.values.size)
    where = np.searchsorted(many.values, few.values)
    pairs = zip(many, few, strict=True)
    return Singles(*(np.insert(larger, where, smaller) for larger, smaller in pairs))
