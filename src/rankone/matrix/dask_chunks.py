"""Matrices whose chunks are elsewhere: Dask arrays and frames, on this machine or on several.

A sweep is one task for each chunk: the function goes to the chunk, and its result, a few vectors,
comes back, from a cluster combined with those of other chunks. Chunks stay where they are, tasks go
where the scheduler sends them, and what is lost with a worker is computed again from the graph. The
function is a task of its own, so that the graph holds it once, and not for every chunk.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import CancelledError
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar

import numpy as np

from rankone._dask import combine_tasks, current_client, result_of, submitted
from rankone._warnings import warn
from rankone.errors import Input, Worded
from rankone.matrix.base import Matrix
from rankone.matrix.blocks import BlockKind, Blocks, BlockWork, Failure
from rankone.matrix.chunked import OfPart
from rankone.matrix.errors import check_shape, check_type
from rankone.matrix.tiled import AnyArray
from rankone.matrix.tiles import Tile

Result = TypeVar("Result")

__all__ = ["ChunksWarning", "from_blocks", "from_dask"]

#: Chunks that are under way at a time where no cluster is in charge.
BATCH = 64


class ChunksWarning(UserWarning):
    """The chunks of an array make a fit slower than it need be."""


def from_dask(X: Any, missing: str) -> Matrix:
    """Return a Dask array, or a frame of numbers, as a matrix in chunks.

    Parameters
    ----------
    X : dask.array.Array or dask.dataframe.DataFrame
        Chunks are NumPy arrays or sparse CSR arrays. Chunks of rows are kept, those of columns are
        merged.
    missing : {"nan", "absent"}
        See `rankone.matrix.as_matrix`.
    """
    array = X.to_dask_array(lengths=True) if hasattr(X, "to_dask_array") else X
    check_type(array)
    if array.ndim == 2 and np.isnan(array.shape).any():
        array = array.compute_chunk_sizes()
    check_shape(array)
    if array.numblocks[1] > 1:
        message = Worded(
            "The columns of {X} are in {number} chunks, which are merged at every sweep",
            "store it in chunks of whole rows, or persist X.rechunk({{1: -1}})",
            X=Input(),
            number=array.numblocks[1],
        )
        warn(message, ChunksWarning)
        array = array.rechunk({1: -1})
    blocks = array.to_delayed().ravel().tolist()
    sizes = [int(size) for size in array.chunks[0]]
    filled = [(block, size) for block, size in zip(blocks, sizes, strict=True) if size]
    n_columns = int(array.shape[1])
    return OfDask(
        [block for block, _ in filled],
        [size for _, size in filled],
        n_columns,
        Tasks(BlockKind(n_columns, missing == "absent"), array),
    )


def from_blocks(
    readers: Sequence[Callable[[], Any]],
    sizes: Sequence[int],
    n_columns: int,
    absent_missing: bool,
    keep: bool = False,
) -> Matrix:
    """Return blocks of rows that workers of a cluster read, and may keep, as a matrix in chunks."""
    from dask import delayed, persist

    blocks = [delayed(read, pure=False)() for read in readers]
    blocks = list(persist(*blocks)) if keep else blocks
    return OfDask(blocks, sizes, n_columns, Tasks(BlockKind(n_columns, absent_missing)))


class OfDask(Blocks):
    """A matrix whose chunks are elsewhere."""

    runner: Tasks

    def collect(
        self, function: Callable[[Tile], Sequence[Any]], *axes: int | None
    ) -> tuple[AnyArray, ...]:
        """Put arrays of all chunks together: workers of a cluster do most of it."""
        client = current_client()
        if client is not None and len(self.parts) > 1:
            tasks = self.runner.tasks(OfPart(function, axes), self.parts)
            task = combine_tasks(tasks, Combine(axes))
            combined = _outcome(lambda: next(_computed_by(client, [task])))
            if not isinstance(combined, Failure):
                self._reads += 1
                arrays: tuple[AnyArray, ...] = combined
                return arrays
        return super().collect(function, *axes)  # which says what is wrong with which chunk

    def __reduce__(self) -> Any:
        """Leave the chunks where they are when a function that mentions the matrix goes to them."""
        return Elsewhere, (self.shape,)


class Elsewhere(Matrix):
    """What is known of a matrix in another process: its shape."""

    def __init__(self, shape: tuple[int, int]):
        self.shape = shape

    def each(self, function: Callable[[Tile], Result]) -> Iterator[Result]:
        """Refuse: the chunks are not here."""
        raise RuntimeError("the chunks of this matrix are in another process")


@dataclass(frozen=True)
class Tasks:
    """Tasks of Dask: those of a cluster, if there is a client of one, or of the local scheduler.

    Attributes
    ----------
    kind : BlockKind
        How a chunk becomes a matrix.
    source : dask.array.Array, optional
        The array, because a cluster forgets chunks that nobody refers to.
    """

    kind: BlockKind
    source: Any = field(default=None, repr=False)

    def map(self, function: Callable[[Any], Result], items: Iterable[Any]) -> Iterator[Result]:
        """Apply a function to each chunk, where it is, and yield the results in order."""
        items = list(items)
        for item, outcome in zip(items, _computed(self.tasks(function, items)), strict=True):
            if isinstance(outcome, Failure):
                raise outcome.error(item.rows_of_chunk) from outcome.cause
            yield outcome

    def tasks(self, function: Callable[[Any], Any], items: Iterable[Any]) -> list[Any]:
        """Return one task for each chunk, which applies a function to it."""
        from dask import delayed

        work = delayed(BlockWork(function, self.kind), pure=False, traverse=False)
        return [work(item.matrix, item.holding(None)) for item in items]


@dataclass(frozen=True)
class Combine:
    """Put the arrays of consecutive chunks together."""

    axes: tuple[int | None, ...]

    def __call__(self, *parts: Any) -> Any:
        """Return arrays next to each other where these belong to rows, and otherwise their sums."""
        for part in parts:
            if isinstance(part, Failure):
                return part
        return tuple(
            np.concatenate(arrays) if axis == 0 else sum(arrays[1:], arrays[0])
            for axis, arrays in zip(self.axes, zip(*parts, strict=True), strict=True)
        )


def _computed(tasks: list[Any]) -> Iterator[Any]:
    """Compute tasks and yield their results, or failures, in order; each is then forgotten."""
    client = current_client()
    if client is not None:
        yield from _computed_by(client, tasks)
        return
    from dask import compute

    for start in range(0, len(tasks), BATCH):
        batch = tasks[start : start + BATCH]
        try:
            yield from compute(*batch)
        except Exception:  # Dask does not say which task failed
            yield from (_outcome(task.compute) for task in batch)


def _computed_by(client: Any, tasks: list[Any]) -> Iterator[Any]:
    """Compute tasks on a cluster; what is still under way when nobody wants it is cancelled."""
    with submitted(client, tasks) as futures:
        futures.reverse()
        while futures:
            yield _outcome(partial(result_of, client, futures[-1]))
            futures.pop()


def _outcome(compute: Callable[[], Any]) -> Any:
    """Return the result of a task, or its failure."""
    try:
        return compute()
    except (CancelledError, ConnectionError):  # the cluster is gone
        raise
    except Exception as error:
        return Failure(error)
