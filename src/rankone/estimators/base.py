"""What both learners share: fit, scores and clusters of new rows, imputation, files."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator
from sklearn.utils import Tags, TransformerTags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from rankone._arithmetic import ratio
from rankone.checks import briefly, check_choice, check_whole
from rankone.cuts import Cut
from rankone.errors import Input, InputError, Setting
from rankone.estimators.entries import warn_of_names, warn_of_weights
from rankone.estimators.explaining import ExplainMixin
from rankone.estimators.fitted import fit_as_data, with_callbacks
from rankone.estimators.jobs import with_jobs
from rankone.estimators.reading import (
    add_needs,
    check_prepare,
    check_symmetric,
    read_fitted,
    read_new,
)
from rankone.estimators.units import warn_of_units
from rankone.learning import Plan, learn
from rankone.matrix import Matrix
from rankone.matrix.journal import journaled
from rankone.methods import as_vectors
from rankone.preparation import Prepare
from rankone.progress import Stages
from rankone.refinement import LOSSES, family_for
from rankone.result import Request, Result
from rankone.selection import SELECTIONS
from rankone.typing import FloatArray, IntArray
from rankone.vectors import VectorMethod
from rankone.vectors.base import check_magnitude


def _places_rows(estimator: RankOneBase) -> bool:
    """Say whether new rows can be given scores; raise if not, to say why."""
    method = as_vectors(estimator._vectors_of_rows())
    if method is None or method.capabilities.places:
        return True
    raise AttributeError(
        f"{method} finds the scores of all rows at once, and cannot place new ones; use marginal, "
        "nmf or svd, or refine=True for predict."
    )


def _predicts(estimator: RankOneBase) -> bool:
    """Say whether new rows can be placed in clusters."""
    return estimator.refine or _places_rows(estimator)


class RankOneBase(ExplainMixin, BaseEstimator):  # type: ignore[misc]
    """A learner: subclasses say what is asked for of each side, and what users see of it."""

    vectors: str | VectorMethod
    cut: str | Cut
    selection: str
    refine: bool
    loss: str
    max_clusters: int
    min_cluster_size: int
    prepare: Prepare | None
    random_state: Any
    n_jobs: int | None
    checkpoint: Any
    verbose: bool

    @abstractmethod
    def _requests(self) -> tuple[Request, Request]:
        """Check what is asked for of rows and of columns."""

    def _vectors_of_rows(self) -> Any:
        return self.vectors

    def _is_shared(self) -> bool:
        """Say whether rows and columns have one partition."""
        return False

    def _publish(self, result: Result) -> None:
        """Set the fitted attributes that a result determines."""
        self.result_ = result
        self.labels_, self.confidence_ = result.rows.labels, result.rows.confidence
        self.block_values_, self.loss_ = result.blocks.values, result.blocks.loss
        self.n_iter_, self.converged_ = result.n_iter, result.converged

    @with_callbacks
    @with_jobs
    def fit(self, X: Any, y: None = None) -> Self:
        """Find the clusters.

        Parameters
        ----------
        X : array-like, sparse matrix or Table of shape (m, n)
            Real numbers, signed or not; NaN where an entry is missing. Frames, and tables that
            `rankone.io.read_matrix` returns, bring the names of rows and columns.
        y : None
            Ignored.

        Returns
        -------
        estimator
            The estimator itself.
        """
        rows, columns = self._requests()
        self._check_parameters()
        read = read_fitted(self, X)
        matrix = read.matrix
        if self._is_shared():
            check_symmetric(matrix)
        for request, size in zip((rows, columns), matrix.shape, strict=True):
            self._check_number(request, size, matrix.shape)
        check_magnitude(matrix)
        warn_of_names(X, read.values)
        warn_of_weights(read.given, self.prepare_)
        warn_of_units(matrix, self.prepare_)
        family = family_for(self.loss, matrix)
        plan = Plan(
            rows,
            columns,
            shared=self._is_shared(),
            selection=self.selection,
            min_cluster_size=self.min_cluster_size,
            refine=bool(self.refine),
            loss=family.name,
            recognised_counts=self.loss == "auto" and family.has_margins,
            random_state=self.random_state,
        )
        kept = journaled(matrix, self.checkpoint, fit_as_data(self))
        with kept as matrix, Stages(self, type(self).__name__, self.verbose) as stages:
            result = learn(matrix, plan, stages)
        self.matrix_ = read.given
        described = "" if self.prepare_ is None else self.prepare_.describe()
        reads = None if matrix.reads is None else float(matrix.reads.mean())
        self._publish(replace(result, preparation=described, reads=reads))
        return self

    def _check_parameters(self) -> None:
        """Check the parameters that do not belong to one side."""
        check_choice(self.selection, "selection", SELECTIONS)
        check_choice(self.loss, "loss", LOSSES)
        check_whole(self.min_cluster_size, "min_cluster_size")
        if self.prepare is not None:
            check_prepare(self.prepare)
        for flag in ("refine", "symmetric", "verbose"):
            value = getattr(self, flag, False)
            if not isinstance(value, (bool, np.bool_)):
                raise InputError(
                    "{flag} must be True or False, but it is {value}",
                    flag=Setting(flag),
                    value=briefly(value),
                )

    def _check_number(self, request: Request, size: int, shape: tuple[int, int]) -> None:
        """Refuse more clusters than a side has room for."""
        number = request.n_clusters
        if number is not None and number * self.min_cluster_size > size:
            raise InputError(
                f"{number} clusters of {request.name}, each of {self.min_cluster_size} or more, "
                f"were asked for, but {{X}} has {size} {request.name} "
                f"(n_samples={shape[0]}, n_features={shape[1]})",
                X=Input(),
            )

    @property
    def _fitted_shape(self) -> tuple[int, int]:
        rows, columns = self.result_.sides
        return rows.labels.size, columns.labels.size

    @available_if(_places_rows)
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
        """
        check_is_fitted(self)
        return self._score(read_new(self, X).matrix)[:, None]

    @available_if(_places_rows)
    def fit_transform(self, X: Any, y: None = None) -> FloatArray:
        """Fit, and return the scores of rows; see `transform`."""
        return np.asarray(self.fit(X).transform(X))

    def get_feature_names_out(self, input_features: Any = None) -> npt.NDArray[np.object_]:
        """Return the name of the column that `transform` returns."""
        check_is_fitted(self)
        return np.array([f"{type(self).__name__.lower()}0"], dtype=object)

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
    def impute(self, X: Any) -> FloatArray:
        """Impute missing entries with the expected value of their block.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (m, n)
            The fitted matrix, or other rows with its columns.

        Returns
        -------
        ndarray of shape (m, n)
            A dense copy in the units of X, in which NaN is replaced; of a sparse matrix whose
            absent entries are missing, these.
        """
        check_is_fitted(self)
        read, blocks = read_new(self, X), self.result_.blocks
        matrix = read.matrix
        rows, margins = self._place(matrix), blocks.margins_of(matrix)
        filled = matrix.part(*(np.arange(size) for size in matrix.shape))
        i, j = np.nonzero(np.isnan(filled))
        filled[i, j] = blocks.expected(margins[i], rows[i], j)
        return read.in_original_units(filled, self.prepare_)

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

    def __sklearn_tags__(self) -> Tags:  # noqa: D105
        tags = super().__sklearn_tags__()
        if hasattr(self, "transform"):
            tags.transformer_tags = TransformerTags()
        try:
            method = as_vectors(self._vectors_of_rows())
        except ValueError:
            method = None
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = method is None or method.capabilities.missing
        tags.input_tags.positive_only = method is not None and not method.capabilities.negative
        add_needs(tags, self.prepare, self.missing)
        return tags
