"""The results of ``rankone fit``: tables, pictures, a report, and text on the terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from rankone import RankOneCoclustering
from rankone._atomic import replacing
from rankone.cli.console import table_text
from rankone.io import Table, write_csv, write_json
from rankone.result import SIDES, Side
from rankone.tree import Tree
from rankone.wording import count, shown

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: The resolution of pictures, and the length of lines.
DPI, LINE = 120, 98

#: The most rows, or columns, whose own names a picture has room for.
MOST_NAMES = 64


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


def draw(folder: Path, table: Table, model: RankOneCoclustering, clusters: dict[str, Any]) -> None:
    """Draw the blocks of the matrix, and for each side its tree, or its scores and their path."""
    from matplotlib.figure import Figure

    from rankone.plotting import BlocksDisplay

    figure = Figure(figsize=(9, 7), dpi=DPI, layout="constrained")
    BlocksDisplay.from_estimator(
        model,
        ax=figure.subplots(),
        row_captions=_captions(clusters["rows"], table.values.shape[0], True),
        column_captions=_captions(clusters["columns"], table.values.shape[1], False),
    )
    _save(figure, folder / "blocks.png")
    for side in model.result_.sides:
        names = table.names(1 - side.request.axis)
        tree = side.tree
        figure = _path_of(model, side.name) if tree is None else _tree_of(tree, side, names)
        _save(figure, folder / f"{side.name}.png")


def _captions(clusters: Sequence[dict[str, Any]], size: int, rows: bool) -> list[str] | None:
    """Return a few words for each cluster of a side that is too long for names."""
    if size <= MOST_NAMES:
        return None
    captions = []
    for cluster in clusters:
        words = list(cluster["high"] or cluster["low"]) if rows else cluster["for example"]
        names = ", ".join(shown(name, 18) for name in words[:2])
        captions.append(f"{cluster['label']} · {names}" if names else str(cluster["label"]))
    return captions


def _save(figure: Figure, path: Path) -> None:
    """Write a picture; errors name its file."""
    with replacing(path) as file:
        figure.savefig(file, format="png")


def _tree_of(tree: Tree, side: Side, names: Sequence[str]) -> Figure:
    """Return a picture of the tree of a side, with what drives its splits."""
    from matplotlib.figure import Figure

    from rankone.plotting import DendrogramDisplay

    height = max(3.0, 1.0 + 0.42 * side.n_clusters)
    figure = Figure(figsize=(10.5, height), dpi=DPI, layout="constrained")
    thing = side.name.removesuffix("s")
    DendrogramDisplay(tree, names, thing=thing).plot(figure.subplots())
    return figure


def _path_of(model: RankOneCoclustering, side: str) -> Figure:
    """Return a picture of the scores of a side, and of the path of their cuts."""
    from matplotlib.figure import Figure

    from rankone.plotting import PathDisplay, VectorDisplay

    # Margins are fixed, because computing them takes as long as drawing.
    figure = Figure(figsize=(10.5, 4.2), dpi=DPI)
    figure.subplots_adjust(left=0.075, right=0.9, bottom=0.13, top=0.92, wspace=0.22)
    scores, path = figure.subplots(1, 2)
    VectorDisplay.from_estimator(model, side, ax=scores)
    PathDisplay.from_estimator(model, side, ax=path)
    return figure


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
        for cluster in summary["clusters"][side]:
            _print_cluster(cluster, side.removesuffix("s"))
    relative = model.result_.blocks.law.family.has_margins
    value = "rates, relative to the margins," if relative else "means"
    if model.n_row_clusters_ * model.n_column_clusters_ > 1 and model.n_column_clusters_ <= 12:
        print(f"\n{value} of blocks (one line per cluster of rows)")
        titles = ["", *(str(column) for column in range(model.n_column_clusters_))]
        lines = [[str(k), *(f"{x:.4g}" for x in row)] for k, row in enumerate(model.block_values_)]
        print(table_text(titles, lines, left=0))


def _print_cluster(cluster: dict[str, Any], thing: str) -> None:
    """Print what sets a cluster apart, and its most certain members."""
    size = count(cluster["size"], thing)
    sentence = f"cluster {cluster['label']}, {size}: {cluster['in words']}"
    print(textwrap.fill(sentence, LINE, initial_indent="  ", subsequent_indent="      "))
    names = ", ".join(shown(name, 20) for name in cluster["for example"])
    all_named = cluster["size"] == len(cluster["for example"])
    print(f"      {names}" if all_named else f"      such as {names}, ...")
