"""Read matrices from Parquet files."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

from rankone.errors import FileError, Place, Setting
from rankone.io.budget import Budget
from rankone.io.layout import column_position, kept_columns
from rankone.io.source import Source
from rankone.io.table import Table
from rankone.typing import FloatArray
from rankone.wording import reason, shown

#: The number of rows that are decoded at a time.
ROWS_A_BATCH = 2**16


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
        raise FileError(source.name, "Parquet needs pyarrow", "pip install 'rankone[io]'") from None
    try:
        with source.open_anywhere() as raw:
            schema = parquet.ParquetFile(pa.PythonFile(raw, "r")).schema_arrow
            titles, kinds = schema.names, schema.types  # lists, built at each access
            names = _index(source, schema, index)
            position = partial(column_position, source, titles, len(titles))
            chosen = kept_columns(len(titles), None, keep, drop, position)
            kept = tuple(j for j in chosen if j not in names or keep)
            _check_types(source, titles, kinds, kept)
            raw.seek(0)
            texts = [titles[j] for j in names if _is_text(kinds[j])]
            file = parquet.ParquetFile(pa.PythonFile(raw, "r"), read_dictionary=texts)
            values, row_names = _columns(source, file, kept, names)
    except FileError:
        raise
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise FileError(
            source.name, "it is damaged, or not Parquet ({reason})", reason=reason(error)
        ) from None
    how = {"format": "Parquet", "names of rows": ", ".join(titles[j] for j in names) or None}
    return Table(values, row_names, [titles[j] for j in kept], how=how)


def _columns(
    source: Source, file: Any, kept: Sequence[int], names: Sequence[int]
) -> tuple[FloatArray, list[str] | None]:
    """Return the columns of numbers, and the row names: from one column, or from several."""
    import pyarrow as pa

    budget, m = source.budget(), file.metadata.num_rows
    if m < 0:
        raise FileError(source.name, "it is damaged: it announces a negative number of rows")
    budget.spend(8.0 * m * len(kept))
    values = np.empty((m, len(kept)), order="F")
    row_names: list[str] = []
    wanted = sorted({*kept, *names})
    place = {j: k for k, j in enumerate(wanted)}
    start = 0
    for batch in _batches(file, wanted):
        end = start + batch.num_rows
        if end > m:
            raise FileError(source.name, f"it is damaged: it has more rows than announced ({m})")
        for k, j in enumerate(kept):
            column = batch.column(place[j]).cast(pa.float64(), safe=False)
            values[start:end, k] = column.to_numpy(zero_copy_only=False)
        levels = [_texts(batch.column(place[j]), budget) for j in names]
        row_names += levels[0] if len(levels) == 1 else map(" / ".join, zip(*levels, strict=True))
        start = end
    if start < m:
        raise FileError(source.name, f"it is truncated: it has {start} of {m} rows")
    return values, row_names if names else None


def _batches(file: Any, columns: list[int]) -> Iterator[Any]:
    """Yield batches of rows of some columns; others are not decoded, if titles are unambiguous."""
    titles = file.schema_arrow.names
    if len(set(titles)) == len(titles) and not any("." in title for title in titles):
        chosen = None if len(columns) == len(titles) else [titles[j] for j in columns]
        yield from file.iter_batches(ROWS_A_BATCH, columns=chosen)
    else:
        for batch in file.iter_batches(ROWS_A_BATCH):
            yield batch.select(columns)


def _texts(column: Any, budget: Budget) -> list[str]:
    """Return names; equal ones share memory, but are counted each time."""
    from pyarrow import types

    if not types.is_dictionary(column.type):
        try:
            names = [str(value) for value in column.to_pylist()]
        except (ValueError, OverflowError, KeyError) as error:  # dates outside of Python's range
            raise FileError(
                budget.name, "its row names cannot be read ({reason})", reason=reason(error)
            ) from None
        budget.spend(sum(map(len, names)) + 60.0 * len(names))
        return names
    words = [str(word) for word in column.dictionary.to_pylist()]
    names = [words[code] if code is not None else "None" for code in column.indices.to_pylist()]
    budget.spend(sum(map(len, names)) + 8.0 * len(names))
    return names


def _is_text(kind: Any) -> bool:
    return str(kind) in ("string", "large_string", "string_view")


def _check_types(
    source: Source, titles: list[str], kinds: list[Any], kept: tuple[int, ...]
) -> None:
    """Refuse columns that do not hold numbers."""
    from pyarrow import types

    if not kept:
        raise FileError(source.name, "it has no column of numbers")
    for j in kept:
        kind = kinds[j]
        real = (types.is_integer, types.is_floating, types.is_boolean, types.is_decimal)
        if not any(is_one(kind) for is_one in (*real, types.is_null)):
            raise FileError(
                source.name,
                "it holds {kind}, not numbers",
                "leave the column out by {drop}, or name the rows by it with {index}",
                at=Place(column=j + 1, title=titles[j]),
                kind=shown(str(kind)),
                drop=Setting("drop"),
                index=Setting("index"),
            )


def _index(source: Source, schema: Any, given: str | int | None) -> list[int]:
    """Return the columns of row names: as given, as pandas noted, or the first if it is text."""
    titles = schema.names
    if given is not None:
        return [] if given in (0, "0") else [column_position(source, titles, len(titles), given)]
    noted = [name for name in _pandas_index(schema) if name in titles]
    if noted:
        return [int(titles.index(name)) for name in noted]
    return [0] if len(titles) > 1 and _is_text(schema.field(0).type) else []


def _pandas_index(schema: Any) -> list[Any]:
    """Return the columns that pandas noted as its index."""
    try:
        noted = json.loads((schema.metadata or {})[b"pandas"])["index_columns"]
    except (KeyError, ValueError, TypeError, RecursionError):
        return []
    return noted if isinstance(noted, list) else []
