"""The dip by linear programming, straight from its definition."""

from __future__ import annotations

import numpy as np
from scipy.optimize import linprog


def dip_by_linear_programming(values):
    """Return the least distance of any unimodal distribution function to that of the sample.

    A mode between two values can be moved to one of them: replace G between the two by a straight
    line. So it is enough to try each value as the mode.
    """
    distinct, counts = np.unique(values, return_counts=True)
    below = np.concatenate([[0], np.cumsum(counts)]) / counts.sum()
    return min(_distance(distinct, below, mode) for mode in range(distinct.size))


def _distance(x, below, mode):
    """Return the distance of the closest G with a given mode, where it may jump.

    The variables are G just before each value up to the mode, G at each value from the mode on,
    and the distance. F jumps at x[i] from below[i] to below[i + 1]; where G is continuous, it has
    to be close to both.
    """
    x = np.concatenate([x[: mode + 1], x[mode:]])
    low = np.concatenate([below[1 : mode + 1], below[mode : mode + 1], below[mode + 1 :]])
    high = np.concatenate([below[: mode + 1], below[mode + 1 : mode + 2], below[mode + 1 : -1]])
    n = x.size
    rows, limits = [], []

    def at_most(coefficients, limit):
        row = np.zeros(n + 1)
        for variable, coefficient in coefficients:
            row[variable] += coefficient
        rows.append(row)
        limits.append(limit)

    for i in range(n):
        at_most([(i, 1), (n, -1)], high[i])  # G <= F + distance
        at_most([(i, -1), (n, -1)], -low[i])  # G >= F - distance
    for i in range(n - 1):
        at_most([(i, 1), (i + 1, -1)], 0)  # G does not fall
    for i in range(1, n - 1):
        before, after = x[i] - x[i - 1], x[i + 1] - x[i]
        sign = 1 if i < mode else -1 if i > mode + 1 else 0  # convex before, concave after
        if sign:
            curvature = [(i - 1, after), (i, -after), (i, -before), (i + 1, before)]
            at_most([(variable, -sign * c) for variable, c in curvature], 0)
    result = linprog(
        [0] * n + [1], A_ub=np.array(rows), b_ub=limits, bounds=[(0, 1)] * (n + 1), method="highs"
    )
    assert result.status == 0
    return result.fun
