"""Whether blocks explain a matrix, and whether both halves of it support them.

The latent block model assumes that entries are independent given their block. Simulated ones are.
Rows of real data also differ within a cluster, in many columns at once, so that pooling columns
into clusters loses what tells rows apart, and every such difference is significant: a likelihood
would split without end. It shows in the sums of rows over fine blocks, which then vary more than
independent entries would.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from rankone._agreement import adjusted_rand
from rankone.matrix.base import members
from rankone.matrix.canonical import Canonical
from rankone.refinement.families import FAMILIES, Family
from rankone.refinement.fit import BlockFit
from rankone.refinement.model import BlockModel
from rankone.refinement.state import State, Sums
from rankone.typing import BoolArray, FloatArray, IntArray

__all__ = ["blocks_explain", "halves_support"]

#: Lines deserve means of their own if their sums have more than this multiple of the variance of
#: independent entries: Akaike's criterion, for which a parameter must explain more than it costs.
MOST_VARIANCE = 2.0

#: Tails are heavy if the fourth moment is more than twice that of Gaussian entries.
MOST_KURTOSIS = 6.0

#: Counts burst if they vary more than this multiple of Poisson counts, given fine blocks.
BURSTS = 1.25

#: The share of the variance that is rounding.
NOTHING = 1e-10

#: Rows and columns that are looked at for heavy tails.
SAMPLE = 256

#: Orders of labels that agreement is compared with, and how many may do as well: a permutation test
#: at (1 + 1) / (39 + 1) = 5 %.
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
    sums = model.both_sums(state)
    state = model.state(rows, columns, sums[0].grouped(rows, state.shape[0]))
    if model.family.dispersion > BURSTS or _is_heavy_tailed(model, state):
        return False
    spreads = [
        _spread(model.family, side.rows, of_side)
        for side, of_side in zip((state, state.T), sums, strict=True)
    ]
    unit = _unit(model, state, sums, [spread.squares for spread in spreads])
    if unit <= NOTHING * float(model.family.dispersion_given(np.zeros(()))):
        return True  # there is no noise, or no entry is left to tell
    if all(spread.is_noise(unit) for spread in spreads):
        return True
    most = _most_squares_of_noise(model.matrix.shape)
    if any(spread.squares > MOST_VARIANCE * unit * spread.n_sums * most for spread in spreads):
        return False
    return all(spread.is_noise(unit) for spread in _spreads_across_halves(model, state))


def _unit(model: BlockModel, state: State, sums: tuple[Sums, Sums], squares: list[float]) -> float:
    """Return the dispersion of entries around the sums of their rows and columns over blocks.

    Squares, in units of the variance, are twice the log-likelihood that they explain. Those of rows
    and of columns add up only if nothing is missing; otherwise one side is left out.
    """
    family, blocks = model.family, state.blocks
    complete = model.n_entries == math.prod(model.matrix.shape)
    of_blocks = family.explained(blocks.total, blocks.size).sum()
    units = []
    for sides in [(0, 1)] if complete else [(0,), (1,)]:
        explained = of_blocks + sum(squares[side] for side in sides) / 2
        n_parameters = sum(sums[side].n_observed - blocks.n_observed for side in sides)
        freedom = model.n_entries - blocks.n_observed - n_parameters
        units.append(float(family.dispersion_given(np.asarray(explained), freedom)))
    return min(units)


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
    rest = rest[np.isfinite(rest)]
    if rest.size == 0:
        return False
    rest /= np.max(np.abs(rest)) or 1.0
    return bool(np.mean(rest**4) > MOST_KURTOSIS * np.mean(rest**2) ** 2)


def _most_squares_of_noise(shape: tuple[int, int]) -> float:
    """Return the largest eigenvalue that the squares of independent entries of variance one have.

    However clusters follow noise, the sums over each account for no more than that.
    """
    return (math.sqrt(shape[0]) + math.sqrt(shape[1])) ** 2


class Spread(NamedTuple):
    """How far sums of lines are from those of their clusters.

    Attributes
    ----------
    squares : float
        The squared deviations, in units of the variance of independent entries.
    freedom : int
        The number of squares, less those that the means of clusters account for.
    n_sums : int
        The number of sums of a line.
    """

    squares: float
    freedom: int
    n_sums: int

    def is_noise(self, unit: float) -> bool:
        """Say whether lines deserve no means of their own, given the variance of entries."""
        return self.freedom <= 0 or self.squares <= MOST_VARIANCE * unit * self.freedom


def _spread(family: Family, labels: IntArray, sums: Sums) -> Spread:
    """Return how far sums of lines are from those of their clusters."""
    _, labels = np.unique(labels, return_inverse=True)
    n_clusters = int(labels.max(initial=-1)) + 1
    clusters = sums.grouped(labels, n_clusters)
    means = clusters.means[labels]
    squares = Sums((sums.total - sums.size * means) ** 2, sums.size * family.at(means).variance)
    freedom = sums.n_observed - clusters.n_observed
    return Spread(float(squares.means.sum()), freedom, sums.total.shape[1])


def _spreads_across_halves(model: BlockModel, state: State) -> Iterator[Spread]:
    """Yield the spread of rows over clusters of columns that other rows placed, and the reverse.

    Fine clusters follow noise, so that lines differ more between clusters that they placed
    themselves: in a matrix of many more rows than columns, columns by far.
    """
    placed = _place_by_halves(model, state)
    memberships = [
        np.hstack([members(labels, k) for labels in (of_side.by_half, of_side.by_others)])
        for of_side, k in zip(placed, state.shape, strict=True)
    ]
    sums = model.both_soft_sums(*memberships)
    for of_side, judged in zip(placed, sums, strict=True):
        half, (by_half, by_others) = _half(of_side.by_all.size), judged.halves
        one, other = (
            _spread(model.family, of_side.by_all[lines], over.take(lines))
            for lines, over in ((half, by_others), (~half, by_half))
        )
        yield Spread(one.squares + other.squares, one.freedom + other.freedom, one.n_sums)


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
    return all(
        k == 1 or _agree(placed.by_half, placed.by_others)
        for k, placed in zip(state.shape, _place_by_halves(model, state), strict=True)
    )


class Placed(NamedTuple):
    """The best labels of rows, given blocks: by all columns, by half of them, and by the others."""

    by_all: IntArray
    by_half: IntArray
    by_others: IntArray


def _place_by_halves(model: BlockModel, state: State) -> list[Placed]:
    """Return the best labels of rows by all columns and by halves; then those of columns."""
    rows, columns = (_in_halves(side) for side in (state.T, state))
    sums = model.both_soft_sums(rows, columns)
    sides = zip((model, model.T), (state, state.T), sums, strict=True)
    return [
        Placed(
            *(
                side_model.log_posterior(over, side.blocks, side.row_sizes).argmax(axis=1)
                for over in (side_sums.halves[0] + side_sums.halves[1], *side_sums.halves)
            )
        )
        for side_model, side, side_sums in sides
    ]


def _half(size: int) -> BoolArray:
    """Return a random half of the lines, the same at every call."""
    first: BoolArray = np.random.default_rng(0).permutation(size) % 2 == 0
    return first


def _in_halves(state: State) -> FloatArray:
    """Return which columns are in which cluster, in one half of them and then in the other."""
    half, membership = _half(state.columns.size), members(state.columns, state.shape[1])
    return np.hstack([membership * half[:, None], membership * ~half[:, None]])


def _agree(first: IntArray, second: IntArray) -> bool:
    """Say whether labels agree better than they do in random order."""
    if np.array_equal(first, second):
        return True
    agreement, random = adjusted_rand(first, second), np.random.default_rng(1)
    as_good = sum(
        adjusted_rand(first, random.permutation(second)) >= agreement for _ in range(ORDERS)
    )
    return as_good <= AS_GOOD
