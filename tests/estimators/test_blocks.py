"""The learners find the blocks of a matrix, and none where there are none."""

import numpy as np
import pytest

from rankone import (
    RankOneClustering,
    RankOneCoclustering,
)
from rankone.datasets import make_counts, make_paper
from rankone.metrics import coclustering_error, error_rate


def error_of(model, blocks):
    return coclustering_error(
        blocks.row_labels, blocks.column_labels, model.row_labels_, model.column_labels_
    )


@pytest.mark.parametrize("name", ["D1", "D2", "D3", "D4"])
def test_finds_blocks_and_their_number(name):
    blocks = make_paper(name, noise=1, random_state=1)
    model = RankOneCoclustering().fit(blocks.data)
    assert (model.n_row_clusters_, model.n_column_clusters_) == blocks.means.shape
    assert error_of(model, blocks) == 0
    assert model.converged_
    assert model.loss_ == "gaussian"


@pytest.mark.parametrize("missing", [0.0, 0.5])
def test_finds_blocks_of_counts(missing):
    blocks = make_counts(
        (300, 200), [[4, 1], [1, 3], [1, 1]], mean=2, missing=missing, random_state=0
    )
    model = RankOneCoclustering().fit(blocks.data)
    assert error_of(model, blocks) < 0.02
    assert model.loss_ == "poisson"


def test_exact_blocks_are_found():
    a = np.kron([[0.0, 1.0], [1.0, 0.0]], np.ones((5, 6)))  # rows and columns have equal sums
    model = RankOneCoclustering().fit(a + 0.0)
    assert error_rate(np.repeat([0, 1], 5), model.row_labels_) == 0
    assert error_rate(np.repeat([0, 1], 6), model.column_labels_) == 0


def test_no_structure_is_one_cluster():
    rng = np.random.default_rng(0)
    for data in (
        rng.normal(size=(150, 80)),
        make_counts((200, 150), [[1.0]], mean=5, spread=1, random_state=0).data,
    ):
        for refine in (True, False):
            model = RankOneCoclustering(refine=refine).fit(data)
            assert (model.n_row_clusters_, model.n_column_clusters_) == (1, 1)


def rows_of_two_sizes(rng):
    """Return labels, and counts of rank one whose sums of rows are of two sizes."""
    z = np.repeat([0, 1], 30)
    return z, rng.poisson(np.where(z == 0, 2, 20)[:, None] * np.ones(30))


def test_counts_whose_sums_fall_apart_are_clusters():
    z, a = rows_of_two_sizes(np.random.default_rng(0))
    for model in (RankOneClustering(), RankOneClustering(2)):
        assert np.array_equal(model.fit(a).labels_, z)
        assert np.array_equal(model.predict(a), z)
        assert model.converged_


def test_clusters_by_sums_are_predicted_although_fiedler_scores_cannot_place_rows():
    _, a = rows_of_two_sizes(np.random.default_rng(0))
    fiedler = RankOneClustering(vectors="fiedler").fit(a)
    assert np.array_equal(fiedler.predict(a), fiedler.labels_)


def test_poisson_loss_explains_sums_by_margins():
    _, a = rows_of_two_sizes(np.random.default_rng(0))
    assert RankOneClustering(loss="poisson").fit(a).n_clusters_ == 1


@pytest.mark.parametrize(
    "a",
    [
        np.zeros((5, 4)),
        np.full((5, 4), 7.0),
        np.array([[3.0]]),
        np.array([[1.0, 2.0, 3.0]]),
        np.array([[1.0], [2.0], [9.0]]),
        np.eye(4),
        1e8 + np.kron([[0.0, 1.0], [1.0, 0.0]], np.ones((5, 5))),
        1e-90 * np.kron([[0.0, 1.0], [1.0, 3.0]], np.ones((5, 5))),
        np.kron([[True, False], [False, True]], np.ones((5, 5), bool)),
    ],
)
def test_degenerate_matrices_are_fitted_and_predicted(a):
    for refine in (True, False):
        model = RankOneCoclustering(refine=refine).fit(a)
        assert model.row_labels_.shape == (a.shape[0],)
        assert model.predict(a).shape == (a.shape[0],)


def test_rows_are_clustered_as_in_a_coclustering():
    data = make_paper("D3", noise=1, missing=0.2, random_state=0).data
    rows, both = RankOneClustering().fit(data), RankOneCoclustering().fit(data)
    assert np.array_equal(rows.labels_, both.row_labels_)
    assert np.array_equal(rows.confidence_, both.row_confidence_)
    assert [side.name for side in rows.result_.visible_sides] == ["rows"]
