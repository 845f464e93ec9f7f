"""Errors that know what is wrong, where, and what to do.

A message is a template whose fields are places in the matrix and settings of the learner. Python
users read ``X[3, 4]`` and ``loss='gaussian'``; another interface, such as the command line, words
the same fields its own way: the name of a row in the file, ``--loss gaussian``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

__all__ = ["Column", "Entry", "InputError", "Row", "Setting", "Worded"]


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
class Column:
    """A column of the matrix, by its index from 0."""

    index: int

    def __str__(self) -> str:
        """Name the column as Python users do."""
        return f"column {self.index} of X"


@dataclass(frozen=True)
class Setting:
    """A parameter, alone or with a value: ``max_clusters``, ``loss='gaussian'``."""

    parameter: str
    value: Any = None

    def __str__(self) -> str:
        """Write the setting as Python users do."""
        return self.parameter if self.value is None else f"{self.parameter}={self.value!r}"


class Worded(Exception):
    """A message with fields, for errors and warnings.

    Parameters
    ----------
    problem : str
        A template for `str.format` that says what is wrong, and where, without a full stop.
    suggestion : str, optional
        A template that says what to do.
    **fields : Entry, Row, Column, Setting or anything that can be printed
        The fields of both templates.
    """

    def __init__(self, problem: str, suggestion: str | None = None, **fields: Any) -> None:
        self.problem, self.suggestion, self.fields = problem, suggestion, fields
        super().__init__(self.worded())

    def worded(self, words: Callable[[Any], str] = str) -> str:
        """Return the message as one sentence, with each field put into words by a function."""
        sentence = self.problem if self.suggestion is None else f"{self.problem}; {self.suggestion}"
        return sentence.format(**{name: words(field) for name, field in self.fields.items()}) + "."

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
