"""What Step 1 sees of a matrix: its shape, products with a vector, and sums."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, TypeVar

import numpy as np
import numpy.typing as npt

from rankone.matrix.fingerprints import Keys, fingerprints
from rankone.typing import FloatArray, IntArray

#: The message for sums that no double can hold.
TOO_LARGE = "The sums of X are larger than the largest double; divide X by a constant."


class BadEntry(ValueError):
    """An entry that no matrix may have, and where it is."""

    def __init__(self, row: int, column: int, what: str):
        super().__init__(f"X[{row}, {column}] is {what}.")
        self.row, self.column, self.what = int(row), int(column), what

    def transposed(self) -> BadEntry:
        """Return the same of the transpose."""
        return BadEntry(self.column, self.row, self.what)


Elementwise = Callable[[FloatArray], FloatArray]


class Linear(ABC):
    """A matrix that is known by its products with vectors, or with several at once.

    A subclass multiplies from either side; `T` and ``@`` follow. Where a vector is taken, so is a
    matrix whose columns are vectors.
    """

    shape: tuple[int, int]

    @abstractmethod
    def dot(self, v: FloatArray) -> FloatArray:
        """Return the product with a vector of one value per column."""

    @abstractmethod
    def dot_transposed(self, u: FloatArray) -> FloatArray:
        """Return the product of the transpose with a vector of one value per row."""

    def __matmul__(self, v: FloatArray) -> FloatArray:
        """Return the product with a vector."""
        return self.dot(v)


@dataclass(frozen=True)
class Totals:
    """What one sweep over a matrix tells, over the entries that exist.

    Attributes
    ----------
    rows, columns : ndarray
        The sums of each row and of each column.
    row_counts, column_counts : ndarray
        How many entries of each row, and of each column, exist.
    has_negative : bool
        Whether an entry is negative.
    """

    rows: FloatArray
    columns: FloatArray
    row_counts: FloatArray
    column_counts: FloatArray
    has_negative: bool

    @property
    def transposed(self) -> Totals:
        """The same of the transpose."""
        return Totals(
            self.columns,
            self.rows,
            self.column_counts,
            self.row_counts,
            self.has_negative,
        )


class Observed(Linear):
    """The 0/1 matrix M of the entries that exist."""

    @property
    def T(self) -> Observed:
        """The transpose, without a copy."""
        return TransposedObserved(self)

    @abstractmethod
    def between(self, rows: IntArray, columns: IntArray, n_groups: int) -> Any:
        """Return, as a sparse matrix, which groups of rows meet which groups of columns in M.

        Rows and columns of group -1 belong to none.
        """

    @abstractmethod
    def n_components(self) -> int:
        """Return into how many sets that share no row and no column the entries fall."""

    @abstractmethod
    def within(self, rows: IntArray, columns: IntArray) -> Observed:
        """Return M without the entries whose row and column are of different groups."""


class Matrix(Linear):
    """A matrix of numbers, some of which may be missing. Products take missing entries as zero.

    Attributes
    ----------
    shape : tuple of int
    totals : Totals
        The sums over rows and columns, found when the matrix was made.
    observed : Observed
        Which entries exist.
    """

    totals: Totals
    observed: Observed

    @property
    def n_missing(self) -> int:
        """How many entries do not exist."""
        m, n = self.shape
        return m * n - int(self.totals.row_counts.sum())

    @property
    def is_zero(self) -> bool:
        """Whether all entries that exist are zero."""
        return not self.totals.has_negative and not self.totals.rows.any()

    @cached_property
    def fingerprints(self) -> tuple[Keys, Keys]:
        """Numbers for rows and for columns that depend on their entries, and not on their order."""
        return fingerprints(self.values(), bool(self.n_missing))

    def magnitude(self) -> float:
        """Return the mean of absolute values."""
        with np.errstate(over="ignore"):
            rows = self.totals.rows
            total = self.sum_of(np.abs) if self.totals.has_negative else float(rows.sum())
        return total / float(self.totals.row_counts.sum())

    @property
    def T(self) -> Matrix:
        """The transpose, without a copy."""
        return TransposedMatrix(self)

    def sweep(
        self, v: FloatArray, update: Callable[[FloatArray, slice], FloatArray]
    ) -> tuple[FloatArray, FloatArray]:
        """Multiply from both sides at once: ``u = update(A v)``, then ``A^T u``.

        Parameters
        ----------
        v : ndarray of shape (n,)
        update : callable
            Called with some entries of A v and the slice of rows that they are; returns the
            entries of u there.

        Returns
        -------
        u : ndarray of shape (m,)
        product : ndarray of shape (n,)
            A^T u.
        """
        u = update(self.dot(v), slice(0, self.shape[0]))
        return u, self.dot_transposed(u)

    def group_columns(self, labels: IntArray, n_groups: int, weights: FloatArray) -> FloatArray:
        """Return the weighted sums of each row over each group of columns."""
        return self.dot(members(labels, n_groups, weights))

    def group_rows(self, labels: IntArray, n_groups: int, weights: FloatArray) -> FloatArray:
        """Return the weighted sums of each column over each group of rows."""
        return self.dot_transposed(members(labels, n_groups, weights))

    def dot_own(self, vectors: FloatArray, labels: IntArray) -> FloatArray:
        """Return the product of each row with one of several vectors, that of its label."""
        return self.dot(vectors)[np.arange(self.shape[0]), labels]

    def regroup(
        self,
        labels: IntArray,
        n_groups: int,
        weights: FloatArray,
        update: Callable[[FloatArray, slice], IntArray],
        n_row_groups: int,
        row_weights: FloatArray,
    ) -> tuple[IntArray, FloatArray]:
        """Group columns, then rows by what came of it.

        Parameters
        ----------
        labels, n_groups, weights
            Of columns; see `group_columns`.
        update : callable
            Called with sums of some rows and the slice of rows that they are; returns the groups of
            these rows.
        n_row_groups, row_weights
            Of rows; see `group_rows`.

        Returns
        -------
        row_labels : ndarray of shape (m,)
        sums : ndarray of shape (n, n_row_groups)
            Of each column over each group of rows.
        """
        rows = update(self.group_columns(labels, n_groups, weights), slice(0, self.shape[0]))
        return rows, self.group_rows(rows, n_row_groups, row_weights)

    @abstractmethod
    def sum_of(self, function: Elementwise) -> float:
        """Return the sum of a function over all entries that exist."""

    @abstractmethod
    def squares(
        self, row_weights: FloatArray | None = None, column_weights: FloatArray | None = None
    ) -> tuple[FloatArray, FloatArray]:
        """Return the sums of squares of each row and of each column.

        Those of a row with a weight for each column, those of a column with one for each row.
        """

    @abstractmethod
    def joined(self) -> tuple[IntArray, IntArray, int]:
        """Return groups of rows and columns that positive entries join, and their number.

        For a matrix without negative entries. Rows and columns without a positive entry are in
        group -1.
        """

    @abstractmethod
    def first_negative(self) -> tuple[int, int, float]:
        """Return row, column and value of a negative entry."""

    @abstractmethod
    def shifted(self) -> Matrix:
        """Return the matrix whose least entry is zero: all that exist, less their minimum."""

    @abstractmethod
    def row_differences(self, first: IntArray, second: IntArray) -> tuple[FloatArray, FloatArray]:
        """Return the sums of squared differences of pairs of rows, and over how many entries.

        Those that exist in both.
        """

    @abstractmethod
    def column_differences(
        self, first: IntArray, second: IntArray
    ) -> tuple[FloatArray, FloatArray]:
        """Return the same of pairs of columns."""

    @abstractmethod
    def part(self, rows: IntArray, columns: IntArray) -> FloatArray:
        """Return a dense copy of some rows and columns, NaN where entries are missing."""

    @abstractmethod
    def values(self) -> npt.NDArray[Any] | Any:
        """Return all entries: an array, NaN where they are missing, or a sparse CSR array."""


def members(labels: IntArray, n_groups: int, weights: FloatArray | float = 1.0) -> FloatArray:
    """Return the matrix of which coordinate is in which group, with its weight."""
    result = np.zeros((labels.size, n_groups))
    result[np.arange(labels.size), labels] = weights
    return result


L = TypeVar("L", bound=Linear)


class _Transposed(Generic[L]):
    """The transpose of something linear: all that has sides changes them."""

    def __init__(self, base: L):
        self.base = base
        self.shape = (base.shape[1], base.shape[0])

    def dot(self, v: FloatArray) -> FloatArray:
        return self.base.dot_transposed(v)

    def dot_transposed(self, u: FloatArray) -> FloatArray:
        return self.base.dot(u)

    @property
    def T(self) -> L:
        return self.base


class TransposedObserved(_Transposed[Observed], Observed):
    """The transpose of what exists."""

    def between(self, rows: IntArray, columns: IntArray, n_groups: int) -> Any:
        """Return which groups of rows meet which groups of columns."""
        return self.base.between(columns, rows, n_groups).T

    def n_components(self) -> int:
        """Return into how many sets the entries fall."""
        return self.base.n_components()

    def within(self, rows: IntArray, columns: IntArray) -> Observed:
        """Return the entries inside of groups."""
        return self.base.within(columns, rows).T


class TransposedMatrix(_Transposed[Matrix], Matrix):
    """The transpose of a matrix."""

    def __init__(self, base: Matrix):
        super().__init__(base)
        self.totals = base.totals.transposed
        self.observed = base.observed.T

    @cached_property
    def fingerprints(self) -> tuple[Keys, Keys]:
        """Numbers for rows and for columns that depend on their entries."""
        rows, columns = self.base.fingerprints
        return columns, rows

    def group_columns(self, labels: IntArray, n_groups: int, weights: FloatArray) -> FloatArray:
        """Return the weighted sums of each row over each group of columns."""
        return self.base.group_rows(labels, n_groups, weights)

    def group_rows(self, labels: IntArray, n_groups: int, weights: FloatArray) -> FloatArray:
        """Return the weighted sums of each column over each group of rows."""
        return self.base.group_columns(labels, n_groups, weights)

    def sum_of(self, function: Elementwise) -> float:
        """Return the sum of a function over all entries."""
        return self.base.sum_of(function)

    def squares(
        self, row_weights: FloatArray | None = None, column_weights: FloatArray | None = None
    ) -> tuple[FloatArray, FloatArray]:
        """Return the sums of squares of each row and of each column."""
        rows, columns = self.base.squares(column_weights, row_weights)
        return columns, rows

    def joined(self) -> tuple[IntArray, IntArray, int]:
        """Return groups that positive entries join."""
        rows, columns, n_groups = self.base.joined()
        return columns, rows, n_groups

    def first_negative(self) -> tuple[int, int, float]:
        """Return row, column and value of a negative entry."""
        i, j, value = self.base.first_negative()
        return j, i, value

    def shifted(self) -> Matrix:
        """Return the matrix less its minimum."""
        return self.base.shifted().T

    def row_differences(self, first: IntArray, second: IntArray) -> tuple[FloatArray, FloatArray]:
        """Return the sums of squared differences of pairs of rows."""
        return self.base.column_differences(first, second)

    def column_differences(
        self, first: IntArray, second: IntArray
    ) -> tuple[FloatArray, FloatArray]:
        """Return the sums of squared differences of pairs of columns."""
        return self.base.row_differences(first, second)

    def part(self, rows: IntArray, columns: IntArray) -> FloatArray:
        """Return a dense copy of some rows and columns."""
        return self.base.part(columns, rows).T

    def values(self) -> npt.NDArray[Any] | Any:
        """Return all entries."""
        values = self.base.values().T
        return values if isinstance(values, np.ndarray) else values.tocsr()
