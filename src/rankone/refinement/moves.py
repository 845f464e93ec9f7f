"""Moves of rows and columns to better clusters.

There are three kinds: all rows at once to the cluster that explains them best, given the values of
the blocks (classification EM); single rows, accounting for how the values change, which gains where
the first kind no longer does; and gradual membership (EM), which avoids many local optima of both.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.special import softmax, xlogy

from rankone.matrix.base import members
from rankone.refinement.model import BlockModel
from rankone.refinement.state import State, Sums
from rankone.typing import FloatArray, IntArray

#: Single moves are tried where rows times blocks are no more than this.
MOST_MOVES = 2**16

#: Where rows times clusters are more than this, rows are moved only a few times by their sums.
MANY = 2**17

#: Stands for the log-probability of an impossible cluster, so that differences stay finite.
LEAST_LOG = -1e300

#: A climb is given up if so many times the gain of its last sweep would not reach the aim.
HOPE = 10.0

#: The gain in the criterion below which a single move is rounding.
LEAST_GAIN = 1e-7


class Climb(NamedTuple):
    """The end of a climb.

    Attributes
    ----------
    state : State
    n_iter : int
        The number of sweeps.
    converged : bool
        Whether no row and no column moves any more.
    """

    state: State
    n_iter: int
    converged: bool


def climb(
    model: BlockModel,
    state: State,
    least: tuple[int, int],
    max_iter: int,
    aim: float = -np.inf,
) -> Climb:
    """Move rows and columns to their best clusters in turn, until none moves.

    Parameters
    ----------
    model : BlockModel
    state : State
    least : pair of int
        The smallest number of rows, and of columns, in a cluster.
    max_iter : int
        The largest number of sweeps.
    aim : float
        The criterion to reach: the climb is given up when it seems out of reach.

    Returns
    -------
    Climb
        The criterion of its state is no less than that of the given one.
    """
    for n_iter in range(1, max_iter + 1):
        moved = _sweep(model, state, least)
        gain = moved.criterion - state.criterion
        # Where clusters must be filled, labels can change forever without any gain.
        stayed = moved.has_labels_of(state) or not gain > 0
        state = moved if gain > 0 else state
        if state.criterion + HOPE * gain < aim:
            return Climb(state, n_iter, False)
        if stayed:
            moved = _move_singly(model, state, least)
            if moved.has_labels_of(state):
                return Climb(state, n_iter, True)
            state = moved
    return Climb(state, max_iter, False)


def _sweep(model: BlockModel, state: State, least: tuple[int, int]) -> State:
    """Move all rows, then all columns.

    The matrix is read once: each row is moved as it is read, and added to the sums of the columns.
    """
    k, n_column_clusters = state.shape
    sizes = model.row_sizes(members(state.columns, n_column_clusters))

    def move(product: FloatArray, part: slice) -> IntArray:
        sums = model.scale(product, sizes[part], part)
        return np.asarray(model.log_posterior(sums, state.blocks, state.row_sizes).argmax(axis=1))

    law = model.law
    rows, product = model.matrix.regroup(
        state.columns, n_column_clusters, law.columns.scales, move, k, law.rows.scales
    )
    if np.bincount(rows, minlength=k).min() < least[0]:
        row_sums = model.row_sums(state.columns, n_column_clusters)
        rows = assign(model.log_posterior(row_sums, state.blocks, state.row_sizes), least[0])
        sums = model.T.row_sums(rows, k)
    else:
        sums = model.T.scale(product, model.T.row_sizes(members(rows, k)))
    columns = settle(model.T, sums, state.columns, n_column_clusters, least[1])
    return model.state(rows, columns, sums.grouped(columns, n_column_clusters).T)


def settle(model: BlockModel, sums: Sums, rows: IntArray, k: int, least: int) -> IntArray:
    """Move rows to their best clusters by their sums alone, until none moves or for a few turns."""
    for _ in range(20 if rows.size * k <= MANY else 3):
        blocks = sums.grouped(rows, k)
        moved = assign(model.log_posterior(sums, blocks, np.bincount(rows, minlength=k)), least)
        if np.array_equal(moved, rows):
            break
        rows = moved
    return rows


def assign(log_posterior: FloatArray, least: int) -> IntArray:
    """Return the best cluster of each row, such that each cluster has ``least`` rows or more.

    A cluster that would have fewer is given the rows that lose least. If there are not enough rows
    for every cluster, each is given an equal share.
    """
    labels: IntArray = log_posterior.argmax(axis=1)
    least = min(least, labels.size // log_posterior.shape[1])
    sizes = np.bincount(labels, minlength=log_posterior.shape[1])
    if sizes.min() >= least:
        return labels
    log_posterior = np.nan_to_num(log_posterior, nan=LEAST_LOG, neginf=LEAST_LOG)
    for cluster in np.argsort(sizes, kind="stable"):
        if sizes[cluster] < least:
            loss = log_posterior[np.arange(labels.size), labels] - log_posterior[:, cluster]
            moved = _dispensable(labels, sizes - least, loss)[: least - sizes[cluster]]
            sizes -= np.bincount(labels[moved], minlength=sizes.size)
            sizes[cluster] = least
            labels[moved] = cluster
    return labels


def _dispensable(labels: IntArray, surplus: IntArray, loss: FloatArray) -> IntArray:
    """Return as many rows of each cluster as it has to spare, those that lose least first."""
    order = np.argsort(loss, kind="stable")
    by_cluster = order[np.argsort(labels[order], kind="stable")]
    sizes = np.bincount(labels, minlength=surplus.size)
    rank = np.arange(labels.size) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    is_dispensable = np.zeros(labels.size, bool)
    is_dispensable[by_cluster] = rank < surplus[labels[by_cluster]]
    return order[is_dispensable[order]]


def _move_singly(model: BlockModel, state: State, least: tuple[int, int]) -> State:
    """Move single rows, then single columns, while the criterion rises."""
    k, n_column_clusters = state.shape
    if max(state.rows.size, state.columns.size) * k * n_column_clusters > MOST_MOVES:
        return state
    sums = model.row_sums(state.columns, n_column_clusters)
    rows = _best_single_moves(model, sums, state.rows, k, least[0])
    sums = model.T.row_sums(rows, k)
    columns = _best_single_moves(model.T, sums, state.columns, n_column_clusters, least[1])
    return model.state(rows, columns, sums.grouped(columns, n_column_clusters).T)


def _best_single_moves(
    model: BlockModel, sums: Sums, rows: IntArray, k: int, least: int
) -> IntArray:
    """Make the best single move of a row until none gains anything."""
    family, m = model.family, rows.size
    rows, every_row = rows.copy(), np.arange(m)
    blocks = sums.grouped(rows, k)
    total, size = blocks.total, blocks.size
    counts = np.bincount(rows, minlength=k).astype(float)
    for _ in range(m):
        present = family.explained(total, size)
        without = family.explained(total[rows] - sums.total, size[rows] - sums.size)
        joined = family.explained(total + sums.total[:, None], size + sums.size[:, None])
        change = joined - present + (without - present[rows])[:, None]
        gain = family.likelihood(present.sum() + change) - family.likelihood(present.sum())
        gain += _log_shares(counts + 1, m) - _log_shares(counts, m)
        gain += (_log_shares(counts - 1, m) - _log_shares(counts, m))[rows][:, None]
        gain[every_row, rows] = -np.inf
        gain[counts[rows] <= least] = -np.inf
        row, target = np.unravel_index(int(gain.argmax()), gain.shape)
        if not gain[row, target] > LEAST_GAIN:
            break
        for cluster, sign in ((rows[row], -1.0), (target, 1.0)):
            total[cluster] += sign * sums.total[row]
            size[cluster] += sign * sums.size[row]
            counts[cluster] += sign
        rows[row] = target
    return rows


def _log_shares(counts: FloatArray, m: int) -> FloatArray:
    """Return what clusters of these sizes contribute to the criterion."""
    return np.asarray(xlogy(counts, counts / m))


def probabilities(model: BlockModel, state: State, sums: Sums | None = None) -> FloatArray:
    """Return the probability of each cluster for each row; read the matrix for sums not given."""
    sums = model.row_sums(state.columns, state.shape[1]) if sums is None else sums
    return np.asarray(softmax(model.log_posterior(sums, state.blocks, state.row_sizes), axis=1))


def soften(model: BlockModel, state: State, least: tuple[int, int], n_iter: int = 10) -> State:
    """Let rows and columns belong to clusters by degrees for a few turns, then assign them."""
    rows, columns = members(state.rows, state.shape[0]), members(state.columns, state.shape[1])
    blocks = state.blocks
    for _ in range(n_iter):
        sums = model.soft_row_sums(columns)
        rows = softmax(model.log_posterior(sums, blocks, rows.sum(axis=0)), axis=1)
        blocks = sums.softly_grouped(rows).T
        sums = model.T.soft_row_sums(rows)
        columns = softmax(model.T.log_posterior(sums, blocks, columns.sum(axis=0)), axis=1)
        blocks = sums.softly_grouped(columns).T
    return model.state(assign(rows, least[0]), assign(columns, least[1]))


def draw(probability: FloatArray, least: int, random: np.random.RandomState) -> IntArray:
    """Draw labels, each with its probability (the first of exponential clocks to ring)."""
    clocks = random.exponential(size=probability.shape)
    with np.errstate(divide="ignore"):
        return assign(np.log(probability) - np.log(clocks), least)
