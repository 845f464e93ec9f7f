r"""The latent block model: every entry is the value of its block, plus noise.

.. math:: \mathrm{ICL}(z, w) = \log p(A \mid z, w, \hat\theta) + \sum_i \log \hat\pi_{z_i} +
          \sum_j \log \hat\rho_{w_j} - \frac{k - 1}{2} \log m - \frac{l - 1}{2} \log n
          - \frac{d_{kl}}{2} \log N

with N observed entries and d free block values. Given the labels of the columns, the matrix is read
once, for the sums of each row over each cluster of columns; everything about the labels of the rows
follows from these sums.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from rankone._criteria import scarcity
from rankone.matrix import Matrix
from rankone.matrix.base import members
from rankone.matrix.tiles import Grouping
from rankone.refinement.families import Family
from rankone.refinement.law import Law
from rankone.refinement.state import State, Sums
from rankone.typing import FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class BlockModel:
    """A matrix, and the law of its entries.

    Attributes
    ----------
    matrix : Matrix
    law : Law
    """

    matrix: Matrix
    law: Law

    @classmethod
    def of(cls, matrix: Matrix, family: type[Family]) -> BlockModel:
        """Return the model of a matrix before any blocks are known."""
        return cls(matrix, family.law_of(matrix))

    @property
    def family(self) -> Family:
        """The distribution of an entry."""
        return self.law.family

    @property
    def n_entries(self) -> float:
        """The number of observed entries."""
        return float(self.matrix.totals.row_counts.sum())

    @property
    def T(self) -> BlockModel:
        """The model of the transpose."""
        return BlockModel(self.matrix.T, self.law.T)

    def adapt(self, state: State) -> BlockModel:
        """Return the model whose law is adapted to blocks; this one if its law does not change."""
        law = self.family.adapt(self, state)
        return self if law is self.law else replace(self, law=law)

    def row_sums(self, columns: IntArray, n_clusters: int) -> Sums:
        """Return the sums of each row over each cluster of columns."""
        product = self.matrix.group_columns(columns, n_clusters, self.law.columns.scales)
        return self.scale(product, self.row_sizes(members(columns, n_clusters)))

    def both_sums(self, state: State) -> tuple[Sums, Sums]:
        """Return the sums of rows over clusters of columns, and the reverse, in one sweep."""
        columns = Grouping(state.columns, state.shape[1], self.law.columns.scales)
        rows = Grouping(state.rows, state.shape[0], self.law.rows.scales)
        by_rows, by_columns = self.matrix.group_both(columns, rows)
        return (
            self.scale(by_rows, self.row_sizes(columns.unweighted)),
            self.T.scale(by_columns, self.T.row_sizes(rows.unweighted)),
        )

    def both_soft_sums(self, rows: FloatArray, columns: FloatArray) -> tuple[Sums, Sums]:
        """Return the same, given the degree to which rows and columns belong to clusters."""
        by_rows, by_columns = self.matrix.dot_both(
            self.law.columns.scales[:, None] * columns, self.law.rows.scales[:, None] * rows
        )
        return (
            self.scale(by_rows, self.row_sizes(columns)),
            self.T.scale(by_columns, self.T.row_sizes(rows)),
        )

    def soft_row_sums(self, membership: FloatArray) -> Sums:
        """Return the sums of rows, given the degree to which columns belong to clusters."""
        product = self.matrix @ (self.law.columns.scales[:, None] * membership)
        return self.scale(product, self.row_sizes(membership))

    def row_sizes(self, membership: FloatArray) -> FloatArray:
        """Return the sizes that the sums of each row are compared with."""
        weighted = self.law.columns.weights[:, None] * membership
        return self.law.rows.weights[:, None] * (self.matrix.observed @ weighted)

    def scale(self, product: FloatArray, size: FloatArray, rows: slice = slice(None)) -> Sums:
        """Return the sums of rows, given their product with scaled columns."""
        total = self.law.rows.scales[rows, None] * product
        centre = self.law.centre
        return Sums(total - centre * size if centre else total, size)

    def state(self, rows: IntArray, columns: IntArray, blocks: Sums | None = None) -> State:
        """Return the state of labels; read the matrix unless the sums of their blocks are given."""
        if blocks is None:
            sums = self.row_sums(columns, int(columns.max()) + 1)
            blocks = sums.grouped(rows, int(rows.max()) + 1)
        return State(rows, columns, blocks, self.criterion(rows, columns, blocks))

    def criterion(self, rows: IntArray, columns: IntArray, blocks: Sums) -> float:
        """Return the integrated classification likelihood, up to a constant."""
        shape = blocks.total.shape
        explained = self.family.explained(blocks.total, blocks.size).sum()
        result = float(self.family.likelihood(explained))
        for labels, n_clusters in zip((rows, columns), shape, strict=True):
            sizes = np.bincount(labels, minlength=n_clusters)
            result += float(sizes[sizes > 0] @ np.log(sizes[sizes > 0] / labels.size))
            result -= (n_clusters - 1) / 2 * np.log(labels.size) + scarcity(n_clusters, labels.size)
        return result - self.family.n_parameters(*shape) / 2 * float(np.log(self.n_entries))

    def log_posterior(self, sums: Sums, blocks: Sums, sizes: npt.NDArray[Any]) -> FloatArray:
        """Return the log-probability of each cluster for each row, up to a constant of the row.

        Parameters
        ----------
        sums : Sums
            Of rows over clusters of columns.
        blocks : Sums
        sizes : ndarray
            The number of rows of each cluster.
        """
        natural, cumulant = self.family.parameters(blocks.total, blocks.size)
        shares = np.log(np.maximum(sizes, 0.5) / max(sizes.sum(), 1))
        return np.asarray(sums.total @ natural.T - sums.size @ cumulant.T + shares)
