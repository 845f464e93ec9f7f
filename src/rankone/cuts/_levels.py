"""The levels of given pieces and their fit, computed directly from the points.

A piece is a run of points: ``starts`` holds the first point of each. No weights, an empty array,
means ones.
"""

from __future__ import annotations

import math

import numpy as np

from rankone._kernel import kernel
from rankone.cuts._powers import PowerPiece, best_level, no_blocks
from rankone.typing import FloatArray


def merging_costs(values: FloatArray, weights: FloatArray, p: float) -> FloatArray:
    """Return the cost of each two neighbours as one piece.

    For weights a <= b at a distance d it is ``a d^p (1 + (a / b)^(1 / (p - 1)))^(1 - p)``.
    """
    costs = np.abs(np.diff(values)) ** p
    if not weights.size:
        return costs * 2.0 ** (1.0 - p)
    less = np.minimum(weights[:-1], weights[1:])
    share = 1.0 / (p - 1.0) if p > 1.0 else math.inf
    with np.errstate(under="ignore"):
        ratio = (less / np.maximum(weights[:-1], weights[1:])) ** share
        return costs * less * (1.0 + ratio) ** (1.0 - p)


@kernel
def piece_levels(values, weights, starts, p):
    """Return the best level of each piece, whose points ascend (for p = 2, in any order)."""
    levels = np.empty(starts.size)
    blocks = no_blocks()
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
            middle = low + 0.5 * (high - low)
            piece = PowerPiece(values, weights, blocks, first, last, low, 0.0, high, 0.0, middle, p)
            levels[k], _ = best_level(piece, 0.0)
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
def piece_fit(values, weights, starts, levels, p):
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


@kernel
def direct_cost(values, weights, starts, p):
    """Return the cost of all pieces, computed from the points, accurate even if it is tiny."""
    levels = piece_levels(values, weights, starts, p)
    cost = piece_fit(values, weights, starts, levels, p)
    if p != 2.0:
        return cost
    # Correct for the rounding of the mean.
    for k in range(levels.size):
        rest = total = 0.0
        last = starts[k + 1] if k + 1 < starts.size else values.size
        for t in range(starts[k], last):
            w = weights[t] if weights.size else 1.0
            rest += w * (values[t] - levels[k])
            total += w
        cost -= rest * rest / total
    return max(0.0, cost)
