"""A vector in memory, on whose parts threads work."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TypeVar

import numpy as np

from rankone._threads import THREADS, slices
from rankone.cuts import _buckets as bucket
from rankone.cuts._buckets import Grid
from rankone.cuts.chunk import Chunk
from rankone.cuts.distinct import distinct
from rankone.cuts.labelling import label
from rankone.cuts.vector import Vector
from rankone.typing import FloatArray, IntArray

Result = TypeVar("Result")


class InMemory(Vector):
    """A vector in memory.

    Parameters
    ----------
    u : ndarray
        The values.
    weights : ndarray, optional
        Their weights, zero or more.
    """

    def __init__(self, u: FloatArray, weights: FloatArray | None) -> None:
        self.u, self.weights, self.size, self.weighted = u, weights, u.size, weights is not None
        self._parts = slices(u.size)

    @cached_property
    def _chunks(self) -> list[Chunk]:
        return list(THREADS.map(self._chunk, self._parts))

    def reduce(
        self, function: Callable[[Chunk], Result], merge: Callable[[Sequence[Result]], Result]
    ) -> Result:
        """Apply a function to each part, and merge the results in the order of the parts."""
        return merge(list(THREADS.map(function, self._chunks)))

    def distinct(self) -> tuple[FloatArray, FloatArray]:
        """Return the distinct values of positive weight, ascending, and their weights."""
        return distinct(self.u, self.weights)

    def label(self, boundaries: FloatArray, grid: Grid | None = None) -> IntArray:
        """Return for each value the number of boundaries that are not above it."""
        table = None if grid is None else _label_buckets(boundaries, grid)
        if table is None or grid is None or not all(chunk.is_whole for chunk in self._chunks):
            return label(self.u, boundaries)
        labels = np.empty(self.u.size, np.intp)

        def write(i: int) -> None:
            chunk = self._chunks[i]
            bucket.look_up(chunk.u, chunk.numbers(grid), *table, labels[self._parts[i]])

        for _ in THREADS.map(write, range(len(self._chunks))):
            pass
        return labels

    def _chunk(self, part: slice) -> Chunk:
        return Chunk(self.u[part], None if self.weights is None else self.weights[part])


def _label_buckets(boundaries: FloatArray, grid: Grid) -> tuple[IntArray, FloatArray] | None:
    """Return for each bucket the label of its least values, and the boundary within, if any.

    Return nothing if a bucket has several.
    """
    inside = np.empty(boundaries.size, np.int64)
    bucket.number_values(boundaries, grid, inside)
    if np.unique(inside).size < boundaries.size:
        return None
    first = np.searchsorted(inside, np.arange(grid.size + 2)).astype(np.intp)
    nearest = np.full(first.size, np.inf)
    nearest[inside] = boundaries
    return first, nearest
