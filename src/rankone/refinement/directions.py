"""Along what a cluster of rows is split: the leading singular vector of its residuals."""

from __future__ import annotations

import numpy as np
from scipy.sparse.linalg import svds

from rankone.matrix.base import members
from rankone.refinement.families import ratio
from rankone.refinement.model import BlockModel, State, Sums, largest
from rankone.typing import FloatArray, IntArray

#: Rows and columns that a large cluster is judged by at first, and sweeps that bring in the rest.
SAMPLE, POWER = 512, 1


def by_blocks(state: State, sums: Sums, least: int) -> list[FloatArray | None]:
    """Return, for each cluster of rows, the leading residuals over the blocks of columns.

    None for clusters with less than two times ``least`` members.
    """
    result: list[FloatArray | None] = []
    for cluster, means in enumerate(ratio(state.blocks.total, state.blocks.size)):
        inside = state.rows == cluster
        if inside.sum() < 2 * least:
            result.append(None)
        else:
            total, size = sums.total[inside], sums.size[inside]
            result.append(_leading(ratio(total - size * means, np.sqrt(size)))[0])
    return result


def by_entries(model: BlockModel, state: State, least: int) -> list[FloatArray | None]:
    """Return, for each cluster of rows, the leading residuals over single columns.

    The residuals of large clusters are looked at in a sample, for a weight for each column. All
    rows are then weighed at once, and columns by these in turn, which brings all entries to bear.
    """
    residuals = _Residuals(model, state)
    n = model.matrix.shape[1]
    weights = np.zeros((n, state.shape[0]))
    columns = _sample(np.arange(n), model.T)
    sampled = columns.size < n
    for cluster in range(state.shape[0]):
        members = np.flatnonzero(state.rows == cluster)
        if members.size >= 2 * least:
            rows = _sample(members, model)
            sampled |= rows.size < members.size
            weights[columns, cluster] = _leading(residuals.part(cluster, rows, columns))[1]
    values = residuals.of_rows(weights)
    for _ in range(POWER if sampled else 0):
        values = residuals.of_rows(residuals.of_columns(values))
    return [
        values[state.rows == cluster] if weights[:, cluster].any() else None
        for cluster in range(state.shape[0])
    ]


class _Residuals:
    """The residuals of each cluster of rows, standardised: those of equal variance by chance.

    Products are with a vector for each cluster, and in rows with that of their own. What the rows
    of a cluster have in common in a column is removed: rows are to be told apart, and where columns
    differ inside of their clusters, that would be the leading pair.
    """

    def __init__(self, model: BlockModel, state: State):
        self.model, self.state = model, state
        self.means = ratio(state.blocks.total, state.blocks.size)
        self.row_factors = np.sqrt(ratio(model.row_scales, model.row_margins))
        self.column_factors = np.sqrt(ratio(model.column_scales, model.column_margins))
        self.common = self.row_factors * model.row_margins
        # What an entry of a column lets expect, beside the margin of its row, in each cluster.
        self.expected = model.column_margins[:, None] * self.means[:, state.columns].T

    def part(self, cluster: int, rows: IntArray, columns: IntArray) -> FloatArray:
        """Return some residuals of one cluster; zeros where entries are missing."""
        expected = np.outer(self.model.row_margins[rows], self.expected[columns, cluster])
        residuals = self.model.matrix.part(rows, columns) - self.model.centre - expected
        residuals *= self.row_factors[rows, None]
        residuals *= self.column_factors[columns]
        residuals = np.nan_to_num(residuals, copy=False)
        common = self.common[rows]
        return np.asarray(residuals - np.outer(ratio(common, common @ common), common @ residuals))

    def of_rows(self, weights: FloatArray) -> FloatArray:
        """Return the product of each row with the weights of its cluster."""
        model, rows = self.model, self.state.rows
        weights = self.column_factors[:, None] * weights
        expected = _own(model.matrix.observed @ (self.expected * weights), rows)
        values = model.matrix.dot_own(weights, rows) - model.row_margins * expected
        if model.centre:
            values -= model.centre * _own(model.matrix.observed @ weights, rows)
        values *= self.row_factors
        number = self.state.shape[0]
        shared = ratio(
            np.bincount(rows, self.common * values, minlength=number).astype(float),
            np.bincount(rows, self.common**2, minlength=number).astype(float),
        )
        return np.asarray(values - self.common * shared[rows])

    def of_columns(self, values: FloatArray) -> FloatArray:
        """Return the products of columns with the rows of each cluster, as unit vectors."""
        model, rows, number = self.model, self.state.rows, self.state.shape[0]
        values = self.row_factors * values
        observed = model.matrix.observed.T
        weights = model.matrix.group_rows(rows, number, values)
        weights -= self.expected * (observed @ members(rows, number, model.row_margins * values))
        if model.centre:
            weights -= model.centre * (observed @ members(rows, number, values))
        weights *= self.column_factors[:, None]
        return ratio(weights, np.linalg.norm(weights, axis=0))


def _own(products: FloatArray, labels: IntArray) -> FloatArray:
    return products[np.arange(labels.size), labels]


def _leading(residuals: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the leading singular pair."""
    if not residuals.any():
        return np.zeros(residuals.shape[0]), np.zeros(residuals.shape[1])
    if min(residuals.shape) <= 16:
        u, _, v = np.linalg.svd(residuals, full_matrices=False)
        return u[:, 0], v[0]
    u, _, v = svds(residuals, k=1, v0=np.linspace(1.0, 2.0, min(residuals.shape)), tol=1e-2)
    return u[:, 0], v[0]


def _sample(places: IntArray, model: BlockModel) -> IntArray:
    """Return the rows that tell most, if there are many: of counts, those with large margins."""
    if places.size <= SAMPLE:
        return places
    keys = model.row_margins[places]
    return places[largest(keys, lambda: model.matrix.fingerprints[0][places], SAMPLE)]
