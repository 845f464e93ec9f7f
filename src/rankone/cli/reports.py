"""The report of a command: a page that explains the clusters, with what else is known of them."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from rankone._atomic import replacing
from rankone.cli.arguments import UsageError
from rankone.cli.files import check_absent, written_to
from rankone.errors import FileError
from rankone.wording import shown

if TYPE_CHECKING:
    from rankone.io import Table
    from rankone.io.annotations import Annotations
    from rankone.report import Report


def add_report(parser: ArgumentParser, annotate: bool = True) -> None:
    """Add the arguments of a command that writes a report."""
    parser.add_argument("--report", metavar="FILE", help="also write an interactive report (.html)")
    if annotate:
        parser.add_argument(
            "--annotate",
            action="append",
            metavar="FILE",
            help="table of names and classes or numbers, which the report shows beside the "
            "clusters (can be repeated)",
        )


def open_report(arguments: Namespace) -> AbstractContextManager[BinaryIO | None]:
    """Open the file of a report, if there is to be one, before any work is done."""
    if getattr(arguments, "annotate", None) and arguments.report is None:
        raise UsageError("--annotate is for reports; give --report FILE as well.")
    if arguments.report is None:
        return nullcontext()
    check_absent([arguments.report], arguments.force)
    if not Path(arguments.report).absolute().parent.is_dir():
        raise FileNotFoundError(f"the folder of {arguments.report} does not exist; make it.")
    return _opened(arguments.report)


@contextmanager
def _opened(path: str) -> Iterator[BinaryIO]:
    with written_to(path, "--report"), replacing(path) as file:
        yield file


def write_report(file: BinaryIO, arguments: Namespace, report: Report) -> None:
    """Write a report into its file."""
    with written_to(arguments.report, "--report"):
        file.write(report.html.encode(errors="replace"))
        file.flush()


def title_of(file: str, column: str | None = None) -> str:
    """Return the title of the report of a file, or of one of its columns."""
    name = shown("standard input" if file == "-" else Path(file).name)
    if column is None:
        return f"Clusters of {name}"
    what = f"column {column}" if column.isdecimal() else shown(column)
    return f"Clusters of {what} in {name}"


def read_all_annotations(arguments: Namespace) -> list[Annotations]:
    """Read the tables of --annotate."""
    from rankone.io.annotations import read_annotations

    return [read_annotations(path) for path in arguments.annotate or ()]


def annotations_of(tables: list[Annotations], table: Table) -> dict[str, Any]:
    """Return the annotations of rows and of columns, matched by their names.

    A table without names of rows is annotated line by line.
    """
    found: dict[str, dict[str, Any]] = {"row_annotations": {}, "column_annotations": {}}
    for each in tables:
        matching = [each.matching(table.names(side)) for side in (0, 1)]
        if table.row_names is None and len(each.names) == table.values.shape[0]:
            found["row_annotations"] |= each.columns
        elif not max(matching):
            raise FileError(
                each.path,
                "its first column names neither rows nor columns of the matrix",
                "give the names that these have",
            )
        else:
            side = int(matching[1] > matching[0])
            found[list(found)[side]] |= each.of(table.names(side))
    return found
