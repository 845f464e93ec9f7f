"""Columns of a text that do not hold numbers: which they are, and what to do about them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

import numpy as np

from rankone.errors import FileError, Place, Setting, Settings
from rankone.io.cells import other_notation
from rankone.io.layout import Layout
from rankone.io.lines import lines_of
from rankone.io.names import naming_columns
from rankone.io.notes import note
from rankone.io.options import Options
from rankone.io.source import Source
from rankone.wording import listed, quoted

#: How many cells are inspected to find columns of text, and how many texts of a column are kept.
MOST_CELLS, MOST_TEXTS = 10**6, 1000

#: The most columns that are named, and the most cells that may stand for missing entries.
MOST_NAMED, FEW = 20, 3


class CellError(FileError):
    """A cell that is not a number."""


@dataclass
class TextColumn:
    """A column in which some cells are not numbers.

    Attributes
    ----------
    position : int
    line : int
        The line of the first such cell.
    cell : str
        That cell.
    n_texts, n_cells : int
        The number of such cells, and of all that are not missing.
    cells : set of str
        The different ones among the first such cells.
    """

    position: int
    line: int
    cell: str
    n_texts: int = 0
    n_cells: int = 0
    cells: set[str] = field(default_factory=set)

    @property
    def is_text(self) -> bool:
        """Whether most cells are texts, so that the others are the exception."""
        return self.n_cells > 1 and 2 * self.n_texts > self.n_cells

    @property
    def tells_rows_apart(self) -> bool:
        """Whether all cells are texts, and all are different."""
        different = len(self.cells) == min(self.n_texts, MOST_TEXTS)
        return self.is_text and self.n_cells == self.n_texts and different


def text_columns(source: Source, layout: Layout, most: int | None = None) -> list[TextColumn]:
    """Find the columns with cells that are not numbers, among so many cells at most."""
    found: dict[int, TextColumn] = {}
    observed = dict.fromkeys(layout.kept, 0)
    lines = None if most is None else most // len(layout.kept) + 1
    for line, row in islice(lines_of(source, layout), lines):
        for j in layout.kept:
            cell = row[j]
            try:
                value = layout.notation.number(cell)
            except ValueError:
                observed[j] += 1
                column = found.setdefault(j, TextColumn(j, line, cell))
                column.n_texts += 1
                if column.n_texts <= MOST_TEXTS:
                    column.cells.add(cell.strip())
            else:
                observed[j] += value == value
    for j, column in found.items():
        column.n_cells = observed[j]
    return [found[j] for j in sorted(found)]


def without(source: Source, layout: Layout, columns: Sequence[TextColumn]) -> Layout:
    """Return the layout without some columns; raise a FileError if no other is left."""
    left_out = {column.position for column in columns}
    kept = tuple(j for j in layout.kept if j not in left_out)
    if not kept:
        raise FileError(source.name, "it has no column of numbers")
    return replace(layout, kept=kept)


def note_left_out(layout: Layout, columns: Sequence[TextColumn]) -> None:
    """Say which columns were left out because they do not hold numbers."""
    if columns:
        names = (f"{_name(layout, x.position)} ({quoted(x.cell)})" for x in columns)
        note("Left out what does not hold numbers: {names}", names=listed(names, MOST_NAMED, 60))


def explained(source: Source, layout: Layout, options: Options, error: CellError) -> FileError:
    """Return the error that names all columns of text at once, with options that work.

    If a single cell is wrong, or if numbers are written in another notation, that is the error.
    """
    try:
        columns = text_columns(source, layout, MOST_CELLS)
    except FileError:  # of a line further down
        return error
    for column in columns:
        if other_notation(column.cell, layout.notation) is not None:
            return cell_error(source, layout, column.line, column.position, column.cell)
    texts = [column for column in columns if column.is_text]
    if len(texts) in (0, len(layout.kept)):
        return error
    return _columns_error(source, layout, options, columns)


def _columns_error(
    source: Source, layout: Layout, options: Options, columns: list[TextColumn]
) -> FileError:
    """Return the error for columns of text, and others in which some cells are not numbers."""
    texts = [column for column in columns if column.is_text]
    place = Place()
    if len(texts) == 1:
        place = Place(column=texts[0].position + 1, title=layout.title(texts[0].position))
        problem = "it holds text, such as {cell}, not numbers"
    else:
        problem = f"{len(texts)} columns hold text, not numbers: {{names}}"
    odd = next((column for column in columns if not column.is_text), None)
    if odd is not None:
        problem += f"; {{odd}} in line {odd.line} of {{column}} is not a number either"
    triplets = "or {triplets} if the lines are row, column, value" if layout.width == 3 else ""
    return FileError(
        source.name,
        problem,
        f"try {{settings}} ({triplets or 'or {numeric} to leave out all text'})",
        at=place,
        cell=quoted(texts[0].cell),
        names=listed((_name(layout, column.position) for column in texts), MOST_NAMED),
        odd=None if odd is None else quoted(odd.cell),
        column=None if odd is None else quoted(_name(layout, odd.position)),
        settings=_settings_that_work(source, layout, options, columns),
        numeric=Setting("numeric", True),
        triplets=Setting("format", "triplets"),
    )


def _settings_that_work(
    source: Source, layout: Layout, options: Options, columns: list[TextColumn]
) -> Settings:
    """Return the options with which the file can be read."""
    settings, dropped = [], [column for column in columns if column.is_text]
    names = next((column for column in dropped if column.tells_rows_apart), None)
    if layout.index is None and options.index is None and names is not None:
        settings.append(Setting("index", _name(layout, names.position)))
        dropped.remove(names)
    elif layout.index is None and options.index is None and _first_names_rows(source, layout):
        settings.append(Setting("index", _name(layout, layout.kept[0])))
    odd = [column for column in columns if not column.is_text]
    placeholders = sorted(set().union(*(column.cells for column in odd)))
    if len(placeholders) > FEW:
        dropped += odd
    elif placeholders:
        settings.append(Setting("na", placeholders))
    if len(dropped) > MOST_NAMED:
        settings.append(Setting("numeric", True))
    elif dropped:
        titles = [_name(layout, x.position) for x in sorted(dropped, key=lambda x: x.position)]
        settings.append(Setting("drop", titles))
    return Settings(tuple(settings))


def _first_names_rows(source: Source, layout: Layout) -> bool:
    """Say whether the first column holds numbers that name the rows."""
    j, titles, cells = layout.kept[0], None, []
    for _, row in islice(lines_of(source, layout), MOST_CELLS):
        try:
            cells.append(layout.notation.number(row[j]))
        except ValueError:
            return False
    if layout.header is not None:
        titles = [layout.title(j), ""]
    return naming_columns(np.array([cells, np.zeros(len(cells))]).T, titles) == [0]


def _name(layout: Layout, column: int) -> str:
    """Return what a user can call a column: its title, if that is one of a kind, or its number."""
    title = layout.title(column)
    if layout.header is None or not title or layout.header.count(title) > 1:
        return str(column + 1)
    return title if title.isprintable() else str(column + 1)


def cell_error(source: Source, layout: Layout, line: int, column: int, cell: str) -> CellError:
    """Return the error for one cell that is not a number."""
    separator = other_notation(cell, layout.notation)
    if separator == "":
        suggestion = "give {comma} if this is a decimal comma"
    elif separator == ",":
        suggestion = (
            "give {thousands} if commas separate thousands, or {comma} if this is a decimal comma"
        )
    elif separator is not None:
        suggestion = "give {thousands} if this is a separator of thousands"
    elif layout.width == 3:
        suggestion = (
            "leave the column out by {drop}, or give {triplets} if the lines are row, column, value"
        )
    else:
        suggestion = (
            "leave the cell empty if it is missing, or give {na}; leave the column out by {drop}, "
            "or name the rows by it with {index}"
        )
    return CellError(
        source.name,
        "{cell} is not a finite number",
        suggestion,
        at=Place(line, column + 1, layout.title(column)),
        cell=quoted(cell),
        drop=Setting("drop"),
        index=Setting("index"),
        na=Setting("na", cell.strip()),
        comma=Setting("decimal", ","),
        thousands=Setting("thousands", separator),
        triplets=Setting("format", "triplets"),
    )
