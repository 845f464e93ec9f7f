"""Views of the rows of a matrix: margins first, then the rank-one steps on what they leave."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from rankone._arithmetic import ratio
from rankone.matrix import Matrix, submatrix
from rankone.typing import FloatArray, IntArray
from rankone.views.decomposition import (
    Pairs,
    Space,
    is_short,
    krylov,
    leading_pairs,
    pairs_within,
)
from rankone.views.edge import even_edge, noise_edge, sum_of_squares
from rankone.views.filling import filled_pairs, fitted_scores, trust_in
from rankone.views.margins import Margins
from rankone.views.residual import Residual

__all__ = ["Viewed", "Views", "view", "view_both", "viewed"]

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


def view(matrix: Matrix, number: int, edge: float | None = None, new_rows: bool = True) -> Views:
    """Return the views of a matrix: margins, and at most so many more.

    Parameters
    ----------
    matrix : Matrix
    number : int
    edge : float, optional
        The noise edge, if it is known. It only matters where entries are missing.
    new_rows : bool
        Whether new rows will be scored. If not, there is no trust in the views of a complete
        matrix, which only matters to rows with missing entries.

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
    return viewed(matrix, number, edge, new_rows).views


class Viewed(NamedTuple):
    """The views of a matrix, and the matrix less its margins, which they decompose."""

    views: Views
    residual: Residual


def view_both(matrix: Matrix, number: int) -> tuple[Viewed, Viewed]:
    r"""Return the views of the rows of a matrix, and those of its columns.

    If nothing is missing, one Krylov space serves both sides. Relative to margins, the matrix less
    its margins is the same from both sides. Otherwise means are subtracted: those of columns,
    :math:`B = A - 1 c^T`, for the rows, and those of rows, :math:`C = A - r 1^T`, for the columns.
    With the deviations g of c and h of r from the mean of all entries,

    .. math:: C = B + 1 g^T - h 1^T, \qquad B^T 1 = 0, \qquad h = B 1 / n

    so that :math:`C^T C x` is a combination of :math:`B^T B x`, :math:`B^T B 1`, 1 and g: a Krylov
    space of B that contains 1 and g contains one of C, and products of C follow from those of B.
    """
    if matrix.n_missing:
        return viewed(matrix, number), viewed(matrix.T, number)
    if not matrix.whole_rows:
        columns, rows = view_both(matrix.T, number)
        return rows, columns
    margins, residual = Margins.subtracted(matrix)
    turned = margins.turned(_row_margins(margins, residual))
    if margins.relative:
        pairs = leading_pairs(residual, number, residual.rounding)
        squares = sum_of_squares(residual)
        return (
            Viewed(_views_of(margins, pairs, squares), residual),
            Viewed(_views_of(turned, pairs.T, squares), residual.T),
        )
    if is_short(matrix.shape, number):
        return viewed(matrix, number), viewed(matrix.T, number)
    ones = np.ones(matrix.shape[1])
    g, h = (_deviations(side.columns) / margins.scale for side in (margins, turned))
    space = krylov(residual, number, np.column_stack([ones, g]))
    by_rows = pairs_within(space, number, residual.rounding)
    other = turned.residual(matrix.T)
    by_columns = pairs_within(_less_row_means(space, g, h), number, other.rounding).T
    squares = sum_of_squares(residual)
    other_squares = squares + h.size * float(g @ g) - g.size * float(h @ h)
    return (
        Viewed(_views_of(margins, by_rows, squares), residual),
        Viewed(_views_of(turned, by_columns, other_squares), other),
    )


def _row_margins(margins: Margins, residual: Residual) -> FloatArray:
    """Return the margins of the rows of a complete matrix."""
    totals = residual.matrix.totals
    return totals.rows if margins.relative else totals.rows / totals.row_counts


def _deviations(means: FloatArray) -> FloatArray:
    return np.asarray(means - means.mean())


def _less_row_means(space: Space, g: FloatArray, h: FloatArray) -> Space:
    """Return a space of A less the means of columns as one of A less those of rows."""
    ones = space.basis.sum(axis=0)
    there = space.there + g @ space.basis - np.outer(h, ones)
    back = space.back - np.outer(space.back @ ones / g.size, ones)
    back += np.outer(g, there.sum(axis=0)) - h @ there
    return Space(space.basis, there, back)


def viewed(matrix: Matrix, number: int, edge: float | None = None, new_rows: bool = True) -> Viewed:
    """Return the views of the rows of a matrix, and the matrix less its margins; see `view`."""
    margins, residual = Margins.subtracted(matrix)
    if not matrix.n_missing:
        pairs = leading_pairs(residual, number, residual.rounding)
        squares = sum_of_squares(residual) if new_rows else np.inf
        return Viewed(_views_of(margins, pairs, squares, edge), residual)
    edge = noise_edge(residual) if edge is None else edge
    pairs, trust = _filled(matrix, margins, number, edge)
    scores = fitted_scores(residual, pairs.right, trust)
    signs = _signs(pairs.right)
    views = Views(margins, scores * signs, pairs.right * signs, pairs.values, trust)
    return Viewed(views, residual)


def _views_of(margins: Margins, pairs: Pairs, squares: float, edge: float | None = None) -> Views:
    """Return the views of a complete matrix, given the squares of what margins leave."""
    shape = pairs.left.shape[0], pairs.right.shape[0]
    noise = even_edge(squares - float(pairs.values @ pairs.values), shape, pairs.values.size)
    trust = trust_in(pairs.values, noise if edge is None else edge, noise)
    signs = _signs(pairs.right)
    return Views(margins, pairs.row_scores * signs, pairs.right * signs, pairs.values, trust)


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
