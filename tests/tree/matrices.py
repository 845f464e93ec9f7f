"""Matrices that several tests of trees need."""

import numpy as np

from rankone.matrix import as_matrix, submatrix
from rankone.matrix.canonical import Canonical
from rankone.tree import grow


def noise(kind, rng, shape):
    """Return a matrix without groups."""
    return {
        "gaussian": lambda: rng.normal(size=shape),
        "lognormal": lambda: rng.lognormal(size=shape),
        "t(3)": lambda: rng.standard_t(3, size=shape),
        "poisson": lambda: rng.poisson(1.0, shape).astype(float),
    }[kind]()


def gradient(law, rng, shape):
    """Return one factor without groups, plus noise."""
    factor = {
        "normal": lambda: rng.normal(size=shape[0]),
        "uniform": lambda: rng.uniform(-1.7, 1.7, shape[0]),
        "exponential": lambda: rng.exponential(size=shape[0]),
    }[law]()
    return np.outer(factor, rng.normal(size=shape[1])) + rng.normal(size=shape)


def groups(rng, sizes, n=12, distance=8.0):
    """Return well separated groups of rows, and their labels."""
    labels = np.repeat(np.arange(len(sizes)), sizes)
    centres = distance * rng.normal(size=(len(sizes), n))
    return centres[labels] + rng.normal(size=(labels.size, n)), labels


def canonical_labels(a, *arguments):
    """Return the labels of a tree that was grown in canonical order, in the order of the rows."""
    canonical = Canonical.of(as_matrix(a))
    matrix = submatrix(canonical.matrix.T) if canonical.turned else canonical.matrix
    labels = np.empty(a.shape[0], np.intp)
    labels[canonical.rows] = grow(matrix, *arguments).cut()
    return labels


def same_partition(one, other):
    """Say whether labels are the same up to the numbers of clusters."""
    pairs = np.unique(np.column_stack([one, other]), axis=0)
    return pairs.shape[0] == np.unique(one).size == np.unique(other).size
