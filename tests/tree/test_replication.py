"""How many groups: numbers that are known."""

import numpy as np
import pytest

from rankone.datasets import make_paper
from rankone.matrix import as_matrix
from rankone.tree.replication import MOST_ROWS, Replication, replicate
from tests.tree.matrices import groups, noise


def replication_of(scores, chance):
    """Return a replication of two comparisons with the given scores, which differ by 0.2."""
    products = np.add(scores, [[0.1], [-0.1]])
    numbers = np.arange(2, len(scores) + 2)
    return Replication(numbers, products, np.ones_like(products), chance, (), np.arange(9))


@pytest.mark.parametrize(
    ("scores", "chance", "number"),
    [
        ([0.5, 0.9, 1.0, 0.8], 0.1, 3),  # two standard errors are 0.2
        ([0.5, 0.6, 1.0, 0.9], 0.1, 4),
        ([0.5, 0.9, 1.0, 0.8], 0.95, 4),  # three groups do no better than chance
        ([0.5, 0.9, 1.0, 0.8], 1.1, 1),
    ],
)
def test_the_smallest_number_that_is_not_worse_and_no_chance_is_chosen(scores, chance, number):
    assert replication_of(scores, chance).number == number


@pytest.mark.parametrize("kind", ["gaussian", "lognormal", "t(3)", "poisson"])
def test_noise_is_one_group(kind):
    """In 40 of 40 draws of each kind; here ten."""
    draws = [noise(kind, np.random.default_rng(seed), (60, 40)) for seed in range(10)]
    assert [replicate(as_matrix(a), 20).number for a in draws] == [1] * 10


@pytest.mark.parametrize(("name", "numbers"), [("D1", (3, 3)), ("D2", (3, 3)), ("D3", (2, 4))])
def test_blocks_of_the_paper_replicate_on_both_sides(name, numbers):
    a = make_paper(name, noise=1, random_state=0).data
    assert tuple(replicate(as_matrix(side), 12).number for side in (a, a.T)) == numbers


def test_groups_of_unequal_sizes_replicate():
    a, _ = groups(np.random.default_rng(0), [40, 20, 10, 5], n=30, distance=2.0)
    assert replicate(as_matrix(a), 12).number == 4


@pytest.mark.parametrize("shape", [(1, 5), (2, 5), (3, 5), (20, 1), (20, 2)])
def test_what_cannot_be_halved_is_one_group_or_more(shape):
    a = np.random.default_rng(0).normal(size=shape)
    replication = replicate(as_matrix(a), 5)
    assert 1 <= replication.number <= max(1, shape[0] // 2)
    assert replication.information.shape == replication.agreement.shape
    assert replication.information.shape[1] == replication.numbers.size


@pytest.mark.parametrize("a", [np.full((9, 6), 0.1), np.repeat([[1.0, 2.0, 5.0]], 8, axis=0)])
def test_equal_rows_are_one_group_that_is_not_split(a):
    replication = replicate(as_matrix(a), 5)
    assert replication.number == 1
    assert replication.numbers.size == 0
    assert replication.of_split(np.full(a.shape[0], True)) == 0.0


def test_halves_agree_on_groups_and_not_on_noise():
    a, labels = groups(np.random.default_rng(0), [30, 30], n=40, distance=1.0)
    replication = replicate(as_matrix(a), 4)
    assert replication.of_split(np.full(60, True)) > 0.9
    assert abs(replication.of_split(labels == 0)) < 0.3
    assert replication.of_split(np.arange(60) == 3) == 0.0


def test_halves_agree_on_three_groups_of_which_any_may_be_cut_off_first():
    """Groups at the corners of a triangle with equal sides."""
    rng = np.random.default_rng(0)
    centres = np.kron(np.eye(3), np.ones(20))
    a = 2.0 * centres[np.arange(90) % 3] + rng.normal(size=(90, 60))
    replication = replicate(as_matrix(a), 4)
    everything = np.full(90, True)
    assert replication.of_split(everything, 2) < 0.8
    assert replication.of_split(everything, 3) > 0.95


def test_of_many_rows_a_sample_is_compared():
    a, _ = groups(np.random.default_rng(0), [1500, 1500], n=8)
    replication = replicate(as_matrix(a), 3)
    assert replication.rows.size == MOST_ROWS
    assert np.unique(replication.rows).size == MOST_ROWS
    assert replication.number == 2
