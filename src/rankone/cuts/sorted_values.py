r"""A vector prepared for sorted cuts: distinct values in ascending order, with weights.

Clusters of a sorted cut are intervals of values, so the order of the coordinates does not matter,
and no argsort is needed: sort a copy, place ``k - 1`` cuts in it, and label the original vector by
the boundaries. Equal values become one value with a weight, so that no cut separates them.
"""

from __future__ import annotations

import numpy as np

from rankone.cuts.input import check_objective
from rankone.cuts.labelling import label
from rankone.cuts.partition import Partition
from rankone.cuts.sorted_problem import SortedProblem, first_points
from rankone.typing import FloatArray, IntArray


class SortedValues(SortedProblem):
    """The distinct values of a vector, ascending, and the partitions of the vector.

    Parameters
    ----------
    u : ndarray
        The vector.
    weights : ndarray, optional
        A weight for each coordinate; those of weight zero are no values.
    p : float
        The power of the fit.

    Attributes
    ----------
    counted : bool
        Whether the weights are the numbers of equal values.
    """

    def __init__(self, u: FloatArray, weights: FloatArray | None = None, p: float = 2.0) -> None:
        self.u, self.counted = u, weights is None
        super().__init__(*distinct(u, weights), p)

    def sorted(self) -> SortedValues:
        """Return itself."""
        return self

    def most_clusters(self, n_clusters: int) -> int:
        """Return a number of clusters, or the number of distinct values if that is smaller."""
        return min(n_clusters, self.n_distinct)

    def starts(self, cuts: IntArray) -> FloatArray:
        """Return the least value above each cut."""
        return self.values[cuts]

    def partition(self, cuts: IntArray, lam: float | None = None, exact: bool = True) -> Partition:
        """Return the partition of the vector that has these cuts, ``lam`` in the vector's units."""
        starts = first_points(cuts)
        levels = self.levels(starts)
        objective = self.fit(starts, levels)
        objective += 0.0 if lam is None else lam * cuts.size
        boundaries = boundaries_between(self.values[cuts - 1], self.values[cuts], levels)
        labels = label(self.u, boundaries)
        if not self.counted:
            sizes = np.bincount(labels, minlength=levels.size)
        elif self.weights.size:
            sizes = np.add.reduceat(self.weights, starts)
        else:
            sizes = np.diff(starts, append=self.n_distinct)
        return Partition(
            labels=labels,
            levels=levels,
            sizes=sizes.astype(np.intp),
            objective=check_objective(objective, self.p),
            lam=lam,
            p=self.p,
            exact=exact,
            boundaries=boundaries,
        )


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
    if np.count_nonzero(new) == values.size - 1:
        return values, summed
    first = np.concatenate([[0], np.flatnonzero(new) + 1])
    if weights is None:
        return values[first], np.diff(first, append=values.size).astype(np.float64)
    return values[first], np.add.reduceat(summed, first)


def boundaries_between(below: FloatArray, above: FloatArray, levels: FloatArray) -> FloatArray:
    """Return, for each cut, the middle of two levels, or the nearest value that separates them.

    The values next to the cut are ``below`` and ``above``.
    """
    middle = 0.5 * levels[:-1] + 0.5 * levels[1:]
    return np.clip(middle, np.nextafter(below, above), above)
