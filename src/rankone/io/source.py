"""Sources of bytes: a file, plain or compressed, a pipe, or standard input."""

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
from rankone.errors import FileError
from rankone.io.budget import Budget, Cost, Counted, each_byte
from rankone.wording import reason

GZIP = b"\x1f\x8b"

#: Raised for a compressed file that is damaged or truncated.
DAMAGED = (EOFError, zlib.error, gzip.BadGzipFile)

#: The number of bytes that are decoded at a time.
PART = 2**18


@dataclass(frozen=True)
class Source:
    """Bytes that can be read more than once.

    Attributes
    ----------
    name : str
        The name that the user gave.
    path : Path or None
        None if the bytes came from a pipe and are in memory.
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
                raise FileError(name, "it is a device, not a file")
            if stat.S_ISREG(mode):
                with open(name, "rb"):
                    pass
        except FileNotFoundError:
            raise FileError(name, "there is no such file") from None
        except (OSError, ValueError) as error:
            if isinstance(error, FileError):
                raise
            raise FileError(name, "it cannot be opened ({reason})", reason=reason(error)) from None
        return Source(name, Path(name))

    @contextmanager
    def raw(self) -> Iterator[BinaryIO]:
        """Open the bytes as they are."""
        with io.BytesIO(self.content) if self.path is None else open(self.path, "rb") as file:
            yield file

    @contextmanager
    def open(self, cost: Cost = each_byte, to_disk: bool = False) -> Iterator[BinaryIO]:
        """Open the bytes, decompressed if necessary, for reading from first to last.

        They are counted against the budget, unless a file is read as it is.

        Parameters
        ----------
        cost : callable
            See `Counted`.
        to_disk : bool
            See `Budget`.
        """
        with self.raw() as file:
            if not self.compressed and cost is each_byte:
                yield file
                return
            plain = gzip.GzipFile(fileobj=file, mode="rb") if self.compressed else file
            counted = Counted(cast(BinaryIO, plain), self.budget(to_disk), cost)
            yield cast(BinaryIO, io.BufferedReader(counted, PART))

    @contextmanager
    def open_anywhere(self) -> Iterator[BinaryIO]:
        """Open the bytes, decompressed if necessary, for reading at any position."""
        with self.open() as file:
            yield in_memory(file) if self.compressed else file

    def budget(self, to_disk: bool = False) -> Budget:
        """Return the memory that the content of the file may take, or the space on disk."""
        return Budget(self.name, self.size, to_disk)

    def head(self, size: int) -> bytes:
        """Return the first bytes."""
        with self.open() as file:
            return file.read(size)

    @property
    def size(self) -> int:
        """The number of bytes, before they are decompressed."""
        return len(self.content) if self.path is None else self.path.stat().st_size

    @cached_property
    def compressed(self) -> bool:
        """Whether the bytes are a gzip archive."""
        with self.raw() as file:
            return file.read(2) == GZIP

    @property
    def in_place(self) -> bool:
        """Whether a library may open the file by its path."""
        return self.path is not None and not self.compressed

    @contextmanager
    def guarded(self) -> Iterator[None]:
        """Raise a FileError if a file cannot be read, or is damaged.

        Only errors of the system and of gzip are caught here; each reader catches those of its own
        library.
        """
        try:
            yield
        except MemoryError:
            raise FileError(self.name, "it does not fit into memory") from None
        except DAMAGED as error:
            raise FileError(
                self.name, "it is truncated or damaged ({reason})", reason=reason(error)
            ) from None
        except OSError as error:
            raise FileError(
                self.name, "it cannot be read ({reason})", reason=reason(error)
            ) from None


def in_memory(file: BinaryIO) -> io.BytesIO:
    """Return all bytes of a file."""
    content = io.BytesIO()
    shutil.copyfileobj(file, content, PART)
    content.seek(0)
    return content


def _standard_input() -> Source:
    if sys.stdin is None:
        raise FileError("standard input", "it is closed")
    return Source("standard input", None, _everything("standard input", sys.stdin.buffer))


def _everything(name: str, pipe: BinaryIO) -> bytes:
    """Read a pipe to its end, if it fits into memory."""
    limit, content = memory_limit() / 2, io.BytesIO()
    while part := pipe.read(PART):
        content.write(part)
        if content.tell() > limit:
            raise FileError(name, "it does not fit into memory", "write it to a file first")
    return content.getvalue()


def check_fits(source: Source, entries: float, of_bytes: int = 8) -> None:
    """Refuse a matrix that would not fit into memory."""
    source.budget().check(of_bytes * entries)


def check_option(source: Source, value: str, name: str, choices: Sequence[str]) -> None:
    """Raise a FileError if an option is not one of the choices."""
    try:
        check_choice(value, name, choices)
    except ValueError as error:
        message = str(error).removesuffix(".")
        raise FileError(source.name, "{message}", message=message) from None
