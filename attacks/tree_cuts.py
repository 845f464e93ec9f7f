"""Trees of random matrices: degenerate ones, copies of rows, counts, and missing entries.

It is a failure if a tree of the matrix with rows and columns in another order, or of the transpose,
is another tree, if fitted rows are not placed in their own clusters, if a cut has another number of
clusters than it was asked for, or if SciPy does not cut the linkage as the tree does.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from scipy.cluster import hierarchy

from attacks._matrices import Random
from rankone import RankOneTree
from rankone.errors import InputError
from rankone.typing import FloatArray, IntArray


def attack(rng: Random) -> None:
    """Grow one random tree, in several orders."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        _grow(_matrix(rng), rng)


def _grow(a: FloatArray, rng: Random) -> None:
    """Compare the trees of a matrix, of its permutation and of its transpose."""
    parameters: dict[str, Any] = {
        "n_clusters": None if rng.random() < 0.6 else int(rng.integers(1, a.shape[0] + 1)),
        "max_clusters": int(rng.choice([1, 3, 20, 20, 60])),
    }
    case = f"{parameters} on {a.shape}"
    try:
        model = RankOneTree(**parameters).fit(a)
    except InputError:  # a row without an observed entry, or rows that cannot be told apart
        return
    i, j = rng.permutation(a.shape[0]), rng.permutation(a.shape[1])
    moved = RankOneTree(**parameters).fit(a[i][:, j])
    turned = RankOneTree(**parameters, axis="columns").fit(a.T)
    for what, other, labels in (
        ("permutation", moved, model.labels_[i]),
        ("transposition", turned, model.labels_),
    ):
        assert np.array_equal(other.children_, model.children_), f"{case}: {what}, children"
        assert _same(other.labels_, labels), f"{case}: {what}, labels"
    _check_cuts(model, a, case)


def _check_cuts(model: RankOneTree, a: FloatArray, case: str) -> None:
    """Compare each cut with the places of the fitted rows, and with SciPy."""
    linkage = model.linkage_matrix()
    for k in range(1, model.n_leaves_ + 1):
        labels = model.cut(k)
        assert np.unique(labels).size == k, f"{case}: a cut into {k}"
        assert np.array_equal(model.predict(a, k), labels), f"{case}: places of {k} clusters"
        if model.n_leaves_ > 1:
            of_leaves = hierarchy.fcluster(linkage, k, "maxclust")
            assert _same(of_leaves[model.tree_.leaves], labels), f"{case}: SciPy's {k} clusters"


def _same(one: IntArray, other: IntArray) -> bool:
    """Say whether labels are the same up to the numbers of clusters."""
    pairs = np.unique(np.column_stack([one, other]), axis=0)
    return bool(pairs.shape[0] == np.unique(one).size == np.unique(other).size)


def _matrix(rng: Random) -> FloatArray:
    """Return a small random matrix."""
    m, n = rng.integers(1, 40, 2)
    match rng.integers(6):
        case 0:
            a = rng.normal(size=(m, n))
        case 1:
            a = rng.poisson(1.0, (m, n)).astype(np.float64)
        case 2:
            a = rng.integers(0, 2, (m, n)).astype(np.float64)
        case 3:
            a = rng.integers(-1, 2, (m, n)).astype(np.float64)[rng.integers(0, m, m)]
        case 4:
            a = np.round(rng.normal(size=(m, 1)) * rng.normal(size=(1, n)), 1)
        case _:
            means = 3.0 * rng.normal(size=(3, n))
            a = means[rng.integers(0, 3, m)] + rng.normal(size=(m, n))
    a[rng.random((m, n)) < rng.choice([0.0, 0.0, 0.1, 0.4])] = np.nan
    return np.asarray(a)
