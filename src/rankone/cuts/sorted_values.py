r"""A vector prepared for sorted cuts: distinct values in ascending order, with weights.

Clusters of a sorted cut are intervals of values, so the order of the coordinates does not matter,
and no argsort is needed: sort a copy, place ``k - 1`` cuts in it, and label the original vector by
the boundaries. Equal values become one value with a weight, so that no cut separates them.
"""

from __future__ import annotations

import numpy as np

from rankone.cuts.in_memory import InMemory
from rankone.cuts.input import check_objective
from rankone.cuts.partition import Partition
from rankone.cuts.sorted_problem import SortedProblem, first_points
from rankone.cuts.vector import Vector
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
    """

    def __init__(self, u: FloatArray, weights: FloatArray | None = None, p: float = 2.0) -> None:
        self._prepare(InMemory(u, weights), p)

    @classmethod
    def of(cls, vector: Vector, p: float) -> SortedValues:
        """Return the distinct values of a vector that may be elsewhere."""
        values = cls.__new__(cls)
        values._prepare(vector, p)
        return values

    def _prepare(self, vector: Vector, p: float) -> None:
        self.vector = vector
        super().__init__(*vector.distinct(), p)

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
        labels = self.vector.label(boundaries)
        if self.vector.weighted:
            sizes = self.vector.sizes(labels, levels.size)
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


def boundaries_between(below: FloatArray, above: FloatArray, levels: FloatArray) -> FloatArray:
    """Return, for each cut, the middle of two levels, or the nearest value that separates them.

    The values next to the cut are ``below`` and ``above``.
    """
    middle = 0.5 * levels[:-1] + 0.5 * levels[1:]
    return np.clip(middle, np.nextafter(below, above), above)
