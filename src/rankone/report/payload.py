"""The data of a report: cells, scores, labels, and the stops of the sliders, packed for a browser.

The rows (and columns) are drawn in *units*. A unit is a single row or, in a large matrix, several
rows with the same label and similar scores. A cell is the mean of the observed entries in a unit of
rows and a unit of columns.
"""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from rankone.matrix import Matrix
from rankone.matrix.cells import Strips, cell_means
from rankone.plotting.colours import colour_limits
from rankone.report.walks import Walk, walk_of
from rankone.result import SIDES, Side
from rankone.typing import FloatArray, IntArray

#: The maximum numbers of cells, and of units per side, with one unit per row and column. Larger
#: matrices are drawn with about `COARSE` units per side.
MOST_CELLS, MOST_UNITS, COARSE = 4_000_000, 4000, 1000

#: The number of distinct values of cells; the next code marks cells without observed entries.
N_CODES = 2**16 - 1

#: Colours from low to high, for entries of one sign and for entries of both signs.
ONE_SIGN = ((68, 1, 84), (59, 82, 139), (33, 145, 140), (94, 201, 98), (253, 231, 37))
TWO_SIGNS = ((5, 48, 97), (67, 147, 195), (247, 247, 247), (214, 96, 77), (103, 0, 31))


@dataclass(frozen=True)
class ReportSide:
    """The rows or the columns of a report.

    Attributes
    ----------
    names : sequence of str
    scores, confidence : ndarray of shape (n,)
    labels : ndarray of shape (n,)
        The fitted labels.
    walk : Walk
        The partitions that the slider shows.
    """

    names: Sequence[str]
    scores: FloatArray
    confidence: FloatArray
    labels: IntArray
    walk: Walk

    @classmethod
    def of(cls, side: Side, method: str, names: Sequence[str]) -> ReportSide:
        """Collect what a report shows of one side of a result that was obtained by a method."""
        assert side.confidence is not None
        return cls(names, side.scores.values, side.confidence, side.labels, walk_of(side, method))

    def units(self, coarse: bool) -> IntArray:
        """Return the unit of each row: the row itself, or rows of one label with adjacent scores.

        No stop of the slider splits a unit, so that each unit has a single label at every stop.
        """
        n = self.labels.size
        if not coarse or n <= COARSE:
            return np.arange(n)
        pieces = self.walk.pieces()
        _, groups = np.unique(self.labels * (int(pieces.max()) + 1) + pieces, return_inverse=True)
        order, sizes = np.lexsort((self.scores, groups)), np.bincount(groups)
        counts = np.maximum(1, sizes * COARSE // n)
        starts, firsts = np.cumsum(sizes) - sizes, np.cumsum(counts) - counts
        group = groups[order]
        position = np.arange(n) - starts[group]
        units = np.empty(n, np.intp)
        units[order] = firsts[group] + position * counts[group] // sizes[group]
        return units

    def header(self, units: IntArray) -> dict[str, Any]:
        """Return the part of the side that goes into the JSON header, with all its stops."""
        return {
            "names": list(self.names),
            "unit_count": int(units.max()) + 1,
            **self.walk.header(),
        }


@dataclass
class Payload:
    """A JSON header and named arrays, which are packed into one block of bytes."""

    header: dict[str, Any]
    arrays: dict[str, npt.NDArray[Any]] = field(default_factory=dict)

    def compressed(self) -> bytes:
        """Compress the length of the header, the header, and the arrays, aligned to 8 bytes."""
        layout, parts, offset = {}, [], 0
        for name, array in self.arrays.items():
            content = np.ascontiguousarray(array, array.dtype.newbyteorder("<")).tobytes()
            layout[name] = [array.dtype.str[1:], offset, array.size]
            parts.append(content + b"\0" * (-len(content) % 8))
            offset += len(parts[-1])
        header = json.dumps(self.header | {"arrays": layout}, allow_nan=False).encode()
        header += b" " * (-(len(header) + 4) % 8)
        return zlib.compress(struct.pack("<I", len(header)) + header + b"".join(parts), 9)


def build_payload(
    matrix: Matrix, sides: Sequence[ReportSide], original: Matrix | None = None
) -> Payload:
    """Collect the data that a report shows.

    Colours and means are those of the matrix that was clustered; if it was prepared, tooltips show
    the original entries too.
    """
    m, n = matrix.shape
    coarse = m * n > MOST_CELLS or max(m, n) > MOST_UNITS
    units = [side.units(coarse) for side in sides]
    means, counts = cell_means(matrix, *(Strips.of(unit) for unit in units))
    codes, values = encode_cells(means)
    low, high = colour_limits(means)
    header: dict[str, Any] = {
        "values": values,
        "limits": [low, high],
        "range": [float(np.nanmin(means)), float(np.nanmax(means))],
        "colours": TWO_SIGNS if low < 0 < high else ONE_SIGN,
        "sides": [side.header(unit) for side, unit in zip(sides, units, strict=True)],
    }
    arrays: dict[str, npt.NDArray[Any]] = {"cells": codes.ravel()}
    if original is not None:
        entries, _ = cell_means(original, *(Strips.of(unit) for unit in units))
        codes, header["original_values"] = encode_cells(entries)
        arrays["originals"] = codes.ravel()
    if coarse and matrix.n_missing:
        arrays["counts"] = counts.ravel().astype(np.float32)
    for what, side, unit in zip(SIDES, sides, units, strict=True):
        arrays[f"{what}/scores"] = side.scores.astype(np.float64)
        arrays[f"{what}/confidence"] = side.confidence.astype(np.float32)
        arrays[f"{what}/labels"] = side.labels.astype(np.uint16)
        arrays[f"{what}/units"] = unit.astype(np.uint32)
        arrays |= {f"{what}/{name}": array for name, array in side.walk.arrays().items()}
    return Payload(header, arrays)


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
