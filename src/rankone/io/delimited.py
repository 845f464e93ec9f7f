"""Matrices in text files: numbers between delimiters, with or without names."""

from __future__ import annotations

import csv
import io
import re
import zlib
from array import array
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

import numpy as np

from rankone.io.cells import MISSING, is_number, number
from rankone.io.layout import Layout, Options, find_layout, is_blank, not_decoded, without_mark
from rankone.io.source import Source, check_fits
from rankone.io.table import FileError, Table, quoted
from rankone.typing import FloatArray

#: The usual spellings of what is missing; others are left to the careful road.
SPELLINGS = sorted(
    {f(word) for word in MISSING for f in (str, str.upper, str.capitalize)} | {"NaN"}
)


def read_delimited(source: Source, **options: Any) -> Table:
    """Read a matrix from text; see `rankone.io.read_matrix`, and `Options`.

    There are two roads. The fast one takes files as most are. The careful one takes all that are
    right, and says where others are wrong; it is the law, and what the fast road cannot take, or
    refuses, is left to it.
    """
    layout = find_layout(source, Options(**options))
    if not source.compressed:
        check_fits(source, len(layout.kept) * source.size / layout.line_bytes / 2)
    found = fast(source, layout)
    values, names = careful(source, layout) if found is None else found
    titles = None if layout.header is None else [layout.header[j] for j in layout.kept]
    return Table(values, names, titles, how={"format": "text", **layout.describe()})


def fast(source: Source, layout: Layout) -> tuple[FloatArray, list[str] | None] | None:
    """Read a matrix with pyarrow; None if that is not possible."""
    names = () if layout.index is None else (layout.index,)
    table = arrow_table(source, layout, layout.kept, names)
    if table is None:
        return None
    values = np.empty((table.num_rows, len(layout.kept)), order="F")
    for j, title in enumerate(layout.kept):
        values[:, j] = table.column(str(title)).to_numpy()
        if np.isinf(values[:, j]).any():
            return None
    return values, table.column(str(layout.index)).to_pylist() if names else None


def arrow_table(
    source: Source, layout: Layout, numeric: Sequence[int], texts: Sequence[int]
) -> Any | None:
    """Read columns of a file with pyarrow, whose titles are their numbers.

    None if pyarrow is not installed, or does not understand the file: the careful road says why.
    """
    try:
        import pyarrow as pa
        from pyarrow import csv as arrow
    except ImportError:
        return None
    if layout.begins_blank:  # what is skipped is counted otherwise there
        return None
    types = {str(j): pa.float64() for j in numeric} | {str(j): pa.string() for j in texts}
    lines_a_block = 1000 if layout.width < 1000 else 100
    try:
        with source.open() as file:
            table = arrow.read_csv(
                pa.OSFile(str(source.path)) if source.in_place else pa.PythonFile(file, "r"),
                read_options=arrow.ReadOptions(
                    skip_rows=layout.skip,
                    column_names=[str(j) for j in range(layout.width)],
                    skip_rows_after_names=int(layout.header is not None),
                    block_size=int(min(max(2**20, lines_a_block * layout.line_bytes), 2**26)),
                    encoding=layout.encoding,
                ),
                parse_options=arrow.ParseOptions(
                    delimiter=layout.delimiter, newlines_in_values=layout.has_quotes
                ),
                convert_options=arrow.ConvertOptions(
                    column_types=types,
                    include_columns=list(types),
                    null_values=SPELLINGS,
                    decimal_point=layout.decimal,
                    strings_can_be_null=False,
                ),
            )
    except (pa.ArrowException, OSError, EOFError, ValueError, TypeError, zlib.error):
        return None
    return table if table.num_rows else None


def careful(source: Source, layout: Layout) -> tuple[FloatArray, list[str] | None]:
    """Read a file cell by cell."""
    values = array("d")
    names: list[str] = []
    for line, row in lines_of(source, layout):
        if layout.index is not None:
            names.append(row[layout.index])
        values.extend(numbers(source, layout, line, row))
    matrix = np.frombuffer(values, float) if values else np.empty(0)
    return matrix.reshape(-1, len(layout.kept)), names if layout.index is not None else None


def lines_of(source: Source, layout: Layout) -> Iterator[tuple[int, list[str]]]:
    """Yield the lines below the header, with their numbers, as lists of cells; not blank lines."""
    with source.open() as file:
        text = io.TextIOWrapper(file, without_mark(layout.encoding), newline="")
        reader = csv.reader(islice(text, layout.skip, None), delimiter=layout.delimiter)
        first = layout.header is not None
        try:
            for row in reader:
                if is_blank(row):
                    continue
                if not first:
                    line = layout.skip + reader.line_num
                    _check_width(source, layout, line, row)
                    yield line, row
                first = False
        except csv.Error as error:
            line = layout.skip + reader.line_num + 1
            raise FileError(source.name, f"{error}.", line) from None
        except UnicodeDecodeError as error:
            what = not_decoded(error.object[error.start], layout.encoding)
            line = layout.skip + reader.line_num + 1
            raise FileError(source.name, what, line) from None
        finally:
            text.detach()


def _check_width(source: Source, layout: Layout, line: int, row: list[str]) -> None:
    if len(row) != layout.width:
        cells = "1 cell" if len(row) == 1 else f"{len(row)} cells"
        what = f"it has {cells}, and lines before it have {layout.width}."
        raise FileError(source.name, what, line)


def numbers(source: Source, layout: Layout, line: int, row: list[str]) -> list[float]:
    """Return the numbers of a line, or say which cell is none."""
    try:
        return [number(row[j], layout.decimal) for j in layout.kept]
    except ValueError:
        j = next(j for j in layout.kept if not is_number(row[j], layout.decimal))
        what = f"{quoted(row[j])} is not a finite number; {_advice(layout, row[j])}."
        raise FileError(source.name, what, line, j + 1, layout.title(j)) from None


def _advice(layout: Layout, cell: str) -> str:
    """Say what can be done about a cell that is not a number."""
    if re.fullmatch(r"[+-]?\d{1,3}(,\d{3})+(\.\d*)?", cell.strip()):
        return (
            "write it without separators of thousands, or, if that is a decimal comma, --decimal ,"
        )
    if layout.decimal == "." and is_number(cell, ","):
        return "for a decimal comma, say --decimal ,"
    if layout.width == 3:
        return "--drop the column, or, if lines are row, column, value, say --triplets"
    return "leave it empty if it is missing, --drop the column, or name the rows by it (--index)"
