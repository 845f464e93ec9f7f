"""Labels improved against the whole matrix, and the numbers of clusters reconsidered."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from rankone.refinement import directions
from rankone.refinement.climbing import climbed, drawn, probabilities, softened
from rankone.refinement.evidence import explains, is_wide
from rankone.refinement.model import BlockModel, State
from rankone.refinement.proposals import (
    Directions,
    View,
    joint_merges,
    joint_splits,
    merges,
    splits,
)
from rankone.typing import IntArray

#: Of the proposals of a round, the best are refined against the matrix.
TRIED = 3

#: By how much of the criterion a proposal must be better.
GAIN = 1e-9

#: Each step raises the criterion, so that steps end; no sum that is rounded may say otherwise.
MOST_STEPS = 1000

#: How many labels must be expected to be wrong, for a search of others with the same numbers.
DOUBT = 1.0

#: How often such labels are drawn, in matrices that are not large.
DRAWS, MOST_ENTRIES = 6, 2**22


class Search:
    """Classification EM, and steps to other numbers of clusters while the criterion rises.

    Parameters
    ----------
    model : BlockModel
    targets : pair of int or None
        The numbers of clusters of rows, and of columns; None where they are to be found.
    least : pair of int
        The smallest clusters that are allowed.
    most : int
        How many clusters of rows, and of columns, there are at most.
    max_iter : int
        The most sweeps of one climb.
    random : RandomState
    callback : callable
        Called after each climb with the number of sweeps and the best criterion.
    thorough : bool
        Whether to shake labels that are in doubt, at the end.
    sides : pair of str
        What the user calls rows and columns.

    Attributes
    ----------
    n_iter : int
        The number of sweeps.
    history : list of float
        The criterion of the start, and after each step; it never falls. Where clusters were
        merged that explain too little, what is left is the start.
    converged : bool
        Whether no single move improves the result.
    """

    def __init__(
        self,
        model: BlockModel,
        targets: tuple[int | None, int | None],
        least: tuple[int, int],
        most: int,
        max_iter: int,
        random: np.random.RandomState,
        callback: Callable[[int, float], None],
        thorough: bool = True,
        sides: tuple[str, str] = ("rows", "columns"),
    ):
        self.model, self.targets, self.least, self.most = model, targets, least, most
        self.max_iter, self.random, self.callback = max_iter, random, callback
        self.thorough, self.sides = thorough, sides
        self.n_iter = 0
        self.history: list[float] = []
        self.converged = False
        self._seen: tuple[View, View] | None = None

    def run(self, rows: IntArray, columns: IntArray) -> State:
        """Improve labels until nothing that is tried improves them."""
        start = self.reached(self.model.start(rows, columns))
        first, converged = self.climb(start)
        better = self.prune(first, converged)
        if better[0] is first:  # nothing was merged for other reasons
            self.history.append(start.criterion)
        for _ in range(MOST_STEPS):
            best, self.converged = better
            self.history.append(best.criterion)
            found = self.step(best) or (self.shake(best) if self.thorough else None)
            if found is None:
                break
            better = found
        return best

    def reached(self, state: State) -> State:
        """Split or merge, for better or worse, until the numbers are those that were asked for."""
        for side, target in enumerate(self.targets):
            while target is not None and state.shape[side] != target:
                view, least = self.views(state)[side], self.least[side]
                if state.shape[side] > target:
                    found = list(merges(view.model, view.state))
                else:
                    found = self.splits(view, self.directions(view, least), least)
                if not found:
                    what = self.sides[side]
                    raise ValueError(
                        f"{target} clusters of {what} were asked for, but the {what} of X cannot "
                        f"be told apart into more than {state.shape[side]}."
                    )
                best = _best(found)[0]
                state = best if side == 0 else best.T
        return state

    def climb(self, state: State, aim: float = -np.inf) -> tuple[State, bool]:
        """Move rows and columns until none moves, or until an aim seems out of reach."""
        state, n_iter, converged = climbed(self.model, state, self.least, self.max_iter, aim)
        self.n_iter += n_iter
        self.callback(self.n_iter, state.criterion)
        return state, converged

    def prune(self, state: State, converged: bool) -> tuple[State, bool]:
        """Merge clusters that explain too little, where rows vary more than their entries."""
        while self.targets != (state.shape[0], state.shape[1]) and self.is_wide(state):
            merged = [proposal for proposal in self.merges(state) if proposal.shape != (1, 1)]
            idle = [p for p in _best(merged) if not explains(self.model, p, state)]
            if not idle:
                break
            state, converged = self.climb(idle[0])
        return state, converged

    def is_wide(self, state: State) -> bool:
        """Say whether rows, or columns, vary more than their entries let expect."""
        views = self.views(state)
        return is_wide(self.model, state, views[0].sums, views[1].sums)

    def step(self, state: State) -> tuple[State, bool] | None:
        """Return a better state with other numbers of clusters, or with other clusters."""
        proposals = self.proposals(state)
        if self.is_wide(state):
            proposals = [
                p
                for p in proposals
                if sum(p.shape) <= sum(state.shape) or explains(self.model, state, p)
            ]
        found = (self.better(proposal, state) for proposal in _best(proposals))
        return next(filter(None, found), None)

    def shake(self, state: State) -> tuple[State, bool] | None:
        """Return a better state with the same numbers of clusters, if some labels are in doubt.

        From labels by degrees, and from labels drawn by their probability. In large matrices that
        would take longer than all the rest, for some labels that stay in doubt.
        """
        if self.model.n_entries > MOST_ENTRIES:
            return None
        rows = probabilities(self.model, state)
        columns = probabilities(self.model.T, state.T)
        doubt = sum(float((1 - side.max(axis=1)).sum()) for side in (rows, columns))
        if doubt < DOUBT:
            return None
        found = self.better(softened(self.model, state, self.least), state)
        for _ in range(DRAWS):
            if found is None:
                labels = (
                    drawn(side, least, self.random)
                    for side, least in zip((rows, columns), self.least, strict=True)
                )
                found = self.better(self.model.start(*labels), state)
        return found

    def better(self, proposal: State, state: State) -> tuple[State, bool] | None:
        """Improve a proposal; return what it becomes, if that is better than the present state."""
        found, converged = self.climb(proposal, state.criterion)
        gain = found.criterion - state.criterion
        return (found, converged) if gain > GAIN * abs(state.criterion) else None

    def views(self, state: State) -> tuple[View, View]:
        """Return what rows, and columns, are seen to be in a state; those of the last are kept."""
        if self._seen is None or self._seen[0].state is not state:
            self._seen = View.of(self.model, state), View.of(self.model.T, state.T)
        return self._seen

    def directions(self, view: View, least: int) -> Directions:
        """Return along what the clusters of rows differ, in single columns."""
        return directions.by_entries(view.model, view.state, least)

    @staticmethod
    def splits(view: View, by_entries: Directions, least: int) -> list[State]:
        """Return all states in which a cluster of rows is split."""
        by_blocks = directions.by_blocks(view.state, view.sums, least)
        return [*splits(view, by_blocks, least), *splits(view, by_entries, least)]

    def merges(self, state: State) -> list[State]:
        """Return the states in which two clusters of a side whose number is open are one."""
        rows = merges(self.model, state) if self.targets[0] is None else ()
        columns = merges(self.model.T, state.T) if self.targets[1] is None else ()
        return [*rows, *(merged.T for merged in columns)]

    def proposals(self, state: State) -> list[State]:
        """Return all states that are one step away."""
        views = self.views(state)
        by_entries = [
            self.directions(view, least) for view, least in zip(views, self.least, strict=True)
        ]
        found = self.merges(state)
        for side, view in enumerate(views):
            apart = self.splits(view, by_entries[side], self.least[side])
            if self.targets[side] is not None:  # split one, and merge two
                apart = [s for one in _best(apart) for s in merges(view.model, one)]
            elif state.shape[side] >= self.most:
                apart = []
            found += apart if side == 0 else [columns.T for columns in apart]
        if self.targets == (None, None):
            found += joint_merges(
                self.model,
                state,
                _best(merges(self.model, state)),
                _best(s.T for s in merges(self.model.T, state.T)),
            )
            if max(state.shape) < self.most:
                found += joint_splits(views[0], by_entries[0], by_entries[1], self.least)
        return found


def _best(states: Iterable[State]) -> list[State]:
    """Return the best few."""
    return sorted(states, key=lambda state: state.criterion, reverse=True)[:TRIED]
