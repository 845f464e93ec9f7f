"""From what a user gives to a learner to a checked and prepared matrix."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.utils import Tags
from sklearn.utils.validation import check_array, validate_data

from rankone import errors
from rankone._dask import is_dask
from rankone._stored import Stored
from rankone.checks import briefly
from rankone.errors import Column, Entry, InputError, Setting
from rankone.estimators.annotated import unwrapped
from rankone.estimators.frames import naming_text
from rankone.io.table import Table
from rankone.matrix import Matrix, as_matrix
from rankone.matrix.reading import check_observed
from rankone.preparation import Prepare
from rankone.typing import FloatArray


@dataclass(frozen=True, eq=False)
class Input:
    """Rows as they were given, and as they are clustered.

    Attributes
    ----------
    values : ndarray or sparse matrix
        The entries, checked.
    given : Matrix
        The same entries.
    matrix : Matrix
        The prepared entries; the given ones if nothing is prepared.
    """

    values: Any
    given: Matrix
    matrix: Matrix

    @classmethod
    def prepared(cls, values: Any, missing: Any, prepare: Prepare | None, new: bool) -> Input:
        """Check entries, and prepare them; columns of new rows may lack entries."""
        given = as_matrix(values, missing, empty_columns=new)
        if prepare is None:
            return cls(values, given, given)
        if not new:
            prepare.fit(values)
        return cls(values, given, as_matrix(prepare.transform(values), missing, empty_columns=new))

    def in_original_units(self, filled: FloatArray, prepare: Prepare | None) -> FloatArray:
        """Return prepared entries, of which the missing ones were filled in, in original units."""
        if prepare is None:
            return filled
        entries = self.given.part(*(np.arange(size) for size in self.given.shape))
        restored = prepare.inverse_transform(filled, self.values)
        return np.where(np.isnan(entries), restored, entries)


def read_fitted(estimator: Any, X: Any) -> Input:
    """Check the matrix of a fit, fit the preparation, and remember the names."""
    X = unwrapped(X)
    row_names, column_names = _names(X)
    with naming_text(X):
        values = _validated(estimator, X, reset=True)
    vars(estimator).pop("row_names_in_", None)
    if row_names is not None:
        estimator.row_names_in_ = np.asarray(row_names, dtype=object)
    if column_names is not None:
        estimator.feature_names_in_ = np.array(column_names, dtype=object)
    estimator.prepare_ = None
    if estimator.prepare is not None:
        estimator.prepare_ = clone(estimator.prepare).set_params(missing=estimator.missing)
    with naming_text(X):
        return Input.prepared(values, estimator.missing, estimator.prepare_, new=False)


def read_rows(estimator: Any, X: Any) -> Input:
    """Check new rows, which must have the columns of the fitted matrix, and prepare them."""
    X = unwrapped(X)
    _check_column_names(estimator, _names(X)[1])
    with naming_text(X):
        values = _validated(estimator, X, reset=False)
        return Input.prepared(values, estimator.missing, estimator.prepare_, new=True)


def read_columns(estimator: Any, X: Any, n_rows: int) -> Input:
    """Check new columns, which must have the rows of the fitted matrix."""
    X = unwrapped(X)
    values = check_array(
        X.values if isinstance(X, Table) else X,
        accept_sparse=("csr", "csc"),
        ensure_all_finite=False,  # as_matrix says where
    )
    if values.shape[0] != n_rows:
        raise InputError(
            f"{{X}} has {values.shape[0]} rows, but the learner was fitted to columns of {n_rows}",
            "give the rows of the fitted matrix",
            X=errors.Input(),
        )
    columns = Input.prepared(values, estimator.missing, estimator.prepare_, new=True)
    check_observed(Column, columns.matrix.totals.column_counts)
    return columns


def read_new(estimator: Any, X: Any) -> Input:
    """Check new rows of a learner, whose method and counts must accept them."""
    rows = read_rows(estimator, X)
    if rows.matrix.n_missing and not estimator.__sklearn_tags__().input_tags.allow_nan:
        raise InputError(
            "{X} has missing entries (NaN), but the learner was fitted with {method}, which does "
            "not accept them",
            "use marginal, nmf or svd",
            X=errors.Input(),
            method=estimator._vectors_of_rows(),
        )
    family = estimator.result_.blocks.law.family
    if estimator.result_.refined and family.has_margins:
        refuse_negative(rows.matrix, "the learner was fitted to counts")
    elif estimator.result_.refined:
        family.check(rows.matrix)
    return rows


def refuse_negative(matrix: Matrix, because: str) -> None:
    """Refuse negative entries of new rows."""
    if matrix.totals.has_negative:
        i, j, value = matrix.first_negative()
        raise InputError(
            f"{because}, but {{entry}} is {{value}}",
            "new rows must not be negative either",
            entry=Entry(i, j),
            value=f"{value:g}",
        )


def add_needs(tags: Tags, prepare: Any, missing: Any) -> None:
    """Add what a preparation needs of the input to the tags of a learner."""
    if isinstance(prepare, Prepare):
        needs = clone(prepare).set_params(missing=missing).__sklearn_tags__().input_tags
        tags.input_tags.sparse = needs.sparse
        tags.input_tags.positive_only |= needs.positive_only


def check_prepare(prepare: Any) -> None:
    """Refuse what is no preparation."""
    if not isinstance(prepare, Prepare):
        raise InputError(
            "{prepare} must be a Prepare or None, but it is {value}",
            prepare=Setting("prepare"),
            value=briefly(prepare),
        )


def _names(X: Any) -> tuple[Any, Any]:
    """Return the names of rows, and those of columns that scikit-learn would not find itself."""
    if isinstance(X, Table):
        return X.row_names, X.column_names
    return (X.index if hasattr(X, "index") and hasattr(X, "columns") else None), None


def _check_column_names(estimator: Any, names: Any) -> None:
    """Refuse a table whose columns have other names than those of the fitted matrix."""
    fitted = getattr(estimator, "feature_names_in_", None)
    if names is None or fitted is None or list(names) == list(fitted):
        return
    raise InputError(
        "the names of the columns are not those of the fitted matrix, in its order",
        "select and order the columns",
    )


def _validated(estimator: Any, X: Any, reset: bool) -> Any:
    """Check the shape and the names of columns, as every scikit-learn estimator does."""
    is_table = isinstance(X, Table)
    X = X.values if is_table else X
    if isinstance(X, (Matrix, Stored)) or is_dask(X):
        return _validated_elsewhere(estimator, X, reset)
    if isinstance(X, np.ma.MaskedArray):
        X = np.ma.filled(X.astype(np.float64), np.nan)
    with warnings.catch_warnings():
        if is_table:  # its names were checked
            warnings.filterwarnings("ignore", "X does not have valid feature names", UserWarning)
        return validate_data(
            estimator,
            X,
            reset=reset,
            accept_sparse=("csr", "csc"),
            ensure_all_finite=False,  # as_matrix says where
        )


def _validated_elsewhere(estimator: Any, X: Any, reset: bool) -> Any:
    """Check the columns of a matrix that is not in memory, or not as an array."""
    if len(X.shape) != 2:
        raise InputError(
            f"{{X}} must be a matrix, but it has {len(X.shape)} dimensions", X=errors.Input()
        )
    names = np.array(getattr(X, "columns", ()), dtype=object)
    n_columns = X.shape[1]
    if reset:
        vars(estimator).pop("feature_names_in_", None)
        estimator.n_features_in_ = n_columns
        if names.size:
            estimator.feature_names_in_ = names
    elif n_columns != estimator.n_features_in_:
        raise InputError(
            f"{{X}} has {n_columns} features, but {type(estimator).__name__} is expecting "
            f"{estimator.n_features_in_} features as input",
            X=errors.Input(),
        )
    if estimator.prepare is not None:
        raise InputError(
            "{prepare} needs the entries in memory",
            "prepare the chunks before the fit",
            prepare=Setting("prepare"),
        )
    return X


def check_symmetric(matrix: Matrix) -> None:
    """Refuse a matrix that is not symmetric, to the precision of its sums."""
    m, n = matrix.shape
    symmetric = Setting("symmetric", True)
    if m != n:
        raise InputError(
            f"{{symmetric}} needs a square matrix, but {{X}} has {m} rows and {n} columns",
            symmetric=symmetric,
            X=errors.Input(),
        )
    # Products with a random vector from both sides are equal in a symmetric matrix only.
    probe = np.random.default_rng(0).uniform(1.0, 2.0, n)
    for operator in (matrix, matrix.observed):
        above, below = operator @ probe, operator.T @ probe
        if not np.allclose(above, below, rtol=1e-9, atol=1e-9 * np.abs(above).max()):
            raise InputError(
                "{symmetric} needs a symmetric matrix, but {X} is not",
                symmetric=symmetric,
                X=errors.Input(),
            )
