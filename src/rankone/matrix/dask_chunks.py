"""Matrices whose chunks are elsewhere: Dask arrays and frames, on this machine or on several.

A sweep is one task for each chunk: the function goes to the chunk, and its result, a few vectors,
comes back. Chunks stay where they are, tasks go where the scheduler sends them, and what is lost
with a worker is computed again from the graph. The function is a task of its own, so that the graph
holds it once, and not for every chunk.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np
import scipy.sparse as sp

from rankone._warnings import warn
from rankone.errors import Input, InputError, Setting, Worded
from rankone.matrix.base import Matrix
from rankone.matrix.chunked import Chunked, Held
from rankone.matrix.dense import Dense
from rankone.matrix.errors import BadEntry
from rankone.matrix.running import ONE_BLAS_THREAD, threads
from rankone.matrix.sparse import Sparse
from rankone.matrix.tiles import Tile

Result = TypeVar("Result")

__all__ = ["ChunksWarning", "from_dask", "is_dask"]

#: Chunks that are under way at a time where no cluster is in charge.
BATCH = 64


class ChunksWarning(UserWarning):
    """The chunks of an array make a fit slower than it need be."""


def is_dask(X: Any) -> bool:
    """Say whether something is a Dask array or frame; Dask itself is not imported."""
    return hasattr(X, "__dask_graph__") and type(X).__module__.startswith("dask")


def from_dask(X: Any, missing: str) -> Matrix:
    """Return a Dask array, or a frame of numbers, as a matrix in chunks.

    Parameters
    ----------
    X : dask.array.Array or dask.dataframe.DataFrame
        Chunks are NumPy arrays or sparse CSR arrays. Its rows are in as many chunks as it has; if
        its columns are in several, they are merged.
    missing : {"nan", "absent"}
        See `rankone.matrix.as_matrix`.
    """
    array = X.to_dask_array(lengths=True) if hasattr(X, "to_dask_array") else X
    _check(array)
    if np.isnan(array.shape).any():
        array = array.compute_chunk_sizes()
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
    return OfDask(
        [block for block, _ in filled],
        [size for _, size in filled],
        int(array.shape[1]),
        Tasks(missing == "absent", array),
    )


class OfDask(Chunked):
    """A matrix whose chunks are elsewhere."""

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


def _check(array: Any) -> None:
    """Refuse what is no matrix of real numbers."""
    if array.ndim != 2:
        raise InputError(f"{{X}} must be a matrix, but it has {array.ndim} dimensions", X=Input())
    if array.dtype.kind not in "biuf":
        raise InputError(
            "{X} must hold real numbers, but its type is {type}", X=Input(), type=array.dtype
        )
    if 0 in array.shape:
        raise InputError(f"{{X}} is empty: its shape is {array.shape}", X=Input())


@dataclass(frozen=True)
class Tasks:
    """Tasks of Dask: those of a cluster, if there is a client of one, or of the local scheduler.

    Attributes
    ----------
    absent_missing : bool
        Whether absent entries of sparse chunks are missing.
    source : dask.array.Array
        The array, because a cluster forgets chunks that nobody refers to.
    """

    absent_missing: bool
    source: Any = field(repr=False)

    def map(self, function: Callable[[Any], Result], items: Iterable[Any]) -> Iterator[Result]:
        """Apply a function to each chunk, where it is, and yield the results in order."""
        from dask import delayed

        n_columns = int(self.source.shape[1])
        work = delayed(Work(function, self.absent_missing, n_columns), pure=False, traverse=False)
        items = list(items)
        tasks = [work(item.matrix, item.holding(None)) for item in items]
        for item, outcome in zip(items, _computed(tasks), strict=True):
            if isinstance(outcome, Failure):
                raise outcome.error(item.rows_of_chunk) from outcome.cause
            yield outcome


def _computed(tasks: list[Any]) -> Iterator[Any]:
    """Compute tasks and yield their results, or failures, in order; each is then forgotten."""
    client = _client()
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
    """Compute tasks on a cluster."""
    try:
        futures = client.compute(tasks)
        futures.reverse()
        while futures:
            yield _outcome(futures.pop().result)
    except CancelledError as error:
        raise ConnectionError(
            "the Dask scheduler was lost during a sweep; start it, and fit again."
        ) from error


def _outcome(compute: Callable[[], Any]) -> Any:
    """Return the result of a task, or its failure."""
    try:
        return compute()
    except CancelledError:  # the cluster is gone
        raise
    except Exception as error:
        return Failure(error)


def _client() -> Any:
    """Return the client of a cluster; None if there is none."""
    try:
        from distributed import Client
    except ImportError:
        return None
    try:
        return Client.current()
    except ValueError:
        return None


@dataclass(frozen=True)
class Failure:
    """What went wrong with a chunk."""

    cause: Exception

    def error(self, rows: slice) -> Exception:
        """Return the error to raise: that of the library, or one that names the chunk."""
        if isinstance(self.cause, InputError):
            return self.cause
        cause = " ".join(str(self.cause).split())
        return InputError(
            "rows {first} to {last} of {X} cannot be used: {kind}: {cause}",
            first=rows.start,
            last=rows.stop - 1,
            X=Input(),
            kind=type(self.cause).__name__,
            cause=cause,
        )


@dataclass(frozen=True)
class Work:
    """Make a matrix of a chunk, and apply a function to it."""

    function: Callable[[Any], Any]
    absent_missing: bool
    n_columns: int

    def __call__(self, block: Any, item: Held) -> Any:
        """Return the result, or the failure."""
        rows = item.rows_of_chunk
        expected = rows.stop - rows.start, self.n_columns
        try:
            if block.shape != expected:
                raise ValueError(f"the shape is {block.shape}, but {expected} was announced")
            matrix = self._matrix(block, rows.start)
            with threads(1), ONE_BLAS_THREAD:  # the scheduler decides how many tasks run at once
                return self.function(item.holding(matrix))
        except Exception as error:
            return Failure(error)

    def _matrix(self, block: Any, start: int) -> Matrix:
        """Return a chunk as a matrix, given the number of its first row."""
        if sp.issparse(block):
            csr = sp.csr_array(block)
            csr.sum_duplicates()
            try:
                return Sparse(csr, self.absent_missing)
            except BadEntry as error:
                raise error.moved_down(start) from None
        if self.absent_missing:
            raise InputError(
                "{absent} is for sparse matrices, but {X} has dense chunks",
                "mark missing entries by NaN",
                absent=Setting("missing", "absent"),
                X=Input(),
            )
        if isinstance(block, np.ma.MaskedArray):
            block = np.ma.filled(block.astype(np.float64), np.nan)
        return Dense(np.asarray(block), check=False)
