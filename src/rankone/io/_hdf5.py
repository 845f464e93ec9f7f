"""Extract a matrix from an HDF5 file, in a separate process, and save it as plain arrays.

The library that reads HDF5 can crash or hang on a damaged file. Here it may: the process that
started this one reports it in one line. Nothing of rankone is imported, so that it starts quickly.

Arguments: the file, the name of the matrix, a folder for the arrays, the bytes that may be decoded,
the seconds of computing time that may be used, and the size beyond which a matrix is described, but
not saved: rows of it are read later.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import h5py
import numpy as np

#: The bytes that the name of a row or a column is counted for, and how many are read at a time.
NAME_BYTES, NAMES_A_PART = 100, 2**14

#: Bytes that the library may take in addition to the arrays that it reads.
OVERHEAD = 2**29


class Refused(Exception):
    """A file that is intact but not accepted, and the reason."""


class TooLarge(Exception):
    """A file that decodes to more bytes than allowed, and to how many."""


class Extractor:
    """Extracts arrays from one file; links to other files are not followed.

    Parameters
    ----------
    file : h5py.File
    folder : Path
    limit : float
        The bytes that may be decoded.
    largest : float
        The size in bytes beyond which a matrix is described, but not saved.
    """

    def __init__(self, file: Any, folder: Path, limit: float, largest: float):
        self.file, self.folder, self.largest = file, folder, largest
        self.limit = self.left = limit

    def extract(self, key: str) -> dict[str, Any]:
        """Save the arrays of a matrix, and return their kind and the names of both sides."""
        held = self.inside(self.file, key)
        if held is None:
            raise Refused(f'it has no matrix "{key}"; the usual one is X')
        found = self.sparse(held) if _is_group(held) else self.dense(held)
        variables = "raw/var" if key.startswith("raw/") else "var"
        return found | {"names": [self.names(side) for side in ("obs", variables)]}

    def inside(self, group: Any, name: str) -> Any:
        """Return the group or dataset of that name in this file, or None."""
        for part in name.split("/"):
            if not _is_group(group) or part not in group:
                return None
            if not isinstance(group.get(part, getlink=True), h5py.HardLink):
                raise Refused(f'"{name}" is a link, which is not followed')
            group = group[part]
        if not _is_group(group) and (group.external is not None or group.is_virtual):
            raise Refused(f'"{name}" lies in another file, which is not read')
        return group

    def save(self, name: str, held: Any) -> None:
        """Save an array of numbers, unless it is too large when all of it is written out."""
        _check_numbers(held)
        self.spend(held.size * held.dtype.itemsize)
        np.save(self.folder / f"{name}.npy", held[()], allow_pickle=False)

    def spend(self, need: float) -> None:
        """Count decoded bytes, and raise TooLarge if they exceed the limit."""
        self.left -= need
        if self.left < 0:
            raise TooLarge(self.limit - self.left)

    def dense(self, held: Any) -> dict[str, Any]:
        """Save a dense matrix, or describe a large one."""
        if held.size * held.dtype.itemsize > self.largest and len(held.shape) == 2:
            _check_numbers(held)
            together = held.chunks[0] if held.chunks else 1
            shape = [int(size) for size in held.shape]
            return {
                "kind": "large dense",
                "shape": shape,
                "itemsize": held.dtype.itemsize,
                "together": int(together),
            }
        self.save("values", held)
        return {"kind": "dense"}

    def sparse(self, group: Any) -> dict[str, Any]:
        """Save the parts of a sparse matrix; of a large one in rows, only where these begin."""
        attributes = group.attrs
        kind = _text(attributes.get("encoding-type", attributes.get("h5sparse_format", "")))
        if kind[:3] not in ("csr", "csc"):
            raise Refused(f'its matrix is of the kind "{kind}", not csr or csc')
        parts = {name: self.inside(group, name) for name in ("data", "indices", "indptr")}
        for name, held in parts.items():
            if held is None or _is_group(held):
                raise Refused(f"its sparse matrix has no {name}")
            _check_numbers(held)
        shape = [int(x) for x in attributes.get("shape", attributes.get("h5sparse_shape"))]
        size = sum(parts[name].size * parts[name].dtype.itemsize for name in ("data", "indices"))
        if size > self.largest and kind[:3] == "csr":
            self.save("indptr", parts["indptr"])
            n_entries = min(int(parts[name].size) for name in ("data", "indices"))
            return {"kind": "large csr", "shape": shape, "n_entries": n_entries}
        for name, held in parts.items():
            self.save(name, held)
        return {"kind": kind[:3], "shape": shape}

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
            return self.texts(held, None)
        fields = frame.dtype.names  # as anndata wrote before 2019
        return self.texts(frame, fields[0]) if fields else None

    def texts(self, held: Any, field: str | None) -> list[str] | None:
        """Return the texts of a dataset; each is counted, even if stored only once."""
        if len(held.shape) != 1:
            return None
        self.spend(held.size * NAME_BYTES)
        texts: list[str] = []
        for start in range(0, held.size, NAMES_A_PART):
            part = held[start : start + NAMES_A_PART]
            decoded = [_text(x) for x in (part if field is None else part[field])]
            self.spend(sum(map(len, decoded)))
            texts += decoded
        return texts


def _check_numbers(held: Any) -> None:
    if held.dtype.kind not in "biuf":
        raise Refused("its matrix does not hold numbers")


def _is_group(held: Any) -> bool:
    return hasattr(held, "keys") and not hasattr(held, "dtype")


def _text(x: Any) -> str:
    return x.decode("utf-8", "replace") if isinstance(x, bytes) else str(x)


def _limit(seconds: int, size: float) -> None:
    """Limit computing time and memory of this process, on systems that can."""
    try:
        import resource

        pages = int(Path("/proc/self/statm").read_text().split()[0])
    except (ImportError, OSError):
        return
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    most = pages * resource.getpagesize() + 2 * size + OVERHEAD
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    known = [x for x in (soft, hard) if x != resource.RLIM_INFINITY]
    if most < min([2.0**62, *known]):
        resource.setrlimit(resource.RLIMIT_AS, (int(most), hard))


def main(path: str, key: str, folder: str, size: str, seconds: str, largest: str) -> None:
    """Extract the matrix, and write a description of the arrays, or the reason for a failure."""
    _limit(int(seconds), float(size))
    result: dict[str, Any]
    try:
        with h5py.File(path, "r") as file:
            result = Extractor(file, Path(folder), float(size), float(largest)).extract(key)
    except Refused as error:
        result = {"refused": str(error)}
    except TooLarge as error:
        result = {"needed": error.args[0]}
    except MemoryError:
        result = {"needed": 3 * float(size)}
    except Exception as error:  # the library may raise anything for a damaged file
        result = {"damaged": str(error)}
    (Path(folder) / "result.json").write_text(json.dumps(result))


if __name__ == "__main__":
    main(*sys.argv[1:])
