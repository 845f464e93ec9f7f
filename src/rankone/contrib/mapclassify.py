"""A classifier for mapclassify: Fisher and Jenks' classes, exactly, with weights."""

from __future__ import annotations

import numpy.typing as npt
from mapclassify.classifiers import MapClassifier

from rankone.contrib.classes import best_classes, upper_bounds

__all__ = ["ExactFisherJenks"]


class ExactFisherJenks(MapClassifier):  # type: ignore[misc]
    r"""Fisher and Jenks' classes of the values of a map, exactly.

    .. math:: \min_C \; \sum_{j=1}^{k} \sum_{i \in C_j} w_i |y_i - m_j|^p

    over all divisions into k classes, where :math:`m_j` is the mean (p = 2) or the median (p = 1)
    of class j. An offset of the values costs no digits: incomes, years and coordinates are
    classified as their differences demand.

    Parameters
    ----------
    y : array-like of shape (n,)
        The values, none of which is missing.
    k : int, optional
        The number of classes; by default the one with the largest mean silhouette.
    weights : array-like of shape (n,), optional
        How much each value counts, such as its population.
    p : {1, 2}
        The power of deviations: 2 for means, 1 for medians.
    max_classes : int
        The largest number of classes that is considered if ``k`` is not given.

    Attributes
    ----------
    yb : ndarray of shape (n,)
        The class of each value.
    bins : ndarray of shape (k,)
        The largest value of each class.
    k : int
        The number of classes.
    counts : ndarray of shape (k,)
        The number of values of each class.
    partition : Partition
        The classes as `rankone.SortedPotts` returns them, with levels and objective.

    See Also
    --------
    rankone.contrib.geopandas.exact_scheme : The same for ``GeoDataFrame.plot``.

    Examples
    --------
    >>> from rankone.contrib.mapclassify import ExactFisherJenks
    >>> ExactFisherJenks([1, 2, 3, 20, 21, 60], k=3).bins
    array([ 3., 21., 60.])
    >>> ExactFisherJenks([1, 2, 3, 20, 21, 60]).k
    3
    """

    def __init__(
        self,
        y: npt.ArrayLike,
        k: int | None = None,
        weights: npt.ArrayLike | None = None,
        p: int = 2,
        max_classes: int = 9,
    ) -> None:
        self._options = k, weights, p, max_classes
        super().__init__(y)
        self.name = "ExactFisherJenks"

    def _set_bins(self) -> None:
        self.partition = best_classes(self.y, *self._options)
        self.k = self.partition.n_clusters
        self.bins = upper_bounds(self.y, self.partition)
