"""Whether blocks explain a matrix, and whether both halves of it support them.

The latent block model assumes that entries are independent given their block. Simulated ones are.
Rows of real data also differ within a cluster, in many columns at once, so that pooling columns
into clusters loses what tells rows apart, and every such difference is significant: a likelihood
would split without end. It shows in the sums of rows over fine blocks, which then vary more than
independent entries would.
"""

from __future__ import annotations

import numpy as np

from rankone._agreement import adjusted_rand
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
        The matrix, in an order that depends on its entries alone.
    rows, columns : ndarray of int
        Many small clusters of the rows and columns of the matrix that was given.
    loss : {"gaussian", "bernoulli", "poisson"}
        How entries vary around the value of their block.
    """
    rows, columns = canonical.there(rows, columns)
    model = BlockModel.of(canonical.matrix, FAMILIES[loss])
    state = model.state(rows, columns)
    model = model.adapt(state)
    if model.family.dispersion == 0.0:
        return True  # there is no noise
    row_sums, column_sums = model.both_sums(state)
    (m, n), (k, n_column_clusters) = model.matrix.shape, state.shape
    state = model.state(rows, columns, row_sums.grouped(rows, k))
    if model.family.dispersion > BURSTS or _is_heavy_tailed(model, state):
        return False
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

    Parameters
    ----------
    canonical : Canonical
        The matrix, in an order that depends on its entries alone.
    fit : BlockFit
        The blocks that were found in it.
    """
    fit = fit.in_canonical_order(canonical)
    model, state = BlockModel(canonical.matrix, fit.law), fit.state
    rows, columns = (_in_halves(side) for side in (state.T, state))
    by_rows, by_columns = model.both_soft_sums(rows, columns)
    sides = (model, state, by_rows), (model.T, state.T, by_columns)
    return all(side.shape[0] == 1 or _halves_agree(of, side, sums) for of, side, sums in sides)


def _in_halves(state: State) -> FloatArray:
    """Return which columns are in which cluster, in one half of them and then in the other."""
    half = np.random.default_rng(0).permutation(state.columns.size) % 2 == 0
    membership = members(state.columns, state.shape[1])
    return np.hstack([membership * half[:, None], membership * ~half[:, None]])


def _halves_agree(model: BlockModel, state: State, sums: Sums) -> bool:
    """Say whether rows get the same labels from their sums over two halves of the columns."""
    n_clusters = state.shape[1]
    first, second = (
        model.log_posterior(
            Sums(sums.total[:, half], sums.size[:, half]), state.blocks, state.row_sizes
        ).argmax(axis=1)
        for half in (slice(n_clusters), slice(n_clusters, None))
    )
    if np.array_equal(first, second):
        return True
    agreement, random = adjusted_rand(first, second), np.random.default_rng(1)
    as_good = sum(
        adjusted_rand(first, random.permutation(second)) >= agreement for _ in range(ORDERS)
    )
    return as_good <= AS_GOOD
