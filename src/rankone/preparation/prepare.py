"""Prepare the entries of a matrix for clustering, and undo it in what people see."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted, validate_data

from rankone.checks import briefly, check_choice
from rankone.errors import InputError, Setting
from rankone.preparation.steps import (
    Logarithm,
    NormaliseRows,
    StandardiseColumns,
    StandardiseRows,
    Step,
    check_not_negative,
    column_moments,
    row_totals,
)

#: What each parameter can be.
NORMALISE, STANDARDISE = ("rows",), ("columns", "rows")


class Prepare(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    r"""Normalise the sizes of rows, take logarithms, and standardise, in this order.

    .. math:: x_{ij} \to x_{ij} \frac{s}{\sum_j x_{ij}}, \qquad
              x_{ij} \to \log(1 + x_{ij}), \qquad
              x_{ij} \to \frac{x_{ij} - \mu_j}{\sigma_j}

    where s is the median of the row sums, and :math:`\mu_j` and :math:`\sigma_j` are the mean and
    the standard deviation of column j (or of row i). Each step is off by default. Missing entries
    stay missing, and are ignored in sums, means and deviations.

    Parameters
    ----------
    normalise : {"rows"}, optional
        Scale each row to the same sum, as is usual for counts of expression: rows then differ in
        composition, not in size. Where entries are missing, the sum of a row is its mean times the
        number of columns. Rows that sum to zero are left as they are.
    log : bool, default=False
        Replace each entry x by log(1 + x). Entries must not be negative.
    standardise : {"columns", "rows"}, optional
        Subtract the mean of each column (or row) and divide by its standard deviation; constant
        ones become zero. Columns in different units need it. A sparse matrix whose absent entries
        are zeros is refused, because it would become dense.
    missing : {"nan", "absent"}, default="nan"
        Which entries are missing: those that are NaN; or, in a sparse matrix, also those that are
        absent.

    Attributes
    ----------
    size_ : float
        The sum of every normalised row: the median over the rows of the fitted matrix.
    mean_, scale_ : ndarray of shape (n,)
        The mean and the standard deviation of each column, if columns are standardised.
    n_features_in_, feature_names_in_
        The number of columns, and their names if X is a frame.

    See Also
    --------
    sklearn.preprocessing.StandardScaler : Standardised columns, without missing entries by absence.

    Examples
    --------
    >>> from rankone import Prepare
    >>> Prepare(normalise="rows").fit_transform([[1.0, 3.0], [10.0, 10.0], [2.0, 6.0]])
    array([[2., 6.],
           [4., 4.],
           [2., 6.]])
    """

    def __init__(
        self,
        *,
        normalise: str | None = None,
        log: bool = False,
        standardise: str | None = None,
        missing: str = "nan",
    ) -> None:
        self.normalise = normalise
        self.log = log
        self.standardise = standardise
        self.missing = missing

    def __sklearn_tags__(self) -> Tags:  # noqa: D105
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = self.standardise is None or self.missing == "absent"
        tags.input_tags.allow_nan = True
        tags.input_tags.positive_only = self.log or self.normalise is not None
        return tags

    def fit(self, X: Any, y: None = None) -> Prepare:
        """Learn the size of rows and the means and deviations of columns, as far as needed.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (m, n)
            The matrix to learn from.
        y : None
            Ignored.

        Returns
        -------
        Prepare
            The transformer itself.
        """
        self._check_parameters()
        X = self._read(X, reset=True)
        absent = self.missing == "absent"
        if self.normalise is not None:
            totals = row_totals(X, absent)
            self.size_ = float(np.median(totals[totals > 0])) if totals.any() else 1.0
            X = NormaliseRows(self.size_, absent).apply(X)
        if self.log:
            X = Logarithm().apply(X)
        if self.standardise == "columns":
            self.mean_, self.scale_ = column_moments(X)
        return self

    def transform(self, X: Any) -> Any:
        """Prepare rows as those of the fitted matrix.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (m, n)
            Rows with the columns of the fitted matrix.

        Returns
        -------
        ndarray or sparse array of shape (m, n)
            The prepared rows.
        """
        check_is_fitted(self)
        X = self._read(X, reset=False)
        for step in self._steps():
            X = step.apply(X)
        return X

    def inverse_transform(self, Z: Any, X: Any = None) -> Any:
        """Return prepared rows in the units of the original ones.

        Parameters
        ----------
        Z : array-like or sparse matrix of shape (m, n)
            Prepared rows.
        X : array-like or sparse matrix of shape (m, n), optional
            The original rows, which give the size, mean and deviation of each row; needed if rows
            were normalised or standardised.

        Returns
        -------
        ndarray or sparse array of shape (m, n)
        """
        check_is_fitted(self)
        Z = self._read(Z, reset=False, original=False)
        if X is None and (self.normalise is not None or self.standardise == "rows"):
            raise InputError(
                "{rows} is undone row by row",
                "give the original rows as X",
                rows=Setting("normalise" if self.normalise else "standardise", "rows"),
            )
        steps = self._steps()
        inputs = [None] * len(steps)
        if X is not None:
            X = self._read(X, reset=False)
            for i, step in enumerate(steps):
                inputs[i], X = X, step.apply(X)
        for step, before in zip(reversed(steps), reversed(inputs), strict=True):
            Z = step.undo(Z, before)
        return Z

    def describe(self) -> str:
        """Say in a few words what is done to the entries; an empty text if nothing is.

        Examples
        --------
        >>> Prepare(log=True, standardise="columns").describe()
        'log(1 + x), columns standardised'
        """
        parts = (
            "rows scaled to equal sums" if self.normalise is not None else "",
            "log(1 + x)" if self.log else "",
            f"{self.standardise} standardised" if self.standardise is not None else "",
        )
        return ", ".join(filter(None, parts))

    def _steps(self) -> list[Step]:
        """Return what is done, in order."""
        absent = self.missing == "absent"
        steps: list[Step] = []
        if self.normalise is not None:
            steps.append(NormaliseRows(self.size_, absent))
        if self.log:
            steps.append(Logarithm())
        if self.standardise == "columns":
            steps.append(StandardiseColumns(self.mean_, self.scale_))
        if self.standardise == "rows":
            steps.append(StandardiseRows())
        return steps

    def _check_parameters(self) -> None:
        if self.normalise is not None:
            check_choice(self.normalise, "normalise", NORMALISE)
        if self.standardise is not None:
            check_choice(self.standardise, "standardise", STANDARDISE)
        check_choice(self.missing, "missing", ("nan", "absent"))
        if not isinstance(self.log, (bool, np.bool_)):
            raise InputError(
                "{log} must be True or False, but it is {value}",
                log=Setting("log"),
                value=briefly(self.log),
            )

    def _read(self, X: Any, reset: bool, original: bool = True) -> Any:
        """Return a matrix of doubles that every step can take."""
        if isinstance(X, np.ma.MaskedArray):
            X = np.ma.filled(X.astype(np.float64), np.nan)
        X = validate_data(
            self,
            X,
            reset=reset,
            accept_sparse="csr",
            dtype=np.float64,
            ensure_all_finite="allow-nan",
        )
        if original and self.log:
            check_not_negative(X, Setting("log", True))
        if original and self.normalise is not None:
            check_not_negative(X, Setting("normalise", self.normalise))
        if sp.issparse(X) and self.standardise is not None and self.missing != "absent":
            raise InputError(
                "{standardise} would fill a sparse matrix with numbers",
                "use {log}, or give a dense matrix",
                standardise=Setting("standardise", self.standardise),
                log=Setting("log", True),
            )
        return X
