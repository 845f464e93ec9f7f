"""Moves of rows and columns to better clusters, as long as there are any.

Three kinds of them: all rows at once to the cluster that explains them best, with the values of the
blocks as they are (classification EM); one at a time, with all that changes by it, which finds
moves where the first finds none; and by degrees (EM), which passes by many of their dead ends.
"""

from __future__ import annotations

import numpy as np
from scipy.special import softmax, xlogy

from rankone.matrix.base import members
from rankone.refinement.model import BlockModel, State, Sums
from rankone.typing import FloatArray, IntArray

#: Single moves are looked for where rows times blocks are no more than this.
MOST_MOVES = 2**16

#: Rows times clusters that are too many to move them until none moves, or just to try.
MANY = 2**17

#: What counts as the log-likelihood of a row where it is impossible: differences stay finite.
LEAST_CHANCE = -1e300

#: How many times the gain of a sweep the rest may bring.
HOPE = 10.0


def climbed(
    model: BlockModel,
    state: State,
    least: tuple[int, int],
    max_iter: int,
    aim: float = -np.inf,
) -> tuple[State, int, bool]:
    """Move rows and columns to their best clusters by turns, until none moves.

    A sweep reads the matrix once: while a row is at hand, it is moved, and added to the sums of the
    columns.

    Parameters
    ----------
    model : BlockModel
    state : State
    least : pair of int
        How many rows, and columns, a cluster keeps at least.
    max_iter : int
        The most sweeps.
    aim : float
        A criterion that is worth the while: give up when it seems out of reach.

    Returns
    -------
    state : State
        Its criterion is no less than the one that was given.
    n_iter : int
        The number of sweeps.
    converged : bool
    """
    for n_iter in range(1, max_iter + 1):
        moved = _swept(model, state, least)
        same = _same(moved, state)
        gain = moved.criterion - state.criterion
        state = moved
        if state.criterion + HOPE * gain < aim:
            return state, n_iter, False
        if same:
            moved = _nudged(model, state, least)
            if _same(moved, state):
                return state, n_iter, True
            state = moved
    return state, max_iter, False


def _same(a: State, b: State) -> bool:
    return np.array_equal(a.rows, b.rows) and np.array_equal(a.columns, b.columns)


def _swept(model: BlockModel, state: State, least: tuple[int, int]) -> State:
    """Move all rows, then all columns."""
    k, n_columns = state.shape
    sizes = model.row_sizes(members(state.columns, n_columns))
    shares = np.bincount(state.rows, minlength=k)
    seen: list[FloatArray] = []

    def move(product: FloatArray, part: slice) -> IntArray:
        sums = model.scaled(product, sizes[part], part)
        seen.append(model.chances(sums, state.blocks, shares))
        return np.asarray(seen[-1].argmax(axis=1))

    rows, product = model.matrix.regroup(
        state.columns, n_columns, model.column_scales, move, k, model.row_scales
    )
    if np.bincount(rows, minlength=k).min() < least[0]:
        rows = assigned(np.concatenate(seen), least[0])
        sums = model.T.row_sums(rows, k)
    else:
        sums = model.T.scaled(product, model.T.row_sizes(members(rows, k)), slice(None))
    columns = settled(model.T, sums, state.columns, n_columns, least[1])
    return model.state(rows, columns, sums.grouped(columns, n_columns).T)


def settled(model: BlockModel, sums: Sums, rows: IntArray, k: int, least: int) -> IntArray:
    """Move rows to their best clusters until none moves, or for some time, by their sums alone."""
    for _ in range(20 if rows.size * k <= MANY else 3):
        blocks = sums.grouped(rows, k)
        moved = assigned(model.chances(sums, blocks, np.bincount(rows, minlength=k)), least)
        if np.array_equal(moved, rows):
            break
        rows = moved
    return rows


def assigned(chances: FloatArray, least: int) -> IntArray:
    """Return the best cluster of each row, such that each cluster has at least so many.

    Where one would have fewer, the rows that lose least by it are put there. (There may be too few
    rows for so many in each; then as many as can be.)
    """
    labels: IntArray = chances.argmax(axis=1)
    least = min(least, labels.size // chances.shape[1])
    sizes = np.bincount(labels, minlength=chances.shape[1])
    if sizes.min() >= least:
        return labels
    chances = np.nan_to_num(chances, nan=LEAST_CHANCE, neginf=LEAST_CHANCE)
    for to in np.argsort(sizes, kind="stable"):
        if sizes[to] < least:
            loss = chances[np.arange(labels.size), labels] - chances[:, to]
            moved = _spare(labels, sizes - least, loss)[: least - sizes[to]]
            sizes -= np.bincount(labels[moved], minlength=sizes.size)
            sizes[to] = least
            labels[moved] = to
    return labels


def _spare(labels: IntArray, spare: IntArray, loss: FloatArray) -> IntArray:
    """Return the rows that clusters can spare, so many of each, those that lose least first."""
    order = np.argsort(loss, kind="stable")
    by_cluster = order[np.argsort(labels[order], kind="stable")]
    sizes = np.bincount(labels, minlength=spare.size)
    place = np.arange(labels.size) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    can_go = np.zeros(labels.size, bool)
    can_go[by_cluster] = place < spare[labels[by_cluster]]
    return order[can_go[order]]


def _nudged(model: BlockModel, state: State, least: tuple[int, int]) -> State:
    """Move single rows, then single columns, as long as the criterion rises."""
    k, n_columns = state.shape
    if max(state.rows.size, state.columns.size) * k * n_columns > MOST_MOVES:
        return state
    sums = model.row_sums(state.columns, n_columns)
    rows = _single_moves(model, sums, state.rows, k, least[0])
    sums = model.T.row_sums(rows, k)
    columns = _single_moves(model.T, sums, state.columns, n_columns, least[1])
    return model.state(rows, columns, sums.grouped(columns, n_columns).T)


def _single_moves(model: BlockModel, sums: Sums, rows: IntArray, k: int, least: int) -> IntArray:
    """Make the best single move of a row until none gains anything."""
    family, m = model.family, rows.size
    rows, every = rows.copy(), np.arange(m)
    blocks = sums.grouped(rows, k)
    total, size = blocks.total, blocks.size
    counts = np.bincount(rows, minlength=k).astype(float)
    for _ in range(m):
        own = family.explained(total, size)
        without = family.explained(total[rows] - sums.total, size[rows] - sums.size)
        with_it = family.explained(total + sums.total[:, None], size + sums.size[:, None])
        change = with_it - own + (without - own[rows])[:, None]
        gain = family.likelihood(own.sum() + change) - family.likelihood(own.sum())
        gain += _shares(counts + 1, m) - _shares(counts, m)
        gain += (_shares(counts - 1, m) - _shares(counts, m))[rows][:, None]
        gain[every, rows] = -np.inf
        gain[counts[rows] <= least] = -np.inf
        row, to = np.unravel_index(int(gain.argmax()), gain.shape)
        if not gain[row, to] > 1e-7:
            break
        for cluster, sign in ((rows[row], -1.0), (to, 1.0)):
            total[cluster] += sign * sums.total[row]
            size[cluster] += sign * sums.size[row]
            counts[cluster] += sign
        rows[row] = to
    return rows


def _shares(counts: FloatArray, m: int) -> FloatArray:
    """Return what clusters of these sizes add to the criterion."""
    return np.asarray(xlogy(counts, counts / m))


def probabilities(model: BlockModel, state: State) -> FloatArray:
    """Return how probable each cluster is for each row."""
    k, n_columns = state.shape
    sums = model.row_sums(state.columns, n_columns)
    chances = model.chances(sums, state.blocks, np.bincount(state.rows, minlength=k))
    return np.asarray(softmax(chances, axis=1))


def softened(model: BlockModel, state: State, least: tuple[int, int], n_iter: int = 10) -> State:
    """Let rows and columns belong to clusters by degrees for a while, then choose again."""
    rows, columns = members(state.rows, state.shape[0]), members(state.columns, state.shape[1])
    blocks = state.blocks
    for _ in range(n_iter):
        sums = model.soft_row_sums(columns)
        rows = softmax(model.chances(sums, blocks, rows.sum(axis=0)), axis=1)
        blocks = sums.softly_grouped(rows).T
        sums = model.T.soft_row_sums(rows)
        columns = softmax(model.T.chances(sums, blocks, columns.sum(axis=0)), axis=1)
        blocks = sums.softly_grouped(columns).T
    return model.start(assigned(rows, least[0]), assigned(columns, least[1]))


def drawn(probability: FloatArray, least: int, random: np.random.RandomState) -> IntArray:
    """Draw labels, each with its probability (by the largest of exponential clocks)."""
    clocks = random.exponential(size=probability.shape)
    with np.errstate(divide="ignore"):
        return assigned(np.log(probability) - np.log(clocks), least)
