"""What the slider of a side walks: the tree through its clusters, or the exact path of its scores.

A walk has one stop for each number of clusters. Rows that no stop separates form a *piece*; pieces
are numbered in the order in which they are drawn, so that clusters are neighbours at every stop.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from rankone.cuts import Partition, SortedPottsPath
from rankone.matrix import Matrix
from rankone.refinement.model import BlockModel
from rankone.report.curves import Curve, block_curve, choice_curve, replication_curve
from rankone.result import Result, Side
from rankone.tree import Tree
from rankone.tree.explanation import kinds_in_words
from rankone.typing import FloatArray, IntArray

__all__ = [
    "GIVEN",
    "Stop",
    "Walk",
    "fixed_walk",
    "no_walk",
    "path_walk",
    "tree_walk",
    "walk_of",
    "why_so_many",
]

Confidence = Callable[[int], FloatArray | None]

#: Why there are so many clusters, if their number was given.
GIVEN = "as many as asked for"


@dataclass(frozen=True, eq=False)
class Stop:
    """A partition into some number of clusters.

    Attributes
    ----------
    clusters : ndarray
        The cluster of each piece.
    ids : tuple of str
        A name for each cluster, the same at all stops that have this cluster.
    note : str
        What is known of the partition.
    """

    clusters: IntArray
    ids: tuple[str, ...]
    note: str = ""

    @property
    def n_clusters(self) -> int:
        """The number of clusters."""
        return len(self.ids)


@dataclass(frozen=True, eq=False)
class Walk:
    """The partitions of one side that the page shows.

    Attributes
    ----------
    kind : {"tree", "path", "fixed", "none"}
        Where they come from; "none" if the side was not clustered.
    pieces : ndarray of shape (n,)
        The piece of each row.
    key : ndarray of shape (n,)
        Rows of a piece are drawn in ascending order of it.
    stops : tuple of Stop
        By their numbers of clusters, which are consecutive.
    chosen : int
        The number of clusters of the answer.
    reason : str
        Why there are so many.
    confidence : callable
        Returns the probability of each label at the stop with so many clusters, if it is known.
    curve : Curve or None
        None if the number of clusters was given.
    tree : Tree or None
    """

    kind: str
    pieces: IntArray
    key: FloatArray
    stops: tuple[Stop, ...]
    chosen: int
    reason: str
    confidence: Confidence
    curve: Curve | None = None
    tree: Tree | None = None

    @property
    def answer(self) -> Stop:
        """The stop of the answer."""
        return self.stops[self.chosen - self.stops[0].n_clusters]

    def unions(self) -> dict[str, IntArray]:
        """Return the pieces of each cluster of each stop."""
        return {
            name: np.flatnonzero(stop.clusters == label)
            for stop in self.stops
            for label, name in enumerate(stop.ids)
        }


def walk_of(side: Side, result: Result, matrix: Matrix, shared: bool = False) -> Walk:
    """Return the walk through the clusters of a side of a result.

    Parameters
    ----------
    side : Side
    result : Result
    matrix : Matrix
        The matrix that was clustered.
    shared : bool
        Whether rows and columns have one partition.
    """
    if side.request.discarded:
        return no_walk(side.labels.size)
    tree = side.tree
    if tree is None:
        return _walk_of_scores(side)
    if side.request.n_clusters is not None:
        return tree_walk(tree, side.confidence, GIVEN)
    if result.method != "blocks":
        return tree_walk(tree, side.confidence, why_so_many(tree), replication_curve(tree))
    model = BlockModel(matrix, result.blocks.law)
    model, other = model if side.request.axis == 0 else model.T, result.sides[1 - side.request.axis]
    curve = block_curve(tree, model, None if shared else other.labels)
    reason = "those of the best blocks" if tree.n_clusters > 1 else "no blocks are better than one"
    return tree_walk(tree, side.confidence, reason, curve)


def tree_walk(
    tree: Tree, confidence: FloatArray | None, reason: str, curve: Curve | None = None
) -> Walk:
    """Return the walk along a tree, one of whose partitions is the answer."""
    place = np.empty(tree.n_leaves, np.intp)
    place[tree.leaves_of(2 * tree.n_leaves - 2)] = np.arange(tree.n_leaves)
    stops = []
    for k in range(1, tree.n_leaves + 1):
        clusters = np.empty(tree.n_leaves, np.intp)
        clusters[place] = tree.leaf_clusters(k)
        names = tuple(map(str, tree.nodes_at(k)))
        stops.append(Stop(clusters, names, _kinds(tree, k)))

    def known(k: int) -> FloatArray | None:
        if k == tree.n_clusters:
            return confidence
        return tree.confidence(tree.points, k)[np.arange(tree.leaves.size), tree.cut(k)]

    pieces, key = tree.pieces, tree.between_siblings()
    return Walk("tree", pieces, key, tuple(stops), tree.n_clusters, reason, known, curve, tree)


def path_walk(
    path: SortedPottsPath,
    scores: FloatArray,
    partition: Partition,
    reason: str,
    curve: Curve | None = None,
) -> Walk:
    """Return the walk along the exact path of scores.

    At the number of clusters of the answer, it stops at the answer, on the path or not.
    """
    number, boundaries = partition.n_clusters, partition.boundaries
    assert boundaries is not None
    if number > len(path):
        return fixed_walk(partition.labels, scores, partition.confidence(scores), reason)
    starts = path.starts()
    starts[number - 1] = boundaries
    cuts = np.unique(np.concatenate(starts))
    _, pieces = np.unique(np.searchsorted(cuts, scores, side="right"), return_inverse=True)
    first = np.full(int(pieces.max()) + 1, np.inf)
    np.minimum.at(first, pieces, scores)
    stops = tuple(
        Stop(
            np.searchsorted(start, first, side="right"),
            tuple(f"{k}.{label}" for label in range(k)),
            _penalties(interval),
        )
        for k, (start, interval) in enumerate(zip(starts, path.intervals, strict=True), start=1)
    )

    def known(k: int) -> FloatArray:
        return (partition if k == number else path.at(n_clusters=k)).confidence(scores)

    return Walk("path", pieces, scores, stops, number, reason, known, curve)


def fixed_walk(
    labels: IntArray, key: FloatArray, confidence: FloatArray | None, reason: str
) -> Walk:
    """Return a walk that does not leave the answer."""
    number = int(labels.max()) + 1
    stop = Stop(np.arange(number), tuple(str(label) for label in range(number)))
    return Walk("fixed", labels, key, (stop,), number, reason, lambda _: confidence)


def no_walk(size: int) -> Walk:
    """Return the walk of a side that was not clustered."""
    stop = Stop(np.zeros(1, np.intp), ("0",))
    places = np.arange(size, dtype=np.float64)
    return Walk("none", np.zeros(size, np.intp), places, (stop,), 1, "", lambda _: None)


def _walk_of_scores(side: Side) -> Walk:
    """Return the walk through cuts of scores."""
    choice, scores = side.selection, side.scores.values
    reason = GIVEN if choice is None else f"selected by {choice.selection}"
    if side.partition.boundaries is None:
        return fixed_walk(side.labels, scores, side.confidence, reason)
    curve = None if choice is None else choice_curve(choice)
    return path_walk(side.path, scores, side.partition, reason, curve)


def _penalties(interval: FloatArray) -> str:
    """Say for which penalties a partition is optimal."""
    low, high = interval
    if low == high:
        return "not optimal for any penalty lam"
    return f"optimal for penalties lam from {low:.4g} to {high:.4g}".replace("inf", "∞")


def why_so_many(tree: Tree) -> str:
    """Say why a tree has so many clusters."""
    if tree.replication is None:
        return GIVEN
    if tree.n_clusters == 1:
        return "no division replicates in halves of the data"
    return "as many as replicate in halves of the data"


def _kinds(tree: Tree, n_clusters: int) -> str:
    """Say what the clusters of a partition are, in words that need no explanation."""
    kinds = tree.kinds(n_clusters)
    words = kinds_in_words(kinds)
    if "gradient" in kinds:
        return f"{words} (which have no gaps between them)"
    return f"{words}, with gaps between them" if words else ""
