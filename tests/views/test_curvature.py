"""Counts of rank one: their logarithms are curved, and nothing else is left of them."""

import numpy as np
import pytest
import scipy.sparse as sp
from scipy import stats

from rankone.matrix import as_matrix
from rankone.tree.replication import replicate
from rankone.views import Margins, noise_edge, view
from rankone.views.curvature import Curvature, mean_logarithm


def counts_of_rank_one(rng, shape=(300, 100), spread=1.0, mean=1.0):
    """Return Poisson counts without groups, whose rates vary by exp(N(0, spread^2)) per side."""
    left, right = (np.exp(rng.normal(0.0, spread, size)) for size in shape)
    return rng.poisson(mean * np.outer(left, right)).astype(float)


def sums_of_logarithms(array):
    logarithms = np.log1p(array)
    return logarithms.sum(axis=1), logarithms.sum(axis=0)


def means_by_scaling(rows, columns):
    """Return g(a_i b_j) with these sums, by scaling the rates of rows and columns in turn."""
    a, b = rows / np.sqrt(rows.sum()), columns / np.sqrt(columns.sum())
    for _ in range(60):
        a = a * rows / np.maximum(mean_logarithm(np.outer(a, b)).sum(axis=1), 1e-300)
        b = b * columns / np.maximum(mean_logarithm(np.outer(a, b)).sum(axis=0), 1e-300)
    return mean_logarithm(np.outer(a, b))


@pytest.mark.parametrize("rate", [0.0, 1e-9, 0.01, 1.0, 30.0, 99.9, 100.0, 137.0, 5e3])
def test_the_mean_logarithm_is_that_of_scipy(rate):
    expected = stats.poisson(rate).expect(np.log1p, lb=0, ub=int(rate + 40 * np.sqrt(rate) + 60))
    assert mean_logarithm(np.array([rate]))[0] == pytest.approx(expected, rel=1e-7, abs=1e-15)


def test_the_mean_logarithm_of_enormous_rates_is_finite_and_their_logarithm():
    rates = np.array([1e12, 1e100, 1e300])
    np.testing.assert_allclose(mean_logarithm(rates), np.log(rates), rtol=1e-12)


@pytest.mark.parametrize(
    ("spread", "mean"), [(0.25, 1.0), (1.0, 1.0), (1.0, 0.05), (1.0, 500.0), (2.0, 0.1)]
)
def test_factors_are_those_of_the_dense_means(spread, mean):
    array = counts_of_rank_one(np.random.default_rng(0), (40, 30), spread, mean)
    rows, columns = sums_of_logarithms(array)
    curvature = Curvature.of(rows, columns)
    means = means_by_scaling(rows, columns)
    expected = means - np.outer(means.sum(axis=1), means.sum(axis=0)) / means.sum()
    ours = curvature.rows.at(rows) @ curvature.columns.at(columns).T
    assert np.abs(ours - expected).max() < 1e-3 * means.max()
    assert curvature.columns.values.shape[1] <= 16


def test_sums_of_many_lines_are_put_into_bins_without_loss(monkeypatch):
    array = counts_of_rank_one(np.random.default_rng(1), (400, 300))
    sums = sums_of_logarithms(array)
    exact = Curvature.of(*sums)
    monkeypatch.setattr("rankone.views.curvature.FEW", 0)
    binned = Curvature.of(*sums)
    ours, theirs = (c.rows.at(sums[0]) @ c.columns.at(sums[1]).T for c in (binned, exact))
    assert np.abs(ours - theirs).max() < 1e-3 * np.abs(theirs).max()


@pytest.mark.parametrize("spread", [0.0, 1.0])
def test_the_curvature_adds_up_to_nothing(spread):
    array = counts_of_rank_one(np.random.default_rng(1), (90, 60), spread)
    rows, columns = sums_of_logarithms(array)
    curvature = Curvature.of(rows, columns)
    ours = curvature.rows.at(rows) @ curvature.columns.at(columns).T
    np.testing.assert_allclose(ours.sum(axis=0), 0.0, atol=1e-10)
    np.testing.assert_allclose(ours.sum(axis=1), 0.0, atol=1e-10)


def test_where_columns_are_equal_nothing_is_curved():
    rows = np.random.default_rng(2).gamma(2.0, size=90)
    columns = np.full(60, rows.sum() / 60)
    curvature = Curvature.of(rows, columns)
    ours = curvature.rows.at(rows) @ curvature.columns.at(columns).T
    np.testing.assert_allclose(ours, 0.0, atol=1e-12)


def test_what_was_not_counted_has_no_factors():
    rows, columns = np.array([0.0, 2.0, 5.0]), np.array([3.0, 4.0, 0.0])
    curvature = Curvature.of(rows, columns)
    assert not curvature.rows.at(rows)[0].any()
    assert not curvature.columns.at(columns)[2].any()


@pytest.mark.parametrize("largest", [1e6, 2.0**53])
def test_one_enormous_count_leaves_all_finite(largest):
    array = counts_of_rank_one(np.random.default_rng(3), (90, 60))
    array[4, 5] = largest
    views = view(as_matrix(array), 5)
    assert views.margins.curvature is not None
    assert np.isfinite(views.scores).all()


@pytest.mark.parametrize("transposed", [False, True])
@pytest.mark.parametrize("seed", range(5))
def test_counts_of_rank_one_are_one_group(seed, transposed):
    matrix = as_matrix(counts_of_rank_one(np.random.default_rng(seed)))
    assert replicate(matrix.T if transposed else matrix, 12).number == 1


@pytest.mark.parametrize("spread", [0.5, 1.0, 1.5])
def test_what_is_left_of_counts_of_rank_one_is_within_noise(spread):
    matrix = as_matrix(counts_of_rank_one(np.random.default_rng(4), (600, 400), spread))
    residual = Margins.of(matrix).residual(matrix)
    assert view(matrix, 1).values[0] < 1.1 * noise_edge(residual)


def test_groups_of_counts_with_uneven_margins_are_still_found():
    rng = np.random.default_rng(5)
    left, right = (np.exp(rng.normal(0.0, 1.0, size)) for size in (300, 100))
    groups, kinds = np.arange(300) % 3, np.arange(100) % 3
    rates = np.outer(left, right) * np.where(groups[:, None] == kinds, 4.0, 1.0)
    assert replicate(as_matrix(rng.poisson(rates).astype(float)), 12).number == 3


@pytest.mark.parametrize("make", [sp.csr_array, sp.csc_array])
def test_sparse_counts_of_rank_one_have_the_views_of_dense_ones(make):
    array = counts_of_rank_one(np.random.default_rng(6), (90, 60))
    dense, sparse = view(as_matrix(array), 5), view(as_matrix(make(array)), 5)
    np.testing.assert_allclose(sparse.values, dense.values, rtol=1e-9)
    np.testing.assert_allclose(sparse.scores, dense.scores, atol=1e-9)


@pytest.mark.parametrize("missing", [0.0, 0.3])
def test_new_rows_of_counts_score_like_fitted_ones(missing):
    rng = np.random.default_rng(7)
    array = counts_of_rank_one(rng, (90, 60))
    array[:, 1:][rng.random((90, 59)) < missing] = np.nan
    views, some = view(as_matrix(array), 5), np.array([7, 3, 80])
    new = as_matrix(array[some], empty_columns=True)
    np.testing.assert_allclose(views.score(new), views.scores[some], atol=1e-10)


def test_new_rows_with_larger_counts_than_all_fitted_ones_are_within_noise_too():
    rng = np.random.default_rng(8)
    right = np.exp(rng.normal(size=200))
    fitted, new = (
        rng.poisson(np.outer(np.exp(rng.normal(mean, 0.5, 300)), right)).astype(float)
        for mean in (0.0, 3.0)
    )
    margins = Margins.of(as_matrix(fitted))
    left_over = [
        np.abs(margins.residual(as_matrix(array)).T.times(np.full((300, 1), 1 / 300))).max()
        for array in (new, np.floor(new * rng.uniform(0.0, 2.0, new.shape[1])))
    ]
    assert left_over[0] < 0.2 * left_over[1]
