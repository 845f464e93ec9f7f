"""Views: what must not matter to them."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from rankone.matrix import as_matrix
from rankone.matrix.dense import Dense
from rankone.views import view, view_both
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


def block_counts(rng, shape, mean=1.0):
    """Draw counts with lognormal margins, higher in one block."""
    rates = np.outer(rng.lognormal(size=shape[0]), rng.lognormal(size=shape[1])) * mean
    rates[: shape[0] // 2, : shape[1] // 2] *= 3.0
    return rng.poisson(rates).astype(float)


def block_reals(rng, shape, offset=0.0):
    """Draw real numbers around blocks of rank two."""
    a = offset + rng.normal(size=shape)
    a[: shape[0] // 2, : shape[1] // 2] += 3.0
    a[::3, ::2] += 2.0
    return a


def assert_same_views(ours, theirs):
    """Compare the leading views; the factors of the curvature of counts are approximate."""
    number, tolerance = (1, 1e-4) if ours.margins.curvature else (2, 1e-6)
    close(ours.values[:number], theirs.values[:number], rtol=tolerance)
    for name in ("scores", "directions"):
        one, other = getattr(ours, name)[:, :number], getattr(theirs, name)[:, :number]
        np.testing.assert_allclose(one, other, atol=10 * tolerance * np.abs(other).max())


SIZES = [(40, 30), (30, 40), (400, 300), (300, 400)]


@pytest.mark.parametrize("layout", [np.asarray, np.asfortranarray, sp.csr_array, sp.csc_array])
@pytest.mark.parametrize("shape", SIZES)
@pytest.mark.parametrize("draw", [block_counts, block_reals])
def test_views_of_both_sides_are_those_of_each(layout, shape, draw):
    a = draw(np.random.default_rng(0), shape)
    matrix, turned = as_matrix(layout(a)), as_matrix(layout(a.T.copy()))
    (rows, left), (columns, right) = view_both(matrix, 3)
    assert_same_views(rows, view(matrix, 3))
    assert_same_views(columns, view(turned, 3))
    v = np.ones((shape[1], 1))
    np.testing.assert_allclose(left.times(v), rows.margins.residual(matrix).times(v), atol=1e-9)
    v = np.ones((shape[0], 1))
    np.testing.assert_allclose(right.times(v), columns.margins.residual(turned).times(v), atol=1e-9)


@pytest.mark.parametrize("shape", SIZES)
@pytest.mark.parametrize("draw", [block_counts, block_reals])
def test_scores_of_both_sides_are_those_of_new_rows(shape, draw):
    a = draw(np.random.default_rng(1), shape)
    rows, columns = (seen.views for seen in view_both(as_matrix(a), 20))
    np.testing.assert_allclose(rows.score(as_matrix(a)), rows.scores, atol=1e-9)
    np.testing.assert_allclose(columns.score(as_matrix(a.T)), columns.scores, atol=1e-9)


@pytest.mark.parametrize("offset", [1e4, 1e8])
def test_views_of_both_sides_survive_a_large_offset(offset):
    rng = np.random.default_rng(2)
    a = block_reals(rng, (400, 300))
    ours, theirs = view_both(as_matrix(a + offset), 3), view_both(as_matrix(a), 3)
    for one, other in zip(ours, theirs, strict=True):
        close(one.views.values[:2] * one.views.margins.scale, other.views.values[:2], rtol=1e-5)
        cosines = np.abs((one.views.directions * other.views.directions).sum(axis=0)[:2])
        close(cosines, 1.0, rtol=1e-5)


class Counted(Dense):
    """An array that counts its sweeps."""

    n_sweeps = 0

    def each(self, function):
        self.n_sweeps += 1
        return super().each(function)


def test_one_sweep_for_each_round_serves_both_sides():
    matrix = Counted(block_reals(np.random.default_rng(3), (400, 1000)))
    assert not matrix.whole_columns
    _ = matrix.totals, matrix.census
    before = matrix.n_sweeps
    view_both(matrix, 20)
    assert matrix.n_sweeps - before == 5 + 1  # rounds, and the sum of squares
