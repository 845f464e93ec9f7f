"""Read matrices from the files of numpy and scipy, never with pickled objects."""

from __future__ import annotations

import ast
import math
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, cast

import numpy as np
import scipy.sparse as sp
from numpy.lib import format as npy

from rankone.errors import FileError, Setting
from rankone.io.blocks import dense_blocks
from rankone.io.budget import Budget
from rankone.io.source import PART, Source, check_fits
from rankone.io.table import Table
from rankone.wording import listed, quoted, reason

#: The arrays of a sparse matrix in an archive of scipy's.
SPARSE = {"format", "shape", "data"}

LONGEST_HEADER = 10_000

#: Raised by `zipfile` for archives that are damaged, or of a kind that it does not support.
DAMAGED_ARCHIVE = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    struct.error,
    NotImplementedError,
    RuntimeError,
    UnicodeDecodeError,
)

#: The least memory that a fit takes for each row and each column, however empty.
BYTES_A_ROW = 100


def read_npy(source: Source, lazy: bool | None = None) -> Table:
    """Map a matrix from a file, or read it from a pipe.

    Parameters
    ----------
    source : Source
    lazy : bool, optional
        Whether blocks of rows are read, which other machines can do. Not by default: pages of a map
        are read when they are needed as well.
    """
    if not source.in_place:
        with source.open() as file:
            values = read_array(source, file, None)
    else:
        with source.raw() as file:
            shape, fortran, dtype = read_header(source, file, source.size)
            values = np.memmap(file, dtype, "r", file.tell(), shape, order="F" if fortran else "C")
    values = matrix_of(source, values)
    if lazy and isinstance(values, np.memmap):
        path = str(Path(values.filename or "").resolve())
        values = dense_blocks(
            source,
            values.shape,
            values.dtype.itemsize,
            lambda start, stop: NpyRows(path, start, stop),
        )
    return Table(values, how={"format": "npy"})


@dataclass(frozen=True)
class NpyRows:
    """Read rows of an array."""

    path: str
    start: int
    stop: int

    def __call__(self) -> Any:
        """Return the rows."""
        array = np.load(self.path, mmap_mode="r", allow_pickle=False)
        array = array if array.ndim == 2 else array[:, None]
        return np.array(array[self.start : self.stop])


class Archive:
    """An archive of numpy, whose arrays are read one by one and counted against the budget."""

    def __init__(self, source: Source, file: zipfile.ZipFile):
        self.source, self.file, self.budget = source, file, source.budget()
        self.members = {
            member.filename.removesuffix(".npy"): member
            for member in file.infolist()
            if member.filename.endswith(".npy")
        }
        if not self.members:
            raise FileError(source.name, "it is an archive, but not one of numpy's")

    def load(self, name: str) -> Any:
        """Read an array."""
        member = self.members[name]
        if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise FileError(self.source.name, "it is compressed in a way that numpy does not use")
        with self.file.open(member) as part:
            return read_array(self.source, cast(BinaryIO, part), member.file_size, self.budget)


@contextmanager
def open_archive(source: Source) -> Iterator[Archive]:
    """Open an archive; raise a FileError if it is damaged."""
    try:
        with source.open_anywhere() as file, zipfile.ZipFile(file) as archive:
            yield Archive(source, archive)
    except DAMAGED_ARCHIVE as error:
        raise FileError(
            source.name, "it is truncated or damaged ({reason})", reason=reason(error)
        ) from None


def read_npz(source: Source, key: str | None = None) -> Table:
    """Read the only matrix of an archive, or the one that is called `key`."""
    with open_archive(source) as archive:
        members = archive.members
        if key is None and members.keys() >= SPARSE:
            return Table(_sparse(archive), how={"format": "npz of scipy"})
        if key is None:
            key = _only(source, list(members))
        if key not in members:
            raise FileError(
                source.name,
                "it has no array {key}",
                "choose one of {arrays}",
                key=quoted(key),
                arrays=listed(members),
            )
        return Table(matrix_of(source, archive.load(key)), how={"format": "npz", "key": key})


def _only(source: Source, names: list[str]) -> str:
    if len(names) > 1:
        raise FileError(
            source.name,
            "it has several arrays",
            "choose one by {key}: {arrays}",
            key=Setting("key"),
            arrays=listed(names),
        )
    return names[0]


def _sparse(archive: Archive) -> sp.csr_array:
    """Build a sparse matrix from the arrays of an archive."""
    source, load = archive.source, archive.load
    kind = load("format")
    if kind.dtype.kind not in "SU" or kind.size != 1:
        raise FileError(source.name, "it does not name the format of its sparse matrix")
    kind = kind.item().decode("latin-1") if kind.dtype.kind == "S" else str(kind.item())
    needed = {"coo": ("row", "col"), "dia": ("offsets",)}.get(kind, ("indices", "indptr"))
    known = kind in ("csr", "csc", "coo", "bsr", "dia")
    if not known or not archive.members.keys() >= {*needed}:
        raise FileError(
            source.name, "it is not a sparse matrix of scipy (format {kind})", kind=quoted(kind)
        )
    data, sizes = load("data"), load("shape")
    if sizes.dtype.kind not in "iu" or sizes.ndim != 1:
        raise FileError(source.name, "it does not hold the shape of its sparse matrix")
    shape = tuple(int(size) for size in sizes)
    check_sparse_shape(source, shape)
    check_numbers(source, data)
    return sparse_array(source, kind, data, [load(name) for name in needed], shape)


def sparse_array(
    source: Source, kind: str, data: Any, parts: list[Any], shape: tuple[int, ...]
) -> Any:
    """Build a sparse matrix from its arrays, if they are consistent."""
    if any(part.dtype.kind not in "iu" for part in parts):
        raise FileError(source.name, "the indices of its sparse matrix are not integers")
    if kind == "dia":
        check_fits(source, 3.0 * data.size)
    elif kind == "bsr" and data.ndim != 3:
        raise FileError(source.name, "its sparse matrix is damaged: its data are not blocks")
    try:
        if kind == "coo":
            return sp.coo_array((data, tuple(parts)), shape=shape).tocsr()
        made = getattr(sp, f"{kind}_array")((data, *parts), shape=shape)
        if kind in ("csr", "csc", "bsr"):
            made.check_format(full_check=True)
    except (ValueError, TypeError, IndexError, OverflowError) as error:
        # Scipy raises any of these if the arrays are inconsistent.
        raise FileError(
            source.name, "its sparse matrix is damaged ({reason})", reason=reason(error)
        ) from None
    return made if kind in ("csr", "csc") else made.tocsr()


def check_sparse_shape(source: Source, shape: tuple[int, ...]) -> None:
    """Refuse shapes that are not those of a matrix, or too large for memory."""
    if len(shape) != 2 or min(shape) < 0:
        raise FileError(source.name, f"it is not a matrix: its shape is {shape}")
    check_fits(source, sum(shape), BYTES_A_ROW)


def read_array(
    source: Source, file: BinaryIO, size: int | None, budget: Budget | None = None
) -> Any:
    """Read an array, after comparing its header with the number of bytes."""
    shape, fortran, dtype = read_header(source, file, size)
    count = math.prod(shape)
    (budget or source.budget()).spend(float(count * dtype.itemsize))
    array = np.empty(count, dtype)
    content: Any = array.view(np.uint8).data if array.nbytes else b""
    done = 0
    while done < len(content):
        part = file.read(min(PART, len(content) - done))
        if not part:
            break
        content[done : done + len(part)] = part
        done += len(part)
    if done < len(content) or file.read(1):
        raise FileError(source.name, "it is truncated or damaged")
    return array.reshape(shape, order="F" if fortran else "C")


def read_header(source: Source, file: BinaryIO, size: int | None) -> tuple[Any, bool, Any]:
    """Return the shape, the order and the type of an array, if they are plausible."""
    try:
        version = npy.read_magic(file)
        length = int.from_bytes(file.read(2 if version[0] == 1 else 4), "little")
        header = ast.literal_eval(file.read(min(length, LONGEST_HEADER)).decode("latin-1"))
        dtype = npy.descr_to_dtype(header["descr"])
        shape, fortran = header["shape"], header["fortran_order"]
        plausible = isinstance(shape, tuple) and all(isinstance(n, int) and n >= 0 for n in shape)
    except Exception:  # numpy may raise anything for an invalid type
        plausible = False
    if not plausible:
        raise FileError(source.name, "it is damaged: its header is invalid")
    if dtype.hasobject:
        raise FileError(
            source.name, "it holds Python objects, which could run code", "save numbers instead"
        )
    if size is not None and math.prod(shape) * dtype.itemsize > size - file.tell():
        raise FileError(
            source.name, "it is truncated: its header announces more data than there is"
        )
    return shape, fortran, dtype


def matrix_of(source: Source, values: Any) -> Any:
    """Return an array as a matrix; raise a FileError if it is none."""
    check_numbers(source, values)
    if values.ndim == 1:  # a vector is a matrix of one column
        return values[:, None]
    if values.ndim != 2:
        raise FileError(source.name, f"it is not a matrix: its shape is {values.shape}")
    return values


def check_numbers(source: Source, values: Any) -> None:
    """Refuse an array of anything but real numbers."""
    if values.dtype.kind not in "biuf":
        raise FileError(source.name, f"it holds values of type {values.dtype}, not real numbers")
