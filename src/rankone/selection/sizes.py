r"""Clusters of scores with a minimum size.

The best cut into k intervals of values, each of ``least`` coordinates or more,

.. math:: f_k(j) = \min_{i :\, n_j - n_i \ge \text{least}} f_{k-1}(i) + \text{cost}(i, j)

where :math:`n_j` counts the coordinates before the j-th distinct value. The cost of a piece is
Monge, and the set of feasible i grows with j, so that the best i grows with j, too: each row of the
table takes n log n steps, by bisection over j.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rankone._kernel import inlined, kernel
from rankone.cuts import Partition
from rankone.cuts.sorted_values import SortedValues
from rankone.typing import FloatArray, IntArray


def cut_into_large(u: FloatArray, n_clusters: int, least: int, p: float = 2) -> Partition | None:
    """Cut scores into a number of intervals of values, each with ``least`` coordinates or more.

    Parameters
    ----------
    u : ndarray of shape (n,)
    n_clusters : int
    least : int
        The smallest number of coordinates in a cluster.
    p : float
        The power of the fit. For powers other than 1 and 2 the boundaries are those of power 2.

    Returns
    -------
    Partition or None
        The best of such partitions, up to rounding; None if there is none, because equal values
        are never separated. Without equal values there is one if n >= n_clusters * least.

    Examples
    --------
    >>> cut_into_large(np.array([0.0, 0.1, 0.2, 0.3, 9.0]), 2, 2).labels
    array([0, 0, 0, 1, 1])
    """
    if u.size < n_clusters * least:
        return None
    values = np.sort(u)
    firsts = np.concatenate([[0], np.flatnonzero(np.diff(values)) + 1, [values.size]])
    centred = values - values[values.size // 2]
    centred /= np.abs(centred).max() or 1.0
    sums, squares = (np.concatenate([[0.0], np.cumsum(part)]) for part in (centred, centred**2))
    cuts = _best_cuts(_Scores(centred, sums, squares, firsts, p == 1), n_clusters, least)
    if cuts.size < n_clusters - 1:
        return None
    return SortedValues(u, None, float(p)).partition(cuts, exact=False)


def merge_small(partition: Partition, least: int) -> IntArray:
    """Return labels in which clusters that are too small are merged with the nearest one."""
    labels, levels = partition.labels.copy(), list(partition.levels)
    while len(levels) > 1:
        sizes = np.bincount(labels, minlength=len(levels))
        small = int(sizes.argmin())
        if sizes[small] >= least:
            break
        neighbours = [k for k in (small - 1, small + 1) if 0 <= k < len(levels)]
        nearest = min(neighbours, key=lambda k: abs(levels[k] - levels[small]))
        total = sizes[nearest] + sizes[small]
        moment = sizes[nearest] * levels[nearest] + sizes[small] * levels[small]
        levels[nearest] = moment / total
        labels[labels == small] = nearest
        labels -= labels > small
        del levels[small]
    return labels


class _Scores(NamedTuple):
    """Sorted scores, their running sums, the start of each distinct one, and the end."""

    values: FloatArray
    sums: FloatArray
    squares: FloatArray
    firsts: IntArray
    absolute: bool


@kernel
def _best_cuts(scores, n_clusters, least):
    """Return the distinct values at which all clusters but the first begin; none if impossible."""
    firsts, d = scores.firsts, scores.firsts.size - 1
    # The last distinct value at which a piece that ends before the j-th can begin.
    last, i = np.full(d + 1, -1), -1
    for j in range(d + 1):
        while firsts[i + 1] <= firsts[j] - least:
            i += 1
        last[j] = i
    before = np.full(d + 1, np.inf)
    before[0] = 0.0
    begins = np.zeros((n_clusters, d + 1), np.int32)
    lowest = 0  # the smallest j that can be reached with the pieces so far
    for k in range(n_clusters):
        reached = lowest
        while lowest <= d and last[lowest] < reached:
            lowest += 1
        if lowest > d:
            return np.empty(0, np.int64)
        before = _next_row(scores, last, before, begins[k], lowest, reached)
    cuts, j = np.empty(n_clusters - 1, np.int64), d
    for k in range(n_clusters - 1, 0, -1):
        j = begins[k, j]
        cuts[k - 1] = j
    return cuts


@kernel
def _next_row(scores, last, before, begins, lowest, reached):
    """Return the best cost with one more piece for each end, and write where that piece begins."""
    d = last.size - 1
    best = np.full(d + 1, np.inf)
    # Pending ranges of ends, low to high, and the ranges in which their pieces begin.
    left = [(lowest, d, reached, d)]
    while left:
        low, high, first, final = left.pop()
        j = (low + high) // 2
        for i in range(first, min(final, last[j]) + 1):
            cost = before[i] + _cost(scores, scores.firsts[i], scores.firsts[j])
            if cost < best[j]:
                best[j], begins[j] = cost, i
        if low < j:
            left.append((low, j - 1, first, np.int64(begins[j])))
        if j < high:
            left.append((j + 1, high, np.int64(begins[j]), final))
    return best


@inlined
def _cost(scores, start, stop):
    """Return the deviations from the median, or the squared ones from the mean, of a piece."""
    sums, squares = scores.sums, scores.squares
    if scores.absolute:
        middle = (start + stop) // 2
        level = scores.values[middle]
        below = level * (middle - start) - (sums[middle] - sums[start])
        return max(0.0, below + sums[stop] - sums[middle] - level * (stop - middle))
    total = sums[stop] - sums[start]
    return max(0.0, squares[stop] - squares[start] - total * total / (stop - start))
