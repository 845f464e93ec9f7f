"""View 0, and the matrix less its margins."""

import numpy as np
import pytest
import scipy.sparse as sp

from rankone.matrix import as_matrix, submatrix
from rankone.matrix.chunked import Chunked
from rankone.views import Margins
from rankone.views.curvature import Curvature
from rankone.views.margins import is_relative
from tests.matrix.kinds import NestedLists, close, stored


def residual_of(array, margins=None):
    """Return the matrix less its margins as an array, from its products."""
    matrix = as_matrix(array)
    residual = (margins or Margins.of(matrix)).residual(matrix)
    return residual.times(np.eye(matrix.shape[1]))


def counts(rng, shape=(30, 20), mean=1.0):
    """Return counts of rank one, in which no row or column is zero."""
    array = rng.poisson(mean * np.outer(rng.gamma(2, size=shape[0]), rng.gamma(2, size=shape[1])))
    array[:, 0] += 1
    array[0] += 1
    return array.astype(float)


def relative_by_formula(array, unit):
    t = np.log1p(array / unit)
    r, c = t.sum(axis=1), t.sum(axis=0)
    expected = np.outer(r, c) / t.sum()
    return (t - expected) / np.sqrt(np.outer(r + r.mean(), c + c.mean()))


def test_zeros_and_ones_are_compared_with_the_product_of_their_margins():
    array = np.minimum(counts(np.random.default_rng(0)), 1.0)
    assert Margins.of(as_matrix(array)).relative
    close(residual_of(array), relative_by_formula(array, 1.0))


def test_counts_are_compared_with_the_product_of_their_margins_and_their_curvature():
    array = counts(np.random.default_rng(0))
    t = np.log1p(array)
    r, c = t.sum(axis=1), t.sum(axis=0)
    curvature = Curvature.of(r, c)
    subtracted = curvature.rows.at(r) @ curvature.columns.at(c).T
    expected = subtracted / np.sqrt(np.outer(r + r.mean(), c + c.mean()))
    assert Margins.of(as_matrix(array)).relative
    close(relative_by_formula(array, 1.0) - residual_of(array), expected)


def test_reals_whose_unit_happens_to_be_one_have_no_curvature():
    array = np.array([[0.5, 1.5, 0.0], [1.5, 0.0, 0.5]])
    assert Margins.of(as_matrix(array)).unit == 1.0
    close(residual_of(array), relative_by_formula(array, 1.0))


def test_reals_with_zeros_are_measured_by_their_mean_positive_entry():
    rng = np.random.default_rng(1)
    array = rng.gamma(2, size=(30, 20)) * (rng.random((30, 20)) < 0.5)
    close(residual_of(array), relative_by_formula(array, array[array > 0].mean()))


@pytest.mark.parametrize("least", [0.1, -5.0])
def test_other_matrices_are_centred_by_columns(least):
    array = least + np.random.default_rng(2).gamma(2, size=(30, 20))
    margins = Margins.of(as_matrix(array))
    assert not margins.relative
    close(margins.scale * residual_of(array), array - array.mean(axis=0))


def test_means_of_incomplete_columns_are_those_of_observed_entries():
    rng = np.random.default_rng(3)
    array = np.where(rng.random((30, 20)) < 0.3, np.nan, rng.normal(size=(30, 20)))
    close(Margins.of(as_matrix(array)).columns, np.nanmean(array, axis=0))


def test_margins_of_an_incomplete_matrix_of_rank_one_are_those_of_the_complete_one():
    rng = np.random.default_rng(4)
    x, y = rng.random(40), rng.random(30)
    x[:4] = 0.0  # rows of zeros, so that the matrix is compared with its margins
    complete = np.expm1(np.outer(x, y))
    array = np.where(rng.random(complete.shape) < 0.4, np.nan, complete)
    matrix = as_matrix(array)
    margins = Margins.of(matrix)
    logarithms = np.log1p(complete / margins.unit)
    approximate = np.outer(margins.of_rows(matrix), margins.columns) / margins.columns.sum()
    assert margins.relative
    assert np.abs(approximate - logarithms).max() < 0.02 * logarithms.max()


@pytest.mark.parametrize("missing", [0.0, 0.4])
@pytest.mark.parametrize("make", [counts, lambda rng: rng.normal(size=(30, 20))])
def test_new_rows_have_the_margins_that_they_have_within_the_fitted_matrix(make, missing):
    rng = np.random.default_rng(5)
    array = make(rng)
    array[1:, 1:][rng.random((29, 19)) < missing] = np.nan
    margins, some = Margins.of(as_matrix(array)), np.array([3, 17, 4])
    close(residual_of(array[some], margins), residual_of(array, margins)[some])
    close(margins.of_rows(as_matrix(array[some])), margins.of_rows(as_matrix(array))[some])


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_products_are_those_of_the_array_for_all_kinds_of_matrices(sign, tmp_path):
    rng = np.random.default_rng(7)
    array = sign * counts(rng, (30, 20), 0.3)
    np.save(tmp_path / "a.npy", array)
    kinds = [
        np.asfortranarray(array),
        np.load(tmp_path / "a.npy", mmap_mode="r"),
        sp.csr_array(array),
        sp.csc_array(array),
        NestedLists(array.tolist()),
        Chunked.of([as_matrix(sp.csr_array(array[:9])), as_matrix(array[9:])]),
        as_matrix(array.T).T,
    ]
    expected = residual_of(array)
    for kind in kinds:
        matrix = as_matrix(kind)
        residual = Margins.of(matrix).residual(matrix)
        close(residual.times(np.eye(20)), expected)
        close(residual.T.times(np.eye(30)), expected.T)


@pytest.mark.parametrize("missing", [0.0, 0.3])
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_sums_over_groups_of_rows_are_those_of_observed_entries(sign, missing):
    rng = np.random.default_rng(0)
    array = sign * counts(rng)
    labels = rng.permutation(np.arange(30) % 4)
    hidden = rng.random(array.shape) < missing
    hidden[0] = hidden[:, 0] = False
    array[hidden] = np.nan
    matrix = as_matrix(array)
    residual = Margins.of(matrix).residual(matrix)
    entries = np.column_stack([residual.observed_times(row) for row in np.eye(20)[:, :, None]])
    expected = np.array([entries[labels == group].sum(axis=0) for group in range(4)])
    close(residual.group_rows(labels, 4).T, expected)


@pytest.mark.parametrize("n_groups", [3, 70])
def test_observed_entries_are_summed_by_groups(n_groups):
    rng = np.random.default_rng(0)
    array = rng.normal(size=(140, 6))
    array[rng.random(array.shape) < 0.3] = np.nan
    array[:, 0] = 1.0  # no row is empty
    labels, weights = np.arange(140) % n_groups, rng.random(140)
    expected = [
        (np.isfinite(array[labels == g]) * weights[labels == g, None]).sum(axis=0)
        for g in range(n_groups)
    ]
    close(as_matrix(array).group_observed(labels, n_groups, weights).T, np.array(expected))
    full = as_matrix(np.nan_to_num(array)).group_observed(labels, n_groups, weights)
    close(full.T, np.bincount(labels, weights)[:, None] * np.ones(6))


def test_absent_entries_that_are_missing_are_as_nan():
    rng = np.random.default_rng(8)
    array = np.where(rng.random((30, 20)) < 0.4, np.nan, counts(rng))
    ours = as_matrix(stored(array), "absent")
    theirs = as_matrix(array)
    vectors = rng.normal(size=(20, 3))
    close(
        Margins.of(ours).residual(ours).observed_times(vectors),
        Margins.of(theirs).residual(theirs).observed_times(vectors),
    )


def test_missing_entries_count_as_zeros_in_products_with_observed_entries():
    rng = np.random.default_rng(9)
    array = np.where(rng.random((30, 20)) < 0.4, np.nan, rng.normal(size=(30, 20)))
    matrix = as_matrix(array)
    margins = Margins.of(matrix)
    expected = np.nan_to_num(array - np.nanmean(array, axis=0)) / margins.scale
    close(margins.residual(matrix).observed_times(np.eye(20)), expected)


@pytest.mark.parametrize(
    ("array", "expected"),
    [
        ([[0.0, 1.0], [2.0, 3.0]], True),
        ([[0.0, -1.0], [2.0, 3.0]], False),
        ([[0.5, 1.0], [2.0, 3.0]], False),
        ([[0.0, 0.0], [0.0, 0.0]], False),
        ([[0.0, np.nan], [np.nan, 3.0]], True),
    ],
)
def test_zeros_mean_absence_where_nothing_is_negative(array, expected):
    assert is_relative(as_matrix(array)) == expected


def test_zero_rows_of_relative_data_are_left_with_nothing():
    array = counts(np.random.default_rng(10))
    array[5] = 0.0
    assert not residual_of(array)[5].any()


@pytest.mark.parametrize("shift", [0.0, 2.0])
def test_rows_without_an_observed_entry_are_left_with_nothing(shift):
    rng = np.random.default_rng(11)
    array = np.where(rng.random((30, 20)) < 0.4, np.nan, counts(rng) - shift)
    array[4, 1:] = np.nan
    array[4, 0] = 1.0
    matrix = submatrix(as_matrix(array), columns=np.arange(1, 20))
    margins = Margins.of(matrix)
    residual = margins.residual(matrix)
    assert margins.of_rows(matrix)[4] == 0.0
    assert not residual.observed_times(np.eye(19))[4].any()
    assert np.isfinite(residual.times(np.eye(19))).all()


@pytest.mark.parametrize("scale", [1e-300, 1e-200, 1e200, 1e300])
@pytest.mark.parametrize("shift", [0.0, 0.5])
def test_magnitude_makes_no_difference_to_what_margins_leave(scale, shift):
    rng = np.random.default_rng(12)
    array = (rng.random((30, 20)) - shift) * (rng.random((30, 20)) < 0.8)
    ours, expected = residual_of(array * scale), residual_of(array)
    close(ours / np.abs(ours).max(), expected / np.abs(expected).max(), rtol=1e-9)


def test_new_rows_of_any_magnitude_have_finite_margins():
    rng = np.random.default_rng(13)
    margins = Margins.of(as_matrix(rng.random((30, 20)) * (rng.random((30, 20)) < 0.8) * 1e-9))
    assert np.isfinite(residual_of(np.full((1, 20), 1e306), margins)).all()
