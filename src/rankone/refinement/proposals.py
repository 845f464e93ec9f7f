"""Other numbers of clusters: merges of two, and splits by a rank-one step of their own.

Proposals are screened on the sums of rows over blocks, without reading the matrix again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from rankone.cuts import SortedPotts
from rankone.refinement.climbing import MANY, settled
from rankone.refinement.model import BlockModel, State, Sums
from rankone.typing import FloatArray, IntArray

#: How many clusters of a side are split together with one of the other side.
JOINT = 4

#: For each cluster, what its members are split along; None where it is not to be split.
Directions = list[FloatArray | None]


@dataclass(frozen=True, eq=False)
class View:
    """A state, seen from one side, with the sums that its proposals are screened on.

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
    def of(cls, model: BlockModel, state: State) -> View:
        """Read the matrix once."""
        return cls(model, state, model.row_sums(state.columns, state.shape[1]))

    def relabelled(self, rows: IntArray, k: int) -> State:
        """Return the state with other labels of rows."""
        return self.model.state(rows, self.state.columns, self.sums.grouped(rows, k))


def merges(model: BlockModel, state: State) -> Iterator[State]:
    """Yield the states in which two clusters of rows are one."""
    k = state.shape[0]
    for a, b in combinations(range(k), 2):
        into = np.arange(k)
        into[b] = a
        into -= into > b
        yield model.state(into[state.rows], state.columns, state.blocks.grouped(into, k - 1))


def joint_merges(
    model: BlockModel, state: State, rows: list[State], columns: list[State]
) -> Iterator[State]:
    """Yield the states in which two clusters of rows and two of columns are one.

    Given the best merges of either side; and that in which all are one.
    """
    for a in rows:
        for b in columns:
            into = np.empty(state.shape[1], np.intp)
            into[state.columns] = b.columns  # where each cluster went to, by any of its members
            blocks = a.blocks.T.grouped(into, b.shape[1]).T
            yield model.state(a.rows, b.columns, blocks)
    if state.shape != (1, 1):
        blocks = state.blocks.grouped(np.zeros(state.shape[0], np.intp), 1)
        blocks = blocks.T.grouped(np.zeros(state.shape[1], np.intp), 1).T
        yield model.state(np.zeros_like(state.rows), np.zeros_like(state.columns), blocks)


def splits(view: View, directions: Directions, least: int) -> Iterator[State]:
    """Yield the states in which a cluster of rows is cut in two along its direction."""
    k = view.state.shape[0]
    for cluster, direction in enumerate(directions):
        rows = halved(view.state.rows, cluster, direction, k, least)
        if rows is not None:
            if rows.size * k <= MANY:
                rows = settled(view.model, view.sums, rows, k + 1, least)
            yield view.relabelled(rows, k + 1)


def halved(
    rows: IntArray, cluster: int, direction: FloatArray | None, k: int, least: int
) -> IntArray | None:
    """Return labels in which the upper part of a cluster is a new one; None if it has no parts."""
    if direction is None or direction.min() == direction.max():
        return None
    upper = SortedPotts(n_clusters=2).cut(direction).labels == 1
    if min(upper.sum(), (~upper).sum()) < least:
        return None
    result = rows.copy()
    result[np.flatnonzero(rows == cluster)[upper]] = k
    return result


def joint_splits(
    by_rows: View,
    row_directions: Directions,
    column_directions: Directions,
    least: tuple[int, int],
) -> Iterator[State]:
    """Yield the states in which a cluster of rows and one of columns are cut in two at once.

    Neither cut need show without the other: rows that differ in which columns are high, and not in
    how high they are on average, and columns likewise.
    """
    model, state = by_rows.model, by_rows.state
    number = state.shape[1]
    row_directions, column_directions = _longest(row_directions), _longest(column_directions)
    halves = [
        halved(state.columns, cluster, direction, number, least[1])
        for cluster, direction in enumerate(column_directions)
    ]
    # The sums over all upper halves, in one sweep; what is left of a cluster is its lower half.
    finest = np.full(state.columns.size, number)
    for cluster, half in enumerate(halves):
        if half is not None:
            finest[half == number] = cluster
    parts = model.row_sums(finest, number + 1)
    for low, half in enumerate(halves):
        if half is None:
            continue
        sums = Sums(
            *(
                np.column_stack([_without(a, low, b[:, low]), b[:, low]])
                for a, b in ((by_rows.sums.total, parts.total), (by_rows.sums.size, parts.size))
            )
        )
        view = replace(by_rows, state=replace(state, columns=half), sums=sums)
        yield from splits(view, row_directions, least[0])


def _longest(directions: Directions) -> Directions:
    """Return the directions along which residuals are largest, and None for all others."""
    norms = [0.0 if some is None else float(some @ some) for some in directions]
    kept = np.argsort(norms)[-JOINT:]
    return [some if i in kept else None for i, some in enumerate(directions)]


def _without(sums: FloatArray, column: int, part: FloatArray) -> FloatArray:
    result = sums.copy()
    result[:, column] -= part
    return result
