"""Columns of whole numbers that name the rows, and look like data to a reader of numbers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from rankone.errors import Setting
from rankone.io.notes import note
from rankone.io.table import Table
from rankone.typing import FloatArray
from rankone.wording import quoted

#: Last words of titles of columns that name rows.
TITLES = frozenset(
    (
        *("id", "ids", "identifier", "uuid", "index", "idx", "key", "code", "name", "label"),
        *("no", "nr", "num", "number", "serial", "row", "rowname", "rownames", "rowid"),
        *("respondent", "participant", "subject", "patient", "person", "user", "customer"),
        *("sample", "case", "record", "observation", "obs", "unnamed"),
    )
)

#: Rows from which on it is no coincidence that whole numbers rise from row to row (n! orders), and
#: the number of equal pairs to be expected from which on it is none that all numbers differ.
FEWEST, COLLISIONS = 8, 7.0


def naming_columns(values: FloatArray, titles: Sequence[Any] | None) -> list[int]:
    """Return the columns that seem to name the rows.

    These are the first one if it holds whole numbers that differ too regularly to be data, and all
    others of different whole numbers whose title says so.

    Parameters
    ----------
    values : ndarray of shape (m, n)
    titles : sequence, optional

    Returns
    -------
    list of int

    Examples
    --------
    >>> import numpy as np
    >>> answers = np.random.default_rng(0).integers(1, 6, (20, 4))
    >>> naming_columns(np.column_stack([np.arange(101, 121), answers]), None)
    [0]
    """
    if values.shape[0] < 3 or values.shape[1] < 2:
        return []
    titled = {j for j, title in enumerate(titles or ()) if _names_rows(str(title))}
    return [
        j
        for j in sorted({0, *titled})
        if tells_rows_apart(values[:, j]) and (j in titled or is_regular(values[:, j]))
    ]


def tells_rows_apart(values: FloatArray) -> bool:
    """Return whether values are whole numbers, all of them different."""
    column = np.asarray(values, np.float64)
    return bool((column == np.floor(column)).all()) and np.unique(column).size == column.size


def is_regular(values: FloatArray) -> bool:
    """Return whether it can be no coincidence that whole numbers are all different.

    They rise or fall from row to row, or so many fill their range so densely that some should be
    equal.
    """
    column, n = np.asarray(values, np.float64), len(values)
    steps = np.diff(column)
    if n >= FEWEST and bool((steps > 0).all() or (steps < 0).all()):
        return True
    return bool(n * (n - 1) / 2 > COLLISIONS * (np.ptp(column) + 1))


def note_names(table: Table) -> None:
    """Point out columns that seem to name the rows, but were read as data."""
    titles = table.column_names
    if not isinstance(table.values, np.ndarray) or (titles is None and table.row_names is not None):
        return
    for j in naming_columns(table.values, titles):
        title = None if titles is None or list(titles).count(titles[j]) > 1 else titles[j]
        note(
            "Column {title} holds a different whole number in each row, and is read as data",
            "if it names the rows, give {index}; if it is data, {none}"
            if table.row_names is None
            else "if it only names the rows, give {drop}",
            title=str(j + 1) if title is None else quoted(title),
            index=Setting("index", title or j + 1),
            drop=Setting("drop", title or j + 1),
            none=Setting("index", 0),
        )


def _names_rows(title: str) -> bool:
    """Return whether the last word of a title is a word for names: ``user_id``, ``PassengerId``."""
    words = re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", title)
    return bool(words) and words[-1].lower() in TITLES
