"""What a fitted learner says of new rows: their scores, clusters, and missing entries."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import softmax
from sklearn.base import TransformerMixin
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from rankone._arithmetic import ratio
from rankone.errors import Input, InputError
from rankone.estimators.frames import framed_like
from rankone.estimators.jobs import with_jobs
from rankone.estimators.reading import read_new
from rankone.estimators.scoring import predicted_share
from rankone.matrix import Matrix
from rankone.methods import as_vectors
from rankone.preparation import Prepare
from rankone.result import Result, Side
from rankone.typing import FloatArray, IntArray

__all__ = ["PlacingMixin", "ScoresMixin"]


def _places_rows(estimator: Any) -> bool:
    """Say whether new rows can be given scores; raise if not, to say why."""
    method = as_vectors(estimator._vectors_of_rows())
    if method is None or method.capabilities.places:
        return True
    raise AttributeError(
        f"{method} finds the scores of all rows at once, and cannot place new ones; use marginal, "
        "nmf or svd, or refine=True for predict."
    )


def _predicts(estimator: Any) -> bool:
    """Say whether new rows can be placed in clusters."""
    return estimator.refine or _places_rows(estimator)


class ScoresMixin(TransformerMixin):  # type: ignore[misc]
    """Scores of rows, in the container that ``set_output`` asks for.

    `PlacingMixin` says when there are any. It is no subclass, because scikit-learn would wrap its
    methods again, and these would then always seem to exist.
    """

    result_: Result

    @with_jobs
    def transform(self, X: Any) -> FloatArray:
        """Return the scores of rows, given the fitted scores of the columns.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (m, n)
            Rows with the columns of the fitted matrix.

        Returns
        -------
        ndarray of shape (m, 1)
            Or a frame, as ``set_output`` says.
        """
        check_is_fitted(self)
        return self._score(read_new(self, X).matrix)[:, None]

    def fit_transform(self, X: Any, y: None = None) -> FloatArray:
        """Fit, and return the scores of rows; see `transform`."""
        return self.fit(X).transform(X)  # type: ignore[no-any-return]

    def get_feature_names_out(self, input_features: Any = None) -> npt.NDArray[np.object_]:
        """Return the name of the column that `transform` returns."""
        check_is_fitted(self)
        return np.array([f"{type(self).__name__.lower()}0"], dtype=object)

    def _score(self, matrix: Matrix) -> FloatArray:
        """Return the scores of rows."""
        scores = self.result_.rows.scores
        if scores.weights is None:
            raise InputError(
                "{method} has no scores for new rows, because {X} is zero",
                method=scores.method,
                X=Input(),
            )
        above, below = matrix @ scores.weights[0], matrix.observed @ scores.weights[1]
        return ratio(above, below)


class PlacingMixin:
    """Clusters of new rows, and what these lead one to expect of their entries.

    Mixed in before `ScoresMixin`.

    Attributes
    ----------
    result_ : Result
    prepare_ : Prepare or None
    """

    result_: Result
    prepare_: Prepare | None
    _score: Callable[[Matrix], FloatArray]

    transform = available_if(_places_rows)(ScoresMixin.transform)
    fit_transform = available_if(_places_rows)(ScoresMixin.fit_transform)

    @available_if(_predicts)
    @with_jobs
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
        return self._place(read_new(self, X).matrix)

    @available_if(_predicts)
    @with_jobs
    def predict_proba(self, X: Any) -> FloatArray:
        """Return the probability of each cluster for each row.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (m, n)
            Rows with the columns of the fitted matrix.

        Returns
        -------
        ndarray of shape (m, number of clusters)
            Of the fitted rows, the probabilities of their labels are ``confidence_``. Without
            blocks, clusters count as Gaussian with equal variances, in the space of the tree or
            along the scores; frequent clusters are more probable there, so that `predict`, which
            takes the nearest one, may differ at a border.
        """
        check_is_fitted(self)
        return self._probabilities(read_new(self, X).matrix)

    @available_if(_predicts)
    @with_jobs
    def score(self, X: Any, y: None = None) -> float:
        """Return how much of the entries of rows the clusters predict from other entries.

        The columns are divided at random into halves, always in the same way. Rows are placed by
        either half, and the blocks of their clusters predict the other one.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (m, n)
            Rows with the columns of the fitted matrix.
        y : None
            Ignored.

        Returns
        -------
        float
            One, if all entries are predicted exactly; zero, if they are predicted no better than
            by a single cluster of rows; it can be negative.
        """
        check_is_fitted(self)
        blocks = self.result_.blocks
        means, sizes = blocks.state.blocks.means, blocks.state.blocks.size
        pooled = (means * sizes).sum(axis=0) / sizes.sum(axis=0)
        columns = blocks.column_labels

        def expected(part: Matrix, labels: IntArray) -> tuple[FloatArray, FloatArray]:
            margins = np.outer(blocks.margins_of(part), blocks.column_margins)
            by_cluster = blocks.centre + margins * means[np.ix_(labels, columns)]
            return by_cluster, blocks.centre + margins * pooled[columns]

        counts = blocks.law.family.has_margins
        return predicted_share(read_new(self, X).matrix, self._place, expected, counts)

    @available_if(_predicts)
    @with_jobs
    def impute(self, X: Any) -> Any:
        """Impute missing entries with the expected value of their block.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (m, n)
            The fitted matrix, or other rows with its columns.

        Returns
        -------
        ndarray or frame of shape (m, n)
            A dense copy in the units of X, in which NaN is replaced; of a sparse matrix whose
            absent entries are missing, these. A frame, if X is one.
        """
        check_is_fitted(self)
        read, blocks = read_new(self, X), self.result_.blocks
        matrix = read.matrix
        rows, margins = self._place(matrix), blocks.margins_of(matrix)
        filled = matrix.part(*(np.arange(size) for size in matrix.shape))
        i, j = np.nonzero(np.isnan(filled))
        filled[i, j] = blocks.expected(margins[i], rows[i], j)
        return framed_like(X, read.in_original_units(filled, self.prepare_))

    def _place(self, matrix: Matrix) -> IntArray:
        """Return the clusters of rows."""
        rows = self.result_.rows
        if self.result_.method == "blocks":
            return np.asarray(self.result_.blocks.probabilities(matrix).argmax(axis=1))
        if self.result_.method == "tree":
            assert rows.tree is not None
            return rows.tree.leaf_clusters(rows.n_clusters)[
                rows.tree.place(rows.tree.points_of(matrix))
            ]
        scores, boundaries = self._score(matrix), rows.partition.boundaries
        if boundaries is not None and rows.partition.n_clusters == rows.n_clusters:
            return np.searchsorted(boundaries, scores, side="right")
        levels = np.bincount(rows.labels, rows.scores.values) / np.bincount(rows.labels)
        return np.asarray(np.abs(scores[:, None] - levels).argmin(axis=1))

    def _probabilities(self, matrix: Matrix) -> FloatArray:
        """Return the probability of each cluster for each row."""
        rows = self.result_.rows
        if self.result_.method == "blocks":
            return self.result_.blocks.probabilities(matrix)
        if self.result_.method == "tree":
            assert rows.tree is not None
            return rows.tree.confidence(rows.tree.points_of(matrix), rows.n_clusters)
        return _along_scores(rows, self._score(matrix))


def _along_scores(rows: Side, scores: FloatArray) -> FloatArray:
    """Return the probabilities of clusters that are Gaussian along scores, with one variance."""
    sizes = np.bincount(rows.labels)
    levels = np.bincount(rows.labels, rows.partition.signal) / sizes
    variance = float(np.mean((rows.scores.values - rows.partition.signal) ** 2))
    squares = (scores[:, None] - levels) ** 2
    if variance == 0.0:
        return np.asarray(np.eye(sizes.size)[squares.argmin(axis=1)])
    return np.asarray(softmax(np.log(sizes / sizes.sum()) - squares / (2 * variance), axis=1))
