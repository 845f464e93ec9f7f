"""Read what else is known of rows or columns: a table of names, classes and numbers."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rankone.errors import FileError
from rankone.io.cells import Notation
from rankone.io.layout import find_layout
from rankone.io.lines import lines_of
from rankone.io.options import Options
from rankone.io.reading import format_of
from rankone.io.source import Source
from rankone.io.writing import without_guard
from rankone.io.xlsx import DELIMITER, sheet_as_text
from rankone.wording import quoted

__all__ = ["Annotations", "read_annotations"]


@dataclass(frozen=True)
class Annotations:
    """Columns of a table, and the names of what they describe.

    Attributes
    ----------
    path : str
    names : sequence of str
        The first column.
    columns : mapping
        The others, by title: numbers, NaN where they are missing, or texts, empty where missing.
    """

    path: str
    names: Sequence[str]
    columns: Mapping[str, Sequence[Any]]

    def matching(self, names: Sequence[str]) -> int:
        """Return how many of the given names are annotated."""
        known = set(self.names)
        return sum(name in known for name in names)

    def of(self, names: Sequence[str]) -> dict[str, list[Any]]:
        """Return the columns for the given names; None for names that are not annotated."""
        place = {name: i for i, name in enumerate(self.names)}
        places = [place.get(name) for name in names]
        return {
            title: [None if i is None else column[i] for i in places]
            for title, column in self.columns.items()
        }


def read_annotations(path: str | os.PathLike[str]) -> Annotations:
    """Read a text file, or a workbook, with titles in its first line and names in its first column.

    Parameters
    ----------
    path : str or path-like

    Returns
    -------
    Annotations
    """
    source = Source.of(path)
    with source.guarded():
        delimiter = None
        if format_of(source) == "xlsx":
            (_, source), delimiter = sheet_as_text(source), DELIMITER
        layout = find_layout(source, Options(delimiter, header=True, index=0))
        if layout.width < 2 or layout.header is None:
            raise FileError(source.name, "it has one column", "give names and classes, with titles")
        rows = [row for _, row in lines_of(source, layout)]
    names = [without_guard(row[0]) for row in rows]
    seen: set[str] = set()
    for name in names:
        if name in seen:
            problem = "{name} is there more than once"
            raise FileError(source.name, problem, "name each row once", name=quoted(name))
        seen.add(name)
    columns = {
        layout.header[j] or f"column {j + 1}": _values([row[j] for row in rows], layout.notation)
        for j in range(1, layout.width)
    }
    return Annotations(source.name, names, columns)


def _values(cells: list[str], notation: Notation) -> Sequence[Any]:
    """Return the cells of a column as whole numbers, as numbers, or as they are."""
    known = [cell for cell in cells if not notation.is_missing(cell)]
    if not known or not all(notation.is_number(cell) for cell in known):
        return ["" if notation.is_missing(cell) else cell for cell in cells]
    numbers = [notation.number(cell) for cell in cells]
    if len(known) == len(cells) and all(x == int(x) for x in numbers):
        return [int(x) for x in numbers]
    return numbers
