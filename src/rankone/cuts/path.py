"""The solutions of sorted Potts for all penalties, and for all numbers of clusters."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rankone._dask import is_dask
from rankone.checks import check_number
from rankone.cuts import bucketed_values
from rankone.cuts.bucketed_values import try_buckets
from rankone.cuts.curve import ROUNDING, Curve, Values
from rankone.cuts.in_dask import InDask
from rankone.cuts.in_memory import InMemory
from rankone.cuts.input import check_n_clusters, check_p, check_vector, check_weights
from rankone.cuts.partition import Partition
from rankone.cuts.vector import Vector
from rankone.typing import FloatArray, IntArray


class SortedPottsPath:
    """All exact solutions of sorted Potts, from one cluster to ``max_clusters``.

    Attributes
    ----------
    n_clusters : ndarray
        1, 2, ..., ``max_clusters``.
    cost : ndarray
        The least cost ``sum w |x - u|^p`` with each number of clusters.
    lam : ndarray
        The smallest penalty at which each number is chosen. It is chosen up to the ``lam`` of the
        number before, which is left out (see `intervals`).
    p : float
        The power of the fit.
    n_solves : int
        The number of penalties that were solved for.
    """

    def __init__(self, problem: Values, max_clusters: int) -> None:
        self._problem, self.p = problem, problem.p
        curve = Curve(problem)
        max_clusters = problem.most_clusters(max_clusters)
        curve.trace(problem.most_clusters(max_clusters + 1))
        self.n_clusters = np.arange(1, max_clusters + 1)
        self._cuts = [curve.cuts(int(k)) for k in self.n_clusters]
        # Convex, but for rounding: savings never rise with the number of clusters.
        savings = np.minimum.accumulate([curve.saving(int(k)) for k in self.n_clusters])
        self.n_solves = problem.solves
        self.cost = np.array([problem.units.cost_out(curve.cost(int(k))) for k in self.n_clusters])
        self.lam = np.array([problem.units.cost_out(saving) for saving in savings])
        for array in (self.n_clusters, self.cost, self.lam):
            array.setflags(write=False)

    @property
    def vector(self) -> FloatArray:
        """The vector that is cut; a copy."""
        vector: FloatArray = self._problem.vector.u.copy()
        return vector

    @property
    def n_distinct(self) -> int:
        """The largest possible number of clusters: the number of distinct values."""
        return self._problem.n_distinct

    @property
    def intervals(self) -> FloatArray:
        """For each number of clusters, the penalties ``low <= lam < high`` that choose it.

        The two are equal for numbers that no penalty chooses.
        """
        return np.column_stack([self.lam, np.concatenate([[np.inf], self.lam[:-1]])])

    def at(self, n_clusters: int | None = None, lam: float | None = None) -> Partition:
        """Return the partition with a number of clusters, or for a penalty.

        Parameters
        ----------
        n_clusters : int, optional
            From 1 to ``max_clusters``.
        lam : float, optional
            At least ``path.lam[-1]``. Exactly one of the two is given.

        Returns
        -------
        Partition
        """
        if (n_clusters is None) == (lam is None):
            raise ValueError("Neither or both of n_clusters and lam are given; give exactly one.")
        if n_clusters is not None:
            k = check_n_clusters(n_clusters, self.n_clusters.size, "clusters on this path")
            return self._problem.partition(self._cuts[k - 1])
        assert lam is not None
        lam = check_number(lam, "lam")
        if lam < self.lam[-1] - ROUNDING * self.cost[-1]:
            raise ValueError(
                f"lam is {lam:g}, but this path of {self.n_clusters.size} clusters ends at "
                f"{self.lam[-1]:g}; raise max_clusters."
            )
        k = int(np.argmax(self.lam - ROUNDING * self.cost <= lam)) + 1
        return self._problem.partition(self._cuts[k - 1], lam)

    def starts(self) -> list[FloatArray]:
        """Return, for each number of clusters, the least value of each cluster but the first."""
        return [self._problem.starts(cuts) for cuts in self._cuts]

    def distinct(self) -> tuple[FloatArray, FloatArray, list[IntArray]]:
        """Return the distinct values, their weights (none: ones), and the cuts between them."""
        values = self._problem.sorted()
        cuts = [np.searchsorted(values.values, starts) for starts in self.starts()]
        return values.values.copy(), values.weights.copy(), cuts

    def __len__(self) -> int:
        """Return the number of partitions."""
        return int(self.n_clusters.size)

    def __repr__(self) -> str:
        """Show how far the path goes."""
        return f"SortedPottsPath(p={self.p:g}, max_clusters={len(self)}, n_solves={self.n_solves})"


def sorted_potts_path(
    u: npt.ArrayLike,
    p: float = 2,
    max_clusters: int = 64,
    weights: npt.ArrayLike | None = None,
) -> SortedPottsPath:
    r"""Return the best partitions of a vector into 1, 2, ..., ``max_clusters`` clusters.

    .. math:: f(k) = \min_x \sum_i w_i |x_i - u_i|^p \quad\text{where x takes exactly k values}

    Each is exact. This solves about one problem of `SortedPotts` per number of clusters.

    Parameters
    ----------
    u : array-like of shape (n,), or a Dask array
        Finite real numbers. A Dask array is read about once for each number of clusters.
    p : float, default=2
        The power of the fit.
    max_clusters : int, default=64
        Where the path ends, or the number of distinct values if that is smaller.
    weights : array-like of shape (n,), optional
        Weights, zero or more.

    Returns
    -------
    SortedPottsPath

    See Also
    --------
    SortedPotts : The solution for one penalty, or one number of clusters.
    rankone.selection.silhouette_path : A score for each number of clusters.

    References
    ----------
    Aggarwal, Schieber and Tokuyama (1994), Finding a minimum-weight k-link path in graphs with the
    concave Monge property and applications, Discrete and Computational Geometry 12.

    Examples
    --------
    >>> from rankone.cuts import sorted_potts_path
    >>> path = sorted_potts_path([0.0, 1.0, 5.0, 6.0, 20.0], max_clusters=3)
    >>> path.cost.round(3)
    array([257.2,  26. ,   1. ])
    >>> path.at(n_clusters=3).labels
    array([0, 0, 1, 1, 2])
    >>> path.at(lam=100.0).n_clusters
    2
    """
    p = check_p(p)
    vector = InDask(u, weights) if is_dask(u) else _copy_in_memory(u, weights)
    most = check_n_clusters(max_clusters, name="max_clusters")
    return try_buckets(
        vector, p, lambda problem: SortedPottsPath(problem, most), bucketed_values.FEWEST_PATH
    )


def _copy_in_memory(u: npt.ArrayLike, weights: npt.ArrayLike | None) -> Vector:
    """Return a copy of a vector, which may be changed before the path is used."""
    vector = check_vector(u).copy()
    return InMemory(vector, None if weights is None else check_weights(weights, vector.size))
