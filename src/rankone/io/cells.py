"""What the cell of a text file means: a number, or nothing."""

from __future__ import annotations

import math
import re

#: What stands for a missing entry, however it is capitalised.
MISSING = frozenset(
    ("", "na", "n/a", "nan", "-nan", "+nan", "null", "none", "#n/a", "#na", "missing", "?", "<na>")
)

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_BLANKS = " \t"


def number(cell: str, decimal: str = ".") -> float:
    """Return the number in a cell, NaN if it says that there is none.

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
        If the cell says something else: why, and what to do.

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
    """Say whether a cell says that there is no number."""
    return cell.strip(_BLANKS).lower() in MISSING


def is_number(cell: str, decimal: str = ".") -> bool:
    """Say whether a cell holds a number, or says that there is none."""
    try:
        number(cell, decimal)
    except ValueError:
        return False
    return True
