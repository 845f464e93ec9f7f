"""How many clusters there are, and how large they are, if either is given."""

import numpy as np
import pytest

from rankone import (
    RankOneClustering,
    RankOneCoclustering,
)
from rankone.datasets import make_blocks, make_paper
from rankone.metrics import error_rate
from rankone.selection import MaxClustersWarning


@pytest.mark.parametrize("numbers", [(2, 3), (4, None), (None, 2), (1, 1)])
@pytest.mark.parametrize("refine", [True, False])
def test_given_numbers_are_respected(numbers, refine):
    model = RankOneCoclustering(*numbers, refine=refine).fit(
        make_paper("D1", noise=1, random_state=0).data
    )
    for given, number in zip(
        numbers, (model.n_row_clusters_, model.n_column_clusters_), strict=True
    ):
        assert given in (None, number)


def test_refinement_reaches_numbers_that_scores_do_not_have():
    rng = np.random.default_rng(0)
    a = np.kron(np.eye(3), np.ones((4, 4)))  # all sums are equal
    model = RankOneCoclustering(3, 3).fit(a + 0.01 * rng.normal(size=a.shape))
    assert model.n_row_clusters_ == 3
    assert error_rate(np.repeat(range(3), 4), model.row_labels_) == 0


@pytest.mark.parametrize("counts", [True, False])
def test_one_given_number_does_not_hide_the_other_side(counts):
    rng = np.random.default_rng(0)
    z, w = np.repeat([0, 1, 2], 20), np.repeat([0, 1], 20)
    means = np.array([[2, 6], [6, 2], [4, 4]])[z][:, w]  # the sums of rows tell nothing
    a = rng.poisson(means) if counts else means + rng.normal(size=means.shape)
    for model in (RankOneClustering(3), RankOneCoclustering(3), RankOneCoclustering(None, 2)):
        assert error_rate(z, model.fit(a).labels_) < 0.05


def test_side_smaller_than_min_cluster_size_is_one_cluster():
    rng = np.random.default_rng(0)
    a = rng.normal(size=(12, 8))
    model = RankOneCoclustering(min_cluster_size=9).fit(a)
    assert model.n_column_clusters_ == 1


def test_no_cluster_is_smaller_than_min_cluster_size():
    blocks = make_blocks((100, 80), [[0, 5], [9, 1]], [0.05, 0.95], sigma=0.3, random_state=0)
    assert np.bincount(blocks.row_labels).min() < 10
    for refine in (True, False):
        free = RankOneCoclustering(refine=refine).fit(blocks.data)
        assert free.n_row_clusters_ == 2
        model = RankOneCoclustering(refine=refine, min_cluster_size=10).fit(blocks.data)
        assert np.bincount(model.row_labels_).min() >= 10


def test_as_many_large_clusters_as_were_asked_for():
    a = np.random.default_rng(0).normal(size=(30, 10))
    a[0] += 20  # a cluster of its own, if it may
    for refine in (True, False):
        model = RankOneCoclustering(2, 1, min_cluster_size=5, refine=refine).fit(a)
        assert np.bincount(model.row_labels_).min() >= 5
        assert model.n_row_clusters_ == 2
    assert np.array_equal(model.predict(a), model.row_labels_)
    assert np.array_equal(model.row_partition_.labels, model.row_labels_)


@pytest.mark.parametrize("cut", ["sorted-potts", "largest-gaps", "quantiles", "potts"])
def test_large_clusters_that_a_cut_cannot_make_are_refused(cut):
    a = np.ones((10, 6))
    a[0] = 2.0  # nine equal rows
    with pytest.raises(ValueError, match="2 clusters of rows, each of 3 or more, were asked for"):
        RankOneCoclustering(2, 1, cut=cut, min_cluster_size=3, refine=False).fit(a)


def test_reaching_max_clusters_warns():
    rng = np.random.default_rng(0)
    a = np.arange(40.0)[:, None] + 0.001 * rng.normal(size=(40, 30))
    with pytest.warns(MaxClustersWarning, match="rows is the largest that was allowed, 4"):
        RankOneCoclustering(
            n_column_clusters=1, max_clusters=4, refine=False, selection="noise-strict"
        ).fit(a)


def test_selected_number_maximises_the_criterion_along_the_path():
    model = RankOneCoclustering(refine=False).fit(make_paper("D1", noise=1, random_state=0).data)
    assert model.row_selection_.n_clusters == model.n_row_clusters_ == 3
    assert np.nanargmax(model.row_selection_.criterion) == 2
    assert np.array_equal(model.row_path_.at(n_clusters=3).labels, model.row_labels_)


def test_given_number_has_a_path_but_no_selection():
    given = RankOneCoclustering(3, 3, refine=False).fit(make_paper("D1", random_state=0).data)
    assert given.row_selection_ is None
    assert np.array_equal(given.row_path_.at(n_clusters=3).labels, given.row_labels_)
