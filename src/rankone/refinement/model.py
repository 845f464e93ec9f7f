r"""The latent block model: every entry is its block's value and noise.

.. math:: \mathrm{ICL}(z, w) = \log p(A \mid z, w, \hat\theta) + \sum_i \log \hat\pi_{z_i} +
          \sum_j \log \hat\rho_{w_j} - \frac{k - 1}{2} \log m - \frac{l - 1}{2} \log n
          - \frac{d_{kl}}{2} \log N

with N entries and d values of blocks. Given the labels of the columns, the matrix is read once, for
the sums of each row over each block, and all about the labels of the rows follows from these.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rankone._criteria import scarcity
from rankone.matrix import Matrix
from rankone.matrix.base import members
from rankone.refinement.families import Family
from rankone.typing import FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class Sums:
    """Sums of entries, and what they are compared with: of blocks, or of rows over blocks."""

    total: FloatArray
    size: FloatArray

    def grouped(self, labels: IntArray, n_clusters: int) -> Sums:
        """Add up the rows of each cluster."""
        return self.softly_grouped(members(labels, n_clusters))

    def softly_grouped(self, belonging: FloatArray) -> Sums:
        """Add up rows that belong to clusters by degrees."""
        return Sums(belonging.T @ self.total, belonging.T @ self.size)

    @property
    def T(self) -> Sums:
        """The same for the transpose."""
        return Sums(self.total.T, self.size.T)


@dataclass(frozen=True, eq=False)
class State:
    """Labels of rows and columns, the sums of their blocks, and the criterion.

    Attributes
    ----------
    rows, columns : ndarray
    blocks : Sums
        Of shape (k, l).
    criterion : float
    """

    rows: IntArray
    columns: IntArray
    blocks: Sums
    criterion: float

    @property
    def shape(self) -> tuple[int, int]:
        """The numbers of clusters."""
        n_rows, n_columns = self.blocks.total.shape
        return n_rows, n_columns

    @property
    def T(self) -> State:
        """The same of the transpose."""
        return State(self.columns, self.rows, self.blocks.T, self.criterion)


@dataclass(frozen=True, eq=False)
class BlockModel:
    """A matrix, and how its entries vary around the value of their block.

    Attributes
    ----------
    matrix : Matrix
    family : Family
    row_margins, column_margins : ndarray
        What an entry is compared with is the product of both: ones, or the rank-one fit of counts.
    row_scales, column_scales : ndarray
        What an entry, and what it is compared with, are multiplied by: less where entries vary
        more, beside what they are compared with, than in other rows and columns.
    centre : float
        Subtracted from all entries.
    """

    matrix: Matrix
    family: Family
    row_margins: FloatArray
    column_margins: FloatArray
    row_scales: FloatArray
    column_scales: FloatArray
    centre: float = 0.0

    @property
    def n_entries(self) -> float:
        """How many entries exist."""
        return float(self.matrix.totals.row_counts.sum())

    @property
    def T(self) -> BlockModel:
        """The model of the transpose."""
        return BlockModel(
            self.matrix.T,
            self.family,
            self.column_margins,
            self.row_margins,
            self.column_scales,
            self.row_scales,
            self.centre,
        )

    def row_sums(self, labels: IntArray, n_clusters: int) -> Sums:
        """Return the sums of each row over each cluster of columns."""
        product = self.matrix.group_columns(labels, n_clusters, self.column_scales)
        return self.scaled(product, self.row_sizes(members(labels, n_clusters)), slice(None))

    def soft_row_sums(self, belonging: FloatArray) -> Sums:
        """Return the same, where columns belong to clusters by degrees."""
        product = self.matrix @ (self.column_scales[:, None] * belonging)
        return self.scaled(product, self.row_sizes(belonging), slice(None))

    def scaled(self, product: FloatArray, size: FloatArray, rows: slice) -> Sums:
        """Return the sums of some rows, given their scaled product with columns."""
        total = self.row_scales[rows, None] * product
        return Sums(total - self.centre * size if self.centre else total, size)

    def row_sizes(self, belonging: FloatArray) -> FloatArray:
        """Return what the sums of each row are compared with."""
        weighted = (self.column_scales * self.column_margins)[:, None] * belonging
        return (self.row_scales * self.row_margins)[:, None] * (self.matrix.observed @ weighted)

    def start(self, rows: IntArray, columns: IntArray) -> State:
        """Return the state of some labels; this reads the matrix once."""
        sums = self.row_sums(columns, int(columns.max()) + 1)
        return self.state(rows, columns, sums.grouped(rows, int(rows.max()) + 1))

    def state(self, rows: IntArray, columns: IntArray, blocks: Sums) -> State:
        """Return a state with its criterion."""
        return State(rows, columns, blocks, self.criterion(blocks, rows, columns))

    def criterion(self, blocks: Sums, rows: IntArray, columns: IntArray) -> float:
        """Return the integrated classification likelihood, up to a constant."""
        n_clusters = blocks.total.shape
        explained = self.family.explained(blocks.total, blocks.size).sum()
        result = float(self.family.likelihood(explained))
        for labels, number in zip((rows, columns), n_clusters, strict=True):
            sizes = np.bincount(labels, minlength=number)
            result += float(sizes[sizes > 0] @ np.log(sizes[sizes > 0] / labels.size))
            result -= (number - 1) / 2 * np.log(labels.size) + scarcity(number, labels.size)
        return result - self.family.n_parameters(*n_clusters) / 2 * float(np.log(self.n_entries))

    def chances(self, sums: Sums, blocks: Sums, sizes: npt.NDArray[Any]) -> FloatArray:
        """Return the log-likelihood of each row in each cluster, up to a constant of the row."""
        return chances(sums, *self.family.parameters(blocks.total, blocks.size), sizes)


def largest(keys: FloatArray, ties: Callable[[], npt.NDArray[Any]], number: int) -> IntArray:
    """Return where the largest keys are; of equal ones, those whose ties come first.

    In that order, which is not that of the places: labels must not depend on where rows stand.
    Ties are asked for only where they decide.
    """
    least = -np.partition(-keys, number - 1)[number - 1] if number < keys.size else -np.inf
    if np.unique(keys[keys >= least]).size == number:
        return np.argsort(-keys, kind="stable")[:number]
    return np.lexsort((ties(), -keys))[:number]


def chances(
    sums: Sums, natural: FloatArray, cumulant: FloatArray, sizes: npt.NDArray[Any]
) -> FloatArray:
    """Return the log-likelihood of rows in clusters, given the parameters of the blocks."""
    shares = np.log(np.maximum(sizes, 0.5) / max(sizes.sum(), 1))
    return np.asarray(sums.total @ natural.T - sums.size @ cumulant.T + shares)
