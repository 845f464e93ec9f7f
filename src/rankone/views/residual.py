"""A matrix less its margins, which is never formed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rankone.matrix import Matrix
from rankone.typing import FloatArray, IntArray

__all__ = ["Residual", "entries_at"]


@dataclass(frozen=True, eq=False)
class Residual:
    """A matrix less its margins: B = D_a A D_b - P Q^T, known by its products.

    Attributes
    ----------
    matrix : Matrix
        A, in whose products missing entries count as zeros.
    row_factors, column_factors : ndarray
        The diagonals of D_a and D_b.
    row_margins, column_margins : ndarray of shape (m, d) and (n, d)
        P and Q, of one column or a few.
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

    @property
    def T(self) -> Residual:
        """The transpose, without a copy."""
        return Residual(
            self.matrix.T,
            self.column_factors,
            self.row_factors,
            self.column_margins,
            self.row_margins,
        )

    @property
    def rounding(self) -> float:
        """The largest singular value that may come from rounding alone."""
        size = np.linalg.norm(self.row_margins) * np.linalg.norm(self.column_margins)
        return float(16.0 * np.finfo(float).eps * np.sqrt(sum(self.shape)) * size)

    @property
    def whole_rows(self) -> bool:
        """Whether products there and back take one sweep."""
        return self.matrix.whole_rows

    def times(self, vectors: FloatArray) -> FloatArray:
        """Return the products with vectors of one value per column, which are columns."""
        products = self.matrix.dot(self.column_factors[:, None] * vectors)
        margins = self.row_margins @ (self.column_margins.T @ vectors)
        return np.asarray(self.row_factors[:, None] * products - margins)

    def there_and_back(self, vectors: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the products B V, and B^T B V."""
        factors, row_margins = self.row_factors[:, None], self.row_margins
        margins = self.column_margins.T @ vectors
        there, products = self.matrix.sweep(
            self.column_factors[:, None] * vectors,
            lambda product, rows: factors[rows] * product - row_margins[rows] @ margins,
            lambda part, rows: factors[rows] * part,
        )
        back = self.column_factors[:, None] * products
        return there, back - self.column_margins @ (row_margins.T @ there)

    def observed_times(self, vectors: FloatArray) -> FloatArray:
        """Return the products in which missing entries count as zeros."""
        products = self.row_factors[:, None] * self.matrix.dot(
            self.column_factors[:, None] * vectors
        )
        for of_rows, of_columns in zip(self.row_margins.T, self.column_margins.T, strict=True):
            margins = self.matrix.observed @ (of_columns[:, None] * vectors)
            products -= of_rows[:, None] * margins
        return np.asarray(products)

    def group_rows(self, labels: IntArray, n_groups: int) -> FloatArray:
        """Return the sums of each column over each group of rows, without missing entries."""
        sums = self.matrix.group_rows(labels, n_groups, self.row_factors)
        sums *= self.column_factors[:, None]
        for of_rows, of_columns in zip(self.row_margins.T, self.column_margins.T, strict=True):
            margins = self.matrix.group_observed(labels, n_groups, of_rows)
            sums -= of_columns[:, None] * margins
        return sums


def entries_at(
    rows: IntArray, columns: IntArray, left: FloatArray, right: FloatArray
) -> FloatArray:
    """Return the entries of left right^T in some places."""
    entries = np.zeros(rows.size)
    for of_left, of_right in zip(left.T, right.T, strict=True):
        entries += of_left[rows] * of_right[columns]
    return entries
