"""A dense matrix, swept in blocks of rows: an array of any number type, in memory or mapped."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from rankone._threads import THREADS
from rankone.matrix.base import Matrix
from rankone.matrix.dense_tile import DenseTile
from rankone.matrix.mapped import Pages
from rankone.matrix.tiled import Result
from rankone.matrix.tiles import BLOCK, Elementwise, Index, Tile
from rankone.typing import IntArray

#: Rows of a block, if these are no more than so many entries.
ROWS, LARGEST = 128, 2**22


class Dense(Matrix):
    """A two-dimensional array, in which NaN stands for a missing entry.

    Parameters
    ----------
    array : ndarray
        Real numbers, best in C order. Blocks of rows become doubles one at a time; nothing of the
        size of the matrix is allocated except, if entries are missing, two bits for each.
    check : bool
        Whether to sweep the array at once, to check its entries and to learn whether any is
        missing.
    complete : bool, optional
        Whether no entry is missing, if that is known.
    """

    def __init__(self, array: npt.NDArray[Any], check: bool = True, complete: bool | None = None):
        self.array, self.shape = array, array.shape
        self._pages = Pages(array)
        self._complete = complete
        self._n_reads = 0
        if check:
            self._complete = self.n_missing == 0

    @property
    def _step(self) -> int:
        """The number of rows that are read at a time.

        Products with few rows are slow, unless rows are so long that few are many.
        """
        n = self.shape[1]
        return max(1, BLOCK // n, min(ROWS, LARGEST // n))

    @property
    def reads(self) -> IntArray | None:
        """How often the file was read that the array is mapped from; None if it is in memory."""
        return np.array([self._n_reads]) if self._pages.are_mapped else None

    def each(self, function: Callable[[Tile], Result]) -> Iterator[Result]:
        """Apply a function to blocks of rows, converted to doubles."""
        m, n = self.shape
        array, complete, step = self.array, self._complete, self._step
        self._n_reads += 1

        def of_block(start: int) -> Result:
            rows = slice(start, min(start + step, m))
            with np.errstate(over="ignore"):  # what is too large for a double is infinite
                # What came through a network may not be aligned, and every product would copy it.
                block = np.require(array[rows], np.float64, ["C", "A"])
            return function(DenseTile(block, rows, slice(0, n), complete))

        for result in THREADS.map(of_block, range(0, m, step)):
            yield result
            self._pages.read(step * array[0].nbytes)

    def take(self, rows: Index, columns: Index) -> Tile:
        """Return a copy of some rows and columns, read a block of rows at a time."""
        wanted = np.arange(self.shape[0])[rows]
        copy = np.empty((wanted.size, np.arange(self.shape[1])[columns].size))

        def copy_block(start: int) -> int:
            block = slice(start, start + self._step)
            places = wanted[block]
            index = (places, columns) if isinstance(columns, slice) else np.ix_(places, columns)
            copy[block] = self.array[index]
            return int(places.size)

        for size in THREADS.map(copy_block, range(0, wanted.size, self._step)):
            self._pages.read_rows(size)
        return DenseTile(copy, complete=self._complete or None)

    def map(self, function: Elementwise) -> Matrix:
        """Return a function of the entries, in memory unless the array is mapped from a file."""
        if self._pages.are_mapped:
            return super().map(function)
        changed = np.empty(self.shape)
        for tile in self.each(lambda tile: tile):
            changed[tile.rows] = function(tile.array())
        return Dense(changed)

    def values(self) -> npt.NDArray[Any]:
        """Return the array itself."""
        return self.array
