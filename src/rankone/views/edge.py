"""The noise edge: the largest singular value of the matrix if its views were noise.

Entries less their margins get random signs, which keeps the size of each and removes what rows and
columns have in common (signflip parallel analysis: Hong, Sheng and Dobriban 2020).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rankone.matrix import SparseTile, Tile
from rankone.typing import FloatArray
from rankone.views.residual import Residual, entries_at

__all__ = ["even_edge", "noise_edge", "sum_of_squares"]

#: Products from both sides in which the largest singular value is found, and of how many vectors.
ROUNDS, VECTORS = 12, 8

SIGNS = np.array([-1.0, 1.0])


def noise_edge(residual: Residual) -> float:
    """Return the largest singular value of a matrix less its margins, with random signs."""
    residual = _by_rows(residual)
    vectors = np.random.default_rng(0).normal(size=(residual.shape[1], VECTORS))
    for _ in range(ROUNDS):
        vectors = _multiply(residual, np.linalg.qr(vectors)[0])
    return float(np.sqrt(np.linalg.norm(vectors, 2)))


def _multiply(residual: Residual, vectors: FloatArray) -> FloatArray:
    """Return F^T F V for the entries F with random signs, which are the same each time."""

    def multiply(tile: Tile) -> FloatArray:
        flipped: Any = entries_of(residual, tile)
        random = np.random.default_rng(tile.rows.start)
        flipped *= SIGNS[random.integers(0, 2, flipped.shape, np.uint8)]
        if isinstance(tile, SparseTile):
            stored = tile.entries
            flipped = type(stored)((flipped, stored.indices, stored.indptr), tile.shape)
        return np.asarray(flipped.T @ (flipped @ vectors))

    return residual.matrix.collect(lambda tile: (multiply(tile),), None)[0]


def even_edge(sum_of_squares: float, shape: tuple[int, int], n_views: int) -> float:
    """Return the largest singular value of noise that is of one size in all entries.

    Parameters
    ----------
    sum_of_squares : float
        That of what some views leave.
    shape : tuple of int
    n_views : int
        The number of these views.
    """
    m, n = shape
    freedom = max(1, (m - n_views) * (n - n_views))
    return float(np.sqrt(max(0.0, sum_of_squares) / freedom) * (np.sqrt(m) + np.sqrt(n)))


def sum_of_squares(residual: Residual) -> float:
    """Return the sum of squares of the observed entries less their margins."""
    residual = _by_rows(residual)

    def squares(tile: Tile) -> float:
        if isinstance(tile, SparseTile) and not tile.absent_missing:
            return _squares_of_sparse(residual, tile)
        return float(np.square(entries_of(residual, tile)).sum())

    return float(residual.matrix.collect(lambda tile: (squares(tile),), None)[0])


def _squares_of_sparse(residual: Residual, tile: SparseTile) -> float:
    """Return |S - P Q^T|^2 of scaled entries S as |S|^2 - 2 <P, S Q> + <P^T P, Q^T Q>."""
    factors, margins = residual.row_factors[tile.rows], residual.row_margins[tile.rows]
    of_columns, column_margins = residual.column_factors, residual.column_margins
    products = factors[:, None] * tile.dot(of_columns[:, None] * column_margins)
    grams = margins.T @ margins, column_margins.T @ column_margins
    # Entries may be too large to be squared, or too small, before they are scaled.
    unit = tile.sum_of(np.abs) or 1.0
    row_units, column_units = (scale**2 * unit for scale in (factors, of_columns))
    squares = float(row_units @ tile.map(lambda entries: (entries / unit) ** 2).dot(column_units))
    return squares - 2.0 * float((margins * products).sum()) + float((grams[0] * grams[1]).sum())


def _by_rows(residual: Residual) -> Residual:
    """Return the matrix or its transpose, so that each tile has all columns."""
    return residual if residual.matrix.whole_rows else residual.T


def entries_of(residual: Residual, tile: Tile) -> FloatArray:
    """Return the entries of a tile less their margins: an array, or those that are stored.

    Missing entries are zeros. Zeros that are not stored differ from their margins as well; what
    that adds to the sum of squares is shared by the stored entries.
    """
    factors, margins = residual.row_factors[tile.rows], residual.row_margins[tile.rows]
    if not isinstance(tile, SparseTile):
        scaled = tile.array() * factors[:, None] * residual.column_factors
        scaled -= margins @ residual.column_margins.T
        scaled[scaled != scaled] = 0.0
        return scaled
    i, j = tile.entries.tocoo().coords
    expected = entries_at(i, j, margins, residual.column_margins)
    entries = tile.entries.data * factors[i] * residual.column_factors[j] - expected
    size = float(entries @ entries)
    if not tile.absent_missing and size > 0.0:
        grams = margins.T @ margins, residual.column_margins.T @ residual.column_margins
        everywhere = float((grams[0] * grams[1]).sum())
        entries *= np.sqrt(1.0 + max(0.0, everywhere - float(expected @ expected)) / size)
    return np.asarray(entries)
