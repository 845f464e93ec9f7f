"""How a partition checks itself: levels and objective are recomputed in a slow and simple way.

Both are computed in units of ordinary magnitude (`Units`), without overflow or underflow. They must
agree with the partition up to a relative difference of 1e-9, plus the effect of rounding: a level
is a double, with an error of 1e-16 relative to the largest value, however small the spread of the
values, which changes its cost as well; and the sum of n weights has up to n such errors.
"""

from __future__ import annotations

import math
import sys
from typing import TYPE_CHECKING

import numpy as np

from rankone.cuts.brute_force import best_level, fit
from rankone.cuts.units import Units
from rankone.typing import FloatArray

if TYPE_CHECKING:
    from rankone.cuts.partition import Partition

#: The relative difference up to which two computations of a level or an objective agree.
_CLOSE = 1e-9

#: The rounding error of a level, in units of its last place.
_ROUNDINGS = 8.0


class Recomputed:
    """The levels and the objective that the labels of a partition give.

    Parameters
    ----------
    part : Partition
        The partition.
    u, weights : ndarray
        The vector and its weights, checked.
    """

    def __init__(self, part: Partition, u: FloatArray, weights: FloatArray) -> None:
        self.part = part
        self.units = Units(u, weights, part.p)
        self.u, self.w = self.units.values_in(u), self.units.weights_in(weights)
        # A level lies among the values, so it is not off by more than their range.
        largest = _ROUNDINGS * math.ulp(float(np.abs(u).max()))
        with np.errstate(over="ignore", under="ignore"):
            rounding = float(np.ldexp(largest, -self.units.exponent))
        self.rounding = min(rounding, float(np.ptp(self.u)))
        self.levels = np.array([self._level_of(label) for label in range(part.n_clusters)])

    def check_levels(self) -> None:
        """Raise a ValueError if the levels are not those of the labels."""
        given = self.units.values_in(self.part.levels)
        tolerance = _CLOSE * float(np.ptp(self.u)) + self.rounding
        far = np.abs(given - self.levels) > tolerance
        if self.part.p == 1:
            for label in np.flatnonzero(far).tolist():
                far[label] = not self._is_tied_median(label, given[label], tolerance)
        if far.any():
            levels = self.units.values_out(self.levels)
            raise ValueError(f"The labels give the levels {levels}, not {self.part.levels}.")

    def check_objective(self) -> float:
        """Return the objective; raise a ValueError if it is not that of the partition."""
        signal = self.levels[self.part.labels]
        total = fit(self.u, self.w, signal, self.part.p)
        objective = self.units.cost_out(total) + self._penalty(signal)
        least = math.ulp(0.0) * self.u.size
        slack = self.units.cost_out(self._fit_rounding(signal)) + self._penalty_rounding() + least
        difference = abs(objective - self.part.objective)
        if not difference <= _CLOSE * abs(objective) + slack:
            raise ValueError(
                f"The labels give an objective of {objective!r}, not {self.part.objective!r}."
            )
        return objective

    def _penalty(self, signal: FloatArray) -> float:
        """Return the penalty, in the units of the caller."""
        if self.part.lam is None:
            return 0.0
        if self.part.penalty == "pieces":
            return self.part.lam * (self.part.n_clusters - 1.0)
        mantissa, exponent = math.frexp(self.part.lam)
        variation = mantissa * math.fsum(np.abs(np.diff(signal)))
        return float(np.ldexp(variation, exponent + self.units.exponent))

    def _fit_rounding(self, signal: FloatArray) -> float:
        """Return how much the rounding of levels may add to the fit.

        At the mean of a piece its squares do not change to first order.
        """
        if self.part.p == 2 and self.part.penalty == "pieces":
            return float(self.w.sum()) * self.rounding**2
        distance = np.abs(self.u - signal)
        with np.errstate(under="ignore"):
            more = (distance + self.rounding) ** self.part.p - distance**self.part.p
        return math.fsum(self.w * more)

    def _penalty_rounding(self) -> float:
        """Return how much the rounding of levels may change the penalty."""
        if self.part.lam is None or self.part.penalty == "pieces":
            return 0.0
        mantissa, exponent = math.frexp(self.part.lam)
        variation = mantissa * 2.0 * self.rounding * (self.part.n_clusters - 1)
        with np.errstate(over="ignore"):  # then nothing is left of the penalty but rounding
            return float(np.ldexp(variation, exponent + self.units.exponent))

    def _level_of(self, label: int) -> float:
        """Return the best level of one cluster."""
        inside = self.part.labels == label
        level = best_level(self.u[inside], self.w[inside], self.part.p)
        if self.part.penalty == "variation" and self.part.lam is not None:
            # The derivative of the penalty pulls a piece towards the neighbours that it jumps to.
            ends = np.flatnonzero(inside)[[0, -1]] + [-1, 1]
            neighbours = self.part.labels[ends[(ends >= 0) & (ends < self.u.size)]]
            pull = np.sign(neighbours - label).sum() / (2.0 * self.w[inside].sum())
            mantissa, exponent = math.frexp(self.part.lam)
            exponent -= self.units.exponent + self.units.weight_exponent
            level += float(np.ldexp(mantissa * pull, exponent))
        return level

    def _is_tied_median(self, label: int, level: float, tolerance: float) -> bool:
        """Return whether a level is a median up to the rounding of the sums of weights."""
        inside = self.part.labels == label
        x, w = self.u[inside], self.w[inside]
        if np.array_equal(w, np.floor(w)):
            return False  # sums of whole numbers are exact
        half = 0.5 * math.fsum(w) * (1.0 + x.size * sys.float_info.epsilon)
        below, above = x < level - tolerance, x > level + tolerance
        return bool(max(math.fsum(w[below]), math.fsum(w[above])) <= half)
