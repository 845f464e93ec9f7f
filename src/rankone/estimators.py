"""The learners: both steps composed, as scikit-learn estimators."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, BiclusterMixin, ClusterMixin
from sklearn.utils import Tags, TransformerTags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_array, check_is_fitted, validate_data

from rankone.checks import briefly, check_choice, check_whole
from rankone.cuts import Cut, SortedPottsPath, sorted_potts_path
from rankone.learning import SIDES, Learned, Plan, certainty, learn, with_loss
from rankone.matrix import Matrix, as_matrix
from rankone.methods import as_cut, as_vectors
from rankone.progress import Stages
from rankone.refinement import LOSSES, holds_counts
from rankone.selection import SELECTIONS
from rankone.typing import FloatArray, IntArray
from rankone.vectors import VectorMethod
from rankone.vectors.base import check_magnitude

if TYPE_CHECKING:
    from rankone.report import Report

try:  # scikit-learn 1.9 and later
    from sklearn.callback import CallbackSupportMixin, with_callbacks
except ImportError:

    class CallbackSupportMixin:  # type: ignore[no-redef]
        """Nothing: this scikit-learn has no callbacks."""

    def with_callbacks(method: Any) -> Any:
        """Return a method as it is."""
        return method


def _places_rows(estimator: _RankOne) -> bool:
    """Say whether new rows can be given scores; raise if not, to say why."""
    method = as_vectors(estimator._method_of_rows())
    if method is None or method.capabilities.places:
        return True
    raise AttributeError(
        f"{method} finds the scores of all rows at once, and cannot place new ones; use marginal, "
        "nmf or svd, or refine=True for predict."
    )


def _predicts(estimator: _RankOne) -> bool:
    """Say whether new rows can be placed in clusters."""
    return estimator.refine or _places_rows(estimator)


class _RankOne(CallbackSupportMixin, BaseEstimator):  # type: ignore[misc]
    """What both learners share."""

    vectors: str | VectorMethod
    cut: str | Cut
    selection: str
    refine: bool
    loss: str
    max_clusters: int
    min_cluster_size: int
    missing: Any
    random_state: Any
    verbose: bool

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        if hasattr(self, "transform"):
            tags.transformer_tags = TransformerTags()
        try:
            method = as_vectors(self._method_of_rows())
        except ValueError:
            method = None
        tags.input_tags.allow_nan = method is None or method.capabilities.missing
        tags.input_tags.positive_only = method is not None and not method.capabilities.negative
        return tags

    def __getstate__(self) -> dict[str, Any]:
        """Leave the matrix out of copies: it belongs to the user, and may be large."""
        state: dict[str, Any] = dict(super().__getstate__())
        state.pop("_matrix", None)
        return state

    def _method_of_rows(self) -> Any:
        return self.vectors

    def _plan(
        self,
        methods: tuple[Any, Any],
        cuts: tuple[Any, Any],
        numbers: tuple[int | None, int | None],
        names: tuple[str, str],
        shared: bool = False,
        ignored: tuple[bool, bool] = (False, False),
    ) -> Plan:
        """Check all parameters, and that they make sense together."""
        found = [as_vectors(method) for method in methods]
        if methods[0] is methods[1] or methods[0] == methods[1]:
            found[1] = found[0]
        for number, name in zip(numbers, names, strict=True):
            if number is not None:
                check_whole(number, name)
        differ = cuts[0] != cuts[1] or methods[0] != methods[1]
        if shared and (numbers[1] not in (None, numbers[0]) or differ):
            raise ValueError(
                "symmetric=True gives rows and columns one partition; give n_row_clusters, vectors "
                "and cut alone."
            )
        numbers = (numbers[0], numbers[0]) if shared else numbers
        cut = [
            as_cut(method, number, number=name)
            for method, number, name in zip(cuts, numbers, names, strict=True)
        ]
        check_choice(self.selection, "selection", SELECTIONS)
        check_choice(self.loss, "loss", LOSSES)
        check_whole(self.max_clusters, "max_clusters")
        check_whole(self.min_cluster_size, "min_cluster_size")
        for flag in ("refine", "symmetric", "verbose"):
            value = getattr(self, flag, False)
            if not isinstance(value, (bool, np.bool_)):
                raise ValueError(f"{flag} must be True or False, but it is {briefly(value)}.")
        return Plan(
            methods=(found[0], found[1]),
            cuts=(cut[0][0], cut[1][0]),
            selecting=(cut[0][1], cut[1][1]),
            numbers=(_own_number(cut[0][0]), _own_number(cut[1][0])),
            selection=self.selection,
            refine=bool(self.refine),
            loss=self.loss,
            found_counts=False,
            shared=shared,
            ignored=ignored,
            max_clusters=self.max_clusters,
            min_cluster_size=self.min_cluster_size,
            random_state=self.random_state,
        )

    def _read(self, X: Any, reset: bool) -> Matrix:
        """Check a matrix once, remember the names of its columns, and sum it."""
        if isinstance(X, np.ma.MaskedArray):
            X = np.ma.filled(X.astype(np.float64), np.nan)
        if reset:
            _remember_rows(self, X)
        X = validate_data(
            self,
            X,
            reset=reset,
            accept_sparse=("csr", "csc"),
            ensure_all_finite=False,  # as_matrix says where
        )
        matrix = as_matrix(X, self.missing, empty_columns=not reset)
        if not reset:
            self._check_new_rows(matrix)
        return matrix

    def _check_new_rows(self, matrix: Matrix) -> None:
        """Refuse rows that could not have been in the fitted matrix."""
        if matrix.n_missing and not self.__sklearn_tags__().input_tags.allow_nan:
            raise ValueError(
                f"X has missing entries (NaN), but the learner was fitted by "
                f"{self._method_of_rows()}, which takes none; use marginal, nmf or svd."
            )
        counts = self._learned.refined and self.loss_ == "poisson"
        if counts and matrix.totals.has_negative:
            i, j, value = matrix.first_negative()
            raise ValueError(
                f"The learner was fitted to counts, but X[{i}, {j}] is {value:g}; new rows must "
                "not be negative either."
            )

    def _fit(self, matrix: Matrix, plan: Plan) -> Learned:
        for number, size, side in zip(plan.numbers, matrix.shape, SIDES, strict=True):
            if number is not None and number * plan.min_cluster_size > size:
                raise ValueError(
                    f"{number} clusters of {side}, each of {plan.min_cluster_size} or more, were "
                    f"asked for, but X has {size} {side} "
                    f"(n_samples={matrix.shape[0]}, n_features={matrix.shape[1]})."
                )
        check_magnitude(matrix)
        plan = with_loss(plan, holds_counts(matrix))
        with Stages(self, type(self).__name__, self.verbose) as stages:
            learned = learn(matrix, plan, stages)
        self._learned, self._matrix = learned, matrix
        self.n_iter_ = max(1, *(scores.n_iter for scores in learned.scores))
        self.n_iter_ += learned.blocks.n_iter
        self.converged_ = all(scores.converged for scores in learned.scores) and (
            not learned.refined or learned.blocks.converged
        )
        self.loss_ = learned.blocks.loss
        self.block_values_ = learned.blocks.values
        return learned

    def _confidence(self, matrix: Matrix, side: int) -> FloatArray:
        """Return how probable the labels of one side are."""
        learned = self._learned
        if learned.refined:
            blocks = learned.blocks if side == 0 else learned.blocks.T
            found = blocks.probabilities(matrix if side == 0 else matrix.T)
            return found[np.arange(found.shape[0]), blocks.row_labels]
        return certainty(learned.partitions[side], learned.scores[side].values)

    @available_if(_places_rows)
    def transform(self, X: Any) -> FloatArray:
        """Return the scores of rows, given the fitted scores of the columns.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (m, n)
            Rows with the columns of the fitted matrix.

        Returns
        -------
        ndarray of shape (m, 1)
        """
        check_is_fitted(self)
        return self._scores(self._read(X, reset=False))[:, None]

    @available_if(_places_rows)
    def fit_transform(self, X: Any, y: None = None) -> FloatArray:
        """Fit, and return the scores of rows; see `transform`."""
        return np.asarray(self.fit(X).transform(X))

    def get_feature_names_out(self, input_features: Any = None) -> npt.NDArray[np.object_]:
        """Return the name of what `transform` returns."""
        check_is_fitted(self)
        return np.array([f"{type(self).__name__.lower()}0"], dtype=object)

    def _scores(self, matrix: Matrix) -> FloatArray:
        weights = self._learned.scores[0].weights
        if weights is None:
            raise ValueError(
                f"{self._learned.scores[0].method} has no scores for new rows, because X is zero."
            )
        above, below = matrix @ weights[0], matrix.observed @ weights[1]
        return np.divide(above, below, out=np.zeros_like(above), where=below != 0)

    @available_if(_predicts)
    def predict(self, X: Any) -> IntArray:
        """Place rows in the clusters that were found.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (m, n)
            Rows with the columns of the fitted matrix.

        Returns
        -------
        ndarray of shape (m,)
            After refinement, the cluster whose blocks explain a row best. Otherwise the row is
            scored with the fitted scores of the columns, and its score placed between the
            boundaries of the fitted ones (contiguous cuts: at the nearest level).
        """
        check_is_fitted(self)
        return self._predict(self._read(X, reset=False))

    def _predict(self, matrix: Matrix) -> IntArray:
        learned = self._learned
        if learned.refined:
            return np.asarray(learned.blocks.probabilities(matrix).argmax(axis=1))
        part, scores = learned.partitions[0], self._scores(matrix)
        if part.boundaries is not None and part.n_clusters == self.block_values_.shape[0]:
            return np.searchsorted(part.boundaries, scores, side="right")
        labels = learned.blocks.row_labels
        levels = np.bincount(labels, learned.scores[0].values) / np.bincount(labels)
        return np.asarray(np.abs(scores[:, None] - levels).argmin(axis=1))

    @available_if(_predicts)
    def impute(self, X: Any) -> FloatArray:
        """Fill in missing entries by what their blocks let expect.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (m, n)
            The fitted matrix, or other rows with its columns.

        Returns
        -------
        ndarray of shape (m, n)
            A dense copy, in which NaN is replaced; of a sparse matrix whose absent entries are
            missing, these.
        """
        check_is_fitted(self)
        matrix = self._read(X, reset=False)
        rows, margins = self._predict(matrix), self._learned.blocks.margins_of(matrix)
        filled = matrix.part(np.arange(matrix.shape[0]), np.arange(matrix.shape[1]))
        i, j = np.nonzero(np.isnan(filled))
        filled[i, j] = self._learned.blocks.expected(margins[i], rows[i], j)
        return filled

    def _path(self, side: int) -> SortedPottsPath:
        """Return the path of a side: that of the selection, or one that is traced now."""
        check_is_fitted(self)
        path = self._learned.paths[side]
        if path is None:
            partition = self._learned.partitions[side]
            path = sorted_potts_path(
                self._learned.scores[side].values, partition.p, self.max_clusters
            )
        return path

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the fitted learner to a file, which `load` reads. No pickle is involved.

        Parameters
        ----------
        path : str or path-like
            It is written whole, or not at all.
        """
        from rankone.saving import save

        check_is_fitted(self)
        save(self, path)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Any:
        """Read a learner that `save` wrote.

        Parameters
        ----------
        path : str or path-like

        Returns
        -------
        estimator
        """
        from rankone.saving import load

        return load(path, cls)


def _own_number(cut: Cut) -> int | None:
    number = cut.get_params().get("n_clusters")
    return None if number is None else int(number)


def _remember_rows(estimator: Any, X: Any) -> None:
    """Keep the names of the rows of a frame, as scikit-learn keeps those of its columns."""
    names = getattr(X, "index", None)
    estimator.__dict__.pop("row_names_in_", None)
    if names is not None and hasattr(X, "columns"):
        estimator.row_names_in_ = np.asarray(names, dtype=object)


class RankOneCoclustering(BiclusterMixin, ClusterMixin, _RankOne):  # type: ignore[misc]
    """Clusters of rows and of columns, from one vector per side.

    Step 1 gives a score to each row and each column (``vectors``), Step 2 cuts the scores into
    clusters (``cut``), how many is told by the data (``selection``), and the labels are improved
    against the whole matrix (``refine``).

    Parameters
    ----------
    n_row_clusters, n_column_clusters : int, optional
        The numbers of clusters, where they are known. By default they are found.
    vectors : str or VectorMethod, default="auto"
        Step 1: ``"marginal"``, ``"nmf"``, ``"svd"``, ``"pagerank"``, ``"fiedler"``,
        ``"fiedler-ds"``, ``"ccot"``, ``"ccot-gw"``, or an object of `rankone.vectors`.
        ``"auto"``: of a matrix without negative entries the rank-one factors (`NMF`); otherwise
        means (`Marginal`), and on a side where these vary no more than noise lets them, the leading
        singular pair (`SVD`).
    cut : str or Cut, default="sorted-potts"
        Step 2: ``"sorted-potts"``, ``"sign"``, ``"multiscale"``; ``"potts"`` and ``"largest-gaps"``
        with given numbers; or an object of `rankone.cuts`. Numbers of clusters can be selected for
        sorted Potts only. `Potts` and `TotalVariation` depend on the order of rows and columns.
    row_vectors, column_vectors : str or VectorMethod, optional
        Another Step 1 for one side.
    row_cut, column_cut : str or Cut, optional
        Another Step 2 for one side.
    selection : {"noise", "noise-strict", "silhouette", "silhouette-first"}
        How the number of clusters is chosen where none is given; see `rankone.selection.choose`.
    refine : bool, default=True
        Whether labels are improved against the matrix, and numbers that were not given
        reconsidered; see `rankone.refinement.refine`.
    loss : {"auto", "gaussian", "poisson"}
        How entries vary around the value of their block, for refinement and imputation: with one
        variance, so that columns in different units are best standardised; or as counts beside
        margins, so that rows that differ in nothing but their sum are alike (documents of one
        kind, some longer). By default counts are recognised (whole numbers, some zero, that vary
        at least three quarters as much as their mean); if such counts have no blocks beside their
        margins, but sums that fall apart into clusters, these are the answer.
    symmetric : bool, default=False
        Whether the i-th row and the i-th column are one thing, as in the matrix of a graph: both
        get one partition. The matrix must be symmetric.
    max_clusters : int, default=20
        The most clusters that are looked for; a warning says if that was not enough.
    min_cluster_size : int, default=1
        How many rows, or columns, a cluster has at least. Numbers of clusters that are given are
        reached all the same, or refused: without refinement, equal scores are never parted.
    missing : {"nan", "absent"}
        Which entries do not exist: those that are NaN; or, in a sparse matrix, also those that are
        absent, which otherwise are zeros.
    random_state : int, RandomState or None, default=0
        Of draws and samples in the search for better labels. The default is a number, so that equal
        input has equal output.
    verbose : bool, default=False
        Whether to show on a terminal how far the work is, if it takes longer than two seconds.

    Attributes
    ----------
    row_labels_, column_labels_ : ndarray
        The cluster of each row and each column, numbered from 0 by mean score.
    labels_ : ndarray
        The same as ``row_labels_``.
    n_row_clusters_, n_column_clusters_ : int
    row_vector_, column_vector_ : ndarray
        The scores.
    row_partition_, column_partition_ : Partition
        What the cut made of the scores, before refinement.
    row_path_, column_path_ : SortedPottsPath
        The best partitions of the scores into all numbers of clusters.
    row_selection_, column_selection_ : Choice or None
        How the number of clusters was selected before refinement, with the criterion's curve.
    rows_, columns_ : ndarray of shape (n_row_clusters_ * n_column_clusters_, m) and (..., n)
        Which rows, and columns, each block has, as in scikit-learn's biclusterings.
    block_values_ : ndarray of shape (n_row_clusters_, n_column_clusters_)
        The mean of each block; for counts, its rate beside the margins.
    row_confidence_, column_confidence_ : ndarray
        How probable each label is; ``confidence_`` is that of the rows.
    loss_ : {"gaussian", "poisson"}
    n_iter_ : int
        The number of sweeps over the matrix in iterations.
    converged_ : bool
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
        random_state: Any = 0,
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
        self.random_state = random_state
        self.verbose = verbose

    def _method_of_rows(self) -> Any:
        return self.vectors if self.row_vectors is None else self.row_vectors

    @with_callbacks
    def fit(self, X: Any, y: None = None) -> RankOneCoclustering:
        """Find the clusters of rows and columns.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (m, n)
            Real numbers, signed or not; NaN where an entry is missing.
        y : None
            Ignored.

        Returns
        -------
        RankOneCoclustering
            The estimator itself.
        """
        plan = self._plan(
            (self._method_of_rows(), _or(self.column_vectors, self.vectors)),
            (_or(self.row_cut, self.cut), _or(self.column_cut, self.cut)),
            (self.n_row_clusters, self.n_column_clusters),
            ("n_row_clusters", "n_column_clusters"),
            shared=bool(self.symmetric),
        )
        matrix = self._read(X, reset=True)
        if self.symmetric:
            _check_symmetric(matrix)
        learned = self._fit(matrix, plan)
        self.row_vector_, self.column_vector_ = (scores.values for scores in learned.scores)
        self.row_partition_, self.column_partition_ = learned.partitions
        self.row_selection_, self.column_selection_ = learned.choices
        self.row_labels_ = self.labels_ = learned.blocks.row_labels
        self.column_labels_ = learned.blocks.column_labels
        self.n_row_clusters_, self.n_column_clusters_ = self.block_values_.shape
        self.row_confidence_ = self.confidence_ = self._confidence(matrix, 0)
        self.column_confidence_ = self._confidence(matrix, 1)
        return self

    @property
    def rows_(self) -> npt.NDArray[np.bool_]:
        """Which rows each block has."""
        check_is_fitted(self)
        own = np.arange(self.n_row_clusters_)[:, None] == self.row_labels_
        return np.repeat(own, self.n_column_clusters_, axis=0)

    @property
    def columns_(self) -> npt.NDArray[np.bool_]:
        """Which columns each block has."""
        check_is_fitted(self)
        own = np.arange(self.n_column_clusters_)[:, None] == self.column_labels_
        return np.tile(own, (self.n_row_clusters_, 1))

    @property
    def row_path_(self) -> SortedPottsPath:
        """The best partitions of the row scores."""
        return self._path(0)

    @property
    def column_path_(self) -> SortedPottsPath:
        """The best partitions of the column scores."""
        return self._path(1)

    def report(
        self,
        path: str | os.PathLike[str] | None = None,
        X: Any = None,
        *,
        title: str = "Clusters of rows and columns",
        row_names: Any = None,
        column_names: Any = None,
    ) -> Report:
        """Make a page on which a person sees and explores the clusters; it opens in any browser.

        Parameters
        ----------
        path : str or path-like, optional
            The HTML file, which needs no other. Without it, a notebook shows the page.
        X : array-like or sparse matrix, optional
            The fitted matrix; needed for a learner that was loaded from a file. By default it is
            the one that was given to `fit`, as it is now.
        title : str
        row_names, column_names : sequence, optional
            By default those of the frame that was fitted, or numbers from 1.

        Returns
        -------
        Report
        """
        from rankone.report import report

        check_is_fitted(self)
        matrix = getattr(self, "_matrix", None) if X is None else as_matrix(X, self.missing)
        shape = self.row_labels_.size, self.column_labels_.size
        if matrix is None or matrix.shape != shape:
            raise ValueError(f"X must be the fitted matrix, of shape {shape}; give it as X.")
        names = getattr(self, "row_names_in_", None), getattr(self, "feature_names_in_", None)
        made = report(
            self,
            matrix,
            title=title,
            row_names=_or(row_names, names[0]),
            column_names=_or(column_names, names[1]),
        )
        if path is not None:
            made.save(path)
        return made

    def get_submatrix(self, i: int, data: Any) -> Any:
        """Return the entries of a block, in the order of rows and columns.

        Parameters
        ----------
        i : int
            The number of the block: ``row_cluster * n_column_clusters_ + column_cluster``.
        data : array-like or sparse matrix of shape (m, n)

        Returns
        -------
        ndarray or sparse matrix
        """
        data = check_array(data, accept_sparse="csr", ensure_all_finite=False)
        shape = self.row_labels_.size, self.column_labels_.size
        if data.shape != shape:
            raise ValueError(f"data must have the shape of X, {shape}, but it has {data.shape}.")
        if not 0 <= i < self.n_row_clusters_ * self.n_column_clusters_:
            raise ValueError(
                f"i is {i}, but there are {self.n_row_clusters_ * self.n_column_clusters_} blocks."
            )
        rows, columns = self.get_indices(i)
        return data[rows][:, columns]


def _check_symmetric(matrix: Matrix) -> None:
    """Refuse a matrix that is not that of one set of things, to the precision of its sums."""
    m, n = matrix.shape
    if m != n:
        raise ValueError(
            f"symmetric=True needs a square matrix, but X has {m} rows and {n} columns."
        )
    # Products with a random vector from both sides are equal in a symmetric matrix only.
    probe = np.random.default_rng(0).uniform(1.0, 2.0, n)
    for side in (matrix, matrix.observed):
        above, below = side @ probe, side.T @ probe
        if not np.allclose(above, below, rtol=1e-9, atol=1e-9 * np.abs(above).max()):
            raise ValueError("symmetric=True needs a symmetric matrix, but X is not.")


def _or(own: Any, common: Any) -> Any:
    return common if own is None else own


class RankOneClustering(ClusterMixin, _RankOne):  # type: ignore[misc]
    """Clusters of the rows of a matrix, from one score for each.

    As `RankOneCoclustering`, of which it keeps what concerns the rows.

    Parameters
    ----------
    n_clusters : int, optional
        The number of clusters, if it is known. By default it is found.
    vectors, cut, selection, refine, loss, max_clusters, min_cluster_size, missing, random_state, \
verbose
        See `RankOneCoclustering`.

    Attributes
    ----------
    labels_ : ndarray of shape (m,)
        The cluster of each row, numbered from 0 by mean score.
    n_clusters_ : int
    vector_ : ndarray of shape (m,)
        The scores.
    partition_ : Partition
        What the cut made of the scores, before refinement.
    path_ : SortedPottsPath
        The best partitions of the scores into all numbers of clusters.
    selection_ : Choice or None
        How the number of clusters was selected before refinement, with the criterion's curve.
    confidence_ : ndarray of shape (m,)
        How probable each label is.
    loss_, n_iter_, converged_, n_features_in_, feature_names_in_, row_names_in_
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
        random_state: Any = 0,
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
        self.random_state = random_state
        self.verbose = verbose

    @with_callbacks
    def fit(self, X: Any, y: None = None) -> RankOneClustering:
        """Find the clusters of rows.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (m, n)
            Real numbers, signed or not; NaN where an entry is missing.
        y : None
            Ignored.

        Returns
        -------
        RankOneClustering
            The estimator itself.
        """
        plan = self._plan(
            (self.vectors, self.vectors),
            (self.cut, "sorted-potts"),
            (self.n_clusters, None),
            ("n_clusters", "n_clusters"),
            ignored=(False, True),
        )
        matrix = self._read(X, reset=True)
        learned = self._fit(matrix, plan)
        self.vector_ = learned.scores[0].values
        self.partition_, self.selection_ = learned.partitions[0], learned.choices[0]
        self.labels_ = learned.blocks.row_labels
        self.n_clusters_ = self.block_values_.shape[0]
        self.confidence_ = self._confidence(matrix, 0)
        return self

    @property
    def path_(self) -> SortedPottsPath:
        """The best partitions of the scores."""
        return self._path(0)
