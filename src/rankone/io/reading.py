"""Read a matrix from a file of any format, which its first bytes tell."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any

from rankone.checks import check_choice
from rankone.errors import FileError, Setting
from rankone.io.arrays import read_npy, read_npz
from rankone.io.delimited import read_delimited
from rankone.io.h5ad import read_h5ad
from rankone.io.matrix_market import BANNER, read_matrix_market
from rankone.io.names import note_names
from rankone.io.parquet import is_parquet, read_parquet
from rankone.io.source import Source
from rankone.io.table import Table
from rankone.io.triplets import read_triplets
from rankone.io.xlsx import is_workbook, read_xlsx
from rankone.io.zarr import is_zarr, read_zarr

#: Options of cells, and of texts that hold them.
_CELLS = ("header", "keep", "drop", "skip", "decimal", "thousands", "na")
_TEXT = ("delimiter", "encoding", *_CELLS)

#: Formats by name: the reader and its options.
FORMATS: dict[str, tuple[Callable[..., Table], tuple[str, ...]]] = {
    "text": (read_delimited, ("index", "numeric", "lazy", "cache", *_TEXT)),
    "triplets": (read_triplets, ("duplicates", "absent", *_TEXT)),
    "parquet": (read_parquet, ("index", "keep", "drop", "lazy")),
    "npy": (read_npy, ("lazy",)),
    "npz": (read_npz, ("key",)),
    "matrix-market": (read_matrix_market, ("duplicates",)),
    "h5ad": (read_h5ad, ("key", "lazy")),
    "zarr": (read_zarr, ("key", "lazy")),
    "xlsx": (read_xlsx, ("key", "index", "numeric", *_CELLS)),
}

#: The first bytes of workbooks before 2007.
OLD_WORKBOOK = b"\xd0\xcf\x11\xe0"

#: The first bytes of each format; all other files are read as text.
_BEGINNINGS = {
    b"\x93NUMPY": "npy",
    b"PK\x03\x04": "npz",
    b"PK\x05\x06": "npz",
    b"PAR1": "parquet",
    b"\x89HDF\r\n\x1a\n": "h5ad",
    BANNER: "matrix-market",
}


def read_matrix(
    path: str | os.PathLike[str] | Source,
    *,
    format: str | None = None,
    delimiter: str | None = None,
    header: bool | None = None,
    index: str | int | None = None,
    keep: str | int | Sequence[str | int] = (),
    drop: str | int | Sequence[str | int] = (),
    numeric: bool = False,
    skip: int = 0,
    decimal: str | None = None,
    thousands: str | None = None,
    na: str | Sequence[str] = (),
    encoding: str | None = None,
    key: str | None = None,
    duplicates: str | None = None,
    absent: str | None = None,
    lazy: bool | None = None,
    cache: str | None = None,
) -> Table:
    r"""Read a matrix and the names of its rows and columns from a file.

    Text (``.csv``, ``.tsv``, also compressed by gzip), Parquet (a file, or a folder of files),
    ``.npy`` (mapped, not read), ``.npz`` (also scipy's sparse ones), Matrix Market (also a folder
    of 10x Genomics), ``.h5ad``, zarr (an array, or annotated data), ``.xlsx``, and triplets: text
    whose lines are row, column, value.

    Parameters
    ----------
    path : str or path-like
        ``-`` is standard input.
    format : str, optional
        One of ``"text"``, ``"triplets"``, ``"parquet"``, ``"npy"``, ``"npz"``,
        ``"matrix-market"``, ``"h5ad"``, ``"zarr"`` and ``"xlsx"``.
        Detected from the first bytes of the file by default; triplets are never detected.
    delimiter : str, optional
        The delimiter of text. By default the one that gives equally many cells in the first lines.
    header : bool, optional
        Whether the first line of text has the titles of columns. Detected by default: one of its
        cells is a text above numbers, or all are texts.
    index : str or int, optional
        The column of row names, by title or by number from 1; 0 for none. By default the first
        column, if it does not hold numbers, or has no title.
    keep, drop : str, int or sequence of these
        The only columns that are read, or those that are left out, by title or number from 1. A
        text may list several, separated by commas.
    numeric : bool
        Whether to leave out the columns that do not hold numbers, with a `ReadingWarning` that
        names them, instead of refusing the file.
    skip : int
        The number of lines before the table in a text.
    decimal : {".", ","}, optional
        The decimal point of text. By default a comma if cells are numbers with a comma only and
        commas do not delimit cells; a point otherwise.
    thousands : str, optional
        The separator of thousands in text; none by default.
    na : str or sequence of str
        Cells of text that stand for missing entries, in addition to empty ones, ``NA`` and the
        like. A number stands for all cells with its value.
    encoding : str, optional
        The encoding of text; UTF-8 by default.
    key : str, optional
        The array of an archive or a zarr group, the matrix of annotated data
        (``"layers/counts"``), or the sheet of a workbook.
    duplicates : {"error", "sum", "mean", "first", "last"}, optional
        How to treat pairs that are listed more than once, in triplets and (``"sum"`` only) in
        Matrix Market files; an error by default.
    absent : {"zero", "missing"}
        How to treat pairs that are not listed in triplets. There is no default.
    lazy : bool, optional
        Whether blocks of rows are read whenever they are needed (zarr, Parquet, ``.h5ad`` and
        ``.npy``), and the numbers of text are written to disk and mapped. By default if a matrix
        would take more than a quarter of the memory that may be used; ``.npy`` files are mapped
        instead.
    cache : str, optional
        The folder that the numbers of a large text are written to, into a file without a name that
        is gone with the process; by default the folder of temporary files.

    Returns
    -------
    Table

    Raises
    ------
    FileError
        If the file cannot be read: what is wrong, where, and what to do.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "wines.csv"
    >>> _ = path.write_text("wine,alcohol,acid\nChianti,13.5,2.3\nRioja,12.8,NA\n")
    >>> table = read_matrix(path)
    >>> table.row_names, table.column_names, table.values
    (['Chianti', 'Rioja'], ['alcohol', 'acid'], array([[13.5,  2.3],
           [12.8,  nan]]))
    """
    source = Source.of(path)
    given = {
        "delimiter": delimiter,
        "header": header,
        "index": index,
        "keep": _several(keep),
        "drop": _several(drop),
        "numeric": numeric or None,
        "skip": skip or None,
        "decimal": decimal,
        "thousands": thousands,
        "na": _several(na),
        "encoding": encoding,
        "key": key,
        "duplicates": duplicates,
        "absent": absent,
        "lazy": lazy,
        "cache": cache,
    }
    given = {name: value for name, value in given.items() if value is not None}
    if format is not None:
        check_choice(format, "format", FORMATS)
    with source.guarded():
        return _read(source, format or format_of(source), given)


def _several(given: Any) -> tuple[Any, ...] | None:
    """Return columns or cells as a tuple; None if there are none."""
    return (given,) if isinstance(given, (str, int)) else tuple(given) or None


def _read(source: Source, format: str, given: dict[str, Any]) -> Table:
    reader, options = FORMATS[format]
    for name in given:
        if name not in options:
            raise FileError(
                source.name,
                f"{{option}} is not an option of {format} files",
                "leave it out",
                option=Setting(name),
            )
    table = reader(source, **given)
    if "index" in options and given.get("index") not in (0, "0") and "keep" not in given:
        note_names(table)
    if 0 in table.values.shape:
        raise FileError(source.name, f"it has no entries: its shape is {table.values.shape}")
    return table


def format_of(source: Source) -> str:
    """Return the format of a file, given its first bytes."""
    if source.path is not None and source.path.is_dir():
        if is_zarr(source):
            return "zarr"
        return "parquet" if is_parquet(source) else "matrix-market"
    head = source.head(16)
    if not head:
        raise FileError(source.name, "it is empty")
    if head.startswith(b"PK") and is_workbook(source):
        return "xlsx"
    if head.startswith(OLD_WORKBOOK) or source.name.lower().endswith(".ods"):
        raise FileError(
            source.name, "it is a spreadsheet of a kind that is not read", "save it as xlsx or csv"
        )
    return next((name for start, name in _BEGINNINGS.items() if head.startswith(start)), "text")
