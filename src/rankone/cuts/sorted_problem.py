"""Ascending values, the costs of cuts between them, and the best cuts for a penalty."""

from __future__ import annotations

import math
from functools import cached_property
from itertools import pairwise

import numpy as np

from rankone.cuts._cells import best_cuts, partition_cost
from rankone.cuts._layers import cuts_of_layer, layered_starts
from rankone.cuts._levels import direct_cost, merging_costs, piece_fit, piece_levels
from rankone.cuts._nodes import BLOCK, Points, with_sums
from rankone.cuts.units import Units
from rankone.typing import FloatArray, IntArray

#: The least penalty, as a share of the largest sum, for each block that was summed.
RESOLUTION = 2.0**-90

#: Penalties and costs that exceed it by this factor are accurate to 1e-12 of themselves.
AMPLE = 2.0**28

#: Below this many times that, rough costs seldom decide, so that parts with finer units pay off.
FAR = 2.0**36

#: Into how many parts a problem is divided at once; parts that are still too wide, once more.
_MAX_PARTS = 64

#: The least penalty for powers other than 1 and 2, as a share of the cost of one piece.
_POWER_RESOLUTION = 2.0**-900

#: A penalty below this share of a saving is smaller than it despite rounding.
_SURELY = 1.0 - 2.0**-44

#: Sums of powers below this may have terms that are too small for all of their digits.
_DENORMAL = 2.0**-960

_TOO_WIDE = (
    "The penalty is too small, or the clusters are too many, for values that are spread so widely: "
    "differences of the cost are lost in rounding. Cut the parts of u one by one."
)


class SortedProblem:
    """The best partition of ascending values, for any penalty.

    Costs are in its own `units`, and so *scaled*.

    Parameters
    ----------
    values, weights : ndarray
        Distinct values in ascending order, and a positive weight for each; no weights, an empty
        array, means ones.
    p : float
        The power of the fit.

    Attributes
    ----------
    n_distinct, n_positions : int
        The number of values. Cuts are numbers between 0 and ``n_positions``.
    units : Units
        The units of costs and penalties.
    evaluations, solves : int
        The costs evaluated, and the problems solved, so far.
    """

    def __init__(self, values: FloatArray, weights: FloatArray, p: float) -> None:
        self.values, self.weights, self.p = values, weights, p
        self.n_distinct = self.n_positions = values.size
        self.evaluations = self.solves = 0
        self._parts: dict[tuple[int, int], SortedProblem] = {}
        if self.n_distinct >= 2**31:
            raise ValueError(
                f"u has {self.n_distinct} distinct values; at most 2^31 - 1 are supported."
            )
        self.units = Units(values[[0, -1]], weights, p)
        self._values = self.units.values_in(values)
        self._weights = self.units.weights_in(weights)

    def solve(self, lam: float, units: Units | None = None) -> IntArray:
        """Return the cuts of the best partition for a penalty in units, by default the caller's."""
        self.solves += 1
        n = self.n_distinct
        scaled = self.units.cost_from(units, lam)
        if lam > 0.0:
            scaled = max(scaled, math.ulp(0.0))
        if scaled >= self.one_piece:
            return np.empty(0, np.int64)
        # The best cost is convex in the number of pieces: the last split saves the least.
        few = scaled * (n - 1) > self.one_piece
        if scaled == 0.0 or (not few and scaled < _SURELY * self._merging_costs().min()):
            return np.arange(1, n, dtype=np.int64)
        if scaled < FAR * self._resolution:
            certain = self._certain_cuts(scaled)
            if certain.size:
                return self._solve_parts(certain, lam, units)
            if scaled < self._resolution:
                raise ValueError(_TOO_WIDE)
        cuts, evaluations = best_cuts(self._points, scaled)
        self.evaluations += evaluations
        return cuts

    def solve_layers(self, k: int) -> list[IntArray]:
        """Return the cuts of the best partitions into 1, 2, ..., k pieces, by dynamic programming.

        Their costs must be precise; see `is_precise`.
        """
        starts, evaluations = layered_starts(self._points, k)
        self.evaluations += evaluations
        return [cuts_of_layer(starts, number) for number in range(1, k + 1)]

    def is_precise(self, cost: float) -> bool:
        """Return whether a scaled cost is large enough to be right to about 1e-12 of itself."""
        return cost >= AMPLE * self._resolution

    def cost(self, cuts: IntArray) -> float:
        """Return the scaled cost of the pieces between cuts."""
        cost = float(partition_cost(self._points, cuts))
        if not self.is_precise(cost):  # too little is left of the sums
            cost = direct_cost(self._values, self._weights, first_points(cuts), self.p)
            if cost == 0.0 and cuts.size < self.n_distinct - 1:  # the true cost is positive
                raise ValueError(_TOO_WIDE)
        return cost

    @cached_property
    def one_piece(self) -> float:
        """The scaled cost of one piece."""
        return self.cost(np.empty(0, np.int64))

    def levels(self, starts: IntArray) -> FloatArray:
        """Return the best level of each piece, in the units of the values."""
        levels = self.units.values_out(piece_levels(self._values, self._weights, starts, self.p))
        last = np.append(starts[1:], self.n_distinct) - 1
        # Scaling may have lost the least of them.
        return np.clip(levels, self.values[starts], self.values[last])

    def fit(self, starts: IntArray, levels: FloatArray) -> float:
        """Return the fit of levels, in the units of the caller."""
        cost = float(piece_fit(self.values, self.weights, starts, levels, self.p))
        heaviest = max(1.0, float(self.weights.max(initial=1.0)))
        if not _DENORMAL * heaviest < cost < math.inf:  # powers of distances may have lost digits
            levels = self.units.values_in(levels)
            cost = piece_fit(self._values, self._weights, starts, levels, self.p)
            cost = self.units.cost_out(float(cost))
        return cost

    @cached_property
    def _points(self) -> Points:
        """The scaled values, their weights and their prefix sums."""
        return with_sums(self._values, self._weights, self.p)

    @cached_property
    def _resolution(self) -> float:
        """The penalty below which the rounding of costs might decide."""
        if self.p not in (1.0, 2.0):
            whole = direct_cost(self._values, self._weights, np.zeros(1, np.int64), self.p)
            return float(_POWER_RESOLUTION * whole / self.n_distinct)
        largest = max(abs(self._values[0]), abs(self._values[-1])) ** self.p
        weight = self._weights.sum() if self._weights.size else float(self.n_distinct)
        return float(RESOLUTION * (self.n_distinct / BLOCK + 1.0) * weight * largest)

    def _merging_costs(self) -> FloatArray:
        return merging_costs(self._values, self._weights, self.p)

    def _certain_cuts(self, scaled: float) -> IntArray:
        """Return the widest gaps that the best partition is certain to cut, not all if many.

        A piece with a gap costs at least as much as the two values next to the gap, and to split
        it into single values costs at most ``lam (n - 1)``.
        """
        costs = self._merging_costs()
        certain = np.flatnonzero(costs > scaled * (self.n_distinct - 1))
        if certain.size >= _MAX_PARTS:
            certain = certain[np.argpartition(costs[certain], -_MAX_PARTS + 1)[-_MAX_PARTS + 1 :]]
        return np.sort(certain) + 1

    def _solve_parts(self, certain: IntArray, lam: float, units: Units | None) -> IntArray:
        """Cut where it is certain, and solve the parts, each in units of its own.

        The parts are kept, since the next penalty often has the same certain cuts.
        """
        cuts, parts = [certain], {}
        for first, last in pairwise([0, *certain.tolist(), self.n_distinct]):
            if last - first > 1:
                part = self._parts.get((first, last)) or SortedProblem(
                    self.values[first:last], self.weights[first:last], self.p
                )
                self.evaluations -= part.evaluations
                cuts.append(first + part.solve(lam, units))
                self.evaluations += part.evaluations
                parts[first, last] = part
        self._parts = parts
        return np.sort(np.concatenate(cuts))


def first_points(cuts: IntArray) -> IntArray:
    """Return the first point of each piece between cuts."""
    return np.concatenate([[0], cuts]).astype(np.int64)
