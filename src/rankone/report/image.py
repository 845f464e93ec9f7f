"""The cells of a sorted matrix as an image: their means, colours, and a PNG file."""

from __future__ import annotations

import struct
import zlib
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rankone.matrix import Matrix
from rankone.matrix.cells import Strips, cell_means
from rankone.plotting.colours import (
    ONE_SIGN,
    PALE,
    TWO_SIGNS,
    block_means,
    colour_limits,
    ratio_limits,
)
from rankone.typing import FloatArray, IntArray
from rankone.views.margins import Margins, is_relative

__all__ = ["Cells", "coloured", "png"]

#: The colour of cells without observed entries.
NOTHING = (222, 224, 227)


class Cells(NamedTuple):
    """Where the entries of a matrix are drawn.

    Attributes
    ----------
    units : pair of ndarray
        The strip of cells of each row, and of each column.
    borders : pair of ndarray
        The first strip of each cluster of rows, and of columns, and the end.
    """

    units: tuple[IntArray, IntArray]
    borders: tuple[IntArray, IntArray]

    def pixels(self, matrix: Matrix) -> npt.NDArray[np.uint8]:
        """Return the colours of the cells; those without an observed entry are as their block."""
        values, counts = cell_means(matrix, *(Strips.of(units) for units in self.units))
        if is_relative(matrix):
            values = self._relative(matrix, values * counts)
            limits = ratio_limits(values)
        else:
            limits = colour_limits(values)
        means = block_means(values, *self.borders)
        colours = coloured(values, limits)
        missing = np.isnan(values) & ~np.isnan(means)
        colours[missing] = 255 - PALE * (255.0 - coloured(means, limits)[missing])
        return colours.round().astype(np.uint8)

    def _relative(self, matrix: Matrix, sums: FloatArray) -> FloatArray:
        """Return the logarithms of the sums of cells relative to what margins lead to expect."""
        totals = matrix.totals.rows, matrix.totals.columns
        rows, columns = (
            np.bincount(units, of_side) for units, of_side in zip(self.units, totals, strict=True)
        )
        expected = np.outer(rows, columns) / rows.sum()
        half = Margins.of(matrix).unit / 2
        with np.errstate(invalid="ignore"):
            return np.asarray(np.log2((sums + half) / (expected + half)))


def coloured(values: FloatArray, limits: tuple[float, float]) -> FloatArray:
    """Return the colours of values; NaN stands for nothing."""
    low, high = limits
    anchors = np.array(TWO_SIGNS if low < 0 < high else ONE_SIGN, float)
    known = np.nan_to_num(values, nan=low)
    shares = (
        np.clip((known - low) / (high - low), 0, 1) if high > low else np.full(known.shape, 0.5)
    )
    places = np.linspace(0, 1, len(anchors))
    colours = np.stack([np.interp(shares, places, channel) for channel in anchors.T], axis=-1)
    colours[np.isnan(values)] = NOTHING
    return colours


def png(pixels: npt.NDArray[np.uint8]) -> bytes:
    """Encode pixels of shape (height, width, 3) as a PNG file."""
    height, width, _ = pixels.shape
    rows = np.zeros((height, 1 + 3 * width), np.uint8)  # each row starts with filter type 0, "none"
    rows[:, 1:] = pixels.reshape(height, -1)

    def chunk(kind: bytes, content: bytes) -> bytes:
        check = struct.pack(">I", zlib.crc32(kind + content))
        return struct.pack(">I", len(content)) + kind + content + check

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"".join(
        (
            b"\x89PNG\r\n\x1a\n",
            chunk(b"IHDR", header),
            chunk(b"IDAT", zlib.compress(rows.tobytes(), 9)),
            chunk(b"IEND", b""),
        )
    )
