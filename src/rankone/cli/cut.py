"""``rankone cut``: clusters of values in one dimension."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from rankone.cli.arguments import (
    CUTS,
    UsageError,
    add_clusters,
    add_json,
    add_max_clusters,
    add_method,
    add_output,
    add_reading,
    nonnegative_number,
)
from rankone.cli.console import status
from rankone.cli.files import check_absent, check_present, reading_options, write_table
from rankone.cli.reports import add_report, open_report, title_of, write_report
from rankone.errors import FileError
from rankone.wording import count

if TYPE_CHECKING:
    from rankone import Partition, SortedPottsPath
    from rankone.io import Table
    from rankone.io.source import Source
    from rankone.report import Report
    from rankone.selection import Choice
    from rankone.typing import FloatArray

USAGE = "VECTOR [options]"
DESCRIPTION = """\
Cut a vector of values into clusters. The number of clusters is chosen by the
silhouette or, if --noise is given, as the number that explains the values up to
noise of that standard deviation."""
EXAMPLES = """\
examples:
  rankone cut incomes.csv --column income --clusters 5
  rankone cut incomes.csv --column income --cut threshold:eps=0.5
  rankone cut incomes.csv --column income --path --max-clusters 30

A method takes its parameters after a colon, separated by commas."""

#: The largest noise whose square is a finite number.
MAX_NOISE = 1e150


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of this command."""
    parser.add_argument("vector", metavar="VECTOR", help="file of values; '-' for standard input")
    parser.add_argument("--column", metavar="COLUMN", help="column of values, by title or number")
    parser.add_argument("--weights", metavar="COLUMN", help="column of weights")
    add_output(parser, "table of labels (default: standard output)")
    add_json(parser)
    add_report(parser, annotate=False)
    parser.add_argument(
        "--path",
        action="store_true",
        help="write the costs and silhouettes of all numbers of clusters instead",
    )
    group = parser.add_argument_group("clusters")
    add_clusters(group)
    add_method(group, "--cut", "sorted-potts", CUTS, "method")
    group.add_argument("--lam", type=nonnegative_number, help="penalty of one more cluster")
    group.add_argument(
        "--p", type=nonnegative_number, help="power of distances, 1 or more (default: 2)"
    )
    group.add_argument(
        "--noise", type=nonnegative_number, metavar="SD", help="standard deviation of the noise"
    )
    add_max_clusters(group)
    add_reading(parser, transpose=False)


def run(arguments: Namespace) -> None:
    """Read a vector, cut it, and write the labels or the path."""
    check_present(arguments.vector)
    from rankone.io.source import Source

    if arguments.out is not None:
        check_absent([arguments.out], arguments.force)
    if arguments.noise is not None and arguments.noise > MAX_NOISE:
        raise UsageError(f"--noise must be at most {MAX_NOISE:g}, but it is {arguments.noise:g}.")
    if arguments.path and arguments.report is not None:
        raise UsageError("--path writes no clusters; leave out --report, which shows all numbers.")
    source = Source.of(arguments.vector)
    with open_report(arguments) as page:
        table = read_vector(arguments, source, arguments.column)
        values, weights = table.values[:, 0], None
        if arguments.weights is not None:
            weights = read_vector(arguments, source, arguments.weights).values[:, 0]
        if arguments.path:
            write_table(arguments, path_table(sorted_path(arguments, values, weights)))
            return
        cutting = partition(arguments, values, weights)
        if page is not None:
            write_report(page, arguments, report_of(arguments, table, weights, cutting))
    part, lam = cutting.part, cutting.lam
    content: dict[str, Any] = {} if table.row_names is None else {"name": table.row_names}
    content |= {"value": values, "label": part.labels, "level": part.signal}
    if arguments.json:
        content = {**summary_of(part, lam), **content}
    write_table(arguments, content)
    if not (arguments.quiet or arguments.json):
        print_summary(part, lam)


def read_vector(arguments: Namespace, source: Source, column: str | None) -> Table:
    """Read a column of doubles, none of which is missing."""
    from dataclasses import replace

    import numpy as np

    from rankone.io import read_column

    options = reading_options(arguments)
    if arguments.keep:
        raise UsageError("--keep is for matrices; choose the column by --column.")
    with status(f"reading {arguments.vector}", arguments.quiet):
        table = read_column(source, column, **options)
    table = replace(table, values=np.asarray(table.values, float))
    missing = np.flatnonzero(np.isnan(table.values[:, 0]))
    if missing.size:
        more = f" (and {missing.size - 1} more)" if missing.size > 1 else ""
        problem = f"value {missing[0] + 1} is missing{more}"
        raise FileError(arguments.vector, problem, "leave such lines out")
    return table


def chosen_cut(arguments: Namespace) -> tuple[Any, bool]:
    """Return the cut that --cut, --lam, --p and --clusters describe, and whether to select k."""
    from rankone.cli.methods import parse_method
    from rankone.methods import CUTS, as_cut

    text = arguments.cut
    for name in ("lam", "p"):
        value = getattr(arguments, name)
        if value is not None:
            text += f"{',' if ':' in text else ':'}{name}={value:.17g}"
    return as_cut(parse_method(text, CUTS), arguments.clusters)


def sorted_path(
    arguments: Namespace, values: FloatArray, weights: FloatArray | None
) -> SortedPottsPath:
    """Return the best partitions into all numbers of clusters."""
    cut, selecting = chosen_cut(arguments)
    if not selecting or arguments.noise is not None:
        raise UsageError(
            "--path is for sorted-potts without --clusters, --lam and --noise; leave these out."
        )
    path: SortedPottsPath = cut.path(values, arguments.max_clusters, weights)
    return path


def path_table(path: SortedPottsPath) -> dict[str, Any]:
    """Return the path as columns of a table."""
    from rankone import silhouette_path

    return {
        "n_clusters": path.n_clusters,
        "lam_from": path.intervals[:, 0],
        "lam_to": path.intervals[:, 1],
        "cost": path.cost,
        "silhouette": silhouette_path(path),
    }


class Cutting(NamedTuple):
    """A partition, and how it was found.

    Attributes
    ----------
    part : Partition
    lam : list of float or None
        The interval of penalties that give the same partition.
    path : SortedPottsPath or None
        The partitions from which it was selected.
    choice : Choice or None
        How it was selected.
    """

    part: Partition
    lam: list[float] | None
    path: SortedPottsPath | None = None
    choice: Choice | None = None


def report_of(
    arguments: Namespace, table: Table, weights: FloatArray | None, cutting: Cutting
) -> Report:
    """Return the report of a vector; its slider walks the path, if the cut has one."""
    from rankone.report import cut_report

    cut, _ = chosen_cut(arguments)
    values, path = table.values[:, 0], cutting.path
    if path is None and cut.capabilities.path:
        path = cut.path(values, max(arguments.max_clusters, cutting.part.n_clusters), weights)
    exact = "no other partition has a smaller objective" if cutting.part.exact else "not exact"
    return cut_report(
        values,
        cutting.part,
        path,
        cutting.choice,
        title=title_of(arguments.vector, arguments.column),
        names=table.row_names,
        provenance={
            "cut": " ".join(str(cut).split()),
            "objective": f"{cutting.part.objective:.6g} ({exact})",
        },
    )


def partition(arguments: Namespace, values: FloatArray, weights: FloatArray | None) -> Cutting:
    """Cut the values."""
    import numpy as np

    from rankone.selection import choose
    from rankone.selection.choice import warn_of_bound

    cut, selecting = chosen_cut(arguments)
    if not selecting:
        part: Partition = cut.cut(values, weights=weights)
        return Cutting(part, None if part.lam is None else [part.lam, part.lam])
    path: SortedPottsPath = cut.path(values, arguments.max_clusters, weights)
    rule, noise = "silhouette", None
    if arguments.noise is not None:
        rule, noise = "noise", partial(np.full, values.size, arguments.noise**2)
    choice = choose(path, rule, noise)
    k = choice.n_clusters
    if choice.at_bound:
        warn_of_bound("the values", k)
    return Cutting(path.at(n_clusters=k), path.intervals[k - 1].tolist(), path, choice)


def summary_of(part: Partition, lam: list[float] | None) -> dict[str, Any]:
    """Return the properties of a partition."""
    return {
        "n_clusters": part.n_clusters,
        "levels": part.levels,
        "sizes": part.sizes,
        "boundaries": part.boundaries,
        "lam": lam,
        "objective": part.objective,
        "exact": part.exact,
    }


def print_summary(part: Partition, lam: list[float] | None) -> None:
    """Print the properties of a partition to standard error, apart from the table."""
    levels = ", ".join(f"{level:.5g}" for level in part.levels[:12])
    more = ", ..." if part.n_clusters > 12 else ""
    penalty = "" if lam is None else f", lam {lam[0]:.5g}"
    penalty += f" to {lam[1]:.5g}" if lam is not None and lam[1] > lam[0] else ""
    clusters = f"{count(part.n_clusters, 'cluster')}{penalty}, levels {levels}{more}"
    print(f"{clusters}{'' if part.exact else ' (not exact)'}", file=sys.stderr)
