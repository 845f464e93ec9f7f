"""The method on one page: views, how many clusters, the answer, and the tree through it."""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from rankone._arithmetic import ratio
from rankone._threads import THREADS
from rankone.matrix import Matrix
from rankone.progress import Callback, silent
from rankone.tree._kernels import bisect
from rankone.tree.partitions import (
    LAST_STEPS,
    MOST_VIEWS,
    best_partition,
    means_of,
    n_views,
    rounding,
    settle,
)
from rankone.tree.replication import Replication, replicate
from rankone.tree.separation import valley
from rankone.tree.tree import Tree, distances
from rankone.typing import FloatArray, IntArray
from rankone.views import Residual, Views, viewed

__all__ = ["complete", "grow", "shape"]

#: Rows among which the answer is looked for; other rows of a larger matrix join the nearest group.
MOST_ROWS = 2**14


class Division(NamedTuple):
    """A group that was cut in two: its lower side kept its number.

    Attributes
    ----------
    group, new : int
        The numbers of the lower and of the upper side.
    gain : float
        The squared distance that the cut explains.
    """

    group: int
    new: int
    gain: float


def grow(
    matrix: Matrix,
    n_clusters: int | None = None,
    max_clusters: int = 20,
    callback: Callback = silent,
) -> Tree:
    """Grow a tree of the rows of a matrix.

    Parameters
    ----------
    matrix : Matrix
        In canonical order, so that the result does not depend on the order of rows and columns.
    n_clusters : int or None
        The number of clusters of the answer; if None, as many as replicate. There are fewer if
        rows cannot be told apart into so many.
    max_clusters : int
        The most clusters of the answer; the tree goes on to so many leaves.
    callback : callable
        Called after each cut of the columns into halves.
    """
    most = min(max_clusters, matrix.shape[0])
    replication = replicate(matrix, most, callback)
    views, residual = viewed(matrix, MOST_VIEWS)
    return complete(shape(views, most, replication, n_clusters), residual, replication)


def shape(
    views: Views,
    most: int,
    replication: Replication,
    n_clusters: int | None = None,
    labels: IntArray | None = None,
) -> Tree:
    """Return a tree without profiles and without statistics of its splits; see `complete`.

    Parameters
    ----------
    views : Views
        The first `MOST_VIEWS` views of a matrix.
    most : int
        The number of leaves, if there is as much to divide.
    replication : Replication
        What replicates in the matrix.
    n_clusters : int, optional
        See `grow`.
    labels : ndarray, optional
        The answer, if it is known; otherwise it is found.
    """
    number = replication.number if n_clusters is None else n_clusters
    number = number if labels is None else int(labels.max()) + 1
    views = views.first(n_views(views, number))
    points = views.points(views.number)
    answer = _answer(views, points, number) if labels is None else labels
    answer, above = _divided(points, answer, complete=labels is not None)
    number = len(above) + 1
    below, leaves = divide(points, np.ones(answer.size), answer, max(most, number))
    children, gains = _children(above, below)
    tree = Tree(
        children,
        gains,
        np.sqrt(2 * np.minimum.accumulate(gains[::-1])[::-1]),
        np.zeros(gains.size),
        np.ones(gains.size),
        leaves,
        number,
        views,
        _centres(points, leaves, children),
        np.zeros((0, 0)),
        replication if n_clusters is None else None,
    )
    return _placed(tree, points) if labels is None else tree


def complete(tree: Tree, residual: Residual, replication: Replication) -> Tree:
    """Return a tree with the profiles of its leaves, and what is known of its splits.

    Parameters
    ----------
    tree : Tree
        See `shape`.
    residual : Residual
        The matrix that it was grown from, less its margins.
    replication : Replication
    """
    return _judged(_profiled(tree, residual), replication)


def _answer(views: Views, points: FloatArray, number: int) -> IntArray:
    """Return the labels of the answer; of a large matrix, from a sample of its rows."""
    m = points.shape[0]
    if m <= MOST_ROWS:
        return best_partition(views, number)
    rows = np.sort(np.random.default_rng(0).choice(m, MOST_ROWS, replace=False))
    labels = best_partition(replace(views, scores=views.scores[rows]), number)
    n_groups = int(labels.max()) + 1
    nearest = distances(points, means_of(points[rows], labels, n_groups)).argmin(axis=1)
    return settle(points, np.ones(m), nearest, n_groups)


def _divided(
    points: FloatArray, answer: IntArray, complete: bool
) -> tuple[IntArray, list[Division]]:
    """Divide the clusters of an answer until each is alone; return labels in that order.

    Clusters that are alike in all views stay together, unless all are asked for.
    """
    number = int(answer.max()) + 1
    means, sizes = means_of(points, answer, number), np.bincount(answer).astype(np.float64)
    divisions, clusters = divide(means, sizes, np.zeros(number, np.intp), number)
    for i, group in enumerate(clusters if complete else []):
        if (clusters[:i] == group).any():
            clusters[i] = len(divisions) + 1
            divisions.append(Division(int(group), int(clusters[i]), 0.0))
    return clusters[answer], divisions


def divide(
    points: FloatArray, weights: FloatArray, labels: IntArray, until: int
) -> tuple[list[Division], IntArray]:
    """Cut groups in two, always the one whose cut explains most, while it explains enough.

    A cut is that of a principal direction of the group, followed by k-means within the group.
    """
    labels, divisions = labels.copy(), []
    n_groups = int(labels.max()) + 1
    least = rounding(points, weights)

    def cut(group: int) -> tuple[float, IntArray]:
        return _cut(points, weights, np.flatnonzero(labels == group), least)

    cuts = {g: cut(g) for g in range(n_groups)}
    while n_groups < until:
        group = max(cuts, key=lambda g: cuts[g][0])
        gain, upper = cuts[group]
        if gain <= 0.0:
            break
        labels[upper] = n_groups
        divisions.append(Division(group, n_groups, gain))
        for g in (group, n_groups):
            cuts[g] = cut(g)
        n_groups += 1
    return divisions, labels


def _cut(
    points: FloatArray, weights: FloatArray, members: IntArray, least: float
) -> tuple[float, IntArray]:
    """Return what a cut of a group in two explains, and the members above it."""
    gain, upper = bisect(points, weights, members, least)
    if gain <= 0.0:
        return 0.0, members[:0]
    group, mass = points[members], weights[members]
    sides = settle(group, mass, upper.astype(np.intp), 2, LAST_STEPS)
    below, above = (np.average(group[sides == s], axis=0, weights=mass[sides == s]) for s in (0, 1))
    sizes = mass[sides == 0].sum(), mass[sides == 1].sum()
    gain = float(((above - below) ** 2).sum() * sizes[0] * sizes[1] / sum(sizes))
    if above[0] < below[0]:  # the first view goes from left to right
        sides = 1 - sides
    return gain, members[sides == 1]


def _children(above: list[Division], below: list[Division]) -> tuple[IntArray, FloatArray]:
    """Return the nodes that each inner node consists of, and its gain, from the last cut back."""
    divisions = above + below
    n_leaves = len(divisions) + 1
    nodes = np.arange(n_leaves)
    children = np.empty((n_leaves - 1, 2), np.intp)
    for i, division in enumerate(reversed(divisions)):
        children[i] = nodes[division.group], nodes[division.new]
        nodes[division.group] = n_leaves + i
    return children, np.array([division.gain for division in reversed(divisions)], np.float64)


def _centres(points: FloatArray, leaves: IntArray, children: IntArray) -> FloatArray:
    """Return the mean point of each node."""
    n_leaves = children.shape[0] + 1
    sizes = np.bincount(leaves, minlength=n_leaves).tolist()
    centres = list(means_of(points, leaves, n_leaves))
    for pair in children:
        mass = [sizes[node] for node in pair]
        centres.append(np.average([centres[node] for node in pair], axis=0, weights=mass))
        sizes.append(sum(mass))
    return np.array(centres)


def _placed(tree: Tree, points: FloatArray) -> Tree:
    """Return the tree with each row where `Tree.place` puts it, unless a leaf would be empty."""
    leaves = tree.place(points)
    if np.bincount(leaves, minlength=tree.n_leaves).min() == 0:
        return tree
    return replace(tree, leaves=leaves)


def _profiled(tree: Tree, residual: Residual) -> Tree:
    """Return the tree with the profiles of its leaves."""
    members = (tree.leaves[:, None] == np.arange(tree.n_leaves)).astype(np.float64)
    sums, counts = residual.T.observed_times(members), residual.matrix.observed.T @ members
    return replace(tree, profiles=ratio(sums, counts).T)


def _judged(tree: Tree, replication: Replication) -> Tree:
    """Return the tree with the replication and the separation of each split."""
    points = tree.points
    replications, p_values = np.zeros(tree.gains.size), np.ones(tree.gains.size)
    labels = tree.cut()

    def judge(i: int) -> None:
        inside = np.isin(tree.leaves, tree.leaves_of(tree.n_leaves + i))
        replications[i] = replication.of_split(inside, max(2, np.unique(labels[inside]).size))
        upper = np.isin(tree.leaves[inside], tree.leaves_of(int(tree.children[i, 1])))
        p_values[i] = valley(points[inside], upper)

    deque(THREADS.map(judge, range(tree.gains.size)), maxlen=0)
    return replace(tree, replications=replications, p_values=p_values)
