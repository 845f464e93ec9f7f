"""Numbers of a text that is too large for memory: written to disk once, and mapped."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from types import TracebackType
from typing import Any, Self

import numpy as np

from rankone.errors import FileError, Setting
from rankone.io.blocks import is_lazy
from rankone.io.layout import Layout
from rankone.io.source import Source
from rankone.typing import FloatArray
from rankone.wording import reason

__all__ = ["Spill", "spilling_folder"]

#: The bytes of text that a byte of a compressed file stands for, roughly.
EXPANSION = 4


def spilling_folder(
    source: Source, layout: Layout, lazy: bool | None, cache: str | None
) -> str | None:
    """Return the folder that the numbers of a large text are written to; None if it is small.

    Parameters
    ----------
    source : Source
    layout : Layout
    lazy : bool, optional
        Whether numbers are written to disk; by default if they are many.
    cache : str, optional
        The folder; by default that of temporary files.
    """
    size = source.size * (EXPANSION if source.compressed else 1)
    n_bytes = 8.0 * len(layout.kept) * size / max(1.0, layout.line_bytes)
    if not is_lazy(lazy, n_bytes):
        return None
    folder = tempfile.gettempdir() if cache is None else os.path.abspath(cache)
    try:
        free = shutil.disk_usage(folder).free
    except OSError as error:
        raise FileError(
            source.name,
            "its numbers cannot be kept in {folder} ({reason})",
            "give another {cache}",
            folder=folder,
            reason=reason(error),
            cache=Setting("cache"),
        ) from None
    if free < n_bytes:
        raise _too_small(source.name, folder, f"about {n_bytes / 1e9:.3g} GB")
    return folder


def _too_small(name: str, folder: str, size: str) -> FileError:
    return FileError(
        name,
        "its numbers take {size} on disk, more than is free in {folder}",
        "give another {cache}",
        size=size,
        folder=folder,
        cache=Setting("cache"),
    )


class Spill:
    """A file of numbers, row after row, without a name: it is gone when nobody uses it any more.

    Parameters
    ----------
    name : str
        The text that the numbers are from, as the user calls it.
    folder : str
    n_columns : int
    """

    def __init__(self, name: str, folder: str, n_columns: int):
        self.name, self.folder, self.n_columns = name, folder, n_columns
        self.n_rows = 0

    def __enter__(self) -> Self:
        """Create the file."""
        try:
            self.file = tempfile.TemporaryFile(prefix="rankone-", dir=self.folder)
        except OSError as error:
            raise FileError(
                self.name,
                "its numbers cannot be kept in {folder} ({reason})",
                "give another {cache}",
                folder=self.folder,
                reason=reason(error),
                cache=Setting("cache"),
            ) from None
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Close the file; a map of it lasts as long as somebody uses it."""
        with contextlib.suppress(OSError):  # what was not written to a full disk
            self.file.close()

    def write(self, rows: FloatArray) -> None:
        """Add rows."""
        try:
            self.file.write(np.ascontiguousarray(rows).data)
        except OSError:
            size = f"more than {8e-9 * self.n_rows * self.n_columns:.3g} GB"
            raise _too_small(self.name, self.folder, size) from None
        self.n_rows += rows.shape[0]

    def mapped(self) -> Any:
        """Return all rows."""
        if self.n_rows == 0:
            return np.empty((0, self.n_columns))
        try:
            self.file.flush()
        except OSError:
            size = f"{8e-9 * self.n_rows * self.n_columns:.3g} GB"
            raise _too_small(self.name, self.folder, size) from None
        return np.memmap(self.file, np.float64, "r", shape=(self.n_rows, self.n_columns))
