"""The results of ``rankone fit``: tables, pictures, a report, and text on the terminal."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from rankone import RankOneCoclustering
from rankone.cli.console import table_text
from rankone.io import Table, write_csv, write_json
from rankone.result import SIDES
from rankone.wording import count, shown

#: The resolution of pictures.
DPI = 120


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


def draw(folder: Path, model: RankOneCoclustering) -> None:
    """Draw the blocks of the matrix, and the scores and the path of each side."""
    from matplotlib.figure import Figure

    from rankone.plotting import BlocksDisplay, PathDisplay, VectorDisplay

    # Margins are fixed, because computing them takes as long as drawing.
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
    """Write a page to explore the clusters in."""
    name = "standard input" if arguments.matrix == "-" else Path(arguments.matrix).name
    page = model.report(title=f"Clusters of {shown(name)}")
    try:
        file.write(page.html.encode(errors="replace"))
        file.flush()
    except OSError as error:
        error.filename = arguments.report
        raise


def print_size(file: str, table: Table, n_missing: int) -> None:
    """Print what was read from a file."""
    m, n = table.values.shape
    header = ", no header" if table.how.get("header") is False else ""
    header += ", decimal commas" if table.how.get("decimal") == "," else ""
    named = "" if table.row_names is None else ", named rows"
    missing = "nothing missing"
    if n_missing:
        missing = f"{count(n_missing, 'entry')} missing ({n_missing / (m * n):.1%})"
    size = f"{count(m, 'row')} x {count(n, 'column')}"
    print(f"{shown(file, 200)}: {size}{header}{named}, {missing}")


def print_clusters(table: Table, model: RankOneCoclustering, summary: dict[str, Any]) -> None:
    """Print the clusters and the values of blocks."""
    print_size(summary["input"]["file"], table, summary["input"]["missing"])
    rows, columns = count(model.n_row_clusters_, "cluster"), model.n_column_clusters_
    print(f"{rows} of rows, {columns} of columns{'' if model.converged_ else ' (not converged)'}")
    for side in SIDES:
        print(f"\n{side}")
        print(_clusters(summary["clusters"][side]))
    relative = model.result_.blocks.law.family.has_margins
    value = "rates, relative to the margins," if relative else "means"
    if model.n_row_clusters_ * model.n_column_clusters_ > 1 and model.n_column_clusters_ <= 12:
        print(f"\n{value} of blocks (one line per cluster of rows)")
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
