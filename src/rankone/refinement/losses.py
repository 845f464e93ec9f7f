"""The models of real numbers and of counts."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from rankone.matrix import Matrix
from rankone.matrix.base import members
from rankone.refinement.families import ROUNDING, Gaussian, Poisson, ratio
from rankone.refinement.model import BlockModel, State
from rankone.typing import FloatArray, IntArray

#: Counts vary at least by this much of their mean; numbers that vary less are grades or the like.
LEAST_DISPERSION = 0.75

#: The dispersion of a row is drawn to that of all as if so many more counts said so.
SHRINKAGE = 30.0

#: How long margins are found anew, beside missing entries.
MARGIN_SWEEPS = 20


def holds_counts(matrix: Matrix) -> bool:
    """Say whether a matrix looks like one of counts."""
    t = matrix.totals
    n_entries, total = float(t.row_counts.sum()), float(t.rows.sum())
    if t.has_negative or total == 0 or not is_whole(matrix):
        return False
    mean = total / n_entries
    # Sums of whole numbers are exact, in whatever order; squares are large only beside large means.
    variance = matrix.sum_of(np.square) / n_entries - mean**2
    has_zeros = matrix.sum_of(lambda a: (a == 0).astype(float)) > 0
    return bool(has_zeros and variance >= LEAST_DISPERSION * mean)


def is_whole(matrix: Matrix) -> bool:
    """Say whether all entries are whole numbers."""
    corner = matrix.part(*(np.arange(min(size, 32)) for size in matrix.shape))
    if (corner % 1 > 0).any():
        return False
    return matrix.sum_of(lambda a: (a % 1 != 0).astype(float)) == 0


def model_of(matrix: Matrix, loss: str) -> BlockModel:
    """Return the model of a loss, ``"gaussian"`` or ``"poisson"``."""
    return gaussian_model(matrix) if loss == "gaussian" else poisson_model(matrix)


def gaussian_model(matrix: Matrix) -> BlockModel:
    """Return the model of entries with one variance."""
    n_entries = float(matrix.totals.row_counts.sum())
    centre = float(matrix.totals.rows.sum()) / n_entries
    family = Gaussian(matrix.sum_of(lambda a: (a - centre) ** 2) or 1.0, n_entries)
    rows, columns = np.ones(matrix.shape[0]), np.ones(matrix.shape[1])
    return BlockModel(matrix, family, rows, columns, rows, columns, centre)


def check_counts(matrix: Matrix) -> None:
    """Refuse negative entries, and say where one is."""
    if matrix.totals.has_negative:
        i, j, value = matrix.first_negative()
        raise ValueError(
            f"loss='poisson' takes no negative entries, but X[{i}, {j}] is {value:g}; "
            "use loss='gaussian'."
        )


def poisson_model(matrix: Matrix) -> BlockModel:
    """Return the model of counts, whose margins are the rank-one fit."""
    check_counts(matrix)
    t = matrix.totals
    total = float(t.rows.sum()) or 1.0
    rows = t.rows * (matrix.shape[1] / t.row_counts)
    columns = t.columns * (matrix.shape[0] / t.column_counts) / total
    ones = np.ones(matrix.shape[0]), np.ones(matrix.shape[1])
    family = Poisson(least=1.0 if is_whole(matrix) else _rounding(matrix, total))
    model = BlockModel(matrix, family, rows, columns, ones[0], ones[1])
    if matrix.n_missing:
        one_row, one_column = (np.zeros(size, np.intp) for size in matrix.shape)
        return _with_margins(model, one_row, one_column, np.ones((1, 1)))
    return model


def _rounding(matrix: Matrix, total: float) -> float:
    """Return the dispersion that rounding leaves of entries that are not whole numbers.

    Their unit is arbitrary, and so is the dispersion; but what is left of squares that cancel is
    known no better than this.
    """
    return max(ROUNDING * matrix.sum_of(np.square) / total, float(np.finfo(float).tiny))


def adapted(model: BlockModel, state: State) -> BlockModel:
    r"""Return the model of counts with the margins and the dispersions that some blocks leave.

    Margins are the best beside the rates of the blocks; with nothing missing they are the sums,
    whatever the blocks. The dispersion of a row is :math:`\sum_j (A_{ij} - E_{ij})^2 / \sum_j
    E_{ij}`, that of a column likewise, and an entry's is nearly the product of both: rows and
    columns that vary more weigh less.
    """
    assert isinstance(model.family, Poisson)
    least = model.family.least
    rates = ratio(state.blocks.total, state.blocks.size)
    if model.matrix.n_missing:
        model = _with_margins(model, state.rows, state.columns, rates)
    m, n = model.matrix.shape
    rows = _residual_squares(model, state, np.ones(n))
    columns = _residual_squares(model.T, state.T, np.ones(m))
    expected = _expected(model), _expected(model.T)
    freedom = max(0.1, 1.0 - (m + n - 1 + rates.size) / model.n_entries)
    overall = max(_share(rows.sum(), expected[0].sum()) / freedom, least)
    scales = []
    for squares, sums in zip((rows, columns), expected, strict=True):
        found = (squares / freedom + SHRINKAGE * overall**2) / (sums + SHRINKAGE * overall)
        scales.append(np.minimum(overall / found, 1.0))
    scaled = replace(model, row_scales=scales[0], column_scales=scales[1])
    rest = float(scales[0] ** 2 @ _residual_squares(model, state, scales[1] ** 2))
    dispersion = _share(rest, _expected(scaled).sum()) / freedom
    # Poisson counts that are scaled vary less than their mean, by their scale.
    dispersion = max(dispersion, least * float(np.mean(scales[0])))
    return replace(scaled, family=Poisson(dispersion, least))


def _share(squares: float, expected: float) -> float:
    """Return the dispersion of all entries; none, where all of them are zero."""
    return float(squares / expected) if expected > 0 else 0.0


def _expected(model: BlockModel) -> FloatArray:
    """Return what the sums of rows are compared with."""
    return model.row_sizes(np.ones((model.matrix.shape[1], 1)))[:, 0]


def _residual_squares(model: BlockModel, state: State, weights: FloatArray) -> FloatArray:
    """Return, for each row, the sum of squared residuals, with a weight for each column."""
    rates = ratio(state.blocks.total, state.blocks.size)[state.rows]
    number = state.shape[1]
    first = weights * model.column_margins
    second = members(state.columns, number, first * model.column_margins)
    squares = model.matrix.squares(column_weights=weights)[0]
    cross = model.row_margins * (
        rates * model.matrix.group_columns(state.columns, number, first)
    ).sum(axis=1)
    model_squares = model.row_margins**2 * (rates**2 * (model.matrix.observed @ second)).sum(axis=1)
    return np.asarray(np.maximum(squares - 2 * cross + model_squares, 0.0))


def _with_margins(
    model: BlockModel, rows: IntArray, columns: IntArray, rates: FloatArray
) -> BlockModel:
    """Return the model with the best margins beside the rates of the blocks.

    The number of sweeps is bounded, because beside observed zeros there need not be a best.
    """
    n_rows, n_columns = rates.shape
    t, observed = model.matrix.totals, model.matrix.observed
    of_rows, of_columns = model.row_margins, model.column_margins
    for _ in range(MARGIN_SWEEPS):
        weighted = observed @ (of_columns[:, None] * members(columns, n_columns))
        of_rows = ratio(t.rows, (weighted * rates[rows]).sum(axis=1))
        weighted = observed.T @ (of_rows[:, None] * members(rows, n_rows))
        of_columns = ratio(t.columns, (weighted * rates.T[columns]).sum(axis=1))
    return replace(model, row_margins=of_rows, column_margins=of_columns)
