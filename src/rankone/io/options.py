"""The options of a user for a text file, checked."""

from __future__ import annotations

import codecs
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rankone.errors import FileError, InputError, Setting
from rankone.io.cells import Notation
from rankone.io.source import Source
from rankone.wording import quoted

#: Encodings of Python that no file is written in.
NO_ENCODINGS = ("idna", "punycode", "undefined", "unicode_escape", "raw_unicode_escape")


@dataclass(frozen=True)
class Options:
    """The options of a user for a text file; those that are None are detected.

    Attributes
    ----------
    delimiter : str, optional
        By default the one that makes most cells numbers, equally many in each of the first lines.
    header : bool, optional
        Whether the first line has the titles of columns. Detected by default: one of its cells is
        a text above numbers, all are texts, or they count from 0 or 1.
    index : str or int, optional
        The column of row names: its title, or its number from 1; 0 for none. By default the first
        column, if most of its cells are not numbers, or if it has no title.
    keep, drop : sequence of str or int
        The only columns that are read, or those that are left out.
    skip : int
        The number of lines before the table.
    decimal : {".", ","}, optional
        By default a point, or a comma where another delimiter than commas leaves no doubt.
    thousands : str, optional
        The separator of thousands; none by default.
    na : sequence of str
        Cells that stand for a missing entry, in addition to the usual ones.
    encoding : str
    """

    delimiter: str | None = None
    header: bool | None = None
    index: str | int | None = None
    keep: Sequence[str | int] = ()
    drop: Sequence[str | int] = ()
    skip: int = 0
    decimal: str | None = None
    thousands: str | None = None
    na: Sequence[str] = ()
    encoding: str = "utf-8"

    @staticmethod
    def of(source: Source, **given: Any) -> Options:
        """Return the options for a file; raise a FileError if they are invalid."""
        try:
            return Options(**given)
        except InputError as error:
            raise FileError(source.name, error.problem, error.suggestion, **error.fields) from None

    def __post_init__(self) -> None:
        """Refuse options that are invalid for every file."""
        if self.delimiter is not None and len(self.delimiter) != 1:
            raise InputError(
                "{delimiter} must be one character, but it is {given}",
                delimiter=Setting("delimiter"),
                given=quoted(self.delimiter),
            )
        self._check_notation()
        try:
            codec = codecs.lookup(self.encoding).name
            b"1".decode(codec, "replace")  # refused by codecs that do not decode text
            if codec in NO_ENCODINGS:
                raise LookupError
        except (LookupError, UnicodeError):
            raise InputError(
                "unknown encoding {given}",
                "give {encoding}, such as utf-8 or latin-1",
                given=quoted(self.encoding),
                encoding=Setting("encoding"),
            ) from None
        object.__setattr__(self, "encoding", codec)

    def _check_notation(self) -> None:
        if self.decimal not in (None, ".", ","):
            raise InputError(
                "{decimal} must be . or , but it is {given}",
                decimal=Setting("decimal"),
                given=quoted(str(self.decimal)),
            )
        separator = self.thousands
        if separator is None:
            return
        if len(separator) != 1 or separator.isalnum() or separator in "+-":
            raise InputError(
                "{thousands} must be one character, such as a comma, but it is {given}",
                thousands=Setting("thousands"),
                given=quoted(separator),
            )
        if separator == self.notation.decimal:
            raise InputError(
                "{thousands} and {decimal} are the same",
                "give two different ones",
                thousands=Setting("thousands", separator),
                decimal=Setting("decimal", separator),
            )

    @property
    def notation(self) -> Notation:
        """How numbers and missing entries are written, before anything is inferred."""
        usual = "," if self.thousands == "." else "."
        return Notation(self.decimal or usual, self.thousands, tuple(self.na))
