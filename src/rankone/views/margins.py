r"""View 0: the margins of a matrix, and what is subtracted from it.

If zero means that something is absent (counts, weights, intensities), an entry is compared with
what the sums of its row and its column lead one to expect, on a logarithmic scale that tames
bursts:

.. math:: B_{ij} = \frac{T_{ij} - r_i c_j / N}{\sqrt{(r_i + \bar r)(c_j + \bar c)}}, \qquad
          T_{ij} = \log(1 + A_{ij} / s)

where r and c are the sums of rows and columns of T, N their total, and s is one for whole numbers
and the mean positive entry otherwise. From counts, the curvature of their logarithms is subtracted
as well (`rankone.views.curvature`), but not from zeros and ones. Rows of B are compared by their
direction. For all other matrices, B is the matrix less the means of its columns, and rows are
compared by their distance.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from rankone._arithmetic import ratio
from rankone.matrix import Matrix
from rankone.typing import FloatArray, IntArray
from rankone.views.curvature import Curvature
from rankone.views.residual import Residual

__all__ = ["Margins", "fitted_sums", "is_relative"]

#: Zeros mean absence if there are no negative entries, and at least this share is zero.
ABSENCE = 0.05

#: Sweeps in which the margins of an incomplete matrix are fitted.
SWEEPS = 30

#: The scale of a matrix is at most this power of four, and at least its inverse.
MOST_FOURS = 500


def is_relative(matrix: Matrix) -> bool:
    """Say whether zero means absence, so that entries are compared with their margins."""
    if matrix.totals.has_negative:
        return False
    absent = matrix.census.n_zeros >= ABSENCE * float(matrix.totals.row_counts.sum())
    return absent and not matrix.is_zero


@dataclass(frozen=True, eq=False)
class Margins:
    """The margins of a matrix, which also apply to new rows with its columns.

    Attributes
    ----------
    relative : bool
        Whether entries are compared with the product of margins; otherwise with column means.
    unit : float
        The entry that counts as one before logarithms; zero if none are taken.
    columns : ndarray of shape (n,)
        The sums of the columns, or their means.
    row_mean : float
        The mean of the sums of rows.
    scale : float
        A power of four by which entries are divided, so that their squares are within range; one
        where logarithms are taken.
    curvature : Curvature or None
        What is subtracted from counts in addition to the product of margins. Where entries are
        missing, it is that of complete rows and columns with the sums that the margins give them.
    """

    relative: bool
    unit: float
    columns: FloatArray
    row_mean: float
    scale: float
    curvature: Curvature | None = None

    @classmethod
    def of(cls, matrix: Matrix) -> Margins:
        """Return the margins of a matrix."""
        return cls.subtracted(matrix)[0]

    @classmethod
    def subtracted(cls, matrix: Matrix) -> tuple[Margins, Residual]:
        """Return the margins of a matrix, and the matrix less its margins."""
        if not is_relative(matrix):
            means = ratio(matrix.totals.columns, matrix.totals.column_counts)
            margins = cls(False, 0.0, means, 0.0, _scale(matrix))
            return margins, margins.residual(matrix)
        counts = matrix.census.is_whole
        unit = 1.0 if counts else _mean_positive(matrix)
        logarithms = _logarithms(matrix, unit)
        if matrix.n_missing:
            rows, columns = fitted_sums(logarithms)
        else:
            rows, columns = logarithms.totals.rows, logarithms.totals.columns
        curvature = Curvature.of(rows, columns) if counts and _exceeds_one(matrix) else None
        margins = cls(True, unit, columns, float(rows.mean()), 1.0, curvature)
        return margins, margins._less_product(logarithms)

    def turned(self, rows: FloatArray) -> Margins:
        """Return the margins of the transpose, given the margins of all rows.

        Those relative to which entries are compared are the same from both sides, if nothing is
        missing.
        """
        if not self.relative:
            return replace(self, columns=rows)
        curvature = None if self.curvature is None else self.curvature.T
        row_mean = float(self.columns.mean())
        return replace(self, columns=rows, row_mean=row_mean, curvature=curvature)

    def taken(self, columns: IntArray) -> Margins:
        """Return the margins of a matrix with its columns in another order."""
        return replace(self, columns=self.columns[columns])

    def of_rows(self, matrix: Matrix) -> FloatArray:
        """Return the margins of rows: the sums of their logarithms, or their means.

        Sums are those that rows would have if missing entries followed the margins.
        """
        if self.relative:
            return self._row_sums(_logarithms(matrix, self.unit))
        return ratio(matrix.totals.rows, matrix.totals.row_counts)

    def _row_sums(self, logarithms: Matrix) -> FloatArray:
        rows = logarithms.totals.rows
        if not logarithms.n_missing:
            return rows
        return ratio(rows * self.columns.sum(), logarithms.observed @ self.columns)

    def measured(self, entries: FloatArray) -> FloatArray:
        """Return entries as they are compared with the margins: themselves, or logarithms."""
        return _logged(entries, self.unit) if self.relative else entries

    def residual(self, matrix: Matrix) -> Residual:
        """Return the matrix, or other rows with its columns, less the margins."""
        if not self.relative:
            m, n = matrix.shape
            factor = 1.0 / np.sqrt(self.scale)  # from both sides, so that products stay in range
            factors = np.full(m, factor), np.full(n, factor)
            columns = self.columns[:, None] / self.scale
            return Residual(matrix, *factors, np.ones((m, 1)), columns)
        return self._less_product(_logarithms(matrix, self.unit))

    def _less_product(self, logarithms: Matrix) -> Residual:
        """Return logarithms less the product of their margins."""
        rows = self._row_sums(logarithms)
        row_margins, column_margins = self._factors(rows)
        row_factors = 1.0 / np.sqrt(rows + self.row_mean)
        column_factors = 1.0 / np.sqrt(self.columns + self.columns.mean())
        return Residual(
            logarithms,
            row_factors,
            column_factors,
            row_factors[:, None] * row_margins,
            column_factors[:, None] * column_margins,
        )

    def _factors(self, rows: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the factors of what is subtracted from rows of logarithms with these sums."""
        size = np.sqrt(self.columns.sum())
        product = rows[:, None] / size, self.columns[:, None] / size
        if self.curvature is None:
            return product
        curvature = self.curvature.rows.at(rows), self.curvature.columns.at(self.columns)
        return np.hstack([product[0], curvature[0]]), np.hstack([product[1], curvature[1]])


def _scale(matrix: Matrix) -> float:
    """Return the power of four that is nearest to the magnitude of the entries."""
    fours = np.round(np.log2(matrix.magnitude() or 1.0) / 2.0)
    return float(4.0 ** np.clip(fours, -MOST_FOURS, MOST_FOURS))


def _mean_positive(matrix: Matrix) -> float:
    """Return the mean positive entry."""
    return float((matrix.totals.rows / matrix.census.n_positive).sum())


def _exceeds_one(matrix: Matrix) -> bool:
    """Say whether a count is larger than one; logarithms of zeros and ones are not curved."""
    return matrix.census.n_positive > matrix.census.n_ones


def _logarithms(matrix: Matrix, unit: float) -> Matrix:
    """Return log(1 + A / unit); of new rows, negative entries count as zeros."""
    return matrix.map(lambda entries: _logged(entries, unit))


def _logged(entries: FloatArray, unit: float) -> FloatArray:
    with np.errstate(over="ignore"):  # new rows may be of any magnitude
        units = np.clip(entries / unit, 0.0, np.finfo(float).max)
    return np.log1p(units)


def fitted_sums(matrix: Matrix) -> tuple[FloatArray, FloatArray]:
    """Return the sums that rows and columns would have if missing entries followed the margins.

    The margins are those of the rank-one matrix with the observed sums of rows and columns.
    """
    observed = matrix.observed
    rows, columns = matrix.totals.rows, matrix.totals.columns
    y = ratio(columns, matrix.totals.column_counts)
    for _ in range(SWEEPS):
        x = ratio(rows, observed @ y)
        y = ratio(columns, observed.T @ x)
    return x * y.sum(), y * x.sum()
