"""Errors that know what is wrong, where, and what to do.

A message is a template whose fields are places in the matrix, settings and methods. Python users
read ``X[3, 4]`` and ``loss='gaussian'``; another interface, such as the command line, words the
same fields its own way: the name of a row in the file, ``--loss gaussian``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rankone.wording import quoted, shown

__all__ = [
    "Column",
    "Entry",
    "FileError",
    "Input",
    "InputError",
    "InputWarning",
    "Method",
    "Place",
    "Row",
    "Rows",
    "Setting",
    "Settings",
    "Worded",
]


@dataclass(frozen=True)
class Input:
    """The matrix itself."""

    def __str__(self) -> str:
        """Name the matrix as Python users do."""
        return "X"


@dataclass(frozen=True)
class Entry:
    """An entry of the matrix, by its indices from 0."""

    row: int
    column: int

    def __str__(self) -> str:
        """Name the entry as Python users do."""
        return f"X[{self.row}, {self.column}]"


@dataclass(frozen=True)
class Row:
    """A row of the matrix, by its index from 0."""

    index: int

    def __str__(self) -> str:
        """Name the row as Python users do."""
        return f"row {self.index} of X"


@dataclass(frozen=True)
class Rows:
    """Several rows of the matrix, by their indices from 0, of which the first few are named."""

    indices: tuple[int, ...]

    #: The number of rows that are named.
    MOST = 5

    def __str__(self) -> str:
        """Name the rows as Python users do."""
        if len(self.indices) == 1:
            return str(Row(self.indices[0]))
        return f"rows {self.listed(str)} of X"

    def listed(self, name: Callable[[int], str]) -> str:
        """Return the names of the first few rows, given the name of each."""
        more = ", ..." if len(self.indices) > self.MOST else ""
        return ", ".join(map(name, self.indices[: self.MOST])) + more


@dataclass(frozen=True)
class Column:
    """A column of the matrix, by its index from 0."""

    index: int

    def __str__(self) -> str:
        """Name the column as Python users do."""
        return f"column {self.index} of X"


@dataclass(frozen=True)
class Setting:
    """A parameter, alone or with a value: ``max_clusters``, ``loss='gaussian'``.

    Parameters
    ----------
    parameter : str
    value : object, optional
    of : {"vectors", "cut"}, optional
        The parameter whose method this is a parameter of: ``max_iter`` is one of ``vectors``.
    """

    parameter: str
    value: Any = None
    of: str | None = None

    def __str__(self) -> str:
        """Write the setting as Python users do."""
        return self.parameter if self.value is None else f"{self.parameter}={self.value!r}"


@dataclass(frozen=True)
class Settings:
    """Parameters with values that solve a problem together."""

    settings: tuple[Setting, ...]

    def __str__(self) -> str:
        """Write the settings as Python users do."""
        return ", ".join(map(str, self.settings))


@dataclass(frozen=True)
class Method:
    """Step 1 methods, by the names of their classes; a single one may have a parameter."""

    names: tuple[str, ...]
    parameter: str | None = None
    value: Any = None

    def __str__(self) -> str:
        """Name the methods as Python users do."""
        setting = "" if self.parameter is None else f"({self.parameter}={self.value!r})"
        return self.alternatives(str) + setting

    def alternatives(self, name: Callable[[str], str]) -> str:
        """Return the names of the methods as alternatives, given the name of each class."""
        *others, last = map(name, self.names)
        return f"{', '.join(others)} or {last}" if others else last


class Worded(Exception):
    """A message with fields, for errors and warnings.

    Parameters
    ----------
    problem : str
        A template for `str.format` that says what is wrong, and where, without a full stop.
    suggestion : str, optional
        A template that says what to do.
    **fields : Entry, Row, Column, Setting, ..., or anything that can be printed
        The fields of both templates. What a user or a file wrote is always a field: braces in a
        template have a meaning.
    """

    def __init__(self, problem: str, suggestion: str | None = None, **fields: Any) -> None:
        self.problem, self.suggestion, self.fields = problem, suggestion, fields
        super().__init__(self.worded())

    def worded(self, words: Callable[[Any], str] = str) -> str:
        """Return the message as one sentence, with each field put into words by a function."""
        message = self.problem if self.suggestion is None else f"{self.problem}; {self.suggestion}"
        sentence = message.format(**{name: words(field) for name, field in self.fields.items()})
        begins_with = next((x for x in self.fields if message.startswith(f"{{{x}}}")), None)
        if isinstance(self.fields.get(begins_with or ""), (Row, Column)):
            sentence = sentence[0].upper() + sentence[1:]
        return sentence + "."

    @property
    def parameter(self) -> str | None:
        """The parameter that the message is about, if it is about one."""
        settings = (field for field in self.fields.values() if isinstance(field, Setting))
        return next((setting.parameter for setting in settings), None)

    def __reduce__(self) -> Any:
        """Keep the fields when the message passes from one process to another."""
        return _restored, (type(self), self.problem, self.suggestion, self.fields)


def _restored(
    kind: Callable[..., Worded], problem: str, suggestion: str | None, fields: dict[str, Any]
) -> Worded:
    return kind(problem, suggestion, **fields)


class InputError(Worded, ValueError):
    """An input that cannot be used.

    Examples
    --------
    >>> error = InputError(
    ...     "{loss} does not accept negative entries, but {entry} is {value}",
    ...     "use {other}",
    ...     loss=Setting("loss", "poisson"),
    ...     entry=Entry(0, 3),
    ...     value=-1.0,
    ...     other=Setting("loss", "gaussian"),
    ... )
    >>> print(error)
    loss='poisson' does not accept negative entries, but X[0, 3] is -1.0; use loss='gaussian'.
    """


class InputWarning(UserWarning):
    """A matrix that may not be what its user meant to give."""


def too_alike(target: int, side: str, number: int) -> InputError:
    """Return the error for more clusters of a side than its lines can be told apart into."""
    return InputError(
        "{target} clusters of {side} were asked for, but the {side} of {X} cannot be told apart "
        "into more than {number}",
        "ask for {number} or fewer",
        target=target,
        side=side,
        X=Input(),
        number=number,
    )


@dataclass(frozen=True)
class Place:
    """A place in a file: a line and a column, both from 1, and the title of the column."""

    line: int | None = None
    column: int | None = None
    title: str | None = None

    def __str__(self) -> str:
        """Name the place after the name of the file."""
        line = "" if self.line is None else f", line {self.line}"
        column = "" if self.column is None else f", column {self.column}"
        return line + column + (f" ({quoted(self.title)})" if self.title else "")


class FileError(InputError):
    """A file that cannot be used: which, where in it, what is wrong, and what to do.

    Parameters
    ----------
    path : str
        The file, as the user calls it.
    problem, suggestion : str
        What is wrong, and what to do; both may name fields in braces.
    **fields
        The fields: texts, or parameters, which each interface calls by its own names.
    at : Place, optional
        Where in the file.

    Examples
    --------
    >>> print(FileError("a.csv", "{cell} is not a number", at=Place(3, 2, "b"), cell='"x"'))
    a.csv, line 3, column 2 ("b"): "x" is not a number.
    """

    def __init__(
        self,
        path: str,
        problem: str,
        suggestion: str | None = None,
        /,
        *,
        at: Place | None = None,
        **fields: Any,
    ) -> None:
        self.path, self.place = path, at or Place()
        super().__init__(problem, suggestion, **fields)

    @property
    def line(self) -> int | None:
        """The line, from 1."""
        return self.place.line

    @property
    def column(self) -> int | None:
        """The column, from 1."""
        return self.place.column

    @property
    def title(self) -> str | None:
        """The title of the column."""
        return self.place.title

    def worded(self, words: Callable[[Any], str] = str) -> str:
        """Return the message as one sentence that begins with the file and the place in it."""
        return f"{shown(self.path, 200)}{self.place}: {super().worded(words)}"

    def __reduce__(self) -> Any:
        """Keep the fields when the message passes from one process to another."""
        return _restored_file, (self.path, self.problem, self.suggestion, self.place, self.fields)


def _restored_file(
    path: str, problem: str, suggestion: str | None, place: Place, fields: dict[str, Any]
) -> FileError:
    return FileError(path, problem, suggestion, at=place, **fields)
