"""``rankone fit``: clusters of the rows and columns of a matrix in a file."""

from __future__ import annotations

import sys
import time
from argparse import ArgumentParser, Namespace, _ArgumentGroup
from pathlib import Path
from typing import TYPE_CHECKING

from rankone.cli.arguments import (
    CUTS,
    SELECTIONS,
    VECTORS,
    add_max_clusters,
    add_method,
    add_missing,
    add_output,
    add_preparing,
    add_reading,
    add_seed,
    positive_integer,
)
from rankone.cli.console import note, status
from rankone.cli.files import check_present, new_folder, read_table
from rankone.cli.messages import messages_about
from rankone.cli.reports import (
    add_report,
    annotations_of,
    open_report,
    read_all_annotations,
    title_of,
    write_report,
)
from rankone.cli.resources import add_resources, resources
from rankone.wording import shown

if TYPE_CHECKING:
    from rankone import RankOneCoclustering, RankOneTree
    from rankone.io import Table

USAGE = "MATRIX [options]"
DESCRIPTION = """\
Find clusters of the rows and columns of a matrix in a file, and write tables, a
summary, the fitted model and pictures to a folder. The numbers of clusters are
found unless --rows and --columns are given."""
EXAMPLES = """\
examples:
  rankone fit wine.csv --standardise
  rankone fit expression.h5ad --log --rows 8 --report expression.html
  rankone fit ratings.csv --triplets --absent missing --out clusters

A method takes its parameters after a colon, separated by commas:
  rankone fit counts.npy --vectors nmf:beta=2 --cut sorted-potts:p=1,lam=3"""

TABLES = ("rows.csv", "columns.csv", "blocks.csv", "summary.json", "model.npz")
PICTURES = ("blocks.png", "rows.png", "columns.png")


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of this command."""
    parser.add_argument("matrix", metavar="MATRIX", help="file; '-' for standard input")
    add_output(parser, "folder of the results (default: name of the file, and -clusters)", "DIR")
    add_report(parser)
    parser.add_argument("--json", action="store_true", help="print the summary as JSON")
    parser.add_argument("--no-pictures", action="store_true", help="do not draw pictures")
    add_preparing(parser.add_argument_group("preparing the entries"))
    _add_clusters(parser.add_argument_group("clusters"))
    _add_method(parser.add_argument_group("method"))
    add_reading(parser)
    add_resources(parser)


def _add_clusters(group: _ArgumentGroup) -> None:
    group.add_argument(
        "--rows", type=positive_integer, metavar="K", help="number of clusters of rows"
    )
    group.add_argument(
        "--columns", type=positive_integer, metavar="L", help="number of clusters of columns"
    )
    add_max_clusters(group)
    group.add_argument(
        "--min-cluster-size",
        type=positive_integer,
        default=1,
        metavar="N",
        help="smallest size of a cluster (default: 1)",
    )
    group.add_argument(
        "--symmetric",
        action="store_true",
        help="rows and columns are the same objects, and share one partition",
    )
    add_missing(group)


def _add_method(group: _ArgumentGroup) -> None:
    add_method(group, "--vectors", "auto", VECTORS, "Step 1, scores of rows and columns")
    add_method(group, "--cut", "sorted-potts", CUTS, "Step 2, clusters of scores")
    group.add_argument(
        "--selection",
        choices=SELECTIONS,
        default="noise",
        metavar="RULE",
        help=f"rule for the numbers of clusters: {', '.join(SELECTIONS)} (default: noise)",
    )
    group.add_argument(
        "--no-refine",
        action="store_true",
        help="keep the clusters of scores, without refinement on the whole matrix",
    )
    group.add_argument(
        "--loss",
        choices=("auto", "gaussian", "bernoulli", "poisson"),
        default="auto",
        help="how entries vary within a block: gaussian for real numbers, bernoulli for zeros and "
        "ones, poisson for counts relative to their margins (default: auto)",
    )
    add_seed(group)


def run(arguments: Namespace) -> None:
    """Read a matrix, find its clusters, and write and print them."""
    check_present(arguments.matrix)
    from rankone.cli import results
    from rankone.cli.summary import summary_of
    from rankone.io.writing import json_text

    model = learner(arguments)
    pictures = () if arguments.no_pictures or not _can_draw(arguments.quiet) else PICTURES
    folder = Path(default_folder(arguments.matrix) if arguments.out is None else arguments.out)
    stale = () if pictures else PICTURES
    page, annotations = open_report(arguments), read_all_annotations(arguments)
    results_folder = new_folder(folder, TABLES + pictures, stale, arguments.force)
    with resources(arguments), page as file, results_folder as hidden:
        table = read_table(arguments)
        begin = time.perf_counter()
        with messages_about(arguments, table):
            fit(model, table, arguments)
        seconds = time.perf_counter() - begin
        summary = summary_of(arguments, table, model, seconds)
        results.write_tables(hidden, table, model, summary)
        if pictures:
            with status("drawing", arguments.quiet):
                results.draw(hidden, table, model, summary["clusters"])
        if file is not None:
            with status("writing the report", arguments.quiet):
                others = annotations_of(annotations, table)
                report = model.report(title=title_of(arguments.matrix), **others)
                write_report(file, arguments, report)
    if arguments.json:
        sys.stdout.write(json_text(summary))
    elif not arguments.quiet:
        results.print_clusters(table, model, summary)
        print(f"\nWritten to {shown(str(folder), 200)}: {', '.join(TABLES + pictures)}")
        if arguments.report is not None:
            print(f"The report is {shown(arguments.report, 200)}; open it in a browser.")


def default_folder(matrix: str) -> str:
    """Return the default folder of results, named after the file."""
    name = Path(matrix).name
    stem = Path(name.removesuffix(".gz")).stem
    return f"{stem if stem and matrix != '-' else 'matrix'}-clusters"


def learner(arguments: Namespace) -> RankOneCoclustering:
    """Return the learner that the arguments describe."""
    from rankone import RankOneCoclustering
    from rankone.cli.methods import parse_method
    from rankone.cli.preparing import preparation
    from rankone.methods import CUTS, VECTORS

    auto = arguments.vectors == "auto"
    return RankOneCoclustering(
        arguments.rows,
        arguments.columns,
        vectors="auto" if auto else parse_method(arguments.vectors, VECTORS),
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
        n_jobs=arguments.jobs,
        checkpoint=arguments.checkpoint,
        verbose=not arguments.quiet,
    )


def fit(model: RankOneCoclustering | RankOneTree, table: Table, arguments: Namespace) -> None:
    """Fit a learner to a table."""
    if arguments.missing is None:
        model.set_params(missing=table.missing)
    size = " x ".join(map(str, table.values.shape))
    with status(f"fitting {size}", arguments.quiet):
        model.fit(table)


def _can_draw(quiet: bool) -> bool:
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        note(
            "matplotlib is not installed; skipping the pictures (pip install 'rankone[plot]').",
            quiet,
        )
        return False
    return True
