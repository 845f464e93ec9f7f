"""Tiles of a matrix: entries that are held in memory, dense or sparse.

All arithmetic on entries is here; the kinds of matrices differ in where their tiles come from.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from rankone.matrix.linear import Linear
from rankone.matrix.observed import Observed
from rankone.typing import BoolArray, FloatArray, IntArray

#: Entries that are converted, or copied, at a time.
BLOCK = 2**18

Elementwise = Callable[[FloatArray], FloatArray]
Condition = Callable[[FloatArray], BoolArray]
Index = IntArray | slice

#: All rows, or all columns.
ALL = slice(None)


def members(labels: IntArray, n_groups: int, weights: FloatArray | float = 1.0) -> FloatArray:
    """Return the matrix of which coordinate is in which group, with its weight."""
    result = np.zeros((labels.size, n_groups))
    result[np.arange(labels.size), labels] = weights
    return result


@dataclass(frozen=True)
class Grouping:
    """Groups of columns, or of rows, with a weight for each.

    Attributes
    ----------
    labels : ndarray
        The group of each column, from 0.
    n_groups : int
    weights : ndarray
    """

    labels: IntArray
    n_groups: int
    weights: FloatArray

    @cached_property
    def members(self) -> FloatArray:
        """Which column is in which group, with its weight."""
        return members(self.labels, self.n_groups, self.weights)

    @property
    def unweighted(self) -> FloatArray:
        """Which column is in which group."""
        return members(self.labels, self.n_groups)

    def of(self, places: slice) -> Grouping:
        """Return the groups of some of the columns."""
        labels = self.labels[places]
        if labels.size == self.labels.size:
            return self
        return Grouping(labels, self.n_groups, self.weights[places])


@dataclass(frozen=True)
class TileSums:
    """The sums of a tile over its observed entries.

    Attributes
    ----------
    rows, columns : ndarray
        The sums of each row and of each column.
    has_negative : bool
        Whether an entry is negative.
    observed : Observed
        Which entries are observed.
    positive : Observed or None
        Which entries are positive, where this is known already.
    """

    rows: FloatArray
    columns: FloatArray
    has_negative: bool
    observed: Observed
    positive: Observed | None = None


class Tile(ABC):
    """Entries of a matrix where some rows meet some columns.

    Attributes
    ----------
    shape : tuple of int
    rows, columns : slice
        Which rows and columns of the matrix they are.
    """

    shape: tuple[int, int]
    rows: slice
    columns: slice

    @property
    @abstractmethod
    def T(self) -> Tile:
        """The transpose, without a copy."""

    def moved_down(self, by: int) -> Tile:
        """Return the tile as one that is so many rows further down in a larger matrix."""
        moved = copy(self)
        moved.rows = slice(self.rows.start + by, self.rows.stop + by)
        return moved

    @property
    @abstractmethod
    def stored(self) -> Any:
        """The array, NaN where entries are missing, or the sparse array."""

    @property
    def n_stored(self) -> int:
        """The number of entries that are held in memory."""
        return int(self.stored.size)  # of a sparse array, too

    @abstractmethod
    def array(self) -> FloatArray:
        """Return the entries as an array, NaN where they are missing."""

    @abstractmethod
    def take(self, rows: Index, columns: Index) -> Tile:
        """Return the entries of some rows and columns of the tile."""

    @abstractmethod
    def dot(self, v: FloatArray) -> FloatArray:
        """Return the product with a vector, with zeros for missing entries."""

    def group_columns(self, groups: Grouping) -> FloatArray:
        """Return the weighted sums of each row over each group of columns."""
        return self.dot(groups.members)

    def dot_own(self, vectors: FloatArray, labels: IntArray) -> FloatArray:
        """Return the product of each row with the vector of its label."""
        return self.dot(vectors)[np.arange(labels.size), labels]

    @abstractmethod
    def sum_of(self, function: Elementwise) -> float:
        """Return the sum of a function over the observed entries."""

    @abstractmethod
    def census(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return the numbers that `Census` counts, and the sums of squares of rows and columns."""

    @abstractmethod
    def squared(self) -> Tile:
        """Return the squares of the entries."""

    @abstractmethod
    def map(self, function: Elementwise) -> Tile:
        """Return a function of the entries; it must keep zeros where these are not stored."""

    @abstractmethod
    def plus(self, constant: float) -> Tile:
        """Return the entries plus a constant."""

    @abstractmethod
    def minimum(self) -> float:
        """Return the least observed entry; infinity if there is none."""

    @abstractmethod
    def first(self, condition: Condition) -> tuple[int, int, float] | None:
        """Return row, column (of the matrix) and value of an entry that meets a condition.

        None if there is no such entry; entries that are not stored are not looked at.
        """

    @abstractmethod
    def row_differences(self, first: IntArray, second: IntArray) -> tuple[FloatArray, FloatArray]:
        """Return the sums of squared differences of pairs of rows, and over how many entries.

        Only entries that are observed in both rows count.
        """

    @abstractmethod
    def observed(self) -> Linear | Tile:
        """Return the matrix of zeros and ones of the observed entries, for products."""

    @abstractmethod
    def positive(self) -> Observed:
        """Return which entries are positive."""

    @abstractmethod
    def sums(self, missing: bool) -> TileSums | None:
        """Return the sums; None if entries are NaN and ``missing`` did not announce it.

        Raises
        ------
        BadEntry
            If an entry is infinite.
        ValueError
            If the sum of a row is too large for a double.
        """


def is_all(index: Index, size: int) -> bool:
    """Say whether an index is a slice of everything."""
    return isinstance(index, slice) and index.indices(size) == (0, size, 1)
