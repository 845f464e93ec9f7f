"""Preparation of entries: sizes of rows, logarithms, standardising; and all of it undone."""

from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from rankone import Prepare

VARIANTS = [
    {"normalise": normalise, "log": log, "standardise": standardise}
    for normalise, log, standardise in product(
        (None, "rows"), (False, True), (None, "columns", "rows")
    )
]


def counts(seed, missing=0.0, shape=(7, 5)):
    rng = np.random.default_rng(seed)
    X = rng.poisson(3.0, shape).astype(float) + rng.random(shape)
    X[rng.random(shape) < missing] = np.nan
    return X


def as_absent(X):
    """Return a sparse matrix that stores what is not NaN."""
    i, j = np.nonzero(~np.isnan(X))
    return sp.csr_array((X[i, j], (i, j)), shape=X.shape)


def other_words(estimator):
    return (
        {"check_positive_only_tag_during_fit": "the message names the entry"}
        if estimator.log
        else {}
    )


@parametrize_with_checks(
    [Prepare(), Prepare(log=True), Prepare(standardise="columns"), Prepare(standardise="rows")],
    expected_failed_checks=other_words,
)
def test_prepare_is_a_scikit_learn_transformer(estimator, check):
    check(estimator)


@pytest.mark.parametrize("parameters", VARIANTS)
@given(seed=st.integers(0, 10**6), missing=st.sampled_from([0.0, 0.3]))
def test_inverse_transform_returns_the_original_entries(parameters, seed, missing):
    X = counts(seed, missing)
    prepare = Prepare(**parameters).fit(X)
    np.testing.assert_allclose(prepare.inverse_transform(prepare.transform(X), X), X, atol=1e-9)


@pytest.mark.parametrize("parameters", VARIANTS)
@given(seed=st.integers(0, 10**6))
def test_absent_entries_of_a_sparse_matrix_are_treated_as_nan_of_a_dense_one(parameters, seed):
    X = counts(seed, missing=0.3)
    X[:, 0], X[0] = 1.0, 2.0  # so that no row and no column is empty
    dense = Prepare(**parameters).fit(X)
    sparse = Prepare(**parameters, missing="absent").fit(as_absent(X))
    prepared = sparse.transform(as_absent(X))
    assert sp.issparse(prepared)
    expected = dense.transform(X)
    i, j = np.nonzero(~np.isnan(X))
    np.testing.assert_allclose(prepared[i, j], expected[i, j], atol=1e-9)
    assert prepared.nnz == i.size


@pytest.mark.parametrize("parameters", [{"log": True}, {"normalise": "rows"}])
def test_zeros_of_a_sparse_matrix_stay_zeros(parameters):
    X = sp.random_array((20, 10), density=0.2, random_state=0, format="csr")
    prepared = Prepare(**parameters).fit_transform(X)
    np.testing.assert_allclose(
        prepared.toarray(), Prepare(**parameters).fit_transform(X.toarray()), atol=1e-12
    )


def test_normalised_rows_have_the_median_sum():
    X = counts(0)
    prepared = Prepare(normalise="rows").fit_transform(X)
    np.testing.assert_allclose(prepared.sum(axis=1), np.median(X.sum(axis=1)))


def test_new_rows_are_scaled_to_the_size_of_the_fitted_ones():
    prepare = Prepare(normalise="rows").fit([[1.0, 3.0], [2.0, 2.0]])
    np.testing.assert_allclose(prepare.transform([[100.0, 300.0]]), [[1.0, 3.0]])


def test_a_row_that_sums_to_zero_is_left_alone():
    prepared = Prepare(normalise="rows").fit_transform([[0.0, 0.0], [1.0, 3.0]])
    np.testing.assert_array_equal(prepared, [[0.0, 0.0], [1.0, 3.0]])


def test_standardised_columns_are_those_of_scikit_learn():
    X = counts(1, missing=0.2)
    np.testing.assert_allclose(
        Prepare(standardise="columns").fit_transform(X), StandardScaler().fit_transform(X)
    )


def test_standardised_rows_have_mean_zero_and_deviation_one():
    prepared = Prepare(standardise="rows").fit_transform(counts(2, missing=0.2))
    np.testing.assert_allclose(np.nanmean(prepared, axis=1), 0.0, atol=1e-12)
    np.testing.assert_allclose(np.nanstd(prepared, axis=1), 1.0)


def test_a_constant_column_becomes_zero():
    prepared = Prepare(standardise="columns").fit_transform([[0.1, 1.0], [0.1, 2.0], [0.1, 3.0]])
    np.testing.assert_allclose(prepared[:, 0], 0.0, atol=1e-15)


def test_steps_follow_one_another_as_documented():
    X = counts(3)
    by_hand = np.log1p(X * (np.median(X.sum(axis=1)) / X.sum(axis=1))[:, None])
    by_hand = (by_hand - by_hand.mean(axis=0)) / by_hand.std(axis=0)
    prepared = Prepare(normalise="rows", log=True, standardise="columns").fit_transform(X)
    np.testing.assert_allclose(prepared, by_hand, atol=1e-12)


def test_a_large_offset_costs_no_precision():
    X = 1e9 + counts(4)
    np.testing.assert_allclose(
        Prepare(standardise="columns").fit_transform(X),
        Prepare(standardise="columns").fit_transform(X - 1e9),
        atol=1e-6,
    )


def test_names_of_a_frame_are_kept():
    frame = pd.DataFrame(counts(5), columns=list("abcde"))
    prepare = Prepare(log=True).set_output(transform="pandas").fit(frame)
    assert list(prepare.transform(frame).columns) == list("abcde")


@pytest.mark.parametrize(
    ("parameters", "X", "message"),
    [
        (
            {"log": True},
            [[1.0, -2.0]],
            r"log=True.*but X\[0, 1\] is -2",
        ),
        ({"normalise": "rows"}, sp.csr_array([[0.0, -2.0]]), r"normalise='rows'.*X\[0, 1\] is -2"),
        ({"standardise": "rows"}, sp.eye_array(3, format="csr"), "would fill a sparse matrix"),
        ({"standardise": "columns"}, [[1e308], [-1e308]], "too large to be standardised"),
        ({"log": 1}, [[1.0]], "log must be True or False"),
        ({"normalise": "columns"}, [[1.0]], "normalise must be"),
        ({"standardise": "both"}, [[1.0]], "standardise must be"),
    ],
)
def test_what_cannot_be_prepared_is_refused_with_a_reason(parameters, X, message):
    with pytest.raises(ValueError, match=message):
        Prepare(**parameters).fit(X)


def test_rows_cannot_be_restored_without_the_original_ones():
    prepare = Prepare(standardise="rows").fit(counts(6))
    with pytest.raises(ValueError, match="give the original rows as X"):
        prepare.inverse_transform(counts(6))


def test_the_description_lists_the_steps_in_order():
    assert Prepare().describe() == ""
    prepare = Prepare(normalise="rows", log=True, standardise="rows")
    assert prepare.describe() == "rows scaled to equal sums, log(1 + x), rows standardised"
