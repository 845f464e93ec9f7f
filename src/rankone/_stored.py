"""A matrix that lies in files, and is read in blocks of rows when these are needed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

__all__ = ["Block", "Stored"]


@dataclass(frozen=True)
class Block:
    """Some rows of a stored matrix, and how to read them.

    Attributes
    ----------
    n_rows : int
    read : callable
        Returns an array, or a sparse CSR array, of these rows and all columns. It may be called
        in another process, so it can be pickled, and holds no open file.
    """

    n_rows: int
    read: Callable[[], Any]


@dataclass(frozen=True, eq=False)
class Stored:
    """A matrix that is read in blocks of rows.

    Attributes
    ----------
    blocks : sequence of Block
    n_columns : int
    block_bytes : int
        The memory that the largest block takes once it is read.
    turned : bool
        Whether the matrix is the transpose of what is stored.
    persist : bool
        Whether the workers of a cluster keep blocks in memory once they are read.
    """

    blocks: Sequence[Block]
    n_columns: int
    block_bytes: int
    turned: bool = False
    persist: bool = False

    ndim = 2

    @property
    def shape(self) -> tuple[int, int]:
        """The numbers of rows and columns."""
        stored = sum(block.n_rows for block in self.blocks), self.n_columns
        return stored[::-1] if self.turned else stored

    @property
    def T(self) -> Stored:
        """The transpose, which is read in the same blocks."""
        return replace(self, turned=not self.turned)

    def select_columns(self, columns: Sequence[int]) -> Stored:
        """Return some columns, in the given order."""
        blocks = [
            Block(block.n_rows, Selected(block.read, tuple(columns))) for block in self.blocks
        ]
        return replace(self, blocks=blocks, n_columns=len(columns))


@dataclass(frozen=True)
class Selected:
    """Read some columns of a block."""

    read: Callable[[], Any]
    columns: tuple[int, ...]

    def __call__(self) -> Any:
        """Return the rows of the block."""
        return self.read()[:, list(self.columns)]
