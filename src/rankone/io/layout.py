"""How a text file is laid out: its delimiter, its header, and where the names of rows are."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from rankone.io.cells import is_number
from rankone.io.source import Source
from rankone.io.table import FileError, quoted, shown

#: The least and the most bytes that are looked at, and the lines that are enough.
LEAST, MOST, ENOUGH = 2**16, 2**26, 30

DELIMITERS = (",", "\t", ";", "|", " ")


@dataclass(frozen=True)
class Layout:
    """What is where in a text file.

    Attributes
    ----------
    delimiter, decimal, encoding : str
    header : tuple of str or None
        The cells of the first line, if they are names, in the order of the columns below them.
    width : int
        How many cells a line has.
    index : int or None
        Which column has the names of rows.
    kept : tuple of int
        Which columns are data.
    line_bytes : float
        How long a line is, about.
    has_quotes : bool
        Whether a cell may be in quotation marks, and so have a delimiter or a line break inside.
    """

    delimiter: str
    decimal: str
    encoding: str
    header: tuple[str, ...] | None
    width: int
    index: int | None
    kept: tuple[int, ...]
    line_bytes: float
    has_quotes: bool

    def title(self, column: int) -> str | None:
        """Return what the file calls a column."""
        return None if self.header is None else self.header[column]

    def describe(self) -> dict[str, Any]:
        """Return what the file was taken for, in words."""
        index: Any = None if self.index is None else self.title(self.index) or self.index + 1
        return {
            "delimiter": self.delimiter,
            "header": self.header is not None,
            "names of rows": index,
        }


def find_layout(
    source: Source,
    delimiter: str | None,
    header: bool | None,
    index: str | int | None,
    keep: Sequence[str | int],
    drop: Sequence[str | int],
    decimal: str,
    encoding: str,
) -> Layout:
    """Look at the first lines of a text file.

    Parameters
    ----------
    source : Source
    delimiter : str, optional
        By default the one that cuts the first lines into equally many cells.
    header : bool, optional
        Whether the first line has names. By default it has, if one of its cells beside the first
        is not a number, or if it counts from 0 or 1 after an empty first cell.
    index : str or int, optional
        Which column names the rows: its title, or its number from 1; 0 for none. By default the
        first, if most of its cells are not numbers, or if its title is empty or missing.
    keep, drop : sequence of str or int
        The only columns that are data, or those that are left out.
    decimal, encoding : str
    """
    text, whole = _first_text(source, encoding)
    lines = list(io.StringIO(text, newline=""))  # which are those of csv, not of Unicode
    if not whole and len(lines) > 1:
        lines.pop()  # it may be cut short
    if not any(line.strip() for line in lines):
        raise FileError(source.name, "it has no lines.")
    delimiter = delimiter or _delimiter(source, lines, decimal)
    rows = _cells(source, lines, delimiter)
    names = _header(rows, header, decimal)
    body = rows if names is None else rows[1:]
    if not body:
        raise FileError(source.name, "it has a header, and nothing below it.")
    width = len(body[0])
    if names is not None and len(names) == width - 1:  # as R writes it
        names = ("", *names)
    if names is not None and len(names) != width:
        raise FileError(
            source.name, f"the header has {len(names)} cells, and the line below it {width}.", 1
        )
    where = _index(source, names, width, index, body, decimal)
    kept = kept_columns(width, where, keep, drop, partial(_position, source, names, width))
    if not kept:
        raise FileError(source.name, "it has no column of numbers.")
    size = len(text.encode(encoding, "replace")) / max(1, len(rows))
    return Layout(delimiter, decimal, encoding, names, width, where, kept, size, '"' in text)


def kept_columns(
    width: int,
    index: int | None,
    keep: Sequence[str | int],
    drop: Sequence[str | int],
    position: Callable[[str | int], int],
) -> tuple[int, ...]:
    """Return which columns are data, in the order of the file."""
    wanted = {position(column) for column in keep} or {j for j in range(width) if j != index}
    return tuple(sorted(wanted - {position(column) for column in drop}))


def _first_text(source: Source, encoding: str) -> tuple[str, bool]:
    """Return the first lines, and whether they are all there is."""
    content, wanted = b"", LEAST
    with source.open() as file:
        while len(content) < MOST and content.count(b"\n") < ENOUGH:
            part = file.read(wanted - len(content))
            if not part:
                break
            content += part
            wanted = 2 * len(content)
        whole = not file.read(1)
    if len(content) >= MOST and b"\n" not in content:
        raise FileError(source.name, f"its first line is longer than {MOST >> 20} MB.", 1)
    if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise FileError(source.name, "it is encoded in UTF-16; save it in UTF-8.")
    if b"\0" in content:
        raise FileError(source.name, "it is neither text nor a format that is known.")
    if not whole:
        content = content[: content.rfind(b"\n") + 1] or content
    try:
        return content.decode("utf-8-sig" if encoding == "utf-8" else encoding), whole
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise FileError(source.name, not_decoded(content[error.start], encoding), line) from None
    except LookupError:
        raise ValueError(f"encoding {quoted(encoding)} is not known.") from None


def not_decoded(byte: int, encoding: str) -> str:
    """Say that a byte is not text."""
    return f"byte {byte:#04x} is not {shown(encoding)}; give another encoding, such as latin-1."


def _delimiter(source: Source, lines: list[str], decimal: str) -> str:
    """Return the delimiter that makes most columns, equally many in each line."""
    if source.name.lower().removesuffix(".gz").endswith((".tsv", ".tab")):
        return "\t"
    best, most = ",", (0, 0)
    for delimiter in DELIMITERS:
        if delimiter == decimal:
            continue
        try:
            first, *others = (len(row) for row in csv.reader(lines, delimiter=delimiter) if row)
        except csv.Error:
            continue
        width = others[0] if others else first
        if {*others} <= {width} and first in (width, width - 1) and (first, width) > most:
            best, most = delimiter, (first, width)
    if most[0] > 1:
        return best
    # Lines differ: an error will say where. Titles of a single column may have blanks in them.
    return max(DELIMITERS[:-1], key=lines[0].count) if decimal == "." else best


def _cells(source: Source, lines: list[str], delimiter: str) -> list[list[str]]:
    reader = csv.reader(lines, delimiter=delimiter)
    try:
        return [row for row in reader if row]
    except csv.Error as error:
        raise FileError(source.name, f"{error}.", reader.line_num) from None


def _header(rows: list[list[str]], given: bool | None, decimal: str) -> tuple[str, ...] | None:
    first = tuple(cell.strip() for cell in rows[0])
    if given is None:
        named = not all(is_number(cell, decimal) for cell in first[1:] or first)
        counted = first[0] == "" and any(
            first[1:] == tuple(map(str, range(start, start + len(first) - 1))) for start in (0, 1)
        )
        given = named or (counted and len(first) > 1)
    return first if given else None


def _index(
    source: Source,
    names: tuple[str, ...] | None,
    width: int,
    given: str | int | None,
    body: list[list[str]],
    decimal: str,
) -> int | None:
    if given is not None:
        return None if given in (0, "0") else _position(source, names, width, given)
    if width == 1:
        return None
    untitled = names is not None and names[0] == ""
    # Numbers with a comma are no names: that they are not numbers is for an error to say.
    texts = [not (is_number(row[0], decimal) or is_number(row[0], ",")) for row in body]
    return 0 if untitled or 2 * sum(texts) > len(body) else None


def _position(source: Source, names: tuple[str, ...] | None, width: int, column: str | int) -> int:
    """Return which column is meant by a title, or by a number from 1."""
    if names is not None and column in names:
        if names.count(str(column)) > 1:
            raise FileError(source.name, f"two columns are called {quoted(str(column))}.", 1)
        return names.index(str(column))
    if str(column).isdecimal() and 1 <= int(column) <= width:
        return int(column) - 1
    raise FileError(source.name, f"it has no column {quoted(str(column))}.")
