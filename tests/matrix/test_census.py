"""The census of a matrix, compared with counting entry by entry."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from rankone.matrix import as_matrix
from rankone.matrix.chunked import Chunked
from tests.matrix.kinds import NestedLists

ENTRIES = st.one_of(
    st.sampled_from([0.0, 1.0, 2.0, -1.0, 0.5, 1e16, np.nan]), st.floats(-1e6, 1e6, width=32)
)
MATRICES = arrays(np.float64, st.tuples(st.integers(1, 9), st.integers(1, 300)), elements=ENTRIES)


def counted(a):
    """Count entry by entry, in Python."""
    seen = [x for row in a.tolist() for x in row if x == x]
    squares = np.where(a == a, a, 0.0) ** 2
    return (
        sum(x == 0 for x in seen),
        sum(x == 1 for x in seen),
        sum(x > 0 for x in seen),
        sum(x != int(x) or abs(x) > 2**53 for x in seen),
        sum(map(abs, seen)),
        squares.sum(axis=1),
        squares.sum(axis=0),
    )


def numbers(census):
    return (
        census.n_zeros,
        census.n_ones,
        census.n_positive,
        census.n_fractions,
        census.absolute,
        census.row_squares,
        census.column_squares,
    )


def assert_same(census, expected):
    for ours, theirs in zip(numbers(census), expected, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-12)


def in_two(a, **options):
    half = (a.shape[0] + 1) // 2
    parts = [as_matrix(part, **options, empty_columns=True) for part in (a[:half], a[half:])]
    return Chunked.of(parts)


@given(MATRICES)
def test_census_of_an_array_counts_its_observed_entries(a):
    kinds = [NestedLists(a.tolist()), NestedLists(a.T.tolist()).T]
    for matrix in kinds:
        assert_same(matrix.census, counted(a))


@given(MATRICES)
def test_census_of_a_sparse_matrix_counts_what_is_not_stored(a):
    a = np.where(a == a, a, 0.0)
    a[:, 0] = 1.0
    for X in (sp.csr_array(a), sp.csc_array(a)):
        assert_same(as_matrix(X, empty_columns=True).census, counted(a))


@pytest.mark.parametrize("missing", ["nan", "absent"])
def test_census_of_chunks_is_that_of_the_whole(missing):
    a = sp.random(30, 20, 0.5, format="csr", random_state=0)
    a.data = np.round(4 * a.data) / 2
    whole, chunks = as_matrix(a, missing, empty_columns=True), in_two(a, missing=missing)
    assert_same(chunks.census, numbers(whole.census))
    assert_same(chunks.T.census.T, numbers(whole.census))
