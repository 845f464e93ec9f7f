"""Scores and probabilities of rows."""

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.model_selection import GridSearchCV

from rankone import Prepare, RankOneClustering, RankOneCoclustering, RankOneTree
from rankone.datasets import make_counts, make_paper

LEARNERS = [RankOneCoclustering, RankOneClustering, RankOneTree]


@pytest.fixture(scope="module")
def real():
    return make_paper("D2", noise=2, missing=0.3, random_state=0).data[:200, :150]


@pytest.fixture(scope="module")
def counts():
    blocks = make_counts((200, 100), [[4, 1], [2, 5], [1, 9]], mean=3, random_state=0)
    return blocks.data


@pytest.mark.parametrize("learner", [RankOneClustering, RankOneTree])
@pytest.mark.parametrize("data", ["real", "counts"])
def test_grid_search_needs_no_scoring_and_finds_three_clusters(learner, data, request):
    x = request.getfixturevalue(data)
    search = GridSearchCV(learner(), {"n_clusters": [1, 2, 3]}, cv=2).fit(x)
    assert search.best_params_ == {"n_clusters": 3}


@pytest.mark.parametrize("learner", LEARNERS)
def test_a_single_cluster_predicts_nothing_and_noise_is_not_predicted(learner, real):
    single = learner(1).fit(real)
    assert abs(single.score(real)) < 0.01
    noise = np.random.default_rng(1).normal(size=(120, 60))
    assert learner(3).fit(noise[:60]).score(noise[60:]) < 0.01


@pytest.mark.parametrize("learner", LEARNERS)
def test_exact_blocks_are_predicted_exactly(learner):
    x = np.kron([[1.0, 5.0, 2.0], [3.0, 2.0, 9.0]], np.ones((6, 4)))
    assert learner(2).fit(x).score(x) == pytest.approx(1.0)


def test_few_columns_can_be_scored():
    x = np.repeat([1.0, 5.0], 6)[:, None]
    assert RankOneClustering(2).fit(x).score(x) == pytest.approx(1.0)


def test_sparse_counts_score_as_dense_ones(counts):
    for learner in LEARNERS:
        model = learner(3).fit(counts)
        assert model.score(sp.csr_array(counts)) == pytest.approx(model.score(counts))


@pytest.mark.parametrize(
    "learner",
    [
        RankOneCoclustering(),
        RankOneCoclustering(refine=False),
        RankOneClustering(3, cut="largest-gaps", refine=False),
        RankOneTree(),
    ],
)
@pytest.mark.parametrize("data", ["real", "counts"])
def test_probabilities_of_fitted_rows_are_their_confidence(learner, data, request):
    x = request.getfixturevalue(data)
    model = learner.fit(x)
    chances = model.predict_proba(x)
    assert chances.shape == (x.shape[0], int(model.labels_.max()) + 1)
    assert np.allclose(chances.sum(axis=1), 1.0)
    assert np.allclose(chances[np.arange(x.shape[0]), model.labels_], model.confidence_)


def test_probabilities_of_a_tree_follow_its_cut(real):
    model = RankOneTree(prepare=Prepare(standardise="columns")).fit(real)
    assert model.predict_proba(real, n_clusters=2).shape == (200, 2)
    certain = model.predict_proba(real, n_clusters=5).max(axis=1) > 0.9
    placed = model.predict_proba(real, n_clusters=5).argmax(axis=1)
    assert np.array_equal(placed[certain], model.predict(real, n_clusters=5)[certain])


def test_the_criterion_is_that_of_the_blocks(real):
    model = RankOneCoclustering().fit(real)
    assert model.criterion_ == model.result_.blocks.criterion
