"""Read matrices from workbooks of spreadsheet programs."""

from __future__ import annotations

import csv
import io
import warnings
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import date, time
from typing import Any

from rankone.errors import FileError, Setting
from rankone.io.arrays import DAMAGED_ARCHIVE
from rankone.io.delimited import read_delimited
from rankone.io.layout import CELL_BYTES
from rankone.io.notes import note
from rankone.io.source import Source
from rankone.io.table import Table
from rankone.wording import listed, quoted, reason

#: The most rows of a sheet.
MOST_ROWS = 2**20

#: The memory that each byte of a part of a workbook may take when it is parsed: texts that cells
#: share, and styles.
PART_BYTES = 8

#: The delimiter of the text that a sheet becomes.
DELIMITER = "\t"

Row = Sequence[Any]


def read_xlsx(source: Source, key: str | None = None, **options: Any) -> Table:
    """Read a matrix from a sheet, as from a text with the same cells; see `read_matrix`."""
    sheet, text = sheet_as_text(source, key)
    table = read_delimited(text, delimiter=DELIMITER, **options)
    how = {name: value for name, value in table.how.items() if name != "delimiter"}
    return replace(table, how=how | {"format": "xlsx", "sheet": sheet})


def is_workbook(source: Source) -> bool:
    """Return whether an archive is a workbook."""
    with suppress(*DAMAGED_ARCHIVE, OSError), source.open_anywhere() as file:
        return "xl/workbook.xml" in zipfile.ZipFile(file).namelist()
    return False


def sheet_as_text(source: Source, key: str | None = None) -> tuple[str, Source]:
    """Return the title of a sheet, and its cells as text with a line for each row."""
    try:
        from openpyxl import load_workbook
    except ImportError:
        raise FileError(
            source.name,
            "a workbook needs openpyxl",
            "pip install 'rankone[io]', or save it as csv",
        ) from None
    with source.open_anywhere() as file:
        with _parsing(source):
            sizes = [member.file_size for member in zipfile.ZipFile(file).infolist()]
        source.budget().check(PART_BYTES * sum(sizes))
        file.seek(0)
        with _parsing(source):
            book = load_workbook(file, read_only=True, data_only=True, keep_links=False)
            sheets = {sheet.title: sheet for sheet in book.worksheets}
            shown = [title for title, sheet in sheets.items() if sheet.sheet_state == "visible"]
        title = _chosen(source, list(sheets), shown, key)
        with _parsing(source):
            rows = _rows(source, sheets[title])
    return title, Source(source.name, None, _text(rows).encode(errors="replace"))


def _chosen(source: Source, sheets: list[str], visible: list[str], key: str | None) -> str:
    """Return the title of the sheet that is read: as given, or the first visible one."""
    if not sheets:
        raise FileError(source.name, "it has no sheet of cells")
    if key is not None and key not in sheets:
        raise FileError(
            source.name,
            "it has no sheet {key}",
            "choose one of {sheets}",
            key=quoted(key),
            sheets=listed(sheets),
        )
    title = key or (visible or sheets)[0]
    if key is None and len(visible) > 1:
        note(
            "Read the first of {number} sheets, {title}",
            "choose another one by {key}: {others}",
            number=len(visible),
            title=quoted(title),
            key=Setting("key"),
            others=listed(visible[1:]),
        )
    return title


@contextmanager
def _parsing(source: Source) -> Iterator[None]:
    """Raise a FileError for whatever the parser raises, which does not expect damaged files."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of styles and drawings that the parser does not know
            yield
    except (FileError, MemoryError):
        raise
    except Exception as error:
        raise FileError(
            source.name, "it is damaged, or not a workbook ({reason})", reason=reason(error)
        ) from None


def _rows(source: Source, sheet: Any) -> list[Row]:
    """Return the cells of a sheet; a row ends with its last cell."""
    sheet.reset_dimensions()  # which are what the file claims, true or not
    budget = source.budget()
    rows: list[Row] = []
    for row in sheet.iter_rows(values_only=True):
        budget.spend(CELL_BYTES * (len(row) + 1))
        if len(rows) == MOST_ROWS:
            raise FileError(source.name, f"it is damaged: it has more than {MOST_ROWS} rows")
        rows.append(row)
    return rows


def _text(rows: list[Row]) -> str:
    """Return rows as lines of text, without the empty columns at both sides.

    Each row is one line, so that errors name the row of the sheet.
    """
    used = [[j for j, cell in enumerate(row) if cell is not None] for row in rows]
    first = min((columns[0] for columns in used if columns), default=0)
    end = max((columns[-1] for columns in used if columns), default=-1) + 1
    text = io.StringIO()
    writer = csv.writer(text, delimiter=DELIMITER, lineterminator="\n")
    for row, columns in zip(rows, used, strict=True):
        cells = [*row[first:end], *(end - max(first, len(row))) * [None]]
        writer.writerow([_cell(cell) for cell in cells] if columns else [])
    return text.getvalue()


def _cell(value: Any) -> str:
    """Return the text of a cell."""
    if value is None:
        return ""
    if isinstance(value, (bool, int, float)):
        return repr(value)
    text = value.isoformat() if isinstance(value, (date, time)) else str(value)
    return " ".join(text.replace("\0", " ").splitlines())
