r"""The number of clusters that can be told apart given the noise of the scores.

Scores with k true values :math:`\mu` and known noise are drawn from a mixture,

.. math:: u_i \sim \sum_k \pi_k \, N(\mu_k, \tau_i^2 + \omega^2)

where :math:`\tau_i^2` is the variance of a score due to the noise of the entries that it was
computed from, and :math:`\omega^2` the variance of clusters in addition to that: real clusters are
wider than their sampling noise. For each number of clusters, including one, a mixture is fitted
starting from the best partition on the path. The fits are compared by a Bayesian information
criterion.

Mixtures are singular models: a superfluous component adds one free parameter, not two, because its
mean does not matter if its weight is zero. Drton and Plummer's criterion takes account of that: the
penalty of k components where j suffice is (k + j - 1) / 2 log m, averaged over j with weights that
depend on how well j components fit.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import logsumexp

from rankone._criteria import scarcity
from rankone._kernel import inlined, kernel
from rankone.cuts.path import SortedPottsPath
from rankone.typing import FloatArray, IntArray

#: The largest number of groups of neighbouring scores that are fitted.
GROUPS = 256

#: The gain in log-likelihood, per score, at which a fit ends; the largest number of iterations.
TOLERANCE, MAX_ITER = 1e-5, 100

#: Probabilities below exp(-NEGLIGIBLE) of the largest count as zero.
NEGLIGIBLE = 30.0

#: Positive scores within this factor of each other look much the same on every scale.
MOST_EVEN = 4.0

#: Scores that span more than this factor have no scale on which their noise can be computed.
WIDEST = 1e60

#: The smallest standard deviation of a score, as a share of the range of the scores.
LEAST_NOISE = 1e-8


@dataclass(frozen=True, eq=False)
class MixtureCurve:
    """The criterion of each number of clusters.

    Attributes
    ----------
    criterion : ndarray
        One value for each number of clusters on the path; the larger, the better.
    scale : {"linear", "square root", "logarithm"}
        The scale of the scores on which clusters are closest to Gaussian.
    """

    criterion: FloatArray
    scale: str


def mixture_curve(
    path: SortedPottsPath, noise: FloatArray, strict: bool = False, apart: bool = False
) -> MixtureCurve:
    """Return the criterion of each number of clusters on a path.

    Parameters
    ----------
    path : SortedPottsPath
        The path of a vector without weights.
    noise : ndarray
        The variance of each score due to noise.
    strict : bool
        Whether clusters are exactly as wide as the noise; otherwise they may be wider.
    apart : bool
        Whether clusters must be separated: the entropy of their overlap is subtracted. The totals
        of counts vary from row to row even where there are no clusters.

    Returns
    -------
    MixtureCurve

    Notes
    -----
    If scores are positive and the largest is more than four times the smallest, their square roots
    and logarithms are tried as well, and the likelihoods are compared as densities of the scores
    themselves. Skewed scores, such as those of counts and intensities, would otherwise be covered
    with clusters of equal width.

    References
    ----------
    Drton and Plummer (2017), A Bayesian information criterion for singular models, Journal of the
    Royal Statistical Society B 79.
    """
    groups = _Groups.of(path, noise)
    m = float(groups.counts.sum())
    lowest, highest = groups.lowest, float(groups.values[-1])
    skewed = lowest > 0 and MOST_EVEN * lowest < highest < WIDEST * lowest
    best, threshold = None, -np.inf
    for scale, (function, slope) in _SCALES.items():
        if scale == "linear" or (skewed and not strict):
            likelihood, entropy = _fits(groups.on(function, slope), strict)
            criterion = _singular_bic(likelihood, m, n_common=0 if strict else 1)
            criterion -= [scarcity(int(k), int(m)) for k in path.n_clusters]
            if criterion.max() > threshold:
                best = MixtureCurve(criterion - entropy if apart else criterion, scale)
                threshold = criterion.max() + np.log(m)  # another scale must be clearly better
    assert best is not None
    return best


#: Each scale, and its derivative.
_SCALES = {
    "linear": (lambda u: u, np.ones_like),
    "square root": (np.sqrt, lambda u: 0.5 / np.sqrt(u)),
    "logarithm": (np.log, lambda u: 1.0 / u),
}


@dataclass(frozen=True, eq=False)
class _Groups:
    """Groups of neighbouring scores: their means, sizes, variances and noise.

    Attributes
    ----------
    slopes : float
        What the change of scale adds to the log-likelihood.
    labels : list of ndarray
        The cluster of each group, for each number of clusters.
    """

    values: FloatArray
    counts: FloatArray
    within: FloatArray
    noise: FloatArray
    lowest: float
    slopes: float
    labels: list[IntArray]

    @classmethod
    def of(cls, path: SortedPottsPath, noise: FloatArray) -> _Groups:
        u = path.vector
        order = np.lexsort((noise, u))  # equal scores by their noise, not by their position
        firsts = path.starts()
        # No group crosses the boundary of a cluster.
        edges = np.linspace(0, u.size, min(u.size, GROUPS) + 1).astype(np.int64)
        edges = np.union1d(edges, np.searchsorted(u[order], np.concatenate(firsts)))
        starts, counts = edges[:-1], np.diff(edges).astype(float)
        shift = u[order[u.size // 2]]
        sums = [np.add.reduceat((u[order] - shift) ** p, starts) / counts for p in (1, 2)]
        # A mean lies between the scores of its group; the shift may have rounded it away.
        values = np.clip(sums[0] + shift, u[order[starts]], u[order[edges[1:] - 1]])
        within = np.maximum(sums[1] - sums[0] ** 2, 0.0)
        floor = (LEAST_NOISE * np.ptp(u)) ** 2 or 1.0
        levels = np.maximum(np.add.reduceat(noise[order], starts) / counts, floor)
        labels = [np.searchsorted(first, u[order[starts]], side="right") for first in firsts]
        return cls(values, counts, within, levels, float(u[order[0]]), 0.0, labels)

    def on(self, function, slope) -> _Groups:
        """Return the groups on another scale."""
        slopes = slope(self.values)
        return _Groups(
            function(self.values),
            self.counts,
            self.within * slopes**2,
            self.noise * slopes**2,
            self.lowest,
            float(self.counts @ np.log(slopes)),
            self.labels,
        )


def _fits(groups: _Groups, strict: bool) -> tuple[FloatArray, FloatArray]:
    """Return the log-likelihood, and the entropy of the overlap, for each number of clusters."""
    fits = []
    for k, labels in enumerate(groups.labels, start=1):
        shares = np.bincount(labels, groups.counts, minlength=k)
        sums = np.bincount(labels, groups.counts * groups.values, minlength=k)
        means = sums / np.maximum(shares, 1e-300)
        kept = shares > 0
        fits.append(
            _fit(
                groups.values,
                groups.counts,
                groups.within,
                groups.noise,
                means[kept],
                shares[kept] / shares.sum(),
                strict,
            )
        )
    likelihood, entropy = np.array(fits).T
    return likelihood + groups.slopes, entropy


@kernel
def _fit(values, counts, within, noise, means, shares, strict):
    """Fit a mixture by EM, and return the log-likelihood and the entropy of the overlap."""
    n, k = values.size, means.size
    total = counts.sum()
    posterior, logs = np.empty(k), np.empty(k)
    extra = 0.0
    if not strict:  # the variance of the partition in addition to the noise
        for i in range(n):
            nearest = np.inf
            for c in range(k):
                nearest = min(nearest, (values[i] - means[c]) ** 2)
            extra += counts[i] * (nearest + within[i] - noise[i])
        extra = max(0.0, extra / total)
    before = -np.inf
    for _ in range(MAX_ITER):
        likelihood = spread = spread_weight = 0.0
        mass, precision, moment = np.zeros(k), np.zeros(k), np.zeros(k)
        logs[:] = np.log(shares)
        for i in range(n):
            variance = noise[i] + extra
            likelihood += counts[i] * explain(
                values[i], within[i], variance, means, logs, posterior
            )
            spread_weight += counts[i] / variance**2
            for c in range(k):
                if posterior[c] > 0.0:
                    r = counts[i] * posterior[c]
                    distance = (values[i] - means[c]) ** 2 + within[i]
                    mass[c] += r
                    precision[c] += r / variance
                    moment[c] += r * values[i] / variance
                    spread += r * (distance - noise[i]) / variance**2
        if likelihood - before <= TOLERANCE * (1000.0 + total):
            break
        before = likelihood
        for c in range(k):
            if mass[c] > 0.0:
                shares[c] = max(mass[c] / total, 1e-12)
                means[c] = moment[c] / precision[c]
        if not strict:
            extra = max(0.0, spread / spread_weight)
    entropy = 0.0
    for i in range(n):
        explain(values[i], within[i], noise[i] + extra, means, logs, posterior)
        for c in range(k):
            if posterior[c] > 0.0:
                entropy -= counts[i] * posterior[c] * np.log(posterior[c])
    return likelihood, entropy


@inlined
def explain(value, within, variance, means, logs, posterior):
    """Write the probability of each cluster for a value, and return its log-likelihood."""
    most = -np.inf
    for c in range(means.size):
        posterior[c] = logs[c] - ((value - means[c]) ** 2 + within) / (2.0 * variance)
        most = max(most, posterior[c])
    norm = 0.0
    for c in range(means.size):
        below = posterior[c] - most
        posterior[c] = np.exp(below) if below > -NEGLIGIBLE else 0.0
        norm += posterior[c]
    for c in range(means.size):
        posterior[c] /= norm
    return most + np.log(norm) - 0.5 * np.log(2.0 * np.pi * variance)


def _singular_bic(likelihood: FloatArray, m: float, n_common: int) -> FloatArray:
    """Return Drton and Plummer's criterion of mixtures with 1, 2, ... components.

    Each is the positive root x of ``x^2 + b x - c``, where b and c are sums over smaller mixtures;
    the computation is done in logarithms.
    """
    log_m = np.log(m)
    result = np.empty(likelihood.size)
    for i in range(likelihood.size):
        j = np.arange(i + 1)
        evidence = likelihood[i] - 0.5 * (i + j + 1 + n_common) * log_m
        if i == 0:
            result[0] = evidence[0]
            continue
        smaller = logsumexp(result[:i])
        log_c = logsumexp(evidence[:-1] + result[:i])
        unit = max(evidence[-1], smaller, log_c / 2)
        b = np.exp(smaller - unit) - np.exp(evidence[-1] - unit)
        root = np.sqrt(b * b + 4 * np.exp(log_c - 2 * unit))
        if b > 0:
            result[i] = np.log(2 / (b + root)) + log_c - unit
        else:
            result[i] = np.log((root - b) / 2) + unit
    return result
