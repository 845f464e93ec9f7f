"""The blocks of a matrix as they were fitted, and what they predict for new rows."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from rankone.matrix import Matrix
from rankone.matrix.canonical import Canonical
from rankone.matrix.tiles import Grouping
from rankone.refinement.families import FAMILIES
from rankone.refinement.law import Law, Margins
from rankone.refinement.model import BlockModel
from rankone.refinement.moves import probabilities
from rankone.refinement.state import State, Sums
from rankone.typing import FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class BlockFit:
    """Blocks of a matrix, which place its rows and columns, and new rows, in clusters.

    It holds no matrix. All other attributes are read from the law and the state.

    Attributes
    ----------
    law : Law
        How entries vary around the value of their block.
    state : State
        The labels, the sums of the blocks, and the criterion.
    history : ndarray
        The criterion from the start to the end; it never falls.
    n_iter : int
        The number of sweeps.
    converged : bool
        Whether every row and every column is in its best cluster.
    loss : {"gaussian", "bernoulli", "poisson"}
        How entries vary around the value of their block.
    row_labels, column_labels : ndarray
        The cluster of each row and each column.
    values : ndarray of shape (k, l)
        The value of each block: its mean, or its rate relative to the margins.
    natural, cumulant : ndarray of shape (k, l)
        The parameters of each block: the log-likelihood of a row is linear in them.
    row_margins, column_margins : ndarray
        Ones; for counts, the rank-one fit.
    row_scales, column_scales : ndarray
        The weights of rows and columns in sums.
    centre : float
        Subtracted from all entries.
    dispersion : float
        The variance of counts relative to their mean, as it was used; 1 for Gaussian entries.
    criterion : float
        The integrated classification likelihood, up to a constant of the matrix and the loss.
    """

    law: Law
    state: State
    history: FloatArray
    n_iter: int = 0
    converged: bool = False

    @classmethod
    def of(cls, model: BlockModel, state: State) -> BlockFit:
        """Return the blocks of a state that no search has improved."""
        return cls(model.law, state, np.array([state.criterion]))

    @property
    def loss(self) -> str:
        """The name of the family."""
        return self.law.family.name

    @property
    def row_labels(self) -> IntArray:
        """The cluster of each row."""
        return self.state.rows

    @property
    def column_labels(self) -> IntArray:
        """The cluster of each column."""
        return self.state.columns

    @property
    def values(self) -> FloatArray:
        """The value of each block."""
        return self.law.centre + self.state.blocks.means

    @property
    def natural(self) -> FloatArray:
        """The natural parameter of each block."""
        return self.law.family.parameters(self.state.blocks.total, self.state.blocks.size)[0]

    @property
    def cumulant(self) -> FloatArray:
        """The cumulant of each block."""
        return self.law.family.parameters(self.state.blocks.total, self.state.blocks.size)[1]

    @property
    def row_margins(self) -> FloatArray:
        """The margins of the rows."""
        return self.law.rows.margins

    @property
    def column_margins(self) -> FloatArray:
        """The margins of the columns."""
        return self.law.columns.margins

    @property
    def row_scales(self) -> FloatArray:
        """The scales of the rows."""
        return self.law.rows.scales

    @property
    def column_scales(self) -> FloatArray:
        """The scales of the columns."""
        return self.law.columns.scales

    @property
    def centre(self) -> float:
        """What is subtracted from all entries."""
        return self.law.centre

    @property
    def dispersion(self) -> float:
        """The variance of counts relative to their mean."""
        return self.law.family.dispersion

    @property
    def criterion(self) -> float:
        """The integrated classification likelihood."""
        return self.state.criterion

    @property
    def T(self) -> BlockFit:
        """The blocks of the transpose."""
        return replace(self, law=self.law.T, state=self.state.T)

    def renumbered(self, rows: IntArray, columns: IntArray) -> BlockFit:
        """Return the blocks with their clusters numbered in the given order."""
        return replace(self, state=self.state.renumber(rows, columns))

    def in_given_order(self, canonical: Canonical) -> BlockFit:
        """Return blocks of a matrix in canonical order as those of the matrix that was given."""
        fit = self.T if canonical.turned else self
        return fit._take(np.argsort(canonical.rows), np.argsort(canonical.columns))

    def in_canonical_order(self, canonical: Canonical) -> BlockFit:
        """Return blocks of the matrix that was given as those of the one in canonical order."""
        fit = self._take(canonical.rows, canonical.columns)
        return fit.T if canonical.turned else fit

    def _take(self, rows: IntArray, columns: IntArray) -> BlockFit:
        return replace(self, law=self.law.take(rows, columns), state=self.state.take(rows, columns))

    def margins_of(self, matrix: Matrix) -> FloatArray:
        """Return the margins of the rows of a matrix with the same columns."""
        return self.law.of_new_rows(matrix).rows.margins

    def probabilities(self, matrix: Matrix) -> FloatArray:
        """Return the probability of each cluster for each row of a matrix with the same columns."""
        return probabilities(BlockModel(matrix, self.law.of_new_rows(matrix)), self.state)

    def probabilities_of_both(self, matrix: Matrix) -> tuple[FloatArray, FloatArray]:
        """Return the probabilities of clusters for rows and columns of the fitted matrix."""
        states = self.state, self.state.T
        models = [
            BlockModel(side, law.of_new_rows(side))
            for side, law in ((matrix, self.law), (matrix.T, self.law.T))
        ]
        groups = [
            Grouping(state.columns, state.shape[1], model.law.columns.scales)
            for state, model in zip(states, models, strict=True)
        ]
        rows, columns = (
            probabilities(model, state, model.scale(product, model.row_sizes(group.unweighted)))
            for model, state, group, product in zip(
                models, states, groups, matrix.group_both(*groups), strict=True
            )
        )
        return rows, columns

    def expected(self, margins: FloatArray, rows: IntArray, columns: IntArray) -> FloatArray:
        """Return the expected value of entries.

        Parameters
        ----------
        margins : ndarray
            The margin of the row of each entry.
        rows : ndarray
            The cluster of the row of each entry.
        columns : ndarray
            The column of each entry.
        """
        means = self.state.blocks.means[rows, self.column_labels[columns]]
        return self.law.centre + margins * self.column_margins[columns] * means


#: The classes that a saved fit consists of; their fields are arrays, numbers and one another.
RECORDS = (BlockFit, Law, Margins, State, Sums, *FAMILIES.values())
