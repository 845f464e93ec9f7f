"""Read matrices from Matrix Market files, alone or in a folder of 10x Genomics."""

from __future__ import annotations

import io
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import scipy.io
import scipy.sparse as sp

from rankone.errors import FileError, Setting
from rankone.io.arrays import check_numbers, check_sparse_shape
from rankone.io.source import Source, check_fits, check_option, in_memory
from rankone.io.table import Table
from rankone.wording import reason

BANNER = b"%%MatrixMarket"

#: The most bytes of comments before the line with the size of the matrix.
MOST_COMMENTS = 2**23

#: The longest line with the names of a row or a column, in characters.
LONGEST_LINE = 2**17

#: Files with the names of rows and columns, in the folder of the matrix.
ROWS, COLUMNS = ("features.tsv", "genes.tsv"), ("barcodes.tsv",)


def read_matrix_market(source: Source, duplicates: str = "error") -> Table:
    """Read a matrix, and the names of features and cells if they are in the same folder."""
    check_option(source, duplicates, "duplicates", ("error", "sum"))
    if source.path is not None and source.path.is_dir():
        source = _in_folder(source)
    values = _read(source, duplicates)
    check_numbers(source, values)
    names = [_names(source, kinds) for kinds in (ROWS, COLUMNS)]
    for found, size, side in zip(names, values.shape, ("rows", "columns"), strict=True):
        if found is not None and len(found[1]) != size:
            raise FileError(
                found[0], f"it has {len(found[1])} names, but the matrix has {size} {side}"
            )
    how = {"format": "Matrix Market"}
    row_names, column_names = (None if found is None else found[1] for found in names)
    return Table(values, row_names, column_names, how=how)


def _in_folder(source: Source) -> Source:
    assert source.path is not None
    for name in ("matrix.mtx", "matrix.mtx.gz"):
        if (source.path / name).is_file():
            return Source.of(source.path / name)
    raise FileError(source.name, "it is a folder without matrix.mtx or matrix.mtx.gz")


def _read(source: Source, duplicates: str) -> Any:
    rows, columns, entries = _announced_size(source)
    check_sparse_shape(source, (rows, columns))
    # The shortest entry is "1" and a line break.
    if not source.compressed and 2 * entries > source.size + 1:
        raise FileError(
            source.name, "it is truncated: its header announces more data than there is"
        )
    check_fits(source, 6 * entries)  # a symmetric matrix may have twice as many
    in_place = _check_lines(source) and source.in_place
    try:
        if in_place:
            matrix = scipy.io.mmread(str(source.path), spmatrix=False)
        else:
            matrix = scipy.io.mmread(_complete(source), spmatrix=False)
    except (ValueError, OverflowError, TypeError) as error:
        raise FileError(source.name, "{reason}", reason=reason(error)) from None
    if not sp.issparse(matrix):
        return np.asarray(matrix)
    stored = matrix.nnz
    matrix = matrix.tocsr()
    matrix.sum_duplicates()
    if matrix.nnz < stored and duplicates == "error":
        raise FileError(
            source.name,
            "some pairs of row and column are listed more than once",
            "list each pair once, or give {duplicates} to add them up",
            duplicates=Setting("duplicates", "sum"),
        )
    return matrix


def _complete(source: Source) -> io.BytesIO:
    """Return all lines, with an end of the last one."""
    with source.open() as file:
        content = in_memory(file)
    content.seek(0, io.SEEK_END)
    content.write(b"\n")
    content.seek(0)
    return content


def _check_lines(source: Source) -> bool:
    """Refuse null bytes; return whether the last line has an end.

    Scipy's parser reads outside its memory on null bytes, and on a last line without an end.
    """
    end = b""
    with source.open() as file:
        while part := file.read(2**22):
            if b"\0" in part:
                raise FileError(source.name, "it is damaged: it has null bytes")
            end = part[-1:]
    return end == b"\n"


def _announced_size(source: Source) -> tuple[int, int, int]:
    """Return the numbers of rows, columns and entries according to the header."""
    with source.open() as file:
        banner = file.readline(1000).split()
        line, left = file.readline(10_000), MOST_COMMENTS
        while line.startswith(b"%") or line.isspace():
            left -= len(line)
            if left < 0:
                problem = f"comments before the matrix are longer than {MOST_COMMENTS >> 20} MB"
                raise FileError(source.name, problem)
            line = file.readline(10_000)
    sizes = line.split()
    dense = len(banner) > 2 and banner[2].lower() == b"array"
    if len(sizes) != (2 if dense else 3) or not all(size.isdigit() for size in sizes):
        raise FileError(source.name, "its header is damaged: the size of the matrix is missing")
    rows, columns, *entries = (int(size) for size in sizes)
    whole = banner[-1].lower() == b"general"
    return rows, columns, entries[0] if entries else rows * columns // (1 if whole else 2)


def _names(source: Source, kinds: tuple[str, ...]) -> tuple[str, list[str]] | None:
    """Return the names in a file next to the matrix: its second column, if all names differ."""
    if source.path is None:
        return None
    for kind in kinds:
        for path in (source.path.parent / kind, source.path.parent / f"{kind}.gz"):
            if path.is_file():
                return str(path), _read_names(path)
    return None


def _read_names(path: Path) -> list[str]:
    names = Source.of(path)
    first, second = [], []
    with names.guarded(), names.open(_cost_of_names) as file:
        text = io.TextIOWrapper(file, "utf-8", newline="")
        try:
            for line in iter(partial(text.readline, LONGEST_LINE), ""):
                if len(line) == LONGEST_LINE:
                    raise FileError(names.name, "it has a line that is too long for a name")
                cells = line.rstrip("\r\n").split("\t")
                if cells != [""]:
                    first.append(cells[0])
                    second.append(cells[1] if len(cells) > 1 else cells[0])
        except UnicodeDecodeError as error:
            raise FileError(
                names.name, "it is not a list of names ({reason})", reason=reason(error)
            ) from None
        finally:
            text.detach()
    return second if len(set(second)) == len(second) else first


def _cost_of_names(size: int, lines: int) -> float:
    return 2.0 * size + 250.0 * lines
