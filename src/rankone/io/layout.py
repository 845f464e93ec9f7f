"""How a text file is laid out: its delimiter, its header, and where the names of rows are."""

from __future__ import annotations

import codecs
import csv
import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import count
from typing import Any

from rankone.io.cells import is_missing, is_number
from rankone.io.source import Source
from rankone.io.table import FileError, quoted, shown

#: The least and the most bytes that are looked at, and the lines that are enough; where lines are
#: long, so many bytes and a few lines are enough.
LEAST, MOST, ENOUGH = 2**16, 2**26, 30
ENOUGH_BYTES, FEW = 2**23, 3

#: The memory that each byte may take, in lists of cells.
CELL_BYTES = 40

#: How long a number is at most, as programs write them, with its delimiter.
NUMBER_LENGTH = 26

#: What Python calls encodings, but no file is written in.
NO_ENCODINGS = ("idna", "punycode", "undefined", "unicode_escape", "raw_unicode_escape")

DELIMITERS = (",", "\t", ";", "|", " ")


@dataclass(frozen=True)
class Options:
    """What a user says about a text file; what is None is found.

    Attributes
    ----------
    delimiter : str, optional
        By default the one that makes most cells numbers, equally many in each of the first lines.
    header : bool, optional
        Whether the first line has names. By default it has, if one of its cells is a text that
        stands above numbers, if all are texts, or if they count from 0 or 1.
    index : str or int, optional
        Which column names the rows: its title, or its number from 1; 0 for none. By default the
        first, if most of its cells are not numbers, or if it has no title.
    keep, drop : sequence of str or int
        The only columns that are data, or those that are left out.
    skip : int
        How many lines at the beginning are not part of the table.
    decimal, encoding : str
    """

    delimiter: str | None = None
    header: bool | None = None
    index: str | int | None = None
    keep: Sequence[str | int] = ()
    drop: Sequence[str | int] = ()
    skip: int = 0
    decimal: str = "."
    encoding: str = "utf-8"

    @staticmethod
    def of(source: Source, **given: Any) -> Options:
        """Return what was said about a file, or say what is wrong with that."""
        try:
            return Options(**given)
        except ValueError as error:
            raise FileError(source.name, str(error)) from None

    def __post_init__(self) -> None:
        """Refuse what makes no sense in any file."""
        if self.delimiter is not None and len(self.delimiter) != 1:
            raise ValueError(f"the delimiter must be one letter, not {quoted(self.delimiter)}.")
        if self.decimal not in (".", ","):
            raise ValueError(f"the decimal point must be . or , and not {quoted(self.decimal)}.")
        try:
            codec = codecs.lookup(self.encoding).name
            b"1".decode(codec, "replace")  # what encodes no text says so
            if codec in NO_ENCODINGS:
                raise LookupError
        except (LookupError, UnicodeError):
            raise ValueError(f"the encoding {quoted(self.encoding)} is not known.") from None
        object.__setattr__(self, "encoding", codec)


@dataclass(frozen=True)
class Layout:
    """What is where in a text file.

    Attributes
    ----------
    delimiter, decimal, encoding : str
    skip : int
        How many lines are left out.
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
    begins_blank : bool
        Whether an empty line stands before the first.
    """

    delimiter: str
    decimal: str
    encoding: str
    skip: int
    header: tuple[str, ...] | None
    width: int
    index: int | None
    kept: tuple[int, ...]
    line_bytes: float
    has_quotes: bool
    begins_blank: bool

    def title(self, column: int) -> str | None:
        """Return what the file calls a column."""
        return None if self.header is None else self.header[column]

    def cost(self, size: int, lines: int) -> float:
        """Return the memory that so many bytes, and lines, take: numbers twice, texts, and names.

        Whatever is longer than numbers are is taken for a text.
        """
        n_numbers = lines * len(self.kept)
        texts = max(0, size - NUMBER_LENGTH * n_numbers)
        names = 0 if self.index is None else lines
        return 16.0 * n_numbers + 2.0 * texts + 100.0 * names

    def describe(self) -> dict[str, Any]:
        """Return what the file was taken for, in words."""
        index: Any = None if self.index is None else self.title(self.index) or self.index + 1
        return {
            "delimiter": self.delimiter,
            "header": self.header is not None,
            "names of rows": index,
        }


def find_layout(source: Source, options: Options) -> Layout:
    """Look at the first lines of a text file."""
    text = _first_text(source, options.encoding)
    lines = list(io.StringIO(text, newline=""))[options.skip :]  # the lines of csv, not of Unicode
    if not any(line.strip() for line in lines):
        raise FileError(source.name, "it has no lines.")
    delimiter = options.delimiter or _delimiter(source, lines, options.decimal)
    rows = _cells(source, lines, delimiter)
    if not rows:
        raise FileError(source.name, "it has no lines.")
    header, body = _parted(source, rows, options)
    width = len(body[0])
    place = partial(_position, source, header, width)
    index = _index(header, body, options, place)
    if header is not None and header[-1] == "" and all(row[-1:] == [""] for row in body):
        options = replace(options, drop=(*options.drop, width))  # a delimiter ends each line
    kept = kept_columns(width, index, options.keep, options.drop, place)
    if not kept:
        raise FileError(source.name, "it has no column of numbers.")
    return Layout(
        delimiter,
        options.decimal,
        options.encoding,
        options.skip,
        header,
        width,
        index,
        kept,
        line_bytes=len(text.encode(options.encoding, "replace")) / max(1, len(rows)),
        has_quotes='"' in text,
        begins_blank=not lines[0].strip(),
    )


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


def _first_text(source: Source, encoding: str) -> str:
    """Return the first lines, all of them whole."""
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
        raise FileError(source.name, f"its first line is longer than {MOST >> 20} MB.", 1)
    if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise FileError(source.name, "it is encoded in UTF-16; save it in UTF-8.")
    if b"\0" in content:
        raise FileError(source.name, "it is neither text nor a format that is known.")
    if not whole:
        content = content[: content.rfind(b"\n") + 1] or content
    try:
        return content.decode(without_mark(encoding))
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise FileError(source.name, not_decoded(content[error.start], encoding), line) from None


def _is_enough(content: bytes) -> bool:
    """Say whether there are enough lines to see how they are laid out."""
    lines = content.count(b"\n")
    return lines >= (ENOUGH if len(content) < ENOUGH_BYTES else FEW)


def without_mark(encoding: str) -> str:
    """Return the encoding that takes no notice of a byte order mark."""
    return "utf-8-sig" if encoding == "utf-8" else encoding


def not_decoded(byte: int, encoding: str) -> str:
    """Say that a byte is not text."""
    return f"byte {byte:#04x} is not {shown(encoding)}; try another --encoding, such as latin-1."


def _delimiter(source: Source, lines: list[str], decimal: str) -> str:
    """Return the delimiter that makes most cells numbers, equally many in each line."""
    if source.name.lower().removesuffix(".gz").endswith((".tsv", ".tab")):
        return "\t"
    best, most = "", (0.0, 0, 0)
    for delimiter in DELIMITERS:
        if delimiter == decimal:
            continue
        try:
            first, *others = ([*row] for row in csv.reader(lines, delimiter=delimiter) if row)
        except (csv.Error, ValueError):
            continue
        body = others or [first]
        width = len(body[0])
        if {*map(len, body)} <= {width} and len(first) in (width, width - 1):
            figures = sum(_is_any_number(cell, ".") for row in body for cell in row)
            share = figures / (width * len(body))
            if (share, len(first), width) > most:
                best, most = delimiter, (share, len(first), width)
    if best and most[1] > 1:
        return best
    # Lines differ: an error will say where. Titles of a single column may have blanks in them.
    return max(DELIMITERS[:-1], key=lines[0].count) if decimal == "." else best or ";"


def is_blank(row: Sequence[str]) -> bool:
    """Say whether a line has nothing in it."""
    return not row or (len(row) == 1 and not row[0].strip())


def _cells(source: Source, lines: list[str], delimiter: str) -> list[list[str]]:
    reader = csv.reader(lines, delimiter=delimiter)
    try:
        return [row for row in reader if not is_blank(row)]
    except csv.Error as error:
        raise FileError(source.name, f"{error}.", reader.line_num) from None


def _parted(
    source: Source, rows: list[list[str]], options: Options
) -> tuple[tuple[str, ...] | None, list[list[str]]]:
    """Return the titles of all columns, if there are any, and the lines below them."""
    has_header = options.header
    if has_header is None:
        has_header = _looks_like_header(rows, options.decimal)
    if not has_header:
        return None, rows
    header, body = tuple(cell.strip() for cell in rows[0]), rows[1:]
    if not body:
        raise FileError(source.name, "it has a header, and nothing below it.")
    width = len(body[0])
    if len(header) == width - 1:
        if all(row[-1] == "" for row in body):
            header = (*header, "")
        elif _names(body, options.decimal) or _counts([row[0] for row in body]):  # as R writes it
            header = ("", *header)
    if len(header) != width:
        raise FileError(
            source.name,
            f"the header has {_cell_count(len(header))}, and the line below it {width}; if it is "
            f"not part of the table, say --skip {options.skip + 1}.",
            options.skip + 1,
        )
    return header, body


def _cell_count(n: int) -> str:
    return "1 cell" if n == 1 else f"{n} cells"


def _looks_like_header(rows: list[list[str]], decimal: str) -> bool:
    first, body = rows[0], rows[1:]
    counted = first[1:] if first[0].strip() == "" else first
    if _counts(counted) and (len(counted) < len(first) or len(first) > 2):  # as pandas writes it
        return True
    titles = [j for j, cell in enumerate(first) if not _is_any_number(cell, decimal)]
    if len(titles) == len(first):
        return True
    shift = max(0, len(body[0]) - len(first)) if body else 0  # as R writes it
    below = [[row[j + shift] for row in body if j + shift < len(row)] for j in titles]
    return any(2 * sum(_is_figure(cell, decimal) for cell in cells) > len(cells) for cells in below)


def _is_any_number(cell: str, decimal: str) -> bool:
    """Say whether a cell holds a number, be it with a comma that nobody told of."""
    return is_number(cell, decimal) or is_number(cell, ",")


def _is_figure(cell: str, decimal: str) -> bool:
    """Say whether a cell holds a number."""
    return is_number(cell, decimal) and not is_missing(cell)


def _counts(cells: Sequence[str]) -> bool:
    """Say whether cells count from 0 or 1."""
    return len(cells) > 0 and any(
        all(cell == str(number) for cell, number in zip(cells, count(start), strict=False))
        for start in (0, 1)
    )


def _names(body: list[list[str]], decimal: str) -> bool:
    """Say whether most of the first cells are texts."""
    texts = [not _is_any_number(row[0], decimal) for row in body]
    return 2 * sum(texts) > len(body)


def _index(
    header: tuple[str, ...] | None,
    body: list[list[str]],
    options: Options,
    place: Callable[[str | int], int],
) -> int | None:
    """Return which column names the rows."""
    if options.index is not None:
        return None if options.index in (0, "0") else place(options.index)
    if len(body[0]) == 1:
        return None
    untitled = header is not None and header[0] == ""
    return 0 if untitled or _names(body, options.decimal) else None


def _position(source: Source, names: tuple[str, ...] | None, width: int, column: str | int) -> int:
    """Return which column is meant by a title, or by a number from 1."""
    if names is not None and column in names:
        if names.count(str(column)) > 1:
            raise FileError(source.name, f"two columns are called {quoted(str(column))}.", 1)
        return names.index(str(column))
    if str(column).isdecimal() and 1 <= int(column) <= width:
        return int(column) - 1
    raise FileError(source.name, f"it has no column {quoted(str(column))}.")
