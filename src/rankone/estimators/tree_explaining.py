"""What a fitted tree says of itself: its splits in words, and its nodes as SciPy has them."""

from __future__ import annotations

import numpy as np
from sklearn.utils.validation import check_is_fitted

from rankone.checks import briefly, check_whole
from rankone.errors import InputError, Setting
from rankone.estimators.tree_placing import TreePlacingMixin
from rankone.tree.explanation import SplitExplanation, TreeExplanation
from rankone.typing import FloatArray, IntArray

__all__ = ["TreeExplainingMixin"]


class TreeExplainingMixin(TreePlacingMixin):
    """What drives the splits of a tree, and how many clusters it has, in words.

    Attributes
    ----------
    children_, heights_ : ndarray
    """

    children_: IntArray
    heights_: FloatArray

    def explain(
        self, node: int | None = None, n: int = 5, *, n_clusters: int | None = None
    ) -> SplitExplanation | TreeExplanation:
        """Say what drives a split, or each split of the tree.

        Parameters
        ----------
        node : int, optional
            An inner node, L to 2 L - 2; by default, the tree is explained from its root down to its
            clusters.
        n : int
            The number of columns that are named for each side.
        n_clusters : int, optional
            How far the tree is explained; by default ``n_clusters_``.

        Returns
        -------
        SplitExplanation or TreeExplanation
            ``str`` puts either into words.
        """
        check_is_fitted(self)
        check_whole(n, "n")
        names = self._names_of_other_side()
        if node is None:
            number = self._check_cut(n_clusters)
            return TreeExplanation.of(self.tree_, names, n, number, self.axis)
        first, last = self.n_leaves_, 2 * self.n_leaves_ - 2
        if self.n_leaves_ == 1 or not first <= check_whole(node, "node", 0) <= last:
            raise InputError(
                "{node} must be {allowed}, but it is {value}",
                node=Setting("node"),
                allowed=f"a split, {first} to {last}"
                if first > 1
                else "None in a tree of one leaf",
                value=briefly(node),
            )
        return SplitExplanation.of(self.tree_, int(node), names, n, self.axis)

    def summary(self) -> str:
        """Return the number of clusters, and what they are, in one sentence."""
        check_is_fitted(self)
        return TreeExplanation.of(self.tree_, (), 1, self.n_clusters_, self.axis).summary

    def _names_of_other_side(self) -> list[str]:
        """Return the names of what drives splits; their numbers if they have none."""
        attribute = "feature_names_in_" if self.axis == "rows" else "row_names_in_"
        names = getattr(self, attribute, None)
        size = self.tree_.profiles.shape[1]
        return [str(name) for name in (range(size) if names is None else names)]

    def linkage_matrix(self) -> FloatArray:
        """Return the tree as SciPy's hierarchies are, for its ``dendrogram`` and ``fcluster``.

        Returns
        -------
        ndarray of shape (L - 1, 4)
            For each inner node its two parts, its height and its number of leaves. Equal heights
            are told apart in their last digit, so that ``fcluster`` can cut between them.
        """
        check_is_fitted(self)
        heights = self.heights_.copy()
        for i in range(heights.size - 2, -1, -1):
            heights[i] = min(heights[i], np.nextafter(heights[i + 1], -np.inf))
        counts = [self.tree_.leaves_of(self.n_leaves_ + i).size for i in range(heights.size)]
        return np.column_stack([self.children_, heights, counts]).astype(np.float64)
