"""``rankone fit``: clusters of the rows and columns of a matrix in a file."""

from __future__ import annotations

import sys
import time
from argparse import Namespace
from contextlib import nullcontext
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from rankone import RankOneCoclustering
from rankone._atomic import replacing
from rankone.cli.console import count, note, status, table_text
from rankone.cli.files import check_absent, new_folder, read_table
from rankone.cli.messages import said_of_the_file
from rankone.cli.methods import parse_method
from rankone.cli.preparing import differ_in_units, preparation
from rankone.cli.summary import summary_of
from rankone.io import Table, write_csv, write_json
from rankone.io.table import shown
from rankone.io.writing import json_text
from rankone.matrix import as_matrix
from rankone.methods import CUTS, VECTORS
from rankone.result import SIDES

TABLES = ("rows.csv", "columns.csv", "blocks.csv", "summary.json", "model.npz")
PICTURES = ("blocks.png", "rows.png", "columns.png")
DPI = 120


def run(arguments: Namespace) -> None:
    """Read, fit, write and print."""
    model = learner(arguments)
    pictures = () if arguments.no_pictures or not _can_draw(arguments.quiet) else PICTURES
    folder = Path(default_folder(arguments.matrix) if arguments.out is None else arguments.out)
    stale = () if pictures else PICTURES
    if arguments.report is not None:
        check_absent([arguments.report], arguments.force)
        if not Path(arguments.report).absolute().parent.is_dir():
            raise FileNotFoundError(f"the folder of {arguments.report} does not exist.")
    page = nullcontext() if arguments.report is None else replacing(arguments.report)
    with page as file, new_folder(folder, TABLES + pictures, stale, arguments.force) as hidden:
        table = read_table(arguments)
        begun = time.perf_counter()
        with said_of_the_file(arguments.matrix, table):
            fit(model, table, arguments)
        seconds = time.perf_counter() - begun
        if should_standardise(model, table):
            note("some columns vary far more than others; try --standardise.", arguments.quiet)
        summary = summary_of(arguments, table, model, seconds)
        write_tables(hidden, table, model, summary)
        if pictures:
            with status("drawing", arguments.quiet):
                draw(hidden, model)
        if file is not None:
            with status("writing the report", arguments.quiet):
                write_report(file, arguments, model)
    if arguments.json:
        sys.stdout.write(json_text(summary))
    elif not arguments.quiet:
        tell(table, model, summary)
        print(f"\nWritten to {shown(str(folder), 200)}: {', '.join(TABLES + pictures)}")
        if arguments.report is not None:
            print(f"The report is {shown(arguments.report, 200)}; open it in a browser.")


def default_folder(matrix: str) -> str:
    """Return the default folder for results: in the current one, named after the file."""
    name = Path(matrix).name
    stem = Path(name[:-3] if name.endswith(".gz") else name).stem
    return f"{stem if stem and matrix != '-' else 'matrix'}-clusters"


def learner(arguments: Namespace) -> RankOneCoclustering:
    """Return the learner that was asked for."""
    auto = arguments.vectors == "auto"
    return RankOneCoclustering(
        arguments.rows,
        arguments.columns,
        vectors="auto" if auto else parse_method(arguments.vectors, VECTORS, "auto"),
        cut=parse_method(arguments.cut, CUTS),
        selection=arguments.selection,
        refine=not arguments.no_refine,
        loss=arguments.loss,
        symmetric=arguments.symmetric,
        max_clusters=arguments.max_clusters,
        min_cluster_size=arguments.min_cluster_size,
        missing=arguments.missing or "nan",
        prepare=preparation(arguments),
        random_state=arguments.seed,
        verbose=not arguments.quiet,
    )


def fit(model: RankOneCoclustering, table: Table, arguments: Namespace) -> None:
    """Fit a learner to a table."""
    if arguments.missing is None:
        model.set_params(missing=table.missing)
    size = " x ".join(map(str, table.values.shape))
    with status(f"fitting {size} (the very first fit compiles for 20 s)", arguments.quiet):
        model.fit(table)


def should_standardise(model: RankOneCoclustering, table: Table) -> bool:
    """Say whether the columns that were clustered seem to be in different units."""
    if model.loss_ != "gaussian":
        return False
    if model.prepare_ is None:
        return differ_in_units(model.matrix_)
    if model.prepare_.standardise is not None:
        return False
    return differ_in_units(as_matrix(model.prepare_.transform(table.values), model.missing))


def write_tables(
    folder: Path, table: Table, model: RankOneCoclustering, summary: dict[str, Any]
) -> None:
    """Write labels, blocks, the summary and the model."""
    for side in model.result_.sides:
        write_csv(
            folder / f"{side.name}.csv",
            {
                "name": table.names(side.request.axis),
                "label": side.labels,
                "score": side.scores.values,
                "confidence": side.confidence,
            },
        )
    blocks: dict[str, Any] = {"row_cluster": np.arange(model.n_row_clusters_)}
    for column in range(model.n_column_clusters_):
        blocks[f"column_cluster_{column}"] = model.block_values_[:, column]
    write_csv(folder / "blocks.csv", blocks)
    write_json(folder / "summary.json", summary)
    model.save(folder / "model.npz")


def _can_draw(quiet: bool) -> bool:
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        note(
            "matplotlib is not installed, so that there are no pictures; install it with "
            "pip install 'rankone[plot]'.",
            quiet,
        )
        return False
    return True


def draw(folder: Path, model: RankOneCoclustering) -> None:
    """Draw the matrix in its blocks, and the scores of each side with all numbers of clusters."""
    from matplotlib.figure import Figure

    from rankone.plotting import BlocksDisplay, PathDisplay, VectorDisplay

    # Margins are fixed: computing them takes as long as drawing.
    figure = Figure(figsize=(7, 6), dpi=DPI)
    figure.subplots_adjust(left=0.09, right=0.99, bottom=0.09, top=0.94)
    BlocksDisplay.from_estimator(model, ax=figure.subplots())
    figure.savefig(folder / "blocks.png")
    for side in SIDES:
        figure = Figure(figsize=(10.5, 4.2), dpi=DPI)
        figure.subplots_adjust(left=0.075, right=0.9, bottom=0.13, top=0.92, wspace=0.22)
        scores, path = figure.subplots(1, 2)
        VectorDisplay.from_estimator(model, side, ax=scores)
        PathDisplay.from_estimator(model, side, ax=path)
        figure.savefig(folder / f"{side}.png")


def write_report(file: BinaryIO, arguments: Namespace, model: RankOneCoclustering) -> None:
    """Write a page to explore the clusters."""
    name = "standard input" if arguments.matrix == "-" else Path(arguments.matrix).name
    page = model.report(title=f"Clusters of {shown(name)}")
    try:
        file.write(page.html.encode(errors="replace"))
        file.flush()
    except OSError as error:
        error.filename = arguments.report
        raise


def tell(table: Table, model: RankOneCoclustering, summary: dict[str, Any]) -> None:
    """Print the clusters, for people."""
    m, n = table.values.shape
    read = summary["input"]
    header = ", no header" if table.how.get("header") is False else ""
    named = "" if table.row_names is None else ", named rows"
    missing = "nothing missing"
    if read["missing"]:
        missing = f"{count(read['missing'], 'entry')} missing ({read['missing'] / (m * n):.1%})"
    size = f"{count(m, 'row')} x {count(n, 'column')}"
    print(f"{shown(read['file'], 200)}: {size}{header}{named}, {missing}")
    rows, columns = count(model.n_row_clusters_, "cluster"), model.n_column_clusters_
    print(f"{rows} of rows, {columns} of columns{'' if model.converged_ else ' (not converged)'}")
    for side in SIDES:
        print(f"\n{side}")
        print(_clusters(summary["clusters"][side]))
    value = "means" if model.loss_ == "gaussian" else "rates, relative to margins,"
    if model.n_row_clusters_ * model.n_column_clusters_ > 1 and model.n_column_clusters_ <= 12:
        print(f"\n{value} of blocks (a line for each cluster of rows)")
        titles = ["", *(str(column) for column in range(model.n_column_clusters_))]
        lines = [[str(k), *(f"{x:.4g}" for x in row)] for k, row in enumerate(model.block_values_)]
        print(table_text(titles, lines, left=0))


def _clusters(clusters: list[dict[str, Any]]) -> str:
    """Return a table of clusters, with their most certain members."""
    rows = [
        [
            str(cluster["label"]),
            str(cluster["size"]),
            f"{cluster['mean score']:.4g}",
            ", ".join(shown(name, 20) for name in cluster["for example"])
            + (", ..." if cluster["size"] > len(cluster["for example"]) else ""),
        ]
        for cluster in clusters
    ]
    return table_text(("cluster", "size", "mean score", "for example"), rows, left=3)
