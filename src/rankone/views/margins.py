r"""View 0: the margins of a matrix, and the matrix less its margins.

If zero means that something is absent (counts, weights, intensities), an entry is compared with
what the sums of its row and its column lead one to expect, on a logarithmic scale that tames
bursts:

.. math:: B_{ij} = \frac{T_{ij} - r_i c_j / N}{\sqrt{(r_i + \bar r)(c_j + \bar c)}}, \qquad
          T_{ij} = \log(1 + A_{ij} / s)

where r and c are the sums of rows and columns of T, N their total, and s is one for whole numbers
and the mean positive entry otherwise. Rows of B are compared by their direction. For all other
matrices, B is the matrix less the means of its columns, and rows are compared by their distance.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rankone._arithmetic import ratio
from rankone.matrix import Matrix
from rankone.typing import FloatArray

__all__ = ["Margins", "Residual", "is_relative"]

#: Zeros mean absence if there are no negative entries, and at least this share is zero.
ABSENCE = 0.05

#: Sweeps in which the margins of an incomplete matrix are fitted.
SWEEPS = 30


def is_relative(matrix: Matrix) -> bool:
    """Say whether zero means absence, so that entries are compared with their margins."""
    if matrix.totals.has_negative:
        return False
    zeros = matrix.sum_of(lambda entries: (entries == 0.0).astype(np.float64))
    return zeros >= ABSENCE * float(matrix.totals.row_counts.sum()) and not matrix.is_zero


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
        A power of two by which entries are divided first, so that squares stay within range.
    """

    relative: bool
    unit: float
    columns: FloatArray
    row_mean: float
    scale: float

    @classmethod
    def of(cls, matrix: Matrix) -> Margins:
        """Return the margins of a matrix."""
        if is_relative(matrix):
            return cls._relative(matrix, _unit(matrix))
        means = ratio(matrix.totals.columns, matrix.totals.column_counts)
        squares = matrix.sum_of(np.square) if matrix.magnitude() < 1e150 else np.inf
        size = np.sqrt(squares / max(1.0, float(matrix.totals.row_counts.sum())))
        if not 1e-100 < size < 1e100:
            size = matrix.magnitude() or 1.0
        scale = float(2.0 ** np.round(np.log2(size)))
        return cls(False, 0.0, means, 0.0, scale)

    @classmethod
    def _relative(cls, matrix: Matrix, unit: float) -> Margins:
        logarithms = _logarithms(matrix, unit)
        if not matrix.n_missing:
            rows, columns = logarithms.totals.rows, logarithms.totals.columns
        else:
            rows, columns = _fitted_sums(logarithms)
        return cls(True, unit, columns, float(rows.mean()), 1.0)

    def residual(self, matrix: Matrix) -> Residual:
        """Return the matrix, or other rows with its columns, less the margins."""
        m, _ = matrix.shape
        if not self.relative:
            scaled = matrix if self.scale == 1.0 else matrix.map(lambda a: a / self.scale)
            ones = np.ones(self.columns.size)
            return Residual(scaled, np.ones(m), ones, np.ones(m), self.columns / self.scale)
        logarithms = _logarithms(matrix, self.unit)
        total = float(self.columns.sum())
        rows = logarithms.totals.rows
        if matrix.n_missing:
            rows = ratio(rows * total, matrix.observed @ self.columns)
        row_factors = 1.0 / np.sqrt(rows + self.row_mean)
        column_factors = 1.0 / np.sqrt(self.columns + self.columns.mean())
        return Residual(
            logarithms,
            row_factors,
            column_factors,
            row_factors * rows / np.sqrt(total),
            column_factors * self.columns / np.sqrt(total),
        )


@dataclass(frozen=True, eq=False)
class Residual:
    """A matrix less its margins: B = D_a A D_b - p q^T, known by its products.

    Attributes
    ----------
    matrix : Matrix
        A, in whose products missing entries count as zeros.
    row_factors, column_factors : ndarray
        The diagonals of D_a and D_b.
    row_margins, column_margins : ndarray
        p and q.
    """

    matrix: Matrix
    row_factors: FloatArray
    column_factors: FloatArray
    row_margins: FloatArray
    column_margins: FloatArray

    @property
    def shape(self) -> tuple[int, int]:
        """The numbers of rows and columns."""
        return self.matrix.shape

    def times(self, vectors: FloatArray) -> FloatArray:
        """Return the products with vectors of one value per column, which are columns."""
        products = self.matrix.dot(self.column_factors[:, None] * vectors)
        margins = np.outer(self.row_margins, self.column_margins @ vectors)
        return np.asarray(self.row_factors[:, None] * products - margins)

    def transposed_times(self, vectors: FloatArray) -> FloatArray:
        """Return the products of the transpose with vectors of one value per row."""
        products = self.matrix.dot_transposed(self.row_factors[:, None] * vectors)
        margins = np.outer(self.column_margins, self.row_margins @ vectors)
        return np.asarray(self.column_factors[:, None] * products - margins)


def _unit(matrix: Matrix) -> float:
    """Return one for whole numbers, and otherwise the mean positive entry."""
    if matrix.sum_of(lambda entries: (entries != np.floor(entries)).astype(np.float64)) == 0.0:
        return 1.0
    positive = matrix.sum_of(lambda entries: (entries > 0.0).astype(np.float64))
    return float(matrix.totals.rows.sum()) / positive


def _logarithms(matrix: Matrix, unit: float) -> Matrix:
    """Return log(1 + A / unit); of new rows, negative entries count as zeros."""
    return matrix.map(lambda entries: np.log1p(np.maximum(entries, 0.0) / unit))


def _fitted_sums(matrix: Matrix) -> tuple[FloatArray, FloatArray]:
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
