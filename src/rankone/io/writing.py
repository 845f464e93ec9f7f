"""Write tables and summaries in which no text can be mistaken for a formula."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping
from typing import Any, TextIO

import numpy as np

from rankone._atomic import replacing_text

#: Signs that make a spreadsheet read a cell as a formula, also in full width.
_SIGNS = "=+-@\N{FULLWIDTH EQUALS SIGN}\N{FULLWIDTH PLUS SIGN}\N{FULLWIDTH HYPHEN-MINUS}" + (
    "\N{FULLWIDTH COMMERCIAL AT}\N{MINUS SIGN}"
)
_GUARD = "'"

#: Where a guard is written: before a name that begins with a sign (after blanks and quotation
#: marks), a tab or a line end; and within a name, before a sign that would begin a cell if a
#: spreadsheet assumed another delimiter. Guards that the name already has are kept.
_AT_START = rf"{_GUARD}*(?:[\s\"]*[{re.escape(_SIGNS)}]|[\t\r\n])"
_INSIDE, _SIGN = r"([\t\r\n;|,][\s\"]*)", rf"{_GUARD}*[{re.escape(_SIGNS)}]"


#: Cells that must be quoted: with delimiters, line ends or blanks, and empty ones.
_NEEDS_QUOTES = re.compile(r"[,;|\t\"\s]|\A\Z")


def guarded(name: str) -> str:
    """Return a name that a spreadsheet reads as text, never as a formula.

    Examples
    --------
    >>> guarded("=1+1"), guarded("gene 7"), guarded("a;=1")
    ("'=1+1", 'gene 7', "a;'=1")
    """
    inside = re.sub(rf"{_INSIDE}(?={_SIGN})", rf"\1{_GUARD}", name)
    return _GUARD + inside if re.match(_AT_START, inside) else inside


def without_guard(name: str) -> str:
    """Return the name without the guard of `guarded`."""
    inside = name[1:] if re.match(_GUARD + _AT_START, name) else name
    return re.sub(rf"{_INSIDE}{_GUARD}(?={_SIGN})", r"\1", inside)


def csv_text(columns: Mapping[str, Any], file: TextIO) -> None:
    """Write columns as csv: texts are guarded, numbers are as short as possible without loss."""
    file.write(",".join(_quoted(guarded(title)) for title in columns) + "\n")
    cells = [_cells(values) for values in columns.values()]
    file.writelines(f"{','.join(row)}\n" for row in zip(*cells, strict=True))


def write_csv(path: str | os.PathLike[str], columns: Mapping[str, Any]) -> None:
    """Write a table completely, or not at all; no name in it is read as a formula.

    Parameters
    ----------
    path : str or path-like
        The file; one that exists is replaced.
    columns : mapping
        The titles of columns, and their texts or numbers.
    """
    with replacing_text(path) as file:
        csv_text(columns, file)


def write_json(path: str | os.PathLike[str], content: Any) -> None:
    """Write JSON completely, or not at all.

    Parameters
    ----------
    path : str or path-like
        The file; one that exists is replaced.
    content : object
        What is written: texts, numbers, arrays, sequences and mappings.
    """
    with replacing_text(path) as file:
        file.write(json_text(content))


def json_text(content: Any) -> str:
    """Return indented JSON; numbers that are not finite become null."""
    return json.dumps(_plain(content), indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def _cells(values: Any) -> Iterator[str]:
    if isinstance(values, np.ndarray) and values.dtype.kind in "biuf":
        return map(repr, values.tolist())
    return (_quoted(guarded(x)) if isinstance(x, str) else repr(x) for x in values)


def _quoted(cell: str) -> str:
    """Return a cell, in quotation marks if necessary.

    A lone carriage return ends a line for some readers, but Python's csv module does not quote it.
    Null bytes become replacement characters.
    """
    cell = cell.replace("\0", "\N{REPLACEMENT CHARACTER}")
    return '"' + cell.replace('"', '""') + '"' if _NEEDS_QUOTES.search(cell) else cell


def _plain(value: Any) -> Any:
    """Return a value in types that JSON has."""
    if isinstance(value, np.ndarray):
        return _plain(value.tolist())
    if isinstance(value, np.generic):
        return _plain(value.item())
    if isinstance(value, float) and not np.isfinite(value):
        return None
    if isinstance(value, Mapping):
        return {str(key): _plain(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(inner) for inner in value]
    return value
