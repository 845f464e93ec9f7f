"""The candidate partitions of each cut, and the one with the largest silhouette.

Every cut is tuned in the same way: over a fixed grid of its parameter, the partition into 2 to 20
clusters with the largest mean silhouette is chosen.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from rankone._arithmetic import ratio
from rankone.cuts import (
    LargestGaps,
    Multiscale,
    Partition,
    Quantiles,
    Sign,
    Threshold,
    TotalVariation,
    potts_partitions,
)
from rankone.typing import FloatArray, IntArray

#: The maximum number of clusters, as by default in the learners.
MAX_CLUSTERS = 20

#: The grid of numbers of clusters, and one of the same size for penalties and widths, evenly spaced
#: on a logarithmic scale.
NUMBERS = range(2, MAX_CLUSTERS + 1)
SHARES = np.geomspace(1e-3, 1.0, len(NUMBERS), endpoint=False)


def by_gaps(u: FloatArray) -> list[Partition]:
    """Return the partitions of `LargestGaps` into at most as many clusters as distinct values."""
    n_values = np.unique(u).size
    return [LargestGaps(k).cut(u) for k in NUMBERS if k <= n_values]


def by_ranks(u: FloatArray) -> list[Partition]:
    """Return the partitions of `Quantiles` into at most as many clusters as distinct values."""
    n_values = np.unique(u).size
    return [Quantiles(k).cut(u) for k in NUMBERS if k <= n_values]


def by_pieces(u: FloatArray) -> list[Partition]:
    """Return the partitions of `Potts` into at most as many pieces as runs of equal values."""
    return potts_partitions(u, 1, MAX_CLUSTERS)[1:]


def by_widths(u: FloatArray) -> list[Partition]:
    """Return the partitions of `Threshold` for fractions of the range of the values."""
    return [Threshold(eps).cut(u) for eps in np.ptp(u) * SHARES]


def by_variation(u: FloatArray) -> list[Partition]:
    """Return those of `TotalVariation` for fractions of the smallest penalty with one piece."""
    largest = 2.0 * float(np.abs(np.cumsum(u - u.mean())).max())
    return [TotalVariation(lam).cut(u) for lam in largest * SHARES]


#: The cuts that use only the values, and those that use the order of the rows.
OF_VALUES: dict[str, Callable[[FloatArray], list[Partition]]] = {
    "Sign": lambda u: [Sign().cut(u)],
    "Threshold": by_widths,
    "LargestGaps": by_gaps,
    "Quantiles": by_ranks,
    "Multiscale": lambda u: [Multiscale().cut(u)],
}
OF_NEIGHBOURS: dict[str, Callable[[FloatArray], list[Partition]]] = {
    "Potts l1": by_pieces,
    "TotalVariation": by_variation,
}

#: The cuts, other than `SortedPotts`, that accept a number of clusters.
COUNTING = ("LargestGaps", "Quantiles", "Potts l1")


def choose_candidate(u: FloatArray, candidates: list[Partition]) -> IntArray:
    """Return the labels with the largest silhouette, or zeros if there are no valid candidates.

    Examples
    --------
    >>> u = np.array([0.0, 5.0, 0.1, 5.2, 0.2])
    >>> choose_candidate(u, OF_VALUES["LargestGaps"](u))
    array([0, 1, 0, 1, 0])
    """
    valid = [part.labels for part in candidates if 2 <= part.n_clusters <= MAX_CLUSTERS]
    if not valid:
        return np.zeros(u.size, np.intp)
    if len(valid) == 1:
        return valid[0]
    return valid[int(np.argmax([mean_silhouette(u, labels) for labels in valid]))]


def mean_silhouette(u: FloatArray, labels: IntArray) -> float:
    """Compute the mean silhouette of a vector for labels that need not be intervals of values.

    The sum of the distances from a value to a cluster is computed from running sums over the values
    below and above it, so that no n^2 distances are needed. `rankone.selection.silhouette` is
    faster, but requires clusters that are intervals, unlike contiguous pieces.

    Parameters
    ----------
    u : ndarray of shape (n,)
    labels : ndarray of shape (n,)
        Labels from 0 on, of at least two clusters.

    Returns
    -------
    float
        The mean silhouette.

    Examples
    --------
    >>> round(mean_silhouette(np.array([0.0, 1.0, 0.2, 1.1]), np.array([0, 1, 0, 1])), 4)
    0.8408
    """
    order = np.argsort(u, kind="stable")
    x, z = u[order, None] - u.mean(), labels[order]
    is_member = z[:, None] == np.arange(labels.max() + 1)
    counts, sums = is_member.cumsum(axis=0), (is_member * x).cumsum(axis=0)
    distances = x * (2 * counts - counts[-1]) + sums[-1] - 2 * sums
    sizes = counts[-1]
    within = distances[is_member] / np.maximum(sizes[z] - 1, 1)
    nearest = np.where(is_member, np.inf, distances / sizes).min(axis=1)
    largest = np.maximum(within, nearest)
    scores = ratio(nearest - within, largest)
    return float(np.where(sizes[z] > 1, scores, 0.0).mean())
