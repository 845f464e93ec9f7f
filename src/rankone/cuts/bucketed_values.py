"""A vector prepared for sorted cuts without sorting it.

One pass adds up the values of each bucket of a grid. Bounds then tell in which buckets the best
partition may cut (``_cells``): a few dozen among thousands. Only the values of these are gathered
and sorted; all others are known by the sums of their buckets, which is all that costs depend on,
but for medians, whose buckets are gathered as well. Labels are written in a last pass.

Where this does not pay, `SortInstead` is raised: few values, ranges of very different density, so
many clusters that most buckets may hold a cut, and problems for which the precision of sums is not
certain to be enough.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cached_property
from typing import TypeVar

import numpy as np

from rankone.cuts import _buckets as bucket
from rankone.cuts._bucket_points import Singles, join
from rankone.cuts._cells import all_positions, best_cuts_within, narrow, partition_cost
from rankone.cuts._nodes import BLOCK, MOMENT, MOMENT_REST, WEIGHT, WEIGHT_REST
from rankone.cuts._pieces import medians
from rankone.cuts.input import check_objective
from rankone.cuts.partition import Partition
from rankone.cuts.sorted_problem import AMPLE, FAR, RESOLUTION
from rankone.cuts.sorted_values import SortedValues, boundaries_between, distinct, label
from rankone.cuts.units import Units
from rankone.typing import FloatArray, IntArray

Result = TypeVar("Result")

#: Fewer values are sorted faster.
FEWEST = 2**18

#: The same for p = 1, where medians make the search slower.
FEWEST_ABSOLUTE = 2**21

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

#: The least number of points; the first and the last are never in a cell.
_FEWEST_POINTS = 4

#: The largest number of clusters, as a share of the number of buckets.
_CLUSTERS = 1 / 16

#: Costs above this share of ``w h^2``, where h is the width of a bucket, are precise.
_LEAST_COST = 2.0**-10


class SortInstead(Exception):
    """Buckets do not pay."""


class BucketedValues:
    """The partitions of a vector whose values are not sorted.

    Cuts are the numbers of coordinates below them. Costs are in its own `units`.

    Parameters
    ----------
    u : ndarray
        The vector.
    weights : ndarray, optional
        A weight for each coordinate; those of weight zero are no values.
    p : float
        The power of the fit, 1 or 2.
    """

    was_sorted = False

    def __init__(self, u: FloatArray, weights: FloatArray | None, p: float) -> None:
        if p not in (1.0, 2.0):
            raise SortInstead
        self.u, self.weights, self.p = u, weights, p
        self.counted = weights is None
        self.evaluations = self.solves = 0
        if weights is not None and not weights.all():
            positive = weights > 0.0
            u, weights = u[positive], weights[positive]
        self._u, self._weights = u, np.empty(0) if weights is None else weights
        self.n_positions = u.size
        if u.size < (FEWEST if p == 2.0 else FEWEST_ABSOLUTE):
            raise SortInstead
        self._add_up()
        self._points = self._base

    def _add_up(self) -> None:
        """Add up the values of each bucket."""
        u, weights = self._u, self._weights
        low, high = float(u.min()), float(u.max())
        self.units = Units(np.array([low, high]), weights, self.p)
        if self.units.exponent or self.units.weight_exponent:
            raise SortInstead
        shift = self.units.shift
        self._largest = max(abs(low - shift), abs(high - shift))
        self._grid = _choose_grid(u, low - shift, high - shift, shift)
        anchors = bucket.anchors_of(self._grid)
        self._numbers = np.empty(u.size, np.uint16)
        room = int(_IN_TAILS * u.size)
        if weights.size:
            tails = np.empty((2, room))
            self._sums, n_tails = bucket.add_up_weighted(
                u, weights, self._grid, anchors, self._numbers, tails
            )
        else:
            tails = np.empty((1, room))
            self._sums, n_tails = bucket.add_up(u, self._grid, anchors, self._numbers, tails[0])
        if n_tails > room:
            raise SortInstead
        self._weight = float(self._sums[:, bucket.WEIGHT].sum())
        self._chosen = np.zeros(self._grid.size + 2, bool)
        self._chosen[[0, -1]] = True
        self._singles = _distinct_singles(tails[0, :n_tails], tails[1:, :n_tails])
        self._base = join(self._grid, self._sums, self._chosen, self._singles, self.p)
        if self._base.single.size < _FEWEST_POINTS:
            raise SortInstead

    def solve(self, lam: float, units: Units | None = None) -> IntArray:
        """Return the cuts of the best partition for a penalty in units, by default the caller's."""
        self.solves += 1
        scaled = self.units.cost_from(units, lam)
        if scaled >= self.one_piece:
            return np.empty(0, np.int64)
        if scaled < FAR * self._resolution:
            raise SortInstead
        base = self._base
        low, high = all_positions(base.single.size)
        low, high, upper, count = narrow(base.points, scaled, low, high, self.one_piece, 1)
        self.evaluations += count
        self._gather(self._buckets_of_cuts(low, high), self._buckets_of_medians(low, high))
        while True:
            cells = self._cells_within(low, high)
            cuts, count = best_cuts_within(self._points.points, scaled, *cells, upper)
            self.evaluations += count
            ranks: IntArray = self._points.below[cuts]
            if not self._gather_medians(ranks):
                return ranks

    def cost(self, ranks: IntArray) -> float:
        """Return the scaled cost of the pieces between cuts."""
        self._gather_medians(ranks)
        cost = float(partition_cost(self._points.points, self._points.position(ranks)))
        if not self.is_precise(cost):
            raise SortInstead
        return cost

    def is_precise(self, cost: float) -> bool:
        """Return whether a scaled cost is large enough to be right to about 1e-12 of itself."""
        width = 1.0 / self._grid.rate
        return cost >= max(AMPLE * self._resolution, _LEAST_COST * self._weight * width**self.p)

    @cached_property
    def one_piece(self) -> float:
        """The scaled cost of one piece."""
        return self.cost(np.empty(0, np.int64))

    @cached_property
    def _resolution(self) -> float:
        """The penalty below which the rounding of costs might decide."""
        n, width = self._u.size, 1.0 / self._grid.rate
        rounding = RESOLUTION * (n / BLOCK + 1.0) * self._largest
        in_buckets = 2.0**-58 * width
        return max(rounding, in_buckets) * self._weight * self._largest ** (self.p - 1.0)

    @cached_property
    def n_distinct(self) -> int:
        """The number of distinct values, for which they are sorted after all."""
        return int(self.sorted().n_distinct)

    def sorted(self) -> SortedValues:
        """Return the same values, sorted."""
        return SortedValues(self.u, self.weights, self.p)

    def most_clusters(self, n_clusters: int) -> int:
        """Return a number of clusters, if it is small."""
        if n_clusters > _CLUSTERS * self._base.single.size:
            raise SortInstead
        return n_clusters

    def starts(self, ranks: IntArray) -> FloatArray:
        """Return the least value above each cut."""
        points = self._points
        return self.units.values_out(points.points.values[points.position(ranks)])

    def solve_layers(self, k: int) -> list[IntArray]:
        """Leave this to sorted values."""
        raise SortInstead

    def partition(self, ranks: IntArray, lam: float | None = None) -> Partition:
        """Return the partition of the vector that has these cuts, ``lam`` in the vector's units."""
        objective = self.units.cost_out(self.cost(ranks))
        objective += 0.0 if lam is None else lam * ranks.size
        points = self._points
        cuts = points.position(ranks)
        levels = self.units.values_out(self._levels(cuts))
        boundaries = boundaries_between(
            self.units.values_out(points.points.values[cuts - 1]), self.starts(ranks), levels
        )
        labels = label(self.u, boundaries)
        if self.counted:
            sizes = np.diff(ranks, prepend=0, append=self._u.size)
        else:
            sizes = np.bincount(labels, minlength=levels.size)
        part = Partition(
            labels=labels,
            levels=levels,
            sizes=sizes.astype(np.intp),
            objective=check_objective(objective, self.p),
            lam=lam,
            p=self.p,
            exact=True,
            boundaries=boundaries,
        )
        object.__setattr__(part, "_was_sorted", False)
        return part

    def _levels(self, cuts: IntArray) -> FloatArray:
        """Return the best level of each piece between points."""
        points = self._points.points
        ends = _with_ends(cuts, points.values.size)
        if self.p == 1.0:
            lower, upper = medians(points, ends)
            return points.values[lower] + 0.5 * (points.values[upper] - points.values[lower])
        sums = points.sums
        w, s = (
            np.diff(sums[ends, column]) + np.diff(sums[ends, rest])
            for column, rest in ((WEIGHT, WEIGHT_REST), (MOMENT, MOMENT_REST))
        )
        levels = s / w
        alone = np.diff(ends) == 1
        levels[alone] = points.values[ends[:-1][alone]]
        return levels

    def _buckets_of_cuts(self, low: IntArray, high: IntArray) -> IntArray:
        """Return the buckets of cells that touch."""
        changes = np.zeros(self._base.single.size + 1, np.int64)
        np.add.at(changes, low, 1)
        np.add.at(changes, high, -1)
        return self._base.buckets[np.cumsum(changes[:-1]) > 0]

    def _buckets_of_medians(self, low: IntArray, high: IntArray) -> IntArray:
        """Return where medians are if every run of cells has one cut."""
        if self.p == 2.0:
            return np.empty(0, np.int32)
        apart = np.flatnonzero(low[1:] > high[:-1])
        first = low[np.concatenate([[0], apart + 1])[: low.size]]
        last = high[np.concatenate([apart, [low.size - 1]])[: low.size]]
        points = self._base.points
        (lowest, _), (_, highest) = (
            medians(points, _with_ends(cuts, points.values.size)) for cuts in (first, last)
        )
        changes = np.zeros(self._chosen.size + 1, np.int64)
        np.add.at(changes, self._base.buckets[lowest], 1)
        np.add.at(changes, self._base.buckets[highest] + 1, -1)
        return np.flatnonzero(np.cumsum(changes) > 0)

    def _gather(self, *buckets: IntArray) -> None:
        """Make single values of the values of buckets, as far as they are not yet."""
        new = np.zeros(self._chosen.size, bool)
        new[np.concatenate(buckets)] = True
        new &= ~self._chosen & (self._sums[:, bucket.COUNT] > 0)
        if not new.any():
            return
        size = int(self._sums[new, bucket.COUNT].sum())
        if size + self._singles.counts.sum() > _GATHERED * self._u.size:
            raise SortInstead
        values, weights = np.empty(size), np.empty(size if self._weights.size else 0)
        bucket.gather(self._u, self._weights, self._numbers, self._grid.shift, new, values, weights)
        more = _distinct_singles(values, weights[None, :] if weights.size else weights[:0, None])
        together = [np.concatenate(pair) for pair in zip(self._singles, more, strict=True)]
        order = np.argsort(together[0])
        self._singles = Singles(*(array[order] for array in together))
        self._chosen |= new
        self._points = join(self._grid, self._sums, self._chosen, self._singles, self.p)

    def _gather_medians(self, ranks: IntArray) -> bool:
        """Gather the buckets that medians of pieces are in; return whether there were any."""
        if self.p == 2.0:
            return False
        points = self._points
        ends = _with_ends(points.position(ranks), points.single.size)
        inside = np.concatenate(medians(points.points, ends))
        if points.single[inside].all():
            return False
        self._gather(points.buckets[inside])
        return True

    def _cells_within(self, low: IntArray, high: IntArray) -> tuple[IntArray, IntArray]:
        """Return cells of the positions between single values, in cells of buckets that touch."""
        points, below = self._points, self._base.below
        first, last = points.position(below[low]), points.position(below[high])
        # The cell before or after would be there as well, if the best partition could cut here.
        first += ~points.single[first - 1]
        last -= ~points.single[np.minimum(last, points.single.size - 1)]
        # Cells that touch share a position.
        first[1:] = np.maximum(first[1:], last[:-1] + 1)
        kept = first <= last
        return first[kept], last[kept]


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


def _with_ends(cuts: IntArray, n: int) -> IntArray:
    return np.concatenate([[0], cuts, [n]]).astype(np.int64)


def try_buckets(
    u: FloatArray,
    weights: FloatArray | None,
    p: float,
    task: Callable[[BucketedValues | SortedValues], Result],
) -> Result:
    """Apply a function to the values in buckets or, where these do not pay, to sorted values."""
    try:
        return task(BucketedValues(u, weights, p))
    except SortInstead:
        return task(SortedValues(u, weights, p))
