"""A change of units without rounding, so that costs are computed at an ordinary magnitude."""

from __future__ import annotations

import math

import numpy as np

from rankone.typing import FloatArray

#: Magnitudes whose power p is outside 2**-ORDINARY ... 2**ORDINARY are scaled by a power of two.
_ORDINARY = 100


class Units:
    """The units in which values, weights, and penalties are handed to a kernel.

    Values are shifted and multiplied by a power of two, weights multiplied by another. Neither
    rounds, so neither a large offset nor extreme magnitudes harm a cost.

    Parameters
    ----------
    values : ndarray
        The values.
    weights : ndarray
        Their weights, empty if there are none.
    p : float
        The power of the fit.
    shift : float, optional
        A shift, if it was chosen before (see `is_exact`).
    """

    def __init__(
        self, values: FloatArray, weights: FloatArray, p: float, shift: float | None = None
    ) -> None:
        low, high = float(values.min()), float(values.max())
        # The difference of two doubles within a factor of two of each other is exact (Sterbenz).
        best = low if high <= 2 * low else high if low >= 2 * high else 0.0
        self.shift = best if shift is None else shift
        self.exponent = _excess(max(abs(low - self.shift), abs(high - self.shift)), p)
        self.weight_exponent = _excess(float(weights.max()), 1.0) if weights.size else 0
        self.p = p

    def is_exact(self, values: FloatArray) -> bool:
        """Return whether the shift rounds none of the values."""
        near, far = np.abs(values).min(), np.abs(values).max()
        same_sign = bool((values * np.sign(self.shift) >= 0.0).all())
        size = abs(self.shift)
        return same_sign and (size == 0.0 or (size <= 2.0 * near and far <= 2.0 * size))

    def values_in(self, values: FloatArray) -> FloatArray:
        """Return values in these units."""
        shifted = values - self.shift if self.shift else values
        return np.ldexp(shifted, -self.exponent) if self.exponent else shifted

    def weights_in(self, weights: FloatArray) -> FloatArray:
        """Return weights in these units."""
        return np.ldexp(weights, -self.weight_exponent) if self.weight_exponent else weights

    def values_out(self, values: FloatArray) -> FloatArray:
        """Return values in the units of the caller."""
        return np.ldexp(values, self.exponent) + self.shift

    def cost_in(self, cost: float) -> float:
        """Return a cost or a penalty in these units, possibly infinite or zero."""
        return self._rescale(cost, -self.exponent, -self.weight_exponent)

    def cost_out(self, cost: float) -> float:
        """Return a cost or a penalty in the units of the caller, possibly infinite or zero."""
        return self._rescale(cost, self.exponent, self.weight_exponent)

    def cost_from(self, other: Units | None, cost: float) -> float:
        """Return a cost, or a penalty, of other units, or of the caller's (None), in these."""
        if other is None:
            return self.cost_in(cost)
        exponent = other.exponent - self.exponent
        return self._rescale(cost, exponent, other.weight_exponent - self.weight_exponent)

    def _rescale(self, cost: float, exponent: int, weight_exponent: int) -> float:
        power = exponent * self.p
        whole = math.floor(power)
        with np.errstate(over="ignore", under="ignore"):
            return float(np.ldexp(cost * 2.0 ** (power - whole), whole + weight_exponent))


def _excess(magnitude: float, p: float) -> int:
    """Return the power of two by which a magnitude is to be divided, 0 for ordinary ones."""
    exponent = math.frexp(magnitude)[1]
    return exponent if magnitude and p * abs(exponent) > _ORDINARY else 0
