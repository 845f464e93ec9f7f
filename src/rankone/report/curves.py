"""The curves by which numbers of clusters are chosen."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rankone.refinement.model import BlockModel
from rankone.selection import Choice
from rankone.tree import Tree
from rankone.typing import FloatArray, IntArray

__all__ = ["Curve", "block_curve", "choice_curve", "replication_curve"]


@dataclass(frozen=True, eq=False)
class Curve:
    """The criterion by which a number of clusters was chosen.

    Attributes
    ----------
    name : str
    values : ndarray
        One for each stop; NaN where it is not known.
    threshold : float or None
        The smallest number that reaches it is chosen; if None, the best one is.
    steep : bool
        Whether values far below the best are many times farther than those near it.
    """

    name: str
    values: FloatArray
    threshold: float | None = None
    steep: bool = False


def choice_curve(choice: Choice) -> Curve:
    """Return the criterion of a selection along a path."""
    name = "silhouette" if choice.selection == "silhouette" else f"criterion ({choice.selection})"
    return Curve(name, choice.criterion)


def replication_curve(tree: Tree) -> Curve | None:
    """Return how well each number of clusters replicates; None if the number was given."""
    replication = tree.replication
    if replication is None or not replication.numbers.size:
        return None
    values = np.full(tree.n_leaves, np.nan)
    inside = replication.numbers <= tree.n_leaves
    values[replication.numbers[inside] - 1] = replication.scores[inside]
    return Curve(
        "what replicates in halves of the data",
        values,
        max(replication.threshold, replication.chance),
    )


def block_curve(tree: Tree, model: BlockModel, others: IntArray | None) -> Curve:
    """Return the likelihood of the blocks with each number of clusters of the rows.

    Those of the columns are given; None if rows and columns have one partition.
    """
    values = []
    if others is not None:
        sums = model.row_sums(others, int(others.max()) + 1).grouped(tree.leaves, tree.n_leaves)
    for k in range(1, tree.n_leaves + 1):
        labels = tree.cut(k)
        if others is None:
            values.append(model.state(labels, labels).criterion)
        else:
            blocks = sums.grouped(tree.leaf_clusters(k), k)
            values.append(model.criterion(labels, others, blocks))
    return Curve(
        "how well blocks explain the entries, less a price for their number",
        np.array(values),
        steep=True,
    )
