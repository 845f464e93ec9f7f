"""Clusters of rows and of columns."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Any

from sklearn.base import ClusterMixin
from sklearn.utils.validation import check_is_fitted

from rankone.cuts import Cut, SortedPottsPath
from rankone.errors import InputError, Setting
from rankone.estimators.base import RankOneBase
from rankone.estimators.blocks import BlocksMixin
from rankone.preparation import Prepare
from rankone.result import Request, Result, tree_of
from rankone.tree import Tree
from rankone.vectors import VectorMethod


class RankOneCoclustering(BlocksMixin, ClusterMixin, RankOneBase):  # type: ignore[misc]
    """Clusters of rows and of columns, from one vector per side.

    Step 1 gives a score to each row and each column (``vectors``), Step 2 cuts the scores into
    clusters (``cut``), whose number is selected from the data (``selection``). By default this is
    only the beginning (``refine``): trees of rank-one splits of rows and columns find as many
    clusters as replicate in halves of the matrix, and where blocks explain the matrix, the best
    blocks are searched for.

    Parameters
    ----------
    n_row_clusters, n_column_clusters : int, optional
        The numbers of clusters, if they are known; selected by default.
    vectors : str or VectorMethod, default="auto"
        Step 1: ``"marginal"``, ``"nmf"``, ``"svd"``, ``"pagerank"``, ``"fiedler"``,
        ``"fiedler-ds"``, ``"ccot"``, ``"ccot-gw"``, or an object of ``rankone.vectors``.
        ``"auto"``: of a matrix without negative entries the rank-one factors (`NMF`); otherwise
        means (`Marginal`), and on a side where these vary no more than noise does, the leading
        singular pair (`SVD`).
    cut : str or Cut, default="sorted-potts"
        Step 2: ``"sorted-potts"``, ``"sign"``, ``"multiscale"``; ``"potts"``, ``"largest-gaps"``
        and ``"quantiles"`` with given numbers; or an object of ``rankone.cuts``. Numbers of
        clusters can be selected for sorted Potts only. `Potts` and `TotalVariation` depend on the
        order of rows and columns.
    row_vectors, column_vectors : str or VectorMethod, optional
        Another Step 1 for one side.
    row_cut, column_cut : str or Cut, optional
        Another Step 2 for one side.
    selection : {"noise", "noise-strict", "silhouette", "silhouette-first"}
        How the number of clusters is chosen where none is given; see `rankone.selection.choose`.
    refine : bool, default=True
        Whether to look beyond the scores. Rows and columns are divided by trees of rank-one splits
        (`RankOneTree`), into as many clusters as replicate. If fine blocks leave nothing but the
        noise of single entries, the best blocks are the answer, where both halves of the matrix
        support them (`rankone.refinement.refine`).
    loss : {"auto", "gaussian", "bernoulli", "poisson"}
        How entries vary around the value of their block, for refinement and imputation: with one
        variance, so that columns in different units are best standardised; as zeros and ones with a
        probability; or as counts relative to their margins, so that rows that differ only in their
        sum are alike (documents of one kind, some longer). By default counts are recognised (whole
        numbers, some zero, that vary at least three quarters as much as their mean), and zeros and
        ones of which more than a quarter are ones; if counts have no blocks relative to their
        margins, but sums that fall into clusters, these are the answer.
    symmetric : bool, default=False
        Whether the i-th row and the i-th column are the same object, as in the matrix of a graph:
        both get one partition. The matrix must be symmetric.
    max_clusters : int, default=20
        The most clusters that are considered; a warning says if that was not enough.
    min_cluster_size : int, default=1
        The minimum number of rows, or columns, of a cluster. Given numbers of clusters are still
        reached, or refused: without refinement, equal scores are never separated.
    missing : {"nan", "absent"}
        Which entries are missing: those that are NaN; or, in a sparse matrix, also those that are
        absent, which otherwise are zeros.
    prepare : Prepare, optional
        What is done to the entries before they are clustered: sizes of rows, logarithms,
        standardised columns or rows; see `rankone.Prepare`. A copy is fitted with the matrix and
        applied to new rows, with ``missing`` as here. Block values are those of the prepared
        matrix; imputed entries are in the original units, and reports show both.
    random_state : int, RandomState or None, default=0
        Seed for the sampling used during refinement. The default is a number, so that equal input
        gives equal output.
    n_jobs : int, optional
        The number of threads; -1 for one per core. By default as many as scikit-learn's own
        estimators use: one per core, unless OMP_NUM_THREADS, threadpoolctl or a process of joblib
        allow fewer. The result does not depend on it.
    checkpoint : path-like, optional
        A file that keeps the results of sweeps over the matrix, so that a fit that was interrupted
        goes on where it was. It is removed at the end of the fit.
    verbose : bool, default=False
        Whether to show the progress, on a terminal or in a notebook, if the fit takes longer than
        two seconds.

    Attributes
    ----------
    row_labels_, column_labels_ : ndarray
        The cluster of each row and each column, numbered from 0, from left to right in the
        trees; without refinement by mean score.
    labels_ : ndarray
        The same as ``row_labels_``.
    n_row_clusters_, n_column_clusters_ : int
        The numbers of clusters.
    row_vector_, column_vector_ : ndarray
        The scores.
    row_partition_, column_partition_ : Partition
        The cut of the scores, before refinement.
    row_tree_, column_tree_ : Tree
        Nested partitions into every number of clusters from 1 to ``max_clusters``, through the
        labels: ``row_tree_.cut(5)`` has five clusters. Not without refinement.
    row_path_, column_path_ : SortedPottsPath
        The best partitions of the scores into all numbers of clusters.
    row_selection_, column_selection_ : Choice or None
        How the number of clusters was selected before refinement, with the criterion's curve.
    rows_, columns_ : ndarray of shape (k l, m) and (k l, n)
        Which rows, and columns, each block has, as in scikit-learn's biclusterings.
    block_values_ : ndarray of shape (k, l)
        The mean of each block; for counts, its rate relative to the margins.
    row_confidence_, column_confidence_ : ndarray
        The probability of each label; ``confidence_`` is that of the rows.
    prepare_ : Prepare or None
        The fitted preparation.
    result_ : Result
        The whole result: both sides (``result_.rows`` and ``result_.columns``, with scores, cut,
        selection, labels and what was asked for), the blocks and their criterion. Its method
        ``describe()`` says how each part was obtained.
    matrix_ : Matrix
        The matrix that was given to `fit`, for reports and pictures; copies of the learner, and
        those that were loaded from files, do not have it.
    loss_ : {"gaussian", "bernoulli", "poisson"}
        How entries vary around the value of their block: as asked for, or recognised.
    criterion_ : float
        The integrated classification likelihood of the blocks, up to a constant.
    n_iter_ : int
        The number of sweeps over the matrix in iterations.
    converged_ : bool
        Whether the vectors converged, and the search for blocks, if there was one.
    n_features_in_, feature_names_in_, row_names_in_
        The number of columns; the names of columns and rows, if X is a frame that has them.

    See Also
    --------
    RankOneClustering : Clusters of rows only.

    Examples
    --------
    >>> from rankone import RankOneCoclustering
    >>> from rankone.datasets import make_paper
    >>> blocks = make_paper("D2", noise=1, missing=0.3, random_state=0)
    >>> model = RankOneCoclustering().fit(blocks.data)
    >>> model.n_row_clusters_, model.n_column_clusters_
    (3, 3)
    """

    def __init__(
        self,
        n_row_clusters: int | None = None,
        n_column_clusters: int | None = None,
        *,
        vectors: str | VectorMethod = "auto",
        cut: str | Cut = "sorted-potts",
        row_vectors: str | VectorMethod | None = None,
        column_vectors: str | VectorMethod | None = None,
        row_cut: str | Cut | None = None,
        column_cut: str | Cut | None = None,
        selection: str = "noise",
        refine: bool = True,
        loss: str = "auto",
        symmetric: bool = False,
        max_clusters: int = 20,
        min_cluster_size: int = 1,
        missing: str = "nan",
        prepare: Prepare | None = None,
        random_state: Any = 0,
        n_jobs: int | None = None,
        checkpoint: str | os.PathLike[str] | None = None,
        verbose: bool = False,
    ) -> None:
        self.n_row_clusters = n_row_clusters
        self.n_column_clusters = n_column_clusters
        self.vectors = vectors
        self.cut = cut
        self.row_vectors = row_vectors
        self.column_vectors = column_vectors
        self.row_cut = row_cut
        self.column_cut = column_cut
        self.selection = selection
        self.refine = refine
        self.loss = loss
        self.symmetric = symmetric
        self.max_clusters = max_clusters
        self.min_cluster_size = min_cluster_size
        self.missing = missing
        self.prepare = prepare
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.checkpoint = checkpoint
        self.verbose = verbose

    def _vectors_of_rows(self) -> Any:
        return _or(self.row_vectors, self.vectors)

    def _requests(self) -> tuple[Request, Request]:
        vectors = self._vectors_of_rows(), _or(self.column_vectors, self.vectors)
        cuts = _or(self.row_cut, self.cut), _or(self.column_cut, self.cut)
        numbers = self.n_row_clusters, self.n_column_clusters
        if self._is_shared():
            one_number = numbers[1] is None or numbers[1] == numbers[0]
            if not one_number or vectors[0] != vectors[1] or cuts[0] != cuts[1]:
                raise InputError(
                    "{symmetric} gives rows and columns one partition",
                    "give {number}, {vectors} and {cut} alone",
                    symmetric=Setting("symmetric", True),
                    number=Setting("n_row_clusters"),
                    vectors=Setting("vectors"),
                    cut=Setting("cut"),
                )
            numbers = numbers[0], numbers[0]
        rows = Request.of(
            "rows", vectors[0], cuts[0], numbers[0], "n_row_clusters", self.max_clusters
        )
        columns = Request.of(
            "columns", vectors[1], cuts[1], numbers[1], "n_column_clusters", self.max_clusters
        )
        if vectors[0] == vectors[1]:  # so that the vectors of both sides are extracted once
            columns = replace(columns, method=rows.method)
        return rows, columns

    def _is_shared(self) -> bool:
        return bool(self.symmetric)

    _clustered = "rows and columns"

    def _publish(self, result: Result) -> None:
        super()._publish(result)
        rows, columns = result.sides
        self.row_vector_, self.column_vector_ = rows.scores.values, columns.scores.values
        self.row_partition_, self.column_partition_ = rows.partition, columns.partition
        self.row_selection_, self.column_selection_ = rows.selection, columns.selection
        self.row_labels_, self.column_labels_ = rows.labels, columns.labels
        self.row_confidence_, self.column_confidence_ = rows.confidence, columns.confidence
        self.n_row_clusters_, self.n_column_clusters_ = rows.n_clusters, columns.n_clusters

    @property
    def row_tree_(self) -> Tree:
        """Nested partitions of the rows."""
        check_is_fitted(self)
        return tree_of(self.result_.rows)

    @property
    def column_tree_(self) -> Tree:
        """Nested partitions of the columns."""
        check_is_fitted(self)
        return tree_of(self.result_.columns)

    @property
    def row_path_(self) -> SortedPottsPath:
        """The best partitions of the row scores."""
        check_is_fitted(self)
        return self.result_.rows.path

    @property
    def column_path_(self) -> SortedPottsPath:
        """The best partitions of the column scores."""
        check_is_fitted(self)
        return self.result_.columns.path


def _or(value: Any, default: Any) -> Any:
    return default if value is None else value
