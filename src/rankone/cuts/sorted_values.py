r"""A vector made ready for sorted cuts: distinct values in ascending order, with weights.

Clusters of a sorted cut are intervals of values, so the order of the coordinates does not matter,
and no argsort is needed: sort a copy, place ``k - 1`` cuts in it, and label the original vector by
the boundaries. Equal values become one value with a weight, so that they cannot be parted.
"""

from __future__ import annotations

import math
from functools import cached_property

import numpy as np

from rankone._kernel import inlined, kernel
from rankone.cuts._monge import best_cuts, partition_cost
from rankone.cuts._pieces import BLOCK, power_level, prefix_sums
from rankone.cuts.base import Partition
from rankone.cuts.units import Units
from rankone.typing import FloatArray, IntArray


class SortedValues:
    """The distinct values of a vector, ascending, and what it costs to cut between them.

    Costs and penalties of its methods are in its own `units`, and so *scaled*.

    Attributes
    ----------
    u : ndarray
        The vector.
    p : float
        The power of the fit.
    values, weights : ndarray
        Distinct values of positive weight, and the weight of each; weights are empty if all are 1.
    counted : bool
        Whether the weights are the numbers of equal values.
    n_distinct : int
        The number of distinct values.
    units : Units
        The units of costs and penalties.
    evaluations, solves : int
        The costs evaluated, and the problems solved, so far.
    """

    def __init__(self, u: FloatArray, weights: FloatArray | None = None, p: float = 2.0) -> None:
        self.u, self.p = u, p
        self.values, self.weights = _distinct(u, weights)
        self.counted = weights is None
        self.n_distinct = self.values.size
        self.evaluations = self.solves = 0
        if self.n_distinct >= 2**31:
            raise ValueError(f"u has {self.n_distinct} distinct values; at most 2^31 - 1 are supported.")
        self.units = Units(self.values[[0, -1]], self.weights, p)
        self._values = self.units.values_in(self.values)
        self._weights = self.units.weights_in(self.weights)

    @cached_property
    def _data(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """The scaled values, their weights, and their prefix sums, as the kernels take them."""
        return self._values, self._weights, prefix_sums(self._values, self._weights, self.p)

    def solve(self, lam: float) -> IntArray:
        """Return the cuts of the best partition for a scaled penalty."""
        self.solves += 1
        n = self.n_distinct
        if lam >= self.one_piece:
            return np.empty(0, np.int32)
        # The best cost is convex in the number of pieces: the last split saves the least.
        if lam == 0.0 or (lam * (n - 1) <= self.one_piece and lam < self._last_saving()):
            return np.arange(1, n, dtype=np.int32)
        if lam < self._resolution():
            raise ValueError(
                "The values are spread too widely for so small a penalty, or so many clusters: "
                "differences of the cost are lost in rounding. Cut the parts of u one by one."
            )
        cuts, evaluations = best_cuts(*self._data, self.p, lam)
        self.evaluations += evaluations
        return cuts

    def cost(self, cuts: IntArray) -> float:
        """Return the scaled cost of the pieces between cuts."""
        return partition_cost(*self._data, cuts, self.p)

    @cached_property
    def one_piece(self) -> float:
        """The scaled cost of one piece."""
        return self.cost(np.empty(0, np.int32))

    def _resolution(self) -> float:
        """Return the penalty below which the rounding of costs might decide."""
        if self.p not in (1.0, 2.0):
            return 2.0**-40 * self.one_piece / self.n_distinct
        largest = max(abs(self._values[0]), abs(self._values[-1])) ** self.p
        weight = self._weights.sum() if self._weights.size else float(self.n_distinct)
        return float(2.0**-90 * self.n_distinct / BLOCK * weight * largest)

    def _last_saving(self) -> float:
        """Return the least cost of merging two neighbours: what the split into all values saves."""
        gap, p = np.diff(self._values), self.p
        if not self._weights.size:
            return float(gap.min() ** p * 2.0 ** (1.0 - p))
        a, b = self._weights[:-1], self._weights[1:]
        if p == 1.0:
            return float((np.minimum(a, b) * gap).min())
        share = 1.0 / (p - 1.0)
        with np.errstate(all="ignore"):  # p near 1 may leave the range; then nothing is concluded
            saving = float((gap**p * (a**-share + b**-share) ** (1.0 - p)).min())
        return saving if math.isfinite(saving) else 0.0

    def partition(self, cuts: IntArray, lam: float | None = None, exact: bool = True) -> Partition:
        """Return the partition of the vector that has these cuts, ``lam`` in the vector's units."""
        starts = np.concatenate([[0], cuts]).astype(np.int64)
        levels = self.units.values_out(_piece_levels(self._values, self._weights, starts, self.p))
        objective = _fit(self.values, self.weights, starts, levels, self.p)
        objective += 0.0 if lam is None else lam * cuts.size
        if not math.isfinite(objective):
            raise ValueError(
                f"The objective of these values is larger than the largest double (p = {self.p:g}); "
                "divide u by a constant."
            )
        boundaries = _boundaries(self.values, cuts, levels)
        labels = label(self.u, boundaries)
        if self.counted:
            counts = np.add.reduceat(self.weights, starts) if self.weights.size else np.diff(starts, append=self.n_distinct)
        else:
            counts = np.bincount(labels, minlength=levels.size)
        return Partition(
            labels=labels,
            levels=levels,
            sizes=counts.astype(np.intp),
            objective=objective,
            lam=lam,
            p=self.p,
            exact=exact,
            boundaries=boundaries,
        )


def _distinct(u: FloatArray, weights: FloatArray | None) -> tuple[FloatArray, FloatArray]:
    """Return the distinct values of positive weight, ascending, and their weights."""
    none = np.empty(0)
    if weights is None:
        values, summed = np.sort(u), none
    else:
        positive = weights > 0
        if not positive.all():
            u, weights = u[positive], weights[positive]
        order = np.argsort(u, kind="stable")
        values, summed = u[order], weights[order]
    new = values[1:] != values[:-1]
    if np.count_nonzero(new) == values.size - 1:
        return values, summed
    first = np.concatenate([[0], np.flatnonzero(new) + 1])
    if weights is None:
        return values[first], np.diff(first, append=values.size).astype(np.float64)
    return values[first], np.add.reduceat(summed, first)


def _boundaries(values: FloatArray, cuts: IntArray, levels: FloatArray) -> FloatArray:
    """Return, for each cut, the middle between two levels, or the nearest value that parts them."""
    below, above = values[cuts - 1], values[cuts]
    middle = 0.5 * levels[:-1] + 0.5 * levels[1:]
    return np.clip(middle, np.nextafter(below, above), above)


def label(u: FloatArray, boundaries: FloatArray) -> IntArray:
    """Return for each value the number of boundaries that are not above it.

    The range of the boundaries is divided into equal steps. The step that a value is in says which
    boundaries are near, mostly none, and there is nothing left to search.
    """
    if boundaries.size == 0:
        return np.zeros(u.size, np.intp)
    if boundaries.size == 1:
        return (u >= boundaries[0]).astype(np.intp)
    n_steps = max(4 * boundaries.size, min(64 * boundaries.size, 8192))
    with np.errstate(over="ignore"):
        rate = n_steps / (boundaries[-1] - boundaries[0])
    if not 0.0 < rate < np.inf:
        return np.searchsorted(boundaries, u, side="right")
    labels = np.empty(u.size, np.intp)
    _label(u, boundaries, rate, n_steps, labels)
    return labels


@kernel
def _label(u, boundaries, rate, n_steps, labels):
    origin = boundaries[0]
    before = np.zeros(n_steps + 3, np.int32)  # the number of boundaries in earlier steps
    for b in boundaries:
        before[_step(b, origin, rate, n_steps) + 1] += 1
    for s in range(n_steps + 2):
        before[s + 1] += before[s]
    for i in range(u.size):
        s = _step(u[i], origin, rate, n_steps)
        low, high = before[s], before[s + 1]
        while low < high:
            middle = (low + high) // 2
            if boundaries[middle] <= u[i]:
                low = middle + 1
            else:
                high = middle
        labels[i] = low


@inlined
def _step(x, origin, rate, n_steps):
    """Return the step that x is in, from 0 to ``n_steps + 1``: it never falls when x rises."""
    return int(min(max((x - origin) * rate + 1.0, 0.0), n_steps + 1.0))


@kernel
def _piece_levels(values, weights, starts, p):
    """Return the best level of each piece."""
    levels = np.empty(starts.size)
    for k in range(starts.size):
        first = starts[k]
        last = starts[k + 1] if k + 1 < starts.size else values.size
        if p == 2.0:
            total, moment = 0.0, 0.0
            for t in range(first, last):
                w = weights[t] if weights.size else 1.0
                total += w
                moment += w * (values[t] - values[first])
            levels[k] = values[first] + moment / total
        elif p == 1.0:
            levels[k] = _median(values, weights, first, last)
        else:
            low, high = values[first], values[last - 1]
            points, own = values[first:last], weights[first:last]
            levels[k] = power_level(points, own, p, low, 0.0, high, 0.0, 0.0)
    return levels


@kernel
def _median(values, weights, first, last):
    """Return the weighted median, the middle if there is an interval of them."""
    if weights.size == 0:
        low, high = (first + last - 1) // 2, (first + last) // 2
    else:
        half = 0.5 * weights[first:last].sum()
        low, total = first, weights[first]
        while total < half and low < last - 1:
            low += 1
            total += weights[low]
        high = low + 1 if total == half and low < last - 1 else low
    return values[low] + 0.5 * (values[high] - values[low])


@kernel
def _fit(values, weights, starts, levels, p):
    """Return ``sum w |x - level|^p`` over all pieces."""
    total = 0.0
    for k in range(levels.size):
        first = starts[k]
        last = starts[k + 1] if k + 1 < starts.size else values.size
        piece = 0.0
        for t in range(first, last):
            d = abs(values[t] - levels[k])
            power = d * d if p == 2.0 else d if p == 1.0 else d**p
            piece += weights[t] * power if weights.size else power
        total += piece
    return total
