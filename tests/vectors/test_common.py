"""What all methods of Step 1 share: what they take, what they refuse, and their symmetries."""

import inspect

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse.linalg import eigsh
from sklearn.base import clone

from rankone.cuts import SortedPotts
from rankone.matrix import as_matrix
from rankone.matrix.chunked import Chunked
from rankone.vectors import (
    CCOT,
    CCOTGW,
    METHODS,
    NMF,
    SVD,
    DisconnectedGraphWarning,
    Fiedler,
    Marginal,
    PageRank,
)
from rankone.vectors._singular import MAX_DENSE_SIZE

VARIANTS = [
    Marginal(),
    NMF(),
    NMF(beta=2),
    NMF(beta=0.5),
    NMF(beta=1.5),
    SVD(),
    PageRank(),
    PageRank(walk="two-step"),
    Fiedler("rbf"),
    Fiedler("rbf", doubly_stochastic=True),
    Fiedler("cosine"),
    Fiedler("linear"),
    Fiedler("linear", doubly_stochastic=True),
    Fiedler("knn", n_neighbors=25),
    Fiedler("bipartite"),
    Fiedler("bipartite", normalization="random-walk", regularization=0),
    Fiedler("precomputed"),
    CCOT(epsilon=10),
    CCOT(epsilon=500, metric="sqeuclidean"),
    CCOTGW(),
    CCOTGW(barycenter=5),
]
IDS = [repr(method) for method in VARIANTS]
has_fixed_restarts = "rng" in inspect.signature(eigsh).parameters
every_method = pytest.mark.parametrize("method", VARIANTS, ids=IDS)


def blocks(m, n, seed=0):
    """Return small counts in two blocks of rows and two of columns, and no zero row or column."""
    rng = np.random.default_rng(seed)
    means = np.array([[6.0, 2.0], [1.0, 8.0]])
    rows, columns = np.arange(m) * 2 // m, np.arange(n) * 2 // n
    return rng.poisson(means[np.ix_(rows, columns)]).astype(float) + np.eye(m, n)


def matrix_for(method, m=41, n=37):
    """Return what the method takes: a square, or a symmetric, matrix where it needs one."""
    if not method.capabilities.rectangular:
        n = m
    a = blocks(m, n)
    return a + a.T if getattr(method, "similarity", "") == "precomputed" else a


def same(ours, theirs, rtol=1e-6):
    for a, b in ((ours.row, theirs.row), (ours.column, theirs.column)):
        np.testing.assert_allclose(a, b, rtol=rtol, atol=rtol * np.abs(b).max())


@every_method
def test_every_kind_of_matrix_gives_the_same(method):
    a = matrix_for(method)
    expected = method.extract(a)
    assert expected.converged
    assert np.isfinite(expected.objective)
    kinds = [
        np.asfortranarray(a),
        a.astype(np.float32),
        a.astype(np.int64),
        sp.csr_array(a),
        sp.csc_matrix(a),
        sp.coo_array(a.astype(np.int32)),
        a.tolist(),
    ]
    for X in kinds:
        vectors = method.extract(X)
        same(vectors, expected)
        assert vectors.objective == pytest.approx(expected.objective, rel=1e-6, abs=1e-9)


@every_method
def test_nothing_missing_is_the_same_however_it_is_said(method):
    a = matrix_for(method)
    if not method.capabilities.missing:
        with pytest.raises(ValueError, match=r"missing entries \(NaN\), but X has 1; use"):
            method.extract(np.where(np.arange(a.size).reshape(a.shape) == 3, np.nan, a))
        return
    rows, columns = np.indices(a.shape).reshape(2, -1)
    everything = sp.coo_array((a.ravel(), (rows, columns)), shape=a.shape)
    same(method.extract(everything, missing="absent"), method.extract(a))


def in_chunks(a, cuts, layout):
    """Return a matrix cut into parts after the given rows; some may be single rows."""
    pieces = np.split(a, sorted(cuts))
    return Chunked.of([as_matrix(layout(piece), empty_columns=True) for piece in pieces])


@every_method
@settings(max_examples=5, deadline=None)
@given(
    cuts=st.sets(st.integers(1, 40), max_size=40),
    layout=st.sampled_from([np.asarray, sp.csr_array]),
    share=st.sampled_from([0.0, 0.2]),
)
def test_any_chunks_give_the_vectors_of_the_whole(method, cuts, layout, share):
    a = matrix_for(method)
    if layout is np.asarray and method.capabilities.missing:
        missing = np.random.default_rng(1).random(a.shape) < share
        a = np.where(missing, np.nan, a)
    same(method.extract(in_chunks(a, cuts, layout)), method.extract(layout(a)))


@pytest.mark.parametrize("method", [m for m in VARIANTS if m.capabilities.missing], ids=repr)
def test_missing_entries_dense_and_sparse(method):
    a = matrix_for(method)
    exists = np.random.default_rng(1).random(a.shape) < 0.6
    rows, columns = np.nonzero(exists)
    stored = sp.coo_array((a[rows, columns], (rows, columns)), shape=a.shape)
    dense = method.extract(np.where(exists, a, np.nan))
    same(method.extract(stored, missing="absent"), dense)
    same(method.extract(stored.tocsc(), missing="absent"), dense)


@every_method
def test_permuting_rows_permutes_the_row_vector(method):
    a = matrix_for(method)
    rng = np.random.default_rng(2)
    rows, columns = rng.permutation(a.shape[0]), rng.permutation(a.shape[1])
    if method.capabilities.joint and a.shape[0] == a.shape[1]:
        columns = rows
    before, after = method.extract(a), method.extract(a[np.ix_(rows, columns)])
    for permuted, vector, order in (
        (after.row, before.row, rows),
        (after.column, before.column, columns),
    ):
        np.testing.assert_allclose(permuted, vector[order], rtol=1e-6, atol=1e-6)


@every_method
def test_transposing_swaps_the_two(method):
    a = matrix_for(method)
    vectors, swapped = method.extract(a), method.extract(a.T)
    np.testing.assert_allclose(swapped.row, vectors.column, rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose(swapped.column, vectors.row, rtol=1e-6, atol=1e-6)


@every_method
def test_same_input_same_output(method):
    a = matrix_for(method)
    before = a.copy()
    first, second = method.extract(a), clone(method).extract(a)
    np.testing.assert_array_equal(first.row, second.row)
    np.testing.assert_array_equal(first.column, second.column)
    np.testing.assert_array_equal(a, before)


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


@pytest.mark.parametrize("method", [Fiedler("rbf"), CCOTGW(), CCOT(epsilon=10)])
def test_a_common_offset_changes_nothing(method):
    a = np.round(8 * np.random.default_rng(3).random((30, 30))) / 8
    a[:15] += 1.0
    expected, shifted = method.extract(a), method.extract(a + 2.0**27)
    np.testing.assert_allclose(shifted.row, expected.row, rtol=1e-6, atol=1e-6)


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
def test_progress_is_told_and_may_interrupt(method):
    a, steps = matrix_for(method), []
    vectors = method.extract(a, callback=lambda step, error: steps.append(step))
    assert vectors.n_iter >= 1
    if not steps:
        assert isinstance(method, (Marginal, NMF))
        assert vectors.n_iter == 1
        return
    assert steps[0] == 1

    def stop(step, error):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        method.extract(a, callback=stop)


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


def test_methods_say_what_they_are():
    for method in METHODS:
        assert clone(method()).get_params() == method().get_params()
        assert ".. math::" in method.__doc__
        assert ">>>" in method.__doc__


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


@every_method
def test_scales_divide_each_vector_by_its_size(method):
    a = matrix_for(method)
    vectors = method.extract(a)
    sizes = {"extracted": lambda x: 1.0, "mean": np.mean, "norm": np.linalg.norm, "sum": np.sum}
    for scale, size in sizes.items():
        if scale in ("mean", "sum") and min(vectors.row.sum(), vectors.column.sum()) <= 0:
            with pytest.raises(ValueError, match="needs scores with a positive sum"):
                method.extract(a, scale=scale)
            continue
        scaled = method.extract(a, scale=scale)
        assert type(scaled) is type(vectors)
        np.testing.assert_allclose(scaled.row, vectors.row / size(vectors.row))
        np.testing.assert_allclose(scaled.column, vectors.column / size(vectors.column))
    with pytest.raises(ValueError, match="scale must be one of 'extracted', 'mean'"):
        method.extract(a, scale="variance")


def test_proportional_vectors_have_the_same_clusters_on_the_same_scale():
    a = np.exp(np.random.default_rng(0).normal(size=(60, 40)))
    cut = SortedPotts(p=1, lam=0.2).cut
    assert cut(NMF().extract(a).row).n_clusters != cut(Marginal().extract(a).row).n_clusters
    for scale in ("mean", "norm", "sum"):
        by_factors, by_means = (
            SortedPotts(p=1, lam=0.05).cut(method.extract(a, scale=scale).row).labels
            for method in (NMF(), Marginal())
        )
        np.testing.assert_array_equal(by_factors, by_means)


def test_the_scale_of_factors_follows_their_vectors():
    vectors = NMF(n_init=3, random_state=0).extract(blocks(12, 9), scale="norm")
    plain = NMF(n_init=3, random_state=0).extract(blocks(12, 9))
    np.testing.assert_allclose(
        vectors.scale * np.outer(vectors.row, vectors.column),
        plain.scale * np.outer(plain.row, plain.column),
    )
    np.testing.assert_allclose(vectors.row_spread / vectors.row, plain.row_spread / plain.row)
