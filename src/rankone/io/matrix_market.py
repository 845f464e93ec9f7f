"""Matrices in Matrix Market files, alone or in a folder as 10x Genomics writes it."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import numpy as np
import scipy.io
import scipy.sparse as sp

from rankone.checks import check_choice
from rankone.io.arrays import check_numbers, check_sparse_shape
from rankone.io.source import Source, check_fits
from rankone.io.table import FileError, Table, reason

BANNER = b"%%MatrixMarket"

#: What the names of rows and columns may be called, beside a matrix.
ROWS, COLUMNS = ("features.tsv", "genes.tsv"), ("barcodes.tsv",)


def read_matrix_market(source: Source, duplicates: str = "error") -> Table:
    """Read a matrix, and the names of features and cells if they are beside it."""
    check_choice(duplicates, "duplicates", ("error", "sum"))
    if source.path is not None and source.path.is_dir():
        source = _in_folder(source)
    values = _read(source, duplicates)
    check_numbers(source, values)
    names = [_names(source, kinds) for kinds in (ROWS, COLUMNS)]
    for found, size, side in zip(names, values.shape, ("rows", "columns"), strict=True):
        if found is not None and len(found[1]) != size:
            raise FileError(found[0], f"it has {len(found[1])} names, but there are {size} {side}.")
    how = {"format": "Matrix Market"}
    row_names, column_names = (None if found is None else found[1] for found in names)
    return Table(values, row_names, column_names, how=how)


def _in_folder(source: Source) -> Source:
    assert source.path is not None
    for name in ("matrix.mtx", "matrix.mtx.gz"):
        if (source.path / name).is_file():
            return Source.of(source.path / name)
    raise FileError(source.name, "it is a folder without matrix.mtx or matrix.mtx.gz.")


def _read(source: Source, duplicates: str) -> Any:
    rows, columns, entries = _promised(source)
    check_sparse_shape(source, (rows, columns))
    # The shortest entry is "1" and a line break.
    if not source.compressed and 2 * entries > source.size + 1:
        raise FileError(source.name, "it is cut short: its header promises more than there is.")
    check_fits(source, 3 * entries)
    in_place = _check_lines(source) and source.in_place
    try:
        if in_place:
            matrix = scipy.io.mmread(str(source.path), spmatrix=False)
        else:
            with source.open() as file:
                matrix = scipy.io.mmread(io.BytesIO(file.read() + b"\n"), spmatrix=False)
    except (ValueError, OverflowError, TypeError) as error:
        raise FileError(source.name, f"{reason(error)}.") from None
    if not sp.issparse(matrix):
        return np.asarray(matrix)
    stored = matrix.nnz
    matrix = matrix.tocsr()
    matrix.sum_duplicates()
    if matrix.nnz < stored and duplicates == "error":
        raise FileError(
            source.name,
            "some pairs of row and column are listed more than once; add them up by --duplicates "
            "sum, or list each once.",
        )
    return matrix


def _check_lines(source: Source) -> bool:
    """Refuse what is not text; return whether the last line is complete.

    Scipy's parser was seen to leave its memory on null bytes, and on last lines without an end.
    """
    end = b""
    with source.open() as file:
        while part := file.read(2**22):
            if b"\0" in part:
                raise FileError(source.name, "it is damaged: it has null bytes.")
            end = part[-1:]
    return end == b"\n"


def _promised(source: Source) -> tuple[int, int, int]:
    """Return the rows, columns and entries of which the header speaks."""
    with source.open() as file:
        banner = file.readline(1000).split()
        line = file.readline(10_000)
        while line.startswith(b"%") or line.isspace():
            line = file.readline(10_000)
    sizes = line.split()
    dense = len(banner) > 2 and banner[2].lower() == b"array"
    if len(sizes) != (2 if dense else 3) or not all(size.isdigit() for size in sizes):
        raise FileError(source.name, "its header is damaged: no line says how large the matrix is.")
    rows, columns, *entries = (int(size) for size in sizes)
    whole = banner[-1].lower() == b"general"
    return rows, columns, entries[0] if entries else rows * columns // (1 if whole else 2)


def _names(source: Source, kinds: tuple[str, ...]) -> tuple[str, list[str]] | None:
    """Return the names in a file beside the matrix: the second column if it names all apart."""
    if source.path is None:
        return None
    for kind in kinds:
        for path in (source.path.parent / kind, source.path.parent / f"{kind}.gz"):
            if path.is_file():
                return str(path), _read_names(path)
    return None


def _read_names(path: Path) -> list[str]:
    beside = Source.of(path)
    with beside.open() as file:
        try:
            text = io.TextIOWrapper(file, "utf-8", newline="")
            rows = [row for row in csv.reader(text, delimiter="\t", quoting=csv.QUOTE_NONE) if row]
        except (UnicodeDecodeError, csv.Error) as error:
            raise FileError(beside.name, f"it is not a list of names ({reason(error)}).") from None
    symbols = [row[1] if len(row) > 1 else row[0] for row in rows]
    return symbols if len(set(symbols)) == len(symbols) else [row[0] for row in rows]
