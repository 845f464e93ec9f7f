"""What refinement needs of a matrix: its sums over groups of rows and columns."""

from __future__ import annotations

from collections.abc import Callable

from rankone.matrix.tiled import Tiled
from rankone.matrix.tiles import Grouping, Tile
from rankone.typing import FloatArray, IntArray


class GroupedSums(Tiled):
    """The sums of a matrix over groups of columns, and over groups of rows."""

    def group_columns(self, labels: IntArray, n_groups: int, weights: FloatArray) -> FloatArray:
        """Return the weighted sums of each row over each group of columns."""
        groups = Grouping(labels, n_groups, weights)
        return self.by_rows(lambda tile: tile.group_columns(groups.of(tile.columns)))

    def group_rows(self, labels: IntArray, n_groups: int, weights: FloatArray) -> FloatArray:
        """Return the weighted sums of each column over each group of rows."""
        return self.T.group_columns(labels, n_groups, weights)

    def group_both(self, columns: Grouping, rows: Grouping) -> tuple[FloatArray, FloatArray]:
        """Return the sums of rows over groups of columns, and of columns over groups of rows.

        They are made in one sweep.
        """
        sums = self.collect(
            lambda tile: (
                tile.group_columns(columns.of(tile.columns)),
                tile.T.group_columns(rows.of(tile.rows)),
            ),
            0,
            1,
        )
        return sums[0], sums[1]

    def dot_own(self, vectors: FloatArray, labels: IntArray) -> FloatArray:
        """Return the product of each row with one of several vectors, that of its label."""
        return self.by_rows(lambda t: t.dot_own(vectors[t.columns], labels[t.rows]))

    def regroup(
        self,
        labels: IntArray,
        n_groups: int,
        weights: FloatArray,
        update: Callable[[FloatArray, slice], IntArray],
        n_row_groups: int,
        row_weights: FloatArray,
    ) -> tuple[IntArray, FloatArray]:
        """Group columns, then rows by the resulting sums, in one sweep.

        Parameters
        ----------
        labels, n_groups, weights
            Of columns; see `group_columns`.
        update : callable
            Called with the sums of some rows and the slice that they are; returns the groups of
            these rows.
        n_row_groups, row_weights
            Of rows; see `group_rows`.

        Returns
        -------
        row_labels : ndarray of shape (m,)
            The groups that ``update`` returned, for all rows.
        sums : ndarray of shape (n, n_row_groups)
            The sums of each column over each group of rows.
        """
        if not self.whole_rows:
            rows = update(self.group_columns(labels, n_groups, weights), slice(0, self.shape[0]))
            return rows, self.group_rows(rows, n_row_groups, row_weights)
        columns = Grouping(labels, n_groups, weights)

        def both(tile: Tile) -> tuple[IntArray, FloatArray]:
            rows = update(tile.group_columns(columns), tile.rows)
            return rows, tile.T.group_columns(Grouping(rows, n_row_groups, row_weights[tile.rows]))

        row_labels, sums = self.collect(both, 0, 1)
        return row_labels, sums
