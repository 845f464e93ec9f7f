"""Ascending values, what it costs to cut between them, and the best cuts for a penalty."""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise

import numpy as np

from rankone._kernel import kernel
from rankone.cuts._monge import best_cuts, partition_cost
from rankone.cuts._pieces import BLOCK, power_level, prefix_sums
from rankone.cuts.units import Units
from rankone.typing import FloatArray, IntArray

#: The share of the largest sum that a penalty must have, for each block that was summed.
_RESOLUTION = 2.0**-90

#: The same for costs of other powers than 1 and 2, as a share of the cost of one piece.
_POWER_RESOLUTION = 2.0**-40


class SortedProblem:
    """The best partition of ascending values, for any penalty.

    Costs and penalties of its methods are in its own `units`, and so *scaled*.

    Parameters
    ----------
    values, weights : ndarray
        Distinct values in ascending order, and a positive weight for each; no weights, an empty
        array, means ones.
    p : float
        The power of the fit.

    Attributes
    ----------
    n_distinct : int
        The number of values.
    units : Units
        The units of costs and penalties.
    evaluations, solves : int
        The costs evaluated, and the problems solved, so far.
    """

    def __init__(self, values: FloatArray, weights: FloatArray, p: float) -> None:
        self.values, self.weights, self.p = values, weights, p
        self.n_distinct = values.size
        self.evaluations = self.solves = 0
        if self.n_distinct >= 2**31:
            raise ValueError(
                f"u has {self.n_distinct} distinct values; at most 2^31 - 1 are supported."
            )
        self.units = Units(values[[0, -1]], weights, p)
        self._values = self.units.values_in(values)
        self._weights = self.units.weights_in(weights)

    def solve(self, lam: float) -> IntArray:
        """Return the cuts of the best partition for a scaled penalty."""
        self.solves += 1
        n = self.n_distinct
        if lam >= self.one_piece:
            return np.empty(0, np.int64)
        # The best cost is convex in the number of pieces: the last split saves the least.
        if lam == 0.0 or (lam * (n - 1) <= self.one_piece and lam < self._merging_costs().min()):
            return np.arange(1, n, dtype=np.int64)
        if lam < self._resolution:
            return self._solve_parts(lam)
        cuts, evaluations = best_cuts(*self._data, self.p, lam)
        self.evaluations += evaluations
        return cuts

    def cost(self, cuts: IntArray) -> float:
        """Return the scaled cost of the pieces between cuts."""
        cost = float(partition_cost(*self._data, cuts, self.p))
        if cost < self._resolution * self.n_distinct:  # too little is left of the sums
            cost = _direct_cost(self._values, self._weights, first_points(cuts), self.p)
        return cost

    @cached_property
    def one_piece(self) -> float:
        """The scaled cost of one piece."""
        return self.cost(np.empty(0, np.int64))

    def levels(self, starts: IntArray) -> FloatArray:
        """Return the best level of each piece, in the units of the values."""
        return self.units.values_out(_levels(self._values, self._weights, starts, self.p))

    @cached_property
    def _data(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """The scaled values, their weights, and their prefix sums, as the kernels take them."""
        return self._values, self._weights, prefix_sums(self._values, self._weights, self.p)

    @cached_property
    def _resolution(self) -> float:
        """The penalty below which the rounding of costs might decide."""
        if self.p not in (1.0, 2.0):
            whole = _direct_cost(self._values, self._weights, np.zeros(1, np.int64), self.p)
            return float(_POWER_RESOLUTION * whole / self.n_distinct)
        largest = max(abs(self._values[0]), abs(self._values[-1])) ** self.p
        weight = self._weights.sum() if self._weights.size else float(self.n_distinct)
        return float(_RESOLUTION * (self.n_distinct / BLOCK + 1.0) * weight * largest)

    def _merging_costs(self) -> FloatArray:
        """Return the cost of each two neighbours as one piece."""
        gap, p = np.diff(self._values), self.p
        if not self._weights.size:
            return gap**p * 2.0 ** (1.0 - p)
        a, b = self._weights[:-1], self._weights[1:]
        if p == 1.0:
            return np.minimum(a, b) * gap
        share = 1.0 / (p - 1.0)
        with np.errstate(all="ignore"):  # p near 1 may leave the range; then nothing is concluded
            costs = gap**p * (a**-share + b**-share) ** (1.0 - p)
        return np.where(np.isfinite(costs), costs, 0.0)

    def _solve_parts(self, lam: float) -> IntArray:
        """Cut where it is certain, and solve the parts, each in units of its own.

        A piece with a gap costs at least what the two values beside the gap cost, and to part it
        into single values costs ``lam (n - 1)`` at most.
        """
        certain = np.flatnonzero(self._merging_costs() > lam * (self.n_distinct - 1)) + 1
        if not certain.size:
            raise ValueError(
                "The penalty is too small, or the clusters are too many, for values that are "
                "spread so widely: differences of the cost are lost in rounding. "
                "Cut the parts of u one by one."
            )
        cuts = [certain]
        for first, last in pairwise([0, *certain.tolist(), self.n_distinct]):
            if last - first > 1:
                part = SortedProblem(self._values[first:last], self._weights[first:last], self.p)
                cuts.append(first + part.solve(part.units.cost_in(lam)))
                self.evaluations += part.evaluations
        return np.sort(np.concatenate(cuts))


def first_points(cuts: IntArray) -> IntArray:
    """Return the first point of each piece between cuts."""
    return np.concatenate([[0], cuts]).astype(np.int64)


@kernel
def _levels(values, weights, starts, p):
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
def _direct_cost(values, weights, starts, p):
    """Return the cost of all pieces from the points themselves, small as it may be."""
    levels = _levels(values, weights, starts, p)
    cost = fit(values, weights, starts, levels, p)
    if p != 2.0:
        return cost
    # The mean is rounded: what it misses is taken off again.
    for k in range(levels.size):
        rest = total = 0.0
        last = starts[k + 1] if k + 1 < starts.size else values.size
        for t in range(starts[k], last):
            w = weights[t] if weights.size else 1.0
            rest += w * (values[t] - levels[k])
            total += w
        cost -= rest * rest / total
    return max(0.0, cost)


@kernel
def fit(values, weights, starts, levels, p):
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
