"""What is done to entries before a fit, and again to new rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

from rankone.matrix import Matrix
from rankone.typing import FloatArray

#: The ratio of standard deviations that is worth a word.
UNEQUAL = 30.0


def logarithms(values: Any) -> Any:
    """Return log(1 + entry), of entries that are not negative."""
    stored = values.data if sp.issparse(values) else values
    if stored.size and np.nanmin(stored) < 0:
        raise ValueError("--log needs entries that are not negative.")
    if sp.issparse(values):
        values = values.astype(float)
        values.data = np.log1p(values.data)
        return values
    return np.log1p(values, dtype=float)


def check_dense(values: Any) -> None:
    """Refuse to standardise a sparse matrix."""
    if sp.issparse(values):
        raise ValueError(
            "--standardise would fill a sparse matrix with numbers; use --log, or a dense file."
        )


def means_and_scales(values: Any) -> tuple[FloatArray, FloatArray]:
    """Return the mean and the standard deviation of each column, over entries that exist.

    A column that is constant has the scale one.
    """
    check_dense(values)
    exists = values == values
    counts = np.maximum(exists.sum(axis=0), 1)
    with np.errstate(over="ignore", invalid="ignore"):
        means = np.where(exists, values, 0.0).sum(axis=0) / counts
        squares = np.square(np.where(exists, values - means, 0.0)).sum(axis=0)
        scales = np.sqrt(squares / counts)
    if not np.isfinite(scales).all():
        raise ValueError("entries are too large to be standardised; divide them by a constant.")
    return means, np.where(scales > 1e-12 * np.abs(means), scales, 1.0)


def differ_in_units(matrix: Matrix) -> bool:
    """Say whether the columns of a matrix vary so differently that their units must differ."""
    counts = matrix.totals.column_counts
    means = matrix.totals.columns / counts
    variances = matrix.squares()[1] / counts - means**2
    variances = variances[variances > 1e-9 * means**2]  # the others may be rounding
    return bool(variances.size and variances.max() > UNEQUAL**2 * variances.min())
