"""Proposals: states with other numbers of clusters.

Two clusters are merged, or one is split by a rank-one step of its own. Proposals are screened on
the sums of rows over blocks, without reading the matrix again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from rankone.cuts import SortedPotts
from rankone.refinement.directions import Directions, by_blocks, by_entries
from rankone.refinement.model import BlockModel
from rankone.refinement.moves import MANY, settle
from rankone.refinement.state import State, Sums
from rankone.typing import FloatArray, IntArray

#: The number of proposals of a kind that are pursued.
TRIED = 3

#: The number of clusters of a side that are split together with one of the other side.
JOINT = 4


@dataclass(frozen=True)
class Goal:
    """What is asked of the clusters of one side.

    Attributes
    ----------
    name : str
        What the user calls the side, "rows" or "columns".
    target : int or None
        The number of clusters; None if it is to be found.
    least : int
        The smallest cluster that is allowed.
    most : int
        The largest number of clusters that is allowed, if it is to be found.
    """

    name: str
    target: int | None = None
    least: int = 1
    most: int = 64


@dataclass(frozen=True, eq=False)
class View:
    """A state as seen from its rows, with the sums that proposals are screened on.

    Attributes
    ----------
    model : BlockModel
    state : State
    sums : Sums
        Of each row over each cluster of columns.
    """

    model: BlockModel
    state: State
    sums: Sums

    @classmethod
    def of_both(cls, model: BlockModel, state: State) -> tuple[View, View]:
        """Return a state as seen from its rows, and from its columns, in one sweep."""
        by_rows, by_columns = model.both_sums(state)
        return cls(model, state, by_rows), cls(model.T, state.T, by_columns)

    def relabel(self, rows: IntArray, k: int) -> State:
        """Return the state with other labels of rows."""
        return self.model.state(rows, self.state.columns, self.sums.grouped(rows, k))


def best_of(states: Iterable[State]) -> list[State]:
    """Return the best few states."""
    return sorted(states, key=lambda state: state.criterion, reverse=True)[:TRIED]


def propose(views: tuple[View, View], goals: tuple[Goal, Goal]) -> list[State]:
    """Return the states that are one step away: merges and splits, of one side or both.

    Where the number of clusters is given, a split is followed by a merge.
    """
    by_rows = views[0]
    model, state = by_rows.model, by_rows.state
    directions = by_entries(model, state, (goals[0].least, goals[1].least))
    proposals = open_merges(views, goals)
    for side, (view, goal) in enumerate(zip(views, goals, strict=True)):
        candidates = all_splits(view, directions[side], goal.least)
        if goal.target is not None:
            candidates = [merged for s in best_of(candidates) for merged in merges(view.model, s)]
        elif state.shape[side] >= goal.most:
            candidates = []
        proposals += candidates if side == 0 else [candidate.T for candidate in candidates]
    if all(goal.target is None for goal in goals):
        proposals += joint_merges(
            model,
            state,
            best_of(merges(model, state)),
            best_of(merged.T for merged in merges(model.T, state.T)),
        )
        if max(state.shape) < min(goal.most for goal in goals):
            least = goals[0].least, goals[1].least
            proposals += joint_splits(by_rows, directions[0], directions[1], least)
    return proposals


def open_merges(views: tuple[View, View], goals: tuple[Goal, Goal]) -> list[State]:
    """Return the states in which two clusters of a side whose number is to be found are merged."""
    rows, columns = (
        list(merges(view.model, view.state)) if goal.target is None else []
        for view, goal in zip(views, goals, strict=True)
    )
    return [*rows, *(merged.T for merged in columns)]


def merges(model: BlockModel, state: State) -> Iterator[State]:
    """Yield the states in which two clusters of rows are merged."""
    k = state.shape[0]
    for a, b in combinations(range(k), 2):
        target = np.arange(k)
        target[b] = a
        target -= target > b
        yield model.state(target[state.rows], state.columns, state.blocks.grouped(target, k - 1))


def joint_merges(
    model: BlockModel, state: State, rows: list[State], columns: list[State]
) -> Iterator[State]:
    """Yield the states in which two clusters of rows and two of columns are merged.

    The best merges of either side are given. The state with a single block is the last one.
    """
    for by_rows in rows:
        for by_columns in columns:
            target = np.empty(state.shape[1], np.intp)
            target[state.columns] = by_columns.columns  # by any member of the cluster
            blocks = by_rows.blocks.T.grouped(target, by_columns.shape[1]).T
            yield model.state(by_rows.rows, by_columns.columns, blocks)
    if state.shape != (1, 1):
        blocks = state.blocks.grouped(np.zeros(state.shape[0], np.intp), 1)
        blocks = blocks.T.grouped(np.zeros(state.shape[1], np.intp), 1).T
        yield model.state(np.zeros_like(state.rows), np.zeros_like(state.columns), blocks)


def all_splits(view: View, entry_directions: Directions, least: int) -> list[State]:
    """Return the states in which a cluster of rows is split, by its blocks or by its entries."""
    block_directions = by_blocks(view.state, view.sums, least)
    return [*splits(view, block_directions, least), *splits(view, entry_directions, least)]


def splits(view: View, directions: Directions, least: int) -> Iterator[State]:
    """Yield the states in which a cluster of rows is cut in two along its direction."""
    k = view.state.shape[0]
    for cluster, direction in enumerate(directions):
        rows = halve(view.state.rows, cluster, direction, k, least)
        if rows is not None:
            if rows.size * k <= MANY:
                rows = settle(view.model, view.sums, rows, k + 1, least)
            yield view.relabel(rows, k + 1)


def halve(
    rows: IntArray, cluster: int, direction: FloatArray | None, k: int, least: int
) -> IntArray | None:
    """Return labels in which the upper part of a cluster is cluster k; None if it has no parts."""
    if direction is None or direction.min() == direction.max():
        return None
    is_upper = SortedPotts(n_clusters=2).cut(direction).labels == 1
    if min(is_upper.sum(), (~is_upper).sum()) < least:
        return None
    labels = rows.copy()
    labels[np.flatnonzero(rows == cluster)[is_upper]] = k
    return labels


def joint_splits(
    by_rows: View,
    row_directions: Directions,
    column_directions: Directions,
    least: tuple[int, int],
) -> Iterator[State]:
    """Yield the states in which a cluster of rows and one of columns are cut in two at once.

    Neither cut need gain anything without the other: for example, where rows differ in which
    columns are high, but not in how high they are on average, and columns likewise.
    """
    model, state = by_rows.model, by_rows.state
    n_clusters = state.shape[1]
    halves = [
        halve(state.columns, cluster, direction, n_clusters, least[1])
        for cluster, direction in enumerate(_longest(column_directions))
    ]
    # Sum over all upper halves in one sweep; the rest of a cluster is its lower half.
    upper_of = np.full(state.columns.size, n_clusters)
    for cluster, labels in enumerate(halves):
        if labels is not None:
            upper_of[labels == n_clusters] = cluster
    upper = model.row_sums(upper_of, n_clusters + 1)
    for cluster, labels in enumerate(halves):
        if labels is not None:
            sums = Sums(
                _split_column(by_rows.sums.total, cluster, upper.total[:, cluster]),
                _split_column(by_rows.sums.size, cluster, upper.size[:, cluster]),
            )
            view = replace(by_rows, state=replace(state, columns=labels), sums=sums)
            yield from splits(view, _longest(row_directions), least[0])


def _longest(directions: Directions) -> Directions:
    """Keep the directions along which residuals are largest."""
    lengths = [
        0.0 if direction is None else float(direction @ direction) for direction in directions
    ]
    kept = np.argsort(lengths)[-JOINT:]
    return [direction if i in kept else None for i, direction in enumerate(directions)]


def _split_column(sums: FloatArray, column: int, part: FloatArray) -> FloatArray:
    """Move a part of the sums of one column into a new last column."""
    result = np.column_stack([sums, part])
    result[:, column] -= part
    return result
