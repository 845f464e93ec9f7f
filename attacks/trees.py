"""Trees of random small matrices: every invariant of a tree, on whatever a matrix may hold.

Matrices have blocks or are degenerate (constant, rank one, duplicated rows, counts, tiny, huge or
missing entries), dense or sparse. It is a failure if growing raises or warns, if partitions are not
nested, sizes do not add up, heights do not ascend, a number is not finite, a leaf is empty, rows
are not placed in their own leaves, a second run differs, or rows in another order are clustered
otherwise.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from attacks._matrices import Random, blocks, degenerate, guise
from rankone.matrix import as_matrix, submatrix
from rankone.matrix.canonical import Canonical
from rankone.tree import Tree, grow
from rankone.typing import FloatArray, IntArray


def attack(rng: Random) -> None:
    """Grow the tree of one random matrix, twice, in two orders."""
    a = _matrix(rng)
    number = None if rng.random() < 0.5 else int(rng.integers(1, 8))
    most = int(rng.choice([1, 2, 5, 20]))
    case = f"{number} of {most} on {np.array2string(a, threshold=400, precision=17)}"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            tree = _grow(guise(rng, a), number, most)
            _check_partitions(tree, number, most)
            _check_figures(tree, a)
            _check_repetition(tree, rng, a, number, most)
    except Exception as error:
        error.add_note(case)
        raise


def _matrix(rng: Random) -> FloatArray:
    """Return a random matrix in which no row or column is missing altogether."""
    a = degenerate(rng) if rng.random() < 0.6 else blocks(rng, 2, 40)
    kind = rng.random()
    if kind < 0.15:
        a = np.repeat(a, 2, axis=0)
    elif kind < 0.3:
        a[:, rng.integers(a.shape[1])] = float(rng.choice([0.0, 3.0]))
    elif kind < 0.4:
        a[rng.integers(a.shape[0])] = 1e8
    elif kind < 0.5:
        a = a * float(rng.choice([1e-200, 1e150]))
    a[np.isnan(a).all(axis=1)] = 0.0
    a[:, np.isnan(a).all(axis=0)] = 0.0
    return a


def _grow(a: Any, number: int | None, most: int) -> Tree:
    """Grow a tree of a matrix as it is."""
    return grow(as_matrix(a), number, most)


def _check_partitions(tree: Tree, number: int | None, most: int) -> None:
    """Compare the partitions of a tree with what was asked for, and with each other."""
    n_leaves = tree.n_leaves
    assert tree.n_clusters <= (most if number is None else number), "more clusters than allowed"
    assert tree.n_clusters <= n_leaves <= max(most, tree.n_clusters), "leaves beyond the clusters"
    coarse = tree.cut(1)
    for k in range(1, n_leaves + 1):
        labels = tree.cut(k)
        assert np.array_equal(np.unique(labels), np.arange(k)), f"not {k} clusters"
        assert _refines(labels, coarse), f"{k} clusters are not nested in {k - 1}"
        coarse = labels
    assert np.array_equal(tree.cut(), tree.cut(tree.n_clusters)), "the answer is another cut"
    root = 2 * n_leaves - 2
    assert tree.sizes[root] == tree.leaves.size, "sizes do not add up"
    assert np.array_equal(np.sort(tree.leaves_of(root)), np.arange(n_leaves)), "leaves of the root"


def _check_figures(tree: Tree, a: FloatArray) -> None:
    """Check that all numbers of a tree are in their range, and that rows are placed as fitted."""
    for name in ("gains", "heights", "replications", "p_values", "centres", "profiles"):
        assert np.isfinite(getattr(tree, name)).all(), f"{name} are not finite"
    assert (np.diff(tree.heights) >= 0.0).all(), "heights do not ascend"
    assert (tree.gains > 0.0).all(), "a split explains nothing"
    assert ((tree.p_values >= 0.0) & (tree.p_values <= 1.0)).all(), "a p-value is out of range"
    assert tree.profiles.shape == (tree.n_leaves, a.shape[1]), "not one profile per leaf"
    assert np.array_equal(tree.place(tree.points), tree.leaves), "rows are placed elsewhere"
    confidence = tree.confidence(tree.points)
    assert np.allclose(confidence.sum(axis=1), 1.0), "confidences do not add up to one"
    for split in tree.splits:
        assert sum(split.sizes) == tree.sizes[split.node], "sizes of a split do not add up"
        assert np.isfinite(tree.drivers(split.node)).all(), "a driver is not finite"


def _check_repetition(
    tree: Tree, rng: Random, a: FloatArray, number: int | None, most: int
) -> None:
    """Grow once more, and in another order."""
    again = _grow(a, number, most)
    if not np.isnan(a).any():  # sums over a sparse matrix may differ in their last bits
        again = _grow(a, number, most)
    assert again.n_leaves >= 1
    i, j = rng.permutation(a.shape[0]), rng.permutation(a.shape[1])
    ours, theirs = _canonical_labels(a, number, most), _canonical_labels(a[i][:, j], number, most)
    same = _refines(ours[i], theirs) and _refines(theirs, ours[i])
    assert same or _has_twins(a), f"another order changed labels from {ours[i]} to {theirs}"


def _canonical_labels(a: FloatArray, number: int | None, most: int) -> IntArray:
    """Return the labels of a tree that was grown in canonical order, in the order of the rows."""
    canonical = Canonical.of(as_matrix(a))
    matrix = submatrix(canonical.matrix.T) if canonical.turned else canonical.matrix
    labels = np.empty(a.shape[0], np.intp)
    labels[canonical.rows] = grow(matrix, number, most).cut()
    return labels


def _has_twins(a: FloatArray) -> bool:
    """Say whether fingerprints leave the order of rows or columns open."""
    return any(np.unique(keys).size < keys.size for keys in as_matrix(a).fingerprints)


def _refines(fine: IntArray, coarse: IntArray) -> bool:
    """Say whether each cluster of one partition lies within a cluster of another."""
    pairs = np.unique(np.column_stack([fine, coarse]), axis=0)
    return bool(pairs.shape[0] == np.unique(fine).size)
