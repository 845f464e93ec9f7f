"""Directions along which clusters of rows are split: leading singular vectors of residuals."""

from __future__ import annotations

import numpy as np
from scipy.sparse.linalg import svds

from rankone._arithmetic import ratio
from rankone.matrix.base import members
from rankone.refinement.model import BlockModel
from rankone.refinement.sampling import largest
from rankone.refinement.state import State, Sums
from rankone.typing import FloatArray, IntArray

#: The number of rows, and of columns, in which the residuals of a large cluster are sampled, and
#: the number of power iterations that then take account of all entries.
SAMPLE, POWER = 512, 1

#: For each cluster, a value for each member, along which it is split; None if it is not split.
Directions = list[FloatArray | None]


def by_blocks(state: State, sums: Sums, least: int) -> Directions:
    """Return the leading residuals over clusters of columns, for each cluster of rows.

    Clusters of fewer than two times ``least`` members are not split.
    """
    directions: Directions = []
    for cluster, means in enumerate(state.blocks.means):
        inside = np.flatnonzero(state.rows == cluster)
        if inside.size < 2 * least:
            directions.append(None)
        else:
            part = sums.take(inside)
            residuals = ratio(part.total - part.size * means, np.sqrt(part.size))
            directions.append(_leading_pair(residuals)[0])
    return directions


def by_entries(model: BlockModel, state: State, least: int) -> Directions:
    """Return the leading residuals over single columns, for each cluster of rows.

    For large clusters the weights of columns come from a sample of the residuals. All rows are then
    multiplied by these weights, and columns by the result in turn, which takes account of all
    entries.
    """
    residuals = _Residuals(model, state)
    n = model.matrix.shape[1]
    weights = np.zeros((n, state.shape[0]))
    columns = _sample(np.arange(n), model.T)
    sampled = columns.size < n
    for cluster in range(state.shape[0]):
        inside = np.flatnonzero(state.rows == cluster)
        if inside.size >= 2 * least:
            rows = _sample(inside, model)
            sampled |= rows.size < inside.size
            weights[columns, cluster] = _leading_pair(residuals.part(cluster, rows, columns))[1]
    values = residuals.dot(weights)
    for _ in range(POWER if sampled else 0):
        values = residuals.dot(residuals.dot_transposed(values))
    return [
        values[state.rows == cluster] if weights[:, cluster].any() else None
        for cluster in range(state.shape[0])
    ]


class _Residuals:
    """The residuals of each cluster of rows, standardised to equal variance.

    Products are with one vector per cluster: each row is multiplied by that of its own cluster.
    What the rows of a cluster have in common in a column is removed, because rows are to be told
    apart: where columns differ within their clusters, it would be the leading pair.
    """

    def __init__(self, model: BlockModel, state: State):
        self.matrix, self.law, self.state = model.matrix, model.law, state
        rows, columns = model.law.rows, model.law.columns
        self.row_factors = np.sqrt(ratio(rows.scales, rows.margins))
        self.column_factors = np.sqrt(ratio(columns.scales, columns.margins))
        self.common = self.row_factors * rows.margins
        # The expectation of an entry in each cluster, relative to the margin of its row.
        self.expected = columns.margins[:, None] * state.blocks.means[:, state.columns].T

    def part(self, cluster: int, rows: IntArray, columns: IntArray) -> FloatArray:
        """Return residuals of rows of one cluster; zeros where entries are missing."""
        expected = np.outer(self.law.rows.margins[rows], self.expected[columns, cluster])
        residuals = self.matrix.part(rows, columns) - self.law.centre - expected
        residuals *= self.row_factors[rows, None]
        residuals *= self.column_factors[columns]
        residuals = np.nan_to_num(residuals, copy=False)
        common = self.common[rows]
        return np.asarray(residuals - np.outer(ratio(common, common @ common), common @ residuals))

    def dot(self, weights: FloatArray) -> FloatArray:
        """Return the product of each row with the weights of its cluster."""
        law, rows, n_clusters = self.law, self.state.rows, self.state.shape[0]
        weights = self.column_factors[:, None] * weights
        expected = _pick(self.matrix.observed @ (self.expected * weights), rows)
        values = self.matrix.dot_own(weights, rows) - law.rows.margins * expected
        if law.centre:
            values -= law.centre * _pick(self.matrix.observed @ weights, rows)
        values *= self.row_factors
        shared = ratio(
            np.bincount(rows, self.common * values, minlength=n_clusters),
            np.bincount(rows, self.common**2, minlength=n_clusters),
        )
        return np.asarray(values - self.common * shared[rows])

    def dot_transposed(self, values: FloatArray) -> FloatArray:
        """Return the products of columns with the rows of each cluster, as unit vectors."""
        law, rows, n_clusters = self.law, self.state.rows, self.state.shape[0]
        values = self.row_factors * values
        observed = self.matrix.observed.T
        weights = self.matrix.group_rows(rows, n_clusters, values)
        expected = observed @ members(rows, n_clusters, law.rows.margins * values)
        weights -= self.expected * expected
        if law.centre:
            weights -= law.centre * (observed @ members(rows, n_clusters, values))
        weights *= self.column_factors[:, None]
        return ratio(weights, np.linalg.norm(weights, axis=0))


def _pick(products: FloatArray, labels: IntArray) -> FloatArray:
    """Return the product of each row that belongs to its label."""
    return products[np.arange(labels.size), labels]


def _leading_pair(residuals: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the leading singular vectors."""
    if not residuals.any():
        return np.zeros(residuals.shape[0]), np.zeros(residuals.shape[1])
    if min(residuals.shape) <= 16:
        u, _, v = np.linalg.svd(residuals, full_matrices=False)
        return u[:, 0], v[0]
    u, _, v = svds(residuals, k=1, v0=np.linspace(1.0, 2.0, min(residuals.shape)), tol=1e-2)
    return u[:, 0], v[0]


def _sample(rows: IntArray, model: BlockModel) -> IntArray:
    """Return the most informative rows, if there are many: of counts, those with large margins."""
    if rows.size <= SAMPLE:
        return rows
    keys = model.law.rows.margins[rows]
    return rows[largest(keys, lambda: model.matrix.fingerprints[0][rows], SAMPLE)]
