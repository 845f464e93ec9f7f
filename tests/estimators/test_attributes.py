"""What a fitted learner says about its clusters."""

import numpy as np
import pytest

from rankone import (
    RankOneCoclustering,
)
from rankone.datasets import make_blocks, make_paper
from tests.refinement.oracles import gaussian_probabilities


def test_labels_are_ordered_by_score():
    model = RankOneCoclustering().fit(make_paper("D4", noise=1, random_state=0).data)
    for labels, vector in (
        (model.row_labels_, model.row_vector_),
        (model.column_labels_, model.column_vector_),
    ):
        levels = np.bincount(labels, vector) / np.bincount(labels)
        assert (np.diff(levels) > 0).all()


def test_biclusters_cover_each_entry_once():
    blocks = make_blocks((30, 20), [[0, 9], [5, 2]], sigma=0.1, missing=0.1, random_state=0)
    model = RankOneCoclustering().fit(blocks.data)
    assert model.rows_.shape == (4, 30)
    assert model.columns_.shape == (4, 20)
    cover = np.zeros((30, 20), int)
    for block in range(4):
        rows, columns = model.get_indices(block)
        cover[np.ix_(rows, columns)] += 1
    assert (cover == 1).all()
    assert np.array_equal(model.labels_, model.row_labels_)


def test_block_values_are_means_of_biclusters():
    blocks = make_blocks((30, 20), [[0, 9], [5, 2]], sigma=0.1, missing=0.1, random_state=0)
    model = RankOneCoclustering().fit(blocks.data)
    for block in range(4):
        part = model.get_submatrix(block, blocks.data)
        value = model.block_values_[divmod(block, 2)]
        assert np.nanmean(part) == pytest.approx(value)


def test_confidence_is_the_probability_of_the_label():
    a = make_paper("D4", noise=2, random_state=0).data
    model = RankOneCoclustering().fit(a)
    z, w = model.row_labels_, model.column_labels_
    confidences = model.row_confidence_, model.column_confidence_
    for entries, labels, others, confidence in zip(
        (a, a.T), (z, w), (w, z), confidences, strict=True
    ):
        expected = gaussian_probabilities(entries, labels, others)
        np.testing.assert_allclose(
            confidence, expected[np.arange(labels.size), labels], rtol=1e-6, atol=1e-12
        )


def test_labels_of_scores_far_apart_are_certain():
    model = RankOneCoclustering(refine=False).fit(make_paper("D1", random_state=0).data)
    assert model.confidence_.min() > 0.999


def test_the_result_says_how_each_side_was_obtained():
    data = make_paper("D1", noise=1, random_state=0).data
    result = RankOneCoclustering(3, vectors="marginal", refine=False).fit(data).result_
    assert result.describe() == {
        "scores of rows": "Marginal()",
        "cut of rows": "3 clusters, given",
        "scores of columns": "Marginal()",
        "cut of columns": "3 clusters, selected by noise",
        "refinement": "none",
    }
    assert all(f"{step}: {text}" in repr(result) for step, text in result.describe().items())
    assert [side.name for side in result.sides] == ["rows", "columns"]
    assert result.rows.request.n_clusters == 3
    assert result.columns.request.n_clusters is None


def test_fitted_attributes_are_those_of_the_result():
    model = RankOneCoclustering().fit(make_paper("D3", noise=1, random_state=0).data)
    for prefix, side in (("row", model.result_.rows), ("column", model.result_.columns)):
        assert getattr(model, f"{prefix}_labels_") is side.labels
        assert getattr(model, f"{prefix}_vector_") is side.scores.values
        assert getattr(model, f"{prefix}_confidence_") is side.confidence
        assert getattr(model, f"{prefix}_path_") is side.path
    assert np.array_equal(model.block_values_, model.result_.blocks.values)
    assert model.result_.criterion == model.result_.blocks.criterion
