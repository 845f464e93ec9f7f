"""Read matrices from text files: numbers between delimiters, with or without names."""

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

from rankone.errors import FileError, Place, Setting
from rankone.io.budget import Cost, each_byte
from rankone.io.cells import MISSING, is_number, number
from rankone.io.layout import (
    CELL_BYTES,
    Layout,
    find_layout,
    is_blank,
    not_decoded,
    without_mark,
)
from rankone.io.options import Options
from rankone.io.source import PART, Source
from rankone.io.table import Table
from rankone.typing import FloatArray
from rankone.wording import count, quoted, reason

#: The usual spellings of missing entries; others are left to the reference parser.
SPELLINGS = sorted(
    {f(word) for word in MISSING for f in (str, str.upper, str.capitalize)} | {"NaN"}
)

#: The longest row that is read, in characters.
LONGEST = 2**26

#: Above this many columns, pyarrow is used only for files with this many bytes a column: it takes
#: about as much memory for a column, however short it is.
MANY_COLUMNS, COLUMN_BYTES = 1000, 4096

#: Numbers that `float` reads as the reference parser does consist of these characters.
_PLAIN = re.compile(r"[0-9.eE+\-]*")


def read_delimited(source: Source, **options: Any) -> Table:
    """Read a matrix from text; see `rankone.io.read_matrix`, and `Options`.

    There are a fast parser and a reference parser. The fast one reads most files. The reference
    parser reads every valid file and says where another one is wrong; it is used wherever the fast
    one is not available or refuses, and decides where they differ.
    """
    layout = find_layout(source, Options.of(source, **options))
    check_lines(source, layout)
    parsed = parse_fast(source, layout)
    values, names = parse_by_cell(source, layout) if parsed is None else parsed
    titles = None if layout.header is None else [layout.header[j] for j in layout.kept]
    return Table(values, names, titles, how={"format": "text", **layout.describe()})


def parse_fast(source: Source, layout: Layout) -> tuple[FloatArray, list[str] | None] | None:
    """Read a matrix with pyarrow; return None if that is not possible."""
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
    """Read columns of a file with pyarrow; their titles are their numbers.

    Return None if pyarrow is not installed or refuses the file: the reference parser says why.
    """
    try:
        import pyarrow as pa
        from pyarrow import csv as arrow
    except ImportError:
        return None
    if layout.begins_blank:  # pyarrow counts skipped lines differently
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
                    # Threads that wait for a Python file may outlive a reader that was refused.
                    use_threads=source.in_place,
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


def parse_by_cell(source: Source, layout: Layout) -> tuple[FloatArray, list[str] | None]:
    """Read a file cell by cell: the reference parser."""
    values = array("d")
    names: list[str] = []
    for line, row in lines_of(source, layout):
        if layout.index is not None:
            names.append(row[layout.index])
        values.extend(numbers(source, layout, line, row))
    matrix = np.frombuffer(values, float) if values else np.empty(0)
    return matrix.reshape(-1, len(layout.kept)), names if layout.index is not None else None


def check_lines(source: Source, layout: Layout) -> None:
    """Refuse a file whose lines do not fit into memory; pipes are counted while they are read."""
    if not source.in_place:
        return
    most = source.size // max(1, layout.width)  # a line has at least a byte for each cell
    if layout.cost(source.size, most) > source.budget().limit:
        with source.open(layout.cost) as file:
            while file.read(PART):
                pass


def _cost(source: Source, layout: Layout) -> Cost:
    """Return the cost of lines, unless `check_lines` has counted them."""
    return each_byte if source.in_place else layout.cost


class _Lines:
    """The lines of a text; those of one row must not be too long together."""

    def __init__(self, source: Source, layout: Layout, text: io.TextIOWrapper):
        self.text, self.source, self.line = text, source, layout.skip
        self.budget, self.row_length = source.budget(), 0
        for _ in range(layout.skip):
            text.readline(LONGEST)

    def __iter__(self) -> Iterator[str]:
        """Yield lines, including their ends."""
        while line := self.text.readline(LONGEST):
            self.line += 1
            self.row_length += len(line)
            if self.row_length >= LONGEST:
                problem = f"the line is longer than {LONGEST >> 20} MB"
                raise FileError(self.source.name, problem, at=Place(self.line))
            if len(line) > PART:
                self.budget.check(CELL_BYTES * len(line))
            yield line


def lines_of(source: Source, layout: Layout) -> Iterator[tuple[int, list[str]]]:
    """Yield the number and the cells of each line below the header, except blank lines."""
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
            place = Place(lines.line)
            raise FileError(source.name, "{reason}", at=place, reason=reason(error)) from None
        except UnicodeDecodeError as error:
            line = lines.line + 1 + error.object[: error.start].count(b"\n")
            raise not_decoded(source, error.object[error.start], layout.encoding, line) from None
        finally:
            text.detach()


def _check_width(source: Source, layout: Layout, line: int, row: list[str]) -> None:
    if len(row) != layout.width:
        problem = f"it has {count(len(row), 'cell')}, but the lines before it have {layout.width}"
        raise FileError(source.name, problem, at=Place(line))


def numbers(source: Source, layout: Layout, line: int, row: list[str]) -> list[float]:
    """Return the numbers of a line; raise a FileError for the first cell that is not a number."""
    cells = itemgetter(*layout.kept, layout.kept[0])(row)[:-1]
    plain = _plain_numbers(cells) if layout.decimal == "." else None
    if plain is not None:
        return plain
    try:
        return [number(cell, layout.decimal) for cell in cells]
    except ValueError:
        j = next(j for j in layout.kept if not is_number(row[j], layout.decimal))
        raise FileError(
            source.name,
            "{cell} is not a finite number",
            _suggestion(layout, row[j]),
            at=Place(line, j + 1, layout.title(j)),
            cell=quoted(row[j]),
            drop=Setting("drop"),
            index=Setting("index"),
            comma=Setting("decimal", ","),
            triplets=Setting("format", "triplets"),
        ) from None


def _plain_numbers(cells: Sequence[str]) -> list[float] | None:
    """Return the numbers of cells that `float` reads correctly, or None if there may be others."""
    if not _PLAIN.fullmatch("".join(cells)):
        return None
    try:
        values = [float(cell or "nan") for cell in cells]
    except ValueError:
        return None
    return None if math.inf in values or -math.inf in values else values


def _suggestion(layout: Layout, cell: str) -> str:
    """Return what to do about a cell that is not a number, as a template."""
    if re.fullmatch(r"[+-]?\d{1,3}(,\d{3})+(\.\d*)?", cell.strip()):
        return "remove thousands separators, or give {comma} if this is a decimal comma"
    if layout.decimal == "." and is_number(cell, ","):
        return "give {comma} if this is a decimal comma"
    if layout.width == 3:
        return (
            "leave the column out by {drop}, or give {triplets} if the lines are row, column, value"
        )
    return (
        "leave the cell empty if it is missing, leave the column out by {drop}, or name the rows "
        "by it with {index}"
    )
