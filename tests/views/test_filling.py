"""Views of incomplete matrices."""

import numpy as np
import pytest
from scipy.linalg import subspace_angles

from rankone.matrix import as_matrix, submatrix
from rankone.views import view
from rankone.views.filling import fitted_scores, trust_in
from tests.matrix.kinds import close, stored


def factors(rng, shape=(300, 200), rank=3, sigma=0.5):
    """Return a matrix of low rank with noise."""
    left, right = rng.normal(size=(shape[0], rank)), rng.normal(size=(shape[1], rank))
    return 2.0 + left @ right.T + sigma * rng.normal(size=shape)


def without(rng, array, share):
    """Return a copy in which a share of the entries is missing, but none of the first column."""
    array = array.copy()
    array[:, 1:][rng.random(array[:, 1:].shape) < share] = np.nan
    return array


def counts(rng, shape=(90, 60)):
    """Return counts with a strong factor."""
    return rng.poisson(np.exp(factors(rng, shape, rank=1) - 2.0)).astype(float)


@pytest.mark.parametrize("make", [factors, counts])
def test_with_one_missing_entry_views_are_nearly_those_of_the_complete_matrix(make):
    array = make(np.random.default_rng(0))
    views = view(as_matrix(array), 1)
    array[5, 7] = np.nan
    nearly = view(as_matrix(array), 1)
    assert np.abs(nearly.scores - views.scores).max() < 0.05 * np.abs(views.scores).max()


def test_scores_where_nothing_is_missing_are_products():
    rng = np.random.default_rng(1)
    matrix = as_matrix(factors(rng))
    views = view(matrix, 5)
    residual = views.margins.residual(matrix)
    close(
        fitted_scores(residual, views.directions, trust_in(views.values, 10.0, 5.0)), views.scores
    )


def test_half_of_the_entries_tell_the_views_of_all():
    rng = np.random.default_rng(2)
    array = factors(rng)
    complete, half = (view(as_matrix(a), 3) for a in (array, without(rng, array, 0.5)))
    assert subspace_angles(complete.directions, half.directions).max() < 0.1
    assert subspace_angles(complete.scores, half.scores).max() < 0.15


def test_filling_recovers_what_zeros_would_blur():
    """Rows with few observed entries have scores as large as the others."""
    rng = np.random.default_rng(3)
    array = factors(rng, rank=1, sigma=0.1)
    sparse = array.copy()
    sparse[:100, 20:] = np.nan
    complete, ours = (np.abs(view(as_matrix(a), 1).scores[:, 0]) for a in (array, sparse))
    assert np.abs(ours - complete)[:100].max() < 0.1 * complete.max()


@pytest.mark.parametrize("shift", [0.0, -2.0])
def test_absent_entries_are_as_nan(shift):
    """Among entries that are exactly as their margins say, too: half of a constant column."""
    rng = np.random.default_rng(4)
    array = rng.poisson(1.0, (90, 60)) + shift
    array[:, 5] = 3.0
    array = without(rng, array, 0.5)
    theirs = view(as_matrix(array), 4, edge=0.0)
    ours = view(as_matrix(stored(array), "absent"), 4, edge=0.0)
    assert theirs.trust.all()
    close(ours.values, theirs.values, rtol=1e-8)
    np.testing.assert_allclose(ours.scores, theirs.scores, atol=1e-8)


@pytest.mark.parametrize("shift", [0.0, -2.0])
def test_new_rows_have_the_scores_that_they_have_within_the_fitted_matrix(shift):
    rng = np.random.default_rng(5)
    array = without(rng, counts(rng) + shift, 0.5)
    matrix, some = as_matrix(array), np.array([7, 3, 80])
    new = as_matrix(array[some], empty_columns=True)
    views = view(matrix, 12)
    np.testing.assert_allclose(views.score(matrix), views.scores, atol=1e-10)
    np.testing.assert_allclose(views.score(new), views.scores[some], atol=1e-10)


def test_scores_are_those_of_rows_that_are_filled_from_their_own_scores():
    rng = np.random.default_rng(6)
    array = without(rng, factors(rng, (90, 60)), 0.5)
    matrix = as_matrix(array)
    views = view(matrix, 12)
    trust = views.trust
    entries = (array - views.margins.columns) / views.margins.scale
    filled = np.where(np.isnan(array), (views.scores * trust) @ views.directions.T, entries)
    assert 0 < np.count_nonzero(trust) < 12
    np.testing.assert_allclose(filled @ views.directions, views.scores, atol=1e-10)


def test_incomplete_rows_are_placed_by_the_views_of_a_complete_matrix():
    rng = np.random.default_rng(7)
    array = factors(rng)
    views = view(as_matrix(array), 10)
    ours = views.score(as_matrix(without(rng, array, 0.5)), 3)
    assert np.abs(ours - views.scores[:, :3]).max() < 0.2 * np.abs(views.scores).max()


@pytest.mark.parametrize("number", [1, 60])
def test_rows_without_an_observed_entry_score_zero(number):
    rng = np.random.default_rng(8)
    array = without(rng, factors(rng, (90, 60)), 0.3)
    array[4, 1:] = np.nan
    views = view(submatrix(as_matrix(array), columns=np.arange(1, 60)), number)
    assert not views.scores[4].any()
    assert np.isfinite(views.scores).all()


def test_noise_is_not_filled_in():
    rng = np.random.default_rng(9)
    views = view(as_matrix(without(rng, rng.normal(size=(300, 200)), 0.5)), 5)
    assert views.trust.max() < 0.2


@pytest.mark.parametrize("noise", [0.0, 0.5])
def test_trust_is_less_than_one_and_ends_after_ten_views(noise):
    trust = trust_in(np.linspace(100.0, 1.0, 30), 0.9, noise)
    assert ((trust >= 0.0) & (trust < 1.0)).all()
    assert np.flatnonzero(trust).tolist() == list(range(10))


def test_nothing_is_trusted_where_there_is_nothing():
    assert trust_in(np.zeros(0), 0.0, 0.0).shape == (0,)
    assert not trust_in(np.zeros(2), 0.0, 0.0).any()


@pytest.mark.parametrize("scale", [1e-200, 1e200])
def test_magnitude_makes_no_difference(scale):
    rng = np.random.default_rng(10)
    array = without(rng, factors(rng, (90, 60)), 0.5)
    ours, expected = (view(as_matrix(a), 3).scores for a in (array * scale, array))
    close(ours / np.abs(ours).max(), expected / np.abs(expected).max(), rtol=1e-6)
