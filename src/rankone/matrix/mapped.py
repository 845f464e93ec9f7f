"""Arrays mapped from files: give pages that were read back to the system during a sweep."""

from __future__ import annotations

import mmap
from typing import Any

import numpy as np
import numpy.typing as npt

#: Bytes that are read before pages are given back.
KEPT = 2**26

#: Bytes that the system may map around a position that is read.
AROUND = 2**21


class Pages:
    """The pages of a mapped file that are in memory; other arrays have none.

    Pages that were read count as memory of the process until the system needs the space. To give
    them back costs next to nothing, since the system still caches them as long as it has room. Only
    maps that cannot be written to are touched, since these lose nothing.

    Parameters
    ----------
    array : ndarray
    """

    def __init__(self, array: npt.NDArray[Any]):
        self._map = _map_of(array)
        self._row = max(AROUND, abs(array.strides[0]))
        self._read = 0

    @property
    def are_mapped(self) -> bool:
        """Whether the array is mapped from a file."""
        return self._map is not None

    def read(self, n_bytes: int) -> None:
        """Record that bytes were read, and are not needed any more."""
        self._read += n_bytes
        if self._map is not None and self._read > KEPT:
            self._map.madvise(mmap.MADV_DONTNEED)
            self._read = 0

    def read_rows(self, n_rows: int) -> None:
        """Record that rows were read, each at another position."""
        self.read(n_rows * self._row)


def _map_of(array: Any) -> mmap.mmap | None:
    """Return the map that an array is a view of, if that map is read-only."""
    while isinstance(array, np.ndarray):
        base: Any = array.base
        read_only = isinstance(array, np.memmap) and array.mode == "r"
        if isinstance(base, mmap.mmap) and read_only and hasattr(mmap, "MADV_DONTNEED"):
            return base
        array = base
    return None
