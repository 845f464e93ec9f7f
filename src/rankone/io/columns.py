"""Single columns of files: values that are to be cut, labels that are to be compared."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rankone.io.delimited import lines_of
from rankone.io.layout import find_layout
from rankone.io.reading import read_matrix
from rankone.io.source import Source
from rankone.io.table import FileError, Table, shown
from rankone.io.writing import without_guard

#: What columns of labels are called.
LABELS = ("label", "labels", "cluster", "class", "truth", "target")


def read_column(path: str | os.PathLike[str], column: str | int | None = None, **how: Any) -> Table:
    """Read one column of a file, or a file that has only one.

    Parameters
    ----------
    path : str or path-like
    column : str or int, optional
        Its title, or its number from 1.
    **how
        What `read_matrix` takes.

    Returns
    -------
    Table
        Of one column.
    """
    if column is not None:
        try:
            return read_matrix(path, keep=[column], **how)
        except FileError as error:
            if "keep is not an option" not in str(error):
                raise
    table = read_matrix(path, **how)
    if column is not None:
        return table.select_columns([_position(os.fspath(path), table, column)])
    m, n = table.values.shape
    if m == 1 and n > 1:
        return Table(table.values.T, table.column_names, None, how=table.how)
    if n > 1:
        titles = [shown(name, 20) for name in table.names(1)[:10]]
        listed = ", ".join(titles) + (", ..." if n > 10 else "")
        raise FileError(os.fspath(path), f"it has {n} columns; say which (column): {listed}.")
    return table


def _position(name: str, table: Table, column: str | int) -> int:
    if str(column).isdecimal() and 1 <= int(column) <= table.values.shape[1]:
        return int(column) - 1
    raise FileError(name, f"it has no column {column}; its columns are numbered from 1.")


@dataclass(frozen=True)
class Labels:
    """Labels, and the names of what they belong to, if the file has them."""

    labels: Sequence[str]
    names: Sequence[str] | None


def read_labels(path: str | os.PathLike[str], column: str | int | None = None) -> Labels:
    """Read labels from a table, such as `rankone fit` writes, or from a list.

    Parameters
    ----------
    path : str or path-like
        Text: with a column that is called *label*, or that is the last; its first, if it has more
        than one, has names. Or a vector in a ``.npy`` file.
    column : str or int, optional
        The column of labels, by title or by number from 1.

    Returns
    -------
    Labels
    """
    source = Source.of(path)
    if source.head(6) == b"\x93NUMPY":
        values = np.asarray(read_matrix(path).values)
        if values.shape[1] != 1:
            raise FileError(source.name, f"it is not a vector of labels: {values.shape}.")
        return Labels([f"{value:g}" for value in values[:, 0].tolist()], None)
    layout = find_layout(source, None, True, 0, (), (), ".", "utf-8")
    titles = [title.strip().lower() for title in layout.header or ()]
    where = next((j for j, title in enumerate(titles) if title in LABELS), None)
    if column is not None:
        where = find_layout(source, None, True, 0, [column], (), ".", "utf-8").kept[0]
    if where is None:
        layout = find_layout(source, None, False, 0, (), (), ".", "utf-8")
        where = layout.width - 1
    rows = []
    for line, row in lines_of(source, layout):
        if len(row) != layout.width:
            what = f"it has {len(row)} cells, and lines before it have {layout.width}."
            raise FileError(source.name, what, line)
        rows.append(row)
    named = layout.width > 1 and where != 0
    names = [without_guard(row[0]) for row in rows] if named else None
    return Labels([row[where] for row in rows], names)
