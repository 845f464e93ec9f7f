"""Measures of agreement, compared with those of scikit-learn."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import adjusted_rand_score, mutual_info_score
from sklearn.metrics.cluster import contingency_matrix, expected_mutual_information

from rankone._agreement import (
    adjusted_rand,
    agree_by_chance,
    agreement_of,
    compare,
    contingency,
)


@st.composite
def partitions(draw):
    """Return two partitions of the same rows."""
    n = draw(st.integers(2, 40))
    labels = [draw(st.lists(st.integers(0, 5), min_size=n, max_size=n)) for _ in range(2)]
    return [np.unique(side, return_inverse=True)[1] for side in labels]


@given(partitions())
def test_adjusted_rand_is_that_of_scikit_learn(pair):
    expected = adjusted_rand_score(*pair)
    if max(len(set(side)) for side in pair) == 1:
        expected = 0.0  # two partitions into one group have no information in common
    if all(len(set(side)) == side.size for side in pair):
        expected = 0.0  # nor have those into single rows
    assert adjusted_rand(*pair) == pytest.approx(expected, abs=1e-12)


@given(partitions())
def test_information_is_that_of_scikit_learn_less_its_expectation(pair):
    table = contingency_matrix(*pair)
    np.testing.assert_array_equal(contingency(*pair), table)
    information = mutual_info_score(*pair)
    assert agreement_of(*pair)[1] == pytest.approx(information, abs=1e-12)
    expected = expected_mutual_information(table.astype(np.int64), pair[0].size)
    assert compare(*pair)[0] == pytest.approx(information - expected, abs=1e-12)


@given(partitions(), st.integers(0, 2**32 - 1))
def test_agreement_by_chance_is_that_of_labels_in_other_orders(pair, seed):
    first, second = pair
    rng = np.random.default_rng(seed)
    orders = np.array([rng.permutation(first.size) for _ in range(3)])
    expected = compare(first, second)[2]
    products = agree_by_chance(first, second, orders, expected)
    for order, product in zip(orders, products, strict=True):
        information, agreement, _ = compare(first, second[order])
        assert product == pytest.approx(max(information, 0.0) * max(agreement, 0.0), abs=1e-12)
