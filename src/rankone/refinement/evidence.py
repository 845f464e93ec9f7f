"""When another cluster is worth having, where rows differ for other reasons than their cluster.

The latent block model assumes that entries are independent given their block. Simulated ones are.
Rows of real data also differ within a cluster, in all columns of a block at once, and every such
difference is significant, so that a likelihood alone would split without end. It shows in the sums
of rows over blocks, which then vary more than independent entries would. Where they do, another
cluster must not only be significant but also explain a fair share.
"""

from __future__ import annotations

import numpy as np

from rankone.refinement.families import Family
from rankone.refinement.model import BlockModel
from rankone.refinement.state import State, Sums
from rankone.typing import FloatArray

#: Sums vary widely if their variance is more than this multiple of that of independent entries.
WIDE = 2.0

#: The share that another cluster must explain, of all that the clusters of its side explain.
SHARE = 0.05


def is_wide(model: BlockModel, state: State, row_sums: Sums, column_sums: Sums) -> bool:
    """Return whether rows, or columns, vary within their clusters more than entries do.

    Parameters
    ----------
    model : BlockModel
    state : State
    row_sums, column_sums : Sums
        Of rows over clusters of columns, and of columns over clusters of rows.
    """
    (m, n), (k, n_column_clusters) = model.matrix.shape, state.shape
    means = state.blocks.means
    row_squares = _squares(model.family, row_sums, means[state.rows])
    column_squares = _squares(model.family, column_sums, means.T[state.columns])
    # Squares, in units of the variance, are twice the log-likelihood that they explain.
    explained = _explained(model, state.blocks) + (row_squares + column_squares) / 2
    freedom = model.n_entries - m * n_column_clusters - n * k + k * n_column_clusters
    unit = float(model.family.dispersion_given(np.asarray(explained), freedom))
    if unit == 0:
        return True  # every entry is a block of its own: there is nothing to compare with
    wide_rows = row_squares > WIDE * unit * max(m - k, 0) * n_column_clusters
    wide_columns = column_squares > WIDE * unit * max(n - n_column_clusters, 0) * k
    return wide_rows or wide_columns


def _squares(family: Family, sums: Sums, means: FloatArray) -> float:
    """Return the squared deviations of sums from their expectation, in units of their variance."""
    deviations = Sums((sums.total - sums.size * means) ** 2, sums.size * family.at(means).variance)
    return float(deviations.means.sum())


def explains(model: BlockModel, few: State, many: State) -> bool:
    """Return whether a state with more clusters explains enough more than one with fewer.

    Where it has more clusters of rows and of columns, enough on the average of both.
    """
    gain = _explained(model, many.blocks) - _explained(model, few.blocks)
    if not gain > 0:
        return False
    shares = [
        gain / max(_explained_by_rows(model, larger), gain) / (larger.shape[0] - smaller.shape[0])
        for smaller, larger in ((few, many), (few.T, many.T))
        if larger.shape[0] > smaller.shape[0]
    ]
    return float(np.mean(shares)) >= SHARE


def _explained_by_rows(model: BlockModel, state: State) -> float:
    """Return what the clusters of rows explain in addition to those of columns."""
    one_cluster = state.blocks.grouped(np.zeros(state.shape[0], np.intp), 1)
    return _explained(model, state.blocks) - _explained(model, one_cluster)


def _explained(model: BlockModel, blocks: Sums) -> float:
    return float(model.family.explained(blocks.total, blocks.size).sum())
