"""Work on a block of rows that was read just now: make a matrix of it, and say what is wrong."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse as sp

from rankone._threads import ONE_BLAS_THREAD, threads
from rankone.errors import Input, InputError, Setting
from rankone.matrix.base import Matrix
from rankone.matrix.chunked import Chunked, Held
from rankone.matrix.dense import Dense
from rankone.matrix.errors import BadEntry
from rankone.matrix.sparse import Sparse
from rankone.matrix.totals import Summary, summarise
from rankone.typing import IntArray

__all__ = ["BlockKind", "BlockWork", "Blocks", "Failure"]


@dataclass(frozen=True)
class Failure:
    """What went wrong with a block; returned rather than raised where it crosses processes."""

    cause: Exception

    def error(self, rows: slice) -> Exception:
        """Return the error to raise: that of the library, or one that names the rows."""
        if isinstance(self.cause, InputError):
            return self.cause
        kind, cause = type(self.cause).__name__, " ".join(str(self.cause).split())
        fields = {"first": rows.start, "last": rows.stop - 1, "X": Input()}
        if kind == "KilledWorker":
            return InputError(
                "every worker that was given rows {first} to {last} of {X} died",
                "give workers more memory, or {X} in smaller chunks",
                **fields,
            )
        return InputError(
            "rows {first} to {last} of {X} cannot be used: {kind}: {cause}",
            kind=kind,
            cause=cause,
            **fields,
        )


@dataclass(frozen=True)
class BlockKind:
    """How a block becomes a matrix.

    Attributes
    ----------
    n_columns : int
        The number of columns that a block must have.
    absent_missing : bool
        Whether absent entries of sparse blocks are missing.
    complete : bool
        Whether no entry is missing, as far as is known.
    """

    n_columns: int
    absent_missing: bool
    complete: bool = False

    def matrix(self, block: Any, rows: slice) -> Matrix:
        """Return the block that holds the given rows as a matrix."""
        expected = rows.stop - rows.start, self.n_columns
        if block.shape != expected:
            raise ValueError(f"the shape is {block.shape}, but {expected} was announced")
        if sp.issparse(block):
            csr = sp.csr_array(block)
            csr.sum_duplicates()
            try:
                return Sparse(csr, self.absent_missing)
            except BadEntry as error:
                raise error.moved_down(rows.start) from None
        if self.absent_missing:
            raise InputError(
                "{absent} is for sparse matrices, but {X} has dense chunks",
                "mark missing entries by NaN",
                absent=Setting("missing", "absent"),
                X=Input(),
            )
        if isinstance(block, np.ma.MaskedArray):
            block = np.ma.filled(block.astype(np.float64), np.nan)
        return Dense(np.asarray(block), check=False, complete=self.complete or None)


@dataclass(frozen=True)
class BlockWork:
    """Make a matrix of a block, and apply a function to it.

    Attributes
    ----------
    function : callable
        Takes a `Held`, whose matrix is that of the block.
    kind : BlockKind
    """

    function: Callable[[Any], Any]
    kind: BlockKind

    def __call__(self, block: Any, item: Held) -> Any:
        """Return the result, or the failure."""
        try:
            matrix = self.kind.matrix(block, item.rows_of_chunk)
            with threads(1), ONE_BLAS_THREAD:  # whoever runs the work decides on threads
                return self.function(item.holding(matrix))
        except Exception as error:
            return Failure(error)


class Blocks(Chunked):
    """A matrix whose parts are blocks elsewhere, which become matrices each time they are read."""

    runner: Any

    @property
    def reads(self) -> IntArray | None:
        """How often each block was read."""
        return self._reads

    @cached_property
    def _summary(self) -> Summary:
        summary = summarise(self)
        if self.shape[0] * self.shape[1] == int(summary.totals.row_counts.sum()):
            self.runner = replace(self.runner, kind=replace(self.runner.kind, complete=True))
        return summary
