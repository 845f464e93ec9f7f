"""``rankone tree``: a tree of the rows of a matrix in a file, and what drives its splits."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rankone._atomic import replacing
from rankone.cli.arguments import (
    UsageError,
    add_clusters,
    add_max_clusters,
    add_missing,
    add_output,
    add_preparing,
    add_reading,
    positive_integer,
)
from rankone.cli.files import check_absent, check_present, read_table, write_text, written_to
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

if TYPE_CHECKING:
    from rankone import RankOneTree
    from rankone.tree.explanation import SplitExplanation, TreeExplanation

#: The endings of pictures.
PICTURES = (".png", ".pdf", ".svg")

USAGE = "MATRIX [options]"
DESCRIPTION = """\
Grow a tree of the rows of a matrix in a file, and print it with the columns that
drive each split. There are as many clusters as replicate, unless -k is given."""
EXAMPLES = """\
examples:
  rankone tree documents.mtx --words 8 --plot tree.png
  rankone tree wine.csv --standardise --out labels.csv --save wine.npz
  rankone predict wine.npz new-wines.csv"""


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of this command."""
    parser.add_argument("matrix", metavar="MATRIX", help="file; '-' for standard input")
    add_output(parser, "also write a table of labels (name, label, confidence)")
    parser.add_argument("--save", metavar="MODEL", help="also write the model, for rankone predict")
    parser.add_argument("--plot", metavar="PICTURE", help="also draw the tree: a png, pdf or svg")
    add_report(parser)
    parser.add_argument("--json", action="store_true", help="print the tree as JSON")
    add_preparing(parser.add_argument_group("preparing the entries"))
    group = parser.add_argument_group("clusters")
    add_clusters(group, "as many as replicate")
    add_max_clusters(group)
    group.add_argument("--columns", action="store_true", help="cluster the columns instead")
    group.add_argument(
        "--words",
        type=positive_integer,
        default=5,
        metavar="N",
        help="number of columns that are named for each side of a split (default: 5)",
    )
    add_missing(group)
    add_reading(parser)
    add_resources(parser)


def run(arguments: Namespace) -> None:
    """Read a matrix, grow its tree, and write and print it."""
    check_present(arguments.matrix)
    from rankone.cli.fit import fit
    from rankone.cli.results import print_size
    from rankone.io.writing import json_text
    from rankone.tree.explanation import TreeExplanation

    outputs = arguments.out, arguments.save, arguments.plot
    check_absent([path for path in outputs if path is not None], arguments.force)
    if arguments.plot is not None:
        check_picture(arguments.plot)
    model = learner(arguments)
    page, annotations = open_report(arguments), read_all_annotations(arguments)
    with resources(arguments), page as file:
        table = read_table(arguments)
        with messages_about(arguments, table):
            fit(model, table, arguments)
        if file is not None:
            others = annotations_of(annotations, table)
            write_report(file, arguments, model.report(title=title_of(arguments.matrix), **others))
    side = int(arguments.columns)
    names = table.names(1 - side)
    tree = TreeExplanation.of(model.tree_, names, arguments.words, model.n_clusters_, model.axis)
    if arguments.out is not None:
        _write_labels(arguments, table.names(side), model)
    if arguments.save is not None:
        with written_to(arguments.save, "--save"):
            model.save(arguments.save)
    if arguments.plot is not None:
        with written_to(arguments.plot, "--plot"):
            draw(arguments.plot, model, names)
    if arguments.json:
        sys.stdout.write(json_text(_as_data(tree)))
    elif not arguments.quiet:
        print_size(arguments.matrix, table, model.matrix_.n_missing)
        print(f"\n{tree}")


def learner(arguments: Namespace) -> RankOneTree:
    """Return the learner that the arguments describe."""
    from rankone import RankOneTree
    from rankone.cli.preparing import preparation

    return RankOneTree(
        arguments.clusters,
        axis="columns" if arguments.columns else "rows",
        max_clusters=arguments.max_clusters,
        missing=arguments.missing or "nan",
        prepare=preparation(arguments),
        n_jobs=arguments.jobs,
        checkpoint=arguments.checkpoint,
        verbose=not arguments.quiet,
    )


def check_picture(path: str) -> None:
    """Refuse a picture that cannot be drawn, before any work is done."""
    if Path(path).suffix not in PICTURES:
        raise UsageError(f"--plot {path}: name a file that ends with {', '.join(PICTURES)}")
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise UsageError("--plot needs matplotlib: pip install 'rankone[plot]'") from None


def draw(path: str, model: RankOneTree, names: Any) -> None:
    """Draw the tree as a dendrogram, large enough for its names."""
    from matplotlib.figure import Figure

    from rankone.plotting import dendrogram

    figure = Figure(figsize=(12, max(4.0, 0.5 * model.n_clusters_)), dpi=150, layout="constrained")
    dendrogram(model.tree_, names=names, ax=figure.subplots())
    with replacing(path) as file:
        figure.savefig(file, format=Path(path).suffix[1:])


def _write_labels(arguments: Namespace, names: Any, model: RankOneTree) -> None:
    """Write the label of each row, or column, and its probability."""
    from rankone.io.writing import csv_text

    columns = {"name": names, "label": model.labels_, "confidence": model.confidence_}
    write_text(arguments.out, arguments.force, lambda file: csv_text(columns, file))


def _as_data(tree: TreeExplanation) -> dict[str, Any]:
    """Return an explanation as JSON can hold it."""
    kinds = tree.kinds or (None,)
    clusters = zip(tree.clusters, tree.sizes, kinds, strict=True)
    return {
        "summary": tree.summary,
        "clusters": [
            {"label": label, "node": node, "size": size, "kind": kind}
            for label, (node, size, kind) in enumerate(clusters)
        ],
        "splits": [_split_as_data(explained) for explained in tree.splits.values()],
    }


def _split_as_data(explained: SplitExplanation) -> dict[str, Any]:
    """Return a split, and the columns that drive it."""
    split = explained.split
    return {
        "node": split.node,
        "children": list(split.children),
        "sizes": list(split.sizes),
        "kind": split.kind,
        "gain": split.gain,
        "replication": split.replication,
        "p_value": split.p_value,
        "lower": {driver.name: driver.difference for driver in explained.lower},
        "upper": {driver.name: driver.difference for driver in explained.upper},
    }
