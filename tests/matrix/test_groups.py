"""Which rows and columns are joined by entries, against graphs and linear programming."""

import numpy as np
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog
from scipy.sparse.csgraph import connected_components

from rankone.matrix import as_matrix, comparable_groups
from tests.matrix.kinds import close, stored


@given(st.integers(1, 6), st.integers(1, 6), st.integers(0, 2**32 - 1))
def test_groups_are_those_of_linear_programming(m, n, seed):
    """A minimiser exists if some matrix that is positive where A is observed has its sums."""
    rng = np.random.default_rng(seed)
    a = rng.choice([0.0, 1.0, 2.0, np.nan], p=[0.35, 0.15, 0.1, 0.4], size=(m, n))
    a[0, np.isnan(a).all(0)] = 1.0
    a[np.isnan(a).all(1), 0] = 1.0
    groups = comparable_groups(as_matrix(a))
    rows, columns = np.nansum(a, 1) > 0, np.nansum(a, 0) > 0
    np.testing.assert_array_equal(groups.rows >= 0, rows)
    np.testing.assert_array_equal(groups.columns >= 0, columns)
    if not rows.any():
        assert groups.n_groups == 0
        return
    part = a[np.ix_(rows, columns)]
    graph = np.zeros((sum(part.shape),) * 2)
    graph[: part.shape[0], part.shape[0] :] = ~np.isnan(part)
    n_apart, _ = connected_components(sp.csr_array(graph), directed=False)
    assert groups.n_apart == n_apart
    assert (groups.n_groups == groups.n_apart) == (positive_matrix(part) > 1e-9)
    for sparse in (stored(a), stored(a).tocsc()):
        same = comparable_groups(as_matrix(sparse, "absent"))
        assert (same.n_groups, same.n_apart) == (groups.n_groups, groups.n_apart)


def positive_matrix(a):
    """Return the largest t such that some matrix >= t on observed entries has the sums of a."""
    i, j = np.nonzero(~np.isnan(a))
    size = i.size
    sums = np.zeros((sum(a.shape), size + 1))
    sums[i, np.arange(size)] = 1.0
    sums[a.shape[0] + j, np.arange(size)] = 1.0
    least = np.hstack([-np.eye(size), np.ones((size, 1))])
    result = linprog(
        np.r_[np.zeros(size), -1.0],
        A_ub=least,
        b_ub=np.zeros(size),
        A_eq=sums,
        b_eq=np.r_[np.nansum(a, 1), np.nansum(a, 0)],
    )
    return -result.fun


def test_only_entries_within_groups_are_kept():
    a = np.array([[1.0, 0.0, 2.0], [np.nan, 1.0, np.nan]])
    for X, missing in ((a, "nan"), (stored(a), "absent"), (stored(a).tocsc(), "absent")):
        matrix = as_matrix(X, missing)
        inside = matrix.observed.within(np.array([0, 1]), np.array([0, 1, 0]))
        expected = np.array([[1, 0, 1], [0, 1, 0]])
        close(np.column_stack([inside @ e for e in np.eye(3)]), expected)
        close(np.column_stack([inside.T @ e for e in np.eye(2)]), expected.T)
    everything = as_matrix(np.ones((2, 3))).observed
    inside = everything.within(np.array([0, 1]), np.array([0, 1, 0]))
    close(inside @ np.ones(3), [2, 1])
    meets = everything.between(np.array([0, 1]), np.array([0, 1, 0]), 2)
    close(meets.toarray(), np.ones((2, 2)))


@given(st.integers(1, 12), st.integers(1, 12), st.floats(0.3, 0.95), st.integers(0, 2**32 - 1))
def test_components_are_those_of_the_graph_of_observed_entries(m, n, share, seed):
    a = np.where(np.random.default_rng(seed).random((m, n)) < share, np.nan, 1.0)
    a[0, np.isnan(a).all(0)] = 1.0
    a[np.isnan(a).all(1), 0] = 1.0
    graph = np.zeros((m + n, m + n))
    graph[:m, m:] = ~np.isnan(a)
    expected, _ = connected_components(sp.csr_array(graph), directed=False)
    for matrix in (as_matrix(a), as_matrix(stored(a), "absent"), as_matrix(a).T):
        assert matrix.observed.n_components() == expected
