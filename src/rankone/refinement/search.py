"""The search: climb, propose, accept, while the criterion rises."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rankone.errors import too_alike
from rankone.progress import Callback
from rankone.refinement.directions import by_entries
from rankone.refinement.model import BlockModel
from rankone.refinement.moves import climb, draw, probabilities, soften
from rankone.refinement.proposals import (
    Goal,
    View,
    all_splits,
    best_of,
    merges,
    propose,
)
from rankone.refinement.state import State

#: The share of the criterion by which an accepted proposal must be better.
GAIN = 1e-9

#: Each step raises the criterion, so that steps end; the bound guards against rounding.
MOST_STEPS = 1000

#: Labels with the same numbers of clusters are searched if so many are expected to be wrong.
DOUBT = 1.0

#: How often such labels are drawn, and the number of entries of a matrix that is not large.
DRAWS, MOST_ENTRIES = 6, 2**22


class Options(NamedTuple):
    """How a search is done.

    Attributes
    ----------
    max_iter : int
        The largest number of sweeps of one climb.
    random : RandomState
    callback : callable
        Called after each climb with the number of sweeps and the best criterion.
    """

    max_iter: int
    random: np.random.RandomState
    callback: Callback


class Search:
    """Classification EM, and steps to other numbers of clusters while the criterion rises.

    Parameters
    ----------
    model : BlockModel
    goals : pair of Goal
        What is asked of the clusters of rows, and of columns.
    options : Options
    thorough : bool
        Whether to shake labels that are in doubt at the end.

    Attributes
    ----------
    n_iter : int
        The number of sweeps.
    history : list of float
        The criterion of the start, and after each step; it never falls.
    converged : bool
        Whether no single move improves the result.
    """

    def __init__(
        self, model: BlockModel, goals: tuple[Goal, Goal], options: Options, thorough: bool = True
    ):
        self.model, self.goals, self.options, self.thorough = model, goals, options, thorough
        self.n_iter = 0
        self.history: list[float] = []
        self.converged = False
        self._views: tuple[View, View] | None = None

    @property
    def least(self) -> tuple[int, int]:
        """The smallest clusters of rows, and of columns."""
        return self.goals[0].least, self.goals[1].least

    def run(self, state: State) -> State:
        """Improve a state of the model until no step improves it."""
        start = self.reach_targets(state)
        best, self.converged = self.climb(start)
        self.history += [start.criterion, best.criterion]
        for _ in range(MOST_STEPS):
            accepted = self.step(best) or (self.shake(best) if self.thorough else None)
            if accepted is None:
                break
            best, self.converged = accepted
            self.history.append(best.criterion)
        return best

    def reach_targets(self, state: State) -> State:
        """Split or merge until the numbers of clusters are those asked for, at whatever cost."""
        for side, goal in enumerate(self.goals):
            while goal.target is not None and state.shape[side] != goal.target:
                view = self.views(state)[side]
                if state.shape[side] > goal.target:
                    candidates = list(merges(view.model, view.state))
                else:
                    directions = by_entries(self.model, state, self.least)[side]
                    candidates = all_splits(view, directions, goal.least)
                if not candidates:
                    raise too_alike(goal.target, goal.name, state.shape[side])
                best = best_of(candidates)[0]
                state = best if side == 0 else best.T
        return state

    def climb(self, state: State, aim: float = -np.inf) -> tuple[State, bool]:
        """Move rows and columns until none moves, or until an aim seems out of reach."""
        result = climb(self.model, state, self.least, self.options.max_iter, aim)
        self.n_iter += result.n_iter
        self.options.callback(self.n_iter, result.state.criterion)
        return result.state, result.converged

    def step(self, state: State) -> tuple[State, bool] | None:
        """Return a better state with other numbers of clusters, or with other clusters."""
        proposals = best_of(propose(self.views(state), self.goals))
        attempts = (self.accept(proposal, state) for proposal in proposals)
        return next(filter(None, attempts), None)

    def shake(self, state: State) -> tuple[State, bool] | None:
        """Return a better state with the same numbers of clusters, if labels are in doubt.

        Start from gradual labels, then from labels drawn by their probability. In large matrices
        this would take longer than all the rest, for a few labels that stay in doubt.
        """
        if self.model.n_entries > MOST_ENTRIES:
            return None
        sides = probabilities(self.model, state), probabilities(self.model.T, state.T)
        if sum(float((1 - side.max(axis=1)).sum()) for side in sides) < DOUBT:
            return None
        accepted = self.accept(soften(self.model, state, self.least), state)
        for _ in range(DRAWS):
            if accepted is not None:
                break
            rows, columns = (
                draw(side, least, self.options.random)
                for side, least in zip(sides, self.least, strict=True)
            )
            accepted = self.accept(self.model.state(rows, columns), state)
        return accepted

    def accept(self, proposal: State, state: State) -> tuple[State, bool] | None:
        """Climb from a proposal; return the result if it is better than the present state."""
        reached, converged = self.climb(proposal, state.criterion)
        gain = reached.criterion - state.criterion
        return (reached, converged) if gain > GAIN * abs(state.criterion) else None

    def views(self, state: State) -> tuple[View, View]:
        """Return a state as seen from its rows, and from its columns; the last one is kept."""
        if self._views is None or self._views[0].state is not state:
            self._views = View.of_both(self.model, state)
        return self._views
