"""Matrices that are not read at once: how their rows are divided into blocks.

A matrix that takes a small part of the memory is read as a whole, because a fit sweeps over it a
few dozen times. Of a larger one, blocks of rows are read whenever they are needed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from rankone._memory import memory_limit
from rankone._stored import Block, Stored
from rankone.errors import FileError
from rankone.io.source import Source

__all__ = [
    "check_indptr",
    "csr_rows",
    "dense_blocks",
    "groups_of_rows",
    "is_lazy",
    "largest_whole",
    "sparse_blocks",
    "stored_blocks",
]

#: The share of memory that a matrix may take to be read as a whole.
WHOLE = 0.25

#: The bytes of a block, and the share of memory that it may take if that is less.
BLOCK_BYTES, BLOCK_SHARE = 2**25, 1 / 32

#: Bytes that a sparse matrix takes for each stored entry once it is read.
BYTES_AN_ENTRY = 16


def is_lazy(lazy: bool | None, n_bytes: float) -> bool:
    """Say whether a matrix of so many bytes is read in blocks: as asked for, or if it is large."""
    return n_bytes > largest_whole() if lazy is None else lazy


def largest_whole() -> float:
    """Return the size in bytes up to which a matrix is read as a whole."""
    return WHOLE * memory_limit()


def dense_blocks(
    source: Source,
    shape: tuple[int, int],
    itemsize: int,
    read: Callable[[int, int], Callable[[], Any]],
    step: int = 1,
) -> Stored:
    """Return a dense matrix in blocks of rows.

    Parameters
    ----------
    source : Source
    shape : tuple of int
    itemsize : int
        The bytes of an entry once it is read.
    read : callable
        Returns the reader of some rows, given the first one and the one after the last.
    step : int
        The number of rows that are stored together; blocks are multiples of it.
    """
    m, n = shape
    row_bytes = max(1, n * itemsize)
    rows = max(step, int(_block_bytes() / row_bytes) // step * step)
    bounds = [*range(0, m, rows), m]
    return _stored(source, bounds, n, read, rows * row_bytes)


def sparse_blocks(
    source: Source,
    indptr: npt.NDArray[Any],
    n_columns: int,
    read: Callable[[int, int], Callable[[], Any]],
) -> Stored:
    """Return a sparse matrix in blocks of rows with about equal numbers of entries.

    Parameters
    ----------
    source : Source
    indptr : ndarray
        Where the entries of each row begin, and where those of the last one end.
    n_columns : int
    read : callable
        See `dense_blocks`.
    """
    entries = _block_bytes() / BYTES_AN_ENTRY
    cuts = np.searchsorted(indptr, np.arange(entries, float(indptr[-1]), entries))
    bounds = np.unique([0, *cuts, indptr.size - 1]).tolist()
    largest = int(np.diff(indptr[bounds]).max()) if len(bounds) > 1 else 0
    return _stored(source, bounds, n_columns, read, BYTES_AN_ENTRY * largest)


def csr_rows(data: Any, indices: Any, indptr: npt.NDArray[Any], n_columns: int) -> sp.csr_array:
    """Return consecutive rows of a sparse matrix, given where each begins in arrays on disk."""
    entries = slice(int(indptr[0]), int(indptr[-1]))
    columns = np.asarray(indices[entries])
    if columns.size and not 0 <= columns.min() <= columns.max() < n_columns:
        raise ValueError("indices of columns are outside the matrix")
    parts = np.asarray(data[entries]), columns, indptr - indptr[0]
    return sp.csr_array(parts, shape=(indptr.size - 1, n_columns))


def check_indptr(source: Source, indptr: npt.NDArray[Any], m: int, n_entries: int) -> None:
    """Refuse a sparse matrix whose rows do not begin where its entries are."""
    rising = indptr.size == m + 1 and indptr[0] == 0 and (np.diff(indptr) >= 0).all()
    if not rising or indptr[-1] != n_entries:
        raise FileError(source.name, "its sparse matrix is damaged: its rows begin elsewhere")


def groups_of_rows(group_rows: Sequence[int], n_columns: int) -> list[list[int]]:
    """Return groups of rows that are stored together, joined until they make a block of doubles."""
    most = _block_bytes() / (8 * max(1, n_columns))
    joined: list[list[int]] = []
    size = 0
    for number, rows in enumerate(group_rows):
        if not joined or size + rows > most:
            joined.append([])
            size = 0
        joined[-1].append(number)
        size += rows
    return joined


def stored_blocks(
    source: Source, readers: Sequence[tuple[int, Callable[[], Any]]], n_columns: int
) -> Stored:
    """Return a matrix of doubles, given the number of rows and the reader of each block."""
    blocks = [Block(n_rows, read) for n_rows, read in readers if n_rows]
    largest = max((block.n_rows for block in blocks), default=0)
    return _checked(source, Stored(blocks, n_columns, 8 * n_columns * largest))


def _block_bytes() -> float:
    return min(BLOCK_BYTES, BLOCK_SHARE * memory_limit())


def _stored(
    source: Source,
    bounds: Sequence[int],
    n_columns: int,
    read: Callable[[int, int], Callable[[], Any]],
    block_bytes: int,
) -> Stored:
    """Return the blocks between some rows."""
    blocks = [Block(stop - start, read(start, stop)) for start, stop in pairwise(bounds)]
    return _checked(source, Stored(blocks, n_columns, block_bytes))


def _checked(source: Source, stored: Stored) -> Stored:
    """Refuse blocks that do not fit into memory."""
    if stored.block_bytes > largest_whole():
        size = f"{stored.block_bytes / 1e9:.3g} GB"
        raise FileError(
            source.name,
            f"rows that are stored together take {size}, too much for memory",
            "store it in chunks of fewer rows",
        )
    return stored
