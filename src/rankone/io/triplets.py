"""Read matrices in long form: a line for each entry, ``row, column, value``."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

import numpy as np
import scipy.sparse as sp

from rankone.errors import FileError, Place, Setting
from rankone.io.delimited import arrow_numbers, arrow_table, numbers
from rankone.io.guessing import counts
from rankone.io.layout import Layout, find_layout
from rankone.io.lines import check_lines, lines_of
from rankone.io.names import FEWEST
from rankone.io.notes import note
from rankone.io.options import Options
from rankone.io.source import Source, check_fits, check_option
from rankone.io.table import Table
from rankone.typing import FloatArray, IntArray
from rankone.wording import quoted

#: How to treat a pair that is listed more than once.
DUPLICATES = ("error", "sum", "mean", "first", "last")


def read_triplets(
    source: Source, duplicates: str = "error", absent: str | None = None, **options: Any
) -> Table:
    """Read a sparse matrix from its entries; see `rankone.io.read_matrix`."""
    check_option(source, duplicates, "duplicates", DUPLICATES)
    if absent is None:
        raise FileError(
            source.name,
            "pairs of row and column that are not listed may be zero or missing",
            "give {zero} or {missing}",
            zero=Setting("absent", "zero"),
            missing=Setting("absent", "missing"),
        )
    check_option(source, absent, "absent", ("zero", "missing"))
    chosen = Options.of(source, **options, index=0)
    layout = _layout(source, chosen)
    _note_others(layout, chosen)
    check_lines(source, layout)
    entries = _entries(source, layout)
    shape = len(entries.row_names), len(entries.column_names)
    check_fits(source, 3 * entries.values.size + sum(shape))
    if absent == "missing":
        entries = entries.where(entries.values == entries.values)
    matrix = _matrix(source, layout, entries, duplicates)
    how = {**layout.describe(), "format": "triplets", "duplicates": duplicates, "absent": absent}
    del how["names of rows"]
    missing = "absent" if absent == "missing" else "nan"
    return Table(matrix, entries.row_names, entries.column_names, missing, how)


@dataclass(frozen=True)
class _Entries:
    """Entries and their positions in the file; names in the order of their first appearance."""

    rows: IntArray
    columns: IntArray
    values: FloatArray
    row_names: list[str]
    column_names: list[str]
    positions: IntArray

    def where(self, kept: Any) -> _Entries:
        """Return the entries that a mask or a slice selects."""
        parts = ("rows", "columns", "values", "positions")
        return replace(self, **{part: getattr(self, part)[kept] for part in parts})


def _layout(source: Source, options: Options) -> Layout:
    """Detect the layout: the first line is a header, unless its last cell is a number."""
    if options.header is not None:
        return _of_three_columns(source, options)
    layout = _of_three_columns(source, replace(options, header=True))
    if layout.notation.is_number(layout.title(layout.kept[2]) or ""):
        return _of_three_columns(source, replace(options, header=False))
    return layout


def _of_three_columns(source: Source, options: Options) -> Layout:
    """Detect the layout of a file; refuse it unless three columns are row, column and value."""
    layout = find_layout(source, options)
    if len(layout.kept) > 3 and not options.keep:
        layout = replace(layout, kept=_likely_triplets(layout))
    if len(layout.kept) != 3:
        raise FileError(
            source.name,
            f"triplets have three columns (row, column, value), but it has {len(layout.kept)}",
            "choose them by {keep}",
            keep=Setting("keep"),
        )
    return layout


def _likely_triplets(layout: Layout) -> tuple[int, ...]:
    """Return the first three columns, if the third one holds numbers; all columns if not.

    A column of line numbers, as pandas writes it, comes before them and does not count.
    """
    kept = layout.kept
    first = [row[kept[0]] for row in layout.sample]
    if layout.title(kept[0]) == "" or (len(first) >= FEWEST and counts(first)):
        kept = kept[1:]
    values = (layout.notation.is_number(row[kept[2]]) for row in layout.sample)
    return kept[:3] if all(values) else layout.kept


def _note_others(layout: Layout, options: Options) -> None:
    """Say which columns were read, if there are others that were not chosen."""
    others = layout.width - 3 - len(options.drop)
    if others > 0 and not options.keep:
        names = [quoted(layout.title(j) or str(j + 1)) for j in layout.kept]
        note(
            "Read column {row} as rows, {column} as columns and {value} as values, and no other",
            "choose other columns by {keep}",
            **dict(zip(("row", "column", "value"), names, strict=True)),
            keep=Setting("keep"),
        )


def _entries(source: Source, layout: Layout) -> _Entries:
    """Read all lines, with pyarrow if possible."""
    *sides, value = layout.kept
    table = arrow_table(source, layout, (value,), sides)
    if table is not None:
        values = arrow_numbers(table, value, layout)
        if not np.isinf(values).any():
            row, column = (table.column(str(j)).combine_chunks().dictionary_encode() for j in sides)
            codes = [side.indices.to_numpy().astype(np.intp) for side in (row, column)]
            names = [side.dictionary.to_pylist() for side in (row, column)]
            positions = np.arange(values.size)
            return _Entries(codes[0], codes[1], values, names[0], names[1], positions)
    return _entries_by_line(source, layout)


def _entries_by_line(source: Source, layout: Layout) -> _Entries:
    """Read all lines one by one."""
    *sides, value = layout.kept
    known: list[dict[str, int]] = [{}, {}]
    codes, values = [array("q"), array("q")], array("d")
    only_value = replace(layout, kept=(value,))
    for line, cells in lines_of(source, layout):
        values.extend(numbers(source, only_value, line, cells))
        for seen, code, j in zip(known, codes, sides, strict=True):
            code.append(seen.setdefault(cells[j], len(seen)))
    rows, columns = (np.array(code, np.intp) for code in codes)
    names = list(known[0]), list(known[1])
    return _Entries(rows, columns, np.array(values), *names, np.arange(len(values)))


def _matrix(source: Source, layout: Layout, entries: _Entries, duplicates: str) -> sp.csr_array:
    """Build the sparse matrix, with each pair once."""
    shape = len(entries.row_names), len(entries.column_names)
    pairs = entries.rows.astype(np.int64) * shape[1] + entries.columns
    if duplicates == "last":
        entries, pairs = entries.where(slice(None, None, -1)), pairs[::-1]
    _, first, counts = np.unique(pairs, return_index=True, return_counts=True)
    if duplicates == "error" and first.size < pairs.size:
        again = int(np.setdiff1d(np.arange(pairs.size), first)[0])
        raise _repeated(source, layout, entries, again)
    if duplicates in ("first", "last"):
        entries = entries.where(first)
    matrix = sp.coo_array((entries.values, (entries.rows, entries.columns)), shape=shape).tocsr()
    matrix.sum_duplicates()
    if duplicates == "mean":
        matrix.data /= counts  # both are ordered by row, then by column
    return matrix


def _repeated(source: Source, layout: Layout, entries: _Entries, i: int) -> FileError:
    line, _ = next(islice(lines_of(source, layout), int(entries.positions[i]), None))
    row, column = entries.row_names[entries.rows[i]], entries.column_names[entries.columns[i]]
    return FileError(
        source.name,
        "the pair {row}, {column} is listed a second time",
        "list it once, or give {duplicates}: sum, mean, first or last",
        at=Place(line),
        row=quoted(row),
        column=quoted(column),
        duplicates=Setting("duplicates"),
    )
