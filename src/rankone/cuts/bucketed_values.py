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

from rankone.cuts._cells import all_positions, best_cuts_within, narrow, partition_cost
from rankone.cuts._nodes import BLOCK, MOMENT, MOMENT_REST, WEIGHT, WEIGHT_REST
from rankone.cuts._pieces import medians
from rankone.cuts.buckets import Buckets, SortInstead
from rankone.cuts.input import check_objective
from rankone.cuts.partition import Partition
from rankone.cuts.sorted_problem import AMPLE, FAR, RESOLUTION
from rankone.cuts.sorted_values import SortedValues, boundaries_between
from rankone.cuts.units import Units
from rankone.cuts.vector import Vector
from rankone.typing import FloatArray, IntArray

Result = TypeVar("Result")

#: Fewer values are sorted faster.
FEWEST = 2**17

#: The same for p = 1, where medians make the search slower, and for paths, which gather more.
FEWEST_ABSOLUTE, FEWEST_PATH = 2**19, 2**21

#: The least number of points; the first and the last are never in a cell.
_FEWEST_POINTS = 4

#: The largest number of clusters, as a share of the number of buckets.
_CLUSTERS = 1 / 16

#: Costs are precise if values are this far from their levels on average, in widths of a bucket.
_LEAST_WIDTH = 2.0


class BucketedValues:
    """The partitions of a vector whose values are not sorted.

    Cuts are the numbers of coordinates below them. Costs are in its own `units`.

    Parameters
    ----------
    vector : Vector
        The vector.
    p : float
        The power of the fit, 1 or 2.
    """

    def __init__(self, vector: Vector, p: float) -> None:
        fewest = FEWEST if p == 2.0 else FEWEST_ABSOLUTE
        if p not in (1.0, 2.0) or vector.size < fewest:
            raise SortInstead
        self.vector, self.p = vector, p
        self.evaluations = self.solves = 0
        self._buckets = Buckets(vector, p)
        if self._buckets.survey.n_coordinates < fewest:
            raise SortInstead
        self.n_positions = self._buckets.survey.size
        self.units = self._buckets.units
        self._base = self._points = self._buckets.points()
        if self._base.single.size < _FEWEST_POINTS:
            raise SortInstead

    def solve(self, lam: float, units: Units | None = None) -> IntArray:
        """Return the cuts of the best partition for a penalty in units, by default the caller's."""
        self.solves += 1
        scaled = self.units.cost_from(units, lam)
        base, no_cuts = self._base, np.empty(0, np.int64)
        # With medians at the means of their buckets one piece costs no more than it does.
        least = base.within + float(partition_cost(base.points, no_cuts))
        if scaled >= least and scaled >= self.one_piece:
            return no_cuts
        if scaled < FAR * self._resolution:
            raise SortInstead
        low, high = all_positions(base.single.size)
        low, high, upper, count = narrow(base.points, scaled, low, high, math.inf, 1)
        self.evaluations += count
        self._gather(self._buckets_of_cuts(low, high), self._buckets_of_medians(low, high))
        while True:
            cells = self._cells_within(low, high)
            most = upper + base.within - self._points.within
            cuts, count = best_cuts_within(self._points.points, scaled, *cells, most)
            self.evaluations += count
            ranks: IntArray = self._points.below[cuts]
            self._gather(self._points.buckets[np.concatenate([cuts - 1, cuts])])
            if not self._gather_medians(ranks):
                return ranks

    def cost(self, ranks: IntArray) -> float:
        """Return the scaled cost of the pieces between cuts."""
        self._gather_medians(ranks)
        points = self._points
        cost = points.within + float(partition_cost(points.points, points.position(ranks)))
        if not self.is_precise(cost):
            raise SortInstead
        return cost

    def is_precise(self, cost: float) -> bool:
        """Return whether a scaled cost is large enough to be right to about 1e-12 of itself."""
        buckets = self._buckets
        distance = _LEAST_WIDTH / buckets.grid.rate
        return cost >= max(AMPLE * self._resolution, buckets.weight * distance**self.p)

    @cached_property
    def one_piece(self) -> float:
        """The scaled cost of one piece."""
        return self.cost(np.empty(0, np.int64))

    @cached_property
    def _resolution(self) -> float:
        """The penalty below which the rounding of costs might decide."""
        buckets, largest = self._buckets, self._buckets.largest
        rounding = RESOLUTION * (self.n_positions / BLOCK + 1.0) * largest
        in_buckets = 2.0**-58 / buckets.grid.rate
        return max(rounding, in_buckets) * buckets.weight * largest ** (self.p - 1.0)

    @cached_property
    def n_distinct(self) -> int:
        """The number of distinct values, for which they are sorted after all."""
        return int(self.sorted().n_distinct)

    def sorted(self) -> SortedValues:
        """Return the same values, sorted."""
        return SortedValues.of(self.vector, self.p)

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
        labels = self._buckets.label(boundaries)
        if self.n_positions == self._buckets.survey.n_coordinates:
            sizes = np.diff(ranks, prepend=0, append=self.n_positions)
        else:
            sizes = self.vector.sizes(labels, levels.size)
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
        changes = np.zeros(self._buckets.grid.size + 3, np.int64)
        np.add.at(changes, self._base.buckets[lowest], 1)
        np.add.at(changes, self._base.buckets[highest] + 1, -1)
        return np.flatnonzero(np.cumsum(changes) > 0)

    def _gather(self, *buckets: IntArray) -> None:
        """Make single values of the values of buckets, as far as they are not yet."""
        if self._buckets.gather(*buckets):
            self._points = self._buckets.points()

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
        """Return cells of positions, next to single values, in cells of buckets that touch."""
        points, below = self._points, self._base.below
        first, last = points.position(below[low]), points.position(below[high])
        # Cells that touch share a position.
        first[1:] = np.maximum(first[1:], last[:-1] + 1)
        kept = first <= last
        return first[kept], last[kept]


def _with_ends(cuts: IntArray, n: int) -> IntArray:
    return np.concatenate([[0], cuts, [n]]).astype(np.int64)


def try_buckets(
    vector: Vector,
    p: float,
    task: Callable[[BucketedValues | SortedValues], Result],
    fewest: int = 0,
) -> Result:
    """Apply a function to the values in buckets or, where these do not pay, to sorted values."""
    try:
        if vector.size < fewest:
            raise SortInstead
        return task(BucketedValues(vector, p))
    except SortInstead:
        return task(SortedValues.of(vector, p))
