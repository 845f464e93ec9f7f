"""Partitions of points into every number of groups, each from the one before.

The group that a rank-one cut explains most of is cut in two, and all points move to the nearest
mean. This is as good as the best of many random starts, and always the same.
"""

from __future__ import annotations

import numpy as np

from rankone.tree._kernels import bisect, lloyd, rough_gains
from rankone.typing import FloatArray, IntArray
from rankone.views import Views

#: Views for each group, if rows are compared by their direction and otherwise, and the most views
#: in which groups are looked for.
RELATIVE_PER_GROUP, PER_GROUP, MOST_VIEWS = 2, 4, 40

#: Steps of k-means on the way, and at the end, by when it has almost always come to rest.
STEPS, LAST_STEPS = 20, 200

#: Cuts that explain no more than this share of the squared lengths of points are rounding.
ROUNDING = 1e-14


def n_views(views: Views, n_groups: int) -> int:
    """Return the number of views in which so many groups are looked for."""
    per_group = RELATIVE_PER_GROUP if views.margins.relative else PER_GROUP
    return min(per_group * max(n_groups, 2), MOST_VIEWS, views.number)


def points_for(views: Views, n_groups: int) -> FloatArray:
    """Return the rows as points in the space in which so many groups are looked for."""
    return views.points(n_views(views, n_groups))


def partitions(views: Views, most: int, weights: FloatArray | None = None) -> list[IntArray]:
    """Return labels of rows for 1, 2, ... groups, up to a number, or while there is one to cut.

    Parameters
    ----------
    views : Views
    most : int
    weights : ndarray of shape (m,), optional
        How much each row counts; by default, all alike.
    """
    labels = np.zeros(views.scores.shape[0], np.intp)
    result = [labels]
    weights = np.ones(labels.size) if weights is None else weights
    while len(result) < most:
        points = points_for(views, len(result) + 1)
        parted = part(points, weights, labels, len(result))
        if parted is None:
            break
        labels = settle(points, weights, parted, len(result) + 1)
        result.append(labels)
    return result


def settle(
    points: FloatArray, weights: FloatArray, labels: IntArray, number: int, steps: int = STEPS
) -> IntArray:
    """Move points to the nearest mean, by k-means.

    A group that becomes empty gets the point that is farthest from its mean.
    """
    settled = labels
    for _ in range(number):
        settled = np.asarray(lloyd(points, weights, settled, number, steps))
        empty = np.flatnonzero(np.bincount(settled, minlength=number) == 0)
        if not empty.size:
            return settled
        means = means_of(points, settled, number)
        settled[((points - means[settled]) ** 2).sum(axis=1).argmax()] = empty[0]
    return labels


def rounding(points: FloatArray, weights: FloatArray | float = 1.0) -> float:
    """Return the squared distance that a cut may explain by rounding alone."""
    return ROUNDING * float((weights * (points * points).sum(axis=1)).sum())


def part(
    points: FloatArray, weights: FloatArray, labels: IntArray, n_groups: int
) -> IntArray | None:
    """Cut the group in two whose cut explains most; None if no group can be cut.

    Groups are ranked by approximate gains; the first that can be cut is cut along exact directions.
    """
    order = np.argsort(labels, kind="stable")
    starts = np.searchsorted(labels[order], np.arange(n_groups + 1))
    least = rounding(points, weights)
    gains = rough_gains(points, weights, order, starts)
    for g in np.argsort(-gains, kind="stable"):
        members = order[starts[g] : starts[g + 1]]
        gain, upper = bisect(points, weights, members, least)
        if gain > 0.0:
            labels = labels.copy()
            labels[members[upper]] = n_groups
            return labels
    return None


def best_partition(views: Views, number: int) -> IntArray:
    """Return the best labels that are found for a number of groups, or for as many as there are.

    Of two: those that follow from fewer groups in fewer views, and those of cuts in the views for
    this number from the start.
    """
    points = points_for(views, number)
    weights = np.ones(points.shape[0])
    starts = [partitions(views, number)[-1], _cuts_alone(points, weights, number)]
    number = max(int(labels.max()) for labels in starts) + 1
    candidates = [
        settle(points, weights, labels, number, LAST_STEPS)
        for labels in starts
        if int(labels.max()) + 1 == number
    ]
    return min(candidates, key=lambda labels: left_over(points, labels))


def _cuts_alone(points: FloatArray, weights: FloatArray, most: int) -> IntArray:
    """Return labels of so many groups, or of as many as there are, without k-means in between."""
    labels = np.zeros(points.shape[0], np.intp)
    for n_groups in range(1, most):
        parted = part(points, weights, labels, n_groups)
        if parted is None:
            break
        labels = parted
    return labels


def means_of(points: FloatArray, labels: IntArray, number: int) -> FloatArray:
    """Return the mean of each group."""
    sums = np.zeros((number, points.shape[1]))
    np.add.at(sums, labels, points)
    return np.asarray(sums / np.maximum(np.bincount(labels, minlength=number), 1)[:, None])


def left_over(points: FloatArray, labels: IntArray) -> float:
    """Return the squared distances of points from the means of their groups."""
    means = means_of(points, labels, int(labels.max()) + 1)
    return float(((points - means[labels]) ** 2).sum())
