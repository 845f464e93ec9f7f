"""Cuts by rank, against their definition."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankone.cuts import Quantiles


def distance_from_equal_shares(u, weights, boundaries):
    """Return the squared distances of the weights below boundaries from those of equal groups."""
    k = len(boundaries) + 1
    below = np.array([weights[u < b].sum() for b in boundaries])
    return ((below - weights.sum() * np.arange(1, k) / k) ** 2).sum()


@given(
    st.lists(st.tuples(st.integers(0, 8), st.integers(1, 5)), min_size=1, max_size=14),
    st.integers(1, 9),
    st.booleans(),
)
def test_no_boundaries_are_closer_to_those_of_equal_groups(pairs, k, weighted):
    u, weights = np.array(pairs, float).T
    weights = weights if weighted else np.ones(u.size)
    values = np.unique(u)
    k = min(k, values.size)
    part = Quantiles(k).cut(u, weights if weighted else None)
    assert part.n_clusters == k
    best = min(distance_from_equal_shares(u, weights, b) for b in combinations(values[1:], k - 1))
    found = distance_from_equal_shares(u, weights, part.boundaries)
    assert found == pytest.approx(best, abs=1e-9)


@given(st.integers(1, 60), st.data())
def test_sizes_of_distinct_values_differ_by_at_most_one(n, data):
    k = data.draw(st.integers(1, n))
    u = np.random.default_rng(n).permutation(np.exp(np.arange(n)))
    part = Quantiles(k).cut(u)
    assert np.ptp(part.sizes) <= 1
    ranks = np.argsort(np.argsort(u))
    np.testing.assert_array_equal(Quantiles(k).cut(ranks).labels, part.labels)  # only the order


def test_equal_values_stay_together_and_others_give_way():
    part = Quantiles(3).cut([7.0] * 97 + [1.0, 2.0, 9.0])
    np.testing.assert_array_equal(part.sizes, [2, 97, 1])


def test_many_clusters_of_few_values_take_no_long_time():
    u = np.concatenate([np.zeros(100_000), np.arange(1.0, 2001.0)])
    part = Quantiles(2000).cut(u)
    assert part.n_clusters == 2000
    assert part.sizes[0] == 100_000


def test_levels_ascend_however_far_values_are_apart():
    """The least values are lost if all are scaled so that the largest can be squared."""
    u = np.array([7e-28, 2e93, -2e-268, -4e-239, -4e-258])
    part = Quantiles(3).cut(u)
    assert (np.diff(part.levels) > 0).all()
    part.check(u)
