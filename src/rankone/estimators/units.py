"""Columns in different units, which look like structure: a warning that says what to do."""

from __future__ import annotations

from rankone._warnings import warn
from rankone.errors import Input, InputWarning, Setting, Worded
from rankone.matrix import Matrix
from rankone.preparation import Prepare
from rankone.views.margins import is_relative

__all__ = ["UnitsWarning", "warn_of_units"]

#: The ratio of the standard deviations of two columns that only different units explain.
UNEQUAL = 30.0

#: The share of its squared mean up to which the variance of a column may be rounding.
ROUNDING = 1e-9


class UnitsWarning(InputWarning):
    """Columns seem to be in different units, and are not standardised."""


def warn_of_units(matrix: Matrix, prepare: Prepare | None) -> None:
    """Warn of columns that seem to be in different units, unless they are standardised.

    Matrices in which zero means absence have rare columns and frequent ones in the same unit, and
    are compared with their margins.
    """
    standardised = prepare is not None and prepare.standardise is not None
    if standardised or not _differ_in_units(matrix) or is_relative(matrix):
        return
    message = Worded(
        "Some columns of {X} vary far more than others, as if they were in different units",
        "standardise them with {prepare}",
        X=Input(),
        prepare=Setting("prepare", Prepare(standardise="columns")),
    )
    warn(message, UnitsWarning)


def _differ_in_units(matrix: Matrix) -> bool:
    """Return whether columns vary so differently that they must be in different units."""
    counts = matrix.totals.column_counts
    means = matrix.totals.columns / counts
    variances = matrix.census.column_squares / counts - means**2
    variances = variances[variances > ROUNDING * means**2]
    return bool(variances.size and variances.max() > UNEQUAL**2 * variances.min())
