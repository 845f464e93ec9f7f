"""What methods of Step 1 accept and refuse: degenerate matrices, magnitudes, signs, parameters."""

import inspect

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.sparse.linalg import eigsh

from rankone.vectors import (
    CCOT,
    CCOTGW,
    NMF,
    SVD,
    DisconnectedGraphWarning,
    Fiedler,
    Marginal,
    PageRank,
)
from rankone.vectors._singular import MAX_DENSE_SIZE
from tests.vectors.variants import VARIANTS, every_method, matrix_for

has_fixed_restarts = "rng" in inspect.signature(eigsh).parameters


@every_method
@pytest.mark.parametrize("shape", [(1, 1), (1, 5), (5, 1), (2, 2), (3, 2)])
def test_small_matrices(method, shape):
    if not method.capabilities.rectangular and shape[0] != shape[1]:
        with pytest.raises(ValueError, match=r"square matrix, but X has \d rows and \d columns"):
            method.extract(np.ones(shape))
        return
    a = np.arange(1.0, 1.0 + np.prod(shape)).reshape(shape)
    a = a + a.T if getattr(method, "similarity", "") == "precomputed" else a
    vectors = method.extract(a)
    assert vectors.row.shape == shape[:1]
    assert vectors.column.shape == shape[1:]
    assert np.isfinite(vectors.row).all()
    assert np.isfinite(vectors.column).all()


@every_method
def test_zero_rows_and_columns_have_a_score(method):
    a = matrix_for(method)
    a[4] = 0.0
    a[:, 6] = 0.0
    if getattr(method, "similarity", "") == "precomputed":
        a[:, 4] = 0.0
        a[6] = 0.0
    similarity = getattr(method, "similarity", "")
    unregularized = getattr(method, "doubly_stochastic", False) or getattr(
        method, "regularization", 1
    ) in (0, "auto" if similarity == "precomputed" else 0)
    if similarity not in ("", "rbf", "knn") and unregularized:
        with pytest.warns(DisconnectedGraphWarning, match="components"):
            vectors = method.extract(a)
    else:
        vectors = method.extract(a)
    assert vectors.converged
    assert np.isfinite(vectors.row).all()
    assert np.isfinite(vectors.column).all()
    if isinstance(method, (Marginal, NMF, SVD)):
        assert vectors.row[4] == pytest.approx(0.0, abs=1e-15)
        assert vectors.column[6] == pytest.approx(0.0, abs=1e-15)


@every_method
@pytest.mark.parametrize("size", [3, 40])
@pytest.mark.filterwarnings("ignore:The graph of rows")
def test_zeros_only(method, size):
    for X in (np.zeros((size, size)), sp.csr_array((size, size))):
        vectors = method.extract(X)
        assert vectors.converged
        assert np.ptp(vectors.row) == pytest.approx(0.0, abs=1e-12)
        assert np.ptp(vectors.column) == pytest.approx(0.0, abs=1e-12)


# The epsilon of CCOT has the units of its cost.
@pytest.mark.parametrize("method", [m for m in VARIANTS if not isinstance(m, CCOT)], ids=repr)
@pytest.mark.parametrize("exponent", [-996, -565, -300, 300, 664])
def test_any_magnitude_is_right_or_refused(method, exponent):
    a, scale = matrix_for(method), 2.0**exponent
    if abs(exponent) > 330 and not isinstance(method, Marginal):
        with pytest.raises(ValueError, match="to be squared; divide X by a constant"):
            method.extract(scale * a)
        return
    vectors = method.extract(scale * a)
    expected = method.extract(a)
    units = scale if isinstance(method, Marginal) else 1.0
    np.testing.assert_allclose(vectors.row / units, expected.row, rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(vectors.column / units, expected.column, rtol=1e-6, atol=1e-9)


@every_method
def test_constant_matrices_have_constant_scores(method):
    for size in (4, 7, 40):
        if size > MAX_DENSE_SIZE and isinstance(method, Fiedler) and not has_fixed_restarts:
            pytest.xfail("an older SciPy restarts at random, and any vector is as good")
        vectors = method.extract(np.full((size, size), 0.3))
        again = method.extract(np.full((size, size), 0.3))
        np.testing.assert_array_equal(vectors.row, again.row)
        if isinstance(method, Fiedler):
            continue  # which has no second eigenvector to speak of
        assert np.ptp(vectors.row) < 1e-9
        assert (vectors.row > 0).all()
        assert (vectors.column > 0).all()


@pytest.mark.parametrize("method", [Fiedler("bipartite"), Fiedler("linear"), Fiedler("cosine")])
def test_rank_one_has_no_second_vector(method):
    vectors = method.extract(np.outer(np.arange(1.0, 41), np.arange(1.0, 38)))
    assert not vectors.row.any()


@every_method
def test_negative_entries_are_taken_or_refused(method):
    a = matrix_for(method)
    a[2, 3] = a[3, 2] = -1.0
    if method.capabilities.negative:
        assert np.isfinite(method.extract(a).row).all()
    else:
        with pytest.raises(ValueError, match=r"but X\[2, 3\] is -1; use Marginal") as refused:
            method.extract(a)
        assert isinstance(method, NMF) or type(method).__name__ not in str(refused.value)[6:]


@every_method
@pytest.mark.parametrize(
    ("X", "message"),
    [
        ([[1.0, np.inf], [1.0, 1.0]], r"X\[0, 1\] is infinite"),
        ([["a", "b"], ["c", "d"]], "real numbers"),
        (np.ones((2, 2)) * 1j, "real numbers"),
        (np.ones((0, 2)), "empty"),
        ([[np.nan, np.nan], [1.0, 2.0]], "Row 0 of X has no observed entry"),
    ],
)
def test_bad_matrices_are_refused(method, X, message):
    with pytest.raises(ValueError, match=message):
        method.extract(X)


@pytest.mark.parametrize(
    ("method", "message"),
    [
        (NMF(beta=2.5), "beta must be zero to 2, but it is 2.5"),
        (NMF(beta=-1), "beta"),
        (NMF(beta=np.nan), "beta"),
        (NMF(n_init=0), "n_init must be a whole number, 1 or more, but it is 0"),
        (NMF(negative="clip"), "negative must be one of 'error', 'shift', but it is 'clip'"),
        (NMF(tol=0), "tol must be a finite number above zero, but it is 0"),
        (NMF(max_iter=1.5), "max_iter"),
        (SVD(tol=-1), "tol"),
        (SVD(max_iter=0), "max_iter"),
        (PageRank(damping=1.1), "damping must be zero to 1, but it is 1.1"),
        (PageRank(walk="three-step"), "walk must be one of"),
        (Fiedler("euclidean"), "similarity must be one of"),
        (Fiedler(regularization=-1), "regularization"),
        (Fiedler(regularization="none"), "regularization"),
        (Fiedler(normalization="left"), "normalization"),
        (Fiedler(doubly_stochastic=True, regularization=1), "no degrees to regularise"),
        (Fiedler(gamma=0), "gamma"),
        (Fiedler(n_neighbors=0), "n_neighbors"),
        (CCOT(epsilon=0), "epsilon must be a finite number above zero, but it is 0"),
        (CCOT(epsilon=-1), "epsilon"),
        (CCOT(metric="cosine"), "metric"),
        (CCOTGW(epsilon=np.inf), "epsilon"),
        (CCOTGW(max_iter=0), "max_iter"),
    ],
    ids=str,
)
def test_bad_parameters_are_refused_before_any_work(method, message):
    with pytest.raises(ValueError, match=message):
        method.extract(None)


@pytest.mark.parametrize(
    ("method", "a"),
    [
        (NMF(max_iter=1), [[1, 2, np.nan], [3, 1, 2], [2, 5, 1]]),
        (NMF(), [[1, np.nan], [np.nan, 1]]),
        (PageRank(max_iter=1), np.arange(9).reshape(3, 3)),
        (Fiedler("linear", regularization=0), np.eye(2)),
        (Fiedler("linear", doubly_stochastic=True, max_iter=1), [[1, 2], [2, 1], [3, 9]]),
        (CCOT(max_iter=1, epsilon=0.1), np.arange(9).reshape(3, 3)),
    ],
    ids=repr,
)
def test_warnings_point_at_the_caller(method, a):
    with pytest.warns(UserWarning, match="the|The|change") as caught:
        method.extract(a)
    assert {warning.filename for warning in caught} == {__file__}
