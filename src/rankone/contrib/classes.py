"""Classes of the values of a map: the exact ones, as many as asked for or as are found."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rankone.cuts import Partition, SortedPotts, sorted_potts_path
from rankone.selection import choose
from rankone.typing import FloatArray

__all__ = ["best_classes", "upper_bounds"]


def best_classes(
    y: npt.ArrayLike,
    k: int | None = None,
    weights: npt.ArrayLike | None = None,
    p: int = 2,
    max_classes: int = 9,
) -> Partition:
    """Return the best partition of values into k classes, or into the best number of classes.

    Parameters
    ----------
    y : array-like of shape (n,)
    k : int, optional
        The number of classes; by default the one with the largest mean silhouette.
    weights : array-like of shape (n,), optional
        How much each value counts, such as its population.
    p : {1, 2}
        2 for Fisher and Jenks' squared deviations from means, 1 for deviations from medians.
    max_classes : int
        The largest number of classes that is considered.

    Returns
    -------
    Partition
    """
    if k is not None:
        return SortedPotts(p=p, n_clusters=k).cut(y, weights)
    path = sorted_potts_path(y, p, max_classes, weights)
    return path.at(n_clusters=choose(path, "silhouette").n_clusters)


def upper_bounds(y: npt.ArrayLike, classes: Partition) -> FloatArray:
    """Return the largest value of each class, as maps and their legends want it."""
    bounds = np.full(classes.n_clusters, -np.inf)
    np.maximum.at(bounds, classes.labels, np.asarray(y, float).ravel())
    return bounds
