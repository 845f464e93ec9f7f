"""What the slider of a side walks: the exact path of its scores, or the tree through its clusters.

A walk has one stop for each number of clusters, from one.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rankone.cuts import SortedPottsPath
from rankone.result import Side
from rankone.selection import Choice, silhouette_path
from rankone.tree import Tree
from rankone.tree.explanation import kinds_in_words
from rankone.typing import FloatArray, IntArray

__all__ = ["PathWalk", "TreeWalk", "Walk", "walk_of"]

#: Where clusters come from whose number was not given, by the method of the result.
REASONS = {
    "tree": "chosen: as many as replicate",
    "blocks": "chosen: those of the best blocks",
    "cut": "chosen: those of the scores",
}


class Walk(ABC):
    """The partitions of one side that the slider shows."""

    @abstractmethod
    def pieces(self) -> IntArray:
        """Return a number for each row; rows with the same number are together at every stop."""

    @abstractmethod
    def header(self) -> dict[str, Any]:
        """Return the stops, and what the page says of them."""

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return what the stops need to know of each row, by name."""
        return {}


@dataclass(frozen=True, eq=False)
class PathWalk(Walk):
    """The exact path of the scores. The fitted labels, which need not be on it, come first.

    Attributes
    ----------
    scores : ndarray of shape (n,)
    path : SortedPottsPath
    choice : Choice or None
        How the number of clusters was selected on the path; None if it was given.
    """

    scores: FloatArray
    path: SortedPottsPath
    choice: Choice | None

    def pieces(self) -> IntArray:
        """Return the interval of each score between all cuts of the path."""
        cuts = np.unique(np.concatenate(self.path.starts()))
        return np.searchsorted(cuts, self.scores, side="right")

    def header(self) -> dict[str, Any]:
        """Return the cuts, as positions among the ascending scores, and their penalties."""
        path, choice = self.path, self.choice
        if choice is not None:
            criterion = choice.criterion
        else:
            criterion = np.full(len(path), np.nan) if len(path) < 2 else silhouette_path(path)
        ascending = np.sort(self.scores)
        return {
            "walk": "along the exact path",
            "stops": [
                {
                    "lam": [_finite(x) for x in interval],
                    "criterion": _finite(value),
                    "breaks": np.searchsorted(ascending, starts).tolist(),
                }
                for interval, starts, value in zip(
                    path.intervals, path.starts(), criterion, strict=True
                )
            ],
            "chosen": 0 if choice is None else choice.n_clusters,
            "criterion_name": "silhouette" if choice is None else f"criterion ({choice.selection})",
        }


@dataclass(frozen=True, eq=False)
class TreeWalk(Walk):
    """The partitions of the tree; the fitted labels are one of them.

    Attributes
    ----------
    tree : Tree
    method : {"tree", "blocks", "cut"}
        Where the fitted labels come from.
    given : bool
        Whether the number of clusters was given.
    """

    tree: Tree
    method: str
    given: bool

    def pieces(self) -> IntArray:
        """Return the leaf of each row."""
        return self.tree.leaves

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return the leaf of each row."""
        return {"leaves": self.tree.leaves.astype(np.uint16)}

    def header(self) -> dict[str, Any]:
        """Return the cluster of each leaf at each stop, and how well each number replicates."""
        tree, scores = self.tree, {}
        if tree.replication is not None and not self.given:
            numbers = tree.replication.numbers.tolist()
            scores = dict(zip(numbers, tree.replication.scores.tolist(), strict=True))
        return {
            "walk": "along the tree",
            "stops": [
                {
                    "criterion": scores.get(k),
                    "clusters": tree.leaf_clusters(k).tolist(),
                    "kinds": kinds_in_words(tree.kinds(k)),
                }
                for k in range(1, tree.n_leaves + 1)
            ],
            "chosen": tree.n_clusters,
            "reason": "as given" if self.given else REASONS[self.method],
            "criterion_name": "replicated information",
        }


def walk_of(side: Side, method: str) -> Walk:
    """Return the walk through the clusters of a side; ``method`` is that of the result."""
    if side.tree is None:
        return PathWalk(side.scores.values, side.path, side.selection)
    return TreeWalk(side.tree, method, side.request.n_clusters is not None)


def _finite(x: float) -> float | None:
    return float(x) if math.isfinite(x) else None
