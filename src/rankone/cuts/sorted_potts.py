"""Sorted Potts: the exact partition of values in one dimension."""

from __future__ import annotations

from functools import partial

import numpy.typing as npt

from rankone.checks import check_number
from rankone.cuts.base import Cut, CutCapabilities
from rankone.cuts.bucketed_values import try_buckets
from rankone.cuts.curve import Curve, Values
from rankone.cuts.in_memory import InMemory
from rankone.cuts.input import check_n_clusters, check_one_of, check_p
from rankone.cuts.partition import Partition
from rankone.cuts.path import SortedPottsPath, sorted_potts_path
from rankone.cuts.vector import Vector
from rankone.typing import FloatArray


class SortedPotts(Cut):
    r"""Partition the coordinates of a vector into the best clusters of values, exactly.

    .. math:: \min_x \; \sum_i w_i |x_i - u_i|^p + \lambda \, \|D \, \mathrm{sort}(x)\|_0

    where the last term is the number of jumps of the sorted x: the number of clusters less one.
    With ``n_clusters``, the least :math:`\sum_i w_i |x_i - u_i|^p` of all x with exactly that many
    values. Clusters are intervals of values, so this is one-dimensional k-medians (p = 1) and
    k-means (p = 2). The global optimum is found in about the time that sorting the vector takes,
    and a few times that for many clusters. Large vectors are not sorted: only values near a
    possible boundary are looked at one by one, all others are known by the sums of buckets.

    A Dask array is cut where its chunks are, usually in two passes over them, and the labels are a
    Dask array in the same chunks.

    Parameters
    ----------
    p : float, default=2
        The power of the fit, 1 to 100. Powers other than 1 and 2 take longer, most of all those
        near 1 and large ones: about a second for 100000 values and p = 1.5 or 3.
    lam : float, optional
        The penalty of one more cluster. It grows with n: splitting one Gaussian cluster of n
        points and variance s in two saves about 0.64 n s (p = 2).
    n_clusters : int, optional
        The number of clusters, if it is known. Exactly one of ``lam`` and ``n_clusters`` is given.

    See Also
    --------
    sorted_potts_path : The solutions for all numbers of clusters at once.
    Potts : The same for contiguous pieces of a signal.

    Notes
    -----
    *Exact* means: with ``n_clusters``, no partition into as many clusters has a fit that is smaller
    by more than 1e-12 of the fit itself. With ``lam``, no partition has an objective smaller by
    more than 1e-12 of it. That is the aim for p = 1 and 2, tested against rational arithmetic
    for up to twelve values. It may be less accurate where the penalty is below about
    :math:`2^{-62} n / 8` of :math:`\sum w |u|^p` and no gap divides the values, and where the best
    fit falls almost linearly over more than about 50 numbers of clusters. Where rounding could
    decide everything, the vector is refused.

    Where several partitions have the same objective, the one with fewest clusters is returned;
    objectives that differ by less than about 1e-13 of themselves count as the same. Partitions into
    equally many clusters are compared by their fit alone, and any of those with the same fit may be
    returned. Coordinates of weight zero get the nearest level.

    Examples
    --------
    >>> from rankone.cuts import SortedPotts
    >>> part = SortedPotts(p=2, lam=1.0).cut([5.1, 0.2, 4.9, 0.0, 0.1, 5.0])
    >>> part.labels
    array([1, 0, 1, 0, 0, 1])
    >>> part.levels
    array([0.1, 5. ])
    """

    capabilities = CutCapabilities(determined_by=("lam", "n_clusters"), path=True, chunks=True)

    def __init__(
        self, p: float = 2, lam: float | None = None, n_clusters: int | None = None
    ) -> None:
        self.p = p
        self.lam = lam
        self.n_clusters = n_clusters

    def _cut(self, u: FloatArray, weights: FloatArray | None) -> Partition:
        return self._cut_chunks(InMemory(u, weights))

    def _cut_chunks(self, vector: Vector) -> Partition:
        p = check_p(self.p)
        check_one_of(self.lam, self.n_clusters, ", or see sorted_potts_path for all solutions")
        lam = None if self.lam is None else check_number(self.lam, "lam")
        if lam is not None:
            return try_buckets(vector, p, partial(_cut_for_penalty, lam=lam))
        assert self.n_clusters is not None
        k = check_n_clusters(self.n_clusters)
        return try_buckets(vector, p, partial(_cut_into, k=k))

    def path(
        self, u: npt.ArrayLike, max_clusters: int = 64, weights: npt.ArrayLike | None = None
    ) -> SortedPottsPath:
        """Return the solutions for all numbers of clusters; see `sorted_potts_path`."""
        return sorted_potts_path(u, self.p, max_clusters, weights)


def _cut_for_penalty(problem: Values, lam: float) -> Partition:
    return problem.partition(problem.solve(lam), lam)


def _cut_into(problem: Values, k: int) -> Partition:
    if problem.most_clusters(k) < k:
        check_n_clusters(k, problem.n_distinct)
    return problem.partition(Curve(problem).cuts(k))
