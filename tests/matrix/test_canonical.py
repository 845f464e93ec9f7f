"""Canonical order: the same entries in any order give the same matrix."""

import numpy as np
import pytest
import scipy.sparse as sp

from rankone.matrix import as_matrix, submatrix
from rankone.matrix.canonical import Canonical


def entries(canonical):
    values = canonical.matrix.values()
    return values if isinstance(values, np.ndarray) else values.toarray()


def draws(rng, kind):
    m, n = rng.integers(2, 30, 2)
    if kind == "binary":
        return (rng.random((m, n)) < 0.3).astype(float)
    if kind == "counts":
        return rng.poisson(1.0, (m, n)).astype(float)
    a = rng.normal(size=(m, n))
    if kind == "missing":
        a[rng.random((m, n)) < 0.2] = np.nan
        a[0], a[:, 0] = 1.0, -0.0
    return a


@pytest.mark.parametrize("kind", ["real", "missing", "counts"])
def test_every_order_and_both_sides_give_one_matrix(kind):
    rng = np.random.default_rng(0)
    for _ in range(50):
        a = draws(rng, kind)
        i, j = rng.permutation(a.shape[0]), rng.permutation(a.shape[1])
        expected = entries(Canonical.of(as_matrix(a)))
        for other in (a[i][:, j], a.T, np.asfortranarray(a[i]), a[i][:, j].T.copy()):
            found = entries(Canonical.of(as_matrix(other)))
            assert np.array_equal(found, expected, equal_nan=True)


@pytest.mark.parametrize("missing", ["nan", "absent"])
def test_sparse_matrices_have_the_order_of_dense_ones(missing):
    rng = np.random.default_rng(0)
    a = rng.poisson(0.5, (30, 20)).astype(float)
    a[0], a[:, 0] = 1.0, 2.0
    i, j = rng.permutation(30), rng.permutation(20)
    one = Canonical.of(as_matrix(sp.csr_array(a), missing))
    other = Canonical.of(as_matrix(sp.csc_array(a[i][:, j].T), missing))
    assert np.array_equal(entries(one), entries(other))
    assert one.matrix.n_missing == other.matrix.n_missing
    if missing == "nan":
        assert np.array_equal(entries(one), entries(Canonical.of(as_matrix(a))))


def test_there_and_back():
    rng = np.random.default_rng(0)
    for shape in ((7, 4), (4, 7), (5, 5)):
        canonical = Canonical.of(as_matrix(rng.normal(size=shape)))
        sides = np.arange(shape[0]), np.arange(shape[1])
        back = canonical.back(*canonical.there(*sides))
        assert all(map(np.array_equal, back, sides))
        rows, columns = canonical.there(*sides)
        given = canonical.given.T.values() if canonical.turned else canonical.given.values()
        assert np.array_equal(given[rows][:, columns], entries(canonical))


def test_rows_and_columns_that_are_one_thing_stay_together():
    rng = np.random.default_rng(0)
    a = rng.normal(size=(12, 12))
    i = rng.permutation(12)
    one, other = (Canonical.of(as_matrix(x), joint=True) for x in (a, a[i][:, i].T))
    assert np.array_equal(one.rows, one.columns)
    assert np.array_equal(entries(one), entries(other))


def test_large_matrices_are_not_copied(monkeypatch):
    monkeypatch.setattr("rankone.matrix.base.SMALL", 11)
    matrix = as_matrix(np.arange(12.0).reshape(3, 4))
    canonical = Canonical.of(matrix)
    assert canonical.matrix is matrix
    assert not canonical.turned


def test_fingerprints_tell_rows_with_the_same_entries_apart():
    a = (np.random.default_rng(0).random((200, 30)) < 0.5).astype(float)
    rows, columns = as_matrix(a).fingerprints
    assert np.unique(rows).size == np.unique(a, axis=0).shape[0]
    assert np.unique(columns).size == 30


def test_parts_of_sparse_matrices_are_stored_in_one_order():
    rng = np.random.default_rng(0)
    a = rng.poisson(0.5, (30, 20)).astype(float)
    i, j = rng.permutation(30), rng.permutation(20)
    one, other = (
        submatrix(as_matrix(sp.csr_array(x)), *order).values()
        for x, order in ((a, (i, j)), (a[i][:, j], (np.arange(30), np.arange(20))))
    )
    assert np.array_equal(one.indices, other.indices)
    assert np.array_equal(one.data, other.data)


def test_rounds_go_on_while_they_tell_lines_apart():
    """A path of ones: each round tells the lines of another step from its ends apart."""
    a = np.eye(12) + np.eye(12, k=1)
    a[0, 0] = 2.0  # so that no symmetry exchanges its ends
    for keys in as_matrix(a).fingerprints:
        assert np.unique(keys).size == 12
