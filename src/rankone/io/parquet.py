"""Read matrices from Parquet files."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from rankone._stored import Stored
from rankone.errors import FileError, Place, Setting
from rankone.io.blocks import groups_of_rows, is_lazy, stored_blocks
from rankone.io.budget import Budget
from rankone.io.layout import column_position, kept_columns
from rankone.io.source import Source
from rankone.io.table import Table
from rankone.typing import FloatArray
from rankone.wording import reason, shown

#: The number of rows that are decoded at a time.
ROWS_A_BATCH = 2**16


def is_parquet(source: Source) -> bool:
    """Say whether a folder holds Parquet files."""
    return source.path is not None and any(source.path.glob("*.parquet"))


def read_parquet(
    source: Source,
    index: str | int | None = None,
    keep: Sequence[str | int] = (),
    drop: Sequence[str | int] = (),
    lazy: bool | None = None,
) -> Table:
    """Read a matrix from its columns, in a file or in all files of a folder.

    See `rankone.io.read_matrix`.
    """
    try:
        import pyarrow as pa
    except ImportError:
        raise FileError(source.name, "Parquet needs pyarrow", "pip install 'rankone[io]'") from None
    try:
        with ExitStack() as stack:
            files = [stack.enter_context(_File.opened(part)) for part in _parts(source)]
            layout = _Layout.of(files[0], index, keep, drop)
            for file in files[1:]:
                layout.check(file)
            values, row_names = _read(source, files, layout, lazy)
    except FileError:
        raise
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise FileError(
            source.name, "it is damaged, or not Parquet ({reason})", reason=reason(error)
        ) from None
    titles = files[0].titles
    named = ", ".join(titles[j] for j in layout.names) or None
    how: dict[str, Any] = {"format": "Parquet", "names of rows": named}
    how |= {"files": len(files)} if len(files) > 1 else {}
    return Table(values, row_names, [titles[j] for j in layout.kept], how=how)


def _parts(source: Source) -> list[Source]:
    """Return the file, or the files of a folder in the order of their names."""
    if source.path is None or not source.path.is_dir():
        return [source]
    return [Source.of(path) for path in sorted(source.path.glob("*.parquet"))]


@dataclass(frozen=True, eq=False)
class _File:
    """A Parquet file that is open: its bytes, and what its footer says."""

    source: Source
    raw: BinaryIO
    schema: Any
    n_rows: int
    group_rows: list[int]

    @classmethod
    @contextmanager
    def opened(cls, source: Source) -> Iterator[_File]:
        """Open a file."""
        import pyarrow as pa
        from pyarrow import parquet

        with source.open_anywhere() as raw:
            file = parquet.ParquetFile(pa.PythonFile(raw, "r"))
            metadata = file.metadata
            if metadata.num_rows < 0:
                problem = "it is damaged: it announces a negative number of rows"
                raise FileError(source.name, problem)
            groups = [metadata.row_group(g).num_rows for g in range(metadata.num_row_groups)]
            yield cls(source, raw, file.schema_arrow, metadata.num_rows, groups)

    @property
    def titles(self) -> list[str]:
        """The titles of all columns."""
        return list(self.schema.names)

    def batches(self, columns: Sequence[int]) -> Iterator[Any]:
        """Yield batches of rows of some columns, texts as codes of a dictionary."""
        import pyarrow as pa
        from pyarrow import parquet

        self.raw.seek(0)
        kinds = self.schema.types
        texts = [self.titles[j] for j in columns if _is_text(kinds[j])]
        file = parquet.ParquetFile(pa.PythonFile(self.raw, "r"), read_dictionary=texts)
        return _batches(file, list(columns))


@dataclass(frozen=True)
class _Layout:
    """Which columns are data, and which are the names of rows."""

    titles: list[str]
    kept: tuple[int, ...]
    names: list[int]

    @classmethod
    def of(
        cls,
        file: _File,
        index: str | int | None,
        keep: Sequence[str | int],
        drop: Sequence[str | int],
    ) -> _Layout:
        """Choose columns as the user asks for, or by what they hold."""
        source, titles = file.source, file.titles
        names = _index(source, file.schema, index)
        position = partial(column_position, source, titles, len(titles))
        chosen = kept_columns(len(titles), None, keep, drop, position)
        kept = tuple(j for j in chosen if j not in names or keep)
        _check_types(source, titles, file.schema.types, kept)
        return cls(titles, kept, names)

    def check(self, file: _File) -> None:
        """Refuse a file with other columns than the first one."""
        if file.titles != self.titles:
            raise FileError(file.source.name, "its columns are not those of the first file")
        _check_types(file.source, self.titles, file.schema.types, self.kept)


def _read(
    source: Source, files: Sequence[_File], layout: _Layout, lazy: bool | None
) -> tuple[Any, list[str] | None]:
    """Return the matrix, or its blocks of rows, and the names of rows."""
    n_rows = sum(file.n_rows for file in files)
    for file in files:
        file.source.budget().check_ratio(8.0 * file.n_rows * len(layout.kept))
    in_place = all(file.source.in_place for file in files)
    if is_lazy(lazy, 8.0 * n_rows * len(layout.kept)) and in_place:
        stored = _blocks(source, files, layout)
        return stored, _columns(files, (), layout.names)[1] if layout.names else None
    return _columns(files, layout.kept, layout.names)


def _columns(
    files: Sequence[_File], kept: Sequence[int], names: Sequence[int]
) -> tuple[FloatArray, list[str] | None]:
    """Return the columns of numbers, and the row names: from one column, or from several."""
    import pyarrow as pa

    m, start = sum(file.n_rows for file in files), 0
    files[0].source.budget().check(8.0 * m * len(kept))
    values = np.empty((m, len(kept)), order="F")
    row_names: list[str] = []
    wanted = sorted({*kept, *names})
    place = {j: k for k, j in enumerate(wanted)}
    for file in files:
        budget, first = file.source.budget(), start
        budget.spend(8.0 * file.n_rows * len(kept))
        for batch in file.batches(wanted):
            end = start + batch.num_rows
            if end > first + file.n_rows:
                problem = f"it is damaged: it has more rows than announced ({file.n_rows})"
                raise FileError(file.source.name, problem)
            for k, j in enumerate(kept):
                column = batch.column(place[j]).cast(pa.float64(), safe=False)
                values[start:end, k] = column.to_numpy(zero_copy_only=False)
            levels = [_texts(batch.column(place[j]), budget) for j in names]
            row_names += (
                levels[0] if len(levels) == 1 else map(" / ".join, zip(*levels, strict=True))
            )
            start = end
        if start < first + file.n_rows:
            problem = f"it is truncated: it has {start - first} of {file.n_rows} rows"
            raise FileError(file.source.name, problem)
    return values, row_names if names else None


def _blocks(source: Source, files: Sequence[_File], layout: _Layout) -> Stored:
    """Return the matrix in blocks, each of some row groups of a file."""
    readers: list[tuple[int, ParquetRows]] = []
    for file in files:
        path = str(Path(file.source.path or "").resolve())
        for groups in groups_of_rows(file.group_rows, len(layout.kept)):
            n_rows = sum(file.group_rows[g] for g in groups)
            readers.append((n_rows, ParquetRows(path, tuple(groups), layout.kept)))
    return stored_blocks(source, readers, len(layout.kept))


@dataclass(frozen=True)
class ParquetRows:
    """Read some row groups of a file."""

    path: str
    groups: tuple[int, ...]
    columns: tuple[int, ...]

    def __call__(self) -> FloatArray:
        """Return the rows."""
        import pyarrow as pa
        from pyarrow import parquet

        order = sorted(set(self.columns))
        with parquet.ParquetFile(self.path) as file:
            batches = list(_batches(file, order, self.groups))
        rows = np.empty((sum(batch.num_rows for batch in batches), len(self.columns)))
        start = 0
        for batch in batches:
            for k, j in enumerate(self.columns):
                column = batch.column(order.index(j)).cast(pa.float64(), safe=False)
                values = column.to_numpy(zero_copy_only=False)
                rows[start : start + batch.num_rows, k] = values
            start += batch.num_rows
        return rows


def _batches(file: Any, columns: list[int], groups: Sequence[int] | None = None) -> Iterator[Any]:
    """Yield batches of rows of some columns; others are not decoded, if titles are unambiguous."""
    titles = file.schema_arrow.names
    rows = {"batch_size": ROWS_A_BATCH, "row_groups": groups}
    if len(set(titles)) == len(titles) and not any("." in title for title in titles):
        chosen = None if len(columns) == len(titles) else [titles[j] for j in columns]
        yield from file.iter_batches(**rows, columns=chosen)
    else:
        for batch in file.iter_batches(**rows):
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
