"""A matrix of any kind, and what is made of one without a copy: its transpose, and changes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from rankone.matrix.census import Census
from rankone.matrix.fingerprints import Keys, fingerprints, fingerprints_of_tile, scrambled
from rankone.matrix.grouped import GroupedSums
from rankone.matrix.observed import Observed
from rankone.matrix.products import Products
from rankone.matrix.tiled import AnyArray, Result
from rankone.matrix.tiles import ALL, BLOCK, Elementwise, Index, Tile, members
from rankone.matrix.totals import Totals
from rankone.typing import FloatArray, IntArray

__all__ = ["Changed", "Matrix", "Transposed", "members"]

#: Groups whose observed entries are counted at a time.
GROUPS_AT_ONCE = 32


#: A matrix with no more entries is small.
SMALL = 2**22


class Matrix(Products, GroupedSums):
    """A matrix of numbers, some of which may be missing.

    A kind of matrix sets ``shape`` and defines `each`.
    """

    #: Entries that are taken at a time where rows are compared.
    taken_at_once = BLOCK

    @property
    def reads(self) -> IntArray | None:
        """How often each part was read, if parts are elsewhere; None if they are in memory."""
        return None

    @property
    def T(self) -> Matrix:
        """The transpose, without a copy."""
        return Transposed(self)

    def part(self, rows: IntArray, columns: IntArray) -> FloatArray:
        """Return a dense copy of some rows and columns, NaN where entries are missing."""
        return self.take(rows, columns).array()

    def values(self) -> npt.NDArray[Any] | Any:
        """Return all entries: an array, NaN where they are missing, or a sparse CSR array.

        This holds the whole matrix in memory, for methods that cannot do without.
        """
        stored = self.take(ALL, ALL).stored
        return stored if isinstance(stored, np.ndarray) else stored.tocsr()

    @property
    def is_small(self) -> bool:
        """Whether a copy, and some sweeps, cost next to nothing."""
        return self.n_stored <= SMALL

    @cached_property
    def fingerprints(self) -> tuple[Keys, Keys]:
        """Numbers for rows and for columns that depend on their entries, and not on their order."""
        absent_missing = bool(self.n_missing)
        if self.is_small:
            return fingerprints(self.values(), absent_missing)
        rows, columns = self.collect(lambda tile: fingerprints_of_tile(tile, absent_missing), 0, 1)
        return scrambled(rows, columns)

    def row_differences(self, first: IntArray, second: IntArray) -> tuple[FloatArray, FloatArray]:
        """Return the sums of squared differences of pairs of rows, and over how many entries.

        Only entries that are observed in both rows count.
        """
        if self.whole_columns:
            sums, counts = self.collect(
                lambda tile: tile.row_differences(first, second), None, None
            )
            return sums, counts
        sums, counts = np.zeros(first.size), np.zeros(first.size)
        step = max(1, self.taken_at_once // self.shape[1])
        for start in range(0, first.size, step):
            pairs = slice(start, start + step)
            size = first[pairs].size
            tile = self.take(np.concatenate([first[pairs], second[pairs]]), ALL)
            places = np.arange(size)
            sums[pairs], counts[pairs] = tile.row_differences(places, size + places)
        return sums, counts

    def group_observed(self, labels: IntArray, n_groups: int, weights: FloatArray) -> FloatArray:
        """Return the sums of row weights over the observed entries of each column and group."""
        if not self.n_missing:
            sums = np.bincount(labels, weights, minlength=n_groups)
            return np.broadcast_to(sums, (self.shape[1], n_groups))
        parts = []
        for start in range(0, n_groups, GROUPS_AT_ONCE):
            inside = (labels >= start) & (labels < start + GROUPS_AT_ONCE)
            places, size = np.where(inside, labels - start, 0), n_groups - start
            part = members(places, min(GROUPS_AT_ONCE, size), np.where(inside, weights, 0.0))
            parts.append(self.observed.T @ part)
        return np.hstack(parts)

    def shifted(self) -> Matrix:
        """Return the matrix minus its least entry, so that no entry is negative."""
        constant = -self.minimum()
        return Changed(self, lambda tile: tile.plus(constant))

    def map(self, function: Elementwise) -> Matrix:
        """Return a function of the entries, which keeps zeros, applied to each tile in turn."""
        return Changed(self, lambda tile: tile.map(function))


class Transposed(Matrix):
    """The transpose of a matrix: its tiles are those of the matrix, transposed."""

    def __init__(self, base: Matrix):
        self.base = base
        self.shape = (base.shape[1], base.shape[0])
        self.whole_rows, self.whole_columns = base.whole_columns, base.whole_rows

    @property
    def T(self) -> Matrix:
        """The matrix that this is the transpose of."""
        return self.base

    def each(self, function: Callable[[Tile], Result]) -> Iterator[Result]:
        """Apply a function to the transpose of each tile."""
        return self.base.each(lambda tile: function(tile.T))

    def collect(
        self, function: Callable[[Tile], Sequence[Any]], *axes: int | None
    ) -> tuple[AnyArray, ...]:
        """Put arrays of the transposes of the tiles together."""
        turned = (None if axis is None else 1 - axis for axis in axes)
        return self.base.collect(lambda tile: function(tile.T), *turned)

    def take(self, rows: Index, columns: Index) -> Tile:
        """Return the entries of some rows and columns."""
        return self.base.take(columns, rows).T

    @property
    def totals(self) -> Totals:
        """The sums of rows and columns."""
        return self.base.totals.T

    @property
    def census(self) -> Census:
        """How many entries are of which kind, and how large they are."""
        return self.base.census.T

    @property
    def observed(self) -> Observed:
        """Which entries are observed."""
        return self.base.observed.T

    @property
    def n_stored(self) -> int:
        """The number of entries that are held in memory, or in a file."""
        return self.base.n_stored

    @property
    def reads(self) -> IntArray | None:
        """How often each part was read."""
        return self.base.reads

    @property
    def positive(self) -> Observed:
        """Which entries are positive."""
        return self.base.positive.T

    @property
    def fingerprints(self) -> tuple[Keys, Keys]:
        """Numbers for rows and for columns that depend on their entries, and not on their order."""
        rows, columns = self.base.fingerprints
        return columns, rows

    def shifted(self) -> Matrix:
        """Return the matrix minus its least entry."""
        return self.base.shifted().T

    def map(self, function: Elementwise) -> Matrix:
        """Return a function of the entries."""
        return self.base.map(function).T

    def values(self) -> Any:
        """Return all entries."""
        values = self.base.values().T
        return values if isinstance(values, np.ndarray) else values.tocsr()


class Changed(Matrix):
    """A matrix whose tiles are changed one by one, each time that they are read."""

    def __init__(self, base: Matrix, change: Callable[[Tile], Tile]):
        self.base, self.change, self.shape = base, change, base.shape
        self.whole_rows, self.whole_columns = base.whole_rows, base.whole_columns

    def each(self, function: Callable[[Tile], Result]) -> Iterator[Result]:
        """Apply a function to each tile, after it was changed."""
        change = self.change
        return self.base.each(lambda tile: function(change(tile)))

    def collect(
        self, function: Callable[[Tile], Sequence[Any]], *axes: int | None
    ) -> tuple[AnyArray, ...]:
        """Put arrays of the changed tiles together."""
        change = self.change
        return self.base.collect(lambda tile: function(change(tile)), *axes)

    @property
    def n_stored(self) -> int:
        """The number of entries that are held in memory, or in a file."""
        return self.base.n_stored

    def take(self, rows: Index, columns: Index) -> Tile:
        """Return the entries of some rows and columns."""
        return self.change(self.base.take(rows, columns))
