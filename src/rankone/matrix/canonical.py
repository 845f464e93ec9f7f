"""A matrix in an order that depends on its entries alone.

Sums that are added in another order differ in their last bits, which is enough for a search that
compares them to take another turn; so do starts and draws that go by position. Work that is done on
a copy in canonical order, transposed if need be, has the same result in whatever order, and on
whichever side, the rows and columns were given.

What stays undecided are rows, or columns, whose fingerprints are equal: equal ones, for which no
order is needed, and those that a symmetry of the matrix exchanges, for which there is none.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from rankone.matrix.base import Matrix
from rankone.matrix.fingerprints import Keys, fingerprints
from rankone.matrix.reading import as_matrix
from rankone.typing import IntArray

Side = TypeVar("Side", bound=np.ndarray)


@dataclass(frozen=True, eq=False)
class Canonical:
    """A matrix in canonical order, and how to get there and back.

    Attributes
    ----------
    given : Matrix
    matrix : Matrix
        The same entries in canonical order; the given matrix itself, if it is too large to copy.
    rows, columns : ndarray
        The rows and columns of the given matrix, in their canonical order.
    turned : bool
        Whether the rows of the given matrix became columns.
    """

    given: Matrix
    matrix: Matrix
    rows: IntArray
    columns: IntArray
    turned: bool

    @classmethod
    def of(cls, matrix: Matrix, joint: bool = False) -> Canonical:
        """Put a matrix into canonical order.

        Parameters
        ----------
        matrix : Matrix
        joint : bool
            Whether the i-th row and the i-th column of a square matrix are one thing, and must
            stay together.

        Examples
        --------
        >>> a = np.array([[1.0, 2.0, 0.0], [5.0, 4.0, 3.0]])
        >>> one, other = (Canonical.of(as_matrix(x)) for x in (a, a[::-1, [2, 0, 1]].T))
        >>> bool((one.matrix.values() == other.matrix.values()).all())
        True
        """
        m, n = matrix.shape
        if not matrix.is_small:
            return cls(matrix, matrix, np.arange(m), np.arange(n), False)
        values = matrix.values()
        row_keys, column_keys = matrix.fingerprints
        turned = m < n or (m == n and _is_after(row_keys, column_keys))
        if joint and m == n:
            keys = (row_keys, column_keys) if turned else (column_keys, row_keys)
            rows = columns = np.lexsort(keys)
        else:
            exact = _exact(matrix, (row_keys, column_keys))
            rows = np.lexsort((exact[0], row_keys))
            columns = np.lexsort((exact[1], column_keys))
        copy = values[rows][:, columns].T if turned else values[rows][:, columns]
        if isinstance(copy, np.ndarray):
            ordered = as_matrix(np.ascontiguousarray(copy))
        else:
            ordered = as_matrix(copy.tocsr(), "absent" if matrix.n_missing else "nan")
        return cls(matrix, ordered, rows, columns, turned)

    def there(self, rows: Side, columns: Side) -> tuple[Side, Side]:
        """Return what belongs to the rows and columns of the canonical matrix."""
        return self.sides((rows[self.rows], columns[self.columns]))

    def back(self, rows: Side, columns: Side) -> tuple[Side, Side]:
        """Return what belongs to the rows and columns of the given matrix."""
        result = []
        for side, order in zip(self.sides((rows, columns)), (self.rows, self.columns), strict=True):
            result.append(np.empty_like(side))
            result[-1][order] = side
        return result[0], result[1]

    def sides(self, pair: tuple[Any, Any]) -> tuple[Any, Any]:
        """Return a pair of something for rows and columns, from one orientation to the other."""
        return (pair[1], pair[0]) if self.turned else pair


def _exact(matrix: Matrix, keys: tuple[Keys, Keys]) -> tuple[Keys, Keys]:
    """Return fingerprints that tell lines apart which only differ in their last digits."""
    if all(np.unique(of_side).size == of_side.size for of_side in keys):
        return keys
    return fingerprints(matrix.values(), bool(matrix.n_missing), exact=True)


def _is_after(rows: Keys, columns: Keys) -> bool:
    """Say whether sorted fingerprints of rows come after those of columns."""
    differ = np.flatnonzero(np.sort(rows) != np.sort(columns))
    return bool(differ.size) and bool(np.sort(rows)[differ[0]] > np.sort(columns)[differ[0]])
