"""Trees: nested partitions through the answer, on ordinary matrices and on degenerate ones."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from rankone.datasets import make_paper
from rankone.matrix import as_matrix
from rankone.tree import grow
from rankone.tree.growing import MOST_ROWS
from rankone.tree.partitions import left_over, means_of
from tests.tree.matrices import canonical_labels, gradient, groups, same_partition


def check(tree):
    """Check what holds for every tree."""
    n_leaves, m = tree.n_leaves, tree.leaves.size
    coarse = np.zeros(m, int)
    for k in range(1, n_leaves + 1):
        fine = tree.cut(k)
        assert np.unique(fine).tolist() == list(range(k))
        assert np.unique(np.column_stack([fine, coarse]), axis=0).shape[0] == k
        coarse = fine
    assert same_partition(tree.cut(n_leaves), tree.leaves)
    assert 1 <= tree.n_clusters <= n_leaves
    assert tree.cut().max() + 1 == tree.n_clusters
    assert tree.sizes[-1] == m
    assert all(sum(split.sizes) == tree.sizes[split.node] for split in tree.splits)
    assert sum(split.in_answer for split in tree.splits) == tree.n_clusters - 1
    assert (np.diff(tree.heights) >= 0).all()
    assert (tree.gains > 0).all()
    np.testing.assert_array_equal(tree.place(tree.points), tree.leaves)
    for figures in (tree.heights, tree.replications, tree.p_values, tree.centres, tree.profiles):
        assert np.isfinite(figures).all()
    return tree


def random_matrix(seed):
    """Return a small matrix of real numbers or counts, with groups or without."""
    rng = np.random.default_rng(seed)
    m, n, k = (int(size) for size in rng.integers([2, 1, 1], [40, 12, 5]))
    means = 3.0 * rng.normal(size=(k, n))[rng.integers(0, k, m)]
    if rng.random() < 0.5:
        return rng.poisson(np.exp(means / 3.0)).astype(float)
    return means + rng.normal(size=(m, n))


@settings(max_examples=40)
@given(
    st.integers(0, 2**32 - 1), st.one_of(st.none(), st.integers(1, 9)), st.sampled_from([2, 5, 20])
)
def test_partitions_of_random_matrices_are_nested_and_rows_are_placed_as_fitted(seed, number, most):
    tree = check(grow(as_matrix(random_matrix(seed)), number, most))
    assert tree.n_clusters <= (most if number is None else number)
    assert tree.n_leaves <= max(most, tree.n_clusters)
    assert (tree.replication is None) == (number is not None)


@settings(max_examples=20)
@given(st.integers(0, 2**32 - 1))
def test_another_order_of_rows_and_columns_gives_the_same_clusters(seed):
    rng = np.random.default_rng(seed)
    a, _ = groups(rng, rng.integers(2, 12, 3), n=int(rng.integers(2, 30)), distance=1.0)
    i, j = rng.permutation(a.shape[0]), rng.permutation(a.shape[1])
    assert same_partition(canonical_labels(a)[i], canonical_labels(a[i][:, j]))


def test_a_second_run_gives_the_same_tree():
    a = random_matrix(3)
    one, other = (grow(as_matrix(a)) for _ in range(2))
    for name in ("children", "gains", "leaves", "centres", "profiles", "p_values", "replications"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))


@pytest.mark.parametrize(("name", "number"), [("D1", 3), ("D2", 3), ("D3", 2)])
def test_blocks_of_the_paper_are_found(name, number):
    simulated = make_paper(name, noise=1, random_state=0)
    tree = check(grow(as_matrix(simulated.data), max_clusters=10))
    assert tree.n_clusters == number
    assert same_partition(simulated.row_labels, tree.cut())
    assert all(split.kind == "groups" for split in tree.splits if split.in_answer)
    assert all(split.replication > 0.9 for split in tree.splits if split.in_answer)


def test_a_gradient_is_cut_into_sections():
    tree = grow(as_matrix(gradient("normal", np.random.default_rng(0), (200, 60))), 3, 5)
    assert all(split.kind == "gradient" for split in tree.splits)


def test_sparse_counts_give_the_clusters_of_the_dense_array():
    rng = np.random.default_rng(0)
    rates = rng.gamma(0.4, 1.0, (3, 50))
    a = rng.poisson(rates[np.arange(90) % 3]).astype(float)
    dense, sparse = check(grow(as_matrix(a))), check(grow(as_matrix(sp.csr_array(a))))
    assert same_partition(dense.cut(), np.arange(90) % 3)
    assert same_partition(dense.cut(), sparse.cut())


def test_missing_entries_do_not_hide_groups():
    rng = np.random.default_rng(0)
    a, labels = groups(rng, [20, 20, 20], n=20, distance=3.0)
    a[rng.random(a.shape) < 0.3] = np.nan
    assert same_partition(check(grow(as_matrix(a))).cut(), labels)


@pytest.mark.parametrize(
    "a",
    [
        np.zeros((6, 4)),
        np.full((6, 4), 0.1),
        np.repeat([[0.1, 0.2, 0.7]], 7, axis=0),
        np.repeat([[3.0, 0.0, 7.0]], 7, axis=0),
        np.outer([1.0, 1.0, 0.0, 1.0, 0.0], [1.0, 0.0, 1.0]),  # as the margins say
        np.ones((1, 3)),
    ],
    ids=[
        "zeros",
        "constant",
        "equal rows",
        "equal counts",
        "rank one of zeros and ones",
        "one row",
    ],
)
@pytest.mark.parametrize("number", [None, 3])
def test_rows_that_cannot_be_told_apart_are_one_cluster(a, number):
    tree = check(grow(as_matrix(a), number))
    assert tree.n_leaves == tree.n_clusters == 1
    assert tree.cut().tolist() == [0] * a.shape[0]
    assert tree.splits == []
    np.testing.assert_array_equal(tree.confidence(tree.points), np.ones((a.shape[0], 1)))


@pytest.mark.parametrize("number", [None, 2, 5])
def test_two_rows_are_two_clusters_at_most(number):
    tree = check(grow(as_matrix([[1.0, 2.0], [3.0, -1.0]]), number))
    assert tree.n_leaves == 2
    assert tree.n_clusters == (1 if number is None else 2)


def test_one_column_is_cut_where_its_groups_are():
    a = np.array([[1.0], [1.1], [5.0], [5.2], [9.0]])
    assert check(grow(as_matrix(a), 3)).cut().tolist() == [0, 0, 1, 1, 2]
    assert check(grow(as_matrix(a))).n_clusters == 1  # one column has no halves to compare


def test_rank_one_data_are_cut_along_their_only_direction():
    a = np.outer([-5.0, -5.1, 0.0, 0.1, 7.0, 7.2], [1.0, -2.0, 3.0])
    assert same_partition(check(grow(as_matrix(a), 3)).cut(), [0, 0, 1, 1, 2, 2])


@pytest.mark.parametrize("number", [4, 7, 30])
def test_there_are_no_more_clusters_than_distinct_rows(number):
    rng = np.random.default_rng(0)
    a = rng.normal(size=(4, 6))[np.arange(20) % 4]
    tree = check(grow(as_matrix(a), number))
    assert tree.n_clusters == tree.n_leaves == 4
    assert same_partition(tree.cut(), np.arange(20) % 4)


def test_more_clusters_than_the_largest_number_may_be_asked_for():
    a = np.random.default_rng(0).normal(size=(30, 6))
    tree = check(grow(as_matrix(a), 9, max_clusters=4))
    assert tree.n_clusters == tree.n_leaves == 9


@pytest.mark.parametrize("distance", [1e2, 1e6])
def test_a_row_far_away_is_alone_and_the_rest_is_divided_as_before(distance):
    rng = np.random.default_rng(0)
    a, labels = groups(rng, [15, 15], n=6)
    far = np.append(labels, 2)
    a = np.vstack([a, np.full(6, distance)])
    tree = check(grow(as_matrix(a), 3))
    assert same_partition(tree.cut(), far)


@pytest.mark.parametrize("scale", [1e-200, 1e-30, 1e30, 1e200])
def test_the_scale_of_entries_does_not_matter(scale):
    a, labels = groups(np.random.default_rng(0), [12, 9, 7])
    one, other = (check(grow(as_matrix(x))) for x in (a, a * scale))
    np.testing.assert_array_equal(one.cut(), other.cut())
    assert same_partition(one.cut(), labels)
    assert one.n_leaves == other.n_leaves


@pytest.mark.parametrize("seed", range(5))
def test_the_answer_is_at_rest_under_k_means(seed):
    """No row is nearer to the mean of another cluster, although the answer is part of a tree."""
    tree = grow(as_matrix(np.random.default_rng(seed).normal(size=(60, 10))), 5)
    points, labels = tree.points, tree.cut()
    means = means_of(points, labels, 5)
    squared = ((points[:, None] - means) ** 2).sum(axis=2)
    np.testing.assert_array_equal(squared.argmin(axis=1), labels)


@pytest.mark.parametrize("seed", range(5))
def test_splits_explain_what_partitions_differ_by(seed):
    tree = grow(as_matrix(np.random.default_rng(seed).normal(size=(50, 8))), 4, 10)
    points = tree.points
    left = [left_over(points, tree.cut(k)) for k in range(1, tree.n_leaves + 1)]
    np.testing.assert_allclose(-np.diff(left), tree.gains[::-1], rtol=1e-9)


def test_of_many_rows_the_answer_is_found_from_a_sample():
    a, labels = groups(np.random.default_rng(0), [MOST_ROWS // 2 + 50, MOST_ROWS // 2], n=4)
    tree = check(grow(as_matrix(a), 2, 3))
    assert same_partition(tree.cut(), labels)
