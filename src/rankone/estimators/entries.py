"""Entries that are not what was counted or measured: weights, logarithms, names of rows.

Each is pointed out by a warning; what was given is clustered as it is.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rankone._warnings import warn
from rankone.errors import Input, InputWarning, Setting, Worded
from rankone.io.names import naming_columns
from rankone.matrix import Matrix
from rankone.matrix.tiles import ALL
from rankone.preparation import Prepare
from rankone.typing import FloatArray

__all__ = ["warn_of_names", "warn_of_weights"]

#: The least number of rows, and of different entries, that rule out a coincidence.
FEWEST_ROWS, FEWEST_ENTRIES = 5, 3

#: The number of rows whose entries are inspected.
MOST_ROWS = 64

#: The relative error of entries in single precision after a few operations.
ROUNDING = 1e-5

#: Logarithms of larger counts cannot be told from those of other numbers.
LARGEST_COUNT = 1000.0

#: The bases in which counts are logged: log(1 + x).
BASES = (np.e, 2.0, 10.0)


def warn_of_weights(matrix: Matrix, prepare: Prepare | None) -> None:
    """Warn of entries that were made of counts: logarithms, or weights of rows of unit length."""
    if matrix.totals.has_negative or matrix.census.is_whole or matrix.shape[0] < FEWEST_ROWS:
        return
    if _has_unit_rows(matrix):
        problem = "The rows of {X} have length one, as TF-IDF weights do"
        suggestion = (
            "counts need no weights here, because they are compared with their margins: give the "
            "counts themselves, if you have them"
        )
    elif (kind := _logged(matrix)) is not None:
        problem = f"The entries of {{X}} are logarithms of {kind}"
        suggestion = (
            "give the counts themselves, if you have them: they are recognised, and logarithms are "
            "taken where they help"
        )
        if prepare is not None and prepare.log:
            suggestion = "leave out {log}, or give the counts themselves"
    else:
        return
    warn(Worded(problem, suggestion, X=Input(), log=Setting("log", True)), InputWarning)


def _has_unit_rows(matrix: Matrix) -> bool:
    """Return whether all rows that are not empty have length one, and some entries are zero."""
    squares = matrix.census.row_squares[matrix.census.row_squares > 0]
    units = bool((np.abs(squares - 1.0) <= ROUNDING).all())
    return matrix.census.n_zeros > 0 and squares.size >= FEWEST_ROWS and units


def _logged(matrix: Matrix) -> str | None:
    """Return what entries are logarithms of: counts, or counts of rows with the same sum."""
    m = matrix.shape[0]
    rows = np.unique(np.linspace(0, m - 1, min(m, MOST_ROWS)).astype(np.intp))
    entries = matrix.take(rows, ALL).array()
    observed = np.unique(entries[entries > 0])
    if observed.size < FEWEST_ENTRIES or observed[-1] > np.log(1e12):
        return None
    for base in BASES:
        if _are_counts(base**observed - 1.0):
            return "counts, log(1 + x)"
    for base in BASES:
        sums = np.nansum(base**entries - 1.0, axis=1)
        sums = sums[sums > 0]
        if sums.size >= FEWEST_ROWS and np.ptp(sums) <= 10 * ROUNDING * sums.mean():
            return "counts in rows that were normalised to one sum"
    return None


def _are_counts(values: FloatArray) -> bool:
    """Return whether values are whole numbers, up to rounding of their logarithms."""
    small = values[values <= LARGEST_COUNT]
    errors = np.abs(small - np.round(small))
    return small.size >= FEWEST_ENTRIES and bool((errors <= ROUNDING * (1.0 + small)).all())


def warn_of_names(X: Any, values: Any) -> None:
    """Warn of columns of a frame that seem to name its rows.

    Parameters
    ----------
    X : object
        What the user gave.
    values : ndarray or other
        Its entries.
    """
    if not hasattr(X, "columns") or not isinstance(values, np.ndarray):
        return
    for j in naming_columns(values, list(X.columns)):
        name, has_names = X.columns[j], hasattr(X, "index") and X.index.dtype.kind == "O"
        index = f"X.set_index({name!r})" if hasattr(X, "set_index") else f"X.drop({name!r})"
        message = Worded(
            "Column {name} of {X} holds a different whole number in each row, and is clustered as "
            "data",
            "if it names the rows, pass {call}",
            name=repr(name),
            X=Input(),
            call=f"X.drop(columns={name!r})" if has_names else index,
        )
        warn(message, InputWarning)
