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
        return self.collect(lambda tile: (function(tile),), 0)[0]

    def collect(
        self, function: Callable[[Tile], Sequence[Any]], *axes: int | None
    ) -> tuple[AnyArray, ...]:
        """Apply a function to each tile, and put the arrays that it returns together, in one sweep.

        Parameters
        ----------
        function : callable
            Returns several arrays for each tile.
        axes : int or None
            What each array has values for: rows of the tile (0), its columns (1), or the tile as a
            whole (None), in which case they are added up.
        """
        arrays = [self._empty(axis) for axis in axes]
        for places, parts in self.each(lambda tile: ((tile.rows, tile.columns), function(tile))):
            for array, axis, part in zip(arrays, axes, parts, strict=True):
                array.add(None if axis is None else places[axis], part)
        return tuple(array.value for array in arrays)

    def _empty(self, axis: int | None) -> Collected:
        return Collected(None if axis is None else self.shape[axis])


class Collected:
    """An array that is collected from tiles: next to each other, or, where all overlap, added up.

    Parameters
    ----------
    size : int or None
        The length of the array; None if contributions are always added up.
    """

    def __init__(self, size: int | None):
        self.size = size
        self._array: Any = None

    def add(self, places: slice | None, part: Any) -> None:
        """Add what a tile contributes to the given places."""
        if self.size is not None and part.shape[0] < self.size:
            if self._array is None:
                self._array = np.empty((self.size, *part.shape[1:]), part.dtype)
            self._array[places] = part
        elif self._array is None:
            self._array = part
        else:
            self._array += part

    @property
    def value(self) -> Any:
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
