"""When a cluster more is worth having, where rows differ for other reasons than their cluster.

The latent block model takes entries for independent, given their block. Simulated ones are. Rows of
real data also differ among themselves inside of a cluster, in all columns of a block at once, and
every such difference is significant, so that a likelihood alone would split without end. It shows
in the sums of rows over blocks, which then vary more than their entries let expect. Where it does,
a cluster must not only be significant but also explain something.
"""

from __future__ import annotations

import numpy as np

from rankone.refinement.families import Family, Gaussian, Poisson, ratio
from rankone.refinement.model import BlockModel, State, Sums
from rankone.typing import FloatArray

#: Sums whose variance is more than this many times what their entries let expect.
WIDE = 2.0

#: What one more cluster must explain, of all that the clusters of its side do.
SHARE = 0.05


def is_wide(model: BlockModel, state: State, rows: Sums, columns: Sums) -> bool:
    """Say whether rows, or columns, vary inside of their clusters more than their entries do.

    Parameters
    ----------
    model : BlockModel
    state : State
    rows, columns : Sums
        Of rows over clusters of columns, and of columns over clusters of rows.
    """
    (m, n), (k, number) = model.matrix.shape, state.shape
    means = ratio(state.blocks.total, state.blocks.size)
    of_rows = _squares(model.family, rows, means[state.rows])
    of_columns = _squares(model.family, columns, means.T[state.columns])
    if isinstance(model.family, Poisson):
        unit = model.family.dispersion
    else:
        assert isinstance(model.family, Gaussian)
        left = model.family.squares - float((state.blocks.total * means).sum())
        freedom = model.n_entries - m * number - n * k + k * number
        if freedom <= 0:
            return True  # every entry is a block of its own: there is nothing to compare with
        unit = max(left - of_rows - of_columns, 1e-12 * model.family.squares) / freedom
    wide_rows = of_rows > WIDE * unit * max(m - k, 0) * number
    wide_columns = of_columns > WIDE * unit * max(n - number, 0) * k
    return bool(wide_rows or wide_columns)


def _squares(family: Family, sums: Sums, means: FloatArray) -> float:
    """Return the squared deviations of sums from their expectation, in units of their variance."""
    expected = sums.size * means
    variance = sums.size if isinstance(family, Gaussian) else expected
    return float(ratio((sums.total - expected) ** 2, variance).sum())


def explains(model: BlockModel, few: State, many: State) -> bool:
    """Say whether a state with more clusters explains enough more than one with fewer.

    Where there are more of rows and of columns, enough on the average of both.
    """
    gain = _explained(model, many.blocks) - _explained(model, few.blocks)
    if not gain > 0:
        return False
    shares = [
        gain / max(_by_rows(model, larger), gain) / (larger.shape[0] - smaller.shape[0])
        for smaller, larger in ((few, many), (few.T, many.T))
        if larger.shape[0] > smaller.shape[0]
    ]
    return float(np.mean(shares)) >= SHARE


def _by_rows(model: BlockModel, state: State) -> float:
    """Return what the clusters of rows explain, beside those of columns."""
    everything = state.blocks.grouped(np.zeros(state.shape[0], np.intp), 1)
    return _explained(model, state.blocks) - _explained(model, everything)


def _explained(model: BlockModel, blocks: Sums) -> float:
    return float(model.family.explained(blocks.total, blocks.size).sum())
