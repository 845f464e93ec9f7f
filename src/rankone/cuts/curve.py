r"""The curve of least costs of sorted Potts, found from few penalties.

Let f(k) be the least cost of k pieces. On sorted values f is convex, so each penalty ``lam``
touches its graph in a vertex of the lower hull, or along an edge, and ``f(k) - f(k + 1)`` is the
penalty at which k clusters give way to k + 1. To find the vertices between two known ones, solve
for the slope of the chord: either there is a vertex below the chord, or the chord is an edge. On an
edge the two end solutions can be crossed: for every number of pieces in between there is a place
where the first pieces of one and the last pieces of the other join to an optimal partition with
exactly that number (Aggarwal, Schieber and Tokuyama 1994).

A few penalties are usually enough. Where they are not, the dynamic program of ``_layers`` takes
over once the penalties have cost as much as it would, so that k numbers of clusters never take more
than about k n log n evaluations, whatever the values.
"""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np

from rankone.cuts.bucketed_values import BucketedValues
from rankone.cuts.sorted_values import SortedValues
from rankone.typing import IntArray

#: Where the cost is below this share of the penalty, solve again with a smaller penalty.
_LOST = 0.125

#: Penalties are solved for until they have cost this share of what layers would.
_PATIENCE = 1.0

#: Between vertices that differ by no more, the chord tells the next penalty.
_CLOSE = 4

#: Numbers of pieces that differ by no more from a vertex count as next to it.
_BESIDE = 2

#: A vertex must lie below a chord by more than this share of the cost.
ROUNDING = 2.0**-46

#: A vector whose values are sorted, or in buckets.
Values = BucketedValues | SortedValues


class Curve:
    """The curve of best costs f(k), whose vertices are found on demand."""

    def __init__(self, problem: Values) -> None:
        self.problem = problem
        n = problem.n_positions
        self._cuts = {1: np.empty(0, np.int64)}
        self._costs = {1: problem.one_piece, n: 0.0}
        self._penalties: dict[int, float] = {}  # one for each vertex that was solved for
        self._edges: set[tuple[int, int]] = set()
        self._layers_tried = False

    def cuts(self, k: int) -> IntArray:
        """Return the cuts of the best partition into exactly k pieces."""
        n = self.problem.n_positions
        if k not in self._costs:
            self._close_in(k)
        if k == n:
            return np.arange(1, n, dtype=np.int64)
        if k not in self._cuts:
            low, high = self._around(k)
            self._cuts[k] = _cross(self.cuts(low), self.cuts(high), k, n)
        return self._cuts[k]

    def cost(self, k: int) -> float:
        """Return f(k)."""
        if k not in self._costs:
            self._costs[k] = self.problem.cost(self.cuts(k))
        return self._costs[k]

    def saving(self, k: int) -> float:
        """Return ``f(k) - f(k + 1)``; on an edge, its slope, so that savings never rise with k."""
        if k >= self.problem.n_positions:
            return 0.0
        for low, high in self._edges:
            if low <= k < high:
                return (self.cost(low) - self.cost(high)) / (high - low)
        return self.cost(k) - self.cost(k + 1)

    def trace(self, most: int) -> None:
        """Find all vertices up to ``most`` pieces."""
        if most not in self._costs:
            self._bracket(most)
        vertices = sorted(self._costs)
        stack = [(a, b) for a, b in pairwise(vertices) if a < most]
        while stack and not self._solved_by_layers(most):
            low, high = stack.pop()
            middle = self._below_chord(low, high)
            if middle is not None:
                stack += [(a, b) for a, b in ((low, middle), (middle, high)) if a < most]

    def _solve(self, lam: float) -> int:
        """Solve for one penalty and return the number of pieces."""
        cuts = self.problem.solve(lam, self.problem.units)
        cost = self.problem.cost(cuts)
        # What is rounded is a share of the penalty, but must be one of the cost. Twice the cost is
        # still a penalty that chooses this number of pieces: another piece cannot save as much.
        while 0.0 < cost < _LOST * lam:
            lam = 2.0 * cost
            cuts = self.problem.solve(lam, self.problem.units)
            cost = self.problem.cost(cuts)
        k = cuts.size + 1
        if k not in self._costs:
            self._cuts[k], self._costs[k], self._penalties[k] = cuts, cost, lam
        return k

    def _solved_by_layers(self, most: int) -> bool:
        """Solve for all numbers up to ``most`` at once, if penalties have cost as much as that.

        Costs too small for the precision of their sums are left to penalties, which divide the
        values into parts.
        """
        problem, n = self.problem, self.problem.n_positions
        budget = _PATIENCE * most * n * math.log2(n + 1)
        if self._layers_tried or problem.evaluations < budget or problem.p not in (1.0, 2.0):
            return False
        self._layers_tried = True
        solutions = problem.solve_layers(most)
        costs = [problem.cost(cuts) for cuts in solutions]
        if not problem.is_precise(min(costs)):
            return False
        for k, (cuts, cost) in enumerate(zip(solutions, costs, strict=True), start=1):
            self._cuts[k], self._costs[k] = cuts, cost
        self._edges.clear()
        return True

    def _around(self, k: int) -> tuple[int, int]:
        """Return the nearest vertices with fewer and with more than k pieces."""
        return max(i for i in self._costs if i < k), min(i for i in self._costs if i > k)

    def _bracket(self, k: int) -> None:
        """Find a vertex with at least k pieces, not many more.

        The penalty for k pieces is at most ``f(a) / (k - a)`` for every smaller a; within that, it
        is guessed as if the cost fell with the square of the number of pieces.
        """
        a, lam = 1, math.inf
        while a < min(k, self.problem.n_positions) and not self._solved_by_layers(k):
            guess = 2.0 * self.cost(a) * a**2 / k**3
            lam = min(guess, self.cost(a) / (k - a), lam / 2.0)
            a = max(a, self._solve(lam))

    def _close_in(self, k: int) -> None:
        """Find the vertex k, or the edge that k lies on."""
        self._bracket(k)
        while k not in self._costs and not self._solved_by_layers(k):
            low, high = self._around(k)
            if (low, high) in self._edges:
                return
            if high - low > _CLOSE and not self._penalties.keys().isdisjoint((low, high)):
                self._solve(self._guess(k, low, high))
                a, b = self._around(k)
                if k in self._costs or 2 * (b - a) <= high - low:
                    continue
                low, high = a, b
            self._below_chord(low, high)

    def _guess(self, k: int, low: int, high: int) -> float:
        """Guess the penalty for k pieces, as if it fell with a power of their number.

        If k is next to one of the two vertices around it, it is a number on its other side that is
        aimed at, so that there are close vertices on both sides.
        """
        aim = k
        if high - k <= _BESIDE < k - low:
            aim = k - _BESIDE
        elif k - low <= _BESIDE < high - k:
            aim = k + _BESIDE
        ends = [i for i in (low, high) if i in self._penalties]
        lams = [math.log(self._penalties[i]) for i in ends]
        power = self.problem.p + 1.0  # that of uniform values
        if len(ends) == 2:
            power = (lams[0] - lams[1]) / math.log(high / low)
        return math.exp(lams[-1] + power * math.log(ends[-1] / aim))

    def _below_chord(self, low: int, high: int) -> int | None:
        """Return a vertex between two vertices, or None if they are the ends of an edge."""
        if high - low > 1 and (low, high) not in self._edges:
            lam = (self.cost(low) - self.cost(high)) / (high - low)
            middle = self._solve(lam)
            if low < middle < high:
                drop = self.cost(low) - self.cost(middle) - lam * (middle - low)
                if drop > ROUNDING * self.cost(low):
                    return middle
        self._edges.add((low, high))
        return None


def _cross(few: IntArray, many: IntArray, k: int, n: int) -> IntArray:
    """Cross two optimal partitions of one penalty into an optimal one with exactly k pieces.

    For some x, piece x of the first contains piece ``x + k - k_few`` of the second. Up to there
    take the second, and go on with the first: by the Monge inequality nothing is lost.
    """
    a = np.concatenate([[0], few, [n]])
    b = np.concatenate([[0], many, [n]])
    shift = k - (few.size + 1)
    inner = b[shift : shift + a.size]
    contains = (a[:-1] <= inner[:-1]) & (inner[1:] <= a[1:])
    x = int(np.flatnonzero(contains)[0])
    return np.concatenate([b[1 : x + shift + 1], a[x + 1 : -1]])
