"""Prepare the entries of a matrix for clustering, and undo it in what people see."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.preprocessing import StandardScaler
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted, validate_data

from rankone.checks import briefly, check_choice
from rankone.errors import Entry, InputError, Setting
from rankone.typing import FloatArray

#: What each parameter can be.
NORMALISE, STANDARDISE = ("rows",), ("columns", "rows")

#: Deviations below this share of the mean are rounding: the column is constant.
ROUNDING = 1e-12


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
    mean_, scale_ : ndarray of shape (n_features_in_,)
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
            totals = _row_totals(X, absent)
            self.size_ = float(np.median(totals[totals > 0])) if totals.any() else 1.0
            X = _NormaliseRows(self.size_, absent).apply(X)
        if self.log:
            X = _Logarithm().apply(X)
        if self.standardise == "columns":
            self.mean_, self.scale_ = _column_moments(X)
        return self

    def transform(self, X: Any) -> Any:
        """Prepare rows as those of the fitted matrix.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (m, n)

        Returns
        -------
        ndarray or sparse array of shape (m, n)
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

    def _steps(self) -> list[_Step]:
        """Return what is done, in order."""
        absent = self.missing == "absent"
        steps: list[_Step] = []
        if self.normalise is not None:
            steps.append(_NormaliseRows(self.size_, absent))
        if self.log:
            steps.append(_Logarithm())
        if self.standardise == "columns":
            steps.append(_StandardiseColumns(self.mean_, self.scale_))
        if self.standardise == "rows":
            steps.append(_StandardiseRows())
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
            _check_not_negative(X, Setting("log", True))
        if original and self.normalise is not None:
            _check_not_negative(X, Setting("normalise", self.normalise))
        if sp.issparse(X) and self.standardise is not None and self.missing != "absent":
            raise InputError(
                "{standardise} would fill a sparse matrix with numbers",
                "use {log}, or give a dense matrix",
                standardise=Setting("standardise", self.standardise),
                log=Setting("log", True),
            )
        return X


class _Step(ABC):
    """One step of the preparation, which can be undone given the rows that it was applied to."""

    @abstractmethod
    def apply(self, X: Any) -> Any:
        """Return the prepared rows."""

    @abstractmethod
    def undo(self, Z: Any, X: Any) -> Any:
        """Return prepared rows as they were, given those that the step was applied to."""


@dataclass(frozen=True, eq=False)
class _NormaliseRows(_Step):
    """Scale rows to one sum."""

    size: float
    absent_is_missing: bool

    def apply(self, X: Any) -> Any:
        return _on_entries(np.multiply, X, self._factors(X)[:, None])

    def undo(self, Z: Any, X: Any) -> Any:
        return _on_entries(np.divide, Z, self._factors(X)[:, None])

    def _factors(self, X: Any) -> FloatArray:
        totals = _row_totals(X, self.absent_is_missing)
        return np.divide(self.size, totals, out=np.ones_like(totals), where=totals > 0)


class _Logarithm(_Step):
    """Replace x by log(1 + x)."""

    def apply(self, X: Any) -> Any:
        return np.log1p(X)

    def undo(self, Z: Any, X: Any) -> Any:
        return np.expm1(Z)


@dataclass(frozen=True, eq=False)
class _StandardiseColumns(_Step):
    """Subtract means of columns, and divide by their deviations."""

    mean: FloatArray
    scale: FloatArray

    def apply(self, X: Any) -> Any:
        return _on_entries(_standardise, X, self.mean, self.scale)

    def undo(self, Z: Any, X: Any) -> Any:
        return _on_entries(_restore, Z, self.mean, self.scale)


class _StandardiseRows(_Step):
    """Subtract means of rows, and divide by their deviations."""

    def apply(self, X: Any) -> Any:
        return _on_entries(_standardise, X, *self._moments(X))

    def undo(self, Z: Any, X: Any) -> Any:
        return _on_entries(_restore, Z, *self._moments(X))

    def _moments(self, X: Any) -> Iterator[FloatArray]:
        return (moment[:, None] for moment in _column_moments(X.T))


def _on_entries(function: Callable[..., FloatArray], X: Any, *vectors: FloatArray) -> Any:
    """Return a function of entries and of vectors that broadcast; of a sparse matrix, as stored."""
    if not sp.issparse(X):
        return function(X, *vectors)
    rows = np.repeat(np.arange(X.shape[0]), np.diff(X.indptr))
    aligned = (np.broadcast_to(vector, X.shape)[rows, X.indices] for vector in vectors)
    return sp.csr_array((function(X.data, *aligned), X.indices, X.indptr), shape=X.shape)


def _standardise(x: FloatArray, mean: FloatArray, scale: FloatArray) -> FloatArray:
    return (x - mean) / scale


def _restore(z: FloatArray, mean: FloatArray, scale: FloatArray) -> FloatArray:
    return z * scale + mean


def _row_totals(X: Any, absent_is_missing: bool) -> FloatArray:
    """Return the sum of each row, as it would be if the missing entries were average ones."""
    if not sp.issparse(X):
        counts = (~np.isnan(X)).sum(axis=1)
        return np.asarray(np.nansum(X, axis=1) * (X.shape[1] / np.maximum(counts, 1)))
    sums = np.asarray(X.sum(axis=1)).ravel()
    if absent_is_missing:
        sums *= X.shape[1] / np.maximum(np.diff(X.indptr), 1)
    return sums


def _column_moments(X: Any) -> tuple[FloatArray, FloatArray]:
    """Return the mean and the standard deviation of each column; one, where it is constant."""
    with np.errstate(over="ignore", invalid="ignore"):
        if sp.issparse(X):
            mean, variance = _stored_moments(sp.coo_array(X))
        else:
            scaler = StandardScaler().fit(X)
            mean, variance = scaler.mean_, scaler.var_
    if np.isinf(mean).any() or np.isinf(variance).any():
        raise InputError("the entries are too large to be standardised", "divide X by a constant")
    scale = np.sqrt(variance)
    return mean, np.where(scale > ROUNDING * np.abs(mean), scale, 1.0)


def _stored_moments(X: sp.coo_array) -> tuple[FloatArray, FloatArray]:
    """Return the mean and the variance of the stored entries of each column."""
    n = X.shape[1]
    counts = np.maximum(np.bincount(X.col, minlength=n), 1)
    mean = np.bincount(X.col, X.data, minlength=n) / counts
    centred = X.data - mean[X.col]
    return mean, np.bincount(X.col, centred**2, minlength=n) / counts


def _check_not_negative(X: Any, setting: Setting) -> None:
    values = X.data if sp.issparse(X) else X
    if values.size and np.nanmin(values) < 0:
        where = sp.coo_array(X) if sp.issparse(X) else None
        place = np.unravel_index(int(np.nanargmin(values)), values.shape)
        row, column = place if where is None else (where.row[place], where.col[place])
        raise InputError(
            "{setting} does not accept negative entries, but {entry} is {value}",
            setting=setting,
            entry=Entry(int(row), int(column)),
            value=f"{values[place]:g}",
        )
