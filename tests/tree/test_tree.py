"""What a tree says of its nodes, and where it puts other rows."""

import numpy as np
import pytest
from scipy.cluster.hierarchy import fcluster, is_valid_linkage

from rankone.matrix import as_matrix
from rankone.tree import grow
from tests.tree.matrices import groups, same_partition


@pytest.fixture(scope="module")
def data():
    return groups(np.random.default_rng(1), [12, 9, 6, 5], n=10, distance=3.0)


@pytest.fixture(scope="module")
def tree(data):
    return grow(as_matrix(data[0]), 4, 8)


def test_nodes_at_a_number_are_its_clusters_from_left_to_right(tree):
    for k in range(1, tree.n_leaves + 1):
        nodes = tree.nodes_at(k)
        assert len(nodes) == k
        assert tree.sizes[nodes].tolist() == np.bincount(tree.cut(k)).tolist()


def test_scipy_cuts_the_tree_into_the_same_partitions(tree):
    counts = [tree.leaves_of(tree.n_leaves + i).size for i in range(tree.n_leaves - 1)]
    linkage = np.column_stack([tree.children, tree.heights, counts]).astype(float)
    assert is_valid_linkage(linkage)
    for k in range(1, tree.n_leaves + 1):
        if np.unique(tree.heights).size == tree.heights.size:
            assert same_partition(fcluster(linkage, k, "maxclust"), tree.leaf_clusters(k))


def test_the_first_view_ascends_from_left_to_right(tree):
    for lower, upper in tree.children:
        assert tree.centres[lower, 0] <= tree.centres[upper, 0]


def test_drivers_are_differences_of_the_means_of_both_sides(tree, data):
    a, _ = data
    for split in tree.splits:
        lower, upper = (np.isin(tree.leaves, tree.leaves_of(child)) for child in split.children)
        expected = a[upper].mean(axis=0) - a[lower].mean(axis=0)
        drivers = tree.drivers(split.node)
        np.testing.assert_allclose(drivers * tree.views.margins.scale, expected, atol=1e-9)


def test_means_of_sides_have_scores_of_minus_one_and_one(tree):
    for split in tree.splits:
        sides = tree.centres[list(split.children)]
        np.testing.assert_allclose(tree.scores(split.node, sides), [-1.0, 1.0])


def test_centres_are_means_of_the_rows_of_each_node(tree):
    for node in range(2 * tree.n_leaves - 1):
        inside = np.isin(tree.leaves, tree.leaves_of(node))
        expected = tree.points[inside].mean(axis=0)
        np.testing.assert_allclose(tree.centres[node], expected, atol=1e-9)


def test_fitted_rows_given_again_are_placed_in_their_leaves(tree, data):
    points = tree.points_of(as_matrix(data[0]))
    np.testing.assert_allclose(points, tree.points, atol=1e-9)
    np.testing.assert_array_equal(tree.place(points), tree.leaves)


def test_new_rows_join_the_group_that_they_belong_to(tree, data):
    a, labels = data
    new = a + 0.1 * np.random.default_rng(2).normal(size=a.shape)
    leaves = tree.place(tree.points_of(as_matrix(new)))
    assert same_partition(tree.leaf_clusters(4)[leaves], labels)


def test_confidence_is_one_for_separated_groups_and_even_half_way(tree):
    confidence = tree.confidence(tree.points)
    np.testing.assert_allclose(confidence.sum(axis=1), 1.0)
    np.testing.assert_array_equal(confidence.argmax(axis=1), tree.cut())
    assert confidence.max(axis=1).min() > 0.99
    clusters = tree.nodes_at(4)
    middle = tree.centres[clusters[:2]].mean(axis=0, keepdims=True)
    two = tree.confidence(middle)[0, :2]
    assert two[0] / two[1] == pytest.approx(tree.sizes[clusters[0]] / tree.sizes[clusters[1]])


def test_confidence_of_clusters_without_spread_is_certain():
    a = np.array([[0.0, 1.0], [5.0, -2.0], [0.0, 1.0], [5.0, -2.0]])
    tree = grow(as_matrix(a), 2)
    np.testing.assert_array_equal(np.sort(tree.confidence(tree.points), axis=1), [[0.0, 1.0]] * 4)
