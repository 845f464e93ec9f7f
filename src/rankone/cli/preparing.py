"""What is done to entries before a fit, as flags say, and when to suggest it."""

from __future__ import annotations

from argparse import Namespace

from rankone import Prepare, RankOneCoclustering, RankOneTree
from rankone.io import Table
from rankone.matrix import Matrix, as_matrix

#: The ratio of standard deviations above which standardising is suggested.
UNEQUAL = 30.0


def preparation(arguments: Namespace) -> Prepare | None:
    """Return the preparation that was asked for, if any."""
    if not (arguments.normalise or arguments.log or arguments.standardise):
        return None
    return Prepare(
        normalise=arguments.normalise, log=arguments.log, standardise=arguments.standardise
    )


def should_standardise(
    model: RankOneCoclustering | RankOneTree, table: Table, has_margins: bool
) -> bool:
    """Return whether columns, if not compared with their margins, seem to have other units."""
    if has_margins:
        return False
    if model.prepare_ is None:
        return differ_in_units(model.matrix_)
    if model.prepare_.standardise is not None:
        return False
    return differ_in_units(as_matrix(model.prepare_.transform(table.values), model.missing))


def differ_in_units(matrix: Matrix) -> bool:
    """Return whether columns vary so differently that they must be in different units."""
    counts = matrix.totals.column_counts
    means = matrix.totals.columns / counts
    variances = matrix.squares()[1] / counts - means**2
    variances = variances[variances > 1e-9 * means**2]  # others may be rounding
    return bool(variances.size and variances.max() > UNEQUAL**2 * variances.min())
