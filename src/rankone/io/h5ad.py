"""Read matrices of annotated data: the cells x genes of a ``.h5ad`` file."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from rankone.errors import FileError
from rankone.io.arrays import check_sparse_shape, matrix_of, sparse_array
from rankone.io.blocks import (
    BYTES_AN_ENTRY,
    check_indptr,
    csr_rows,
    dense_blocks,
    largest_whole,
    sparse_blocks,
)
from rankone.io.source import Source
from rankone.io.table import Table
from rankone.wording import shown

SIGNATURE = b"\x89HDF\r\n\x1a\n"

#: The script that reads HDF5, and its time limit: seconds to start, and bytes read in a second.
READER = Path(__file__).with_name("_hdf5.py")
SECONDS, BYTES_A_SECOND = 20, 10**6


def read_h5ad(source: Source, key: str = "X", lazy: bool | None = None) -> Table:
    """Read a matrix, dense or sparse, with the names of observations and variables.

    Links to other files are not followed. HDF5 is read in a separate process, because its library
    can crash or hang on damaged files. Of a large matrix in rows, that process only says how it is
    stored; blocks of rows are read when they are needed.
    """
    if find_spec("h5py") is None:
        raise FileError(source.name, "h5ad needs h5py", "pip install 'rankone[io]'")
    if source.head(len(SIGNATURE)) != SIGNATURE:
        raise FileError(source.name, "it is damaged, or not annotated data")
    with tempfile.TemporaryDirectory(prefix="rankone-") as name:
        folder = Path(name)
        result = _extract(source, key, folder, _largest(source, lazy))
        values = _matrix(source, key, result, folder)
    names = result["names"]
    for found, size, side in zip(names, values.shape, ("obs", "var"), strict=True):
        if found is not None and len(found) != size:
            raise FileError(
                source.name, f"{side} has {len(found)} names, but the matrix has {size}"
            )
    return Table(values, names[0], names[1], how={"format": "h5ad", "key": key})


def _largest(source: Source, lazy: bool | None) -> float:
    """Return the size in bytes up to which a matrix is read as a whole."""
    if not source.in_place:
        return np.inf
    return largest_whole() if lazy is None else (0.0 if lazy else np.inf)


def _extract(source: Source, key: str, folder: Path, largest: float) -> dict[str, Any]:
    """Run the reader, which leaves arrays in a folder, and return its description of them."""
    path = source.path
    if path is None or source.compressed:
        path = folder / "content"
        with source.open() as content, open(path, "wb") as copy:
            shutil.copyfileobj(content, copy)
    seconds = SECONDS + path.stat().st_size // BYTES_A_SECOND
    budget = source.budget()
    limits = [str(budget.limit), str(seconds), str(largest)]
    words = [sys.executable, "-P", str(READER), str(path.absolute()), key, str(folder), *limits]
    try:
        subprocess.run(
            words, stdin=subprocess.DEVNULL, capture_output=True, timeout=2 * seconds, check=True
        )
        result: dict[str, Any] = json.loads((folder / "result.json").read_text())
    except (subprocess.SubprocessError, OSError, ValueError):
        problem = "it is damaged: the library that reads HDF5 fails on it"
        raise FileError(source.name, problem) from None
    if "needed" in result:
        budget.spend(result["needed"])
    if "refused" in result:
        raise FileError(source.name, "{refused}", refused=shown(result["refused"], 200))
    if "damaged" in result:
        why = shown(result["damaged"].split("\n")[0], 120)
        raise FileError(source.name, "it is damaged, or not annotated data ({why})", why=why)
    return result


def _matrix(source: Source, key: str, result: dict[str, Any], folder: Path) -> Any:
    """Return the matrix that the reader left in a folder, or described."""

    def load(name: str) -> Any:
        return np.load(folder / f"{name}.npy", allow_pickle=False)

    if result["kind"] == "dense":
        return matrix_of(source, load("values"))
    shape = result["shape"][0], result["shape"][1]
    check_sparse_shape(source, shape)
    path = str(Path(source.path or "").resolve())
    if result["kind"] == "large dense":
        source.budget().check_ratio(result["itemsize"] * float(shape[0]) * shape[1])
        return dense_blocks(
            source,
            shape,
            result["itemsize"],
            lambda start, stop: HDF5Rows(path, key, start, stop),
            result["together"],
        )
    if result["kind"] == "large csr":
        indptr = load("indptr").astype(np.int64)
        check_indptr(source, indptr, shape[0], result["n_entries"])
        source.budget().check_ratio(float(BYTES_AN_ENTRY) * result["n_entries"])
        return sparse_blocks(
            source,
            indptr,
            shape[1],
            lambda start, stop: HDF5SparseRows(path, key, indptr[start : stop + 1], shape[1]),
        )
    data, *indices = (load(name) for name in ("data", "indices", "indptr"))
    return sparse_array(source, result["kind"], data, indices, shape)


@dataclass(frozen=True)
class HDF5Rows:
    """Read rows of a dataset."""

    path: str
    key: str
    start: int
    stop: int

    def __call__(self) -> Any:
        """Return the rows."""
        import h5py

        with h5py.File(self.path, "r") as file:
            return np.asarray(file[self.key][self.start : self.stop])


@dataclass(frozen=True, eq=False)
class HDF5SparseRows:
    """Read rows of a sparse matrix, given where each of them begins."""

    path: str
    key: str
    indptr: Any
    n_columns: int

    def __call__(self) -> Any:
        """Return the rows."""
        import h5py

        with h5py.File(self.path, "r") as file:
            group = file[self.key]
            return csr_rows(group["data"], group["indices"], self.indptr, self.n_columns)
