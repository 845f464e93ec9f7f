"""Read matrices from text files: numbers between delimiters, with or without names."""

from __future__ import annotations

import math
import re
import zlib
from array import array
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib.util import find_spec
from itertools import islice
from operator import itemgetter
from typing import Any, BinaryIO

import numpy as np

from rankone.errors import FileError
from rankone.io.cells import MISSING
from rankone.io.layout import Layout, find_layout
from rankone.io.lines import check_lines, cost_of, lines_of
from rankone.io.options import Options
from rankone.io.source import Source
from rankone.io.spilling import Spill, spilling_folder
from rankone.io.table import Table
from rankone.io.texts import (
    MOST_CELLS,
    CellError,
    cell_error,
    explained,
    note_left_out,
    text_columns,
    without,
)
from rankone.typing import FloatArray

#: The usual spellings of missing entries, and of true and false; others are left to the reference
#: parser.
SPELLINGS = sorted(
    {f(word) for word in MISSING for f in (str, str.upper, str.capitalize)} | {"NaN"}
)
TRUE, FALSE = ("true", "True", "TRUE"), ("false", "False", "FALSE")

#: Above this many columns, pyarrow is used only for files with this many bytes a column: it takes
#: about as much memory for a column, however short it is.
MANY_COLUMNS, COLUMN_BYTES = 1000, 4096

#: Numbers that the reference parser reads before they are written to disk.
PIECE = 2**20

#: The values of a file, and the names of its rows.
Parsed = tuple[FloatArray, list[str] | None]

#: Numbers that `float` reads as the reference parser does consist of these characters.
_PLAIN = re.compile(r"[0-9.eE+\-]*")


def read_delimited(
    source: Source,
    numeric: bool = False,
    lazy: bool | None = None,
    cache: str | None = None,
    **options: Any,
) -> Table:
    """Read a matrix from text; see `rankone.io.read_matrix`, and `Options`.

    There are a fast parser and a reference parser. The fast one reads most files. The reference
    parser reads every valid file and says where another one is wrong; it is used wherever the fast
    one is not available or refuses, and decides where they differ. The numbers of a large file are
    written to disk as they are read, and mapped.
    """
    chosen = Options.of(source, **options)
    layout = find_layout(source, chosen)
    folder = spilling_folder(source, layout, lazy, cache)
    read = parse if folder is None else partial(parse_to_disk, folder)
    if folder is None:
        check_lines(source, layout)
    if numeric:
        layout, (values, names) = parse_numeric(source, layout, read)
    else:
        try:
            values, names = read(source, layout)
        except CellError as error:
            raise explained(source, layout, chosen, error) from None
    titles = None if layout.header is None else [layout.header[j] for j in layout.kept]
    how = {"format": "text", **layout.describe()}
    how |= {} if folder is None else {"kept on disk in": folder}
    return Table(values, names, titles, how=how)


def parse(source: Source, layout: Layout) -> Parsed:
    """Read a matrix, with pyarrow if possible."""
    parsed = parse_fast(source, layout)
    return parse_by_cell(source, layout) if parsed is None else parsed


def parse_numeric(
    source: Source, layout: Layout, read: Callable[[Source, Layout], Parsed]
) -> tuple[Layout, Parsed]:
    """Read the columns of numbers; leave out the others, and say which."""
    columns = text_columns(source, layout, MOST_CELLS)
    while True:
        narrow = without(source, layout, columns)
        try:
            parsed = read(source, narrow)
        except CellError:  # text comes later than in the lines that were inspected
            columns = text_columns(source, layout)
        else:
            note_left_out(layout, columns)
            return narrow, parsed


def parse_fast(source: Source, layout: Layout) -> Parsed | None:
    """Read a matrix with pyarrow; return None if that is not possible."""
    names = () if layout.index is None else (layout.index,)
    if layout.index in layout.kept:  # which pyarrow would read as one or the other
        return None
    table = arrow_table(source, layout, layout.kept, names)
    if table is None:
        return None
    values = np.empty((table.num_rows, len(layout.kept)), order="F")
    for j, title in enumerate(layout.kept):
        values[:, j] = arrow_numbers(table, title, layout)
        if np.isinf(values[:, j]).any():
            return None
    return values, table.column(str(layout.index)).to_pylist() if names else None


def arrow_table(
    source: Source, layout: Layout, numeric: Sequence[int], texts: Sequence[int]
) -> Any | None:
    """Read columns of a file with pyarrow; their titles are their numbers.

    Return None if pyarrow is not installed or refuses the file: the reference parser says why.
    """
    if not arrow_suits(source, layout):
        return None
    from pyarrow import csv as arrow

    try:
        with source.open(cost_of(source, layout)) as file:
            table = arrow.read_csv(**arrow_options(source, file, layout, numeric, texts))
    except FileError:
        raise
    except arrow_errors():
        return None
    return table if table.num_rows else None


def arrow_suits(source: Source, layout: Layout) -> bool:
    """Say whether pyarrow is installed, and reads such a file as the reference parser does."""
    if find_spec("pyarrow") is None:
        return False
    # pyarrow counts skipped lines differently, and knows no separators of thousands.
    if layout.begins_blank or layout.notation.thousands is not None:
        return False
    return layout.width <= MANY_COLUMNS or source.size >= COLUMN_BYTES * layout.width


def arrow_errors() -> tuple[type[Exception], ...]:
    """Return what pyarrow raises for files that it does not read."""
    import pyarrow as pa

    return pa.ArrowException, OSError, EOFError, ValueError, TypeError, zlib.error


def arrow_options(
    source: Source, file: BinaryIO, layout: Layout, numeric: Sequence[int], texts: Sequence[int]
) -> dict[str, Any]:
    """Return the arguments with which pyarrow reads columns, of numbers and of texts."""
    import pyarrow as pa
    from pyarrow import csv as arrow

    types = {str(j): pa.bool_() if j in layout.truth else pa.float64() for j in numeric}
    types |= {str(j): pa.string() for j in texts}
    lines_a_block = 1000 if layout.width < 1000 else 100
    return {
        "input_file": pa.OSFile(str(source.path)) if source.in_place else pa.PythonFile(file, "r"),
        "read_options": arrow.ReadOptions(
            # Threads that wait for a Python file may outlive a reader that was refused.
            use_threads=source.in_place,
            skip_rows=layout.skip,
            column_names=[str(j) for j in range(layout.width)],
            skip_rows_after_names=int(layout.header is not None),
            block_size=int(min(max(2**20, lines_a_block * layout.line_bytes), 2**26)),
            encoding=layout.encoding,
        ),
        "parse_options": arrow.ParseOptions(
            delimiter=layout.delimiter, newlines_in_values=layout.has_quotes
        ),
        "convert_options": arrow.ConvertOptions(
            column_types=types,
            include_columns=list(types),
            null_values=[*SPELLINGS, *layout.notation.missing],
            true_values=TRUE,
            false_values=FALSE,
            decimal_point=layout.notation.decimal,
            strings_can_be_null=False,
        ),
    }


def arrow_numbers(table: Any, column: int, layout: Layout) -> FloatArray:
    """Return the numbers of a column that pyarrow has read."""
    from pyarrow import float64

    values: FloatArray = table.column(str(column)).cast(float64()).to_numpy()
    missing = layout.notation.missing_numbers
    return np.where(np.isin(values, missing), np.nan, values) if missing else values


def parse_to_disk(folder: str, source: Source, layout: Layout) -> Parsed:
    """Read a matrix piece by piece, write its numbers to disk, and map them."""
    budget = source.budget()
    for pieces in (_pieces_by_arrow, _pieces_by_cell):
        names: list[str] = []
        with Spill(source.name, folder, len(layout.kept)) as spill:
            try:
                for values, more in pieces(source, layout):
                    budget.spend(sum(map(len, more)) + 60.0 * len(more))
                    names += more
                    spill.write(values)
                return spill.mapped(), names if layout.index is not None else None
            except Unsuitable:
                continue
    raise AssertionError("the reference parser reads every file, or says what is wrong")


class Unsuitable(Exception):
    """A file that pyarrow does not read, or not as the reference parser does."""


def _pieces_by_arrow(source: Source, layout: Layout) -> Iterator[tuple[FloatArray, list[str]]]:
    """Yield numbers and names of some lines at a time, read by pyarrow."""
    if layout.index in layout.kept or not arrow_suits(source, layout):
        raise Unsuitable
    from pyarrow import csv as arrow

    texts = () if layout.index is None else (layout.index,)
    try:
        with source.open(to_disk=True) as file:
            for batch in arrow.open_csv(**arrow_options(source, file, layout, layout.kept, texts)):
                columns = [arrow_numbers(batch, j, layout) for j in layout.kept]
                values = np.column_stack(columns)
                if np.isinf(values).any():
                    raise Unsuitable
                yield values, batch.column(str(layout.index)).to_pylist() if texts else []
    except FileError:
        raise
    except arrow_errors() as error:
        raise Unsuitable from error


def _pieces_by_cell(source: Source, layout: Layout) -> Iterator[tuple[FloatArray, list[str]]]:
    """Yield numbers and names of some lines at a time, read by the reference parser."""
    lines = lines_of(source, layout, to_disk=True)
    at_once = max(1, PIECE // len(layout.kept))
    while piece := list(islice(lines, at_once)):
        values = np.array([numbers(source, layout, line, row) for line, row in piece])
        names = [] if layout.index is None else [row[layout.index] for _, row in piece]
        yield values, names


def parse_by_cell(source: Source, layout: Layout) -> Parsed:
    """Read a file cell by cell: the reference parser."""
    values = array("d")
    names: list[str] = []
    for line, row in lines_of(source, layout):
        if layout.index is not None:
            names.append(row[layout.index])
        values.extend(numbers(source, layout, line, row))
    matrix = np.frombuffer(values, float) if values else np.empty(0)
    return matrix.reshape(-1, len(layout.kept)), names if layout.index is not None else None


def numbers(source: Source, layout: Layout, line: int, row: list[str]) -> list[float]:
    """Return the numbers of a line; raise a CellError for the first cell that is not a number."""
    cells = itemgetter(*layout.kept, layout.kept[0])(row)[:-1]
    plain = _plain_numbers(cells) if layout.notation.is_plain else None
    if plain is not None:
        return plain
    try:
        return [layout.notation.number(cell) for cell in cells]
    except ValueError:
        j = next(j for j in layout.kept if not layout.notation.is_number(row[j]))
        raise cell_error(source, layout, line, j, row[j]) from None


def _plain_numbers(cells: Sequence[str]) -> list[float] | None:
    """Return the numbers of cells that `float` reads correctly, or None if there may be others."""
    if not _PLAIN.fullmatch("".join(cells)):
        return None
    try:
        values = [float(cell or "nan") for cell in cells]
    except ValueError:
        return None
    return None if math.inf in values or -math.inf in values else values
