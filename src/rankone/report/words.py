"""What sets clusters apart, and what drives the splits of a tree, for all that a page can show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rankone._arithmetic import ratio
from rankone.contrasts import Contrasts, SideExplanation
from rankone.matrix import Matrix
from rankone.report.walks import Walk
from rankone.tree import Tree
from rankone.tree.explanation import SplitExplanation
from rankone.typing import FloatArray, IntArray

__all__ = ["Words", "tree_header"]

#: The number of columns that are named as high, and as low, in a cluster, and at a split.
IN_CLUSTERS, AT_SPLITS = 8, 4

#: The number of columns that are named in a sentence.
IN_SENTENCES = 4


@dataclass(frozen=True, eq=False)
class Words:
    """What sets the clusters of one side apart, at every stop of its walk.

    Attributes
    ----------
    walk : Walk
    contrasts : Contrasts
        Of the pieces.
    sums, counts : ndarray of shape (pieces, n)
        The sums and the numbers of the original entries of the pieces.
    """

    walk: Walk
    contrasts: Contrasts
    sums: FloatArray
    counts: FloatArray

    @classmethod
    def of(cls, walk: Walk, matrix: Matrix, original: Matrix | None = None) -> Words:
        """Compare the pieces of the rows of a matrix; means are those of the original matrix."""
        number = int(walk.pieces.max()) + 1
        contrasts = Contrasts.of(matrix, walk.pieces, number)
        readable = matrix if original is None else original
        sums = readable.group_rows(walk.pieces, number, np.ones(walk.pieces.size)).T
        return cls(walk, contrasts, sums, contrasts.counts)

    def sentences(self, names: Sequence[str], thing: str) -> SideExplanation:
        """Put the clusters of the answer into words."""
        return self._at_answer().explain(names, IN_SENTENCES, thing)

    def _at_answer(self) -> Contrasts:
        clusters = self.walk.answer.clusters
        return self.contrasts.merged(
            [np.flatnonzero(clusters == label) for label in range(self.walk.chosen)]
        )

    def prominence(self) -> npt.NDArray[np.uint8]:
        """Return how much each column differs between the pieces, as ranks from 1 to 255."""
        sizes = np.maximum(self.contrasts.sizes, 1)[:, None]
        norms = np.linalg.norm(self.contrasts.residuals / np.sqrt(sizes), axis=0)
        ranks = np.empty(norms.size)
        ranks[np.argsort(norms, kind="stable")] = np.linspace(1, 255, norms.size)
        return ranks.astype(np.uint8)

    def places_of_columns(self) -> FloatArray:
        """Return an order of the columns by the cluster in which they stand out most."""
        strengths = self._at_answer().strengths
        if strengths.shape[0] == 1:
            return np.arange(strengths.shape[1], dtype=np.float64)
        peaks = strengths.argmax(axis=0)
        order = np.lexsort((-strengths.max(axis=0), peaks))
        places = np.empty(order.size)
        places[order] = np.arange(order.size)
        return places

    def header(self) -> dict[str, dict[str, list[list[float]]]]:
        """Return, for each cluster, the columns that are high and low.

        Of each column its index, its effect, and its means in the cluster and in all rows.
        """
        unions = self.walk.unions()
        merged = self.contrasts.merged(list(unions.values()))
        overall = ratio(self.sums.sum(axis=0), self.counts.sum(axis=0))
        words = {}
        for group, (name, pieces) in enumerate(unions.items()):
            means = ratio(self.sums[pieces].sum(axis=0), self.counts[pieces].sum(axis=0))
            table = np.column_stack([merged.effects[group], means, overall])
            high, low = (_rounded(table, js) for js in merged.leading(group, IN_CLUSTERS))
            words[name] = {"high": high, "low": low}
        return words


def _rounded(table: FloatArray, rows: IntArray) -> list[list[float]]:
    """Return rows of a table with their indices, to four digits."""
    return [[int(j), *(float(f"{x:.4g}") for x in table[j])] for j in rows]


def tree_header(tree: Tree, names: Sequence[str]) -> dict[str, Any]:
    """Return the tree as the page draws it, and what drives its splits."""
    points = tree.points
    scatter = float(((points - points.mean(axis=0)) ** 2).sum()) or 1.0
    splits = []
    for split in reversed(tree.splits):
        explained = SplitExplanation.of(tree, split.node, names, AT_SPLITS, "rows")
        sides = explained.lower, explained.upper
        splits.append(
            {
                "words": [[driver.index for driver in side] for side in sides],
                "gain": split.gain / scatter,
                "quality": explained.quality,
            }
        )
    return {
        "children": tree.children.tolist(),
        "heights": tree.heights.tolist(),
        "sizes": tree.sizes.tolist(),
        "splits": splits,
    }
