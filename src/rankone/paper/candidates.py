"""The partitions that each cut offers of a vector, and the one that the silhouette chooses.

Every cut is tuned in the same way: all partitions into 2 to 20 clusters that its own number leads
to, over one grid for all data, and of these the one with the largest mean silhouette.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from rankone._arithmetic import ratio
from rankone.cuts import (
    LargestGaps,
    Multiscale,
    Partition,
    Sign,
    Threshold,
    TotalVariation,
    potts_partitions,
)
from rankone.typing import FloatArray, IntArray

#: The most clusters that are looked at: the learners' default.
MAX_CLUSTERS = 20

#: A number of clusters, or as many values of a penalty or a width, evenly on a logarithmic scale.
NUMBERS = range(2, MAX_CLUSTERS + 1)
SHARES = np.geomspace(1e-3, 1.0, len(NUMBERS), endpoint=False)


def by_gaps(u: FloatArray) -> list[Partition]:
    """Return the partitions of `LargestGaps`, into as many clusters as there are values at most."""
    most = np.unique(u).size
    return [LargestGaps(k).cut(u) for k in NUMBERS if k <= most]


def by_pieces(u: FloatArray) -> list[Partition]:
    """Return the partitions of `Potts`, into as many pieces as there are runs at most."""
    return potts_partitions(u, 1, MAX_CLUSTERS)[1:]


def by_widths(u: FloatArray) -> list[Partition]:
    """Return the partitions of `Threshold`, for shares of the range of the values."""
    return [Threshold(eps).cut(u) for eps in np.ptp(u) * SHARES]


def by_variation(u: FloatArray) -> list[Partition]:
    """Return those of `TotalVariation`, for shares of the least penalty that leaves one piece."""
    largest = 2.0 * float(np.abs(np.cumsum(u - u.mean())).max())
    return [TotalVariation(lam).cut(u) for lam in largest * SHARES]


#: What looks at the values alone, and what looks at neighbours in the order of the rows.
OF_VALUES: dict[str, Callable[[FloatArray], list[Partition]]] = {
    "Sign": lambda u: [Sign().cut(u)],
    "Threshold": by_widths,
    "LargestGaps": by_gaps,
    "Multiscale": lambda u: [Multiscale().cut(u)],
}
OF_NEIGHBOURS: dict[str, Callable[[FloatArray], list[Partition]]] = {
    "Potts l1": by_pieces,
    "TotalVariation": by_variation,
}

#: Cuts that take the number of clusters, where it is known; besides `SortedPotts`, whose path is
#: what the learners choose from.
COUNTING = ("LargestGaps", "Potts l1")


def chosen(u: FloatArray, candidates: list[Partition]) -> IntArray:
    """Return the labels with the largest silhouette; all zero if no partition can be chosen.

    Examples
    --------
    >>> u = np.array([0.0, 5.0, 0.1, 5.2, 0.2])
    >>> chosen(u, OF_VALUES["LargestGaps"](u))
    array([0, 1, 0, 1, 0])
    """
    able = [part.labels for part in candidates if 2 <= part.n_clusters <= MAX_CLUSTERS]
    if not able:
        return np.zeros(u.size, np.intp)
    if len(able) == 1:
        return able[0]
    return able[int(np.argmax([mean_silhouette(u, labels) for labels in able]))]


def mean_silhouette(u: FloatArray, labels: IntArray) -> float:
    """Return the mean silhouette of any labels of a vector, which need not be intervals.

    The distances of a value to a cluster are those to what lies below, and to what lies above: two
    running sums, so that no n^2 distances are needed. `rankone.selection.silhouette` is faster, but
    for intervals only; contiguous pieces are none.

    Parameters
    ----------
    u : ndarray of shape (n,)
    labels : ndarray of shape (n,)
        From 0 on, of two clusters or more.

    Returns
    -------
    float

    Examples
    --------
    >>> round(mean_silhouette(np.array([0.0, 1.0, 0.2, 1.1]), np.array([0, 1, 0, 1])), 4)
    0.8408
    """
    order = np.argsort(u, kind="stable")
    x, z = u[order, None] - u.mean(), labels[order]
    inside = z[:, None] == np.arange(labels.max() + 1)
    counts, sums = inside.cumsum(axis=0), (inside * x).cumsum(axis=0)
    distances = x * (2 * counts - counts[-1]) + sums[-1] - 2 * sums
    sizes = counts[-1]
    own = distances[inside] / np.maximum(sizes[z] - 1, 1)
    nearest = np.where(inside, np.inf, distances / sizes).min(axis=1)
    largest = np.maximum(own, nearest)
    scores = ratio(nearest - own, largest)
    return float(np.where(sizes[z] > 1, scores, 0.0).mean())
