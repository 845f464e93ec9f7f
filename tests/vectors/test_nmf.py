"""Rank-one factors, against scikit-learn, a general optimiser, and what must hold at a minimum."""

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize
from scipy.special import xlogy
from sklearn.decomposition import NMF as ScikitLearnNMF
from sklearn.exceptions import ConvergenceWarning

from rankone.matrix import as_matrix
from rankone.vectors import NMF, IncomparableScoresWarning, Marginal
from rankone.vectors._alternating import _best_left

BETAS = (0, 0.3, 1, 1.5, 2)


def direct_divergence(a, x, beta):
    """Sum the divergence of the observed entries, one by one, from its definition."""
    exists = ~np.isnan(a)
    a, x = a[exists], x[exists]
    if beta == 0:
        return (a / x - np.log(a / x) - 1).sum()
    if beta == 1:
        return (xlogy(a, a) - xlogy(a, x) - a + x).sum()
    return (
        (a**beta + (beta - 1) * x**beta - beta * a * x ** (beta - 1)) / (beta * (beta - 1))
    ).sum()


def product(vectors):
    return vectors.scale * np.outer(vectors.row, vectors.column)


def holes(a, share=0.5, seed=0):
    a = a.copy()
    a[np.random.default_rng(seed).random(a.shape) < share] = np.nan
    return a


@pytest.mark.parametrize("beta", BETAS)
def test_complete_like_scikit_learn(beta):
    rng = np.random.default_rng(0)
    a = rng.gamma(2.0, size=(25, 18)) + 0.1
    ours = NMF(beta=beta).extract(a)
    theirs = ScikitLearnNMF(
        1, init="random", solver="mu", beta_loss=beta, max_iter=10000, tol=1e-12, random_state=0
    )
    w = theirs.fit_transform(a)[:, 0]
    np.testing.assert_allclose(ours.row, w / w.mean(), rtol=1e-5)
    h = theirs.components_[0]
    np.testing.assert_allclose(ours.column, h / h.mean(), rtol=1e-5)
    assert ours.objective == pytest.approx(theirs.reconstruction_err_**2 / 2, rel=1e-6)
    assert ours.objective <= theirs.reconstruction_err_**2 / 2 * (1 + 1e-9)


@pytest.mark.parametrize("beta", BETAS)
@pytest.mark.parametrize("share", [0.0, 0.5])
def test_objective_is_the_definition(beta, share):
    rng = np.random.default_rng(0)
    a = holes(rng.gamma(2.0, size=(12, 9)) + 0.1, share)
    vectors = NMF(beta=beta).extract(a)
    assert vectors.objective == pytest.approx(
        direct_divergence(a, product(vectors), beta), rel=1e-9
    )
    assert vectors.row.mean() == pytest.approx(1.0)
    assert vectors.column.mean() == pytest.approx(1.0)


@pytest.mark.parametrize("beta", BETAS)
def test_missing_like_a_general_optimiser(beta):
    rng = np.random.default_rng(0)
    a = holes(rng.gamma(3.0, size=(8, 7)) + 0.2, 0.35)
    ours = NMF(beta=beta).extract(a)

    def objective(logs):
        return direct_divergence(a, np.exp(logs[:8, None] + logs[8:]), beta)

    with np.errstate(over="ignore", invalid="ignore"):  # its longer steps lead anywhere
        best = min(minimize(objective, rng.normal(size=15), tol=1e-12).fun for _ in range(5))
    assert ours.objective == pytest.approx(best, rel=1e-6)


@pytest.mark.parametrize("beta", BETAS)
def test_gradient_vanishes(beta):
    rng = np.random.default_rng(0)
    a = holes(rng.gamma(2.0, size=(30, 20)) + 0.1)
    vectors = NMF(beta=beta).extract(a)
    x, exists = product(vectors), ~np.isnan(a)
    slope = np.where(exists, x ** (beta - 1) * (x - np.where(exists, a, 0)), 0.0)
    size = np.where(exists, x ** (beta - 1) * (x + np.where(exists, a, 0)), 0.0)
    # The derivatives by log(u) and by log(v), relative to the sum of their terms.
    assert np.abs(slope.sum(1) / size.sum(1)).max() < 1e-9
    assert np.abs(slope.sum(0) / size.sum(0)).max() < 1e-9


@pytest.mark.parametrize("beta", BETAS)
def test_objective_never_rises(beta):
    rng = np.random.default_rng(0)
    a = holes(rng.gamma(0.5, size=(20, 15)) + 1e-3, 0.7, seed=4)
    a[0], a[:, 0] = 1.0, 1.0
    objectives = []
    for max_iter in (*range(1, 12), 2000):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            vectors = NMF(beta=beta, max_iter=max_iter).extract(a)
        objectives.append(vectors.objective)
    assert vectors.converged
    assert (np.diff(objectives) <= 1e-12 * objectives[0]).all()
    assert objectives[-1] < objectives[0]


def test_complete_divergence_gives_the_marginals():
    rng = np.random.default_rng(0)
    a = rng.poisson(3.0, (40, 30))
    vectors, marginal = NMF().extract(a), Marginal().extract(a)
    np.testing.assert_allclose(vectors.row, marginal.row / marginal.row.mean(), rtol=1e-14)
    np.testing.assert_allclose(vectors.column, marginal.column / marginal.column.mean(), rtol=1e-14)
    many = NMF(n_init=5, random_state=0).extract(a)
    np.testing.assert_allclose(many.row, vectors.row, rtol=1e-12)
    assert many.row_spread.max() < 1e-12


def test_missing_by_column_biases_means_and_not_factors():
    rng = np.random.default_rng(0)
    u, v = rng.uniform(1, 2, 60), np.r_[np.ones(20), 10 * np.ones(20)]
    a = np.outer(u, v)
    a[:30, :15] = np.nan  # half of the rows lack most of the small columns
    vectors = NMF().extract(a)
    np.testing.assert_allclose(vectors.row, u / u.mean(), rtol=1e-8)
    means = Marginal().extract(a).row
    assert np.corrcoef(means, u)[0, 1] < 0.9


def test_starts_are_averaged_and_their_spread_told():
    rng = np.random.default_rng(0)
    a = holes(rng.gamma(2.0, size=(15, 10)) + 0.1)
    one, many = NMF(beta=2).extract(a), NMF(beta=2, n_init=4, random_state=3).extract(a)
    np.testing.assert_allclose(many.row, one.row, rtol=1e-6)
    assert many.row_spread.shape == (15,)
    assert many.column_spread.shape == (10,)
    assert many.n_iter > one.n_iter
    assert one.row_spread is None


def test_negative_entries_are_shifted_when_asked():
    rng = np.random.default_rng(0)
    a = rng.normal(size=(12, 9))
    vectors = NMF(negative="shift").extract(a)
    expected = (a - a.min()).sum(1)
    np.testing.assert_allclose(vectors.row, expected / expected.mean(), rtol=1e-12)
    with pytest.raises(ValueError, match=r"NMF\(negative='shift'\)"):
        NMF().extract(a)
    # An affine map of the means, as no cut can tell.
    assert np.corrcoef(vectors.row, a.mean(1))[0, 1] == pytest.approx(1.0)


def test_zeros_have_no_divergence_of_itakura_and_saito():
    with pytest.raises(ValueError, match="beta = 0 needs positive entries, but X has zeros"):
        NMF(beta=0).extract([[1.0, 0.0], [1.0, 1.0]])


def test_components_are_said():
    a = np.full((5, 4), np.nan)
    a[:3, :2] = [[1, 2], [2, 4], [3, 6]]
    a[3:, 2:] = [[5, 5], [10, 10]]
    with pytest.warns(IncomparableScoresWarning, match=r"2 groups that share no row.*rows 3, 4"):
        vectors = NMF().extract(a)
    np.testing.assert_array_equal(vectors.row_groups == vectors.row_groups[0], [1, 1, 1, 0, 0])
    x = product(vectors)
    np.testing.assert_allclose(x[~np.isnan(a)], a[~np.isnan(a)], rtol=1e-9)


def test_a_minimum_that_is_not_attained_is_said():
    with pytest.warns(IncomparableScoresWarning, match="minimum is not attained.*row"):
        vectors = NMF().extract([[1.0, 0.0], [np.nan, 1.0]])
    assert vectors.objective == pytest.approx(0.0, abs=1e-12)
    assert vectors.row_groups is not None


@given(st.integers(0, 2**32 - 1))
def test_sparse_counts_with_most_missing_converge_or_say_why(seed):
    rng = np.random.default_rng(seed)
    a = rng.poisson(0.3, (12, 10)).astype(float)
    a[rng.random(a.shape) < 0.6] = np.nan
    a[0, np.isnan(a).all(0)] = 1.0
    a[np.isnan(a).all(1), 0] = 1.0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", IncomparableScoresWarning)
        vectors = NMF(max_iter=20000).extract(a)
    assert vectors.converged
    zero = np.nansum(a, 1) == 0
    np.testing.assert_array_equal(vectors.row == 0, zero)
    if vectors.row_groups is not None:
        return
    x = np.where(np.isnan(a), 0.0, product(vectors))
    np.testing.assert_allclose(x.sum(1), np.nansum(a, 1), rtol=1e-8)
    np.testing.assert_allclose(x.sum(0), np.nansum(a, 0), rtol=1e-8, atol=1e-300)


def test_too_few_sweeps_are_said():
    rng = np.random.default_rng(0)
    with pytest.warns(ConvergenceWarning, match="after max_iter = 1 sweeps"):
        vectors = NMF(max_iter=1).extract(holes(rng.gamma(2.0, size=(9, 9))))
    assert not vectors.converged


@pytest.mark.parametrize("beta", [0, 1, 2])
def test_long_chains_of_entries_converge(beta):
    """Each row shares one column with the next: plain turns would take thousands."""
    rng = np.random.default_rng(0)
    u, v = rng.uniform(1, 3, 60), rng.uniform(1, 3, 60)
    a = np.where(np.eye(60) + np.eye(60, k=1) > 0, np.outer(u, v), np.nan)
    vectors = NMF(beta=beta, max_iter=500).extract(a)
    assert vectors.converged
    np.testing.assert_allclose(vectors.row, u / u.mean(), rtol=1e-6)


@pytest.mark.parametrize("beta", [0.0, 0.5, 1.0, 1.5, 2.0, 3.0])
def test_multiplicative_updates_at_rank_one_are_the_closed_form(beta):
    """Lee and Seung's update of u, for any divergence and start, is the best u for a given v."""
    rng = np.random.default_rng(0)
    a, u, v = rng.uniform(0.5, 2, (8, 6)), rng.uniform(0.5, 2, 8), rng.uniform(0.5, 2, 6)
    model = np.outer(u, v)
    updated = u * ((a * model ** (beta - 2)) @ v) / (model ** (beta - 1) @ v)
    np.testing.assert_allclose(updated, a @ v ** (beta - 1) / (v**beta).sum())
    if beta <= 2:
        matrix = as_matrix(a)
        best, _, _ = _best_left(matrix, matrix.observed, beta, v)
        np.testing.assert_allclose(updated, best)
