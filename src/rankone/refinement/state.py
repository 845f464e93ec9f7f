"""A state of the search: labels, and the sums of their blocks."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from rankone._arithmetic import ratio
from rankone.matrix.base import members
from rankone.typing import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class Sums:
    """Sums of entries, of blocks or of rows over blocks, and the sizes they are compared with.

    Attributes
    ----------
    total : ndarray
        The sums of scaled entries, less the centre.
    size : ndarray
        The sums of scaled products of margins: numbers of entries, where margins are ones.
    """

    total: FloatArray
    size: FloatArray

    @property
    def means(self) -> FloatArray:
        """Totals relative to sizes; zero where nothing is observed."""
        return ratio(self.total, self.size)

    @property
    def n_observed(self) -> int:
        """The number of sums of anything."""
        return int(np.count_nonzero(self.size))

    @property
    def T(self) -> Sums:
        """The sums of the transpose."""
        return Sums(self.total.T, self.size.T)

    @property
    def halves(self) -> tuple[Sums, Sums]:
        """The left and the right half, of as many columns each."""
        k = self.total.shape[1] // 2
        return Sums(self.total[:, :k], self.size[:, :k]), Sums(self.total[:, k:], self.size[:, k:])

    def __add__(self, other: Sums) -> Sums:
        """Return the sums of both."""
        return Sums(self.total + other.total, self.size + other.size)

    def take(self, rows: IntArray | BoolArray) -> Sums:
        """Return the sums of the given rows."""
        return Sums(self.total[rows], self.size[rows])

    def grouped(self, labels: IntArray, n_clusters: int) -> Sums:
        """Add up the rows of each cluster."""
        return self.softly_grouped(members(labels, n_clusters))

    def softly_grouped(self, membership: FloatArray) -> Sums:
        """Add up rows, given the degree to which each row belongs to each cluster."""
        return Sums(membership.T @ self.total, membership.T @ self.size)


@dataclass(frozen=True, eq=False)
class State:
    """Labels of rows and columns, the sums of their blocks, and the criterion.

    Attributes
    ----------
    rows, columns : ndarray
        The labels.
    blocks : Sums
        Of shape (k, l).
    criterion : float
        The integrated classification likelihood, up to a constant of the matrix and its law.
    """

    rows: IntArray
    columns: IntArray
    blocks: Sums
    criterion: float

    @property
    def shape(self) -> tuple[int, int]:
        """The numbers of clusters of rows and of columns."""
        n_row_clusters, n_column_clusters = self.blocks.total.shape
        return n_row_clusters, n_column_clusters

    @property
    def row_sizes(self) -> IntArray:
        """The number of rows of each cluster."""
        return np.bincount(self.rows, minlength=self.shape[0])

    @property
    def T(self) -> State:
        """The state of the transpose."""
        return State(self.columns, self.rows, self.blocks.T, self.criterion)

    def take(self, rows: IntArray, columns: IntArray) -> State:
        """Return the state of a matrix whose rows and columns are in another order."""
        return replace(self, rows=self.rows[rows], columns=self.columns[columns])

    def renumber(self, rows: IntArray, columns: IntArray) -> State:
        """Return the state whose clusters are numbered in the given order."""
        pick = np.ix_(rows, columns)
        return replace(
            self,
            rows=np.argsort(rows)[self.rows],
            columns=np.argsort(columns)[self.columns],
            blocks=Sums(self.blocks.total[pick], self.blocks.size[pick]),
        )

    def has_labels_of(self, other: State) -> bool:
        """Return whether another state has the same labels."""
        return np.array_equal(self.rows, other.rows) and np.array_equal(self.columns, other.columns)
