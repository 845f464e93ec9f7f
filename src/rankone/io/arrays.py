"""Matrices in numpy's files, and in those of scipy: never with pickled objects."""

from __future__ import annotations

import ast
import math
import zipfile
from typing import Any, BinaryIO, cast

import numpy as np
import scipy.sparse as sp
from numpy.lib import format as npy

from rankone.io.source import Source, check_fits
from rankone.io.table import FileError, Table, quoted, shown

#: The arrays of a sparse matrix in an archive of scipy's.
SPARSE = {"format", "shape", "data"}


LONGEST_HEADER = 10_000

#: What a fit needs at least for each row and each column, however empty.
BYTES_A_ROW = 100


def read_npy(source: Source) -> Table:
    """Map a matrix from a file, or read it from a pipe."""
    if not source.in_place:
        with source.open() as file:
            values = read_array(source, file, None)
    else:
        with source.raw() as file:
            shape, fortran, dtype = read_header(source, file, source.size)
            values = np.memmap(file, dtype, "r", file.tell(), shape, order="F" if fortran else "C")
    return Table(matrix_of(source, values), how={"format": "npy"})


def read_npz(source: Source, key: str | None = None) -> Table:
    """Read a matrix from an archive: the only one in it, or the one that is called `key`."""
    with source.open_anywhere() as file, zipfile.ZipFile(file) as archive:
        members = {
            member.filename.removesuffix(".npy"): member
            for member in archive.infolist()
            if member.filename.endswith(".npy")
        }
        if not members:
            raise FileError(source.name, "it is an archive, but not one of numpy's.")

        def load(name: str) -> Any:
            with archive.open(members[name]) as part:
                return read_array(source, cast(BinaryIO, part), members[name].file_size)

        if key is None and members.keys() >= SPARSE:
            return Table(_sparse(source, load, members), how={"format": "npz of scipy"})
        if key is None:
            key = _only(source, list(members))
        if key not in members:
            raise FileError(source.name, f"it has no array {quoted(key)}, but {_listed(members)}.")
        return Table(matrix_of(source, load(key)), how={"format": "npz", "key": key})


def _only(source: Source, names: list[str]) -> str:
    if len(names) > 1:
        raise FileError(
            source.name, f"it has several arrays; say which, by --key: {_listed(names)}."
        )
    return names[0]


def _listed(names: Any) -> str:
    shorter = [shown(name) for name in names]
    return ", ".join(shorter[:10]) + (", ..." if len(shorter) > 10 else "")


def _sparse(source: Source, load: Any, members: Any) -> sp.csr_array:
    """Put the arrays of a sparse matrix together."""
    kind = load("format")
    kind = kind.item().decode() if kind.dtype.kind == "S" else str(kind)
    needed = {"coo": ("row", "col"), "dia": ("offsets",)}.get(kind, ("indices", "indptr"))
    if kind not in ("csr", "csc", "coo", "bsr", "dia") or not members.keys() >= {*needed}:
        raise FileError(
            source.name, f"it is not a sparse matrix of scipy's (format {quoted(kind)})."
        )
    data, shape = load("data"), tuple(int(size) for size in load("shape"))
    check_sparse_shape(source, shape)
    check_numbers(source, data)
    parts = [load(name) for name in needed]
    if any(part.dtype.kind not in "iu" for part in parts):
        raise FileError(source.name, "the indices of its sparse matrix are not whole numbers.")
    if kind == "coo":
        return sp.coo_array((data, tuple(parts)), shape=shape).tocsr()
    made = getattr(sp, f"{kind}_array")((data, *parts), shape=shape)
    if kind in ("csr", "csc", "bsr"):
        made.check_format(full_check=True)
    return made if kind == "csc" else made.tocsr()


def check_sparse_shape(source: Source, shape: tuple[int, ...]) -> None:
    """Refuse what is not a matrix, and sides that do not fit into memory."""
    if len(shape) != 2 or min(shape) < 0:
        raise FileError(source.name, f"it is not a matrix: its shape is {shape}.")
    check_fits(source, sum(shape), BYTES_A_ROW)


def read_array(source: Source, file: BinaryIO, size: int | None) -> Any:
    """Read an array, after its header was compared with the bytes that there are."""
    shape, fortran, dtype = read_header(source, file, size)
    count = math.prod(shape)
    check_fits(source, count, dtype.itemsize)
    content = file.read(count * dtype.itemsize + 1)
    if len(content) != count * dtype.itemsize:
        raise FileError(source.name, "it is cut short, or damaged.")
    array = np.frombuffer(content, dtype) if content else np.empty(0, dtype)
    return array.reshape(shape, order="F" if fortran else "C")


def read_header(source: Source, file: BinaryIO, size: int | None) -> tuple[Any, bool, Any]:
    """Return the shape, the order and the type of an array, all of them plausible."""
    try:
        version = npy.read_magic(file)
        length = int.from_bytes(file.read(2 if version[0] == 1 else 4), "little")
        header = ast.literal_eval(file.read(min(length, LONGEST_HEADER)).decode("latin-1"))
        dtype = npy.descr_to_dtype(header["descr"])
        shape, fortran = header["shape"], header["fortran_order"]
        plausible = isinstance(shape, tuple) and all(isinstance(n, int) and n >= 0 for n in shape)
    except Exception:  # numpy raises anything about types that make no sense
        plausible = False
    if not plausible:
        raise FileError(source.name, "it is damaged: its header says nothing that makes sense.")
    if dtype.hasobject:
        raise FileError(
            source.name, "it holds Python objects, which could run code; save numbers instead."
        )
    if size is not None and math.prod(shape) * dtype.itemsize > size - file.tell():
        raise FileError(source.name, "it is cut short: its header promises more than there is.")
    return shape, fortran, dtype


def matrix_of(source: Source, values: Any) -> Any:
    """Return a matrix of numbers, or say what it is instead."""
    check_numbers(source, values)
    if values.ndim == 1:  # a vector is a matrix of one column
        return values[:, None]
    if values.ndim != 2:
        raise FileError(source.name, f"it is not a matrix: its shape is {values.shape}.")
    return values


def check_numbers(source: Source, values: Any) -> None:
    """Refuse an array of anything but real numbers."""
    if values.dtype.kind not in "biuf":
        raise FileError(source.name, f"it does not hold real numbers, but {values.dtype}.")
