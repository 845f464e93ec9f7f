"""``rankone cut``: clusters of values in one dimension."""

from __future__ import annotations

import sys
from argparse import Namespace
from functools import partial
from typing import Any

import numpy as np

from rankone import Partition, SortedPotts, SortedPottsPath, silhouette_path, sorted_potts_path
from rankone.cli import UsageError
from rankone.cli.console import count, status
from rankone.cli.files import check_absent, reading_options, write_text
from rankone.cli.methods import parse_method
from rankone.io import FileError, Table, read_column
from rankone.io.source import Source
from rankone.io.writing import csv_text, json_text
from rankone.methods import CUTS, as_cut
from rankone.selection import choose
from rankone.selection.choice import warn_of_bound
from rankone.typing import FloatArray

#: The largest noise whose square is a number.
MOST_NOISE = 1e150


def run(arguments: Namespace) -> None:
    """Read, cut and write."""
    if arguments.out is not None:
        check_absent([arguments.out], arguments.force)
    if arguments.noise is not None and arguments.noise > MOST_NOISE:
        raise UsageError(f"--noise must be at most {MOST_NOISE:g}, but it is {arguments.noise:g}.")
    source = Source.of(arguments.vector)
    table = read_vector(arguments, source, arguments.column)
    values = np.asarray(table.values, float)[:, 0]
    weights = None
    if arguments.weights is not None:
        column = read_vector(arguments, source, arguments.weights)
        weights = np.asarray(column.values, float)[:, 0]
    if arguments.path:
        result = path_table(sorted_path(arguments, values, weights))
        write_text(arguments.out, arguments.force, lambda file: _write(arguments, file, result))
        return
    part, lam = partition(arguments, values, weights)
    content: dict[str, Any] = {} if table.row_names is None else {"name": table.row_names}
    content |= {"value": values, "label": part.labels, "level": part.signal}
    if arguments.json:
        content = {**summary_of(part, lam), **content}
    write_text(arguments.out, arguments.force, lambda file: _write(arguments, file, content))
    if not (arguments.quiet or arguments.json):
        tell(part, lam)


def read_vector(arguments: Namespace, source: Source, column: str | None) -> Table:
    """Read a column, whose values are all there."""
    options = reading_options(arguments)
    if arguments.keep:
        raise UsageError("--keep is for matrices; say which column by --column.")
    with status(f"reading {arguments.vector}", arguments.quiet):
        table = read_column(source, column, **options)
    absent = np.flatnonzero(np.isnan(np.asarray(table.values, float)[:, 0]))
    if absent.size:
        what = f"value {absent[0] + 1} is missing, of {count(absent.size, 'such value')}"
        raise FileError(arguments.vector, f"{what}; leave such lines out.")
    return table


def method_of(arguments: Namespace) -> Any:
    """Return the cut that was asked for, by its name, --lam and --p."""
    text = arguments.cut
    for name in ("lam", "p"):
        value = getattr(arguments, name)
        if value is not None:
            text += f"{',' if ':' in text else ':'}{name}={value:.17g}"
    return parse_method(text, CUTS)


def sorted_path(
    arguments: Namespace, values: FloatArray, weights: FloatArray | None
) -> SortedPottsPath:
    """Return the best partitions into all numbers of clusters."""
    cut, selecting = as_cut(method_of(arguments), arguments.clusters, "--cut", "--clusters")
    if not (selecting and isinstance(cut, SortedPotts)) or arguments.noise is not None:
        raise UsageError("--path is of sorted-potts, and takes no number, penalty or noise.")
    return sorted_potts_path(values, cut.p, arguments.max_clusters, weights=weights)


def path_table(path: SortedPottsPath) -> dict[str, Any]:
    """Return the path as columns of a table."""
    return {
        "n_clusters": path.n_clusters,
        "lam_from": path.intervals[:, 0],
        "lam_to": path.intervals[:, 1],
        "cost": path.cost,
        "silhouette": silhouette_path(path),
    }


def partition(
    arguments: Namespace, values: FloatArray, weights: FloatArray | None
) -> tuple[Partition, list[float] | None]:
    """Cut the values as was asked for; return also the penalties that would cut them so."""
    cut, selecting = as_cut(method_of(arguments), arguments.clusters, "--cut", "--clusters")
    if not selecting:
        part = cut.cut(values, weights=weights)
        return part, None if part.lam is None else [part.lam, part.lam]
    assert isinstance(cut, SortedPotts)
    path = sorted_potts_path(values, cut.p, arguments.max_clusters, weights=weights)
    rule, noise = "silhouette", None
    if arguments.noise is not None:
        rule, noise = "noise", partial(np.full, values.size, arguments.noise**2)
    choice = choose(path, rule, noise)
    k = choice.n_clusters
    if choice.at_bound:
        warn_of_bound("the values", k)
    return path.at(n_clusters=k), path.intervals[k - 1].tolist()


def summary_of(part: Partition, lam: list[float] | None) -> dict[str, Any]:
    """Return what is known of a partition beside its labels."""
    return {
        "n_clusters": part.n_clusters,
        "levels": part.levels,
        "sizes": part.sizes,
        "boundaries": part.boundaries,
        "lam": lam,
        "objective": part.objective,
        "exact": part.exact,
    }


def _write(arguments: Namespace, file: Any, content: dict[str, Any]) -> None:
    if arguments.json:
        file.write(json_text(content))
    else:
        csv_text(content, file)


def tell(part: Partition, lam: list[float] | None) -> None:
    """Say what was found, where it does not mix with the table."""
    levels = ", ".join(f"{level:.5g}" for level in part.levels[:12])
    more = ", ..." if part.n_clusters > 12 else ""
    penalty = "" if lam is None else f", lam {lam[0]:.5g}"
    penalty += f" to {lam[1]:.5g}" if lam is not None and lam[1] > lam[0] else ""
    found = f"{count(part.n_clusters, 'cluster')}{penalty}, levels {levels}{more}"
    print(f"{found}{'' if part.exact else ' (not exact)'}", file=sys.stderr)
