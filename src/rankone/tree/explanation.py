"""What drives the splits of a tree, as data and in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from rankone.tree.tree import Split, Tree
from rankone.typing import FloatArray
from rankone.wording import count, shown

__all__ = ["Driver", "SplitExplanation", "TreeExplanation", "kinds_in_words"]


@dataclass(frozen=True)
class Driver:
    """A column that tells the sides of a split apart.

    Attributes
    ----------
    name : str
    index : int
        The number of the column.
    difference : float
        By how much it is higher on the upper side than on the lower, relative to the margins of the
        matrix.
    share : float
        Its share of the squared differences of all columns.
    """

    name: str
    index: int
    difference: float
    share: float


@dataclass(frozen=True)
class SplitExplanation:
    """What tells the two sides of a split apart.

    Attributes
    ----------
    split : Split
        The sizes of its sides, its gain, its replication and its p-value.
    lower, upper : tuple of Driver
        The columns that are higher on the lower side than on the upper, and the other way round;
        the largest differences first.
    axis : {"rows", "columns"}
        What is split.
    """

    split: Split
    lower: tuple[Driver, ...]
    upper: tuple[Driver, ...]
    axis: str

    @classmethod
    def of(cls, tree: Tree, node: int, names: Sequence[str], n: int, axis: str) -> SplitExplanation:
        """Explain a split by the n columns of each side whose differences are largest."""
        differences = tree.drivers(node)
        lower, upper = (_leading(sign * differences, sign, names, n) for sign in (-1.0, 1.0))
        return cls(tree.split(node), lower, upper, axis)

    def words(self, side: int) -> str:
        """Return the columns that are higher on a side: the lower one (0) or the upper one (1)."""
        sides = (self.lower, self.upper)
        if sides[side]:
            return _listed(sides[side])
        return f"less of {_listed(sides[1 - side])}" if sides[1 - side] else "no difference"

    @property
    def quality(self) -> str:
        """What the sides are, in words."""
        kind = "groups" if self.split.kind == "groups" else "sections of a gradient"
        p = self.split.p_value
        rounded = "p < 0.001" if p < 0.001 else f"p = {p:.3f}"
        return f"{kind} ({rounded}, replication {self.split.replication:.2f})"

    def __str__(self) -> str:
        """Put the split into words."""
        sizes = self.split.sizes
        lines = [f"node {self.split.node}: {count(sum(sizes), self.axis[:-1])}, {self.quality}"]
        for side, child in enumerate(self.split.children):
            size = count(sizes[side], self.axis[:-1])
            lines.append(f"  node {child}, {size}: {self.words(side)}")
        return "\n".join(lines)


@dataclass(frozen=True)
class TreeExplanation:
    """What tells the clusters of a tree apart, from its root down to a number of clusters.

    Attributes
    ----------
    splits : dict of int to SplitExplanation
        The splits above these clusters, by their nodes, from the root down.
    clusters : tuple of int
        The nodes of the clusters, from left to right: the i-th one has label i.
    sizes : tuple of int
        The sizes of the clusters.
    kinds : tuple of str
        What each cluster is, as the split above it says: ``"groups"`` or ``"gradient"``.
    axis : {"rows", "columns"}
        What is clustered.
    """

    splits: dict[int, SplitExplanation]
    clusters: tuple[int, ...]
    sizes: tuple[int, ...]
    kinds: tuple[str, ...]
    axis: str

    @classmethod
    def of(
        cls, tree: Tree, names: Sequence[str], n: int, n_clusters: int, axis: str
    ) -> TreeExplanation:
        """Explain the splits of a tree down to a number of clusters."""
        root = 2 * tree.n_leaves - 2
        clusters = tuple(tree.nodes_at(n_clusters))
        return cls(
            {
                node: SplitExplanation.of(tree, node, names, n, axis)
                for node in range(root, root - n_clusters + 1, -1)
            },
            clusters,
            tuple(int(tree.sizes[node]) for node in clusters),
            tree.kinds(n_clusters),
            axis,
        )

    @property
    def summary(self) -> str:
        """The number of clusters, and what they are."""
        number = count(len(self.clusters), "cluster")
        return f"{number}: {kinds_in_words(self.kinds) or f'the {self.axis} are not divided'}."

    def __str__(self) -> str:
        """Draw the tree as indented text, with the columns that tell the sides apart."""
        root = max(self.splits, default=self.clusters[0])
        return "\n".join([*self._lines(root, "", "", ""), "", self.summary])

    def _lines(self, node: int, words: str, branch: str, indent: str) -> Iterator[str]:
        """Yield the lines of a node, and of what is below it."""
        names = f": {words}" if words else ""
        if node not in self.splits:
            label = self.clusters.index(node)
            size = count(self.sizes[label], self.axis[:-1])
            yield f"{branch}cluster {label}, {size}{names}"
            return
        explained = self.splits[node]
        size = count(sum(explained.split.sizes), self.axis[:-1])
        yield f"{branch}{size}{names} | {explained.quality}"
        for side, child in enumerate(explained.split.children):
            fork, below = (("├─ ", "│  "), ("└─ ", "   "))[side]
            yield from self._lines(child, explained.words(side), indent + fork, indent + below)


def kinds_in_words(kinds: Sequence[str]) -> str:
    """Say how many clusters are groups, and how many sections of a gradient.

    Examples
    --------
    >>> kinds_in_words(["groups", "groups"]), kinds_in_words(["gradient", "groups", "gradient"])
    ('all are groups', '1 is a group, 2 are sections of a gradient')
    """
    groups = list(kinds).count("groups")
    sections = len(kinds) - groups
    if not kinds:
        return ""
    if not sections:
        return "all are groups"
    if not groups:
        return "all are sections of a gradient"
    first = "1 is a group" if groups == 1 else f"{groups} are groups"
    second = "1 is a section" if sections == 1 else f"{sections} are sections"
    return f"{first}, {second} of a gradient"


def _leading(values: FloatArray, sign: float, names: Sequence[str], n: int) -> tuple[Driver, ...]:
    """Return the columns with the n largest values, if these are positive."""
    if not names:
        return ()
    total = float(values @ values)
    order = np.argsort(-values, kind="stable")[:n]
    return tuple(
        Driver(names[j], int(j), sign * float(values[j]), float(values[j] ** 2) / total)
        for j in order
        if values[j] > 0.0
    )


def _listed(drivers: Sequence[Driver]) -> str:
    """Return the names of columns, separated by commas."""
    return ", ".join(shown(driver.name, 30) for driver in drivers)
