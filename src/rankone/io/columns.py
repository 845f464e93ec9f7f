"""Read single columns of files: values to be cut, labels to be compared."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import scipy.sparse as sp

from rankone.errors import FileError, Setting
from rankone.io.layout import Layout, column_position, find_layout
from rankone.io.lines import lines_of
from rankone.io.options import Options
from rankone.io.reading import FORMATS, format_of, read_matrix
from rankone.io.source import Source
from rankone.io.table import Table
from rankone.io.writing import without_guard
from rankone.io.xlsx import DELIMITER, sheet_as_text
from rankone.wording import listed

#: The titles of columns of labels.
LABELS = ("label", "labels", "cluster", "class", "truth", "target")


def read_column(
    path: str | os.PathLike[str] | Source, column: str | int | None = None, **how: Any
) -> Table:
    """Read one column of a file, or the only one.

    Parameters
    ----------
    path : str or path-like
        The file, in any of the formats of `read_matrix`.
    column : str or int, optional
        Its title, or its number from 1.
    **how
        Options of `read_matrix`.

    Returns
    -------
    Table
        A table of one column.
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
        raise FileError(
            source.name,
            f"it has {n} columns",
            "choose one by {column}: {titles}",
            column=Setting("column"),
            titles=listed(table.names(1)[:11], length=20),
        )
    position = 0 if column is None else column_position(source, table.column_names, n, column)
    return _dense(table.select_columns([position]))


def _dense(table: Table) -> Table:
    values = table.values.toarray() if sp.issparse(table.values) else table.values
    return replace(table, values=values)


@dataclass(frozen=True)
class Labels:
    """Labels, and the names of the labelled objects, if the file has them."""

    labels: Sequence[str]
    names: Sequence[str] | None


def read_labels(path: str | os.PathLike[str], column: str | int | None = None) -> Labels:
    """Read labels from a table, such as ``rankone fit`` writes, or from a list of labels.

    Parameters
    ----------
    path : str or path-like
        A text file with a column *label* (or *cluster*, *class*, *truth*, *target*), whose first
        column, if it is another one, holds names; a text file with one label a line; or a vector
        in a ``.npy`` file.
    column : str or int, optional
        The column of labels, by title or by number from 1.

    Returns
    -------
    Labels
    """
    source = Source.of(path)
    with source.guarded():
        format, delimiter = format_of(source), None
        if format == "npy":
            return Labels(_labels_of_array(source), None)
        if format == "xlsx":
            (_, source), delimiter = sheet_as_text(source), DELIMITER
        layout = find_layout(source, Options(delimiter, header=True, index=0, keep=_chosen(column)))
        where = layout.kept[0] if column is not None else _labelled(source, layout)
        if where is None:
            layout, where = replace(layout, header=None), 0
        rows = [row for _, row in lines_of(source, layout)]
    names = None if where == 0 else [without_guard(row[0]) for row in rows]
    return Labels([row[where] for row in rows], names)


def _chosen(column: str | int | None) -> tuple[str | int, ...]:
    return () if column is None else (column,)


def _labelled(source: Source, layout: Layout) -> int | None:
    """Return the column of labels, or None if each line is a label and there is no title."""
    titles = [title.lower() for title in layout.header or ()]
    where = next((j for j, title in enumerate(titles) if title in LABELS), None)
    if where is None and layout.width > 1:
        raise FileError(
            source.name,
            "it has no column called label",
            "choose the column of labels by {column}",
            column=Setting("column"),
        )
    return where


def _labels_of_array(source: Source) -> list[str]:
    values = np.asarray(read_matrix(source).values)
    if values.shape[1] != 1:
        raise FileError(source.name, f"it is not a vector of labels: its shape is {values.shape}")
    return [str(int(x)) if float(x).is_integer() else repr(x) for x in values[:, 0].tolist()]
