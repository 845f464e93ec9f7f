"""Counts: a rate for each block, relative to margins of rows and columns."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from rankone._arithmetic import ratio
from rankone.matrix import Matrix
from rankone.matrix.base import members
from rankone.matrix.tiles import Grouping
from rankone.refinement.families.base import ROUNDING, Family, Point
from rankone.refinement.law import Law, Margins
from rankone.typing import FloatArray, IntArray

if TYPE_CHECKING:
    from rankone.refinement.model import BlockModel
    from rankone.refinement.state import State

#: The rate of an empty block: small, but a count in it is not impossible.
LEAST_RATE = 1e-9

#: Whole numbers whose variance is less than this multiple of their mean are not taken for counts.
LEAST_VARIANCE = 0.75

#: The dispersion of a row is shrunk towards the overall dispersion with this prior weight.
SHRINKAGE = 30.0

#: The number of sweeps in which margins are fitted where entries are missing.
MARGIN_SWEEPS = 20


@dataclass(frozen=True)
class Poisson(Family):
    """Counts with a rate for each block, relative to margins of rows and columns.

    Counts that vary more than Poisson ones would be split without end: likelihoods are divided by
    the dispersion that the blocks leave.

    Attributes
    ----------
    dispersion : float
        The variance of counts relative to their mean.
    least : float
        The smallest dispersion: one for counts, next to nothing where the unit is arbitrary.
    """

    dispersion: float = 1.0
    least: float = 1.0

    name: ClassVar[str] = "poisson"
    has_margins: ClassVar[bool] = True
    accepts_negative: ClassVar[bool] = False
    has_free_variance: ClassVar[bool] = False

    @classmethod
    def suits(cls, matrix: Matrix) -> bool:
        """Return whether a matrix looks like one of counts.

        Whole numbers, none negative, some zero, that vary at least three quarters as much as their
        mean.
        """
        totals = matrix.totals
        n_entries, total = float(totals.row_counts.sum()), float(totals.rows.sum())
        if totals.has_negative or total == 0 or not matrix.census.is_whole:
            return False
        mean = total / n_entries
        # Sums of whole numbers are exact, in any order, unless squares are huge; then so is the
        # mean, and their rounding does not matter.
        variance = matrix.census.squares / n_entries - mean**2
        return matrix.census.n_zeros > 0 and variance >= LEAST_VARIANCE * mean

    @classmethod
    def law_of(cls, matrix: Matrix) -> Law:
        """Return the law whose margins are the rank-one fit."""
        totals = matrix.totals
        total = float(totals.rows.sum()) or 1.0
        rows, columns = (Margins.even(size) for size in matrix.shape)
        law = Law(
            cls(least=1.0 if matrix.census.is_whole else _rounding(matrix, total)),
            replace(rows, margins=totals.rows * (matrix.shape[1] / totals.row_counts)),
            replace(
                columns, margins=totals.columns * (matrix.shape[0] / totals.column_counts) / total
            ),
        )
        if not matrix.n_missing:
            return law
        row_labels, column_labels = (np.zeros(size, np.intp) for size in matrix.shape)
        return _fit_margins(matrix, law, row_labels, column_labels, np.ones((1, 1)))

    def at(self, mean: FloatArray) -> Point:
        """Return Poisson distributions; the rate of a matrix without blocks is one."""
        rate = np.maximum(mean, LEAST_RATE)
        return Point(np.log(rate), rate - 1.0, mean)

    def adapt(self, model: BlockModel, state: State) -> Law:
        r"""Return the law with the margins and the dispersions that blocks leave.

        Margins are the best given the rates of the blocks; with nothing missing they are the sums,
        whatever the blocks. The dispersion of a row is :math:`\sum_j (A_{ij} - E_{ij})^2 / \sum_j
        E_{ij}`, that of a column likewise, and an entry's is nearly the product of both: rows and
        columns that vary more weigh less.
        """
        matrix, law, rates = model.matrix, model.law, state.blocks.means
        if matrix.n_missing:
            law = _fit_margins(matrix, law, state.rows, state.columns, rates)
        m, n = matrix.shape
        freedom = max(0.1, 1.0 - (m + n - 1 + rates.size) / model.n_entries)
        # Expected sums have the scales of the law before; squares have none.
        expected = _expected(matrix, law), _expected(matrix.T, law.T)
        squares = _squares_of_both(matrix, law, state)
        overall = max(_dispersion(squares[0].sum(), expected[0].sum()) / freedom, self.least)
        row_scales, column_scales = (
            _scales(of_side / freedom, sums, overall)
            for of_side, sums in zip(squares, expected, strict=True)
        )
        scaled = replace(
            law,
            rows=replace(law.rows, scales=row_scales),
            columns=replace(law.columns, scales=column_scales),
        )
        left = float(row_scales**2 @ _scaled_squares(matrix, law, state, column_scales**2))
        dispersion = _dispersion(left, _expected(matrix, scaled).sum()) / freedom
        # Poisson counts that are scaled vary less than their mean, by their scale.
        dispersion = max(dispersion, self.least * float(np.mean(row_scales)))
        return replace(scaled, family=Poisson(dispersion, self.least))


def _rounding(matrix: Matrix, total: float) -> float:
    """Return the least dispersion of entries that are not whole numbers.

    Their unit is arbitrary, and so is their dispersion; but the difference of squares that cancel
    is known no better than this.
    """
    return max(ROUNDING * matrix.census.squares / total, float(np.finfo(float).tiny))


def _dispersion(squares: float, expected: float) -> float:
    """Return the dispersion of all entries; zero where all of them are zero."""
    return float(squares / expected) if expected > 0 else 0.0


def _scales(squares: FloatArray, expected: FloatArray, overall: float) -> FloatArray:
    """Return the overall dispersion relative to that of each row, but no more than one."""
    dispersions = (squares + SHRINKAGE * overall**2) / (expected + SHRINKAGE * overall)
    return np.minimum(overall / dispersions, 1.0)


def _expected(matrix: Matrix, law: Law) -> FloatArray:
    """Return the expected scaled sum of each row."""
    return law.rows.weights * (matrix.observed @ law.columns.weights)


def _squares_of_both(matrix: Matrix, law: Law, state: State) -> tuple[FloatArray, FloatArray]:
    """Return the sums of squared residuals of each row, and of each column, in one sweep."""
    k, n_column_clusters = state.shape
    by_rows, by_columns = matrix.group_both(
        Grouping(state.columns, n_column_clusters, law.columns.margins),
        Grouping(state.rows, k, law.rows.margins),
    )
    return (
        _residual_squares(matrix, law, state, matrix.census.row_squares, by_rows),
        _residual_squares(matrix.T, law.T, state.T, matrix.census.column_squares, by_columns),
    )


def _scaled_squares(
    matrix: Matrix, law: Law, state: State, column_weights: FloatArray
) -> FloatArray:
    """Return the sum of squared residuals of each row, with a weight for each column."""
    groups = Grouping(state.columns, state.shape[1], column_weights * law.columns.margins)
    squares, sums = matrix.collect(
        lambda tile: (
            tile.squared().dot(column_weights[tile.columns]),
            tile.group_columns(groups.of(tile.columns)),
        ),
        0,
        0,
    )
    return _residual_squares(matrix, law, state, squares, sums, column_weights)


def _residual_squares(
    matrix: Matrix,
    law: Law,
    state: State,
    squares: FloatArray,
    sums: FloatArray,
    column_weights: FloatArray | float = 1.0,
) -> FloatArray:
    """Return the sum of squared residuals of each row.

    Parameters
    ----------
    matrix : Matrix
    law : Law
    state : State
    squares : ndarray of shape (m,)
        The weighted sums of squares of each row.
    sums : ndarray of shape (m, l)
        Its weighted sums over the clusters of columns, each multiplied by its margin.
    column_weights : ndarray of shape (n,) or float
    """
    rates, margins = state.blocks.means[state.rows], law.rows.margins
    second = members(state.columns, state.shape[1], column_weights * law.columns.margins**2)
    expected_squares = (rates**2 * (matrix.observed @ second)).sum(axis=1)
    squares = squares - 2 * margins * (rates * sums).sum(axis=1) + margins**2 * expected_squares
    return np.maximum(squares, 0.0)


def _fit_margins(
    matrix: Matrix, law: Law, rows: IntArray, columns: IntArray, rates: FloatArray
) -> Law:
    """Return the law with the best margins given the rates of the blocks.

    The number of sweeps is bounded: where observed entries are zero there may be no best margins.
    """
    n_row_clusters, n_column_clusters = rates.shape
    totals, observed = matrix.totals, matrix.observed
    of_rows, of_columns = law.rows.margins, law.columns.margins
    for _ in range(MARGIN_SWEEPS):
        weighted = observed @ (of_columns[:, None] * members(columns, n_column_clusters))
        of_rows = ratio(totals.rows, (weighted * rates[rows]).sum(axis=1))
        weighted = observed.T @ (of_rows[:, None] * members(rows, n_row_clusters))
        of_columns = ratio(totals.columns, (weighted * rates.T[columns]).sum(axis=1))
    return replace(
        law,
        rows=replace(law.rows, margins=of_rows),
        columns=replace(law.columns, margins=of_columns),
    )
