"""``rankone predict``: new rows, placed in clusters that were found before."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

import numpy as np

from rankone import RankOneCoclustering
from rankone.cli.files import check_absent, read_table, write_text
from rankone.cli.preparing import logarithms
from rankone.io import FileError, Table
from rankone.io.table import quoted
from rankone.io.writing import csv_text, json_text


def run(arguments: Namespace) -> None:
    """Load, read, predict and write."""
    if arguments.out is not None:
        check_absent([arguments.out], arguments.force)
    model = RankOneCoclustering.load(arguments.model)
    titles = vars(model).pop("feature_names_in_", None)
    table = matched(arguments.matrix, read_table(arguments), titles)
    values = logarithms(table.values) if getattr(model, "logarithm_", False) else table.values
    if getattr(model, "scaling_", None) is not None:
        values = (values - model.scaling_[0]) / model.scaling_[1]
    columns: dict[str, Any] = {"name": table.names(0), "label": model.predict(values)}
    if hasattr(model, "transform"):
        columns["score"] = model.transform(values)[:, 0]

    def write(file: Any) -> None:
        csv_text(columns, file) if not arguments.json else file.write(json_text(columns))

    write_text(arguments.out, arguments.force, write)


def matched(name: str, table: Table, titles: Any) -> Table:
    """Return the columns that a model was fitted to, in its order, if all names are known."""
    if titles is None or table.column_names is None:
        return table
    where: dict[str, int] = {}
    for j, title in enumerate(table.column_names):
        where.setdefault(title, j)
    if len(set(titles)) < len(titles) or list(titles) == list(table.column_names):
        return table
    absent = [title for title in titles if title not in where]
    if absent:
        more = f" (and {len(absent) - 1} more)" if len(absent) > 1 else ""
        raise FileError(name, f"it has no column {quoted(absent[0])}{more}, which the model needs.")
    return table.select_columns(np.array([where[title] for title in titles]).tolist())
