"""Whether blocks explain a matrix, and whether both halves of it support them."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.cluster import KMeans

from rankone import RankOneClustering, RankOneCoclustering
from rankone.datasets import make_blocks, make_paper
from rankone.matrix import as_matrix
from rankone.matrix.canonical import Canonical
from rankone.refinement import block_fit, blocks_explain, halves_support


def fine(labels, parts=4):
    """Return labels in which each cluster is divided into several."""
    return np.unique(labels * parts + np.arange(labels.size) % parts, return_inverse=True)[1]


def explain(values, rows, columns, loss="gaussian"):
    return blocks_explain(Canonical.of(as_matrix(values)), rows, columns, loss)


@pytest.mark.parametrize("name", ["D1", "D2", "D3", "D4"])
@pytest.mark.parametrize("noise", [0, 1, 3])
def test_blocks_explain_blocks(name, noise):
    blocks = make_paper(name, noise=noise, random_state=0)
    assert explain(blocks.data, fine(blocks.row_labels), fine(blocks.column_labels))


@pytest.mark.parametrize("loss", ["gaussian", "poisson"])
@pytest.mark.parametrize("transposed", [False, True])
def test_blocks_explain_noise_though_clusters_follow_it(loss, transposed):
    rng = np.random.default_rng(0)
    values = rng.normal(size=(4000, 20)) if loss == "gaussian" else rng.poisson(9.0, (4000, 20))
    rows = KMeans(20, n_init=1, random_state=0).fit_predict(values)
    labels = (rows, np.arange(20) % 4)
    assert explain(*((values.T, *labels[::-1]) if transposed else (values, *labels)), loss=loss)


def test_blocks_explain_noise_in_two_columns():
    values = np.random.default_rng(0).normal(size=(4000, 2))
    rows = KMeans(20, n_init=1, random_state=0).fit_predict(values)
    assert explain(values, rows, np.zeros(2, np.intp))


@pytest.mark.parametrize("missing", [0.1, 0.8, 0.95])
def test_blocks_do_not_explain_incomplete_columns_that_differ(missing):
    rng = np.random.default_rng(0)
    groups, columns = np.repeat([0, 1, 2], 200), np.arange(400) % 20
    values = 3 * rng.normal(size=(3, 400))[groups] + rng.normal(size=(600, 400))
    values[rng.random(values.shape) < missing] = np.nan
    assert not explain(values, fine(groups), columns)
    noise = np.where(np.isnan(values), np.nan, rng.normal(size=values.shape))
    assert explain(noise, fine(groups), columns)


@pytest.mark.parametrize("shape", [(6000, 50), (50, 6000)])
def test_groups_of_a_long_matrix_are_found(shape):
    blocks = make_blocks(shape, [[0, 1], [1, 0], [2, 3]], sigma=2.0, random_state=0)
    model = RankOneCoclustering().fit(blocks.data)
    assert model.result_.method == "blocks"
    assert (model.n_row_clusters_, model.n_column_clusters_) == (3, 2)


def test_rows_that_differ_in_few_columns_are_divided_though_no_block_is():
    rng = np.random.default_rng(1)
    means = np.zeros((3, 300))
    for own in means:
        own[rng.choice(300, 6, replace=False)] = 0.8 * rng.choice([-1, 1], 6)
    model = RankOneCoclustering().fit(means[np.arange(3000) % 3] + rng.normal(size=(3000, 300)))
    assert model.result_.method == "tree"
    assert model.n_row_clusters_ > 1


def test_blocks_do_not_explain_columns_that_differ_one_by_one():
    rng = np.random.default_rng(0)
    groups = np.repeat([0, 1, 2], 40)
    values = rng.normal(size=(3, 200))[groups] + rng.normal(size=(120, 200))
    assert not explain(values, fine(groups), np.arange(200) % 20)


def test_blocks_do_not_explain_heavy_tails():
    rng = np.random.default_rng(0)
    labels = np.arange(100) % 10
    assert explain(rng.normal(size=(100, 100)), labels, labels)
    assert not explain(rng.standard_t(3, size=(100, 100)), labels, labels)
    assert not explain(rng.lognormal(size=(100, 100)), labels, labels)


def test_blocks_do_not_explain_counts_that_burst():
    rng = np.random.default_rng(0)
    rates = np.full((100, 80), 3.0)
    labels = np.arange(100) % 10, np.arange(80) % 10
    assert explain(rng.poisson(rates) * 1.0, *labels, "poisson")
    assert not explain(
        rng.poisson(rates * rng.gamma(1.0, size=rates.shape)) * 1.0, *labels, "poisson"
    )


def test_halves_support_blocks_and_not_single_entries():
    blocks = make_paper("D2", noise=2, random_state=0)
    canonical = Canonical.of(as_matrix(blocks.data))
    assert halves_support(canonical, block_fit(canonical, blocks.row_labels, blocks.column_labels))
    rng = np.random.default_rng(0)
    values = rng.normal(size=(60, 40))
    odd = rng.choice(60, 12, replace=False)
    values[odd, rng.integers(0, 40, 12)] += 30.0  # each row in one column of its own
    canonical = Canonical.of(as_matrix(values))
    labels = np.zeros(60, np.intp)
    labels[odd] = 1
    assert not halves_support(canonical, block_fit(canonical, labels, np.zeros(40, np.intp)))


@pytest.mark.parametrize("draw", ["standard_t", "lognormal"])
def test_heavy_tailed_noise_is_one_cluster(draw):
    for seed in range(3):
        rng = np.random.default_rng(seed)
        values = (
            rng.standard_t(3, (80, 60)) if draw == "standard_t" else rng.lognormal(size=(80, 60))
        )
        model = RankOneCoclustering().fit(values)
        assert (model.n_row_clusters_, model.n_column_clusters_) == (1, 1)


def test_trees_go_through_the_answer_whatever_found_it():
    rng = np.random.default_rng(0)
    groups = np.repeat([0, 1, 2], 30)
    unpooled = rng.normal(size=(3, 60))[groups] * 2 + rng.normal(size=(90, 60))
    blocks = make_paper("D2", noise=1, random_state=0).data
    for values, method in ((unpooled, "tree"), (blocks, "blocks")):
        model = RankOneCoclustering().fit(values)
        assert model.result_.method == method
        np.testing.assert_array_equal(model.row_tree_.cut(), model.row_labels_)
        np.testing.assert_array_equal(model.column_tree_.cut(), model.column_labels_)
        np.testing.assert_array_equal(model.predict(values), model.row_labels_)


def test_clusters_of_a_tree_have_the_least_size():
    rng = np.random.default_rng(0)
    groups = np.repeat([0, 1, 2], [40, 40, 3])
    values = rng.normal(size=(3, 50))[groups] * 3 + rng.normal(size=(83, 50))
    for number in (None, 3):
        model = RankOneClustering(number, min_cluster_size=5).fit(values)
        assert np.bincount(model.labels_).min() >= 5
        assert number in (None, model.n_clusters_)
        np.testing.assert_array_equal(model.tree_.cut(), model.labels_)


def test_without_refinement_there_is_no_tree():
    model = RankOneClustering(refine=False).fit([[1, 2], [1, 2], [8, 9], [8, 9]])
    with pytest.raises(AttributeError, match="There is no tree of rows, because clusters are cuts"):
        _ = model.tree_
