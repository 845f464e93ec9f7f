"""The layout of a text file: its delimiter, its header, and the column of row names."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from rankone.errors import FileError, Place, Setting
from rankone.io.cells import Notation, decimal_of
from rankone.io.guessing import (
    Rows,
    counts,
    delimiter_of,
    has_header,
    names_rows,
    truth_columns,
)
from rankone.io.options import Options
from rankone.io.source import Source
from rankone.wording import count, quoted, reason, shown

#: The least and the most bytes that are inspected, and the number of lines that is enough; where
#: lines are long, this many bytes and a few lines are enough.
LEAST, MOST, ENOUGH = 2**16, 2**26, 30
ENOUGH_BYTES, FEW = 2**23, 3

#: The memory that each byte of a line may take in lists of cells.
CELL_BYTES = 40

#: The greatest length of a number as programs write it, with its delimiter.
NUMBER_LENGTH = 26


@dataclass(frozen=True)
class Layout:
    """The layout of a text file.

    Attributes
    ----------
    delimiter, encoding : str
    notation : Notation
        How numbers and missing entries are written.
    skip : int
        The number of lines before the table.
    header : tuple of str or None
        The titles of all columns, if the file has them.
    width : int
        The number of cells of a line.
    index : int or None
        The column of row names.
    kept : tuple of int
        The columns that are data.
    line_bytes : float
        The approximate length of a line.
    has_quotes : bool
        Whether a cell may be quoted, and so contain a delimiter or a line break.
    begins_blank : bool
        Whether the first line is empty.
    truth : frozenset of int
        The columns of true and false.
    sample : list of list of str
        The first lines below the header, in cells.
    """

    delimiter: str
    notation: Notation
    encoding: str
    skip: int
    header: tuple[str, ...] | None
    width: int
    index: int | None
    kept: tuple[int, ...]
    line_bytes: float
    has_quotes: bool
    begins_blank: bool
    truth: frozenset[int]
    sample: Rows = field(repr=False)

    def title(self, column: int) -> str | None:
        """Return the title of a column."""
        return None if self.header is None else self.header[column]

    def cost(self, size: int, lines: int) -> float:
        """Return the memory for so many bytes and lines: numbers (twice), texts, and names.

        Bytes beyond the greatest length of numbers are counted as text.
        """
        n_numbers = lines * len(self.kept)
        texts = max(0, size - NUMBER_LENGTH * n_numbers)
        names = 0 if self.index is None else lines
        return 16.0 * n_numbers + 2.0 * texts + 100.0 * names

    def describe(self) -> dict[str, Any]:
        """Return how the file is read, as data for the summary."""
        index: Any = None if self.index is None else self.title(self.index) or self.index + 1
        notation = self.notation
        return {
            "delimiter": self.delimiter,
            "decimal": notation.decimal,
            **({} if notation.thousands is None else {"thousands": notation.thousands}),
            **({"missing cells": list(notation.missing)} if notation.missing else {}),
            "header": self.header is not None,
            "names of rows": index,
        }


def find_layout(source: Source, options: Options) -> Layout:
    """Detect the layout of a text file from its first lines."""
    text = _first_text(source, options.encoding)
    lines = list(io.StringIO(text, newline=""))[
        options.skip :
    ]  # as csv splits lines, not as Unicode does
    if not any(line.strip() for line in lines):
        raise FileError(source.name, "it has no lines")
    delimiter = options.delimiter or delimiter_of(source.name, lines, options.notation)
    rows = _cells(source, lines, delimiter)
    if not rows:
        raise FileError(source.name, "it has no lines")
    notation = options.notation
    if options.decimal is None and options.thousands not in (".", ",") and delimiter != ",":
        decimal = decimal_of((cell for row in rows for cell in row), notation)
        notation = replace(notation, decimal=decimal)
    header, body = _split_header(source, rows, options, notation)
    width = len(body[0])
    position = partial(column_position, source, header, width)
    index = _index(header, body, options.index, notation, position)
    if header is not None and header[-1] == "" and all(row[-1:] == [""] for row in body):
        options = replace(options, drop=(*options.drop, width))  # a delimiter ends each line
    kept = kept_columns(width, index, options.keep, options.drop, position)
    if not kept:
        raise FileError(source.name, "it has no column of numbers")
    return Layout(
        delimiter,
        notation,
        options.encoding,
        options.skip,
        header,
        width,
        index,
        kept,
        line_bytes=len(text.encode(options.encoding, "replace")) / max(1, len(rows)),
        has_quotes='"' in text,
        begins_blank=not lines[0].strip(),
        truth=truth_columns(body, notation),
        sample=body[:ENOUGH],
    )


def kept_columns(
    width: int,
    index: int | None,
    keep: Sequence[str | int],
    drop: Sequence[str | int],
    position: Callable[[str | int], int],
) -> tuple[int, ...]:
    """Return the columns that are data, in the order of the file."""
    kept, dropped = (
        {j for column in side for j in _listed(column, position)} for side in (keep, drop)
    )
    return tuple(sorted((kept or {j for j in range(width) if j != index}) - dropped))


def _listed(column: str | int, position: Callable[[str | int], int]) -> list[int]:
    """Return the positions of a column, or of several that are separated by commas.

    A title with a comma in it is understood as well, alone or in quotation marks.
    """
    if "," not in str(column):
        return [position(column)]
    try:
        return [position(column)]
    except FileError:
        titles = next(csv.reader([str(column)], skipinitialspace=True))
        return [position(title.strip()) for title in titles]


def _first_text(source: Source, encoding: str) -> str:
    """Return the first lines of a file, none of them cut."""
    content, wanted = b"", LEAST
    with source.open() as file:
        while len(content) < MOST and not _is_enough(content):
            part = file.read(wanted - len(content))
            if not part:
                break
            content += part
            wanted = 2 * len(content)
        whole = not file.read(1)
    source.budget().check(CELL_BYTES * len(content))
    if len(content) >= MOST and b"\n" not in content:
        raise FileError(source.name, f"the line is longer than {MOST >> 20} MB", at=Place(1))
    if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise FileError(source.name, "it is encoded in UTF-16", "save it in UTF-8")
    if b"\0" in content:
        raise FileError(source.name, "it is neither text nor a known format")
    if not whole:
        content = content[: content.rfind(b"\n") + 1] or content
    try:
        return content.decode(without_mark(encoding))
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise not_decoded(source, content[error.start], encoding, line) from None


def _is_enough(content: bytes) -> bool:
    """Return whether there are enough lines to detect their layout."""
    lines = content.count(b"\n")
    return lines >= (ENOUGH if len(content) < ENOUGH_BYTES else FEW)


def without_mark(encoding: str) -> str:
    """Return the encoding that ignores a byte order mark."""
    return "utf-8-sig" if encoding == "utf-8" else encoding


def not_decoded(source: Source, byte: int, encoding: str, line: int) -> FileError:
    """Return the error for a byte that is not text."""
    return FileError(
        source.name,
        f"byte {byte:#04x} is not {{encoding}}",
        "try another {option}, such as latin-1",
        at=Place(line),
        encoding=shown(encoding),
        option=Setting("encoding"),
    )


def is_blank(row: Sequence[str]) -> bool:
    """Return whether a line is blank."""
    return not row or (len(row) == 1 and not row[0].strip())


def _cells(source: Source, lines: list[str], delimiter: str) -> Rows:
    reader = csv.reader(lines, delimiter=delimiter)
    try:
        return [row for row in reader if not is_blank(row)]
    except csv.Error as error:
        place = Place(reader.line_num)
        raise FileError(source.name, "{reason}", at=place, reason=reason(error)) from None


def _split_header(
    source: Source, rows: Rows, options: Options, notation: Notation
) -> tuple[tuple[str, ...] | None, Rows]:
    """Return the titles of all columns, if there are any, and the lines below."""
    if not (has_header(rows, notation) if options.header is None else options.header):
        return None, rows
    header, body = tuple(cell.strip() for cell in rows[0]), rows[1:]
    if not body:
        raise FileError(source.name, "it has a header, but no lines below")
    width = len(body[0])
    if len(header) == width - 1:
        if all(row[-1] == "" for row in body):
            header = (*header, "")
        elif names_rows(body, notation) or counts([row[0] for row in body]):  # as R writes it
            header = ("", *header)
    if len(header) != width:
        raise FileError(
            source.name,
            f"the header has {count(len(header), 'cell')}, but the line below has {width}",
            "give {skip} if it is not part of the table",
            at=Place(options.skip + 1),
            skip=Setting("skip", options.skip + 1),
        )
    return header, body


def _index(
    header: tuple[str, ...] | None,
    body: Rows,
    given: str | int | None,
    notation: Notation,
    position: Callable[[str | int], int],
) -> int | None:
    """Return the column of row names."""
    if given is not None:
        return None if given in (0, "0") else position(given)
    if len(body[0]) == 1:
        return None
    untitled = header is not None and header[0] == ""
    return 0 if untitled or names_rows(body, notation) else None


def column_position(
    source: Source, titles: Sequence[str] | None, width: int, column: str | int
) -> int:
    """Return the position of a column that is given by its title, or by its number from 1."""
    given = quoted(str(column))
    if titles is not None and column in titles:
        if titles.count(str(column)) > 1:
            raise FileError(
                source.name,
                "two columns are called {column}",
                "give the number of the column, from 1, or rename one",
                column=given,
            )
        return titles.index(str(column))
    if str(column).isdecimal() and 1 <= int(column) <= width:
        return int(column) - 1
    raise FileError(source.name, "it has no column {column}", column=given)
