"""Moves: the criterion never falls, and clusters keep their least size."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankone.matrix import as_matrix
from rankone.refinement.families import FAMILIES, Gaussian
from rankone.refinement.model import BlockModel
from rankone.refinement.moves import assign, climb, draw, soften
from tests.refinement.test_model import random_case


@settings(max_examples=30)
@given(st.integers(0, 2**32 - 1), st.sampled_from(sorted(FAMILIES)), st.floats(0, 0.5))
def test_no_sweep_lowers_the_criterion(seed, name, missing):
    a, z, w = random_case(seed, name, missing)
    model = BlockModel.of(as_matrix(a), FAMILIES[name])
    state = model.state(z, w)
    for _ in range(5):
        reached = climb(model, state, (1, 1), 1).state
        assert reached.criterion >= state.criterion - 1e-9 * abs(state.criterion)
        assert reached.shape == state.shape
        state = reached


@settings(max_examples=30)
@given(st.integers(0, 2**32 - 1), st.sampled_from(sorted(FAMILIES)))
def test_no_single_move_improves_the_end_of_a_climb(seed, name):
    a, z, w = random_case(seed, name, shape=(9, 7))
    model = BlockModel.of(as_matrix(a), FAMILIES[name])
    end = climb(model, model.state(z, w), (1, 1), 100)
    assert end.converged
    for side, model_of_side in ((end.state, model), (end.state.T, model.T)):
        for row in range(side.rows.size):
            for cluster in range(side.shape[0]):
                rows = side.rows.copy()
                rows[row] = cluster
                if np.unique(rows).size == side.shape[0]:
                    moved = model_of_side.state(rows, side.columns)
                    assert moved.criterion <= end.state.criterion + 1e-6


@pytest.mark.parametrize("seed", [256, 372])
def test_a_climb_ends_where_filled_clusters_could_exchange_rows_forever(seed):
    a, z, w = random_case(seed, "poisson", shape=(9, 7))
    model = BlockModel.of(as_matrix(a), FAMILIES["poisson"])
    assert climb(model, model.state(z, w), (1, 1), 100).converged


def test_a_climb_is_given_up_if_its_aim_is_out_of_reach():
    a, z, w = random_case(0, "gaussian")
    model = BlockModel.of(as_matrix(a), Gaussian)
    end = climb(model, model.state(z, w), (1, 1), 100, aim=1e9)
    assert end.n_iter == 1
    assert not end.converged


def test_softening_keeps_blocks_that_are_clear():
    z, w = np.arange(40) % 2, np.arange(30) % 3
    a = np.array([[0.0, 5.0, 9.0], [4.0, 0.0, 7.0]])[z][:, w]
    a += 0.1 * np.random.default_rng(0).normal(size=a.shape)
    model = BlockModel.of(as_matrix(a), Gaussian)
    state = model.state(z, w)
    assert soften(model, state, (1, 1)).has_labels_of(state)


def test_labels_are_drawn_with_their_probability():
    probability = np.repeat([[0.1, 0.6, 0.3]], 20_000, axis=0)
    labels = draw(probability, 1, np.random.RandomState(0))
    # Five standard deviations of a binomial share.
    assert np.bincount(labels) / 20_000 == pytest.approx([0.1, 0.6, 0.3], abs=0.018)


def test_assignment_fills_empty_clusters():
    log_posterior = np.array(
        [[0.0, -1.0, -5.0], [0.0, -2.0, -1.0], [0.0, -3.0, -2.0], [0.0, -4.0, -3.0]]
    )
    assert assign(log_posterior, 0).tolist() == [0, 0, 0, 0]
    assert assign(log_posterior, 1).tolist() == [1, 2, 0, 0]


@pytest.mark.parametrize(
    ("log_posterior", "sizes"),
    [([[0.0, -np.inf]] * 6, [4, 2]), ([[-np.inf] * 3] * 7, [3, 2, 2])],
    ids=["one cluster", "every cluster"],
)
def test_assignment_ends_where_clusters_are_impossible_for_every_row(log_posterior, sizes):
    assert np.bincount(assign(np.array(log_posterior), 2)).tolist() == sizes


def test_assignment_moves_the_rows_that_lose_least():
    rng = np.random.default_rng(0)
    for _ in range(50):
        n, least = int(rng.integers(2, 40)), int(rng.integers(1, 12))
        log_posterior = rng.normal([3.0, 0.0], size=(n, 2))
        labels, least = assign(log_posterior, least), min(least, n // 2)
        free = log_posterior.argmax(axis=1)
        missing = max(0, least - np.count_nonzero(free == 1))
        loss = np.where(free == 0, log_posterior[:, 0] - log_posterior[:, 1], np.inf)
        expected = free.copy()
        expected[np.argsort(loss)[:missing]] = 1
        assert np.array_equal(labels, expected)
