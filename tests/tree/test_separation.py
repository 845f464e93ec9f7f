"""Groups, or sections of a gradient."""

import numpy as np
import pytest

from rankone.datasets import make_paper
from rankone.matrix import as_matrix
from rankone.tree.partitions import partitions, points_for
from rankone.tree.separation import LEVEL, valley
from rankone.views import view
from tests.tree.matrices import gradient, groups, noise


def p_value(a):
    """Return the p-value of one mode, of all rows of a matrix."""
    views = view(as_matrix(a), 8)
    return valley(points_for(views, 2), partitions(views, 2)[-1] == 1)


@pytest.mark.parametrize("shape", [(60, 40), (300, 100)])
@pytest.mark.parametrize("law", ["normal", "uniform", "exponential"])
def test_a_factor_without_groups_has_no_valley(law, shape):
    values = [p_value(gradient(law, np.random.default_rng(seed), shape)) for seed in range(40)]
    assert np.mean(np.array(values) >= LEVEL) >= 0.9


@pytest.mark.parametrize("kind", ["gaussian", "lognormal", "t(3)", "poisson"])
def test_noise_has_no_valley_however_heavy_its_tails(kind):
    values = [p_value(noise(kind, np.random.default_rng(seed), (60, 40))) for seed in range(40)]
    assert np.mean(np.array(values) >= LEVEL) >= 0.95


@pytest.mark.parametrize("name", ["D1", "D2", "D3"])
@pytest.mark.parametrize("noise", [0, 1, 3])
def test_blocks_of_the_paper_have_a_valley_on_both_sides(name, noise):
    for seed in range(3):
        a = make_paper(name, noise=noise, random_state=seed).data
        assert p_value(a) < LEVEL
        assert p_value(a.T) < LEVEL


def test_the_order_of_rows_may_follow_the_groups():
    a, _ = groups(np.random.default_rng(0), [40, 40])
    for order in (np.arange(80), np.arange(80).reshape(2, 40).T.ravel()):
        assert p_value(a[order]) < LEVEL


@pytest.mark.parametrize("sizes", [(8, 8), (12, 12), (30, 10, 15)])
def test_small_groups_have_a_valley(sizes):
    values = [p_value(groups(np.random.default_rng(s), sizes, distance=4.0)[0]) for s in range(20)]
    assert np.mean(np.array(values) < LEVEL) >= 0.9


def test_few_or_equal_points_say_nothing():
    upper = np.arange(30) % 2 == 0
    assert valley(np.random.default_rng(0).normal(size=(7, 2)), upper[:7]) == 1.0
    assert valley(np.ones((30, 2)), upper) == 1.0
    assert valley(np.zeros((30, 0)), upper) == 1.0
    assert valley(np.random.default_rng(0).normal(size=(30, 2)), np.full(30, True)) == 1.0
