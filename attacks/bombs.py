"""Small files that stand for very much, read in a process of limited memory and time.

Each must be read, or be refused in one line that names the file, within the limits: a crash, a
timeout, or any other error is a failure.
"""

from __future__ import annotations

import gzip
import io
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

#: The bytes of address space, and the seconds of work, that a process may take.
MEMORY, SECONDS = 4 * 2**30, 90

#: The seconds after which a process hangs, however busy the machine is.
PATIENCE = 600

READ = f"""
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, ({MEMORY}, {MEMORY}))
resource.setrlimit(resource.RLIMIT_CPU, ({SECONDS}, {SECONDS}))
from rankone.io import FileError, read_matrix
try:
    read_matrix(sys.argv[1])
except FileError as error:
    assert sys.argv[1] in str(error) and str(error).isprintable(), str(error)
"""


def attack(rng: np.random.Generator) -> None:
    """Make a bomb, and let a process read it."""
    make = BOMBS[rng.integers(len(BOMBS))]
    with tempfile.TemporaryDirectory() as folder:
        path = make(Path(folder), rng)
        case = f"{make.__name__} of {path.stat().st_size} bytes"
        words = [sys.executable, "-c", READ, str(path)]
        try:
            done = subprocess.run(words, capture_output=True, timeout=PATIENCE, check=False)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"{case}: hangs for {PATIENCE} s") from None
        assert done.returncode == 0, f"{case}: {done.stderr[-500:].decode()}"


def _compressed(folder: Path, name: str, head: bytes, unit: bytes, size: int) -> Path:
    """Write a text that repeats itself."""
    path = folder / name
    part = unit * max(1, 2**20 // len(unit))
    with gzip.open(path, "wb", compresslevel=1) as file:
        file.write(head)
        for _ in range(max(1, size // len(part))):
            file.write(part)
    return path


def _text(folder: Path, rng: np.random.Generator) -> Path:
    units = [
        b"1,2\n",
        b"0,0,0,0,0,0\n",
        b"1\n",
        b"1,",
        b"a",
        b'"',
        b'"\n',
        b"\r",
        b"\n",
        b" ",
        b"1 ",
    ]
    heads = [b"", b"a,b\n", b"a,b\n" + b"1,2\n" * 40, b"a\n" + b"1\n" * 40]
    head, unit = heads[rng.integers(len(heads))], units[rng.integers(len(units))]
    return _compressed(folder, "a.csv.gz", head, unit, int(10 ** rng.uniform(7, 8.7)))


def _comments(folder: Path, rng: np.random.Generator) -> Path:
    head = b"%%MatrixMarket matrix coordinate real general\n" + [b"", b"2 2 1\n"][rng.integers(2)]
    unit = [b"%\n", b"\n", b" ", b"1 1 1\n"][rng.integers(4)]
    return _compressed(folder, "a.mtx.gz", head, unit, int(10 ** rng.uniform(7, 8.3)))


def _promises(folder: Path, rng: np.random.Generator) -> Path:
    rows, columns, entries = (int(10**x) for x in rng.uniform(0, 14, 3))
    kind = ["coordinate", "array"][rng.integers(2)]
    sizes = f"{rows} {columns}" + (f" {entries}" if kind == "coordinate" else "")
    path = folder / "a.mtx"
    path.write_text(f"%%MatrixMarket matrix {kind} real general\n{sizes}\n1 1 1\n")
    return path


def _wide(folder: Path, rng: np.random.Generator) -> Path:
    path, n = folder / "a.csv", int(10 ** rng.uniform(4, 6.3))
    path.write_text("\n".join([",".join(["1"] * n)] * int(rng.integers(1, 4))))
    return path


def _archive(folder: Path, rng: np.random.Generator) -> Path:
    path = folder / "a.npz"
    if rng.random() < 0.5:
        np.savez_compressed(path, np.zeros((int(10 ** rng.uniform(3, 5)), 3000), np.int8))
    else:
        size = int(10 ** rng.uniform(3, 12))
        np.savez(path, format=b"coo", shape=[size, size], data=[1.0], row=[0], col=[0])
    return path


def _parquet(folder: Path, rng: np.random.Generator) -> Path:
    import pyarrow as pa
    from pyarrow import parquet

    n, letters = int(10 ** rng.uniform(3, 6.5)), int(10 ** rng.uniform(0, 6.3))
    codes = pa.array(np.zeros(n, np.int32))
    names = pa.DictionaryArray.from_arrays(codes, pa.array(["x" * letters]))
    table = pa.table({"name": names, "value": np.zeros(n)})
    parquet.write_table(table, folder / "a.parquet", store_schema=False, compression="zstd")
    return folder / "a.parquet"


def _h5ad(folder: Path, rng: np.random.Generator) -> Path:
    import h5py

    shape = tuple(int(10**x) for x in rng.uniform(2, 6, 2))
    with h5py.File(folder / "a.h5ad", "w") as file:
        chunks = tuple(min(size, 1000) for size in shape)
        file.create_dataset("X", shape, chunks=chunks, dtype=float, compression="gzip")
        names = file.create_group("obs").create_dataset("_index", shape[:1], h5py.string_dtype())
        names[:10] = "x" * 10_000
    return folder / "a.h5ad"


def _sparse(folder: Path, rng: np.random.Generator) -> Path:
    size = int(10 ** rng.uniform(1, 6))
    buffer = io.BytesIO()
    sp.save_npz(buffer, sp.dia_array((np.ones((1, 1)), [0]), shape=(size, size)))
    (folder / "s.npz").write_bytes(buffer.getvalue())
    return folder / "s.npz"


BOMBS: list[Callable[[Path, np.random.Generator], Any]] = [
    *(_text, _comments, _promises, _wide, _archive, _parquet, _h5ad, _sparse)
]
