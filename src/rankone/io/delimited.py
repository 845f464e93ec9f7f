"""Matrices in text files: numbers between delimiters, with or without names."""

from __future__ import annotations

import csv
import io
import math
import re
import zlib
from array import array
from collections.abc import Iterator, Sequence
from operator import itemgetter
from typing import Any

import numpy as np

from rankone.io.budget import Cost, each_byte
from rankone.io.cells import MISSING, is_number, number
from rankone.io.layout import (
    CELL_BYTES,
    Layout,
    Options,
    find_layout,
    is_blank,
    not_decoded,
    without_mark,
)
from rankone.io.source import PART, Source
from rankone.io.table import FileError, Table, quoted
from rankone.typing import FloatArray

#: The usual spellings of what is missing; others are left to the careful road.
SPELLINGS = sorted(
    {f(word) for word in MISSING for f in (str, str.upper, str.capitalize)} | {"NaN"}
)

#: The longest row that is read, in letters.
LONGEST = 2**26

#: Above so many columns, pyarrow is used only for files with so many bytes for each of them: it
#: takes about as much for a column, however short it is.
MANY_COLUMNS, COLUMN_BYTES = 1000, 4096

#: The letters of numbers that Python understands as we do.
_PLAIN = re.compile(r"[0-9.eE+\-]*")


def read_delimited(source: Source, **options: Any) -> Table:
    """Read a matrix from text; see `rankone.io.read_matrix`, and `Options`.

    There are two roads. The fast one takes files as most are. The careful one takes all that are
    right, and says where others are wrong; it is the law, and what the fast road cannot take, or
    refuses, is left to it.
    """
    layout = find_layout(source, Options.of(source, **options))
    check_lines(source, layout)
    found = fast(source, layout)
    values, names = careful(source, layout) if found is None else found
    titles = None if layout.header is None else [layout.header[j] for j in layout.kept]
    return Table(values, names, titles, how={"format": "text", **layout.describe()})


def fast(source: Source, layout: Layout) -> tuple[FloatArray, list[str] | None] | None:
    """Read a matrix with pyarrow; None if that is not possible."""
    names = () if layout.index is None else (layout.index,)
    if layout.index in layout.kept:  # which pyarrow would read as one or the other
        return None
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
    if layout.width > MANY_COLUMNS and source.size < COLUMN_BYTES * layout.width:
        return None
    types = {str(j): pa.float64() for j in numeric} | {str(j): pa.string() for j in texts}
    lines_a_block = 1000 if layout.width < 1000 else 100
    try:
        with source.open(_cost(source, layout)) as file:
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
    except FileError:
        raise
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


def check_lines(source: Source, layout: Layout) -> None:
    """Refuse a file whose lines do not fit into memory; other sources are counted when read."""
    if not source.in_place:
        return
    most = source.size // max(1, layout.width)  # a line has a byte for each cell at least
    if layout.cost(source.size, most) > source.budget().limit:
        with source.open(layout.cost) as file:
            while file.read(PART):
                pass


def _cost(source: Source, layout: Layout) -> Cost:
    """Return what lines are counted for, if that was not done before."""
    return each_byte if source.in_place else layout.cost


class _Lines:
    """The lines of a text, of which those of one row must not be too long."""

    def __init__(self, source: Source, layout: Layout, text: io.TextIOWrapper):
        self.text, self.source, self.line = text, source, layout.skip
        self.budget, self.row_length = source.budget(), 0
        for _ in range(layout.skip):
            text.readline(LONGEST)

    def __iter__(self) -> Iterator[str]:
        """Yield lines, ends included."""
        while line := self.text.readline(LONGEST):
            self.line += 1
            self.row_length += len(line)
            if self.row_length >= LONGEST:
                what = f"it is longer than {LONGEST >> 20} MB."
                raise FileError(self.source.name, what, self.line)
            if len(line) > PART:
                self.budget.check(CELL_BYTES * len(line))
            yield line


def lines_of(source: Source, layout: Layout) -> Iterator[tuple[int, list[str]]]:
    """Yield the lines below the header, with their numbers, as lists of cells; not blank lines."""
    with source.open(_cost(source, layout)) as file:
        text = io.TextIOWrapper(file, without_mark(layout.encoding), newline="")
        lines = _Lines(source, layout, text)
        reader = csv.reader(iter(lines), delimiter=layout.delimiter)
        first = layout.header is not None
        try:
            for row in reader:
                lines.row_length = 0
                if is_blank(row):
                    continue
                if not first:
                    _check_width(source, layout, lines.line, row)
                    yield lines.line, row
                first = False
        except csv.Error as error:
            raise FileError(source.name, f"{error}.", lines.line) from None
        except UnicodeDecodeError as error:
            what = not_decoded(error.object[error.start], layout.encoding)
            line = lines.line + 1 + error.object[: error.start].count(b"\n")
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
    cells = itemgetter(*layout.kept, layout.kept[0])(row)[:-1]
    plain = _plain_numbers(cells) if layout.decimal == "." else None
    if plain is not None:
        return plain
    try:
        return [number(cell, layout.decimal) for cell in cells]
    except ValueError:
        j = next(j for j in layout.kept if not is_number(row[j], layout.decimal))
        what = f"{quoted(row[j])} is not a finite number; {_advice(layout, row[j])}."
        raise FileError(source.name, what, line, j + 1, layout.title(j)) from None


def _plain_numbers(cells: Sequence[str]) -> list[float] | None:
    """Return the numbers of cells that Python understands as we do, quickly; None if it may not."""
    if not _PLAIN.fullmatch("".join(cells)):
        return None
    try:
        values = [float(cell or "nan") for cell in cells]
    except ValueError:
        return None
    return None if math.inf in values or -math.inf in values else values


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
