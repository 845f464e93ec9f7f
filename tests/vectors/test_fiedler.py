"""Fiedler vectors, against a dense decomposition of the Laplacian that its definition gives."""

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.linalg import eigh, svd
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.neighbors import kneighbors_graph

from rankone import _memory
from rankone.vectors import DisconnectedGraphWarning, Fiedler

ROWS, COLUMNS = np.arange(48) * 2 // 48, np.arange(40) * 2 // 40
RATES = np.array([[5.0, 2.0], [2.0, 6.0]])[np.ix_(ROWS, COLUMNS)]
A = np.random.default_rng(8).poisson(RATES).astype(float) + 0.5


def similarities(a, kind):
    if kind == "linear":
        return a @ a.T
    if kind == "cosine":
        unit = a / np.linalg.norm(a, axis=1, keepdims=True)
        return unit @ unit.T
    if kind == "knn":
        graph = kneighbors_graph(a, 31, include_self=True).toarray()
        return (graph + graph.T) / 2
    distances = ((a[:, None] - a) ** 2).sum(2)
    return rbf_kernel(a, gamma=1 / distances.mean())


def second(s, regularization):
    degrees = s.sum(1)
    root = 1 / np.sqrt(degrees + regularization * degrees.mean())
    values, vectors = eigh(np.eye(len(s)) - root[:, None] * s * root)
    return values[1], vectors[:, 1], root * vectors[:, 1]


def parallel(a, b):
    return abs(a @ b) / np.linalg.norm(a) / np.linalg.norm(b) == pytest.approx(1.0, abs=1e-9)


@pytest.mark.parametrize("kind", ["rbf", "cosine", "linear", "knn"])
@pytest.mark.parametrize("regularization", [0, 0.7, "auto"])
def test_like_a_dense_decomposition(kind, regularization):
    method = Fiedler(kind, regularization=regularization, n_neighbors=30)
    vectors = method.extract(A)
    tau = float(kind in ("cosine", "linear")) if regularization == "auto" else regularization
    value, vector, walk = second(similarities(A, kind), tau)
    assert parallel(vectors.row, vector)
    assert vectors.row_eigenvalue == pytest.approx(value, abs=1e-9)
    assert np.linalg.norm(vectors.row) == pytest.approx(1.0)
    value, vector, _ = second(similarities(A.T, kind), tau)
    assert parallel(vectors.column, vector)
    assert vectors.objective == pytest.approx(vectors.row_eigenvalue + value, abs=1e-9)
    assert parallel(method.set_params(normalization="random-walk").extract(A).row, walk)


@pytest.mark.parametrize("kind", ["rbf", "cosine", "linear", "knn"])
def test_doubly_stochastic_like_a_dense_decomposition(kind):
    vectors = Fiedler(kind, doubly_stochastic=True, n_neighbors=30).extract(A)
    s = similarities(A, kind)
    for _ in range(2000):  # Sinkhorn and Knopp, one side after the other, then made symmetric
        s = s / s.sum(1, keepdims=True)
        s = s / s.sum(0)
    s = (s + s.T) / 2
    np.testing.assert_allclose(s.sum(1), 1.0, rtol=1e-9)
    assert parallel(vectors.row, eigh(np.eye(48) - s)[1][:, 1])


@pytest.mark.parametrize("regularization", [0, "auto"])
def test_bipartite_like_a_dense_decomposition(regularization):
    tau = 1.0 if regularization == "auto" else 0.0
    rows, columns = A.sum(1), A.sum(0)
    left = 1 / np.sqrt(rows + tau * rows.mean())
    right = 1 / np.sqrt(columns + tau * columns.mean())
    u, s, vt = svd(left[:, None] * A * right)
    vectors = Fiedler("bipartite", regularization=regularization).extract(A)
    assert parallel(vectors.row, u[:, 1])
    assert parallel(vectors.column, vt[1])
    assert (u[:, 1] @ vectors.row) * (vt[1] @ vectors.column) > 0  # one pair, with one sign
    assert vectors.row_eigenvalue == pytest.approx(1 - s[1])


def test_bipartite_doubly_stochastic():
    b = A.copy()
    for _ in range(2000):
        b = b / b.sum(1, keepdims=True) * np.sqrt(40 / 48)
        b = b / b.sum(0) * np.sqrt(48 / 40)
    u, s, vt = svd(b)
    assert s[0] == pytest.approx(1.0)
    vectors = Fiedler("bipartite", doubly_stochastic=True).extract(A)
    assert parallel(vectors.row, u[:, 1])
    assert parallel(vectors.column, vt[1])


def test_precomputed_rows_and_columns_are_one():
    s = similarities(A, "rbf")
    vectors = Fiedler("precomputed").extract(s)
    assert parallel(vectors.row, second(s, 0)[1])
    np.testing.assert_array_equal(vectors.row, vectors.column)
    with pytest.raises(ValueError, match=r"symmetric matrix.*pass \(X \+ X.T\) / 2"):
        Fiedler("precomputed").extract(s + np.triu(s))


def test_finds_the_blocks_and_rises_with_the_sums():
    for kind in ("rbf", "cosine", "linear", "knn", "bipartite"):
        vectors = Fiedler(kind, n_neighbors=30).extract(A * (1.0 + ROWS[:, None]))
        assert np.corrcoef(vectors.row, ROWS)[0, 1] > 0.9


@pytest.mark.parametrize("kind", ["linear", "cosine", "bipartite", "precomputed", "knn"])
@pytest.mark.parametrize("container", [np.asarray, sp.csr_array])
def test_components_are_said(kind, container):
    a = np.kron(np.eye(2), np.ones((6, 6))) + np.diag(np.arange(12) / 10)
    a[:6] += 0.1 * (a[:6] > 0)
    method = Fiedler(kind, regularization=0, n_neighbors=4)
    with pytest.warns(DisconnectedGraphWarning, match="of rows has 2 connected components"):
        vectors = method.extract(container((a + a.T) / 2))
    assert vectors.n_row_components == 2
    assert vectors.row_eigenvalue == pytest.approx(0.0, abs=1e-9)
    # It tells the two apart: one sign in each.
    assert len(set(np.sign(vectors.row[:6]))) == len(set(np.sign(vectors.row[6:]))) == 1
    assert vectors.row[0] * vectors.row[-1] < 0


def test_regularisation_keeps_a_few_rows_from_taking_over():
    rng = np.random.default_rng(0)
    a = rng.poisson(np.array([[0.5, 0.1], [0.1, 0.5]])[np.ix_(np.arange(200) // 100, COLUMNS)])
    a = np.pad(a, ((0, 2), (0, 2)))
    a[200:, 40:] = 1  # two rows with words of their own,
    a[0, 40] = 1  # tied to the others by a thread
    truth = np.r_[np.arange(200) // 100, 0, 0]
    lit = Fiedler("bipartite", regularization=0)
    assert (a.sum(1) > 0).all()
    alone = lit.extract(a).row ** 2
    assert alone[200:].sum() > 0.9  # of 202 rows, these two have nearly all of the vector
    assert abs(np.corrcoef(Fiedler("bipartite").extract(a).row, truth)[0, 1]) > 0.7


def test_what_does_not_fit_is_refused_with_its_size(monkeypatch):
    monkeypatch.setattr(_memory, "available_memory", lambda: 1e4)
    with pytest.raises(ValueError, match=r"48 by 48 entries needs 3.69e-05 GB.*use .*'knn'"):
        Fiedler("rbf").extract(A)
    assert Fiedler("linear").extract(A).converged
    assert _memory.available_memory() == 1e4


def test_free_memory_is_known():
    assert _memory.available_memory() > 1e6


def test_a_scaling_that_does_not_exist_is_said():
    a = np.array([[1.0, 1.0], [0.0, 1.0]])
    with pytest.warns(ConvergenceWarning, match="may not exist, because of zeros in X"):
        vectors = Fiedler("bipartite", doubly_stochastic=True, max_iter=100).extract(a)
    assert not vectors.converged
