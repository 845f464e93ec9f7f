"""Guess the layout of a text from its first lines: delimiter, header, row names, and more."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from itertools import count as integers_from

from rankone.io.cells import TRUTH, Notation, other_notation

#: The delimiters that are tried, the likeliest first.
DELIMITERS = (",", "\t", ";", "|", " ")

#: The first lines of a file, in cells.
Rows = list[list[str]]


def delimiter_of(name: str, lines: list[str], notation: Notation) -> str:
    """Return the delimiter for which most cells are numbers, with equally many cells a line."""
    if name.lower().removesuffix(".gz").endswith((".tsv", ".tab")):
        return "\t"
    best, most = "", (0.0, 0, 0)
    for delimiter in DELIMITERS:
        if delimiter == notation.decimal:
            continue
        try:
            first, *others = ([*row] for row in csv.reader(lines, delimiter=delimiter) if row)
        except (csv.Error, ValueError):
            continue
        body = others or [first]
        width = len(body[0])
        if {*map(len, body)} <= {width} and len(first) in (width, width - 1):
            figures = sum(_is_any_number(cell, notation) for row in body for cell in row)
            share = figures / (width * len(body))
            if (share, len(first), width) > most:
                best, most = delimiter, (share, len(first), width)
    if best and most[1] > 1:
        return best
    # Lines differ: an error will say where. The title of a single column may contain blanks.
    return max(DELIMITERS[:-1], key=lines[0].count) if notation.decimal == "." else best or ";"


def has_header(rows: Rows, notation: Notation) -> bool:
    """Return whether the first line has the titles of columns."""
    first, body = rows[0], rows[1:]
    counted = first[1:] if first[0].strip() == "" else first
    if counts(counted) and (len(counted) < len(first) or len(first) > 2):  # as pandas writes it
        return True
    titles = [j for j, cell in enumerate(first) if not _is_any_number(cell, notation)]
    if len(titles) == len(first):
        return True
    shift = max(0, len(body[0]) - len(first)) if body else 0  # as R writes it
    below = [[row[j + shift] for row in body if j + shift < len(row)] for j in titles]
    return any(
        2 * sum(_is_figure(cell, notation) for cell in cells) > len(cells) for cells in below
    )


def counts(cells: Sequence[str]) -> bool:
    """Return whether cells count from 0 or 1."""
    return len(cells) > 0 and any(
        all(cell == str(number) for cell, number in zip(cells, integers_from(start), strict=False))
        for start in (0, 1)
    )


def names_rows(body: Rows, notation: Notation) -> bool:
    """Return whether most cells of the first column are texts."""
    texts = [not _is_any_number(row[0], notation) for row in body]
    return 2 * sum(texts) > len(body)


def truth_columns(body: Rows, notation: Notation) -> frozenset[int]:
    """Return the columns whose cells are true or false, and nothing else unless missing."""
    columns = []
    for j in range(len(body[0])):
        cells = {row[j].strip() for row in body if j < len(row)}
        others = {cell for cell in cells if cell.lower() not in TRUTH}
        if others < cells and all(map(notation.is_missing, others)):
            columns.append(j)
    return frozenset(columns)


def _is_any_number(cell: str, notation: Notation) -> bool:
    """Return whether a cell holds a number, possibly in another notation."""
    return notation.is_number(cell) or other_notation(cell, notation) is not None


def _is_figure(cell: str, notation: Notation) -> bool:
    """Return whether a cell holds a number and is not missing."""
    return notation.is_number(cell) and not notation.is_missing(cell)
