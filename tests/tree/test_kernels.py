"""Kernels against independent solvers: exact cuts, eigenvectors, scikit-learn's k-means."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.cluster import KMeans

from rankone import SortedPotts
from rankone.tree._kernels import (
    DIRECTIONS,
    bisect,
    cut_in_two,
    lloyd,
    rough_gains,
    scatter_of,
)
from rankone.tree.partitions import left_over, means_of, settle

SEEDS = st.integers(0, 2**32 - 1)


def explained(values, weights, above):
    """Return what two groups explain of the squared distances, straight from the definition."""

    def scatter(group):
        mean = np.average(values[group], weights=weights[group])
        return (weights[group] * (values[group] - mean) ** 2).sum()

    return scatter(np.full(values.size, True)) - scatter(above) - scatter(~above)


def exact_cut(values, weights):
    """Return what the best cut in two explains, by the solver of Step 2."""
    labels = SortedPotts(n_clusters=2).cut(values, weights=weights).labels
    return explained(values, weights, labels == labels[values.argmax()])


@settings(max_examples=60)
@given(
    SEEDS,
    st.integers(2, 40),
    st.sampled_from(["continuous", "ties", "two values", "heavy tails"]),
    st.sampled_from([1e-100, 1e-8, 1.0, 1e8, 1e100]),
)
def test_cut_in_two_explains_as_much_as_the_exact_cut(seed, n, kind, scale):
    rng = np.random.default_rng(seed)
    values = {
        "continuous": lambda: rng.normal(size=n),
        "ties": lambda: rng.integers(0, 5, n).astype(float),
        "two values": lambda: rng.choice([-0.3, 0.7], n),
        "heavy tails": lambda: rng.standard_cauchy(n),
    }[kind]()
    values = np.append(values, values[0] + 1.0)  # so that there are two
    values = (values - values.mean()) * scale
    weights = rng.integers(1, 5, values.size).astype(float)
    gain, threshold = cut_in_two(values, weights)
    best = exact_cut(values / scale, weights) * scale * scale
    assert gain == pytest.approx(best, rel=1e-9)
    assert explained(values / scale, weights, values > threshold) == pytest.approx(
        gain / scale / scale, rel=1e-9
    )


def test_a_threshold_between_neighbouring_numbers_is_not_the_upper_one():
    lower = 1.0
    values = np.array([lower, np.nextafter(lower, 2.0)]) - 1.0
    gain, threshold = cut_in_two(values, np.ones(2))
    assert gain > 0.0
    assert (values > threshold).tolist() == [False, True]


def test_equal_values_are_not_cut():
    assert cut_in_two(np.full(7, 0.1), np.ones(7)) == (0.0, 0.0)


def random_points(rng, m, r):
    """Return points with groups or without, ties or none, and their weights."""
    points = rng.normal(size=(m, r)) * 10.0 ** rng.uniform(-2, 2, r)
    if rng.random() < 0.5:
        points += 3.0 * rng.normal(size=(3, r))[rng.integers(0, 3, m)]
    if rng.random() < 0.3:
        points = np.round(points)
    return points, rng.integers(1, 4, m).astype(float)


@given(SEEDS, st.integers(2, 30), st.integers(1, 8))
def test_scatter_is_the_weighted_covariance(seed, m, r):
    points, weights = random_points(np.random.default_rng(seed), m, r)
    mean = np.empty(r)
    scatter = scatter_of(points, weights, np.arange(m), mean)
    np.testing.assert_allclose(mean, np.average(points, axis=0, weights=weights), atol=1e-9)
    centred = points - np.average(points, axis=0, weights=weights)
    expected = centred.T @ (weights[:, None] * centred)
    np.testing.assert_allclose(scatter, expected, atol=1e-12 * np.abs(expected).max())


@given(SEEDS, st.integers(2, 40), st.integers(1, 8))
def test_bisect_is_as_good_as_the_best_cut_of_three_principal_directions(seed, m, r):
    points, weights = random_points(np.random.default_rng(seed), m, r)
    gain, upper = bisect(points, weights, np.arange(m), 0.0)
    centred = points - np.average(points, axis=0, weights=weights)
    values, directions = np.linalg.eigh(centred.T @ (weights[:, None] * centred))
    assert gain <= values[-1] * (1 + 1e-9)
    for direction in directions.T[::-1][:DIRECTIONS]:
        scores = centred @ direction
        if np.ptp(scores) > 1e-6 * np.abs(centred).max():
            assert gain >= exact_cut(scores, weights) * (1 - 1e-9)
    if gain > 0.0:
        assert 0 < upper.sum() < m


def test_bisect_finds_a_principal_direction_that_the_widest_coordinate_does_not_have():
    """The second and third coordinate vary together, more than the first, which varies most."""
    side = np.repeat([-1.0, 1.0], 4)
    first = np.tile([-1.2, 1.2, 1.2, -1.2], 2)
    points = np.column_stack([first, side, side])
    gain, upper = bisect(points, np.ones(8), np.arange(8), 0.0)
    assert gain == pytest.approx(16.0)
    assert len({*(side[upper])}) == 1


@given(SEEDS, st.integers(2, 40), st.integers(1, 8))
def test_rough_gains_are_those_of_cuts(seed, m, r):
    """No cut along any direction explains more than the exact variance along the leading one."""
    rng = np.random.default_rng(seed)
    points, weights = random_points(rng, m, r)
    labels = rng.integers(0, 3, m)
    order = np.argsort(labels, kind="stable")
    starts = np.searchsorted(labels[order], np.arange(4))
    gains = rough_gains(points, weights, order, starts)
    for g, gain in enumerate(gains):
        members = np.flatnonzero(labels == g)
        if members.size < 2:
            assert gain == 0.0
            continue
        mean = np.empty(r)
        variances = np.linalg.eigvalsh(scatter_of(points, weights, members, mean))
        assert 0.0 <= gain <= variances[-1] * (1 + 1e-9)
        assert (gain > 0.0) == (np.ptp(points[members], axis=0).max() > 0.0)


def test_rough_gains_of_separate_groups_are_exact():
    rng = np.random.default_rng(0)
    points = rng.normal(size=(60, 5)) + 50.0 * (np.arange(60) % 2)[:, None]
    order, starts = np.arange(60), np.array([0, 30, 60])
    gains = rough_gains(points, np.ones(60), order, starts)
    for g, members in enumerate((order[:30], order[30:])):
        assert gains[g] == pytest.approx(bisect(points, np.ones(60), members, 0.0)[0], rel=1e-6)


def test_bisect_looks_only_for_what_explains_more_than_the_least():
    points, weights = random_points(np.random.default_rng(0), 20, 3)
    gain, _ = bisect(points, weights, np.arange(20), 0.0)
    assert bisect(points, weights, np.arange(20), 0.99 * gain)[0] == gain
    nothing, upper = bisect(points, weights, np.arange(20), gain)
    assert nothing == 0.0
    assert not upper.any()


@pytest.mark.parametrize("shape", [(1, 3), (5, 0), (0, 2)])
def test_bisect_leaves_alone_what_cannot_be_cut(shape):
    gain, upper = bisect(np.ones(shape), np.ones(shape[0]), np.arange(shape[0]), 0.0)
    assert gain == 0.0
    assert not upper.any()


@settings(max_examples=40)
@given(SEEDS, st.integers(1, 6), st.integers(1, 6))
def test_lloyd_equals_the_kmeans_of_scikit_learn_from_the_same_means(seed, k, r):
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(80, r)) + 4.0 * rng.normal(size=(k, r))[rng.integers(0, k, 80)]
    labels = rng.permutation(np.arange(80) % k)
    ours = lloyd(points, np.ones(80), labels, k, 300)
    if np.bincount(ours, minlength=k).min() == 0:
        return  # scikit-learn moves empty groups elsewhere at once
    start = means_of(points, labels, k)
    peer = KMeans(k, init=start, n_init=1, max_iter=300, tol=0, algorithm="lloyd").fit(points)
    np.testing.assert_array_equal(ours, peer.labels_)


@given(SEEDS, st.integers(1, 8))
def test_lloyd_ends_with_every_point_at_the_nearest_weighted_mean(seed, k):
    rng = np.random.default_rng(seed)
    points, weights = random_points(rng, 40, 3)
    ours = lloyd(points, weights, rng.permutation(np.arange(40) % k), k, 300)
    present = np.unique(ours)
    means = [np.average(points[ours == g], axis=0, weights=weights[ours == g]) for g in present]
    squared = ((points[:, None] - np.array(means)) ** 2).sum(axis=2)
    own = squared[np.arange(40), np.searchsorted(present, ours)]
    assert (own <= squared.min(axis=1) + 1e-9 * squared.max()).all()


@given(SEEDS, st.integers(2, 12))
def test_settle_leaves_no_group_empty_and_explains_no_less(seed, k):
    rng = np.random.default_rng(seed)
    points, _ = random_points(rng, 30, 2)
    points += 1e-3 * rng.normal(size=points.shape)  # all distinct
    labels = rng.permutation(np.arange(30) % k)
    settled = settle(points, np.ones(30), labels, k)
    assert np.bincount(settled, minlength=k).min() > 0
    assert left_over(points, settled) <= left_over(points, labels) * (1 + 1e-9)


def test_a_group_that_loses_all_its_points_starts_again_where_it_helps_most():
    """The mean of the first group lies between two others, which are nearer to both its points."""
    points = np.array([[-10.0], [10.0], [-10.1], [-9.9], [10.1], [9.9], [30.0]])
    labels = np.array([0, 0, 1, 1, 2, 2, 2])
    assert 0 not in lloyd(points, np.ones(7), labels, 3, 20)
    settled = settle(points, np.ones(7), labels, 3)
    assert np.unique(settled).size == 3
    assert (settled == settled[-1]).sum() == 1
