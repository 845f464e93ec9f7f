"""Kinds of matrices for tests, which define no more than a kind needs; and helpers."""

import copy
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import scipy.sparse as sp

from rankone.matrix import DenseTile, Matrix


class NestedLists(Matrix):
    """A list of rows, of which three become a tile at a time."""

    def __init__(self, rows):
        self.lists = rows
        self.shape = len(rows), len(rows[0])

    def each(self, function):
        for start in range(0, self.shape[0], 3):
            block = np.array(self.lists[start : start + 3], dtype=float)
            yield function(DenseTile(block, slice(start, start + len(block))))


class Chunks(Matrix):
    """Matrices on top of each other, of which two are swept at a time, each by a thread."""

    def __init__(self, chunks):
        self.chunks = chunks
        self.starts = np.cumsum([0, *(chunk.shape[0] for chunk in chunks)]).tolist()
        self.shape = self.starts[-1], chunks[0].shape[1]

    def each(self, function):
        def of_chunk(chunk, start):
            return list(chunk.each(lambda tile: function(moved_down(tile, start))))

        with ThreadPoolExecutor(2) as pool:
            for results in pool.map(of_chunk, self.chunks, self.starts[:-1]):
                yield from results


def moved_down(tile, by):
    moved = copy.copy(tile)
    moved.rows = slice(tile.rows.start + by, tile.rows.stop + by)
    return moved


def stored(array):
    """Return a sparse matrix that stores every observed entry, zeros as well."""
    rows, columns = np.nonzero(~np.isnan(array))
    return sp.csr_array((array[rows, columns], (rows, columns)), shape=array.shape)


def close(ours, theirs, rtol=1e-12):
    np.testing.assert_allclose(ours, theirs, rtol=rtol, atol=1e-12)
