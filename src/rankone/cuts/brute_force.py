"""Slow and simple solvers, against which the fast ones are tested.

Every partition is enumerated, or every pair of positions is tried; costs are computed directly from
the values.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import accumulate, product

import numpy as np

from rankone.typing import FloatArray


def best_level(x: FloatArray, w: FloatArray, p: float) -> float:
    """Return the m that minimises ``sum w |x - m|^p``: mean, median, or the zero of the slope.

    Of an interval of medians, the middle.
    """
    x, w = (x[w > 0], w[w > 0]) if (w > 0).any() else (x, np.ones_like(w))
    low, high = x.min(), x.max()
    if p == 1:
        order = np.argsort(x, kind="stable")
        x, running = x[order], np.cumsum(w[order])
        lower = x[np.searchsorted(running, running[-1] / 2, side="left")]
        upper = x[min(np.searchsorted(running, running[-1] / 2, side="right"), x.size - 1)]
        return float(lower + 0.5 * (upper - lower))
    if low == high:
        return float(low)
    if p == 2:
        return float(low + math.fsum(w / w.max() * (x - low)) / math.fsum(w / w.max()))

    from scipy.optimize import brentq

    def slope(share: float) -> float:
        d = share - (x - low) / (high - low)
        return math.fsum(w * np.sign(d) * np.abs(d) ** (p - 1))

    return float(low + (high - low) * brentq(slope, 0.0, 1.0, xtol=1e-16, rtol=1e-15))


def fit(x: FloatArray, w: FloatArray, signal: FloatArray, p: float) -> float:
    """Return ``sum w |x - signal|^p``, over the points that have a weight."""
    with np.errstate(over="ignore", under="ignore"):
        return math.fsum(w[w > 0] * np.abs(x[w > 0] - signal[w > 0]) ** p)


def cost(x: FloatArray, w: FloatArray, p: float) -> float:
    """Return the fit of one cluster at its best level."""
    return fit(x, w, np.full(x.size, best_level(x, w, p)), p)


def set_partitions(n: int) -> Iterator[tuple[int, ...]]:
    """Yield the labels of every partition of n things into sets."""

    def extend(labels: tuple[int, ...], n_used: int) -> Iterator[tuple[int, ...]]:
        if len(labels) == n:
            yield labels
            return
        for label in range(n_used + 1):
            yield from extend((*labels, label), max(n_used, label + 1))

    return extend((), 0)


def interval_partitions(n: int) -> Iterator[tuple[int, ...]]:
    """Yield the labels of every partition of a sequence of n things into contiguous pieces."""
    for begins in product((0, 1), repeat=n - 1):
        yield tuple(accumulate((0, *begins)))


def best_costs(
    x: FloatArray, w: FloatArray, p: float, partitions: Iterator[tuple[int, ...]]
) -> dict[int, float]:
    """Return the least cost among the given partitions, for each number of clusters."""
    known: dict[int, float] = {}  # the cost of a set of points, by the bits of its members
    best: dict[int, float] = {}
    for labels in partitions:
        members = [0] * (max(labels) + 1)
        for i, label in enumerate(labels):
            members[label] |= 1 << i
        for bits in members:
            if bits not in known:
                inside = np.array([bool(bits >> i & 1) for i in range(x.size)])
                known[bits] = cost(x[inside], w[inside], p)
        total = math.fsum(known[bits] for bits in members)
        best[len(members)] = min(total, best.get(len(members), math.inf))
    return best


def best_costs_of_sets(x: FloatArray, w: FloatArray, p: float) -> dict[int, float]:
    """Return the least cost over all partitions into sets, for each number of clusters.

    The cluster of the first point is any set that contains it, and the rest is partitioned best:
    f(all, k) = min over sets of cost(set) + f(all without set, k - 1).
    """
    n = x.size
    inside = np.array([[bits >> i & 1 for i in range(n)] for bits in range(2**n)], bool)
    costs = [0.0] + [cost(x[row], w[row], p) for row in inside[1:]]
    best = [[math.inf] * (n + 1) for _ in range(2**n)]
    best[0][0] = 0.0
    for bits in range(1, 2**n):
        first = bits & -bits
        rest = others = bits ^ first
        while True:  # all subsets of the others, the empty one last
            for k in range(n):
                total = costs[first | others] + best[rest ^ others][k]
                best[bits][k + 1] = min(best[bits][k + 1], total)
            if not others:
                break
            others = (others - 1) & rest
    return {k: best[-1][k] for k in range(1, n + 1)}


def potts_table(x: FloatArray, w: FloatArray, p: float) -> FloatArray:
    """Return the costs of all contiguous pieces: entry (i, j) is that of ``x[i:j]``."""
    n = x.size
    table = np.zeros((n + 1, n + 1))
    for i in range(n):
        for j in range(i + 1, n + 1):
            table[i, j] = cost(x[i:j], w[i:j], p)
    return table


def potts_objective(table: FloatArray, lam: float) -> float:
    """Return the best objective over contiguous pieces: each but the first costs ``lam`` more."""
    n = table.shape[0] - 1
    best = np.zeros(n + 1)
    for j in range(1, n + 1):
        best[j] = (best[:j] + table[:j, j]).min() + lam
    return float(best[n] - lam)


def potts_costs(table: FloatArray, max_clusters: int) -> FloatArray:
    """Return the least cost with exactly 1, 2, ..., ``max_clusters`` contiguous pieces."""
    n = table.shape[0] - 1
    best = table[0].copy()
    best[0] = np.inf
    costs = [best[n]]
    for _ in range(max_clusters - 1):
        best = np.array([np.inf] + [(best[:j] + table[:j, j]).min() for j in range(1, n + 1)])
        costs.append(best[n])
    return np.array(costs)
