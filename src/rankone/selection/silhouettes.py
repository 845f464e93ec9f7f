"""Silhouettes: how tight clusters are relative to how far they are apart."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from rankone._kernel import kernel
from rankone.cuts.input import check_vector, check_weights
from rankone.cuts.labelling import label
from rankone.cuts.partition import Partition
from rankone.cuts.path import SortedPottsPath
from rankone.cuts.units import Units
from rankone.typing import FloatArray


def silhouette(
    u: npt.ArrayLike, partition: Partition, weights: npt.ArrayLike | None = None
) -> float:
    r"""Return the mean silhouette coefficient of a partition into intervals of values.

    .. math:: s_i = \frac{b_i - a_i}{\max(a_i, b_i)}

    where :math:`a_i` is the mean distance of coordinate i to the others of its cluster, and
    :math:`b_i` the mean distance to the nearest other cluster; :math:`s_i = 0` in a cluster of one.

    Parameters
    ----------
    u : array-like of shape (n,)
        The vector that was cut.
    partition : Partition
        A partition into two clusters or more, each an interval of values.
    weights : array-like of shape (n,), optional
        How often each coordinate occurs: whole numbers, zero or more. By default each occurs once,
        even if the partition was computed with weights.

    Returns
    -------
    float
        Between -1 and 1; large if clusters are tight and far apart. The silhouette of one cluster
        is not defined, so that selection by silhouettes never selects one.

    Notes
    -----
    For intervals the nearest other cluster is a neighbour, and all mean distances follow from
    running sums: the cost is that of a sort instead of n² distances.

    Examples
    --------
    >>> from rankone.cuts import LargestGaps
    >>> from rankone.selection import silhouette
    >>> u = [0.0, 0.2, 1.0, 1.1]
    >>> round(silhouette(u, LargestGaps(2).cut(u)), 4)
    0.8408
    """
    if not isinstance(partition, Partition):
        raise ValueError(f"partition must be a Partition, but it is a {type(partition).__name__}.")
    vector = check_vector(u)
    if vector.size != partition.labels.size:
        raise ValueError(
            f"u has {vector.size} values, but the partition has {partition.labels.size} labels."
        )
    if partition.n_clusters < 2:
        raise ValueError("The silhouette needs two clusters or more, but the partition has one.")
    labels, counts = partition.labels, np.empty(0)
    if weights is not None:
        order = np.argsort(vector, kind="stable")
        counts = _check_counts(check_weights(weights, vector.size))[order]
        values = vector[order]
    else:
        values = np.sort(vector)
    starts = np.concatenate([[0], np.cumsum(partition.sizes)])
    if not np.array_equal(label(vector, values[starts[1:-1]]), labels):
        raise ValueError(
            "The clusters of this partition are not intervals of the values of u; use "
            "sklearn.metrics.silhouette_score for such clusters."
        )
    return _mean_silhouette(values, counts, starts)


def silhouette_path(path: SortedPottsPath) -> FloatArray:
    """Return the mean silhouette coefficient of each partition on a path.

    Parameters
    ----------
    path : SortedPottsPath
        The path of a vector without weights, or whose weights are numbers of occurrences.

    Returns
    -------
    ndarray
        One value for each of ``path.n_clusters``; NaN for one cluster, where it is not defined.

    Examples
    --------
    >>> from rankone.cuts import sorted_potts_path
    >>> from rankone.selection import silhouette_path
    >>> silhouette_path(sorted_potts_path([0.0, 0.2, 1.0, 1.1], max_clusters=3)).round(4)
    array([   nan, 0.8408, 0.441 ])
    """
    if not isinstance(path, SortedPottsPath):
        raise ValueError(f"path must be a SortedPottsPath, but it is a {type(path).__name__}.")
    values, weights, all_cuts = path.distinct()
    counts, last = _check_counts(weights), values.size
    scores = [
        _mean_silhouette(values, counts, np.concatenate([[0], cuts, [last]]))
        for cuts in all_cuts[1:]
    ]
    return np.array([np.nan, *scores])


def _check_counts(weights: FloatArray) -> FloatArray:
    """Return weights, and refuse those that are not whole numbers."""
    if (weights != np.floor(weights)).any():
        raise ValueError(
            "The silhouette counts points, so that weights must be whole numbers; "
            "leave them out to count each coordinate once."
        )
    return weights


def _mean_silhouette(
    values: FloatArray, counts: FloatArray, starts: npt.NDArray[np.integer]
) -> float:
    ordinary = Units(values[[0, -1]], counts, 1.0).values_in(values)
    score = float(_silhouette(ordinary, counts, starts.astype(np.int64)))
    if math.isnan(score):
        raise ValueError(
            "The values are spread too widely for a silhouette; their distances vanish."
        )
    return score


@kernel
def _silhouette(values, counts, starts):
    """Return the mean silhouette of sorted values, each of which stands for ``counts`` points."""
    n_clusters = starts.size - 1
    # The mean of a cluster less its first value: the sum of both would be rounded.
    beyond, sizes = np.empty(n_clusters), np.empty(n_clusters)
    for c in range(n_clusters):
        total = size = 0.0
        for t in range(starts[c], starts[c + 1]):
            w = counts[t] if counts.size else 1.0
            total += w * (values[t] - values[starts[c]])
            size += w
        beyond[c], sizes[c] = total / size, size
    score = 0.0
    for c in range(n_clusters):
        if sizes[c] > 1.0:
            score += _sum_of_cluster(values, counts, starts, beyond, sizes[c], c)
    return score / sizes.sum()


@kernel
def _sum_of_cluster(values, counts, starts, beyond, size, c):
    """Return the sum of the silhouettes of one cluster."""
    first = values[starts[c]]
    # Where there is no neighbouring cluster, its distance is infinite.
    below = values[starts[c - 1]] if c > 0 else -np.inf
    above = values[starts[c + 1]] if c + 1 < beyond.size else np.inf
    to_mean_below = beyond[c - 1] if c > 0 else 0.0
    to_mean_above = beyond[c + 1] if c + 1 < beyond.size else 0.0
    total = beyond[c] * size
    share = 1.0 / (size - 1.0)
    passed = n_passed = 0.0  # sum of distances from the first value, and count, so far
    score = 0.0
    for t in range(starts[c], starts[c + 1]):
        w = counts[t] if counts.size else 1.0
        x = values[t] - first
        passed += w * x
        n_passed += w
        inner = (x * (2.0 * n_passed - size) + (total - 2.0 * passed)) * share
        lower = (values[t] - below) - to_mean_below
        upper = (above - values[t]) + to_mean_above
        outer = lower if lower < upper else upper
        score += w * (outer - inner) / (inner if inner > outer else outer)
    return score
