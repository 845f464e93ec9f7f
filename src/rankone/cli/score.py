"""``rankone score``: compare labels with the truth."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from typing import Any

from rankone.errors import FileError
from rankone.wording import quoted, shown

USAGE = "LABELS TRUTH [options]"
DESCRIPTION = """\
Compare labels with the truth: normalised mutual information (nmi), adjusted
Rand index (ari) and error rate; with --columns, also the co-clustering error of
rows and columns together. Labels are matched by name if both files have names."""
EXAMPLES = """\
examples:
  rankone score clusters/rows.csv truth.csv
  rankone score clusters/rows.csv rows.csv --columns clusters/columns.csv columns.csv"""


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of this command."""
    parser.add_argument("labels", metavar="LABELS", help="table with a column called label")
    parser.add_argument("truth", metavar="TRUTH", help="table with the true labels")
    parser.add_argument(
        "--columns", nargs=2, metavar=("LABELS", "TRUTH"), help="tables of the columns"
    )
    parser.add_argument("--column", metavar="COLUMN", help="column of labels in LABELS")
    parser.add_argument("--truth-column", metavar="COLUMN", help="column of labels in TRUTH")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(arguments: Namespace) -> None:
    """Read, match and compare labels, and print the scores."""
    from rankone.io.writing import json_text
    from rankone.metrics import coclustering_error, coclustering_rand_score

    titles = arguments.column, arguments.truth_column
    labels, truth = matched_labels((arguments.labels, arguments.truth), titles)
    result: dict[str, Any] = {"rows": scores(labels, truth)}
    if arguments.columns is not None:
        column_labels, column_truth = matched_labels(arguments.columns, titles)
        result["columns"] = scores(column_labels, column_truth)
        result["co-clustering"] = {
            "error": coclustering_error(truth, column_truth, labels, column_labels),
            "ari": coclustering_rand_score(truth, column_truth, labels, column_labels),
        }
    if arguments.json:
        sys.stdout.write(json_text(result))
    elif not arguments.quiet:
        for side, figures in result.items():
            text = "  ".join(
                f"{name} {figure:.4f}" if isinstance(figure, float) else f"{name} {figure}"
                for name, figure in figures.items()
            )
            print(f"{side:14} {text}")


def scores(labels: list[str], truth: list[str]) -> dict[str, Any]:
    """Return measures of agreement of two partitions."""
    from sklearn.metrics import adjusted_rand_score, normalized_mutual_info_score

    from rankone.metrics import error_rate

    return {
        "n": len(truth),
        "clusters": len(set(labels)),
        "classes": len(set(truth)),
        "nmi": float(normalized_mutual_info_score(truth, labels)),
        "ari": float(adjusted_rand_score(truth, labels)),
        "error": error_rate(truth, labels),
    }


def matched_labels(
    files: Sequence[str], titles: tuple[str | None, str | None]
) -> tuple[list[str], list[str]]:
    """Return labels and true labels in the same order, matched by name if both have names."""
    from rankone.io import read_labels

    file, true_file = files
    found, true = read_labels(file, titles[0]), read_labels(true_file, titles[1])
    if found.names is not None and true.names is not None:
        label_of = dict(zip(true.names, true.labels, strict=True))
        unknown = next((name for name in found.names if name not in label_of), None)
        if unknown is not None:
            raise FileError(
                true_file,
                "it has no label for {name}, which {labels} has",
                name=quoted(unknown),
                labels=shown(file, 200),
            )
        if len(set(found.names)) < len(found.names) or len(label_of) < len(true.names):
            repeating = file if len(label_of) == len(true.names) else true_file
            raise FileError(repeating, "some names are repeated", "name each object once")
        return list(found.labels), [label_of[name] for name in found.names]
    if len(found.labels) != len(true.labels):
        raise FileError(
            true_file,
            f"it has {len(true.labels)} labels, but {{labels}} has {len(found.labels)}",
            labels=shown(file, 200),
        )
    return list(found.labels), list(true.labels)
