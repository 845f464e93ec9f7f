"""``rankone score``: how near labels are to the truth."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Sequence
from typing import Any

from sklearn.metrics import adjusted_rand_score, normalized_mutual_info_score

from rankone.io import FileError, read_labels
from rankone.io.table import quoted
from rankone.io.writing import json_text
from rankone.metrics import coclustering_error, coclustering_rand_score, error_rate


def run(arguments: Namespace) -> None:
    """Read, match, compare and tell."""
    titles = arguments.column, arguments.truth_column
    found, true = matched((arguments.labels, arguments.truth), titles)
    result: dict[str, Any] = {"rows": scores(found, true)}
    if arguments.columns is not None:
        columns = matched(arguments.columns, titles)
        result["columns"] = scores(*columns)
        result["co-clustering"] = {
            "error": coclustering_error(true, columns[1], found, columns[0]),
            "ari": coclustering_rand_score(true, columns[1], found, columns[0]),
        }
    if arguments.json:
        sys.stdout.write(json_text(result))
    elif not arguments.quiet:
        for what, figures in result.items():
            shown = "  ".join(
                f"{name} {figure:.4f}" if isinstance(figure, float) else f"{name} {figure}"
                for name, figure in figures.items()
            )
            print(f"{what:14} {shown}")


def scores(found: list[str], true: list[str]) -> dict[str, Any]:
    """Compare two partitions."""
    return {
        "n": len(true),
        "clusters": len(set(found)),
        "classes": len(set(true)),
        "nmi": float(normalized_mutual_info_score(true, found)),
        "ari": float(adjusted_rand_score(true, found)),
        "error": error_rate(true, found),
    }


def matched(
    files: Sequence[str], titles: tuple[str | None, str | None]
) -> tuple[list[str], list[str]]:
    """Return labels and truth in one order: that of names, or that of the files."""
    labels, truth = files
    found, true = read_labels(labels, titles[0]), read_labels(truth, titles[1])
    if found.names is not None and true.names is not None:
        known = dict(zip(true.names, true.labels, strict=True))
        unknown = next((name for name in found.names if name not in known), None)
        if unknown is not None:
            raise FileError(truth, f"it has no label for {quoted(unknown)}, which {labels} has.")
        if len(set(found.names)) < len(found.names) or len(known) < len(true.names):
            raise FileError(labels if len(known) == len(true.names) else truth, "names repeat.")
        return list(found.labels), [known[name] for name in found.names]
    if len(found.labels) != len(true.labels):
        raise FileError(
            truth, f"it has {len(true.labels)} labels, but {labels} has {len(found.labels)}."
        )
    return list(found.labels), list(true.labels)
