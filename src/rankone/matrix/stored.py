"""Matrices in files: blocks of rows are read, used and given back, at every sweep.

Where a client of a Dask cluster is in charge, its workers read the blocks; otherwise threads of
this process do, no more at a time than memory allows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

from rankone._dask import current_client
from rankone._memory import memory_limit
from rankone._stored import Stored
from rankone._threads import Threads
from rankone.matrix.base import Matrix
from rankone.matrix.blocks import BlockKind, Blocks, BlockWork, Failure
from rankone.matrix.chunked import Held
from rankone.matrix.dask_chunks import from_blocks
from rankone.matrix.errors import BadEntry

Result = TypeVar("Result")

__all__ = ["from_stored"]

#: The share of memory that blocks may take; the rest is for vectors, samples and copies.
SHARE = 0.25


def from_stored(stored: Stored, missing: str) -> Matrix:
    """Return a stored matrix as one that reads its blocks when they are needed."""
    sizes = [block.n_rows for block in stored.blocks]
    readers = [block.read for block in stored.blocks]
    absent_missing = missing == "absent"
    if current_client() is not None:
        matrix = from_blocks(readers, sizes, stored.n_columns, absent_missing, stored.persist)
    else:
        most = max(1, int(SHARE * memory_limit() / max(1, stored.block_bytes)))
        runner = Reading(BlockKind(stored.n_columns, absent_missing), most)
        matrix = Blocks(readers, sizes, stored.n_columns, runner)
    if not stored.turned:
        return matrix
    try:
        _ = matrix.totals
        return matrix.T
    except BadEntry as error:
        raise error.transposed() from None


@dataclass(frozen=True)
class Reading:
    """Threads that read blocks and work on them.

    Attributes
    ----------
    kind : BlockKind
        How a block becomes a matrix.
    most : int
        How many blocks may be in memory at once.
    """

    kind: BlockKind
    most: int

    def map(self, function: Callable[[Any], Result], items: Iterable[Any]) -> Iterator[Result]:
        """Read each block, and apply a function to it."""
        work = BlockWork(function, self.kind)

        def read_and_work(item: Held) -> Result:
            try:
                outcome = work(item.matrix(), item.holding(None))
            except Exception as error:  # libraries raise whatever they like
                outcome = Failure(error)
            if isinstance(outcome, Failure):
                raise outcome.error(item.rows_of_chunk) from outcome.cause
            result: Result = outcome
            return result

        return Threads(self.most).map(read_and_work, items)
