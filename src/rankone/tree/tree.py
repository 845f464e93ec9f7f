"""A tree of clusters: nested partitions into every number, through the answer that was chosen."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from rankone.matrix import Matrix
from rankone.tree.partitions import rounding
from rankone.tree.replication import Replication
from rankone.tree.separation import LEVEL
from rankone.typing import FloatArray, IntArray
from rankone.views import Views

__all__ = ["Split", "Tree"]


@dataclass(frozen=True)
class Split:
    """What is known of an inner node of a tree.

    Attributes
    ----------
    node : int
        The number of the node.
    children : tuple of int
        The nodes of its two sides: the lower, then the upper one.
    sizes : tuple of int
        The rows of either side.
    gain : float
        The squared distance in the space of the views that the split explains.
    replication : float
        The agreement (adjusted Rand index) of partitions of the node's rows by two halves of the
        columns, into as many groups as the answer has there, at least two; zero is chance, one is
        certainty.
    p_value : float
        The p-value of the hypothesis that there is no valley between the sides.
    in_answer : bool
        Whether both sides are apart in the partition that was chosen.
    """

    node: int
    children: tuple[int, int]
    sizes: tuple[int, int]
    gain: float
    replication: float
    p_value: float
    in_answer: bool

    @property
    def kind(self) -> str:
        """What the sides are: ``"groups"`` with a valley between, or parts of a ``"gradient"``."""
        return "groups" if self.p_value < LEVEL else "gradient"


@dataclass(frozen=True, eq=False)
class Tree:
    """Nested partitions of rows into 1, 2, ..., L clusters.

    Leaves are numbered 0 to L - 1 and inner nodes L to 2 L - 2 in ascending order of their heights,
    as in SciPy's hierarchies; the last one is the root. The partition into k clusters undoes the
    last k - 1 of them.

    Attributes
    ----------
    children : ndarray of shape (L - 1, 2)
        The nodes that inner node L + i consists of.
    gains, heights, replications, p_values : ndarray of shape (L - 1,)
        See `Split`; heights are square roots of twice the gains, where need be lowered to the
        height of the parent.
    leaves : ndarray of shape (m,)
        The leaf of each row.
    n_clusters : int
        The number of clusters of the answer.
    views : Views
        The space in which rows are points.
    centres : ndarray of shape (2 L - 1, r)
        The mean point of each node.
    profiles : ndarray of shape (L, n)
        The mean of each leaf in the matrix less its margins.
    replication : Replication or None
        How the number of clusters was found; None if it was given.
    """

    children: IntArray
    gains: FloatArray
    heights: FloatArray
    replications: FloatArray
    p_values: FloatArray
    leaves: IntArray
    n_clusters: int
    views: Views
    centres: FloatArray
    profiles: FloatArray
    replication: Replication | None

    @property
    def n_leaves(self) -> int:
        """The largest number of clusters."""
        return int(self.children.shape[0]) + 1

    @property
    def replicates(self) -> bool:
        """Whether several clusters were found, and clearly replicate."""
        found = self.replication is not None and self.replication.is_clear
        return found and self.n_clusters > 1

    def taken(self, rows: IntArray, columns: IntArray) -> Tree:
        """Return the tree of a matrix with its rows and columns in another order.

        It does not keep the views of halves, which are large and have served their purpose.
        """
        replication = self.replication
        if replication is not None:
            compared = np.sort(np.argsort(rows)[replication.rows])
            replication = replace(replication, halves=(), rows=compared)
        return replace(
            self,
            leaves=self.leaves[rows],
            views=self.views.taken(rows, columns),
            profiles=self.profiles[:, columns],
            replication=replication,
        )

    @cached_property
    def sizes(self) -> IntArray:
        """The number of rows of each node."""
        sizes = np.zeros(2 * self.n_leaves - 1, np.intp)
        sizes[: self.n_leaves] = np.bincount(self.leaves, minlength=self.n_leaves)
        for i, (lower, upper) in enumerate(self.children):
            sizes[self.n_leaves + i] = sizes[lower] + sizes[upper]
        return sizes

    @cached_property
    def _leaves_of(self) -> list[IntArray]:
        """The leaves of each node, from left to right."""
        result = [np.array([leaf]) for leaf in range(self.n_leaves)]
        for lower, upper in self.children:
            result.append(np.concatenate([result[lower], result[upper]]))
        return result

    def leaves_of(self, node: int) -> IntArray:
        """Return the leaves of a node, from left to right."""
        return self._leaves_of[node]

    def nodes_at(self, n_clusters: int) -> list[int]:
        """Return the nodes that are clusters in a partition, from left to right."""
        first = 2 * self.n_leaves - n_clusters  # this node and later ones are undone
        nodes = [2 * self.n_leaves - 2]
        while any(node >= first for node in nodes):
            nodes = [
                part
                for node in nodes
                for part in (self.children[node - self.n_leaves] if node >= first else [node])
            ]
        return [int(node) for node in nodes]

    def leaf_clusters(self, n_clusters: int) -> IntArray:
        """Return the cluster of each leaf in a partition; clusters are numbered left to right."""
        labels = np.empty(self.n_leaves, np.intp)
        for number, node in enumerate(self.nodes_at(n_clusters)):
            labels[self.leaves_of(node)] = number
        return labels

    def cut(self, n_clusters: int | None = None) -> IntArray:
        """Return the labels of a partition into so many clusters; by default the answer."""
        return self.leaf_clusters(n_clusters or self.n_clusters)[self.leaves]

    def split(self, node: int) -> Split:
        """Return what is known of an inner node."""
        i = node - self.n_leaves
        lower, upper = (int(child) for child in self.children[i])
        return Split(
            node,
            (lower, upper),
            (int(self.sizes[lower]), int(self.sizes[upper])),
            float(self.gains[i]),
            float(self.replications[i]),
            float(self.p_values[i]),
            in_answer=node > 2 * self.n_leaves - 1 - self.n_clusters,
        )

    @property
    def splits(self) -> list[Split]:
        """All inner nodes, from the root."""
        return [self.split(node) for node in range(2 * self.n_leaves - 2, self.n_leaves - 1, -1)]

    def kinds(self, n_clusters: int) -> tuple[str, ...]:
        """Return what each cluster of a partition is, as the split above it says.

        ``"groups"`` or ``"gradient"``, from left to right; nothing of a single cluster.
        """
        first = 2 * self.n_leaves - n_clusters
        splits = [self.split(node) for node in range(first, 2 * self.n_leaves - 1)]
        above = {child: split.kind for split in splits for child in split.children}
        return tuple(above[node] for node in self.nodes_at(n_clusters)) if splits else ()

    @property
    def parents(self) -> IntArray:
        """The node that each node but the root is part of; -1 for the root."""
        parents = np.full(2 * self.n_leaves - 1, -1)
        parents[self.children.ravel()] = np.repeat(np.arange(self.n_leaves, parents.size), 2)
        return parents

    def between_siblings(self) -> FloatArray:
        """Return where each row lies between its leaf and the sibling of its leaf.

        In ascending order, rows of neighbouring leaves that are alike are neighbours.
        """
        points = self.points
        if self.n_leaves == 1:
            return points[:, 0] if points.shape[1] else np.zeros(points.shape[0])
        parents, places = self.parents, np.empty(self.leaves.size)
        for leaf in range(self.n_leaves):
            rows = np.flatnonzero(self.leaves == leaf)
            places[rows] = self.scores(int(parents[leaf]), points[rows])
        return places

    @property
    def pieces(self) -> IntArray:
        """The place of the leaf of each row, from left to right."""
        places = np.empty(self.n_leaves, np.intp)
        places[self.leaves_of(2 * self.n_leaves - 2)] = np.arange(self.n_leaves)
        return places[self.leaves]

    def drivers(self, node: int) -> FloatArray:
        """Return how much each column is higher on the upper side of a split than on the lower."""
        lower, upper = (self.profile(int(child)) for child in self.children[node - self.n_leaves])
        return upper - lower

    def profile(self, node: int) -> FloatArray:
        """Return the mean of a node in the matrix less its margins."""
        leaves = self.leaves_of(node)
        return np.asarray(np.average(self.profiles[leaves], axis=0, weights=self.sizes[leaves]))

    def scores(self, node: int, points: FloatArray | None = None) -> FloatArray:
        """Return where points lie between the sides of a split: -1 and 1 are the means of these."""
        points = self.points if points is None else points
        lower, upper = self.centres[self.children[node - self.n_leaves]]
        direction = (upper - lower) / 2
        return np.asarray((points - (lower + upper) / 2) @ direction / (direction @ direction))

    @property
    def points(self) -> FloatArray:
        """The rows as points."""
        return self.views.points(self.centres.shape[1])

    def points_of(self, matrix: Matrix) -> FloatArray:
        """Return other rows as points."""
        return self.views.place(self.views.score(matrix, self.centres.shape[1]))

    def place(self, points: FloatArray) -> IntArray:
        """Return the leaf of each point: the nearest cluster of the answer, then side by side."""
        clusters = np.array(self.nodes_at(self.n_clusters))
        nodes = clusters[distances(points, self.centres[clusters]).argmin(axis=1)]
        while (nodes >= self.n_leaves).any():
            for node in np.unique(nodes[nodes >= self.n_leaves]):
                here = np.flatnonzero(nodes == node)
                nodes[here] = self.children[
                    node - self.n_leaves, (self.scores(int(node), points[here]) > 0).astype(int)
                ]
        return np.asarray(nodes)

    def confidence(self, points: FloatArray, n_clusters: int | None = None) -> FloatArray:
        """Return the probability of each cluster of a partition, by default the answer's.

        As if clusters were Gaussian with one variance, the same in all directions.
        """
        clusters = np.array(self.nodes_at(n_clusters or self.n_clusters))
        fitted = self.points
        scatter = float(((fitted - self.centres[clusters][self.cut(n_clusters)]) ** 2).sum())
        if scatter <= rounding(fitted):
            nearest = distances(points, self.centres[clusters]).argmin(axis=1)
            return np.asarray(np.eye(clusters.size)[nearest])
        shares = np.log(np.maximum(self.sizes[clusters], 0.5) / self.leaves.size)
        chances = shares - distances(points, self.centres[clusters]) * fitted.size / (2 * scatter)
        chances = np.exp(chances - chances.max(axis=1, keepdims=True))
        return np.asarray(chances / chances.sum(axis=1, keepdims=True))


def distances(points: FloatArray, centres: FloatArray) -> FloatArray:
    """Return squared distances, up to the squared length of each point."""
    return np.asarray((centres * centres).sum(axis=1) - 2.0 * (points @ centres.T))
