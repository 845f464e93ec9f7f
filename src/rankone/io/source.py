"""Where bytes come from: a file, a compressed one, a pipe, standard input."""

from __future__ import annotations

import gzip
import io
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, BinaryIO, cast

from rankone._memory import available_memory
from rankone.io.table import FileError, reason

GZIP = b"\x1f\x8b"


@dataclass(frozen=True)
class Source:
    """Bytes that can be read more than once.

    Attributes
    ----------
    name : str
        What the user calls it.
    path : Path or None
        None if the bytes came through a pipe, and are in memory.
    content : bytes
        The bytes of a pipe.
    """

    name: str
    path: Path | None
    content: bytes = b""

    @staticmethod
    def of(path: str | os.PathLike[str] | Source) -> Source:
        """Find a file, or read a pipe to its end; ``-`` is standard input."""
        if isinstance(path, Source):
            return path
        name = os.fspath(path)
        if name == "-":
            return _standard_input()
        try:
            mode = os.stat(name).st_mode
            if stat.S_ISFIFO(mode):
                with open(name, "rb") as pipe:
                    return Source(name, None, _everything(name, pipe))
            if not (stat.S_ISDIR(mode) or stat.S_ISREG(mode)):
                raise FileError(name, "it is a device, not a file.")
            if stat.S_ISREG(mode):
                with open(name, "rb"):
                    pass
        except FileNotFoundError:
            raise FileError(name, "there is no such file.") from None
        except (OSError, ValueError) as error:
            if isinstance(error, FileError):
                raise
            raise FileError(name, f"it cannot be opened ({reason(error)}).") from None
        return Source(name, Path(name))

    @contextmanager
    def raw(self) -> Iterator[BinaryIO]:
        """Open the bytes as they are."""
        with io.BytesIO(self.content) if self.path is None else open(self.path, "rb") as file:
            yield file

    @contextmanager
    def open(self) -> Iterator[BinaryIO]:
        """Open the bytes, decompressed if need be, to be read from first to last."""
        with self.raw() as file:
            yield cast(BinaryIO, _Limited(self.name, file)) if self.compressed else file

    @contextmanager
    def open_anywhere(self) -> Iterator[BinaryIO]:
        """Open the bytes, decompressed, to be read here and there."""
        with self.open() as file:
            yield io.BytesIO(file.read()) if self.compressed else file

    def head(self, size: int) -> bytes:
        """Return the first bytes."""
        with self.open() as file:
            return file.read(size)

    @property
    def size(self) -> int:
        """How many bytes there are, before they are decompressed."""
        return len(self.content) if self.path is None else self.path.stat().st_size

    @cached_property
    def compressed(self) -> bool:
        """Whether the bytes are a gzip archive."""
        with self.raw() as file:
            return file.read(2) == GZIP

    @property
    def in_place(self) -> bool:
        """Whether a library may open the file by itself."""
        return self.path is not None and not self.compressed

    @contextmanager
    def guarded(self) -> Iterator[None]:
        """Say in one sentence what is wrong with a file, whatever a library raises."""
        try:
            yield
        except FileError:
            raise
        except MemoryError:
            raise FileError(self.name, "it does not fit into memory.") from None
        except (ValueError, OSError) as error:
            raise FileError(self.name, f"{reason(error)}.") from None
        except Exception as error:  # damaged files make libraries raise anything
            raise FileError(self.name, f"it is cut short, or damaged ({reason(error)}).") from None


class _Limited(gzip.GzipFile):
    """A gzip archive that may not grow beyond memory: a few bytes can stand for very many."""

    def __init__(self, name: str, file: BinaryIO):
        super().__init__(fileobj=file, mode="rb")
        self._name, self._left = name, available_memory()

    def read(self, size: int | None = -1) -> Any:
        """Read, and count."""
        wanted = -1 if size is None or size < 0 else size
        found = super().read(wanted if wanted >= 0 else int(min(self._left, sys.maxsize - 1)) + 1)
        self._left -= len(found)
        if self._left < 0:
            raise FileError(self._name, "what it decompresses to does not fit into memory.")
        return found

    def readinto(self, buffer: Any) -> int:
        """Read into a buffer, and count."""
        found = self.read(len(buffer))
        buffer[: len(found)] = found
        return len(found)

    read1 = read


def _standard_input() -> Source:
    if sys.stdin is None:
        raise FileError("standard input", "it is closed.")
    return Source("standard input", None, _everything("standard input", sys.stdin.buffer))


def _everything(name: str, pipe: BinaryIO) -> bytes:
    """Read a pipe to its end, unless that does not fit into memory."""
    parts, left = [], available_memory() / 2
    while part := pipe.read(2**20):
        parts.append(part)
        left -= len(part)
        if left < 0:
            raise FileError(name, "it does not fit into memory; write it to a file first.")
    return b"".join(parts)


def check_fits(source: Source, entries: float, of_bytes: int = 8) -> None:
    """Refuse a matrix that would not fit into memory."""
    need, free = of_bytes * entries, available_memory()
    if need > free:
        raise FileError(
            source.name,
            f"its entries need about {need / 1e9:.3g} GB of memory, and {free / 1e9:.3g} GB are "
            "free; a large matrix is best kept in .npy, which is read from disk as it is needed.",
        )
