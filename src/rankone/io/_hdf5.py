"""Take a matrix out of an HDF5 file, in a process of its own, and leave it as plain arrays.

The library that reads HDF5 can crash, or never end, on a file that was damaged. Here it may:
whoever started this process says so in one line. Nothing of rankone is imported, so that it starts
quickly.

Arguments: the file, the name of the matrix, a folder for what is found, the bytes of memory that
are free, and the seconds that it may compute.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import h5py
import numpy as np

#: Bytes for the name of a row or a column.
A_NAME = 100


class Refused(Exception):
    """A file that is whole, but is not taken; why."""


class Taker:
    """Takes arrays out of one file; links to other files are not followed.

    Parameters
    ----------
    file : h5py.File
    folder : Path
    free : float
        Bytes of memory.
    """

    def __init__(self, file: Any, folder: Path, free: float):
        self.file, self.folder, self.free = file, folder, free

    def take(self, key: str) -> dict[str, Any]:
        """Save the arrays of a matrix, and return what they are, with the names of both sides."""
        held = self.inside(self.file, key)
        if held is None:
            raise Refused(f'it has no matrix "{key}"; X is the usual one.')
        found = self.sparse(held) if _is_group(held) else self.dense(held)
        variables = "raw/var" if key.startswith("raw/") else "var"
        return found | {"names": [self.names(side) for side in ("obs", variables)]}

    def inside(self, group: Any, name: str) -> Any:
        """Return what a name stands for in this very file, None if it stands for nothing."""
        for part in name.split("/"):
            if not _is_group(group) or part not in group:
                return None
            if not isinstance(group.get(part, getlink=True), h5py.HardLink):
                raise Refused(f'"{name}" is a link, which is not followed.')
            group = group[part]
        if not _is_group(group) and (group.external is not None or group.is_virtual):
            raise Refused(f'"{name}" lies in another file, which is not read.')
        return group

    def save(self, name: str, held: Any) -> None:
        """Save an array of numbers, unless it does not fit into memory."""
        if held.dtype.kind not in "biuf":
            raise Refused("its matrix does not hold numbers.")
        self.check(held.size * held.dtype.itemsize)
        np.save(self.folder / f"{name}.npy", held[()], allow_pickle=False)

    def check(self, need: int) -> None:
        """Refuse what does not fit into memory."""
        if need > self.free:
            raise Refused(f"it needs {need / 1e9:.3g} GB of memory, which are not free.")

    def dense(self, held: Any) -> dict[str, Any]:
        """Save a matrix that is written out."""
        self.save("values", held)
        return {"kind": "dense"}

    def sparse(self, group: Any) -> dict[str, Any]:
        """Save the parts of a sparse matrix."""
        attributes = group.attrs
        kind = _text(attributes.get("encoding-type", attributes.get("h5sparse_format", "")))
        if kind[:3] not in ("csr", "csc"):
            raise Refused(f'its matrix is of the kind "{kind}", not csr or csc.')
        for name in ("data", "indices", "indptr"):
            held = self.inside(group, name)
            if held is None or _is_group(held):
                raise Refused(f"its sparse matrix has no {name}.")
            self.save(name, held)
        shape = attributes.get("shape", attributes.get("h5sparse_shape"))
        return {"kind": kind[:3], "shape": [int(size) for size in shape]}

    def names(self, side: str) -> list[str] | None:
        """Return the index of observations or variables."""
        frame = self.inside(self.file, side)
        if frame is None:
            return None
        if _is_group(frame):
            held = self.inside(frame, _text(frame.attrs.get("_index", "_index")))
            if held is not None and _is_group(held):  # nullable strings
                held = self.inside(held, "values")
            if held is None:
                return None
            self.check(held.size * A_NAME)
            found = held[()]
        else:  # as anndata wrote before 2019
            self.check(frame.size * A_NAME)
            found = frame[()]
            found = found[found.dtype.names[0]] if found.dtype.names else None
        return None if found is None or np.ndim(found) != 1 else [_text(x) for x in found]


def _is_group(held: Any) -> bool:
    return hasattr(held, "keys") and not hasattr(held, "dtype")


def _text(x: Any) -> str:
    return x.decode("utf-8", "replace") if isinstance(x, bytes) else str(x)


def _limit(seconds: int) -> None:
    """Let the system end this process, where it can, if it computes for too long."""
    try:
        import resource
    except ImportError:
        return
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))


def main(path: str, key: str, folder: str, free: str, seconds: str) -> None:
    """Take, and write down what was found, or why nothing was."""
    _limit(int(seconds))
    try:
        with h5py.File(path, "r") as file:
            result = Taker(file, Path(folder), float(free)).take(key)
    except Refused as error:
        result = {"refused": str(error)}
    except Exception as error:  # damaged files make the library raise anything
        result = {"damaged": str(error)}
    (Path(folder) / "result.json").write_text(json.dumps(result))


if __name__ == "__main__":
    main(*sys.argv[1:])
