"""What a fitted tree says of rows: the clusters of its cuts, their probabilities, and scores."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from rankone.checks import check_whole
from rankone.errors import InputError, Setting
from rankone.estimators.jobs import with_jobs
from rankone.estimators.reading import read_columns, read_rows, refuse_negative
from rankone.estimators.scoring import predicted_by_tree
from rankone.matrix import Matrix
from rankone.tree import Tree
from rankone.typing import FloatArray, IntArray

__all__ = ["TreePlacingMixin"]


class TreePlacingMixin(ClassNamePrefixFeaturesOutMixin, TransformerMixin):  # type: ignore[misc]
    """Clusters of fitted and of new rows, in any number that the tree can be cut into.

    Attributes
    ----------
    axis : {"rows", "columns"}
    tree_ : Tree
    n_clusters_, n_leaves_ : int
    """

    axis: str
    tree_: Tree
    n_clusters_: int
    n_leaves_: int

    @property
    def _n_features_out(self) -> int:
        """The number of views that `transform` returns."""
        return int(self.tree_.centres.shape[1])

    def _read(self, X: Any) -> Matrix:
        """Return new rows, or new columns, as rows of a matrix."""
        check_is_fitted(self)
        columns = self.axis == "columns"
        read = (
            read_columns(self, X, self.tree_.profiles.shape[1]) if columns else read_rows(self, X)
        )
        if self.tree_.views.margins.relative:
            refuse_negative(read.matrix, "no entry of the fitted matrix is negative")
        return read.matrix.T if columns else read.matrix

    def _leaves(self, X: Any) -> IntArray:
        """Return the leaves of rows."""
        return self.tree_.place(self.tree_.points_of(self._read(X)))

    def _check_cut(self, n_clusters: int | None) -> int:
        """Return a number of clusters into which the tree can be cut; by default its own."""
        if n_clusters is None:
            return self.n_clusters_
        number = check_whole(n_clusters, "n_clusters")
        if number > self.n_leaves_:
            raise InputError(
                "{n_clusters} is {number}, but the tree has {leaves}",
                "fit again with {more}, if there is more to divide",
                n_clusters=Setting("n_clusters"),
                number=number,
                leaves="1 leaf" if self.n_leaves_ == 1 else f"{self.n_leaves_} leaves",
                more=Setting("max_clusters", number),
            )
        return number

    def cut(self, n_clusters: int | None = None) -> IntArray:
        """Cut the tree into clusters of the fitted rows.

        Parameters
        ----------
        n_clusters : int, optional
            Their number, at most ``n_leaves_``; by default ``n_clusters_``.

        Returns
        -------
        ndarray of shape (m,)
            The cluster of each row. Clusters of a larger number divide those of a smaller one.
        """
        check_is_fitted(self)
        return self.tree_.cut(self._check_cut(n_clusters))

    @with_jobs
    def predict(self, X: Any, n_clusters: int | None = None) -> IntArray:
        """Place rows in clusters of the tree.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (m, n)
            Rows with the columns of the fitted matrix; if columns were clustered, columns with its
            rows.
        n_clusters : int, optional
            The number of clusters into which the tree is cut; by default ``n_clusters_``.

        Returns
        -------
        ndarray of shape (m,)
            The fitted rows are placed in their own clusters: ``labels_``, or those of `cut`.
        """
        check_is_fitted(self)
        number = self._check_cut(n_clusters)
        return self.tree_.leaf_clusters(number)[self._leaves(X)]

    @with_jobs
    def predict_proba(self, X: Any, n_clusters: int | None = None) -> FloatArray:
        """Return the probability of each cluster for each row.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (m, n)
            See `predict`.
        n_clusters : int, optional
            The number of clusters into which the tree is cut; by default ``n_clusters_``.

        Returns
        -------
        ndarray of shape (m, number of clusters)
            As if clusters were Gaussian with equal variances in the space of the views. Frequent
            clusters are more probable, so that `predict`, which takes the nearest one, may differ
            at a border.
        """
        check_is_fitted(self)
        number = self._check_cut(n_clusters)
        return self.tree_.confidence(self.tree_.points_of(self._read(X)), number)

    @with_jobs
    def score(self, X: Any, y: None = None) -> float:
        """Return how much of the entries of rows the clusters predict from other entries.

        The columns are divided at random into halves, always in the same way. Rows are placed by
        either half, and the means of their clusters predict the other one; where zero means
        absence, logarithms are predicted, relative to margins.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (m, n)
            See `predict`.
        y : None
            Ignored.

        Returns
        -------
        float
            One, if all entries are predicted exactly; zero, if they are predicted no better than
            without clusters; it can be negative.
        """
        check_is_fitted(self)
        return predicted_by_tree(self.tree_, self._read(X))

    @with_jobs
    def transform(self, X: Any) -> FloatArray:
        """Return the scores of rows in each view.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (m, n)
            See `predict`.

        Returns
        -------
        ndarray of shape (m, number of views)
        """
        matrix, views = self._read(X), self.tree_.views
        return views.margins.scale * views.score(matrix, self._n_features_out)

    def decision_path(self, X: Any) -> sp.csr_matrix:
        """Return the nodes that each row belongs to, from the root to its leaf.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (m, n)
            See `predict`.

        Returns
        -------
        sparse matrix of shape (m, 2 L - 1)
            One where a row belongs to a node, in CSR format; see ``children_``.
        """
        leaves = self._leaves(X)
        indicator = np.zeros((self.n_leaves_, 2 * self.n_leaves_ - 1), np.int64)
        for node in range(indicator.shape[1]):
            indicator[self.tree_.leaves_of(node), node] = 1
        return sp.csr_matrix(sp.csr_matrix(indicator)[leaves])
