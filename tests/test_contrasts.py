"""What sets clusters apart, against the definitions, entry by entry."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from rankone import Prepare, RankOneClustering, RankOneCoclustering
from rankone.contrasts import ClusterExplanation, Contrast, Contrasts
from rankone.datasets import make_counts
from rankone.matrix import as_matrix
from rankone.views.margins import fitted_sums


def groups_of(rng, size, number):
    return rng.permutation(np.arange(size) % number)


@pytest.mark.parametrize("missing", [0.0, 0.4])
def test_differences_are_in_standard_deviations(missing):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(50, 8)) * rng.uniform(0.5, 3, 8) + rng.normal(size=8) * 100
    X[rng.random(X.shape) < missing] = np.nan
    labels = groups_of(rng, 50, 4)
    contrasts = Contrasts.of(as_matrix(X), labels)
    assert not contrasts.relative
    for group in range(4):
        inside = X[labels == group]
        expected = (np.nanmean(inside, axis=0) - np.nanmean(X, axis=0)) / np.nanstd(X, axis=0)
        np.testing.assert_allclose(contrasts.effects[group], expected, atol=1e-9)
        np.testing.assert_allclose(
            contrasts.strengths[group], expected * np.sqrt(np.isfinite(inside).sum(axis=0))
        )


def test_differences_survive_a_large_offset():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 5))
    labels = groups_of(rng, 60, 3)
    near, far = (Contrasts.of(as_matrix(X + offset), labels).effects for offset in (0.0, 1e8))
    np.testing.assert_allclose(far, near, atol=1e-6)


@pytest.mark.parametrize("kind", ["dense", "sparse"])
def test_lifts_are_sums_relative_to_margins(kind):
    rng = np.random.default_rng(0)
    X = make_counts((60, 20), [[4, 1], [1, 5]], mean=1, random_state=0).data
    labels = groups_of(rng, 60, 3)
    contrasts = Contrasts.of(as_matrix(sp.csr_array(X) if kind == "sparse" else X), labels)
    assert contrasts.relative
    for group in range(3):
        inside = X[labels == group]
        expected = inside.sum(axis=0) * X.sum() / inside.sum() / X.sum(axis=0)
        np.testing.assert_allclose(contrasts.effects[group], expected)


def test_lifts_with_missing_entries_are_relative_to_what_is_observed():
    rng = np.random.default_rng(0)
    X = make_counts((60, 20), [[4, 1], [1, 5]], mean=1, random_state=0).data
    X[rng.random(X.shape) < 0.3] = np.nan
    labels = groups_of(rng, 60, 3)
    rows, columns = fitted_sums(as_matrix(X))
    expected = np.outer(rows, columns) / columns.sum()
    found = Contrasts.of(as_matrix(X), labels).effects
    for group in range(3):
        inside = np.isfinite(X) & (labels == group)[:, None]
        ratios = np.where(inside, X, 0).sum(axis=0) / np.where(inside, expected, 0).sum(axis=0)
        np.testing.assert_allclose(found[group], ratios)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.booleans(), st.booleans())
def test_unions_of_groups_have_the_contrasts_of_their_rows(seed, counts, missing):
    rng = np.random.default_rng(seed)
    X = rng.poisson(0.8, (24, 6)).astype(float) if counts else rng.normal(size=(24, 6))
    if missing:
        X[rng.random(X.shape) < 0.2] = np.nan
    X[0], X[:, 0] = 1.0, 1.0  # no row or column is empty
    labels = groups_of(rng, 24, 5)
    unions = [np.array([0, 3]), np.array([1]), np.array([2, 4])]
    coarse = np.array([0, 1, 2, 0, 2])[labels]
    merged = Contrasts.of(as_matrix(X), labels).merged(unions)
    expected = Contrasts.of(as_matrix(X), coarse)
    np.testing.assert_allclose(merged.effects, expected.effects, atol=1e-9)
    np.testing.assert_allclose(merged.strengths, expected.strengths, atol=1e-9)
    assert merged.sizes.tolist() == expected.sizes.tolist()


def test_words_are_the_strongest_columns_of_either_sign():
    labels = np.repeat([0, 1], 50)
    X = np.random.default_rng(0).normal(size=(100, 6))
    X[labels == 1] += [4, -3, 2.5, 0.0, 0.1, -0.1]
    names = ["much more", "much less", "more", "same", "hardly more", "hardly less"]
    explained = Contrasts.of(as_matrix(X), labels).explain(names, 2, "row").clusters
    assert explained[1].words == "high much more, more; low much less"
    assert explained[0].words == "high much less; low much more, more"
    assert explained[1].high[0].effect > explained[1].high[1].effect > 0
    assert str(explained[1]) == "Cluster 1, 50 rows: high much more, more; low much less."


def test_rare_columns_do_not_dominate_words_of_counts():
    rng = np.random.default_rng(0)
    X = rng.poisson(2.0, (100, 12)).astype(float)
    labels = np.repeat([0, 1], 50)
    X[:50, 0] = rng.poisson(12.0, 50)
    X[:, 1] = 0
    X[3, 1] = 2  # its lift is as large as can be, but what is it worth?
    explained = Contrasts.of(as_matrix(X), labels).explain(list("abcdefghijkl"), 1, "row")
    assert explained.clusters[0].high[0].name == "a"


def test_clusters_without_differences_say_so():
    explained = Contrasts.of(as_matrix(np.ones((6, 3))), np.repeat([0, 1], 3))
    assert [c.words for c in explained.explain("abc", 2, "row").clusters] == [
        "nothing stands out"
    ] * 2
    assert str(ClusterExplanation(0, 1, (Contrast("a\nb", 0, 1.0),), (), "row")).isprintable()


def wines():
    from sklearn.datasets import load_wine

    return load_wine(as_frame=True).data


def test_learners_explain_their_clusters_by_names():
    model = RankOneCoclustering(prepare=Prepare(standardise="columns")).fit(wines())
    explained = model.explain(n=2)
    z = (wines() - wines().mean()) / wines().std(ddof=0)
    for cluster in explained.rows.clusters:
        means = z[model.row_labels_ == cluster.label].mean()
        assert [c.name for c in cluster.high] == list(means.nlargest(2).index)[: len(cluster.high)]
        assert [c.name for c in cluster.low] == list(means.nsmallest(2).index)[: len(cluster.low)]
        for contrast in (*cluster.high, *cluster.low):
            assert contrast.effect == pytest.approx(means[contrast.name])
            assert wines().columns[contrast.index] == contrast.name
    unnamed = RankOneCoclustering(3, 3).fit(z.to_numpy()).explain()
    assert unnamed.rows.clusters[0].high[0].name.startswith("column ")
    assert unnamed.columns.clusters[0].high[0].name.startswith("row ")
    assert str(explained).count("Cluster 0, ") == 2
    rows = RankOneClustering(prepare=Prepare(standardise="columns")).fit(wines()).explain(n=2)
    assert rows.columns is None
    assert str(rows.rows) == str(explained.rows)


def test_explanations_need_the_matrix_of_a_learner_from_a_file(tmp_path):
    frame = pd.DataFrame(np.random.default_rng(0).normal(size=(20, 5)), columns=list("abcde"))
    model = RankOneClustering(2).fit(frame)
    model.save(tmp_path / "m.npz")
    again = RankOneClustering.load(tmp_path / "m.npz")
    with pytest.raises(ValueError, match="give it as X"):
        again.explain()
    assert str(again.explain(X=frame)) == str(model.explain())
    with pytest.raises(ValueError, match="n must be a whole number"):
        model.explain(n=0)
