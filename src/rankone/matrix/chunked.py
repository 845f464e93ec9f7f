"""A matrix made of parts on top of each other, each a matrix of its own, wherever it is.

Whatever has one value per row is collected from the parts; sums over rows are added up in the order
of the parts, so that they do not depend on who finished first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from rankone.matrix.base import Matrix
from rankone.matrix.running import THREADS, Runner
from rankone.matrix.sparse import Sparse
from rankone.matrix.tiled import Result, on_top
from rankone.matrix.tiles import ALL, Index, Tile
from rankone.typing import IntArray

__all__ = ["Chunked", "Part", "in_chunks"]

#: Stored entries of a sparse matrix that make a part; one with fewer parts than two is whole.
ENTRIES = 2**20


class Part(NamedTuple):
    """Some rows of a matrix.

    Attributes
    ----------
    matrix : Any
        A matrix, or what the runner makes one of.
    rows : slice
        Which rows they are.
    """

    matrix: Any
    rows: slice


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

    def __init__(
        self, parts: Sequence[Any], sizes: Sequence[int], n_columns: int, runner: Runner = THREADS
    ):
        ends = np.cumsum([0, *sizes]).tolist()
        rows = [slice(start, stop) for start, stop in pairwise(ends)]
        self.parts = tuple(map(Part, parts, rows))
        self.runner = runner
        self.shape = ends[-1], n_columns

    @classmethod
    def of(cls, matrices: Sequence[Matrix], runner: Runner = THREADS) -> Chunked:
        """Return matrices of this process on top of each other."""
        sizes = [matrix.shape[0] for matrix in matrices]
        return cls(matrices, sizes, matrices[0].shape[1], runner)

    def each(self, function: Callable[[Tile], Result]) -> Iterator[Result]:
        """Apply a function to the tiles of all parts."""
        for results in self.runner.map(OfTiles(function), self.parts):
            yield from results

    def take(self, rows: Index, columns: Index) -> Tile:
        """Return the entries of some rows and columns, from the parts that have them."""
        wanted = np.arange(self.shape[0])[rows]
        owners = np.searchsorted([part.rows.stop for part in self.parts], wanted, side="right")
        order = np.argsort(owners, kind="stable")
        touched = np.unique(owners)
        pieces = [
            Piece(self.parts[owner], wanted[owners == owner] - self.parts[owner].rows.start)
            for owner in touched
        ]
        tiles = list(self.runner.map(Taken(columns), pieces))
        return on_top(tiles).take(np.argsort(order), ALL)


class Piece(NamedTuple):
    """Rows of a part, numbered from its first."""

    part: Part
    rows: IntArray

    @property
    def matrix(self) -> Any:
        """The part, or what the runner makes a matrix of."""
        return self.part.matrix


@dataclass(frozen=True)
class OfTiles:
    """Apply a function to each tile of a part."""

    function: Callable[[Tile], Any]

    def __call__(self, part: Part) -> list[Any]:
        """Return the results of all tiles."""
        function, start = self.function, part.rows.start
        return list(part.matrix.each(lambda tile: function(tile.moved_down(start))))


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
    arrays = csr.data[first:last], csr.indices[first:last], csr.indptr[start : stop + 1] - first
    rows = sp.csr_array(arrays, shape=(stop - start, csr.shape[1]))
    rows.has_canonical_format = True
    return rows
