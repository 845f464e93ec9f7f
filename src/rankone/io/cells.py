"""The meaning of a cell of a text file: a number, or a missing entry."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property

#: Cells that stand for a missing entry, in lower case.
MISSING = frozenset(
    ("", "na", "n/a", "nan", "-nan", "+nan", "null", "none", "#n/a", "#na", "missing", "?", "<na>")
)

#: Cells that stand for one and zero, in lower case.
TRUTH = {"true": 1.0, "false": 0.0}

#: Separators of thousands, and the decimal points that go with them if not the usual one.
SEPARATORS = {",": ".", ".": ",", " ": None, "'": None}

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_BLANKS = " \t"

#: Blanks that programs write between thousands: ordinary, no-break, and narrow no-break.
_WIDE_BLANKS = " \N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}\N{THIN SPACE}"


@dataclass(frozen=True)
class Notation:
    """How a file writes numbers and missing entries.

    Attributes
    ----------
    decimal : {".", ","}
    thousands : str or None
        The separator of thousands. A blank stands for blanks of all kinds.
    missing : tuple of str
        Cells that stand for a missing entry, in addition to the usual ones. A number among them
        stands for all cells with the same value.

    Examples
    --------
    >>> usual = Notation()
    >>> usual.number(" 1.5e3 "), usual.number("NA"), usual.number("True")
    (1500.0, nan, 1.0)
    >>> german = Notation(",", ".", missing=("-", "999"))
    >>> german.number("1.250,5"), german.number("-"), german.number("999,0")
    (1250.5, nan, nan)
    """

    decimal: str = "."
    thousands: str | None = None
    missing: tuple[str, ...] = ()

    def number(self, cell: str) -> float:
        """Return the number in a cell, or NaN if the entry is missing.

        Raises
        ------
        ValueError
            If the cell is neither a finite number nor missing.
        """
        text = cell.strip(_BLANKS)
        word = text.lower()
        if word in MISSING or text in self.missing:
            return math.nan
        if word in TRUTH:
            return TRUTH[word]
        text = self._as_python_writes(text)
        if not _NUMBER.fullmatch(text):
            raise ValueError
        value = float(text)
        if math.isinf(value):
            raise ValueError
        return math.nan if value in self.missing_numbers else value

    def is_number(self, cell: str) -> bool:
        """Return whether a cell holds a number or stands for a missing entry."""
        try:
            self.number(cell)
        except ValueError:
            return False
        return True

    def is_missing(self, cell: str) -> bool:
        """Return whether a cell stands for a missing entry."""
        return self.is_number(cell) and math.isnan(self.number(cell))

    @property
    def is_plain(self) -> bool:
        """Whether `float` reads all cells that consist of digits, signs, points and exponents."""
        return self.decimal == "." and self.thousands is None and not self.missing

    @cached_property
    def missing_numbers(self) -> tuple[float, ...]:
        """The numbers that stand for a missing entry."""
        usual = Notation(self.decimal, self.thousands)
        numbers = (usual.number(cell) for cell in self.missing if usual.is_number(cell))
        return tuple(number for number in numbers if not math.isnan(number))

    def _as_python_writes(self, text: str) -> str:
        """Return the text of a number with a decimal point, and without thousands separators."""
        if self.thousands is not None:
            text = self._groups.sub(lambda group: re.sub(self._separator, "", group[0]), text)
        return text if self.decimal == "." else text.replace(".", "x").replace(self.decimal, ".")

    @cached_property
    def _separator(self) -> str:
        blank = self.thousands is not None and self.thousands in _WIDE_BLANKS
        return f"[{_WIDE_BLANKS}]" if blank else re.escape(self.thousands or "")

    @cached_property
    def _groups(self) -> re.Pattern[str]:
        """The digits of a number before its decimal point; all groups but the first have three.

        In India, all but the last have two.
        """
        separator = self._separator
        return re.compile(rf"(?<=^)[+-]?\d{{1,3}}({separator}\d{{2,3}})*{separator}\d{{3}}(?!\d)")


def looks_like_thousands(cell: str) -> bool:
    """Return whether a cell may be a whole number with commas between thousands.

    Examples
    --------
    >>> looks_like_thousands("1,000"), looks_like_thousands("0,5")
    (True, False)
    """
    return re.fullmatch(r"[+-]?[1-9]\d{0,2}(,\d{3})+(\.\d*)?", cell.strip(_BLANKS)) is not None


def other_notation(cell: str, notation: Notation) -> str | None:
    """Return the separator of thousands with which a cell is a number.

    It is empty if a decimal comma is enough, and None if the cell is no number in any notation.
    """
    if replace(notation, decimal=",").is_number(cell) and not looks_like_thousands(cell):
        return ""
    for separator, point in SEPARATORS.items():
        if Notation(point or notation.decimal, separator, notation.missing).is_number(cell):
            return separator
    return None


def decimal_of(cells: Iterable[str], notation: Notation) -> str:
    """Return the decimal point of cells, none of which ends at a comma.

    It is a comma if some cells are numbers with a decimal comma only, not all of them may have
    thousands separators instead, and none has a decimal point.

    Examples
    --------
    >>> decimal_of(["0,5", "2"], Notation()), decimal_of(["1,000"], Notation())
    (',', '.')
    """
    point = Notation(".", notation.thousands, notation.missing)
    comma = Notation(",", notation.thousands, notation.missing)
    distinct = set(cells)
    with_comma = [cell for cell in distinct if "," in cell and comma.is_number(cell)]
    with_point = any("." in cell and point.is_number(cell) for cell in distinct)
    ambiguous = all(looks_like_thousands(cell) for cell in with_comma)
    return "." if with_point or ambiguous else ","
