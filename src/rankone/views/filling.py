"""Views of incomplete matrices: missing entries are filled with what the views say of them.

At first a missing entry is as its margins say. Then, in turn, the views of the filled matrix are
computed, and missing entries get the value that the views above noise give them (EM for a matrix of
low rank; Mazumder, Hastie and Tibshirani 2010). Of a sparse matrix only observed entries are held.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp

from rankone._arithmetic import ratio
from rankone.typing import FloatArray
from rankone.views.decomposition import Pairs, leading_pairs
from rankone.views.edge import even_edge
from rankone.views.residual import Residual, entries_at

__all__ = ["filled_pairs", "fitted_scores", "trust_in"]

#: Rounds of filling, and the change of what is filled in, as a share, at which it ends.
ROUNDS, SETTLED = 20, 1e-3

#: The most views that missing entries are filled from.
MOST = 10

#: Noise is at least this share of the largest singular value.
LEAST_NOISE = 1e-4


def trust_in(values: FloatArray, edge: float, noise: float) -> FloatArray:
    """Return the share of each view that missing entries are given.

    Parameters
    ----------
    values : ndarray of shape (r,)
        The singular values.
    edge : float
        The singular value up to which a view may be noise, and is not trusted.
    noise : float
        The largest singular value of what trusted views leave.
    """
    trusted = (values > edge) & (np.arange(values.size) < MOST)
    noise = max(min(noise, edge), LEAST_NOISE * float(values.max(initial=0.0)))
    return np.asarray(np.where(trusted, 1.0 - ratio(noise, values) ** 2, 0.0))


@dataclass(frozen=True, eq=False)
class Filled:
    """A matrix less its margins, whose missing entries are those of a matrix of low rank.

    Attributes
    ----------
    rest : ndarray or sparse array
        What the matrix of low rank leaves of observed entries; zeros where entries are missing.
    left, right : ndarray
        The factors of the matrix of low rank.
    """

    rest: Any
    left: FloatArray
    right: FloatArray

    @property
    def shape(self) -> tuple[int, int]:
        """The numbers of rows and columns."""
        return self.left.shape[0], self.right.shape[0]

    @property
    def T(self) -> Filled:
        """The transpose, without a copy."""
        return Filled(self.rest.T, self.right, self.left)

    whole_rows = True

    def sum_of_squares(self) -> float:
        """Return the sum of squares of what the matrix of low rank leaves."""
        rest = self.rest if isinstance(self.rest, np.ndarray) else self.rest.data
        return float(np.square(rest).sum())

    def times(self, vectors: FloatArray) -> FloatArray:
        """Return the products with vectors of one value per column."""
        return np.asarray(self.rest @ vectors + self.left @ (self.right.T @ vectors))

    def there_and_back(self, vectors: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the products F V, and F^T F V."""
        there = self.times(vectors)
        return there, self.T.times(there)


class Observed:
    """The observed entries of a matrix less their margins, in memory."""

    def __init__(self, residual: Residual):
        self.values = values = residual.matrix.values()
        scaled = self.like(residual.row_factors[:, None], residual.column_factors[:, None])
        margins = self.like(residual.row_margins, residual.column_margins)
        if isinstance(values, np.ndarray):
            self.entries = np.where(values == values, values * scaled - margins, 0.0)
        else:
            self.entries = values.data * scaled - margins

    def like(self, left: FloatArray, right: FloatArray) -> FloatArray:
        """Return the entries of left right^T in the places of those that are observed."""
        if isinstance(self.values, np.ndarray):
            return np.where(self.values == self.values, left @ right.T, 0.0)
        rows = np.repeat(np.arange(left.shape[0]), np.diff(self.values.indptr))
        return entries_at(rows, self.values.indices, left, right)

    def filled(self, left: FloatArray, right: FloatArray) -> Filled:
        """Return the matrix whose missing entries are those of left right^T."""
        rest: Any = self.entries - self.like(left, right)
        if not isinstance(self.values, np.ndarray):
            places = self.values.indices, self.values.indptr
            rest = sp.csr_array((rest, *places), shape=self.values.shape)
        return Filled(rest, left, right)


def filled_pairs(residual: Residual, number: int, edge: float) -> tuple[Pairs, FloatArray]:
    """Return the leading singular pairs of an incomplete matrix less its margins, and their trust.

    Parameters
    ----------
    residual : Residual
    number : int
    edge : float
        The singular value up to which views may be noise.
    """
    observed, rounding = Observed(residual), residual.rounding
    m, n = residual.shape
    filled = observed.filled(np.zeros((m, 0)), np.zeros((n, 0)))
    before, noise = np.zeros(0), edge
    for _ in range(ROUNDS):
        pairs = leading_pairs(filled, min(number, MOST), rounding)
        values = pairs.values * trust_in(pairs.values, edge, noise)
        above = values > 0.0
        filled = observed.filled(pairs.left[:, above] * values[above], pairs.right[:, above])
        noise = even_edge(filled.sum_of_squares(), (m, n), int(above.sum()))
        if before.size == values.size and np.abs(values - before).sum() <= SETTLED * values.sum():
            break
        before = values
    pairs = leading_pairs(filled, number, rounding)
    return pairs, trust_in(pairs.values, edge, noise)


def fitted_scores(residual: Residual, directions: FloatArray, trust: FloatArray) -> FloatArray:
    r"""Return the scores of incomplete rows.

    They are those of rows whose missing entries are filled from their own scores: with o the
    products of the observed entries, G those of the directions over the columns that are observed,
    and F the diagonal matrix of the trust in each view,

    .. math:: s = o + (I - G) F s

    Parameters
    ----------
    residual : Residual
    directions : ndarray of shape (n, r)
        Orthonormal.
    trust : ndarray of shape (r,)
        The share of each view that missing entries are given.
    """
    observed = residual.matrix.observed
    scores = residual.observed_times(directions)
    trusted = np.flatnonzero(trust)
    basis, one = directions[:, trusted], np.eye(trusted.size)
    grams = np.empty((scores.shape[0], trusted.size, trusted.size))
    for k in range(trusted.size):
        grams[:, :, k] = observed @ (basis * basis[:, k : k + 1])
    systems = one - (one - grams) * trust[trusted]
    filling = trust[trusted] * np.linalg.solve(systems, scores[:, trusted, None])[:, :, 0]
    for k, view in enumerate(trusted):
        missing = -(observed @ (directions * basis[:, k : k + 1]))
        missing[:, view] += 1.0
        scores += filling[:, k : k + 1] * missing
    return scores
