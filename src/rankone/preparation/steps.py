"""The steps of a preparation: each is applied to rows, and undone given those rows."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.preprocessing import StandardScaler

from rankone.errors import Entry, Input, InputError, Setting
from rankone.typing import FloatArray

#: Deviations below this share of the mean are rounding: the column is constant.
ROUNDING = 1e-12


class Step(ABC):
    """One step of the preparation, which can be undone given the rows that it was applied to."""

    @abstractmethod
    def apply(self, X: Any) -> Any:
        """Return the prepared rows."""

    @abstractmethod
    def undo(self, Z: Any, X: Any) -> Any:
        """Return prepared rows as they were, given those that the step was applied to."""


@dataclass(frozen=True, eq=False)
class NormaliseRows(Step):
    """Scale rows to one sum."""

    size: float
    absent_is_missing: bool

    def apply(self, X: Any) -> Any:
        """Return the prepared rows."""
        return _on_entries(np.multiply, X, self._factors(X)[:, None])

    def undo(self, Z: Any, X: Any) -> Any:
        """Return prepared rows as they were."""
        return _on_entries(np.divide, Z, self._factors(X)[:, None])

    def _factors(self, X: Any) -> FloatArray:
        totals = row_totals(X, self.absent_is_missing)
        return np.divide(self.size, totals, out=np.ones_like(totals), where=totals > 0)


class Logarithm(Step):
    """Replace x by log(1 + x)."""

    def apply(self, X: Any) -> Any:
        """Return the prepared rows."""
        return np.log1p(X)

    def undo(self, Z: Any, X: Any) -> Any:
        """Return prepared rows as they were."""
        return np.expm1(Z)


@dataclass(frozen=True, eq=False)
class StandardiseColumns(Step):
    """Subtract means of columns, and divide by their deviations."""

    mean: FloatArray
    scale: FloatArray

    def apply(self, X: Any) -> Any:
        """Return the prepared rows."""
        return _on_entries(_standardise, X, self.mean, self.scale)

    def undo(self, Z: Any, X: Any) -> Any:
        """Return prepared rows as they were."""
        return _on_entries(_restore, Z, self.mean, self.scale)


class StandardiseRows(Step):
    """Subtract means of rows, and divide by their deviations."""

    def apply(self, X: Any) -> Any:
        """Return the prepared rows."""
        return _on_entries(_standardise, X, *self._moments(X))

    def undo(self, Z: Any, X: Any) -> Any:
        """Return prepared rows as they were."""
        return _on_entries(_restore, Z, *self._moments(X))

    def _moments(self, X: Any) -> Iterator[FloatArray]:
        return (moment[:, None] for moment in column_moments(X.T))


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


def row_totals(X: Any, absent_is_missing: bool) -> FloatArray:
    """Return the sum of each row, as it would be if the missing entries were average ones."""
    if not sp.issparse(X):
        counts = (~np.isnan(X)).sum(axis=1)
        return np.asarray(np.nansum(X, axis=1) * (X.shape[1] / np.maximum(counts, 1)))
    sums = np.asarray(X.sum(axis=1)).ravel()
    if absent_is_missing:
        sums *= X.shape[1] / np.maximum(np.diff(X.indptr), 1)
    return sums


def column_moments(X: Any) -> tuple[FloatArray, FloatArray]:
    """Return the mean and the standard deviation of each column; one, where it is constant."""
    with np.errstate(over="ignore", invalid="ignore"):
        if sp.issparse(X):
            mean, variance = _stored_moments(sp.coo_array(X))
        else:
            scaler = StandardScaler().fit(X)
            mean, variance = scaler.mean_, scaler.var_
    if np.isinf(mean).any() or np.isinf(variance).any():
        raise InputError(
            "the entries are too large to be standardised", "divide {X} by a constant", X=Input()
        )
    scale = np.sqrt(variance)
    return mean, np.where(scale > ROUNDING * np.abs(mean), scale, 1.0)


def _stored_moments(X: sp.coo_array) -> tuple[FloatArray, FloatArray]:
    """Return the mean and the variance of the stored entries of each column."""
    n = X.shape[1]
    counts = np.maximum(np.bincount(X.col, minlength=n), 1)
    mean = np.bincount(X.col, X.data, minlength=n) / counts
    centred = X.data - mean[X.col]
    return mean, np.bincount(X.col, centred**2, minlength=n) / counts


def check_not_negative(X: Any, setting: Setting) -> None:
    """Refuse negative entries, and name the most negative one."""
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
