"""A matrix made of parts on top of each other, each a matrix of its own, wherever it is.

Whatever has one value per row is collected from the parts; sums over rows are added up in the order
of the parts, so that they do not depend on who finished first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Self

import numpy as np
import scipy.sparse as sp

from rankone._threads import THREADS, Runner
from rankone.matrix.base import Matrix
from rankone.matrix.sparse import Sparse, without_nan
from rankone.matrix.tiled import AnyArray, Result, on_top
from rankone.matrix.tiles import ALL, Index, Tile
from rankone.typing import IntArray

__all__ = ["Chunked", "Held", "in_chunks"]

#: Entries that are taken from all parts at a time, each of which is a sweep.
TAKEN = 2**23

#: Stored entries of a sparse matrix that make a part; one with fewer parts than two is whole.
ENTRIES = 2**20


@dataclass(frozen=True)
class Held:
    """A part of a matrix that something is done with.

    Attributes
    ----------
    matrix : Any
        A matrix, or what the runner makes one of.
    rows_of_chunk : slice
        Which rows of the whole matrix the part has.
    number : int
        Which part it is.
    """

    matrix: Any
    rows_of_chunk: slice
    number: int

    def holding(self, matrix: Any) -> Self:
        """Return the same with another matrix."""
        return replace(self, matrix=matrix)


@dataclass(frozen=True)
class Piece(Held):
    """Rows of a part, numbered from its first."""

    rows: IntArray


class Chunked(Matrix):
    """Matrices on top of each other.

    Parameters
    ----------
    parts : sequence
        Matrices, or what the runner makes a matrix of, with the same columns.
    sizes : sequence of int
        The number of rows of each part.
    n_columns : int
    runner : Runner
        Who does the work.
    """

    taken_at_once = TAKEN

    def __init__(
        self, parts: Sequence[Any], sizes: Sequence[int], n_columns: int, runner: Runner = THREADS
    ):
        ends = np.cumsum([0, *sizes]).tolist()
        rows = [slice(start, stop) for start, stop in pairwise(ends)]
        self.parts = tuple(map(Held, parts, rows, range(len(rows))))
        self.runner = runner
        self._reads = np.zeros(len(rows), np.intp)
        self.shape = ends[-1], n_columns

    @classmethod
    def of(cls, matrices: Sequence[Matrix], runner: Runner = THREADS) -> Chunked:
        """Return matrices of this process on top of each other."""
        sizes = [matrix.shape[0] for matrix in matrices]
        return cls(matrices, sizes, matrices[0].shape[1], runner)

    def _run(self, function: Callable[[Any], Result], parts: Sequence[Held]) -> Iterator[Result]:
        """Apply a function to some parts, and count that they were read."""
        self._reads[[part.number for part in parts]] += 1
        return self.runner.map(function, parts)

    def each(self, function: Callable[[Tile], Result]) -> Iterator[Result]:
        """Apply a function to the tiles of all parts."""
        for results in self._run(OfTiles(function), self.parts):
            yield from results

    def collect(
        self, function: Callable[[Tile], Sequence[Any]], *axes: int | None
    ) -> tuple[AnyArray, ...]:
        """Put arrays of all parts together; a part puts those of its tiles together first."""
        arrays = [self._empty(axis) for axis in axes]
        results = self._run(OfPart(function, axes), self.parts)
        for part, contributions in zip(self.parts, results, strict=True):
            for array, contribution in zip(arrays, contributions, strict=True):
                array.add(part.rows_of_chunk, contribution)
        return tuple(array.value for array in arrays)

    def take(self, rows: Index, columns: Index) -> Tile:
        """Return the entries of some rows and columns, from the parts that have them."""
        wanted = np.arange(self.shape[0])[rows]
        ends = [part.rows_of_chunk.stop for part in self.parts]
        owners = np.searchsorted(ends, wanted, side="right")
        order = np.argsort(owners, kind="stable")
        pieces = []
        for owner in np.unique(owners):
            part = self.parts[owner]
            of_part = wanted[owners == owner] - part.rows_of_chunk.start
            pieces.append(Piece(part.matrix, part.rows_of_chunk, part.number, of_part))
        tiles = list(self._run(Taken(columns), pieces))
        return on_top(tiles).take(np.argsort(order), ALL)


@dataclass(frozen=True)
class OfTiles:
    """Apply a function to each tile of a part."""

    function: Callable[[Tile], Any]

    def __call__(self, part: Held) -> list[Any]:
        """Return the results of all tiles."""
        function, start = self.function, part.rows_of_chunk.start
        return list(part.matrix.each(lambda tile: function(tile.moved_down(start))))


@dataclass(frozen=True)
class OfPart:
    """Apply a function to each tile of a part, and put the arrays that it returns together."""

    function: Callable[[Tile], Sequence[Any]]
    axes: tuple[int | None, ...]

    def __call__(self, part: Held) -> tuple[AnyArray, ...]:
        """Return the arrays of the part."""
        function, start = self.function, part.rows_of_chunk.start
        collected: tuple[AnyArray, ...] = part.matrix.collect(
            lambda tile: function(tile.moved_down(start)), *self.axes
        )
        return collected


@dataclass(frozen=True)
class Taken:
    """Take some rows of a part, and some columns."""

    columns: Index

    def __call__(self, piece: Piece) -> Tile:
        """Return the entries."""
        tile: Tile = piece.matrix.take(piece.rows, self.columns)
        return tile


def in_chunks(csr: sp.csr_array, absent_missing: bool) -> Matrix:
    """Return a sparse matrix as parts of about equal numbers of entries, which share its memory.

    Where they begin depends on the matrix alone, and not on the number of threads.
    """
    csr = without_nan(csr, absent_missing)
    m = csr.shape[0]
    number = min(int(csr.nnz) // ENTRIES, m)
    if number < 2:
        return Sparse(csr, absent_missing)
    cuts = np.searchsorted(csr.indptr, np.arange(1, number) * (csr.nnz / number))
    bounds = np.unique([0, *cuts, m]).tolist()
    return Chunked.of([Sparse(_rows(csr, a, b), absent_missing) for a, b in pairwise(bounds)])


def _rows(csr: sp.csr_array, start: int, stop: int) -> sp.csr_array:
    """Return consecutive rows, which share the memory of the matrix."""
    first, last = csr.indptr[start], csr.indptr[stop]
    rows = sp.csr_array((stop - start, csr.shape[1]), dtype=csr.dtype)
    # The constructor would copy arrays that are small parts of larger ones.
    rows.data, rows.indices = csr.data[first:last], csr.indices[first:last]
    rows.indptr = csr.indptr[start : stop + 1] - first
    rows.has_canonical_format = True
    return rows
