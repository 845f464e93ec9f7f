"""What all methods of Step 1 share: symmetries, and results that no kind of matrix changes."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone

from rankone.matrix import as_matrix
from rankone.matrix.chunked import Chunked
from rankone.vectors import CCOT, CCOTGW, METHODS, NMF, Fiedler, Marginal
from tests.vectors.variants import VARIANTS, every_method, matrix_for, same


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


@pytest.mark.parametrize("method", [Fiedler("rbf"), CCOTGW(), CCOT(epsilon=10)])
def test_a_common_offset_changes_nothing(method):
    a = np.round(8 * np.random.default_rng(3).random((30, 30))) / 8
    a[:15] += 1.0
    expected, shifted = method.extract(a), method.extract(a + 2.0**27)
    np.testing.assert_allclose(shifted.row, expected.row, rtol=1e-6, atol=1e-6)


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


def test_methods_say_what_they_are():
    for method in METHODS:
        assert clone(method()).get_params() == method().get_params()
        assert ".. math::" in method.__doc__
        assert ">>>" in method.__doc__
