"""Views of incomplete matrices: missing entries are filled with what the views say of them.

At first a missing entry is as its margins say. Then, in turn, the views of the filled matrix are
computed, and missing entries get the value that the views above noise give them (EM for a matrix of
low rank; Mazumder, Hastie and Tibshirani 2010). Of a sparse matrix only observed entries are held.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

from rankone.typing import FloatArray
from rankone.views.decomposition import Pairs, leading_pairs
from rankone.views.edge import noise_edge
from rankone.views.margins import Residual

__all__ = ["filled_pairs", "fitted_scores"]

#: Rounds of filling, and the change of what is filled in, as a share, at which it ends.
ROUNDS, SETTLED = 20, 1e-3

#: The most views that missing entries are filled from.
MOST = 10


class Filled:
    """A matrix less its margins, whose missing entries are those of a matrix of low rank.

    Parameters
    ----------
    observed : ndarray or sparse array
        The observed entries less their margins; zeros where entries are missing.
    mask : ndarray or None
        Which entries of an array are observed; of a sparse array, those that are stored.
    """

    def __init__(self, observed: Any, mask: Any):
        self.observed, self.mask, self.shape = observed, mask, observed.shape
        self._rest = observed
        self.left, self.right = np.zeros((self.shape[0], 0)), np.zeros((self.shape[1], 0))

    def fill(self, left: FloatArray, right: FloatArray) -> None:
        """Let missing entries be those of left right^T."""
        self.left, self.right = left, right
        self._rest = self.observed - low_rank_at(left, right, self.observed, self.mask)

    def times(self, vectors: FloatArray) -> FloatArray:
        """Return the products with vectors of one value per column."""
        return np.asarray(self._rest @ vectors + self.left @ (self.right.T @ vectors))

    def transposed_times(self, vectors: FloatArray) -> FloatArray:
        """Return the products of the transpose with vectors of one value per row."""
        return np.asarray(self._rest.T @ vectors + self.right @ (self.left.T @ vectors))


def low_rank_at(left: FloatArray, right: FloatArray, like: Any, mask: Any) -> Any:
    """Return the entries of left right^T where those of another matrix are observed."""
    if isinstance(like, np.ndarray):
        return np.where(mask, left @ right.T, 0.0)
    rows = np.repeat(np.arange(like.shape[0]), np.diff(like.indptr))
    data = np.zeros(like.nnz)
    for of_left, of_right in zip(left.T, right.T, strict=True):
        data += of_left[rows] * of_right[like.indices]
    return sp.csr_array((data, like.indices, like.indptr), shape=like.shape)


def observed_part(residual: Residual) -> tuple[Any, Any]:
    """Return the observed entries less their margins, and which they are."""
    values = residual.matrix.values()
    left, right = residual.row_margins[:, None], residual.column_margins[:, None]
    if isinstance(values, np.ndarray):
        mask = values == values
        scaled = values * residual.row_factors[:, None] * residual.column_factors
        return np.where(mask, scaled - left @ right.T, 0.0), mask
    rows = np.repeat(np.arange(values.shape[0]), np.diff(values.indptr))
    factors = residual.row_factors[rows] * residual.column_factors[values.indices]
    scaled = sp.csr_array((values.data * factors, values.indices, values.indptr), values.shape)
    return scaled - low_rank_at(left, right, scaled, None), None


def filled_pairs(residual: Residual, number: int) -> Pairs:
    """Return the leading singular pairs of an incomplete matrix less its margins."""
    filled = Filled(*observed_part(residual))
    edge = noise_edge(residual)
    before = np.zeros(0)
    for _ in range(ROUNDS):
        pairs = leading_pairs(filled, min(number, MOST))
        values = np.maximum(pairs.values - edge**2 / np.maximum(pairs.values, edge), 0.0)
        above = values > 0.0
        if not above.any():
            break
        filled.fill(pairs.left[:, above] * values[above], pairs.right[:, above])
        if before.size == values.size and np.abs(values - before).sum() < SETTLED * values.sum():
            break
        before = values
    return leading_pairs(filled, number)


def fitted_scores(residual: Residual, directions: FloatArray) -> FloatArray:
    """Return the scores of incomplete rows: those that explain their observed entries best."""
    filled = Filled(*observed_part(residual))
    scores = filled.times(directions)
    for _ in range(ROUNDS):
        filled.fill(scores, directions)
        scores = filled.times(directions)
    return scores
