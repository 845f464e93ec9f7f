"""From what a user gives to a learner to a checked matrix."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.validation import validate_data

from rankone.errors import Entry, InputError, Setting
from rankone.matrix import Matrix, as_matrix


def read_fitted(estimator: Any, X: Any) -> Matrix:
    """Check the matrix of a fit, and remember the names of its rows and columns."""
    X = _unmasked(X)
    vars(estimator).pop("row_names_in_", None)
    names = getattr(X, "index", None)
    if names is not None and hasattr(X, "columns"):
        estimator.row_names_in_ = np.asarray(names, dtype=object)
    matrix = as_matrix(_validated(estimator, X, reset=True), estimator.missing)
    if estimator._is_shared():
        check_symmetric(matrix)
    return matrix


def read_new(estimator: Any, X: Any) -> Matrix:
    """Check new rows, which must have the columns of the fitted matrix and be as its own."""
    X = _validated(estimator, _unmasked(X), reset=False)
    matrix = as_matrix(X, estimator.missing, empty_columns=True)
    if matrix.n_missing and not estimator.__sklearn_tags__().input_tags.allow_nan:
        raise InputError(
            f"X has missing entries (NaN), but the learner was fitted with "
            f"{estimator._vectors_of_rows()}, which does not accept them",
            "use marginal, nmf or svd",
        )
    counts = estimator.result_.refined and estimator.loss_ == "poisson"
    if counts and matrix.totals.has_negative:
        i, j, value = matrix.first_negative()
        raise InputError(
            "the learner was fitted to counts, but {entry} is {value}",
            "new rows must not be negative either",
            entry=Entry(i, j),
            value=f"{value:g}",
        )
    return matrix


def _unmasked(X: Any) -> Any:
    """Return a masked array with NaN where it is masked, and anything else as it is."""
    return np.ma.filled(X.astype(np.float64), np.nan) if isinstance(X, np.ma.MaskedArray) else X


def _validated(estimator: Any, X: Any, reset: bool) -> Any:
    """Check the shape and the names of columns, as every scikit-learn estimator does."""
    return validate_data(
        estimator,
        X,
        reset=reset,
        accept_sparse=("csr", "csc"),
        ensure_all_finite=False,  # as_matrix says where
    )


def check_symmetric(matrix: Matrix) -> None:
    """Refuse a matrix that is not symmetric, to the precision of its sums."""
    m, n = matrix.shape
    symmetric = Setting("symmetric", True)
    if m != n:
        raise InputError(
            f"{{symmetric}} needs a square matrix, but X has {m} rows and {n} columns",
            symmetric=symmetric,
        )
    # Products with a random vector from both sides are equal in a symmetric matrix only.
    probe = np.random.default_rng(0).uniform(1.0, 2.0, n)
    for operator in (matrix, matrix.observed):
        above, below = operator @ probe, operator.T @ probe
        if not np.allclose(above, below, rtol=1e-9, atol=1e-9 * np.abs(above).max()):
            raise InputError(
                "{symmetric} needs a symmetric matrix, but X is not", symmetric=symmetric
            )
