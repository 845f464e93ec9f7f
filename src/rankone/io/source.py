"""Where bytes come from: a file, a compressed one, a pipe, standard input."""

from __future__ import annotations

import gzip
import io
import os
import shutil
import stat
import sys
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import BinaryIO, cast

from rankone._memory import memory_limit
from rankone.checks import check_choice
from rankone.io.budget import Budget, Cost, Counted, each_byte
from rankone.io.table import FileError, reason

GZIP = b"\x1f\x8b"

#: What a compressed file raises that is damaged, or not complete.
DAMAGED = (EOFError, zlib.error, gzip.BadGzipFile)

#: How many bytes are decoded at a time.
PART = 2**18


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
    def open(self, cost: Cost = each_byte) -> Iterator[BinaryIO]:
        """Open the bytes, decompressed if need be, to be read from first to last.

        They are counted, unless they are those of a file as it is.

        Parameters
        ----------
        cost : callable
            See `Counted`.
        """
        with self.raw() as file:
            if not self.compressed and cost is each_byte:
                yield file
                return
            plain = gzip.GzipFile(fileobj=file, mode="rb") if self.compressed else file
            counted = Counted(cast(BinaryIO, plain), self.budget(), cost)
            yield cast(BinaryIO, io.BufferedReader(counted, PART))

    @contextmanager
    def open_anywhere(self) -> Iterator[BinaryIO]:
        """Open the bytes, decompressed, to be read here and there."""
        with self.open() as file:
            yield in_memory(file) if self.compressed else file

    def budget(self) -> Budget:
        """Return what may be taken for the content of the file."""
        return Budget(self.name, self.size)

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
        """Say in one sentence that a file cannot be read, or is damaged.

        Only what the system and gzip raise is caught here; each reader knows what its own library
        raises.
        """
        try:
            yield
        except MemoryError:
            raise FileError(self.name, "it does not fit into memory.") from None
        except DAMAGED as error:
            raise FileError(self.name, f"it is cut short, or damaged ({reason(error)}).") from None
        except OSError as error:
            raise FileError(self.name, f"it cannot be read ({reason(error)}).") from None


def in_memory(file: BinaryIO) -> io.BytesIO:
    """Return all bytes of a file."""
    content = io.BytesIO()
    shutil.copyfileobj(file, content, PART)
    content.seek(0)
    return content


def _standard_input() -> Source:
    if sys.stdin is None:
        raise FileError("standard input", "it is closed.")
    return Source("standard input", None, _everything("standard input", sys.stdin.buffer))


def _everything(name: str, pipe: BinaryIO) -> bytes:
    """Read a pipe to its end, unless that does not fit into memory."""
    limit, content = memory_limit() / 2, io.BytesIO()
    while part := pipe.read(PART):
        content.write(part)
        if content.tell() > limit:
            raise FileError(name, "it does not fit into memory; write it to a file first.")
    return content.getvalue()


def check_fits(source: Source, entries: float, of_bytes: int = 8) -> None:
    """Refuse a matrix that would not fit into memory."""
    source.budget().check(of_bytes * entries)


def check_option(source: Source, value: str, name: str, choices: Sequence[str]) -> None:
    """Refuse an option that is none of the choices."""
    try:
        check_choice(value, name, choices)
    except ValueError as error:
        raise FileError(source.name, str(error)) from None
