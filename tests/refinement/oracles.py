"""Slow, obvious definitions that the tests of refinement compare with."""

import numpy as np
from scipy.special import softmax
from scipy.stats import bernoulli, norm, poisson

from rankone._criteria import scarcity


def partitions(n):
    """Return the labels of all partitions of n things."""
    labels = [[0]]
    for _ in range(n - 1):
        labels = [[*partial, c] for partial in labels for c in range(max(partial) + 2)]
    return [np.array(complete) for complete in labels]


def block_means(a, z, w):
    """Return the mean of the observed entries of each block."""
    return np.array(
        [[np.nanmean(a[z == r][:, w == c]) for c in range(w.max() + 1)] for r in range(z.max() + 1)]
    )


def penalised(likelihood, z, w, n_parameters, n_entries):
    """Return the integrated classification likelihood, given the log-likelihood of the entries."""
    result = likelihood - n_parameters / 2 * np.log(n_entries)
    for labels in (z, w):
        k, size = labels.max() + 1, labels.size
        shares = np.bincount(labels) / size
        result += np.log(shares[labels]).sum() - (k - 1) / 2 * np.log(size) - scarcity(k, size)
    return result


def gaussian_criterion(a, z, w):
    """Return the criterion of real numbers, entry by entry, less the constants of its density."""
    means = block_means(a, z, w)
    fitted, observed = means[z][:, w], ~np.isnan(a)
    n_entries = observed.sum()
    sigma = np.sqrt(np.mean((a - fitted)[observed] ** 2))
    likelihood = norm.logpdf(a[observed], fitted[observed], sigma).sum()
    likelihood += n_entries / 2 * np.log(2 * np.pi * np.e)
    return penalised(likelihood, z, w, means.size, n_entries)


def poisson_criterion(a, z, w):
    """Return the criterion of complete counts, compared with that of their margins alone."""
    margins = np.outer(a.sum(axis=1), a.sum(axis=0)) / a.sum()
    rates = np.array(
        [
            [
                a[z == r][:, w == c].sum() / margins[z == r][:, w == c].sum()
                for c in range(w.max() + 1)
            ]
            for r in range(z.max() + 1)
        ]
    )
    likelihood = poisson.logpmf(a, margins * rates[z][:, w]).sum()
    likelihood -= poisson.logpmf(a, margins).sum()
    return penalised(likelihood, z, w, (rates.shape[0] - 1) * (rates.shape[1] - 1), a.size)


def bernoulli_criterion(a, z, w):
    """Return the criterion of zeros and ones, compared with that of a single block."""
    means, observed = block_means(a, z, w), ~np.isnan(a)
    share = np.nanmean(a)
    fitted = np.clip(means, 1e-9, 1.0 - 1e-9)[z][:, w]
    likelihood = bernoulli.logpmf(a[observed], fitted[observed]).sum()
    likelihood -= bernoulli.logpmf(a[observed], share).sum()
    return penalised(likelihood, z, w, means.size, observed.sum())


def gaussian_probabilities(a, z, w):
    """Return the probability of each cluster for each row by Bayes' rule, entry by entry."""
    means = block_means(a, z, w)
    sigma = np.sqrt(np.nanmean((a - means[z][:, w]) ** 2))
    likelihood = [np.nansum(norm.logpdf(a, of_cluster[w], sigma), axis=1) for of_cluster in means]
    return softmax(np.transpose(likelihood) + np.log(np.bincount(z) / z.size), axis=1)
