"""Matrices of annotated data: the cells x genes of a ``.h5ad`` file."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

from rankone.io.arrays import BYTES_A_ROW, check_numbers, check_sparse_shape, matrix_of
from rankone.io.source import Source, check_fits
from rankone.io.table import FileError, Table, quoted, reason


def read_h5ad(source: Source, key: str = "X") -> Table:
    """Read a matrix, dense or sparse, with the names of observations and variables.

    Links to other files are not followed.
    """
    try:
        import h5py
    except ImportError:
        raise FileError(source.name, "h5ad needs h5py: pip install 'rankone[io]'.") from None
    with source.open_anywhere() as raw:
        try:
            with h5py.File(raw, "r") as file:
                return _read(source, file, key)
        except (OSError, RuntimeError, KeyError, TypeError, AttributeError, UnicodeError) as error:
            what = f"it is damaged, or not annotated data ({reason(error)})."
            raise FileError(source.name, what) from None


def _read(source: Source, file: Any, key: str) -> Table:
    held = _inside(source, file, key)
    if held is None:
        raise FileError(source.name, f"it has no matrix {quoted(key)}; X is the usual one.")
    values = _sparse(source, held) if _is_group(held) else _dense(source, held)
    of_raw = "raw/var" if key.startswith("raw/") else "var"
    names = [_names(source, file, side) for side in ("obs", of_raw)]
    for found, size, side in zip(names, values.shape, ("obs", "var"), strict=True):
        if found is not None and len(found) != size:
            raise FileError(source.name, f"{side} has {len(found)} names, but X has {size}.")
    return Table(values, names[0], names[1], how={"format": "h5ad", "key": key})


def _inside(source: Source, group: Any, name: str) -> Any:
    """Return what a name stands for in this very file, None if it stands for nothing."""
    import h5py

    for part in name.split("/"):
        if not _is_group(group) or part not in group:
            return None
        link = group.get(part, getlink=True)
        if not isinstance(link, h5py.HardLink):
            raise FileError(source.name, f"{quoted(name)} is a link, which is not followed.")
        group = group[part]
    if not _is_group(group) and (group.external is not None or group.is_virtual):
        raise FileError(source.name, f"{quoted(name)} lies in another file, which is not read.")
    return group


def _is_group(held: Any) -> bool:
    return hasattr(held, "keys") and not hasattr(held, "dtype")


def _dense(source: Source, held: Any) -> Any:
    if held.dtype.hasobject:
        raise FileError(source.name, "its matrix does not hold numbers.")
    check_fits(source, held.size, held.dtype.itemsize)
    return matrix_of(source, held[()])


def _sparse(source: Source, group: Any) -> Any:
    kind = group.attrs.get("encoding-type", group.attrs.get("h5sparse_format", ""))
    kind = kind.decode() if isinstance(kind, bytes) else str(kind)
    if kind[:3] not in ("csr", "csc"):
        raise FileError(source.name, f"its matrix is of the kind {quoted(kind)}, not csr or csc.")
    shape = tuple(int(size) for size in group.attrs.get("shape", group.attrs.get("h5sparse_shape")))
    check_sparse_shape(source, shape)
    parts = []
    for name in ("data", "indices", "indptr"):
        held = _inside(source, group, name)
        if held is None or _is_group(held):
            raise FileError(source.name, f"its sparse matrix has no {name}.")
        check_fits(source, held.size, held.dtype.itemsize)
        parts.append(held[()])
        check_numbers(source, parts[-1])
    if any(part.dtype.kind not in "iu" for part in parts[1:]):
        raise FileError(source.name, "the indices of its sparse matrix are not whole numbers.")
    make = sp.csr_array if kind.startswith("csr") else sp.csc_array
    matrix = make(tuple(parts), shape=shape)
    matrix.check_format(full_check=True)
    return matrix


def _names(source: Source, file: Any, side: str) -> list[str] | None:
    """Return the index of observations or variables."""
    frame = _inside(source, file, side)
    if frame is None:
        return None
    if _is_group(frame):
        index = frame.attrs.get("_index", "_index")
        index = index.decode() if isinstance(index, bytes) else str(index)
        held = _inside(source, frame, index)
        if held is not None and _is_group(held):  # nullable strings
            held = _inside(source, held, "values")
        if held is not None:
            check_fits(source, held.size, BYTES_A_ROW)
        found = None if held is None else held[()]
    else:  # as anndata wrote before 2019
        found = frame[()]
        found = found[found.dtype.names[0]] if found.dtype.names else None
    if found is None or np.ndim(found) != 1:
        return None
    return [x.decode("utf-8", "replace") if isinstance(x, bytes) else str(x) for x in found]
