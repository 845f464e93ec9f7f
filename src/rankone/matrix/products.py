"""What Step 1 needs of a matrix: products with vectors, sums, and which entries are observed."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

import numpy as np

from rankone.matrix.census import Census, take_census
from rankone.matrix.linear import Linear
from rankone.matrix.observed import Observed
from rankone.matrix.stacked import stack
from rankone.matrix.tiled import Tiled
from rankone.matrix.tiles import Condition, Elementwise, Tile
from rankone.matrix.totals import Summary, Totals, summarise
from rankone.typing import FloatArray, IntArray


class Products(Tiled, Linear):
    """The products and sums of a matrix. In products, missing entries count as zeros."""

    def dot(self, v: FloatArray) -> FloatArray:
        """Return the product with a vector of one value per column."""
        return self.by_rows(lambda tile: tile.dot(v[tile.columns]))

    def dot_transposed(self, u: FloatArray) -> FloatArray:
        """Return the product of the transpose with a vector of one value per row."""
        return self.T.dot(u)

    def sweep(
        self,
        v: FloatArray,
        update: Callable[[FloatArray, slice], FloatArray],
        onwards: Callable[[FloatArray, slice], FloatArray] = lambda u, rows: u,
    ) -> tuple[FloatArray, FloatArray]:
        """Multiply from both sides in one sweep: ``u = update(A v)``, then ``A^T onwards(u)``.

        Parameters
        ----------
        v : ndarray of shape (n,) or (n, k)
            One or several vectors, with an entry for each column.
        update : callable
            Called with entries of A v and the slice of the rows that they belong to; returns the
            entries of u for these rows.
        onwards : callable
            Called with entries of u and the slice of their rows; by default they stay as they are.

        Returns
        -------
        u : ndarray of shape (m,) or (m, k)
            What ``update`` returned, for all rows.
        product : ndarray of shape (n,) or (n, k)
            The product of the transpose with ``onwards(u)``.
        """
        if not self.whole_rows:
            rows = slice(0, self.shape[0])
            u = update(self.dot(v), rows)
            return u, self.dot_transposed(onwards(u, rows))

        def both(tile: Tile) -> tuple[FloatArray, FloatArray]:
            u = update(tile.dot(v), tile.rows)
            return u, tile.T.dot(onwards(u, tile.rows))

        u, product = self.collect(both, 0, 1)
        return u, product

    def dot_both(self, v: FloatArray, u: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the product with ``v``, and that of the transpose with ``u``, in one sweep."""
        products = self.collect(
            lambda tile: (tile.dot(v[tile.columns]), tile.T.dot(u[tile.rows])), 0, 1
        )
        return products[0], products[1]

    @cached_property
    def _summary(self) -> Summary:
        return summarise(self)

    @property
    def totals(self) -> Totals:
        """The sums of rows and columns."""
        return self._summary.totals

    @cached_property
    def _census(self) -> Census:
        return take_census(self)

    @property
    def census(self) -> Census:
        """How many entries are of which kind, and how large they are."""
        return self._census

    @property
    def observed(self) -> Observed:
        """Which entries are observed."""
        return self._summary.observed

    @property
    def n_stored(self) -> int:
        """The number of entries that are held in memory, or in a file."""
        return self._summary.n_stored

    @property
    def positive(self) -> Observed:
        """Which entries are positive."""
        known = self._summary.positive
        return stack(list(self.each(lambda tile: tile.positive()))) if known is None else known

    def joined(self) -> tuple[IntArray, IntArray, int]:
        """Return the groups of rows and columns that positive entries join, and their number.

        For a matrix without negative entries. Rows and columns without a positive entry are in
        group -1.
        """
        return self.positive.joined()

    @property
    def n_missing(self) -> int:
        """The number of missing entries."""
        m, n = self.shape
        return m * n - int(self.totals.row_counts.sum())

    @property
    def is_zero(self) -> bool:
        """Whether all observed entries are zero."""
        return not self.totals.has_negative and not self.totals.rows.any()

    def magnitude(self) -> float:
        """Return the mean of the absolute values of the entries."""
        with np.errstate(over="ignore"):
            rows = self.totals.rows
            total = self.census.absolute if self.totals.has_negative else float(rows.sum())
        return total / float(self.totals.row_counts.sum())

    def sum_of(self, function: Elementwise) -> float:
        """Return the sum of a function over the observed entries."""
        return float(self.collect(lambda tile: (tile.sum_of(function),), None)[0])

    @cached_property
    def scatter(self) -> float:
        """The sum of squared deviations of the entries from their mean."""
        mean = float(self.totals.rows.sum()) / float(self.totals.row_counts.sum())
        return self.sum_of(lambda entries: (entries - mean) ** 2)

    def minimum(self) -> float:
        """Return the least observed entry."""
        return min(self.each(lambda tile: tile.minimum()))

    def first(self, condition: Condition) -> tuple[int, int, float]:
        """Return row, column and value of an entry that meets a condition, if it is known to exist.

        Entries that are not stored are not looked at.
        """
        entries = self.each(lambda tile: tile.first(condition))
        return next(entry for entry in entries if entry is not None)

    def first_negative(self) -> tuple[int, int, float]:
        """Return row, column and value of a negative entry, of a matrix that has one."""
        return self.first(lambda entries: entries < 0.0)
