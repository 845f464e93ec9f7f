"""Contiguous pieces in rational arithmetic: the oracle of the attacks on cuts."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate, pairwise

from rankone.typing import FloatArray


class RationalPotts:
    """The costs of all contiguous pieces of a signal, and the least costs of k of them.

    Parameters
    ----------
    u, weights : ndarray
        The signal and its positive weights.
    p : {1, 2}
        The power of the fit.

    Attributes
    ----------
    best : list of Fraction
        The least cost of 1, 2, ..., n pieces.
    """

    def __init__(self, u: FloatArray, weights: FloatArray, p: int) -> None:
        self._values = [Fraction(x) for x in u.tolist()]
        self._weights = [Fraction(w) for w in weights.tolist()]
        self._size = len(self._values)
        cost = self._squared if p == 2 else self._absolute
        self._costs = [cost(i) for i in range(self._size)]
        self.best = self._least_costs()

    def fit(self, breakpoints: Sequence[int]) -> Fraction:
        """Return the cost of the pieces between these breakpoints."""
        ends = [0, *breakpoints, self._size]
        return sum((self._costs[i][j - i - 1] for i, j in pairwise(ends)), Fraction(0))

    def objective(self, lam: float) -> Fraction:
        """Return the least objective for a penalty."""
        return min(cost + k * Fraction(lam) for k, cost in enumerate(self.best))

    def _squared(self, i: int) -> list[Fraction]:
        """Return the costs of the pieces that begin at i."""
        total = moment = square = Fraction(0)
        costs = []
        for x, w in zip(self._values[i:], self._weights[i:], strict=True):
            total, moment, square = total + w, moment + w * x, square + w * x * x
            costs.append(square - moment**2 / total)
        return costs

    def _absolute(self, i: int) -> list[Fraction]:
        costs = []
        for j in range(i + 1, self._size + 1):
            points = sorted(zip(self._values[i:j], self._weights[i:j], strict=True))
            half, below = sum(w for _, w in points) / 2, accumulate(w for _, w in points)
            median = next(x for (x, _), w in zip(points, below, strict=True) if w >= half)
            costs.append(sum((w * abs(x - median) for x, w in points), Fraction(0)))
        return costs

    def _least_costs(self) -> list[Fraction]:
        least = [self._costs[0]]
        for k in range(1, self._size):
            before = least[-1]  # of k pieces that end after point k, k + 1, ...
            least.append(
                [
                    min(before[i - k] + self._costs[i][j - i] for i in range(k, j + 1))
                    for j in range(k, self._size)
                ]
            )
        return [row[-1] for row in least]
