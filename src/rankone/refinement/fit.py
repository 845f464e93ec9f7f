"""Blocks of a matrix, as they were found, and what they say of new rows."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy.special import softmax

from rankone.matrix import Matrix
from rankone.matrix.base import members
from rankone.matrix.canonical import Canonical
from rankone.refinement.families import ratio
from rankone.refinement.model import Sums, chances
from rankone.typing import FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class BlockFit:
    """Blocks of a matrix: what places its rows and columns in clusters, and new rows likewise.

    Attributes
    ----------
    loss : {"gaussian", "poisson"}
    row_labels, column_labels : ndarray
    values : ndarray of shape (k, l)
        The value of each block: its mean, or its rate beside the margins.
    natural, cumulant : ndarray of shape (k, l)
        What the log-likelihood of a row multiplies its sums with.
    row_margins, column_margins : ndarray
        Ones; for counts, the rank-one fit.
    row_scales, column_scales : ndarray
        What sums weigh rows and columns with.
    centre : float
        What is subtracted from all entries.
    dispersion : float
        The variance of counts beside their mean, as it was used; 1 for Gaussian entries.
    criterion : float
        The integrated classification likelihood, up to a constant of the matrix and the loss.
    history : ndarray
        The criterion from the start to the end; it never falls. Where clusters of the start were
        merged because they explain too little, it begins after that.
    n_iter : int
        The number of sweeps.
    converged : bool
        Whether no row and no column would rather be in another cluster.
    """

    loss: str
    row_labels: IntArray
    column_labels: IntArray
    values: FloatArray
    natural: FloatArray
    cumulant: FloatArray
    row_margins: FloatArray
    column_margins: FloatArray
    row_scales: FloatArray
    column_scales: FloatArray
    centre: float
    dispersion: float
    criterion: float
    history: FloatArray
    n_iter: int
    converged: bool

    @property
    def T(self) -> BlockFit:
        """The same of the transpose."""
        return replace(
            self,
            row_labels=self.column_labels,
            column_labels=self.row_labels,
            values=self.values.T,
            natural=self.natural.T,
            cumulant=self.cumulant.T,
            row_margins=self.column_margins,
            column_margins=self.row_margins,
            row_scales=self.column_scales,
            column_scales=self.row_scales,
        )

    def renumbered(self, rows: IntArray, columns: IntArray) -> BlockFit:
        """Return the same with other numbers: those of the given clusters, in their order."""
        pick = np.ix_(rows, columns)
        return replace(
            self,
            row_labels=np.argsort(rows)[self.row_labels],
            column_labels=np.argsort(columns)[self.column_labels],
            values=self.values[pick],
            natural=self.natural[pick],
            cumulant=self.cumulant[pick],
        )

    def in_given_order(self, canonical: Canonical) -> BlockFit:
        """Return blocks of a matrix in canonical order as those of the matrix that was given."""
        fit = self.T if canonical.turned else self
        orders = np.argsort(canonical.rows), np.argsort(canonical.columns)
        return fit._reordered(*orders)

    def in_canonical_order(self, canonical: Canonical) -> BlockFit:
        """Return blocks of the matrix that was given as those of the one in canonical order."""
        fit = self._reordered(canonical.rows, canonical.columns)
        return fit.T if canonical.turned else fit

    def _reordered(self, rows: IntArray, columns: IntArray) -> BlockFit:
        return replace(
            self,
            row_labels=self.row_labels[rows],
            column_labels=self.column_labels[columns],
            row_margins=self.row_margins[rows],
            column_margins=self.column_margins[columns],
            row_scales=self.row_scales[rows],
            column_scales=self.column_scales[columns],
        )

    def margins_of(self, matrix: Matrix) -> FloatArray:
        """Return the margins of the rows of a matrix with the same columns."""
        if self.loss == "gaussian":
            return np.ones(matrix.shape[0])
        return ratio(matrix.totals.rows, matrix.observed @ self.column_margins)

    def probabilities(self, matrix: Matrix) -> FloatArray:
        """Return how probable each cluster is for each row of a matrix with the same columns."""
        number = self.values.shape[1]
        total = matrix.group_columns(self.column_labels, number, self.column_scales)
        weights = self.column_scales * self.column_margins
        weighted = matrix.observed @ members(self.column_labels, number, weights)
        size = self.margins_of(matrix)[:, None] * weighted
        sums = Sums(total - self.centre * size, size)
        sizes = np.bincount(self.row_labels, minlength=self.values.shape[0])
        return np.asarray(softmax(chances(sums, self.natural, self.cumulant, sizes), axis=1))

    def expected(self, margins: FloatArray, rows: IntArray, columns: IntArray) -> FloatArray:
        """Return what is expected of entries: row by row, given margins and clusters of rows."""
        values = self.values[rows, self.column_labels[columns]]
        return (
            values if self.loss == "gaussian" else margins * self.column_margins[columns] * values
        )
