"""Random files of every format, whole or damaged.

A whole file must be read as what was written to it. A damaged one must be read as a table of
numbers, or be refused by a `FileError` of one line that names the file. Anything else that is
raised, and any table whose names do not fit its shape, is a failure.
"""

from __future__ import annotations

import gzip
import io
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import scipy.io
import scipy.sparse as sp

from attacks._damage import check_sentence, damaged
from rankone.io import FileError, Table, read_column, read_labels, read_matrix

Matrix = np.ndarray[Any, np.dtype[np.float64]]


def attack(rng: np.random.Generator) -> None:
    """Write a file, read it, damage it, and read it again."""
    values = rng.normal(size=tuple(rng.integers(1, 8, 2))).round(int(rng.integers(0, 17)))
    values[rng.random(values.shape) < rng.choice([0.0, 0.3])] = 0.0
    kind = KINDS[rng.integers(len(KINDS))]
    if kind is _xlsx:
        values = values.round(9)  # a workbook has 16 digits
    content, name = kind(values, rng)
    if name.endswith((".csv", ".mtx")) and rng.random() < 0.4:
        content, name = gzip.compress(content), f"{name}.gz"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, name)
        path.write_bytes(content)
        try:
            assert np.array_equal(_dense(read_matrix(path, **HOW.get(kind, {}))), values)
        except Exception as error:
            error.add_note(f"of a whole file, {name}: {content!r}")
            raise
        broken = damaged(content, rng)
        path.write_bytes(broken)
        try:
            _check(path, HOW.get(kind, {}))
        except Exception as error:
            error.add_note(f"of a damaged file, {name}: {broken!r}")
            raise


def _check(path: Path, how: dict[str, Any]) -> None:
    """Read a file by all readers."""
    table = _read(read_matrix, path, **how)
    if table is not None:
        assert isinstance(table, Table)
        assert table.values.ndim == 2
        assert table.values.dtype.kind in "biuf"
        sides = zip((table.row_names, table.column_names), table.values.shape, strict=True)
        for names, size in sides:
            assert names is None or len(names) == size
            assert names is None or all(isinstance(name, str) for name in names)
    _read(read_column, path)
    _read(read_labels, path)


def _read(read: Callable[..., Any], path: Path, **how: Any) -> Any:
    try:
        return read(path, **how)
    except FileError as error:
        check_sentence(error, path.name)
        return None


def _dense(table: Table) -> Any:
    return table.values.toarray() if sp.issparse(table.values) else np.asarray(table.values)


def _text(values: Matrix, rng: np.random.Generator) -> tuple[bytes, str]:
    delimiter = str(rng.choice([",", ";", "\t"]))
    titles = [f"c{j}" for j in range(values.shape[1])]
    rows = [[f"r{i}", *map(repr, row)] for i, row in enumerate(values.tolist())]
    end = str(rng.choice(["\n", "\r\n"]))
    text = end.join(delimiter.join(row) for row in [["", *titles], *rows]) + end
    return text.encode(), "a.csv"


def _triplets(values: Matrix, rng: np.random.Generator) -> tuple[bytes, str]:
    rows = enumerate(values.tolist())
    lines = [f"r{i},c{j},{value!r}" for i, row in rows for j, value in enumerate(row)]
    return "\n".join(["row,column,value", *lines, ""]).encode(), "t.csv"


def _npy(values: Matrix, rng: np.random.Generator) -> tuple[bytes, str]:
    return _saved(lambda file: np.save(file, np.asarray(values, order=_order(rng)))), "a.npy"


def _npz(values: Matrix, rng: np.random.Generator) -> tuple[bytes, str]:
    save = np.savez if rng.random() < 0.5 else np.savez_compressed
    return _saved(lambda file: save(file, np.asarray(values, order=_order(rng)))), "a.npz"


def _sparse(values: Matrix, rng: np.random.Generator) -> tuple[bytes, str]:
    form = str(rng.choice(["csr", "csc", "coo", "bsr", "dia"]))
    made = sp.coo_array(values).asformat(form)
    return _saved(lambda file: sp.save_npz(file, made, bool(rng.random() < 0.5))), "s.npz"


def _matrix_market(values: Matrix, rng: np.random.Generator) -> tuple[bytes, str]:
    made = sp.coo_array(values) if rng.random() < 0.5 else values
    return _saved(lambda file: scipy.io.mmwrite(file, made, precision=17)), "a.mtx"


def _xlsx(values: Matrix, rng: np.random.Generator) -> tuple[bytes, str]:
    from openpyxl import Workbook

    book = Workbook()
    book.active.append(["name", *(f"c{j}" for j in range(values.shape[1]))])
    for i, row in enumerate(values.tolist()):
        book.active.append([f"r{i}", *row])
    return _saved(book.save), "a.xlsx"


def _parquet(values: Matrix, rng: np.random.Generator) -> tuple[bytes, str]:
    import pyarrow as pa
    from pyarrow import parquet

    names = {"name": [f"r{i}" for i in range(values.shape[0])]} if rng.random() < 0.5 else {}
    table = pa.table(names | {f"c{j}": column for j, column in enumerate(values.T)})
    compression = str(rng.choice(["none", "snappy", "zstd", "gzip"]))
    return _saved(
        lambda file: parquet.write_table(table, file, compression=compression)
    ), "a.parquet"


def _h5ad(values: Matrix, rng: np.random.Generator) -> tuple[bytes, str]:
    import h5py

    def write(file: Any) -> None:
        with h5py.File(file, "w") as content:
            how = {"compression": "gzip"} if rng.random() < 0.5 else {}
            content.create_dataset("X", data=values, **how)
            for side, size in zip(("obs", "var"), values.shape, strict=True):
                names = [f"{side}{i}" for i in range(size)]
                content.create_group(side).create_dataset("_index", data=names)

    return _saved(write), "a.h5ad"


def _order(rng: np.random.Generator) -> Any:
    return rng.choice(["C", "F"])


def _saved(write: Callable[[Any], Any]) -> bytes:
    buffer = io.BytesIO()
    write(buffer)
    return buffer.getvalue()


#: HDF5 is read in a process of its own, which takes its time: one case in 22.
_QUICK = (_text, _triplets, _npy, _npz, _sparse, _matrix_market, _parquet, _xlsx)
KINDS = [*_QUICK, *_QUICK, *_QUICK, _h5ad]

HOW: dict[Any, dict[str, Any]] = {_triplets: {"format": "triplets", "absent": "zero"}}
