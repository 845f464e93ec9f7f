"""The distinct values of a vector: equal ones become one value with a weight."""

from __future__ import annotations

import numpy as np

from rankone.typing import FloatArray


def distinct(u: FloatArray, weights: FloatArray | None) -> tuple[FloatArray, FloatArray]:
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
    if np.count_nonzero(new) >= values.size - 1:
        return values, summed
    first = np.concatenate([[0], np.flatnonzero(new) + 1])
    if weights is None:
        return values[first], np.diff(first, append=values.size).astype(np.float64)
    return values[first], np.add.reduceat(summed, first)
