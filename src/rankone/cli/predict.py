"""``rankone predict``: new rows, placed in the clusters of a fitted model."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import replace
from typing import Any

import scipy.sparse as sp

from rankone import RankOneCoclustering
from rankone.cli.files import check_absent, read_table, write_text
from rankone.cli.messages import said_of_the_file
from rankone.io import FileError, Table
from rankone.io.table import quoted
from rankone.io.writing import csv_text, json_text


def run(arguments: Namespace) -> None:
    """Load, read, predict and write."""
    if arguments.out is not None:
        check_absent([arguments.out], arguments.force)
    model = RankOneCoclustering.load(arguments.model)
    titles = getattr(model, "feature_names_in_", None)
    table = matched(arguments.matrix, read_table(arguments), titles)
    columns: dict[str, Any] = {"name": table.names(0)}
    with said_of_the_file(arguments.matrix, table):
        if not hasattr(model, "predict"):
            raise FileError(
                arguments.model, "it was fitted with a method that cannot place new rows."
            )
        columns["label"] = model.predict(table)
        if hasattr(model, "transform"):
            columns["score"] = model.transform(table)[:, 0]

    def write(file: Any) -> None:
        csv_text(columns, file) if not arguments.json else file.write(json_text(columns))

    write_text(arguments.out, arguments.force, write)


def matched(name: str, table: Table, titles: Any) -> Table:
    """Return the columns that a model was fitted to, in its order, if all names are known.

    In triplets, columns that do not occur in the new rows have no entries, as others may.
    """
    if titles is None or table.column_names is None or list(titles) == list(table.column_names):
        return table
    where = {title: j for j, title in enumerate(table.column_names)}
    if len(where) < len(table.column_names) or len({*titles}) < len(titles):
        raise FileError(name, "titles of columns repeat, and are not those of the model in order.")
    absent = [title for title in titles if title not in where]
    if absent and table.how.get("format") == "triplets":
        wider = sp.hstack([table.values, sp.csr_array((table.values.shape[0], 1))], format="csr")
        table = replace(table, values=wider, column_names=[*table.column_names, ""])
        table = table.select_columns([where.get(title, len(where)) for title in titles])
        return replace(table, column_names=list(titles))
    if absent:
        more = f" (and {len(absent) - 1} more)" if len(absent) > 1 else ""
        raise FileError(name, f"it has no column {quoted(absent[0])}{more}, which the model needs.")
    return table.select_columns([where[title] for title in titles])
