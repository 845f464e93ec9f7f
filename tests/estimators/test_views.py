"""Views of a matrix, as a scikit-learn transformer."""

import pickle

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from sklearn.base import clone
from sklearn.utils.estimator_checks import parametrize_with_checks

from rankone import Prepare, RankOneViews
from rankone.datasets import make_counts
from rankone.io.table import Table
from tests.matrix.kinds import stored

MATRICES = hnp.arrays(
    float,
    hnp.array_shapes(min_dims=2, max_dims=2, min_side=1, max_side=8),
    elements=st.integers(-4, 9).map(lambda i: max(i, 0) if i < -1 else i / 2),
)


@parametrize_with_checks(
    [RankOneViews(), RankOneViews(2), RankOneViews(prepare=Prepare(standardise="columns"))]
)
def test_checks_of_scikit_learn_pass(estimator, check):
    check(estimator)


def reals(rng, shape=(60, 30), rank=2):
    """Return a matrix of low rank with noise."""
    return rng.normal(size=(shape[0], rank)) @ rng.normal(size=(rank, shape[1])) + rng.normal(
        size=shape
    )


def counts(rng):
    return make_counts((60, 30), [[4, 1], [1, 4]], mean=2, random_state=rng.integers(99)).data


@pytest.mark.parametrize("missing", [0.0, 0.4])
@pytest.mark.parametrize("make", [reals, counts])
def test_fitted_rows_have_the_scores_of_new_rows(make, missing):
    rng = np.random.default_rng(0)
    array = make(rng).astype(float)
    array[1:, 1:][rng.random((59, 29)) < missing] = np.nan
    model = RankOneViews()
    scores = model.fit_transform(array)
    assert scores.shape == (60, model.n_views_ + 1)
    np.testing.assert_array_equal(scores, model.row_scores_)
    np.testing.assert_allclose(model.transform(array), scores, atol=1e-9)
    np.testing.assert_allclose(model.transform(array[3:5]), scores[3:5], atol=1e-9)


def test_centred_scores_are_principal_components_in_the_units_of_the_entries():
    array = 1000.0 * reals(np.random.default_rng(1))
    model = RankOneViews(3).fit(array)
    u, s, vt = np.linalg.svd(array - array.mean(axis=0), full_matrices=False)
    assert model.margins_ == "centred"
    np.testing.assert_allclose(model.singular_values_, s[:3])
    np.testing.assert_allclose(np.abs(model.row_scores_[:, 1:]), np.abs(u * s)[:, :3], rtol=1e-6)
    np.testing.assert_allclose(
        np.abs(model.column_scores_[:, 1:]), np.abs(vt.T * s)[:, :3], rtol=1e-6
    )
    np.testing.assert_allclose(model.row_scores_[:, 0], array.mean(axis=1))
    np.testing.assert_allclose(model.column_scores_[:, 0], array.mean(axis=0))


def test_view_0_of_counts_holds_the_sums_of_logarithms():
    array = counts(np.random.default_rng(2))
    model = RankOneViews().fit(array)
    assert model.margins_ == "relative"
    np.testing.assert_allclose(model.row_scores_[:, 0], np.log1p(array).sum(axis=1))
    np.testing.assert_allclose(model.column_scores_[:, 0], np.log1p(array).sum(axis=0))


@pytest.mark.parametrize("rank", [1, 2, 4])
def test_planted_factors_are_counted(rank):
    rng = np.random.default_rng(3)
    model = RankOneViews().fit(reals(rng, (300, 200), rank))
    assert model.n_views_ == rank
    assert (model.singular_values_ > model.noise_edge_).all()


def test_noise_has_one_view_at_least():
    rng = np.random.default_rng(4)
    model = RankOneViews().fit(rng.normal(size=(300, 200)))
    assert model.n_views_ == 1
    assert model.singular_values_[0] == pytest.approx(model.noise_edge_, rel=0.05)


@pytest.mark.parametrize("array", [np.full((6, 4), 0.1), np.zeros((3, 2)), np.ones((1, 5))])
def test_what_margins_explain_has_no_views(array):
    model = RankOneViews(3).fit(array)
    assert model.n_views_ == 0
    assert model.transform(array).shape == (array.shape[0], 1)
    assert list(model.get_feature_names_out()) == ["rankoneviews0"]


@given(MATRICES, st.randoms(use_true_random=False))
def test_order_makes_no_difference(array, random):
    rows, columns = (random.sample(range(size), size) for size in array.shape)
    ours = RankOneViews().fit(array[rows][:, columns])
    theirs = RankOneViews().fit(array)
    assert (ours.n_views_, ours.noise_edge_) == (theirs.n_views_, theirs.noise_edge_)
    np.testing.assert_array_equal(ours.singular_values_, theirs.singular_values_)


@pytest.mark.parametrize("shape", [(60, 30), (30, 60)])
@pytest.mark.parametrize("missing", [0.0, 0.4])
def test_scores_follow_the_order_of_rows_and_columns(shape, missing):
    rng = np.random.default_rng(5)
    array = reals(rng, shape)
    array[1:, 1:][rng.random((shape[0] - 1, shape[1] - 1)) < missing] = np.nan
    rows, columns = (rng.permutation(size) for size in shape)
    ours, theirs = RankOneViews().fit(array[rows][:, columns]), RankOneViews().fit(array)
    np.testing.assert_allclose(ours.row_scores_, theirs.row_scores_[rows], atol=1e-12)
    np.testing.assert_allclose(ours.column_scores_, theirs.column_scores_[columns], atol=1e-12)


def test_sparse_matrices_have_the_views_of_dense_ones():
    array = counts(np.random.default_rng(6))
    dense = RankOneViews(3).fit(array)
    for make in (sp.csr_array, sp.csc_array, sp.coo_array):
        sparse = RankOneViews(3).fit(make(array))
        np.testing.assert_allclose(sparse.row_scores_, dense.row_scores_, atol=1e-9)
        np.testing.assert_allclose(sparse.transform(make(array)), dense.row_scores_, atol=1e-9)


def test_absent_entries_may_be_missing():
    rng = np.random.default_rng(7)
    array = np.where(rng.random((60, 30)) < 0.4, np.nan, reals(rng))
    sparse = RankOneViews(2, missing="absent").fit(stored(array))
    dense = RankOneViews(2).fit(array)
    scores = np.abs(sparse.row_scores_ - dense.row_scores_).max()
    assert scores < 0.05 * np.abs(dense.row_scores_).max()


@pytest.mark.parametrize("scale", [1e-200, 1e200])
def test_extreme_magnitudes_scale_the_scores(scale):
    array = reals(np.random.default_rng(8))
    ours, theirs = (RankOneViews(2).fit(a) for a in (array * scale, array))
    np.testing.assert_allclose(ours.row_scores_ / scale, theirs.row_scores_, rtol=1e-6)
    np.testing.assert_allclose(ours.singular_values_ / scale, theirs.singular_values_, rtol=1e-6)


def test_preparation_is_part_of_the_model():
    rng = np.random.default_rng(9)
    array = reals(rng) * 10.0 ** np.arange(30)
    model = RankOneViews(2, prepare=Prepare(standardise="columns")).fit(array)
    expected = RankOneViews(2).fit(Prepare(standardise="columns").fit_transform(array))
    np.testing.assert_allclose(model.transform(array), expected.row_scores_, atol=1e-9)


def test_names_come_from_frames_and_tables():
    rng = np.random.default_rng(10)
    frame = pd.DataFrame(rng.normal(size=(6, 3)), columns=list("abc"), index=list("uvwxyz"))
    table = Table(frame.to_numpy(), row_names=list("uvwxyz"), column_names=list("abc"))
    for X in (frame, table):
        model = RankOneViews(1).fit(X)
        assert list(model.feature_names_in_) == list("abc")
        assert list(model.row_names_in_) == list("uvwxyz")
        assert {name for name, _ in model.explain(1).rows.low} <= set("uvwxyz")
        np.testing.assert_allclose(model.transform(X), model.row_scores_, atol=1e-12)


def test_output_can_be_a_frame():
    frame = pd.DataFrame(reals(np.random.default_rng(11)))
    scores = RankOneViews(2).set_output(transform="pandas").fit_transform(frame)
    assert list(scores.columns) == ["rankoneviews0", "rankoneviews1", "rankoneviews2"]


def test_pickled_clone_transforms_the_same():
    array = reals(np.random.default_rng(12))
    model = clone(RankOneViews(2)).fit(array)
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.transform(array), model.transform(array))


def test_explanation_names_the_ends_of_a_view():
    array = np.outer([-3.0, -1.0, 0.0, 0.0, 4.0], [2.0, 0.0, -1.0])
    model = RankOneViews().fit(pd.DataFrame(array, index=list("pqrst"), columns=list("abc")))
    explanation = model.explain(1, n=1)
    assert [name for name, _ in explanation.rows.high] == ["t"]
    assert [name for name, _ in explanation.rows.low] == ["p"]
    assert [name for name, _ in explanation.columns.high] == ["a"]
    assert [name for name, _ in explanation.columns.low] == ["c"]
    assert str(explanation).splitlines()[1].startswith("  rows, high: t (")


def test_explanation_of_the_margins_has_sums_or_means():
    model = RankOneViews().fit([[1.0, 2.0], [5.0, 9.0], [3.0, 3.5]])
    assert model.explain(0, n=1).rows.high == ((1, 7.0),)
    assert str(model.explain(0)).startswith("View 0: means")


def test_no_row_is_at_both_ends():
    model = RankOneViews().fit([[1.0, 2.0], [5.0, 9.0], [3.0, 3.5]])
    rows = model.explain(1).rows
    assert sorted(name for name, _ in rows.low + rows.high) == [0, 1, 2]


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"n_views": 0}, "n_views must be a whole number, 1 or more"),
        ({"n_views": 1.5}, "n_views must be a whole number"),
        ({"missing": "zero"}, "missing must be one of"),
        ({"prepare": "log"}, "prepare must be a Prepare or None"),
    ],
)
def test_parameters_are_checked(parameters, message):
    with pytest.raises(ValueError, match=message):
        RankOneViews(**parameters).fit(np.eye(3))


def test_views_that_do_not_exist_have_no_explanation():
    model = RankOneViews(1).fit(reals(np.random.default_rng(13)))
    with pytest.raises(ValueError, match=r"view must be 0 to 1, but it is 2; fit with a larger n_"):
        model.explain(2)


def test_negative_new_rows_are_refused_where_zero_means_absence():
    model = RankOneViews().fit(counts(np.random.default_rng(14)))
    with pytest.raises(ValueError, match=r"X\[0, 1\] is -1; new rows must not be negative"):
        model.transform([[1.0, -1.0] * 15])
