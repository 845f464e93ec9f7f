"""The meaning of a cell of a text file: a number, or a missing entry."""

from __future__ import annotations

import math
import re

#: Cells that stand for a missing entry, in lower case.
MISSING = frozenset(
    ("", "na", "n/a", "nan", "-nan", "+nan", "null", "none", "#n/a", "#na", "missing", "?", "<na>")
)

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_BLANKS = " \t"


def number(cell: str, decimal: str = ".") -> float:
    """Return the number in a cell, or NaN if the entry is missing.

    Parameters
    ----------
    cell : str
    decimal : str
        The decimal point.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If the cell is neither a finite number nor missing.

    Examples
    --------
    >>> number(" 1.5e3 "), number("NA"), number("2,5", ",")
    (1500.0, nan, 2.5)
    """
    if is_missing(cell):
        return math.nan
    text = cell.strip(_BLANKS)
    if decimal != ".":
        text = text.replace(".", "x").replace(decimal, ".")
    if not _NUMBER.fullmatch(text):
        raise ValueError
    value = float(text)
    if math.isinf(value):
        raise ValueError
    return value


def is_missing(cell: str) -> bool:
    """Return whether a cell stands for a missing entry."""
    return cell.strip(_BLANKS).lower() in MISSING


def is_number(cell: str, decimal: str = ".") -> bool:
    """Return whether a cell holds a number or stands for a missing entry."""
    try:
        number(cell, decimal)
    except ValueError:
        return False
    return True
