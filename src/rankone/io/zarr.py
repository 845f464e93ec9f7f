"""Read matrices from zarr folders, chunk by chunk and not before they are needed."""

from __future__ import annotations

from pathlib import Path
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
        # Workers of a cluster may be started in other folders.
        stored: Any = zarr.open(str(Path(source.path or "").resolve()), mode="r")
        stored = stored if key is None else stored[key]
    except Exception as error:  # zarr and its codecs raise whatever they like
        raise FileError(
            source.name, "it cannot be opened: {reason}", reason=reason(error)
        ) from None
    if not hasattr(stored, "chunks"):
        raise FileError(
            source.name,
            "it is a group of arrays: {names}",
            "name one by {key}",
            names=", ".join(sorted(stored.array_keys())) or "none",
            key=Setting("key"),
        )
    if stored.ndim != 2:
        raise FileError(source.name, f"it has {stored.ndim} dimensions, but a matrix has two")
    array = dask.array.from_zarr(stored)
    rows = " x ".join(map(str, stored.chunks))
    return Table(array, how={"format": "zarr", "chunks": rows})
