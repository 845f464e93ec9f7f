"""Whether blocks explain a matrix, and whether both halves of it support them.

The latent block model assumes that entries are independent given their block. Simulated ones are.
Rows of real data also differ within a cluster, in many columns at once, so that pooling columns
into clusters loses what tells rows apart, and every such difference is significant: a likelihood
would split without end. It shows in the sums of rows over fine blocks, which then vary more than
independent entries would.
"""

from __future__ import annotations

import numpy as np
from sklearn.metrics import adjusted_rand_score

from rankone.matrix.base import members
from rankone.matrix.canonical import Canonical
from rankone.refinement.families import FAMILIES, Family
from rankone.refinement.fit import BlockFit
from rankone.refinement.model import BlockModel
from rankone.refinement.state import State, Sums
from rankone.typing import FloatArray, IntArray

__all__ = ["blocks_explain", "halves_support"]

#: Lines deserve means of their own if their sums have more than twice the variance of independent
#: entries: Akaike's criterion, for which a parameter must explain more than it costs.
TWICE = 2.0

#: Counts burst if they vary more than this multiple of Poisson counts, given fine blocks.
BURSTS = 1.25

#: The share of the variance that is rounding.
NOTHING = 1e-10

#: Rows and columns that are looked at for heavy tails.
SAMPLE = 256

#: Orders of labels that agreement is compared with, and how many may do as well.
ORDERS, AS_GOOD = 39, 1


def blocks_explain(canonical: Canonical, rows: IntArray, columns: IntArray, loss: str) -> bool:
    """Say whether blocks of fine clusters leave nothing but the noise of single entries.

    Parameters
    ----------
    canonical : Canonical
    rows, columns : ndarray of int
        Many small clusters of the rows and columns of the matrix that was given.
    loss : str
    """
    rows, columns = canonical.there(rows, columns)
    model = BlockModel.of(canonical.matrix, FAMILIES[loss])
    model = model.adapt(model.state(rows, columns))
    if model.family.dispersion == 0.0:
        return True  # there is no noise
    state = model.state(rows, columns)
    if model.family.dispersion > BURSTS or _is_heavy_tailed(model, state):
        return False
    (m, n), (k, n_column_clusters) = model.matrix.shape, state.shape
    row_sums, column_sums = model.row_sums(columns, n_column_clusters), model.T.row_sums(rows, k)
    row_squares = _squares(model.family, row_sums, state.blocks.means[rows])
    column_squares = _squares(model.family, column_sums, state.blocks.means.T[columns])
    # Squares, in units of the variance, are twice the log-likelihood that they explain.
    explained = model.family.explained(state.blocks.total, state.blocks.size).sum()
    explained += (row_squares + column_squares) / 2
    freedom = model.n_entries - m * n_column_clusters - n * k + k * n_column_clusters
    unit = float(model.family.dispersion_given(np.asarray(explained), freedom))
    if unit <= NOTHING * float(model.family.dispersion_given(np.zeros(()))):
        return True  # there is no noise
    wide_rows = row_squares > TWICE * unit * max(m - k, 0) * n_column_clusters
    wide_columns = column_squares > TWICE * unit * max(n - n_column_clusters, 0) * k
    return not (wide_rows or wide_columns)


def _is_heavy_tailed(model: BlockModel, state: State) -> bool:
    """Say whether entries of one variance have more than twice the fourth moment of Gaussian ones.

    A search for blocks would then find those of single large entries. A sample of rows and columns
    tells.
    """
    if not model.family.has_free_variance:
        return False
    random = np.random.default_rng(0)
    rows, columns = (
        np.sort(random.choice(size, min(size, SAMPLE), replace=False))
        for size in model.matrix.shape
    )
    means = model.law.centre + state.blocks.means[np.ix_(state.rows[rows], state.columns[columns])]
    rest = model.matrix.part(rows, columns) - means
    rest = rest[np.isfinite(rest)] / (np.nanmax(np.abs(rest)) or 1.0)
    return bool(np.mean(rest**4) > TWICE * 3.0 * np.mean(rest**2) ** 2)


def _squares(family: Family, sums: Sums, means: FloatArray) -> float:
    """Return the squared deviations of sums from their expectation, in units of their variance."""
    deviations = Sums((sums.total - sums.size * means) ** 2, sums.size * family.at(means).variance)
    return float(deviations.means.sum())


def halves_support(canonical: Canonical, fit: BlockFit) -> bool:
    """Say whether rows get the same labels from two halves of the columns, and columns likewise.

    A cluster that fits a few large entries is seen by one half only. Agreement must be better than
    that of labels in random order.
    """
    fit = fit.in_canonical_order(canonical)
    model, state = BlockModel(canonical.matrix, fit.law), fit.state
    sides = (model, state), (model.T, state.T)
    return all(side.shape[0] == 1 or _halves_agree(of, side) for of, side in sides)


def _halves_agree(model: BlockModel, state: State) -> bool:
    """Say whether rows get the same labels from two halves of the columns."""
    random = np.random.default_rng(0)
    half = random.permutation(state.columns.size) % 2 == 0
    membership = members(state.columns, state.shape[1])
    first, second = (
        model.log_posterior(
            model.soft_row_sums(membership * of_half[:, None]), state.blocks, state.row_sizes
        ).argmax(axis=1)
        for of_half in (half, ~half)
    )
    agreement = adjusted_rand_score(first, second)
    as_good = sum(
        adjusted_rand_score(first, random.permutation(second)) >= agreement for _ in range(ORDERS)
    )
    return bool(agreement == 1.0 or as_good <= AS_GOOD)
