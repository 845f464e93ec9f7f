"""Leading singular pairs, compared with NumPy's decomposition."""

import numpy as np
import pytest

from rankone.views.decomposition import SMALL, krylov, leading_pairs


class Array:
    """An array as an operator."""

    def __init__(self, array):
        self.array, self.shape = array, array.shape

    @property
    def T(self):
        return Array(self.array.T)

    whole_rows = True

    def times(self, vectors):
        return self.array @ vectors

    def there_and_back(self, vectors):
        return self.array @ vectors, self.array.T @ (self.array @ vectors)


class ByColumns(Array):
    """An operator whose transpose goes there and back in one sweep."""

    whole_rows = False

    @property
    def T(self):
        return Array(self.array.T)

    def there_and_back(self, vectors):
        raise AssertionError("this takes two sweeps")


def low_rank(rng, shape, values):
    """Return a matrix with the given singular values."""
    left, right = (np.linalg.qr(rng.normal(size=(size, len(values))))[0] for size in shape)
    return (left * values) @ right.T


def check(array, number, expected_rank=None, kind=Array):
    """Compare the pairs with those of NumPy, up to signs."""
    left, values, right, row_scores, column_scores = leading_pairs(kind(array), number)
    rank = min(number, np.linalg.matrix_rank(array)) if expected_rank is None else expected_rank
    u, s, vt = np.linalg.svd(array, full_matrices=False)
    assert values.shape == (rank,)
    np.testing.assert_allclose(values, s[:rank], rtol=1e-9)
    np.testing.assert_allclose(np.abs((left * u[:, :rank]).sum(axis=0)), 1.0, atol=1e-8)
    np.testing.assert_allclose(np.abs((right * vt[:rank].T).sum(axis=0)), 1.0, atol=1e-8)
    np.testing.assert_allclose(array @ right, left * values, atol=1e-9 * s[0])
    np.testing.assert_allclose(array @ right, row_scores, atol=1e-9 * s[0])
    np.testing.assert_allclose(array.T @ left, column_scores, atol=1e-9 * s[0])
    for side in (left, right):
        np.testing.assert_allclose(side.T @ side, np.eye(rank), atol=1e-8)


@pytest.mark.parametrize(
    "shape", [(30, 20), (20, 30), (1, 7), (7, 1), (1, 1), (400, 30), (30, 400)]
)
def test_pairs_of_a_matrix_with_a_short_side_are_exact(shape):
    check(np.random.default_rng(0).normal(size=shape), 5)


@pytest.mark.parametrize("shape", [(SMALL + 50, SMALL + 20), (SMALL + 20, SMALL + 50)])
def test_pairs_of_a_large_matrix_are_those_above_noise(shape):
    rng = np.random.default_rng(1)
    array = low_rank(rng, shape, 100.0 / np.arange(1, 6)) + 1e-4 * rng.normal(size=shape)
    check(array, 5)
    check(array, 5, kind=ByColumns)


@pytest.mark.parametrize("shape", [(SMALL + 50, SMALL + 20), (SMALL + 20, SMALL + 50)])
def test_scores_are_products_also_where_pairs_are_not_exact(shape):
    array = np.random.default_rng(6).normal(size=shape)
    for kind in (Array, ByColumns):
        pairs = leading_pairs(kind(array), 20)
        np.testing.assert_allclose(array @ pairs.right, pairs.row_scores, atol=1e-9)
        np.testing.assert_allclose(array.T @ pairs.left, pairs.column_scores, atol=1e-9)


def test_a_krylov_space_contains_the_vectors_that_it_starts_from():
    rng = np.random.default_rng(7)
    start = rng.normal(size=(SMALL + 20, 2))
    space = krylov(Array(rng.normal(size=(SMALL + 50, SMALL + 20))), 5, start)
    np.testing.assert_allclose(space.basis @ (space.basis.T @ start), start, atol=1e-9)


@pytest.mark.parametrize("shape", [(60, 40), (SMALL + 20, SMALL + 50)])
def test_pairs_end_with_the_rank(shape):
    check(low_rank(np.random.default_rng(2), shape, np.array([5.0, 3.0, 1.0])), 10, 3)


@pytest.mark.parametrize("shape", [(4, 3), (3, 4), (SMALL + 2, SMALL + 3)])
def test_a_zero_matrix_has_no_pairs(shape):
    left, values, right, *_ = leading_pairs(Array(np.zeros(shape)), 5)
    assert (left.shape, values.shape, right.shape) == ((shape[0], 0), (0,), (shape[1], 0))


def test_values_up_to_rounding_are_left_out():
    array = low_rank(np.random.default_rng(3), (30, 20), np.array([1.0, 1e-3]))
    assert leading_pairs(Array(array), 5, rounding=0.01).values.size == 1


def test_more_pairs_than_columns_are_all():
    check(np.random.default_rng(4).normal(size=(9, 3)), 50)


def test_more_pairs_than_a_short_side_of_a_large_matrix_are_all():
    size = SMALL + 5
    check(np.random.default_rng(5).normal(size=(size + 3, size)), size + 1)


def test_the_slower_algorithm_of_lapack_steps_in(monkeypatch):
    a = np.random.default_rng(0).normal(size=(30, 12))
    values = np.linalg.svd(a, compute_uv=False)[:5]

    def fail(*args, **kwargs):
        raise np.linalg.LinAlgError("SVD did not converge")

    monkeypatch.setattr(np.linalg, "svd", fail)
    pairs = leading_pairs(Array(a), 5)
    np.testing.assert_allclose(pairs.values, values)
