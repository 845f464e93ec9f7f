"""Cuts at gaps: what they promise, against their definitions."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.cluster.hierarchy import fcluster, linkage

from rankone.cuts.gaps import LargestGaps, Sign, Threshold, gap_threshold

VECTORS = st.one_of(
    st.lists(st.integers(-5, 5), min_size=1, max_size=20),
    st.lists(st.floats(-100, 100), min_size=1, max_size=20),
).map(lambda u: np.array(u, float))

CUTS = [Sign(), Threshold(0.5), LargestGaps(1)]


def same_partition(a, b):
    """Say whether two labellings are the same up to names."""
    pairs = set(zip(a, b, strict=True))
    return len(pairs) == len(set(a)) == len(set(b))


@given(VECTORS)
def test_sign_cuts_at_zero_if_there_are_both_signs(u):
    part = Sign().cut(u)
    both = (u < 0).any() and (u >= 0).any()
    np.testing.assert_array_equal(part.labels, (u >= 0) & both)
    np.testing.assert_array_equal(part.boundaries, [0.0] if both else [])


def test_sign_labels_points_of_weight_zero_by_their_sign():
    part = Sign().cut([-10.0, 1.0, -0.1, 0.5, -0.0], [1, 1, 0, 0, 0])
    np.testing.assert_array_equal(part.labels, [0, 1, 0, 1, 1])
    np.testing.assert_array_equal(part.levels, [-10, 1])
    np.testing.assert_array_equal(part.sizes, [2, 3])


def test_a_point_of_weight_zero_adds_no_sign():
    part = Sign().cut([-1.0, 2.0], [0, 1])
    np.testing.assert_array_equal(part.labels, [0, 0])
    np.testing.assert_array_equal(part.levels, [2])


@given(VECTORS, st.sampled_from([0.0, 0.5, 1.0, 3.0, 1e300]))
def test_threshold_is_single_linkage(u, eps):
    part = Threshold(eps).cut(u)
    if u.size > 1:
        tree = linkage(u[:, None], metric="cityblock")
        assert same_partition(part.labels, fcluster(tree, eps, "distance"))
    else:
        assert part.n_clusters == 1


@given(VECTORS, st.data())
def test_largest_gaps_cuts_the_widest_gaps_and_no_others(u, data):
    values = np.unique(u)
    k = data.draw(st.integers(1, values.size))
    part = LargestGaps(k).cut(u)
    assert part.n_clusters == k
    gaps = np.diff(values)
    label_of = dict(zip(u, part.labels, strict=True))
    is_cut = np.array([label_of[a] != label_of[b] for a, b in pairwise(values)])
    by_width = sorted(range(gaps.size), key=lambda i: (-gaps[i], i))
    np.testing.assert_array_equal(np.flatnonzero(is_cut), sorted(by_width[: k - 1]))


def test_lowest_of_equal_gaps_is_cut_first():
    np.testing.assert_array_equal(LargestGaps(3).cut([3, 2, 1, 0]).labels, [2, 2, 1, 0])


every_cut = pytest.mark.parametrize("cut", [*CUTS, Threshold(0.0), LargestGaps(2)], ids=repr)


def assume_enough_values(cut, u):
    assume(not isinstance(cut, LargestGaps) or cut.n_clusters <= np.unique(u).size)


@every_cut
@given(u=VECTORS)
def test_partitions_are_consistent_and_not_called_exact(cut, u):
    assume_enough_values(cut, u)
    part = cut.cut(u)
    assert (part.exact, part.lam, part.p) == (False, None, 2.0)
    assert part.check(u) == pytest.approx(part.objective, rel=1e-9, abs=1e-9)
    np.testing.assert_array_equal(part.sizes, np.bincount(part.labels))
    np.testing.assert_array_equal(np.searchsorted(part.boundaries, u, side="right"), part.labels)


@every_cut
@given(u=VECTORS, data=st.data())
def test_permuting_the_vector_permutes_the_labels(cut, u, data):
    assume_enough_values(cut, u)
    order = data.draw(st.permutations(range(u.size)))
    np.testing.assert_array_equal(cut.cut(u[order]).labels, cut.cut(u).labels[order])


@every_cut
@given(u=VECTORS, data=st.data())
def test_a_weight_counts_as_repetition(cut, u, data):
    assume_enough_values(cut, u)
    w = np.array(data.draw(st.lists(st.integers(1, 3), min_size=u.size, max_size=u.size)))
    weighted, repeated = cut.cut(u, w), cut.cut(np.repeat(u, w))
    np.testing.assert_array_equal(np.repeat(weighted.labels, w), repeated.labels)
    np.testing.assert_allclose(weighted.levels, repeated.levels, atol=1e-12)
    assert weighted.check(u, w) == pytest.approx(repeated.objective, rel=1e-9, abs=1e-9)


@given(VECTORS, st.sampled_from([0.25, 3.0]))
def test_shifting_and_scaling_the_vector_leaves_the_labels(u, factor):
    u = np.round(u)
    for cut, scaled in [
        (Threshold(2.5), Threshold(2.5 * factor)),
        (LargestGaps(np.unique(u).size), LargestGaps(np.unique(u).size)),
    ]:
        expected = cut.cut(u).labels
        np.testing.assert_array_equal(scaled.cut(factor * u).labels, expected)
        np.testing.assert_array_equal(cut.cut(u + 1000.0).labels, expected)


@pytest.mark.parametrize("cut", [Threshold(1.0), LargestGaps(2)], ids=repr)
def test_zero_weight_takes_the_nearest_level(cut):
    part = cut.cut([0.0, 10.0, 4.0, 6.0], [1, 1, 0, 0])
    np.testing.assert_array_equal(part.labels, [0, 1, 0, 1])
    np.testing.assert_array_equal(part.levels, [0, 10])


def test_a_gap_too_wide_for_a_double_is_cut_first():
    u = [-1.7e308, 1.7e308, 1.7e308]
    for cut in (Sign(), Threshold(1.7e308), LargestGaps(2)):
        part = cut.cut(u)
        np.testing.assert_array_equal(part.labels, [0, 1, 1])
        np.testing.assert_array_equal(part.levels, u[:2])
    with pytest.raises(ValueError, match="larger than the largest double"):
        LargestGaps(1).cut(u)


def test_the_smallest_positive_gap_is_seen():
    np.testing.assert_array_equal(Threshold(0).cut([5e-324, 0.0]).labels, [1, 0])
    np.testing.assert_array_equal(Threshold(5e-324).cut([5e-324, 0.0]).labels, [0, 0])


@pytest.mark.parametrize("eps", [-1, np.nan, np.inf, "1", None, True])
def test_eps_that_is_not_a_nonnegative_number_is_refused(eps):
    with pytest.raises(ValueError, match="eps must be a finite number"):
        Threshold(eps).cut([1, 2])


def test_scores_of_a_cluster_rarely_leave_half_the_threshold():
    rng = np.random.default_rng(0)
    eps, alpha = gap_threshold(60, 0.5 / 400**0.5, alpha=0.2), 0.2
    means = rng.binomial(400, 0.5, size=(1000, 60)) / 400
    largest = np.abs(means - 0.5).max(axis=1)
    assert (largest > eps / 2).mean() <= alpha
    assert (largest > 0.75 * eps / 2).mean() > alpha  # the bound is not far from the truth
    assert all(Threshold(eps).cut(u).n_clusters == 1 for u in means[:100])


def test_clusters_further_apart_than_twice_the_threshold_are_separated():
    rng = np.random.default_rng(0)
    sigma = 0.01
    eps = gap_threshold(100, sigma)
    levels = np.repeat([0.0, 2.01 * eps, 4.02 * eps], [50, 30, 20])
    for _ in range(50):
        part = Threshold(eps).cut(levels + sigma * rng.standard_normal(100))
        np.testing.assert_array_equal(part.sizes, [50, 30, 20])


def test_the_threshold_of_means_of_zeros_and_ones_is_that_of_hoeffding():
    d, n, alpha = 400, 1000, 0.01
    eps = gap_threshold(n, 0.5 / d**0.5, alpha)
    assert n * 2 * np.exp(-2 * d * (eps / 2) ** 2) == pytest.approx(alpha)


@pytest.mark.parametrize(("n", "sigma", "alpha"), [(0, 1, 0.1), (5, -1, 0.1), (5, 1, 0), (5, 1, 2)])
def test_impossible_thresholds_are_refused(n, sigma, alpha):
    with pytest.raises(ValueError, match="must be"):
        gap_threshold(n, sigma, alpha)
