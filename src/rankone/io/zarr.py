"""Read matrices from zarr folders, chunk by chunk and not before they are needed."""

from __future__ import annotations

from typing import Any

from rankone.errors import FileError, Setting
from rankone.io.source import Source
from rankone.io.table import Table
from rankone.wording import reason

#: Files that a folder of zarr's has: of version 3, and of version 2 for arrays and for groups.
MARKS = ("zarr.json", ".zarray", ".zgroup")


def is_zarr(source: Source) -> bool:
    """Say whether a folder is one of zarr's."""
    path = source.path
    return path is not None and any((path / mark).is_file() for mark in MARKS)


def read_zarr(source: Source, key: str | None = None) -> Table:
    """Open a matrix in a folder, as a Dask array of its chunks.

    Parameters
    ----------
    source : Source
    key : str, optional
        The array, if the folder holds a group of several.
    """
    try:
        import dask.array
        import zarr
    except ImportError:
        raise FileError(
            source.name, "zarr folders need dask and zarr", "pip install 'rankone[dask]'"
        ) from None
    try:
        opened: Any = zarr.open(str(source.path), mode="r")
        stored = opened if key is None else opened[key]
    except Exception as error:  # zarr and its codecs raise whatever they like
        raise FileError(source.name, f"it cannot be opened: {reason(error)}") from None
    if not hasattr(stored, "chunks"):
        names = ", ".join(sorted(opened.array_keys())) or "none"
        raise FileError(
            source.name,
            "it holds several arrays: {names}",
            "name one by {key}",
            names=names,
            key=Setting("key"),
        )
    if stored.ndim != 2:
        raise FileError(source.name, f"it has {stored.ndim} dimensions, but a matrix has two")
    array = dask.array.from_zarr(stored)
    rows = " x ".join(map(str, stored.chunks))
    return Table(array, how={"format": "zarr", "chunks": rows})
