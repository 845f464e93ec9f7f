"""The memory that reading a file may take: decoded bytes are counted against one limit.

A few bytes can stand for very many: compressed data, a repeated text, entries that were never
written. Every reader counts bytes while it decodes them, so that the memory is bounded by what is
free and by the size of the file, whatever the file claims.
"""

from __future__ import annotations

import io
import math
from collections.abc import Callable
from typing import Any, BinaryIO

from rankone._memory import VARIABLE, allowed_memory, memory_limit
from rankone.errors import FileError

#: A file may decode to this many bytes, plus this many for each of its own. No text that was
#: compressed by gzip exceeds that ratio.
SLACK, RATIO = 2**28, 1100

Cost = Callable[[int, int], float]


class Budget:
    """The memory that reading a file may take.

    Parameters
    ----------
    name : str
        The file, as the user calls it.
    size : int
        The size of the file in bytes.
    to_disk : bool
        Whether the content is written to disk, and need not fit into memory.

    Attributes
    ----------
    limit : float
        The memory that the user allows (see `rankone._memory`), or else the free memory; in the
        latter case not much more than a thousand times the size of the file.
    ordinary : float
        What a file of this size may decode to.
    spent : float
    """

    def __init__(self, name: str, size: int, to_disk: bool = False):
        free = math.inf if to_disk else memory_limit()
        self.name, self.ordinary = name, float(SLACK + RATIO * size)
        self.is_ratio = allowed_memory() is None and self.ordinary < free
        self.limit = self.ordinary if self.is_ratio else free
        self.spent = 0.0

    def spend(self, size: float) -> None:
        """Count bytes, and raise a FileError if they exceed the limit."""
        self.spent += size
        if self.spent > self.limit:
            raise self._refusal(self.spent)

    def check(self, size: float) -> None:
        """Raise a FileError if so many bytes would exceed the limit, without counting them."""
        if self.spent + size > self.limit:
            raise self._refusal(self.spent + size)

    def check_ratio(self, size: float) -> None:
        """Raise a FileError if so many bytes are far more than a file of this size can hold.

        They need not fit into memory. If the user says how much memory may be taken, nothing is
        refused here.
        """
        if allowed_memory() is None and size > self.ordinary:
            raise self._refusal(size, is_ratio=True)

    def _refusal(self, need: float, is_ratio: bool | None = None) -> FileError:
        needed, limit = f"{need / 1e9:.3g} GB", f"{self.limit / 1e9:.3g} GB"
        if self.is_ratio if is_ratio is None else is_ratio:
            return FileError(
                self.name,
                f"it unpacks to {needed} or more, over a thousand times its size",
                f"if that is intended, set {VARIABLE} to the memory that it may take, such as 8G",
            )
        return FileError(
            self.name,
            f"it does not fit into memory: it needs {needed} or more, and {limit} may be taken "
            f"(see {VARIABLE})",
            "save a large matrix as .npy, which is read from disk as needed",
        )


def each_byte(size: int, lines: int) -> float:
    """Count each byte that is read as one byte of memory."""
    return float(size)


class Counted(io.RawIOBase):
    """A file whose bytes are counted as they are read.

    Parameters
    ----------
    file : file
    budget : Budget
    cost : callable
        Returns the bytes of memory that are taken, given the numbers of bytes and lines read.
    """

    def __init__(self, file: BinaryIO, budget: Budget, cost: Cost = each_byte):
        super().__init__()
        self._file, self._budget, self._cost = file, budget, cost
        self._size = self._feeds = self._returns = 0
        self._spent = 0.0

    def readable(self) -> bool:
        """Return True: the file can be read."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Read into a buffer, and count the bytes."""
        size = int(self._file.readinto(buffer))  # type: ignore[attr-defined]
        self._size += size
        if self._cost is not each_byte:
            part = bytes(buffer[:size])
            self._feeds += part.count(b"\n")
            self._returns += part.count(b"\r")
        cost = self._cost(self._size, max(self._feeds, self._returns))
        self._budget.spend(cost - self._spent)
        self._spent = cost
        return size
