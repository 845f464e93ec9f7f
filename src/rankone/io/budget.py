"""What a file may cost: the bytes that it decodes to are counted, against one limit.

A few bytes can stand for very many: compressed, as one text that is repeated, as entries that were
never written. All readers count what they decode while they decode it, so that the cost is bounded
by the memory that is free and by the size of the file, whatever the file says of itself.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any, BinaryIO

from rankone._memory import VARIABLE, allowed_memory, memory_limit
from rankone.io.table import FileError

#: Every file may decode to this many bytes, and to so many more for each of its own. No text that
#: was compressed by gzip exceeds that ratio.
SLACK, RATIO = 2**28, 1100

Cost = Callable[[int, int], float]


class Budget:
    """The bytes that may be taken for a file.

    Parameters
    ----------
    name : str
        What the user calls the file.
    size : int
        How many bytes the file has.

    Attributes
    ----------
    limit : float
        The memory that the user allows (see `rankone._memory`), or else what is free; in the
        latter case not much more than a thousand times the size of the file.
    spent : float
    """

    def __init__(self, name: str, size: int):
        free, ordinary = memory_limit(), float(SLACK + RATIO * size)
        self.name = name
        self.is_ratio = allowed_memory() is None and ordinary < free
        self.limit = ordinary if self.is_ratio else free
        self.spent = 0.0

    def spend(self, size: float) -> None:
        """Count bytes, and refuse those that are too many."""
        self.spent += size
        if self.spent > self.limit:
            raise FileError(self.name, self._refusal(self.spent))

    def check(self, size: float) -> None:
        """Refuse bytes that would be too many, without counting them."""
        if self.spent + size > self.limit:
            raise FileError(self.name, self._refusal(self.spent + size))

    def _refusal(self, need: float) -> str:
        needed, limit = f"{need / 1e9:.3g} GB", f"{self.limit / 1e9:.3g} GB"
        if self.is_ratio:
            return (
                f"it unpacks to {needed} or more, over a thousand times its size; if that is meant "
                f"to be, set {VARIABLE} to the memory that it may take, such as 8G."
            )
        return (
            f"it does not fit into memory: it needs {needed} or more, and {limit} may be taken "
            f"(see {VARIABLE}); a large matrix is best kept in .npy, which is read from disk as "
            "it is needed."
        )


def each_byte(size: int, lines: int) -> float:
    """Count bytes for what they are."""
    return float(size)


class Counted(io.RawIOBase):
    """A file whose bytes are counted as they are read.

    Parameters
    ----------
    file : file
    budget : Budget
    cost : callable
        From the numbers of bytes and of lines that were read to the bytes of memory that they
        take.
    """

    def __init__(self, file: BinaryIO, budget: Budget, cost: Cost = each_byte):
        super().__init__()
        self._file, self._budget, self._cost = file, budget, cost
        self._size = self._feeds = self._returns = 0
        self._spent = 0.0

    def readable(self) -> bool:
        """Say that it can be read."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Read into a buffer, and count."""
        found = int(self._file.readinto(buffer))  # type: ignore[attr-defined]
        self._size += found
        if self._cost is not each_byte:
            part = bytes(buffer[:found])
            self._feeds += part.count(b"\n")
            self._returns += part.count(b"\r")
        cost = self._cost(self._size, max(self._feeds, self._returns))
        self._budget.spend(cost - self._spent)
        self._spent = cost
        return found
