"""Single columns of files: values that are to be cut, labels that are to be compared."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import scipy.sparse as sp

from rankone.io.delimited import lines_of
from rankone.io.layout import Layout, Options, find_layout
from rankone.io.reading import FORMATS, format_of, read_matrix
from rankone.io.source import Source
from rankone.io.table import FileError, Table, quoted, shown
from rankone.io.writing import without_guard

#: What columns of labels are called.
LABELS = ("label", "labels", "cluster", "class", "truth", "target")


def read_column(
    path: str | os.PathLike[str] | Source, column: str | int | None = None, **how: Any
) -> Table:
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
    source = Source.of(path)
    with source.guarded():
        _, options = FORMATS[how.get("format") or format_of(source)]
    if column is not None and "keep" in options:
        return read_matrix(source, keep=[column], **how)
    table = read_matrix(source, **how)
    m, n = table.values.shape
    if column is None and m == 1 and n > 1:
        return _dense(Table(table.values.T, table.column_names, None, how=table.how))
    if column is None and n > 1:
        titles = [shown(name, 20) for name in table.names(1)[:10]]
        listed = ", ".join(titles) + (", ..." if n > 10 else "")
        raise FileError(source.name, f"it has {n} columns; say which, by --column: {listed}.")
    return _dense(table.select_columns([0 if column is None else _position(source, table, column)]))


def _position(source: Source, table: Table, column: str | int) -> int:
    if table.column_names is not None and column in table.column_names:
        return list(table.column_names).index(str(column))
    if str(column).isdecimal() and 1 <= int(column) <= table.values.shape[1]:
        return int(column) - 1
    raise FileError(source.name, f"it has no column {quoted(str(column))}.")


def _dense(table: Table) -> Table:
    values = table.values.toarray() if sp.issparse(table.values) else table.values
    return replace(table, values=values)


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
        A table in text, with a column that is called *label* (or *cluster*, *class*, *truth*,
        *target*), whose first column, if it is another, has names; a text with a label in each
        line; or a vector in a ``.npy`` file.
    column : str or int, optional
        The column of labels, by title or by number from 1.

    Returns
    -------
    Labels
    """
    source = Source.of(path)
    with source.guarded():
        if format_of(source) == "npy":
            return Labels(_labels_of_array(source), None)
        layout = find_layout(source, Options(header=True, index=0, keep=_listed(column)))
        where = layout.kept[0] if column is not None else _labelled(source, layout)
        if where is None:
            layout, where = replace(layout, header=None), 0
        rows = [row for _, row in lines_of(source, layout)]
    names = None if where == 0 else [without_guard(row[0]) for row in rows]
    return Labels([row[where] for row in rows], names)


def _listed(column: str | int | None) -> tuple[str | int, ...]:
    return () if column is None else (column,)


def _labelled(source: Source, layout: Layout) -> int | None:
    """Return which column has labels; None if lines are labels, without a title."""
    titles = [title.lower() for title in layout.header or ()]
    where = next((j for j, title in enumerate(titles) if title in LABELS), None)
    if where is None and layout.width > 1:
        raise FileError(
            source.name, "no column of it is called label; say which it is, by --column."
        )
    return where


def _labels_of_array(source: Source) -> list[str]:
    values = np.asarray(read_matrix(source).values)
    if values.shape[1] != 1:
        raise FileError(source.name, f"it is not a vector of labels: {values.shape}.")
    return [str(int(x)) if x == int(x) else repr(x) for x in values[:, 0].tolist()]
