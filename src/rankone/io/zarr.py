"""Read matrices from zarr folders: an array, or the matrix of annotated data."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from rankone.errors import FileError, Setting
from rankone.io.arrays import check_numbers, check_sparse_shape, sparse_array
from rankone.io.blocks import (
    BYTES_AN_ENTRY,
    check_indptr,
    csr_rows,
    dense_blocks,
    is_lazy,
    sparse_blocks,
)
from rankone.io.budget import Budget
from rankone.io.source import Source, check_fits
from rankone.io.table import Table
from rankone.wording import reason

#: Files that a folder of zarr's has: of version 3, and of version 2 for arrays and for groups.
MARKS = ("zarr.json", ".zarray", ".zgroup")

#: The matrix of annotated data.
MATRIX = "X"

#: Bytes that the name of a row or a column may take.
NAME_BYTES = 100


def is_zarr(source: Source) -> bool:
    """Say whether a folder is one of zarr's."""
    path = source.path
    return path is not None and any((path / mark).is_file() for mark in MARKS)


def read_zarr(source: Source, key: str | None = None, lazy: bool | None = None) -> Table:
    """Read a matrix from a folder, or open it if it is large.

    Parameters
    ----------
    source : Source
    key : str, optional
        The array, if the folder holds a group of several; by default that of annotated data.
    lazy : bool, optional
        Whether to read blocks of rows when they are needed; by default if it is large.
    """
    try:
        import zarr  # noqa: F401
    except ImportError:
        raise FileError(source.name, "zarr needs zarr", "pip install 'rankone[dask]'") from None
    path = str(Path(source.path or "").resolve())  # workers may be started in other folders
    try:
        root = _open(path)
        key = MATRIX if key is None and _encoding(root) == "anndata" else key
        found = root if key is None else root[key]
        values, how = _matrix(source, path, key, found, lazy)
        names: list[list[str] | None] = [None, None]
        if _encoding(root) == "anndata":
            sides = "obs", "raw/var" if str(key).startswith("raw/") else "var"
            names = [_names(source, root, side) for side in sides]
    except FileError:
        raise
    except Exception as error:  # zarr and its codecs raise whatever they like
        raise FileError(
            source.name, "it cannot be opened: {reason}", reason=reason(error)
        ) from None
    for side, size in zip(names, values.shape, strict=True):
        if side is not None and len(side) != size:
            raise FileError(source.name, f"it has {len(side)} names for {size} rows or columns")
    return Table(values, names[0], names[1], how={"format": "zarr", **how})


def _open(path: str) -> Any:
    import zarr

    return zarr.open(path, mode="r")


def _encoding(held: Any) -> str:
    return str(held.attrs.get("encoding-type", ""))


def _matrix(
    source: Source, path: str, key: str | None, found: Any, lazy: bool | None
) -> tuple[Any, dict[str, Any]]:
    """Return the entries, or the blocks, of an array or a sparse matrix; and how it is stored."""
    if hasattr(found, "chunks"):
        return _dense(source, path, key, found, lazy)
    kind = _encoding(found)[:3]
    if kind not in ("csr", "csc"):
        raise FileError(
            source.name,
            "it is a group of arrays: {names}",
            "name one by {key}",
            names=", ".join(sorted(found.array_keys())) or "none",
            key=Setting("key"),
        )
    return _sparse(source, path, str(key), found, kind, lazy), {"stored as": kind}


def _dense(
    source: Source, path: str, key: str | None, array: Any, lazy: bool | None
) -> tuple[Any, dict[str, Any]]:
    """Return an array, or its blocks of rows."""
    _check_codecs(source, array)
    check_numbers(source, array)
    if array.ndim != 2:
        raise FileError(source.name, f"it has {array.ndim} dimensions, but a matrix has two")
    check_sparse_shape(source, array.shape)
    how = {"chunks": " x ".join(map(str, array.chunks))}
    if not is_lazy(lazy, array.dtype.itemsize * float(np.prod(array.shape, dtype=float))):
        check_fits(source, float(np.prod(array.shape, dtype=float)), array.dtype.itemsize)
        return np.asarray(array[:]), how
    _check_ratio(path, source, array.dtype.itemsize * float(np.prod(array.shape, dtype=float)))
    stored = dense_blocks(
        source,
        array.shape,
        array.dtype.itemsize,
        lambda start, stop: ZarrRows(path, key, start, stop),
        array.chunks[0],
    )
    return stored, how


def _sparse(source: Source, path: str, key: str, group: Any, kind: str, lazy: bool | None) -> Any:
    """Return a sparse matrix, or its blocks of rows."""
    shape = tuple(int(size) for size in group.attrs["shape"])
    check_sparse_shape(source, shape)
    parts = [group[name] for name in ("data", "indices", "indptr")]
    for part in parts:
        _check_codecs(source, part)
        check_numbers(source, part)
    n_bytes = float(BYTES_AN_ENTRY) * parts[0].size
    if kind == "csc" or not is_lazy(lazy, n_bytes):
        check_fits(source, n_bytes, 1)
        data, *indices = (np.asarray(part[:]) for part in parts)
        return sparse_array(source, kind, data, indices, shape)
    _check_ratio(path, source, n_bytes)
    indptr = np.asarray(parts[2][:]).astype(np.int64)
    check_indptr(source, indptr, shape[0], min(part.size for part in parts[:2]))
    return sparse_blocks(
        source,
        indptr,
        shape[1],
        lambda start, stop: ZarrSparseRows(path, key, indptr[start : stop + 1], shape[1]),
    )


def _check_ratio(path: str, source: Source, n_bytes: float) -> None:
    """Refuse a matrix that is far larger than the files of its folder can hold."""
    files = (Path(folder, name) for folder, _, names in os.walk(path) for name in names)
    size = sum(file.stat().st_size for file in files)
    Budget(source.name, size).check_ratio(n_bytes)


def _check_codecs(source: Source, array: Any) -> None:
    """Refuse arrays that are decoded by running code."""
    if "pickle" in json.dumps(array.metadata.to_dict(), default=str).lower():
        raise FileError(source.name, "it holds pickled objects, which could run code")


def _names(source: Source, root: Any, side: str) -> list[str] | None:
    """Return the index of observations or variables."""
    if side not in root:
        return None
    frame = root[side]
    held = frame[str(frame.attrs.get("_index", "_index"))]
    if not hasattr(held, "chunks"):  # nullable strings
        held = held["values"]
    _check_codecs(source, held)
    check_fits(source, held.size, NAME_BYTES)
    return [str(name) for name in held[:].tolist()]


@dataclass(frozen=True)
class ZarrRows:
    """Read rows of an array."""

    path: str
    key: str | None
    start: int
    stop: int

    def __call__(self) -> Any:
        """Return the rows."""
        root = _open(self.path)
        array = root if self.key is None else root[self.key]
        return np.asarray(array[self.start : self.stop])


@dataclass(frozen=True, eq=False)
class ZarrSparseRows:
    """Read rows of a sparse matrix, given where each of them begins."""

    path: str
    key: str
    indptr: Any
    n_columns: int

    def __call__(self) -> Any:
        """Return the rows."""
        group = _open(self.path)[self.key]
        return csr_rows(group["data"], group["indices"], self.indptr, self.n_columns)
