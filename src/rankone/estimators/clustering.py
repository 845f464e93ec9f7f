"""Clusters of rows."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Any

from sklearn.base import ClusterMixin
from sklearn.utils.validation import check_is_fitted

from rankone.cuts import Cut, SortedPottsPath
from rankone.estimators.base import RankOneBase
from rankone.preparation import Prepare
from rankone.result import Request, Result, tree_of
from rankone.tree import Tree
from rankone.vectors import VectorMethod


class RankOneClustering(ClusterMixin, RankOneBase):  # type: ignore[misc]
    """Clusters of the rows of a matrix, from one score for each.

    The same method as `RankOneCoclustering`, of which only the clusters of rows are kept.

    Parameters
    ----------
    n_clusters : int, optional
        The number of clusters, if it is known; selected by default.
    vectors, cut, selection, refine, loss, max_clusters, min_cluster_size, missing, prepare, \
random_state, n_jobs, checkpoint, verbose
        See `RankOneCoclustering`.

    Attributes
    ----------
    labels_ : ndarray of shape (m,)
        The cluster of each row, numbered from 0, from left to right in ``tree_``; without
        refinement by mean score.
    n_clusters_ : int
        The number of clusters.
    vector_ : ndarray of shape (m,)
        The scores.
    partition_ : Partition
        The cut of the scores, before refinement.
    path_ : SortedPottsPath
        The best partitions of the scores into all numbers of clusters.
    selection_ : Choice or None
        How the number of clusters was selected before refinement, with the criterion's curve.
    tree_ : Tree
        Nested partitions into every number of clusters, through ``labels_``; not without
        refinement.
    confidence_ : ndarray of shape (m,)
        The probability of each label.
    result_, prepare_, matrix_, loss_, criterion_, n_iter_, converged_
        See `RankOneCoclustering`.
    n_features_in_, feature_names_in_, row_names_in_
        See `RankOneCoclustering`.

    See Also
    --------
    RankOneCoclustering : Clusters of rows and of columns.

    Examples
    --------
    >>> from rankone import RankOneClustering
    >>> RankOneClustering().fit([[1, 2], [1, 2], [8, 9], [8, 9]]).labels_
    array([0, 0, 1, 1])
    """

    def __init__(
        self,
        n_clusters: int | None = None,
        *,
        vectors: str | VectorMethod = "auto",
        cut: str | Cut = "sorted-potts",
        selection: str = "noise",
        refine: bool = True,
        loss: str = "auto",
        max_clusters: int = 20,
        min_cluster_size: int = 1,
        missing: str = "nan",
        prepare: Prepare | None = None,
        random_state: Any = 0,
        n_jobs: int | None = None,
        checkpoint: str | os.PathLike[str] | None = None,
        verbose: bool = False,
    ) -> None:
        self.n_clusters = n_clusters
        self.vectors = vectors
        self.cut = cut
        self.selection = selection
        self.refine = refine
        self.loss = loss
        self.max_clusters = max_clusters
        self.min_cluster_size = min_cluster_size
        self.missing = missing
        self.prepare = prepare
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.checkpoint = checkpoint
        self.verbose = verbose

    def _requests(self) -> tuple[Request, Request]:
        rows = Request.of(
            "rows", self.vectors, self.cut, self.n_clusters, "n_clusters", self.max_clusters
        )
        columns = Request.of(
            "columns", "auto", "sorted-potts", None, "n_clusters", self.max_clusters, discarded=True
        )
        return rows, replace(columns, method=rows.method)

    def _publish(self, result: Result) -> None:
        super()._publish(result)
        rows = result.rows
        self.vector_, self.partition_ = rows.scores.values, rows.partition
        self.selection_, self.n_clusters_ = rows.selection, rows.n_clusters

    @property
    def tree_(self) -> Tree:
        """Nested partitions into every number of clusters."""
        check_is_fitted(self)
        return tree_of(self.result_.rows)

    @property
    def path_(self) -> SortedPottsPath:
        """The best partitions of the scores."""
        check_is_fitted(self)
        return self.result_.rows.path
