"""Arrays that are mapped from files: pages that were read are given back as a sweep goes on."""

from __future__ import annotations

import mmap
from typing import Any

import numpy as np
import numpy.typing as npt

#: Bytes that may have been read before pages are given back.
KEPT = 2**26

#: What the system may map around a place that is read.
AROUND = 2**21


class Pages:
    """What an array keeps in memory of the file that it is mapped from; nothing, for others.

    A mapped file counts as memory of the process from where it was read on, until the system needs
    the space. To give pages back costs next to nothing: the system still has them, as long as it
    has room. Only maps that cannot be written to are touched, since these lose nothing.

    Parameters
    ----------
    array : ndarray
    """

    def __init__(self, array: npt.NDArray[Any]):
        self._map = _map_of(array)
        self._row = max(AROUND, abs(array.strides[0]))
        self._read = 0

    def read(self, n_bytes: int) -> None:
        """Say that so many bytes were read, and are not needed any more."""
        self._read += n_bytes
        if self._map is not None and self._read > KEPT:
            self._map.madvise(mmap.MADV_DONTNEED)
            self._read = 0

    def read_rows(self, n_rows: int) -> None:
        """Say that so many rows were read, here and there."""
        self.read(n_rows * self._row)


def _map_of(array: Any) -> mmap.mmap | None:
    """Return the map that an array is a view of, if it is one that is only read."""
    while isinstance(array, np.ndarray):
        base = array.base
        read_only = isinstance(array, np.memmap) and array.mode == "r"
        if isinstance(base, mmap.mmap) and read_only and hasattr(mmap, "MADV_DONTNEED"):
            return base
        array = base
    return None
