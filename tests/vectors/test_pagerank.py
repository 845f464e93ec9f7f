"""PageRank, against networkx and a linear solver."""

import networkx
import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.exceptions import ConvergenceWarning

from rankone.vectors import PageRank


def by_networkx(a, damping):
    """Rank the graph whose column j points to row i."""
    graph = networkx.from_numpy_array(a.T, create_using=networkx.DiGraph)
    rank = networkx.pagerank(graph, alpha=damping, tol=1e-14, max_iter=1000)
    return np.array([rank[i] for i in range(a.shape[0])]) * a.shape[0]


@pytest.mark.parametrize("damping", [0.5, 0.85, 0.99])
def test_like_networkx(damping):
    rng = np.random.default_rng(0)
    a = rng.poisson(0.2, (60, 60)).astype(float)
    a[:, 3] = 0.0  # a page that points nowhere
    a[5] = 0.0  # and one that nobody points to
    for X in (a, sp.csr_array(a)):
        vectors = PageRank(damping=damping, tol=1e-13).extract(X)
        np.testing.assert_allclose(vectors.row, by_networkx(a, damping), rtol=1e-8)
        np.testing.assert_allclose(vectors.column, by_networkx(a.T, damping), rtol=1e-8)
        assert vectors.objective <= 1e-13


def test_two_steps_like_a_linear_solver():
    rng = np.random.default_rng(0)
    a = rng.poisson(0.5, (20, 12)).astype(float)
    a[4] = 0.0
    rows, columns = a.sum(1), a.sum(0)
    forward = np.divide(a, rows[:, None], out=np.full_like(a, 1 / 12), where=rows[:, None] > 0)
    back = np.divide(a, columns, out=np.full_like(a, 1 / 20), where=columns > 0)
    walk = back @ forward.T
    walk[:, 4] = 1 / 20  # from a row without entries, anywhere
    expected = np.linalg.solve(np.eye(20) - 0.85 * walk, np.full(20, 0.15))
    vectors = PageRank(tol=1e-13).extract(a)
    np.testing.assert_allclose(vectors.row, expected, rtol=1e-9)


def test_the_undamped_walk_of_two_steps_gives_the_row_sums():
    rng = np.random.default_rng(0)
    a = rng.uniform(size=(15, 10))
    vectors = PageRank(damping=1.0, walk="two-step").extract(a)
    np.testing.assert_allclose(vectors.row, a.sum(1) / a.sum(1).mean(), rtol=1e-8)


def test_a_walk_that_never_settles_is_said():
    with pytest.warns(ConvergenceWarning, match="increase max_iter or decrease damping"):
        vectors = PageRank(damping=1.0, max_iter=50).extract([[0, 1, 1], [1, 0, 0], [1, 0, 0]])
    assert not vectors.converged
