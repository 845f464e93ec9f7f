"""Tables and summaries, written so that nothing in them does harm."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Mapping
from typing import Any, TextIO

import numpy as np

from rankone._atomic import replacing_text

#: What makes a spreadsheet take a cell for a formula.
_RISKY = ("=", "+", "-", "@", "\t", "\r")
_GUARD = "'"


def guarded(name: str) -> str:
    """Return a name that a spreadsheet takes for text, and never for a formula.

    Examples
    --------
    >>> guarded("=1+1"), guarded("gene 7")
    ("'=1+1", 'gene 7')
    """
    return _GUARD + name if name.startswith(_RISKY) else name


def without_guard(name: str) -> str:
    """Return the name that was guarded."""
    return name[1:] if name.startswith(_GUARD) and name[1:].startswith(_RISKY) else name


def csv_text(columns: Mapping[str, Any], file: TextIO) -> None:
    """Write columns as csv: texts guarded, numbers as short as they can be without loss."""
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow([guarded(title) for title in columns])
    writer.writerows(zip(*(_cells(values) for values in columns.values()), strict=True))


def write_csv(path: str | os.PathLike[str], columns: Mapping[str, Any]) -> None:
    """Write a table whole, or not at all; names in it can do nothing to a spreadsheet.

    Parameters
    ----------
    path : str or path-like
    columns : mapping
        Titles, and what stands below them: texts or numbers.
    """
    with replacing_text(path) as file:
        csv_text(columns, file)


def write_json(path: str | os.PathLike[str], content: Any) -> None:
    """Write JSON whole, or not at all."""
    with replacing_text(path) as file:
        file.write(json_text(content))


def json_text(content: Any) -> str:
    """Return JSON that people can read, too; what is not a finite number becomes null."""
    return json.dumps(_plain(content), indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def _cells(values: Any) -> Any:
    if isinstance(values, np.ndarray) and values.dtype.kind in "biuf":
        return values.tolist()
    return [guarded(value) if isinstance(value, str) else value for value in values]


def _plain(value: Any) -> Any:
    """Return what JSON has."""
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
