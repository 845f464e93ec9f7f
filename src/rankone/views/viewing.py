"""Views of the rows of a matrix: margins first, then the rank-one steps on what they leave."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rankone._arithmetic import ratio
from rankone.matrix import Matrix
from rankone.typing import FloatArray
from rankone.views.decomposition import leading_pairs
from rankone.views.filling import filled_pairs, fitted_scores
from rankone.views.margins import Margins

__all__ = ["Views", "view"]


@dataclass(frozen=True, eq=False)
class Views:
    """The margins of a matrix, and the leading singular pairs of what they leave.

    Attributes
    ----------
    margins : Margins
    scores : ndarray of shape (m, r)
        The scores of the rows in each view: left singular vectors times singular values.
    directions : ndarray of shape (n, r)
        The right singular vectors, with which new rows are scored.
    values : ndarray of shape (r,)
        The singular values.
    """

    margins: Margins
    scores: FloatArray
    directions: FloatArray
    values: FloatArray

    @property
    def number(self) -> int:
        """The number of views after the margins."""
        return self.values.size

    def points(self, number: int) -> FloatArray:
        """Return the rows as points in the space of the first views."""
        return placed(self.scores[:, :number], self.margins.relative)

    def score(self, matrix: Matrix, number: int | None = None) -> FloatArray:
        """Return the scores of other rows in the first views."""
        directions = self.directions[:, :number]
        residual = self.margins.residual(matrix)
        if matrix.n_missing:
            return fitted_scores(residual, directions)
        return residual.times(directions)


def placed(scores: FloatArray, relative: bool) -> FloatArray:
    """Return scores as points: of unit length, where rows are compared by their direction."""
    if relative:
        scores = ratio(scores, np.sqrt((scores * scores).sum(axis=1))[:, None])
    return np.ascontiguousarray(scores)


def view(matrix: Matrix, number: int) -> Views:
    """Return the views of a matrix: margins, and at most so many more."""
    margins = Margins.of(matrix)
    residual = margins.residual(matrix)
    pairs = (filled_pairs if matrix.n_missing else leading_pairs)(residual, number)
    signs = np.where(_skewness(pairs.right) < 0, -1.0, 1.0)
    return Views(margins, pairs.left * pairs.values * signs, pairs.right * signs, pairs.values)


def _skewness(vectors: FloatArray) -> FloatArray:
    """Return the sums of cubes, which fix the signs of singular pairs."""
    return np.asarray((vectors**3).sum(axis=0))
