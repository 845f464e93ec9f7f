"""A journal of sweeps: a fit that was interrupted goes on where it was.

A fit is a fixed sequence of sweeps, and what it computes between two sweeps costs little. So the
results of sweeps are appended to a file. The next fit of the same matrix with the same parameters
repeats the computation, but takes the results of the first sweeps from the file.

The file begins with a line of JSON that says which fit it belongs to. A record is a line of JSON
and arrays in numpy's format. A record at the end that was not written to its end is dropped.
"""

from __future__ import annotations

import io
import json
import os
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, Self

import numpy as np
import scipy.sparse as sp

from rankone.errors import FileError, Setting
from rankone.matrix.base import Matrix
from rankone.matrix.dask_chunks import Elsewhere
from rankone.matrix.dense_tile import DenseTile
from rankone.matrix.sparse_tile import SparseTile
from rankone.matrix.tiled import AnyArray, Result
from rankone.matrix.tiles import Index, Tile
from rankone.typing import IntArray

__all__ = ["Journal", "Journaled", "journaled"]

#: The first entry of a file, which tells it from others.
KIND = "rankone journal 1"


@contextmanager
def journaled(
    matrix: Matrix, path: str | os.PathLike[str] | None, fit: dict[str, Any]
) -> Iterator[Matrix]:
    """Return a matrix whose sweeps are kept in a journal, which is removed at the end of the fit.

    Parameters
    ----------
    matrix : Matrix
    path : path-like or None
        The file; without one, the matrix is returned as it is.
    fit : dict
        What identifies the fit, as data for JSON.
    """
    if path is None:
        yield matrix
        return
    totals = matrix.totals
    sums = [zlib.crc32(side.tobytes()) for side in (totals.rows, totals.columns)]
    journal = Journal(Path(path), {**fit, "shape": list(matrix.shape), "sums": sums})
    with journal:
        yield Journaled(matrix, journal)
    journal.path.unlink(missing_ok=True)


class Journaled(Matrix):
    """A matrix whose sweeps are answered from a journal, as far as that goes."""

    def __init__(self, base: Matrix, journal: Journal):
        self.base, self.journal, self.shape = base, journal, base.shape
        self.whole_rows, self.whole_columns = base.whole_rows, base.whole_columns
        self.taken_at_once = base.taken_at_once
        self._summary = base._summary

    @property
    def reads(self) -> IntArray | None:
        """How often each part was read."""
        return self.base.reads

    def __reduce__(self) -> Any:
        """Leave the matrix and its journal behind when a function that mentions it is sent away."""
        return Elsewhere, (self.shape,)

    def each(self, function: Callable[[Tile], Result]) -> Iterator[Result]:
        """Apply a function to each tile; its results are not kept."""
        return self.base.each(function)

    def collect(
        self, function: Callable[[Tile], Sequence[Any]], *axes: int | None
    ) -> tuple[AnyArray, ...]:
        """Put arrays of all tiles together, or recall them."""
        return tuple(
            self.journal.result(f"collect {axes}", lambda: list(self.base.collect(function, *axes)))
        )

    def take(self, rows: Index, columns: Index) -> Tile:
        """Return the entries of some rows and columns, or recall them."""
        return _tile(self.journal.result("take", lambda: _arrays(self.base.take(rows, columns))))


def _arrays(tile: Tile) -> list[Any]:
    """Return the arrays that a tile consists of."""
    if not isinstance(tile, SparseTile):
        return [tile.array()]
    csr = sp.csr_array(tile.entries)
    return [csr.data, csr.indices, csr.indptr, np.array([*csr.shape, tile.absent_missing])]


def _tile(arrays: list[Any]) -> Tile:
    """Return the tile that consists of some arrays."""
    if len(arrays) == 1:
        return DenseTile(arrays[0])
    data, indices, indptr, (m, n, absent_missing) = arrays
    entries = sp.csr_array((data, indices, indptr), shape=(int(m), int(n)))
    return SparseTile(entries, bool(absent_missing))


class Journal:
    """Results of sweeps in a file.

    Parameters
    ----------
    path : Path
    fit : dict
        What identifies the fit.

    Attributes
    ----------
    n_recalled : int
        How many results were found in the file.
    """

    def __init__(self, path: Path, fit: dict[str, Any]):
        self.path, self.fit = path, {"kind": KIND, **fit}
        self.n_recalled = 0
        self._recalling = True

    def __enter__(self) -> Self:
        """Open the file, or create it; refuse that of another fit."""
        begins = self.path.exists() and self.path.stat().st_size > 0
        self._file: BinaryIO = open(self.path, "r+b" if begins else "w+b")
        if not begins:
            self._file.write(_line(self.fit))
            self._file.flush()
        elif _read_line(self._file) != json.loads(_line(self.fit)):
            self._file.close()
            raise FileError(
                str(self.path),
                "it is not the journal of a fit of this matrix with these parameters",
                "remove it, or give another {checkpoint}",
                checkpoint=Setting("checkpoint"),
            )
        return self

    def __exit__(self, *_: object) -> None:
        """Close the file."""
        self._file.close()

    def result(self, name: str, compute: Callable[[], list[Any]]) -> list[Any]:
        """Return the next result: recalled from the file, or computed and added to it."""
        if self._recalling:
            start = self._file.tell()
            found = _read_record(self._file, name)
            if found is not None:
                self.n_recalled += 1
                return found
            self._file.seek(start)
            self._file.truncate()
            self._recalling = False
        arrays = [np.asarray(array) for array in compute()]
        self._file.write(_record(name, arrays))
        self._file.flush()
        return arrays


def _line(content: dict[str, Any]) -> bytes:
    return json.dumps(content, sort_keys=True, default=str).encode() + b"\n"


def _read_line(file: BinaryIO) -> Any:
    """Return the next line as data; None if it is not one."""
    try:
        return json.loads(file.readline(2**20))
    except ValueError:
        return None


def _record(name: str, arrays: Sequence[AnyArray]) -> bytes:
    """Return a record of some arrays."""
    content = io.BytesIO()
    for array in arrays:
        np.lib.format.write_array(content, array, allow_pickle=False)
    body = content.getvalue()
    header = {"name": name, "arrays": len(arrays), "bytes": len(body), "check": zlib.crc32(body)}
    return _line(header) + body


def _read_record(file: BinaryIO, name: str) -> list[Any] | None:
    """Return the arrays of the next record; None if there is none, or if it is not complete."""
    header, left = _read_line(file), os.fstat(file.fileno()).st_size - file.tell()
    if not isinstance(header, dict) or header.get("name") != name:
        return None
    size, number = header.get("bytes"), header.get("arrays")
    if not isinstance(size, int) or not isinstance(number, int) or not 0 <= size <= left:
        return None
    body = file.read(size)
    if len(body) < size or zlib.crc32(body) != header.get("check"):
        return None
    content = io.BytesIO(body)
    try:
        return [np.lib.format.read_array(content, allow_pickle=False) for _ in range(number)]
    except ValueError:
        return None
