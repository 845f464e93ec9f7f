"""The content of a file: a matrix, and the names of its rows and columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from rankone._stored import Stored


@dataclass(frozen=True, eq=False)
class Table:
    """A matrix with the names of its rows and columns, as read from a file.

    Attributes
    ----------
    values : ndarray, sparse array or Stored, of shape (m, n)
        NaN where an entry is missing; mapped from the file where possible, or read in blocks.
    row_names, column_names : sequence of str or None
        None if the file has no names.
    missing : {"nan", "absent"}
        Whether the absent entries of a sparse matrix are missing.
    how : mapping
        How the file was read: its format, delimiter, and the like.
    """

    values: Any
    row_names: Sequence[str] | None = None
    column_names: Sequence[str] | None = None
    missing: str = "nan"
    how: Mapping[str, Any] = field(default_factory=dict)

    @property
    def T(self) -> Table:
        """The transpose."""
        how = {**self.how, "transposed": not self.how.get("transposed", False)}
        return Table(self.values.T, self.column_names, self.row_names, self.missing, how)

    def names(self, side: int) -> Sequence[str]:
        """Return the names of rows (0) or columns (1): numbers from 1 if the file has none."""
        names = (self.row_names, self.column_names)[side]
        return [str(i + 1) for i in range(self.values.shape[side])] if names is None else names

    def select_columns(self, columns: Sequence[int]) -> Table:
        """Return a table of the given columns, in the given order."""
        names = None if self.column_names is None else [self.column_names[j] for j in columns]
        if isinstance(self.values, Stored):
            values: Any = self.values.select_columns(columns)
        else:
            values = self.values[:, np.asarray(columns, np.intp)]
        return Table(values, self.row_names, names, self.missing, self.how)
