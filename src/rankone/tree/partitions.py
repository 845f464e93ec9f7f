"""Partitions of points into every number of groups, each from the one before.

The group that a rank-one cut explains most of is cut in two, and all points move to the nearest
mean. This is as good as the best of many random starts, and always the same.
"""

from __future__ import annotations

import numpy as np

from rankone.tree._kernels import bisect, lloyd
from rankone.typing import FloatArray, IntArray
from rankone.views import Views

#: Views for each group: k groups are looked for in the first 2 k views.
VIEWS_PER_GROUP = 2

#: Steps of k-means after a cut.
STEPS = 20

#: Points that are no further apart, as a share of their distance from zero, differ by rounding.
ROUNDING = 1e-12


def n_views(n_groups: int) -> int:
    """Return the number of views in which so many groups are looked for."""
    return VIEWS_PER_GROUP * max(n_groups, 2)


def partitions(views: Views, most: int) -> list[IntArray]:
    """Return labels of rows for 1, 2, ... groups, up to a number, or while there is one to cut."""
    labels = np.zeros(views.scores.shape[0], np.intp)
    result = [labels]
    weights = np.ones(labels.size)
    while len(result) < most:
        points = views.points(n_views(len(result) + 1))
        parted = part(points, weights, labels, len(result))
        if parted is None:
            break
        labels = settle(points, weights, parted, len(result) + 1)
        result.append(labels)
    return result


def settle(points: FloatArray, weights: FloatArray, labels: IntArray, number: int) -> IntArray:
    """Move points to the nearest mean, by k-means; not if a group would become empty."""
    settled = lloyd(points, weights, labels, number, STEPS)
    return labels if np.bincount(settled, minlength=number).min() == 0 else np.asarray(settled)


def part(
    points: FloatArray, weights: FloatArray, labels: IntArray, n_groups: int
) -> IntArray | None:
    """Cut the group in two whose cut explains most; None if no group can be cut."""
    order = np.argsort(labels, kind="stable")
    starts = np.searchsorted(labels[order], np.arange(n_groups + 1))
    best, moved = rounding_of(points, weights), None
    for g in range(n_groups):
        members = order[starts[g] : starts[g + 1]]
        gain, upper = bisect(points, weights, members, best)
        if gain > best:
            best, moved = gain, members[upper]
    if moved is None:
        return None
    labels = labels.copy()
    labels[moved] = n_groups
    return labels


def rounding_of(points: FloatArray, weights: FloatArray) -> float:
    """Return what a cut may explain between points that differ by rounding only."""
    return float(ROUNDING**2 * (weights @ (points * points).sum(axis=1)))


def best_partition(views: Views, number: int) -> IntArray:
    """Return the best labels that are found for a number of groups.

    Of two: those that follow from fewer groups in fewer views, and those of cuts in the views for
    this number from the start.
    """
    points = views.points(n_views(number))
    weights = np.ones(points.shape[0])
    grown = partitions(views, number)[-1]
    fresh: IntArray = np.zeros_like(grown)
    for n_groups in range(1, number):
        parted = part(points, weights, fresh, n_groups)
        if parted is None:
            return grown
        fresh = parted
    found = [
        settle(points, weights, labels, number)
        for labels in (grown, fresh)
        if int(labels.max()) + 1 == number
    ]
    return min(found, key=lambda labels: left_over(points, labels), default=grown)


def means_of(points: FloatArray, labels: IntArray, number: int) -> FloatArray:
    """Return the mean of each group."""
    sums = np.zeros((number, points.shape[1]))
    np.add.at(sums, labels, points)
    return np.asarray(sums / np.maximum(np.bincount(labels, minlength=number), 1)[:, None])


def left_over(points: FloatArray, labels: IntArray) -> float:
    """Return the squared distances of points from the means of their groups."""
    means = means_of(points, labels, int(labels.max()) + 1)
    return float(((points - means[labels]) ** 2).sum())
