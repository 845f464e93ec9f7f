"""What a kind of matrix must provide: its shape, and its entries, tile by tile."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from rankone.matrix.dense_tile import DenseTile
from rankone.matrix.sparse_tile import SparseTile
from rankone.matrix.tiles import ALL, Index, Tile

if TYPE_CHECKING:
    from rankone.matrix.base import Matrix

Result = TypeVar("Result")
AnyArray = npt.NDArray[Any]


class Tiled(ABC):
    """A matrix that gives its entries tile by tile.

    A kind of matrix sets `shape` and defines `each`; it may define `take` as well, if it finds
    given rows faster than by going through all tiles. Everything else is derived from these.

    Attributes
    ----------
    shape : tuple of int
    whole_rows, whole_columns : bool
        Whether each tile has all columns, and whether each has all rows. Tiles of a kind have all
        columns; those of its transpose have all rows; a single tile has both.
    """

    shape: tuple[int, int]
    whole_rows: bool = True
    whole_columns: bool = False

    @abstractmethod
    def each(self, function: Callable[[Tile], Result]) -> Iterator[Result]:
        """Apply a function to each tile, and yield what it returns, in the order of the rows.

        A tile is not needed once the function has returned. The function may be called by several
        threads at once, and it only writes to what belongs to the rows of its tile.
        """

    @property
    @abstractmethod
    def T(self) -> Matrix:
        """The transpose, without a copy."""

    def take(self, rows: Index, columns: Index) -> Tile:
        """Return the entries of some rows and columns, in the given order."""
        wanted = np.arange(self.shape[0])[rows]

        def taken(tile: Tile) -> tuple[AnyArray, Tile]:
            places = np.flatnonzero((wanted >= tile.rows.start) & (wanted < tile.rows.stop))
            return places, tile.take(wanted[places] - tile.rows.start, columns)

        places, tiles = zip(*self.each(taken), strict=True)
        return on_top(tiles).take(np.argsort(np.concatenate(places)), ALL)

    def by_rows(self, function: Callable[[Tile], AnyArray]) -> AnyArray:
        """Return an array with one row per row, collected from those of the tiles."""
        collected = Collected(self.shape[0])
        for rows, part in self.each(lambda tile: (tile.rows, function(tile))):
            collected.add(rows, part)
        return collected.array

    def by_both(
        self, function: Callable[[Tile], tuple[AnyArray, AnyArray]]
    ) -> tuple[AnyArray, AnyArray]:
        """Return two arrays, with one row per row and per column, collected in one sweep."""
        by_rows, by_columns = Collected(self.shape[0]), Collected(self.shape[1])
        for rows, columns, parts in self.each(lambda t: (t.rows, t.columns, function(t))):
            by_rows.add(rows, parts[0])
            by_columns.add(columns, parts[1])
        return by_rows.array, by_columns.array


class Collected:
    """An array that is collected from tiles: next to each other, or, where all overlap, added up.

    Parameters
    ----------
    size : int
        The length of the array.
    """

    def __init__(self, size: int):
        self.size = size
        self._array: AnyArray | None = None

    def add(self, places: slice, part: AnyArray) -> None:
        """Add what a tile contributes to the given places."""
        if part.shape[0] < self.size:
            if self._array is None:
                self._array = np.empty((self.size, *part.shape[1:]), part.dtype)
            self._array[places] = part
        elif self._array is None:
            self._array = part
        else:
            self._array += part

    @property
    def array(self) -> AnyArray:
        """What was collected."""
        assert self._array is not None
        return self._array


def on_top(tiles: Sequence[Tile]) -> Tile:
    """Return tiles on top of each other as one; it is sparse if all of them are."""
    if len(tiles) == 1:
        return tiles[0]
    sparse = [tile for tile in tiles if isinstance(tile, SparseTile)]
    if len(sparse) == len(tiles) and len({tile.absent_missing for tile in sparse}) == 1:
        entries = sp.vstack([tile.entries for tile in sparse], format="csr")
        return SparseTile(entries, sparse[0].absent_missing)
    return DenseTile(np.concatenate([tile.array() for tile in tiles]))
