"""Matrices in Parquet files."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from rankone.io.layout import kept_columns
from rankone.io.source import Source, check_fits
from rankone.io.table import FileError, Table, quoted, reason


def read_parquet(
    source: Source,
    index: str | int | None = None,
    keep: Sequence[str | int] = (),
    drop: Sequence[str | int] = (),
) -> Table:
    """Read a matrix from its columns; see `rankone.io.read_matrix`."""
    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ImportError:
        raise FileError(source.name, "Parquet needs pyarrow: pip install 'rankone[io]'.") from None
    try:
        with source.open_anywhere() as raw, parquet.ParquetFile(pa.PythonFile(raw, "r")) as file:
            schema = file.schema_arrow
            check_fits(source, 2.0 * file.metadata.num_rows * len(schema))
            names = _index(source, schema, index)
            position = partial(_position, source, schema)
            chosen = kept_columns(len(schema), None, keep, drop, position)
            kept = tuple(j for j in chosen if j not in names or keep)
            _check_types(source, schema, kept)
            table = file.read()
    except (pa.ArrowException, OSError, ValueError, KeyError, TypeError) as error:
        if isinstance(error, FileError):
            raise
        raise FileError(source.name, f"it is damaged, or not Parquet ({reason(error)}).") from None
    values = np.empty((table.num_rows, len(kept)), order="F")
    for k, j in enumerate(kept):
        values[:, k] = table.column(j).cast(pa.float64(), safe=False).to_numpy()
    titles = [schema.names[j] for j in kept]
    how = {"format": "Parquet", "names of rows": ", ".join(schema.names[j] for j in names) or None}
    return Table(values, _joined(table, names), titles, how=how)


def _joined(table: Any, columns: list[int]) -> list[str] | None:
    """Return the names of rows, from one column or from several levels of an index."""
    levels = [map(str, table.column(j).to_pylist()) for j in columns]
    return [" / ".join(parts) for parts in zip(*levels, strict=True)] if levels else None


def _check_types(source: Source, schema: Any, kept: tuple[int, ...]) -> None:
    """Refuse columns of anything but numbers."""
    from pyarrow import types

    if not kept:
        raise FileError(source.name, "it has no column of numbers.")
    for j in kept:
        kind = schema.types[j]
        real = (types.is_integer, types.is_floating, types.is_boolean, types.is_decimal)
        if not any(is_one(kind) for is_one in (*real, types.is_null)):
            raise FileError(
                source.name,
                f"it holds {kind}, not numbers; --drop the column, or name the rows by it "
                "(--index).",
                column=j + 1,
                title=schema.names[j],
            )


def _index(source: Source, schema: Any, given: str | int | None) -> list[int]:
    """Return which columns name the rows: as given, as pandas says, or the first if it is text."""
    if given is not None:
        return [] if given in (0, "0") else [_position(source, schema, given)]
    noted = [name for name in _pandas_index(schema) if name in schema.names]
    if noted:
        return [int(schema.names.index(name)) for name in noted]
    text = bool(schema.types) and str(schema.types[0]) in ("string", "large_string", "string_view")
    return [0] if text and len(schema) > 1 else []


def _pandas_index(schema: Any) -> list[Any]:
    """Return the columns that pandas noted down as its index."""
    try:
        noted = json.loads((schema.metadata or {})[b"pandas"])["index_columns"]
    except (KeyError, ValueError, TypeError, RecursionError):
        return []
    return noted if isinstance(noted, list) else []


def _position(source: Source, schema: Any, column: str | int) -> int:
    if schema.names.count(str(column)) == 1:
        return int(schema.names.index(str(column)))
    if str(column).isdecimal() and 1 <= int(column) <= len(schema):
        return int(column) - 1
    raise FileError(source.name, f"it has no column {quoted(str(column))}.")
