"""What is done to entries before a fit, as flags say, and when to suggest it."""

from __future__ import annotations

from argparse import Namespace

from rankone import Prepare
from rankone.matrix import Matrix

#: The ratio of standard deviations above which standardising is suggested.
UNEQUAL = 30.0


def preparation(arguments: Namespace) -> Prepare | None:
    """Return the preparation that was asked for, if any."""
    if not (arguments.log or arguments.standardise):
        return None
    return Prepare(log=arguments.log, standardise="columns" if arguments.standardise else None)


def differ_in_units(matrix: Matrix) -> bool:
    """Say whether columns vary so differently that they must be in different units."""
    counts = matrix.totals.column_counts
    means = matrix.totals.columns / counts
    variances = matrix.squares()[1] / counts - means**2
    variances = variances[variances > 1e-9 * means**2]  # others may be rounding
    return bool(variances.size and variances.max() > UNEQUAL**2 * variances.min())
