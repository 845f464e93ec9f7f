import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import silhouette_score

from rankone import Potts, RankOneClustering, SortedPotts
from rankone.paper.candidates import (
    MAX_CLUSTERS,
    NUMBERS,
    OF_NEIGHBOURS,
    OF_VALUES,
    choose_candidate,
    mean_silhouette,
)


@given(
    st.integers(0, 2**32 - 1),
    st.integers(3, 40),
    st.integers(2, 5),
    st.sampled_from([1e-3, 1, 1e6]),
)
def test_silhouette_of_any_labels(seed, n, k, scale):
    random = np.random.default_rng(seed)
    k = min(k, n - 1)
    u = scale * random.integers(0, 30, n).astype(float)  # with ties
    labels = random.permutation(np.concatenate([np.arange(k), random.integers(0, k, n - k)]))
    assert mean_silhouette(u, labels) == pytest.approx(
        silhouette_score(u[:, None], labels), abs=1e-9
    )


def test_the_largest_silhouette_is_chosen():
    rng = np.random.default_rng(0)
    u = np.concatenate([rng.normal(m, 0.3, 30) for m in (0, 2, 5)])
    offered = OF_NEIGHBOURS["Potts l1"](u)
    assert [part.n_clusters for part in offered] == list(NUMBERS)
    scores = [silhouette_score(u[:, None], part.labels) for part in offered]
    np.testing.assert_array_equal(
        choose_candidate(u, offered), offered[int(np.argmax(scores))].labels
    )
    np.testing.assert_array_equal(offered[1].labels, Potts(1, n_clusters=3).cut(u).labels)


@pytest.mark.parametrize("cut", [*OF_VALUES, *OF_NEIGHBOURS])
def test_every_cut_offers_something(cut):
    rng = np.random.default_rng(0)
    u = np.concatenate([rng.normal(m, 0.1, 40) for m in (-3, 0, 4)])
    offered = (OF_VALUES | OF_NEIGHBOURS)[cut](u)
    labels = choose_candidate(u, offered)
    assert labels.shape == u.shape
    assert 2 <= labels.max() + 1 <= MAX_CLUSTERS
    assert any(np.array_equal(labels, part.labels) for part in offered)


def test_no_partition_is_one_cluster():
    u = np.arange(1.0, 9.0)
    assert not choose_candidate(u, OF_VALUES["Sign"](u)).any()
    assert not choose_candidate(np.ones(5), OF_VALUES["LargestGaps"](np.ones(5))).any()


def test_few_distinct_values():
    u = np.repeat([1.0, 5.0], 10)
    for offer in (OF_VALUES | OF_NEIGHBOURS).values():
        labels = choose_candidate(u, offer(u))
        assert labels.max() <= 1


def test_silhouettes_agree_with_the_learners():
    rng = np.random.default_rng(0)
    u = np.concatenate([rng.normal(m, 0.5, 40) for m in (0, 2, 5, 6)])
    model = RankOneClustering(
        vectors="marginal", cut=SortedPotts(1), selection="silhouette", refine=False
    ).fit(np.column_stack([u, u]))
    offered = [SortedPotts(1, n_clusters=k).cut(u) for k in NUMBERS]
    np.testing.assert_array_equal(choose_candidate(u, offered), model.labels_)
