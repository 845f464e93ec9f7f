"""Cuts between sorted values: at zero, at wide gaps, at the widest gaps.

They minimise no objective and take no longer than sorting. They are the baselines with which the
exact cuts are compared.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from rankone.checks import check_number, check_positive, check_whole
from rankone.cuts.base import Cut, CutCapabilities
from rankone.cuts.input import check_n_clusters
from rankone.cuts.partition import Partition
from rankone.cuts.sorted_values import SortedValues
from rankone.typing import FloatArray


class Sign(Cut):
    r"""Partition the coordinates of a vector by their sign, as Fiedler's bipartition does.

    .. math:: z_i = \begin{cases} 0 & u_i < 0 \\ 1 & u_i \ge 0 \end{cases}

    If all values of positive weight have the same sign, there is one cluster.

    See Also
    --------
    LargestGaps : Two clusters, separated at the widest gap.

    Notes
    -----
    Levels are means. No objective is minimised, so that ``exact`` is False.

    Examples
    --------
    >>> from rankone.cuts import Sign
    >>> part = Sign().cut([0.5, -0.25, 0.0, -0.75])
    >>> part.labels
    array([1, 0, 1, 0])
    >>> part.levels
    array([-0.5 ,  0.25])
    """

    capabilities = CutCapabilities()

    def _cut(self, u: FloatArray, weights: FloatArray | None) -> Partition:
        problem = SortedValues(u, weights)
        n_negative = int(np.searchsorted(problem.values, 0.0))
        if n_negative in (0, problem.n_distinct):
            return problem.partition(np.empty(0, np.int64), exact=False)
        part = problem.partition(np.array([n_negative]), exact=False)
        # The boundary is zero, not the middle of the levels: it decides for points of weight zero.
        labels = (problem.vector.u >= 0.0).astype(np.intp)
        sizes = np.bincount(labels, minlength=2)
        return replace(part, labels=labels, sizes=sizes, boundaries=np.zeros(1))


class Threshold(Cut):
    r"""Partition the coordinates of a vector wherever sorted neighbours lie far apart.

    .. math:: z_{(i+1)} = z_{(i)} + \begin{cases} 0 & u_{(i+1)} - u_{(i)} \le \varepsilon \\
              1 & \text{otherwise} \end{cases}

    where :math:`u_{(1)} \le u_{(2)} \le \ldots` are the sorted values. This is single linkage in
    one dimension, cut at the height ``eps``.

    Parameters
    ----------
    eps : float
        The widest gap within a cluster, zero or more. With zero, each distinct value is a cluster.

    See Also
    --------
    LargestGaps : The same for a given number of clusters.
    gap_threshold : A width that no gap within a cluster of noisy scores reaches.

    Notes
    -----
    Points of weight zero do not bridge a gap: gaps lie between values of positive weight.
    Levels are means. No objective is minimised, so that ``exact`` is False.

    Examples
    --------
    >>> from rankone.cuts import Threshold
    >>> Threshold(eps=1.0).cut([0.0, 5.0, 1.0, 6.5, 2.0]).labels
    array([0, 1, 0, 2, 0])
    """

    capabilities = CutCapabilities(("eps",))

    def __init__(self, eps: float) -> None:
        self.eps = eps

    def _cut(self, u: FloatArray, weights: FloatArray | None) -> Partition:
        eps = check_number(self.eps, "eps")
        problem = SortedValues(u, weights)
        cuts = np.flatnonzero(_gaps(problem.values) > eps) + 1
        return problem.partition(cuts, exact=False)


def gap_threshold(n_scores: int, deviation: float, alpha: float = 0.05) -> float:
    r"""Return the width of gaps above which scores belong to different clusters.

    .. math:: \varepsilon = \sqrt{8 \log(2 n / \alpha)}\; \sigma

    The scores of a cluster scatter around its level. If their deviations are sub-Gaussian with
    parameter sigma, none of n exceeds half of epsilon with probability 1 - alpha, so that no gap
    within a cluster is wider than epsilon, and all clusters whose levels differ by more than twice
    epsilon are separated. This is the threshold of the *Largest Gaps* algorithm, with which it
    finds the number of clusters: for row means of d entries that are zero or one, sigma is at most
    :math:`1 / (2 \sqrt d)`, and epsilon is :math:`\sqrt{2 \log(2 n / \alpha) / d}`, of the order
    :math:`\sqrt{\log(n) / d}` that consistency requires.

    Parameters
    ----------
    n_scores : int
        The number of scores, n.
    deviation : float
        sigma: the standard deviation of a score, if the noise is Gaussian. The mean of d entries
        between a and b has at most (b - a) / (2 sqrt(d)).
    alpha : float
        The probability, at most, that a cluster is divided.

    Returns
    -------
    float
        The parameter of `Threshold`.

    References
    ----------
    Brault and Channarond (2016), Fast and consistent algorithm for the latent block model,
    arXiv:1610.09005. Channarond, Daudin and Robin (2012), Classification and estimation in the
    stochastic blockmodel based on the empirical degrees, Electronic Journal of Statistics 6. The
    constant is that of the Hoeffding bound.

    Examples
    --------
    >>> from rankone.cuts import Threshold, gap_threshold
    >>> ones = np.random.default_rng(0).random((100, 400)) < np.repeat([[0.2], [0.8]], 50, axis=0)
    >>> Threshold(gap_threshold(100, 0.5 / 400**0.5)).cut(ones.mean(axis=1)).sizes
    array([50, 50])
    """
    n, sigma = check_whole(n_scores, "n_scores"), check_number(deviation, "deviation")
    chance = check_positive(check_number(alpha, "alpha", most=1.0), "alpha")
    return math.sqrt(8.0 * math.log(2.0 * n / chance)) * sigma


class LargestGaps(Cut):
    r"""Partition the coordinates of a vector at the widest gaps between sorted neighbours.

    .. math:: \max_{i_1 < \ldots < i_{k-1}} \; \sum_{c=1}^{k-1} u_{(i_c+1)} - u_{(i_c)}

    where :math:`u_{(1)} \le u_{(2)} \le \ldots` are the sorted values and k is ``n_clusters``. This
    is single linkage in one dimension.

    Parameters
    ----------
    n_clusters : int
        The number of clusters, at most the number of distinct values.

    See Also
    --------
    Threshold : The same for a given width of the gaps.
    gap_threshold : The width with which the *Largest Gaps* algorithm finds the number of clusters.
    SortedPotts : The partition with the best fit.

    Notes
    -----
    Of gaps of equal width the lowest is cut first. Points of weight zero do not divide a gap.
    Levels are means. No objective is minimised, so that ``exact`` is False.

    Examples
    --------
    >>> from rankone.cuts import LargestGaps
    >>> LargestGaps(n_clusters=2).cut([0.0, 5.0, 1.0, 6.5, 2.0]).labels
    array([0, 1, 0, 1, 0])
    """

    capabilities = CutCapabilities(("n_clusters",))

    def __init__(self, n_clusters: int) -> None:
        self.n_clusters = n_clusters

    def _cut(self, u: FloatArray, weights: FloatArray | None) -> Partition:
        problem = SortedValues(u, weights)
        k = check_n_clusters(self.n_clusters, problem.n_distinct)
        widest = np.argsort(-_gaps(problem.values), kind="stable")[: k - 1]
        return problem.partition(np.sort(widest + 1), exact=False)


def _gaps(values: FloatArray) -> FloatArray:
    """Return the gaps between sorted values, of which at most one is too wide for a double.

    It is then infinite, and still the widest: two such gaps would not fit into the doubles.
    """
    with np.errstate(over="ignore"):
        return np.diff(values)
