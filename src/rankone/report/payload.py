"""The data of a report, packed for a browser.

Rows and columns are drawn in *units*, numbered in the order in which they are drawn. A unit is a
single row or, in a large matrix, several neighbours. A cell is the mean of the observed entries in
a unit of rows and a unit of columns.
"""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from rankone.matrix import Matrix
from rankone.matrix.cells import Strips, cell_means
from rankone.plotting.colours import COLOURS
from rankone.report.sides import ReportSide
from rankone.result import SIDES
from rankone.typing import FloatArray, IntArray
from rankone.views.margins import Margins, fitted_sums, is_relative

__all__ = ["Payload", "decode_cells", "encode_cells", "matrix_payload"]

#: The maximum numbers of cells, and of units per side, with one unit per row and column.
MOST_CELLS, MOST_UNITS = 4_000_000, 4000

#: Numbers of units per side with which larger matrices are drawn, until the page is small enough.
COARSE = (1000, 700, 500)

#: The bytes of data that a page may have before they are written as text.
MOST_BYTES = 3_400_000

#: The number of distinct values of cells; the next code marks cells without observed entries.
N_CODES = 2**16 - 1


@dataclass
class Payload:
    """A JSON header and named arrays, which are packed into one block of bytes."""

    header: dict[str, Any]
    arrays: dict[str, npt.NDArray[Any]] = field(default_factory=dict)

    @cached_property
    def compressed(self) -> bytes:
        """The length of the header, the header, and the arrays, aligned to 8 bytes."""
        layout, parts, offset = {}, [], 0
        for name, array in self.arrays.items():
            content = np.ascontiguousarray(array, array.dtype.newbyteorder("<")).tobytes()
            layout[name] = [array.dtype.str[1:], offset, array.size]
            parts.append(content + b"\0" * (-len(content) % 8))
            offset += len(parts[-1])
        header = json.dumps(self.header | {"arrays": layout}, allow_nan=False).encode()
        header += b" " * (-(len(header) + 4) % 8)
        return zlib.compress(struct.pack("<I", len(header)) + header + b"".join(parts), 9)


def matrix_payload(
    matrix: Matrix,
    sides: Sequence[ReportSide],
    headers: Sequence[dict[str, Any]],
    *,
    original: Matrix | None = None,
    shared: bool = False,
) -> Payload:
    """Collect the data of the report of a matrix.

    Parameters
    ----------
    matrix : Matrix
        The matrix that was clustered.
    sides : pair of ReportSide
    headers : pair of dict
        What is said of each side.
    original : Matrix, optional
        The matrix before it was prepared, for tooltips.
    shared : bool
        Whether rows and columns have one partition.
    """
    header: dict[str, Any] = {
        "kind": "matrix",
        "shared": shared,
        "palette": COLOURS,
        "sides": list(headers),
        "relative": is_relative(matrix),
    }
    if header["relative"]:
        header["unit"] = Margins.of(matrix).unit
    m, n = matrix.shape
    small = m * n <= MOST_CELLS and max(m, n) <= MOST_UNITS
    for most in (*((None,) if small else ()), *COARSE):
        units = [side.units(most) for side in sides]
        payload = _drawn_in(units, matrix, original, header)
        for side, unit in zip(sides, units, strict=True):
            payload.arrays |= side.arrays(unit)
        if len(payload.compressed) <= MOST_BYTES:
            break
    return payload


def _drawn_in(
    units: Sequence[IntArray], matrix: Matrix, original: Matrix | None, header: dict[str, Any]
) -> Payload:
    """Return the cells of units of rows and columns."""
    strips = [Strips.of(unit) for unit in units]
    means, counts = cell_means(matrix, *strips)
    codes, values = encode_cells(means)
    payload = Payload(header | {"values": values}, {"cells": codes.ravel()})
    if original is not None:
        codes, payload.header["original_values"] = encode_cells(cell_means(original, *strips)[0])
        payload.arrays["originals"] = codes.ravel()
    if matrix.n_missing and counts.max() > 1:
        payload.arrays["counts"] = counts.ravel().astype(np.float32)
    if header["relative"]:
        margins = matrix.totals.rows, matrix.totals.columns
        if matrix.n_missing:
            margins = fitted_sums(matrix)
        for what, unit, sums in zip(SIDES, units, margins, strict=True):
            payload.arrays[f"{what}/margins"] = np.bincount(unit, sums).astype(np.float32)
    return payload


def encode_cells(means: FloatArray) -> tuple[npt.NDArray[np.uint16], dict[str, Any]]:
    r"""Encode the values of cells as 16-bit codes, and describe how to decode them.

    If there are few distinct values, codes are indices into a table of these. Otherwise codes are
    evenly spaced in :math:`\operatorname{asinh}((x - c) / s)`, which has a fine resolution near the
    median c and a constant relative resolution far from it.

    Examples
    --------
    >>> encode_cells(np.array([[1.5, np.nan], [7.0, 1.5]]))
    (array([[    0, 65535],
           [    1,     0]], dtype=uint16), {'table': [1.5, 7.0]})
    """
    observed = ~np.isnan(means)
    values = means[observed]
    distinct = np.unique(values)
    codes = np.full(means.shape, N_CODES, np.uint16)
    if distinct.size <= N_CODES // 16:
        codes[observed] = np.searchsorted(distinct, values)
        return codes, {"table": distinct.tolist()}
    low, centre, high = (float(x) for x in np.percentile(distinct, [25, 50, 75]))
    scale = (high - low) / 2
    transformed = np.arcsinh((values - centre) / scale)
    least = float(transformed.min())
    step = (float(transformed.max()) - least) / (N_CODES - 1)
    codes[observed] = np.rint((transformed - least) / step)
    return codes, {"centre": centre, "scale": scale, "least": least, "step": step}


def decode_cells(values: dict[str, Any]) -> FloatArray:
    """Return the value of each code, NaN for unused codes."""
    numbers = np.full(N_CODES + 1, np.nan)
    if "table" in values:
        numbers[: len(values["table"])] = values["table"]
    else:
        transformed = values["least"] + values["step"] * np.arange(N_CODES)
        numbers[:N_CODES] = values["centre"] + values["scale"] * np.sinh(transformed)
    return numbers
