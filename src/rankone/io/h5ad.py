"""Read matrices of annotated data: the cells x genes of a ``.h5ad`` file."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from rankone.errors import FileError
from rankone.io.arrays import check_sparse_shape, matrix_of, sparse_array
from rankone.io.source import Source
from rankone.io.table import Table
from rankone.wording import shown

SIGNATURE = b"\x89HDF\r\n\x1a\n"

#: The script that reads HDF5, and its time limit: seconds to start, and bytes read in a second.
READER = Path(__file__).with_name("_hdf5.py")
SECONDS, BYTES_A_SECOND = 20, 10**6


def read_h5ad(source: Source, key: str = "X") -> Table:
    """Read a matrix, dense or sparse, with the names of observations and variables.

    Links to other files are not followed. HDF5 is read in a separate process, because its library
    can crash or hang on damaged files.
    """
    if find_spec("h5py") is None:
        raise FileError(source.name, "h5ad needs h5py", "pip install 'rankone[io]'")
    if source.head(len(SIGNATURE)) != SIGNATURE:
        raise FileError(source.name, "it is damaged, or not annotated data")
    with tempfile.TemporaryDirectory(prefix="rankone-") as name:
        folder = Path(name)
        result = _extract(source, key, folder)
        values = _matrix(source, result, folder)
    names = result["names"]
    for found, size, side in zip(names, values.shape, ("obs", "var"), strict=True):
        if found is not None and len(found) != size:
            raise FileError(
                source.name, f"{side} has {len(found)} names, but the matrix has {size}"
            )
    return Table(values, names[0], names[1], how={"format": "h5ad", "key": key})


def _extract(source: Source, key: str, folder: Path) -> dict[str, Any]:
    """Run the reader, which leaves arrays in a folder, and return its description of them."""
    path = source.path
    if path is None or source.compressed:
        path = folder / "content"
        with source.open() as content, open(path, "wb") as copy:
            shutil.copyfileobj(content, copy)
    seconds = SECONDS + path.stat().st_size // BYTES_A_SECOND
    budget = source.budget()
    limits = [str(budget.limit), str(seconds)]
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


def _matrix(source: Source, result: dict[str, Any], folder: Path) -> Any:
    """Return the matrix that the reader left in a folder."""

    def load(name: str) -> Any:
        return np.load(folder / f"{name}.npy", allow_pickle=False)

    if result["kind"] == "dense":
        return matrix_of(source, load("values"))
    shape = tuple(result["shape"])
    check_sparse_shape(source, shape)
    data, *indices = (load(name) for name in ("data", "indices", "indptr"))
    return sparse_array(source, result["kind"], data, indices, shape)
