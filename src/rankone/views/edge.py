"""The noise edge: the largest singular value of the matrix if its views were noise.

Entries less their margins get random signs, which leaves the size of each and removes what rows
and columns have in common (signflip parallel analysis: Hong, Sheng and Dobriban 2020).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rankone.matrix import SparseTile, Tile
from rankone.typing import FloatArray
from rankone.views.decomposition import Operator
from rankone.views.margins import Residual

__all__ = ["noise_edge"]

#: Products from both sides in which the largest singular value is found.
ROUNDS = 12


class Flipped:
    """A matrix less its margins, in which each entry has a random sign."""

    def __init__(self, residual: Residual):
        self.residual, self.shape = residual, residual.shape

    def _signed(self, tile: Tile) -> Any:
        """Return the entries of a tile with their signs; the same each time."""
        of, rows = self.residual, tile.rows
        random = np.random.default_rng(rows.start)
        if isinstance(tile, SparseTile):  # margins of absent entries are small, and left out
            return tile.map(lambda entries: entries * _signs(random, entries.size)).stored
        margins = np.outer(of.row_margins[rows], of.column_margins)
        factors = np.outer(of.row_factors[rows], of.column_factors)
        entries = np.nan_to_num(tile.array() * factors - margins)
        return entries * _signs(random, entries.size).reshape(entries.shape) / factors

    def times(self, vectors: FloatArray) -> FloatArray:
        """Return the products with vectors of one value per column."""
        scaled = self.residual.column_factors[:, None] * vectors
        products = self.residual.matrix.by_rows(lambda tile: self._signed(tile) @ scaled)
        return np.asarray(self.residual.row_factors[:, None] * products)

    def transposed_times(self, vectors: FloatArray) -> FloatArray:
        """Return the products of the transpose with vectors of one value per row."""
        scaled = self.residual.row_factors[:, None] * vectors
        products = sum(
            self.residual.matrix.each(lambda tile: self._signed(tile).T @ scaled[tile.rows])
        )
        return np.asarray(self.residual.column_factors[:, None] * products)


def noise_edge(residual: Residual) -> float:
    """Return the largest singular value of a matrix less its margins, with random signs."""
    return _largest(Flipped(residual))


def _largest(matrix: Operator) -> float:
    """Return the largest singular value."""
    basis = np.random.default_rng(0).normal(size=(matrix.shape[1], min(8, *matrix.shape)))
    for _ in range(ROUNDS):
        basis = np.linalg.qr(basis)[0]
        basis = matrix.transposed_times(matrix.times(basis))
    return float(np.sqrt(np.linalg.norm(basis, 2)))


def _signs(random: np.random.Generator, size: int) -> FloatArray:
    return np.asarray(2.0 * random.integers(0, 2, size) - 1.0, dtype=np.float64)
