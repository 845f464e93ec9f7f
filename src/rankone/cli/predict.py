"""``rankone predict``: place new rows in clusters that were found before."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rankone.cli.arguments import add_json, add_output, add_reading
from rankone.cli.files import check_absent, check_present, read_table, write_table
from rankone.cli.messages import messages_about
from rankone.cli.resources import add_resources, resources
from rankone.errors import FileError
from rankone.wording import quoted

if TYPE_CHECKING:
    from rankone.io import Table

USAGE = "MODEL MATRIX [options]"
DESCRIPTION = """\
Place new rows in the clusters of a fitted model (new columns, if it is a tree of
columns), and write the confidence of each. Columns are matched by title if both
the model and the file have titles."""
EXAMPLES = """\
example:
  rankone predict wine-clusters/model.npz new-wines.csv --out labels.csv"""


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of this command."""
    parser.add_argument(
        "model", metavar="MODEL", help="model.npz of rankone fit, or of rankone tree"
    )
    parser.add_argument("matrix", metavar="MATRIX", help="new rows; '-' for standard input")
    add_output(parser, "table of labels (default: standard output)")
    add_json(parser)
    add_reading(parser)
    add_resources(parser, fits=False)


def run(arguments: Namespace) -> None:
    """Load a model, read new rows, and write their labels."""
    check_present(arguments.model, arguments.matrix)
    from rankone import RankOneCoclustering, RankOneTree
    from rankone.saving import load

    if arguments.out is not None:
        check_absent([arguments.out], arguments.force)
    model = load(arguments.model, RankOneCoclustering, RankOneTree)
    with resources(arguments):
        write_table(arguments, _predictions(arguments, model, isinstance(model, RankOneTree)))


def _predictions(arguments: Namespace, model: Any, is_tree: bool) -> dict[str, Any]:
    """Return the names, labels, scores and confidences of new rows."""
    import numpy as np

    table = read_table(arguments)
    places_columns = is_tree and model.axis == "columns"
    if not places_columns:
        table = matched(arguments.matrix, table, getattr(model, "feature_names_in_", None))
    columns: dict[str, Any] = {"name": table.names(int(places_columns))}
    with messages_about(arguments, table):
        if not hasattr(model, "predict"):
            raise FileError(
                arguments.model,
                "its method cannot place new rows in clusters",
                "fit again with refinement (without --no-refine), or with other --vectors",
            )
        columns["label"] = model.set_params(n_jobs=arguments.jobs).predict(table)
        if not is_tree and hasattr(model, "transform"):
            columns["score"] = model.transform(table)[:, 0]
        labels = columns["label"]
        columns["confidence"] = model.predict_proba(table)[np.arange(labels.size), labels]
    return columns


def matched(name: str, table: Table, titles: Any) -> Table:
    """Return the columns of the model in its order, if the columns of both have titles.

    In triplets, columns without an entry in the new rows are not listed, and are added.
    """
    import scipy.sparse as sp

    if titles is None or table.column_names is None or list(titles) == list(table.column_names):
        return table
    where = {title: j for j, title in enumerate(table.column_names)}
    if len(where) < len(table.column_names) or len({*titles}) < len(titles):
        raise FileError(
            name,
            "some titles of columns are repeated, so that columns cannot be matched by title",
            "rename them, or give the columns of the model in its order",
        )
    absent = [title for title in titles if title not in where]
    if absent and table.how.get("format") == "triplets":
        wider = sp.hstack([table.values, sp.csr_array((table.values.shape[0], 1))], format="csr")
        table = replace(table, values=wider, column_names=[*table.column_names, ""])
        table = table.select_columns([where.get(title, len(where)) for title in titles])
        return replace(table, column_names=list(titles))
    if absent:
        more = f" (and {len(absent) - 1} more)" if len(absent) > 1 else ""
        raise FileError(
            name,
            f"it has no column {{title}}{more}, which the model needs",
            title=quoted(absent[0]),
        )
    return table.select_columns([where[title] for title in titles])
