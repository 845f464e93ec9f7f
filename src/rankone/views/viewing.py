"""Views of the rows of a matrix: margins first, then the rank-one steps on what they leave."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from rankone._arithmetic import ratio
from rankone.matrix import Matrix, submatrix
from rankone.typing import FloatArray, IntArray
from rankone.views.decomposition import Pairs, leading_pairs
from rankone.views.edge import even_edge, noise_edge, sum_of_squares
from rankone.views.filling import filled_pairs, fitted_scores, trust_in
from rankone.views.margins import Margins

__all__ = ["Views", "view"]

#: Entries of an incomplete matrix that is filled as a whole; of more, a sample of rows is.
MOST_ENTRIES = 2**24

#: Scores of rows that are compared by their direction are rounding if they are no longer.
ROUNDING = 1e-13


@dataclass(frozen=True, eq=False)
class Views:
    """The margins of a matrix, and the leading singular pairs of what they leave.

    Attributes
    ----------
    margins : Margins
    scores : ndarray of shape (m, r)
        The scores of the rows in each view: the matrix less its margins, times the directions.
    directions : ndarray of shape (n, r)
        The right singular vectors, with which new rows are scored.
    values : ndarray of shape (r,)
        The singular values.
    trust : ndarray of shape (r,)
        The share of each view that missing entries are given; see `rankone.views.filling`.
    """

    margins: Margins
    scores: FloatArray
    directions: FloatArray
    values: FloatArray
    trust: FloatArray

    @property
    def number(self) -> int:
        """The number of views after the margins."""
        return self.values.size

    def first(self, number: int) -> Views:
        """Return the first views."""
        return Views(
            self.margins,
            self.scores[:, :number],
            self.directions[:, :number],
            self.values[:number],
            self.trust[:number],
        )

    def taken(self, rows: IntArray, columns: IntArray) -> Views:
        """Return the views of a matrix with its rows and columns in another order."""
        return replace(
            self,
            margins=self.margins.taken(columns),
            scores=self.scores[rows],
            directions=self.directions[columns],
        )

    def turned(self, matrix: Matrix) -> Views:
        """Return the views of the columns as rows of the given transpose.

        Singular pairs relative to margins are the same from both sides, if nothing is missing.
        """
        margins = Margins.of(matrix)
        directions = ratio(self.scores, np.linalg.norm(self.scores, axis=0))
        directions = directions * _signs(directions)
        scores = margins.residual(matrix).times(directions)
        return replace(self, margins=margins, scores=scores, directions=directions)

    def points(self, number: int) -> FloatArray:
        """Return the rows as points in the space of the first views."""
        return self.place(self.scores[:, :number])

    def place(self, scores: FloatArray) -> FloatArray:
        """Return scores in the first views as points.

        If rows are compared by their direction, points have unit length. Otherwise each view is
        divided by the square root of its singular value: halfway between the distances of rows in
        the matrix, where a factor that many columns share decides alone, and those in which all
        views count alike.
        """
        if self.margins.relative:
            lengths = np.sqrt((scores * scores).sum(axis=1))
            points = ratio(scores, np.where(lengths > ROUNDING, lengths, 0.0)[:, None])
        else:
            points = scores / np.sqrt(self.values[: scores.shape[1]])
        return np.ascontiguousarray(points)

    def score(self, matrix: Matrix, number: int | None = None) -> FloatArray:
        """Return the scores of other rows in the first views."""
        residual, directions = self.margins.residual(matrix), self.directions[:, :number]
        if matrix.n_missing:
            return fitted_scores(residual, directions, self.trust[:number])
        return residual.times(directions)


def view(matrix: Matrix, number: int, edge: float | None = None) -> Views:
    """Return the views of a matrix: margins, and at most so many more.

    Parameters
    ----------
    matrix : Matrix
    number : int
    edge : float, optional
        The noise edge, if it is known. It only matters where entries are missing.

    Returns
    -------
    Views

    Examples
    --------
    >>> from rankone.matrix import as_matrix
    >>> views = view(as_matrix([[1.0, 2.0], [3.0, 4.0], [5.0, 9.0]]), 2)
    >>> views.number, views.scores.shape
    (2, (3, 2))
    """
    margins = Margins.of(matrix)
    residual = margins.residual(matrix)
    if matrix.n_missing:
        edge = noise_edge(residual) if edge is None else edge
        pairs, trust = _filled(matrix, margins, number, edge)
        scores = fitted_scores(residual, pairs.right, trust)
    else:
        pairs = leading_pairs(residual, number, residual.rounding)
        rest = sum_of_squares(residual) - float(pairs.values @ pairs.values)
        noise = even_edge(rest, matrix.shape, pairs.values.size)
        trust = trust_in(pairs.values, noise if edge is None else edge, noise)
        scores = residual.times(pairs.right)  # as new rows are scored: pairs are not quite exact
    signs = _signs(pairs.right)
    return Views(margins, scores * signs, pairs.right * signs, pairs.values, trust)


def _filled(matrix: Matrix, margins: Margins, number: int, edge: float) -> tuple[Pairs, FloatArray]:
    """Return the singular pairs of an incomplete matrix, and their trust.

    Those of a large matrix are the ones of a sample of its rows, as large as they would be if all
    rows were there.
    """
    m = matrix.shape[0]
    size = max(1, int(m * MOST_ENTRIES / matrix.n_stored))
    if size >= m:
        return filled_pairs(margins.residual(matrix), number, edge)
    rows = np.sort(np.random.default_rng(0).choice(m, size, replace=False))
    scale = np.sqrt(m / size)
    sample = margins.residual(submatrix(matrix, rows))
    pairs, trust = filled_pairs(sample, number, edge / scale)
    return pairs._replace(values=scale * pairs.values), trust


def _signs(right: FloatArray) -> FloatArray:
    """Return the signs for which right singular vectors have positive sums of cubes."""
    return np.where((right * right * right).sum(axis=0) < 0, -1.0, 1.0)
