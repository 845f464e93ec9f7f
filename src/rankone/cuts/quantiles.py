"""Cuts by rank: groups of equal size in the order of the values."""

from __future__ import annotations

import numpy as np

from rankone.cuts.base import Cut, CutCapabilities
from rankone.cuts.input import check_n_clusters
from rankone.cuts.partition import Partition
from rankone.cuts.sorted_values import SortedValues
from rankone.typing import FloatArray, IntArray


class Quantiles(Cut):
    r"""Partition the coordinates of a vector by their rank, into groups of equal size.

    .. math:: \min_{b_1 < \dots < b_{k-1}} \; \sum_{c=1}^{k-1} \Big( N(b_c) - \frac{c\, n}{k}
              \Big)^2, \qquad N(b) = |\{i : u_i < b\}|

    where k is ``n_clusters``. This is Step 2 by *ranking*: only the order of the values counts, not
    how far they are apart. If all values are distinct, sizes differ by at most one. Equal values
    stay together, so that labels are a function of the value: then the boundaries are, together, as
    close to those of equal groups as they can be, and groups may differ in size.

    Parameters
    ----------
    n_clusters : int
        The number of clusters, at most the number of distinct values.

    See Also
    --------
    SortedPotts : Clusters of values that are close together.
    LargestGaps : Clusters that are separated at the widest gaps.

    Notes
    -----
    With weights, groups have equal weight instead of equal size. Of two boundaries that are equally
    close to the target, the lower is taken. Levels are means. The fit is not minimised, so that
    ``exact`` is False.

    Examples
    --------
    >>> from rankone.cuts import Quantiles
    >>> Quantiles(n_clusters=2).cut([0.0, 5.0, 1.0, 99.0]).labels
    array([0, 1, 0, 1])
    >>> Quantiles(n_clusters=2).cut([1.0, 1.0, 1.0, 2.0]).sizes
    array([3, 1])
    """

    capabilities = CutCapabilities(("n_clusters",))

    def __init__(self, n_clusters: int) -> None:
        self.n_clusters = n_clusters

    def _cut(self, u: FloatArray, weights: FloatArray | None) -> Partition:
        problem = SortedValues(u, weights)
        k = check_n_clusters(self.n_clusters, problem.n_distinct)
        each = problem.weights if problem.weights.size else np.ones(problem.n_distinct)
        below = np.cumsum(each)  # the weight below each boundary, and at last that of all values
        return problem.partition(_nearest_cuts(below, k), exact=False)


def _nearest_cuts(below: FloatArray, k: int) -> IntArray:
    """Return the ``k - 1`` distinct cuts whose weights below are closest to equal shares.

    Cut i lies below value i, and the weight below it is ``below[i - 1]``. Where several targets are
    closest to the same cut, which lies at a value that occurs often, they compete for the cuts
    around it, and dynamic programming decides. A cut never lies beyond the place to which the
    others would push it if all gave way to one side, because one step back would be free, and
    closer to its target.
    """
    targets = below[-1] * np.arange(1, k) / k
    places = _closest(below, targets)
    order = np.arange(k - 1)
    lowest = np.minimum.accumulate((places - order)[::-1])[::-1] + order
    highest = np.maximum.accumulate(places - order) + order
    costs, offered, leaders = np.zeros(1), [np.zeros(1, np.int64)], []
    for target, low, high in zip(targets, lowest, highest, strict=True):
        cuts = np.arange(low, high + 1)
        best = np.minimum.accumulate(costs)
        leader = np.maximum.accumulate(
            np.where(np.append(True, costs[1:] < best[:-1]), np.arange(costs.size), 0)
        )
        n_below = np.searchsorted(offered[-1], cuts)  # of the candidates for the cut before
        leaders.append(leader[n_below - 1])
        costs = np.where(n_below, best[n_below - 1], np.inf)
        costs += ((below[cuts - 1] - target) / below[-1]) ** 2
        offered.append(cuts)
    chosen, result = int(np.argmin(costs)), []
    for cuts, leader in zip(reversed(offered[1:]), reversed(leaders), strict=True):
        result.append(cuts[chosen])
        chosen = leader[chosen]
    return np.array(result[::-1], np.int64)


def _closest(below: FloatArray, targets: FloatArray) -> IntArray:
    """Return the cut closest to each target of those that leave room for the others."""
    n_cuts, last = targets.size, below.size - 1
    above = np.minimum(np.searchsorted(below, targets), last)
    nearer_below = (above > 0) & (targets - below[above - 1] <= below[above] - targets)
    order = np.arange(n_cuts)
    nearest = above + 1 - nearer_below
    return np.asarray(np.clip(nearest, order + 1, last - (n_cuts - 1) + order), np.int64)
