"""Cuts at gaps: what they promise, against their definitions."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.cluster.hierarchy import fcluster, linkage

from rankone.cuts.gaps import LargestGaps, Sign, Threshold

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
