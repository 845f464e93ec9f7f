"""Matrices that trees are grown of."""

import numpy as np

from rankone.datasets import make_counts


def groups(seed=0, size=60, missing=0.0):
    """Return a matrix of signed numbers with three groups of rows, and their labels."""
    rng = np.random.default_rng(seed)
    truth = np.arange(size) % 3
    a = rng.normal(scale=3.0, size=(3, 12))[truth] + rng.normal(size=(size, 12))
    a[rng.random(a.shape) < missing] = np.nan
    return a, truth


def counts(seed=0, missing=0.0):
    """Return counts with three groups of rows."""
    means = [[6, 1, 1], [1, 5, 1], [1, 1, 4]]
    return make_counts((60, 40), means, mean=1, missing=missing, random_state=seed).data


MATRICES = {
    "signed": groups()[0],
    "counts": counts(),
    "missing": groups(missing=0.2)[0],
    "missing counts": counts(missing=0.2),
    "noise": np.random.default_rng(0).normal(size=(50, 20)),
    "copies": np.random.default_rng(0).integers(0, 2, (5, 8))[np.arange(40) % 5].astype(float),
}
