"""Directions along which clusters of rows are split: leading singular vectors of residuals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.sparse.linalg import svds

from rankone._arithmetic import ratio
from rankone.matrix.base import members
from rankone.matrix.tiles import Grouping
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


def by_entries(
    model: BlockModel, state: State, least: tuple[int, int]
) -> tuple[Directions, Directions]:
    """Return the leading residuals over single columns, for each cluster of rows; and vice versa.

    For large clusters the weights of columns come from a sample of the residuals. All rows are then
    multiplied by these weights, and columns by the result in turn, which takes account of all
    entries. Products of rows and of columns are made in one sweep.
    """
    sides = _Residuals(model, state), _Residuals(model.T, state.T)
    starts = [side.start(smallest) for side, smallest in zip(sides, least, strict=True)]
    values = _dot(sides, [start.weights for start in starts])
    if any(start.sampled for start in starts):
        for _ in range(POWER):
            again = _dot(sides, _dot_transposed(sides, values))
            values = [
                new if start.sampled else old
                for start, new, old in zip(starts, again, values, strict=True)
            ]
    rows, columns = (
        [
            of_side[side.state.rows == cluster] if start.weights[:, cluster].any() else None
            for cluster in range(side.state.shape[0])
        ]
        for side, start, of_side in zip(sides, starts, values, strict=True)
    )
    return rows, columns


def _dot(sides: Pair, weights: Sequence[FloatArray]) -> list[FloatArray]:
    """Return the product of each row, and of each column, with the weights of its cluster."""
    of_rows, of_columns = (
        side.column_factors[:, None] * of_side for side, of_side in zip(sides, weights, strict=True)
    )
    rows, columns = (side.state.rows for side in sides)
    products = sides[0].matrix.collect(
        lambda tile: (
            tile.dot_own(of_rows[tile.columns], rows[tile.rows]),
            tile.T.dot_own(of_columns[tile.rows], columns[tile.columns]),
        ),
        0,
        1,
    )
    return [
        side.standardised(product, of_side)
        for side, product, of_side in zip(sides, products, (of_rows, of_columns), strict=True)
    ]


def _dot_transposed(sides: Pair, values: Sequence[FloatArray]) -> list[FloatArray]:
    """Return the weights of columns, and of rows, that the values of clusters give."""
    rows, columns = (
        Grouping(side.state.rows, side.state.shape[0], side.row_factors * of_side)
        for side, of_side in zip(sides, values, strict=True)
    )
    by_rows, by_columns = sides[0].matrix.group_both(columns, rows)
    return [
        sides[0].standardised_transposed(by_columns, rows),
        sides[1].standardised_transposed(by_rows, columns),
    ]


class _Start(NamedTuple):
    """The weights of columns in each cluster of rows, and whether they come from a sample."""

    weights: FloatArray
    sampled: bool


class _Residuals:
    """The residuals of each cluster of rows, standardised to equal variance.

    Products are with one vector per cluster: each row is multiplied by that of its own cluster.
    What the rows of a cluster have in common in a column is removed, because rows are to be told
    apart: where columns differ within their clusters, it would be the leading pair.
    """

    def __init__(self, model: BlockModel, state: State):
        self.model, self.matrix, self.law, self.state = model, model.matrix, model.law, state
        rows, columns = model.law.rows, model.law.columns
        self.row_factors = np.sqrt(ratio(rows.scales, rows.margins))
        self.column_factors = np.sqrt(ratio(columns.scales, columns.margins))
        self.common = self.row_factors * rows.margins
        # The expectation of an entry in each cluster, relative to the margin of its row.
        self.expected = columns.margins[:, None] * state.blocks.means[:, state.columns].T

    def start(self, least: int) -> _Start:
        """Return the leading right vectors of the clusters, of large ones from a sample.

        Clusters of fewer than two times ``least`` members have none.
        """
        n, n_clusters = self.matrix.shape[1], self.state.shape[0]
        weights, sampled = np.zeros((n, n_clusters)), {}
        for cluster in range(n_clusters):
            inside = np.flatnonzero(self.state.rows == cluster)
            if inside.size >= 2 * least:
                sampled[cluster] = _sample(inside, self.model)
        if not sampled:
            return _Start(weights, False)
        columns = _sample(np.arange(n), self.model.T)
        entries = self.matrix.part(np.concatenate([*sampled.values()]), columns)
        places = np.cumsum([0, *(rows.size for rows in sampled.values())])
        for (cluster, rows), start, stop in zip(
            sampled.items(), places[:-1], places[1:], strict=True
        ):
            residuals = self.part(entries[start:stop], cluster, rows, columns)
            weights[columns, cluster] = _leading_pair(residuals)[1]
        sizes = np.bincount(self.state.rows)
        is_sample = columns.size < n or any(r.size < sizes[c] for c, r in sampled.items())
        return _Start(weights, is_sample)

    def part(
        self, entries: FloatArray, cluster: int, rows: IntArray, columns: IntArray
    ) -> FloatArray:
        """Return the residuals of entries of one cluster; zeros where entries are missing."""
        expected = np.outer(self.law.rows.margins[rows], self.expected[columns, cluster])
        residuals = entries - self.law.centre - expected
        residuals *= self.row_factors[rows, None]
        residuals *= self.column_factors[columns]
        residuals = np.nan_to_num(residuals, copy=False)
        common = self.common[rows]
        return np.asarray(residuals - np.outer(ratio(common, common @ common), common @ residuals))

    def standardised(self, values: FloatArray, weights: FloatArray) -> FloatArray:
        """Return the products of residuals, given those of entries with weights of columns."""
        law, rows, n_clusters = self.law, self.state.rows, self.state.shape[0]
        expected = _pick(self.matrix.observed @ (self.expected * weights), rows)
        values = values - law.rows.margins * expected
        if law.centre:
            values -= law.centre * _pick(self.matrix.observed @ weights, rows)
        values *= self.row_factors
        shared = ratio(
            np.bincount(rows, self.common * values, minlength=n_clusters),
            np.bincount(rows, self.common**2, minlength=n_clusters),
        )
        return np.asarray(values - self.common * shared[rows])

    def standardised_transposed(self, weights: FloatArray, rows: Grouping) -> FloatArray:
        """Return the products of columns with residuals of each cluster, as unit vectors.

        Given those with entries, and the rows of each cluster with their values.
        """
        law, observed = self.law, self.matrix.observed.T
        expected = observed @ members(rows.labels, rows.n_groups, law.rows.margins * rows.weights)
        weights = weights - self.expected * expected
        if law.centre:
            weights -= law.centre * (observed @ rows.members)
        weights *= self.column_factors[:, None]
        return ratio(weights, np.linalg.norm(weights, axis=0))


#: Rows, and columns.
Pair = tuple[_Residuals, _Residuals]


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
