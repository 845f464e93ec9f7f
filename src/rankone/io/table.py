"""What is read from a file: a matrix, and the names of its rows and columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np


class FileError(ValueError):
    """A file that cannot be read: what is wrong with it, where, and what to do.

    Parameters
    ----------
    name : str
        What the user calls the file.
    what : str
        The rest of the sentence.
    line : int, optional
        From 1.
    column : int, optional
        From 1.
    title : str, optional
        What the file calls the column.
    """

    def __init__(
        self,
        name: str,
        what: str,
        line: int | None = None,
        column: int | None = None,
        title: str | None = None,
    ):
        place = shown(name, 200)
        if line is not None:
            place += f", line {line}"
        if column is not None:
            place += f", column {column}"
        if title:
            place += f" ({quoted(title)})"
        super().__init__(f"{place}: {what}")


def shown(text: str, length: int = 40) -> str:
    """Return a text from a file so that it can do nothing to a terminal: printable, and short."""
    clean = "".join(
        letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text
    )
    return clean if len(clean) <= length else clean[: length - 3] + "..."


def reason(error: BaseException) -> str:
    """Return what a library says is wrong, in one line that is safe to show."""
    said = str(getattr(error, "strerror", None) or error).strip()
    if len(said) > 1 and said[0] == said[-1] in "'\"":  # as those of missing keys
        said = said[1:-1]
    return shown(said.split("\n")[0].rstrip("."), 120)


def quoted(text: str) -> str:
    """Return a text from a file in quotation marks."""
    return f'"{shown(text)}"'


@dataclass(frozen=True, eq=False)
class Table:
    """A matrix as a file has it.

    Attributes
    ----------
    values : ndarray or sparse array of shape (m, n)
        NaN where an entry is missing; mapped from the file where that is possible.
    row_names, column_names : tuple of str or None
        None where the file has no names.
    missing : {"nan", "absent"}
        Whether what is absent from a sparse matrix is missing.
    how : mapping
        What the file was taken for.
    """

    values: Any
    row_names: Sequence[str] | None = None
    column_names: Sequence[str] | None = None
    missing: str = "nan"
    how: Mapping[str, Any] = field(default_factory=dict)

    @property
    def T(self) -> Table:
        """The same with rows for columns."""
        how = {**self.how, "transposed": not self.how.get("transposed", False)}
        return Table(self.values.T, self.column_names, self.row_names, self.missing, how)

    def names(self, side: int) -> Sequence[str]:
        """Return the names of rows (0) or columns (1): numbers from 1, where the file has none."""
        names = (self.row_names, self.column_names)[side]
        return [str(i + 1) for i in range(self.values.shape[side])] if names is None else names

    def select_columns(self, columns: Sequence[int]) -> Table:
        """Return some of the columns, in an order."""
        names = None if self.column_names is None else [self.column_names[j] for j in columns]
        values = self.values[:, np.asarray(columns, np.intp)]
        return Table(values, self.row_names, names, self.missing, self.how)
