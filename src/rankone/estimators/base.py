"""What both learners share: checks of their parameters, and fit."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils import Tags, TransformerTags

from rankone.checks import briefly, check_choice, check_whole
from rankone.cuts import Cut
from rankone.errors import Input, InputError, Setting
from rankone.estimators.entries import warn_of_names, warn_of_weights
from rankone.estimators.explaining import ExplainMixin
from rankone.estimators.fitted import fit_as_data, with_callbacks
from rankone.estimators.jobs import with_jobs
from rankone.estimators.placing import PlacingMixin, ScoresMixin
from rankone.estimators.reading import (
    add_needs,
    check_prepare,
    check_symmetric,
    read_fitted,
)
from rankone.estimators.units import warn_of_units
from rankone.learning import Plan, learn
from rankone.matrix.journal import journaled
from rankone.methods import as_vectors
from rankone.preparation import Prepare
from rankone.progress import Stages
from rankone.refinement import LOSSES, family_for
from rankone.result import Request, Result
from rankone.selection import SELECTIONS
from rankone.vectors import VectorMethod
from rankone.vectors.base import check_magnitude


class RankOneBase(PlacingMixin, ScoresMixin, ExplainMixin, BaseEstimator):  # type: ignore[misc]
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
        self.criterion_ = result.criterion

    @with_callbacks
    @with_jobs
    def fit(self, X: Any, y: None = None) -> Self:
        """Find the clusters.

        Parameters
        ----------
        X : array-like, sparse matrix, AnnData or Table of shape (m, n)
            Real numbers, signed or not; NaN where an entry is missing. Frames, annotated data, and
            tables that `rankone.io.read_matrix` returns, bring the names of rows and columns.
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
        with kept as matrix, Stages(self, self.verbose, *plan.n_stages) as stages:
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

    def __sklearn_tags__(self) -> Tags:  # noqa: D105
        tags = super().__sklearn_tags__()
        tags.transformer_tags = TransformerTags() if hasattr(self, "transform") else None
        try:
            method = as_vectors(self._vectors_of_rows())
        except ValueError:
            method = None
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = method is None or method.capabilities.missing
        tags.input_tags.positive_only = method is not None and not method.capabilities.negative
        add_needs(tags, self.prepare, self.missing)
        return tags
