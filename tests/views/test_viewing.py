"""Views: what must not matter to them."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from rankone.matrix import as_matrix
from rankone.views import view
from tests.matrix.kinds import close

SHAPES = hnp.array_shapes(min_dims=2, max_dims=2, min_side=1, max_side=9)
COUNTS = hnp.arrays(float, SHAPES, elements=st.integers(0, 5).map(float))
REALS = hnp.arrays(float, SHAPES, elements=st.integers(-40, 40).map(lambda i: i / 8))
MATRICES = st.one_of(COUNTS, REALS)


def distances(points):
    """Return the distances of all rows, which neither signs nor rotations change."""
    return np.sqrt(((points[:, None] - points) ** 2).sum(axis=2))


@given(MATRICES, st.randoms(use_true_random=False))
def test_the_order_of_rows_and_columns_makes_no_difference(array, random):
    rows, columns = (random.sample(range(size), size) for size in array.shape)
    ours, theirs = (view(as_matrix(a), 9) for a in (array[rows][:, columns], array))
    close(ours.values, theirs.values, rtol=1e-6)
    np.testing.assert_allclose(
        distances(ours.points(9)), distances(theirs.points(9)[rows]), atol=1e-6
    )


@given(MATRICES)
def test_scores_are_finite_and_those_of_new_rows(array):
    matrix = as_matrix(array)
    views = view(matrix, 9)
    assert np.isfinite(views.scores).all()
    np.testing.assert_allclose(views.score(matrix), views.scores, atol=1e-12)
    np.testing.assert_allclose(views.score(matrix, 1), views.scores[:, :1], atol=1e-12)


@given(MATRICES)
def test_views_explain_the_matrix_less_its_margins(array):
    matrix = as_matrix(array)
    views = view(matrix, 9)
    residual = views.margins.residual(matrix).times(np.eye(array.shape[1]))
    np.testing.assert_allclose(views.scores @ views.directions.T, residual, atol=1e-6)


@given(REALS, st.sampled_from([-660, -200, -1, 1, 7, 200, 660]))
def test_the_unit_of_entries_makes_no_difference(array, exponent):
    """Signed reals, or reals with zeros; small counts are taken as counts."""
    ours, theirs = (view(as_matrix(a), 9) for a in (array * 2.0**exponent, array))
    assume(theirs.margins.relative == ours.margins.relative)
    assume(not theirs.margins.relative or theirs.margins.unit != 1.0 != ours.margins.unit)
    assert ours.number == theirs.number
    if ours.number:
        ratio = theirs.values[0] / ours.values[0]
        np.testing.assert_allclose(
            ratio * distances(ours.scores), distances(theirs.scores), atol=1e-6
        )


@given(st.floats(-1e300, 1e300), st.integers(1, 40), st.integers(1, 40))
def test_a_constant_matrix_has_margins_only(constant, m, n):
    array = np.full((m, n), constant)
    assert view(as_matrix(array), 5).number == 0


@given(st.integers(1, 40), st.integers(2, 40), st.integers(0, 2**31))
def test_equal_rows_have_margins_only(m, n, seed):
    array = np.tile(np.random.default_rng(seed).random(n), (m, 1))
    assert view(as_matrix(array), 5).number == 0


@given(st.integers(2, 30), st.integers(2, 30), st.integers(0, 2**31))
def test_rows_that_differ_in_how_much_but_not_in_what_have_margins_only(m, n, seed):
    """As in the rows of 0 and 1 in which all columns are, or none."""
    rng = np.random.default_rng(seed)
    array = np.outer(rng.integers(0, 2, m), np.ones(n))
    array[0], array[1] = 0.0, 1.0
    assert view(as_matrix(array), 5).number == 0


@given(MATRICES)
def test_sparse_matrices_have_the_views_of_dense_ones(array):
    dense = view(as_matrix(array), 9)
    for make in (sp.csr_array, sp.csc_array):
        sparse = view(as_matrix(make(array)), 9)
        close(sparse.values, dense.values, rtol=1e-6)


@given(MATRICES, st.randoms(use_true_random=False))
def test_incomplete_matrices_have_finite_scores(array, random):
    for i in range(array.shape[0]):
        for j in range(array.shape[1]):
            if i % array.shape[1] != j and j % array.shape[0] != i and random.random() < 0.5:
                array[i, j] = np.nan
    matrix = as_matrix(array)
    views = view(matrix, 9)
    assert np.isfinite(views.scores).all()
    np.testing.assert_allclose(views.score(matrix), views.scores, atol=1e-9)


def test_zero_rows_of_counts_are_no_points():
    array = np.random.default_rng(0).poisson(1.0, (30, 20)).astype(float)
    array[7] = 0.0
    points = view(as_matrix(array), 5).points(5)
    assert not points[7].any()
    close(np.linalg.norm(np.delete(points, 7, axis=0), axis=1), 1.0)


def test_rounding_has_no_direction():
    views = view(as_matrix(np.eye(4)), 2)
    close(views.place(np.array([[3.0, 4.0], [1e-17, -1e-17]])), [[0.6, 0.8], [0.0, 0.0]])


def test_distances_of_signed_rows_are_halfway_between_those_of_the_matrix_and_of_mahalanobis():
    array = np.random.default_rng(0).normal(size=(30, 6)) * np.arange(1.0, 7.0)
    views = view(as_matrix(array), 6)
    left, values, _ = np.linalg.svd(array - array.mean(axis=0), full_matrices=False)
    scale = np.sqrt(views.margins.scale)  # entries are divided by a power of four
    close(np.abs(views.points(6)) * scale, np.abs(left * np.sqrt(values)))


@pytest.mark.parametrize("offset", [1e6, 1e9])
def test_views_survive_a_large_offset(offset):
    rng = np.random.default_rng(1)
    array = np.outer(rng.normal(size=60), rng.normal(size=40)) + 0.1 * rng.normal(size=(60, 40))
    ours, theirs = (view(as_matrix(a), 1).directions for a in (array + offset, array))
    assert abs(float(ours[:, 0] @ theirs[:, 0])) > 1.0 - 1e-6


def test_signs_do_not_depend_on_the_number_of_views():
    array = np.random.default_rng(2).normal(size=(40, 30))
    few, many = view(as_matrix(array), 2), view(as_matrix(array), 10)
    close(few.scores, many.scores[:, :2], rtol=1e-9)


@pytest.mark.parametrize("layout", [np.asarray, sp.csr_array])
@pytest.mark.parametrize("mean", [0.3, 3.0])
def test_turned_views_are_those_of_the_transpose(layout, mean):
    rng = np.random.default_rng(0)
    rates = np.outer(rng.lognormal(size=40), rng.lognormal(size=30)) * mean
    rates[:20, :15] *= 3.0
    counts = rng.poisson(rates).astype(float)
    matrix, turned = as_matrix(layout(counts)), as_matrix(layout(counts.T.copy()))
    ours, theirs = view(matrix, 3).turned(turned), view(turned, 3)
    close(ours.values, theirs.values, rtol=1e-4)
    np.testing.assert_allclose(ours.scores[:, 0], theirs.scores[:, 0], atol=1e-3 * theirs.values[0])
