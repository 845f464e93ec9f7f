"""A matrix of any kind gives the same sums and products as the plain array that it stands for."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from rankone.matrix import as_matrix, dense
from tests.matrix.kinds import close, stored

COUNTS = np.random.default_rng(3).poisson(1.0, (13, 21)).astype(float)
COUNTS[0] += 1
COUNTS[:, 0] += 1


def incomplete(rng, share=0.4):
    array = COUNTS.copy()
    array[rng.random(array.shape) < share] = np.nan
    array[0], array[:, 0] = COUNTS[0], COUNTS[:, 0]
    return array


def read_only(array):
    array = array.copy()
    array.flags.writeable = False
    return array


COMPLETE = {
    "C": COUNTS,
    "F": np.asfortranarray(COUNTS),
    "float32": COUNTS.astype(np.float32),
    "int8": COUNTS.astype(np.int8),
    "uint64, F": np.asfortranarray(COUNTS.astype(np.uint64)),
    "strided": np.repeat(np.repeat(COUNTS, 2, 0), 3, 1)[::2, ::3],
    "reversed": COUNTS[::-1, ::-1].copy()[::-1, ::-1],
    "read-only": read_only(COUNTS),
    "big-endian": COUNTS.astype(">f8"),
    "list": COUNTS.tolist(),
    "frame": pd.DataFrame(COUNTS),
    "objects": COUNTS.astype(object),
    "csr_array": sp.csr_array(COUNTS),
    "csr_matrix": sp.csr_matrix(COUNTS),
    "csc_array": sp.csc_array(COUNTS),
    "csc_matrix": sp.csc_matrix(COUNTS.astype(np.int32)),
    "coo_array": sp.coo_array(COUNTS),
    "lil_array": sp.lil_array(COUNTS),
    "int64 indices": sp.csr_array(
        (COUNTS[COUNTS != 0], tuple(i.astype(np.int64) for i in np.nonzero(COUNTS))),
        shape=COUNTS.shape,
    ),
    "longdouble csr": sp.csr_array(COUNTS.astype(np.longdouble)),
    "duplicates": sp.coo_array(
        (
            np.r_[COUNTS.ravel(), np.ones(2), -np.ones(2)],
            (
                np.r_[np.repeat(np.arange(13), 21), 0, 1, 0, 1],
                np.r_[np.tile(np.arange(21), 13), 2, 3, 2, 3],
            ),
        ),
        shape=COUNTS.shape,
    ),
}
HOLES = incomplete(np.random.default_rng(4))
INCOMPLETE = {
    "C": (HOLES, "nan"),
    "F": (np.asfortranarray(HOLES), "nan"),
    "float32": (HOLES.astype(np.float32), "nan"),
    "masked": (np.ma.masked_invalid(HOLES), "nan"),
    "frame with None": (pd.DataFrame(HOLES).astype(object).where(~np.isnan(HOLES), None), "nan"),
    "csr, absent": (stored(HOLES), "absent"),
    "csc, absent": (stored(HOLES).tocsc(), "absent"),
    "csr, absent and NaN": (sp.csr_array(np.where(HOLES == 0, 1e-300, HOLES)), "absent"),
}
CASES = [pytest.param(X, "nan", COUNTS, id=f"complete, {k}") for k, X in COMPLETE.items()] + [
    pytest.param(X, missing, HOLES, id=f"incomplete, {k}") for k, (X, missing) in INCOMPLETE.items()
]


@pytest.mark.parametrize(("X", "missing", "plain"), CASES)
def test_sums_and_products_are_those_of_the_plain_array(X, missing, plain):
    rng = np.random.default_rng(0)
    matrix, observed = as_matrix(X, missing), ~np.isnan(plain)
    if missing == "absent" and sp.issparse(X) and np.isnan(X.data).any():
        observed = plain == plain
        observed &= X.toarray() != 0
    for side, a, mask in ((matrix, plain, observed), (matrix.T, plain.T, observed.T)):
        filled = np.where(mask, a, 0.0)
        u, v = rng.normal(size=a.shape[0]), rng.normal(size=a.shape[1])
        assert side.shape == a.shape
        assert side.n_missing == (~mask).sum()
        close(side.totals.rows, filled.sum(1))
        close(side.totals.columns, filled.sum(0))
        close(side.totals.row_counts, mask.sum(1))
        close(side.totals.column_counts, mask.sum(0))
        close(side @ v, filled @ v)
        close(side.T @ u, filled.T @ u)
        close(side.observed @ v, mask @ v)
        close(side.observed.T @ u, mask.T @ u)
        swept, back = side.sweep(v, lambda product, rows, w=u: w[rows] * product)
        close(swept, u * (filled @ v))
        close(back, filled.T @ swept)
        close(side.scatter, ((a[mask] - a[mask].mean()) ** 2).sum())
        products = side.dot_both(v, u)
        close(products[0], filled @ v)
        close(products[1], filled.T @ u)
        close(side.sum_of(np.exp), np.exp(a[mask]).sum())


@given(
    st.integers(1, 40),
    st.integers(1, 600),
    st.floats(0, 0.95),
    st.integers(0, 2**32 - 1),
)
def test_sums_are_right_for_any_shape(m, n, share, seed):
    rng = np.random.default_rng(seed)
    a = rng.normal(size=(m, n))
    matrix = as_matrix(a)
    close(matrix.totals.rows, a.sum(1))
    close(matrix.totals.columns, a.sum(0))
    assert matrix.totals.has_negative == (a < 0).any()
    a[rng.random((m, n)) < share] = np.nan
    a[0], a[:, 0] = 1.0, 1.0
    matrix, observed, v = as_matrix(a), ~np.isnan(a), rng.normal(size=n)
    close(matrix.totals.rows, np.nansum(a, 1))
    close(matrix.totals.columns, np.nansum(a, 0))
    close(matrix.observed @ v, observed @ v)
    close(matrix.observed.T @ np.arange(m), observed.T @ np.arange(m))


def test_sums_and_products_do_not_depend_on_the_size_of_blocks(monkeypatch):
    monkeypatch.setattr(dense, "BLOCK", 50)
    for X, missing, plain in ((COUNTS, "nan", COUNTS), (HOLES, "nan", HOLES)):
        matrix = as_matrix(X, missing)
        close(matrix.totals.columns, np.nansum(plain, 0))
        close(matrix.T @ np.arange(13.0), np.nan_to_num(plain).T @ np.arange(13.0))


def test_negative_entries_are_found_and_shifted_away():
    a = COUNTS - 2.0
    for X in (a, a.T.copy().T, sp.csr_array(a), sp.csc_array(a)):
        matrix = as_matrix(X)
        assert matrix.totals.has_negative
        i, j, value = matrix.first_negative()
        assert a[i, j] == value < 0
    close(as_matrix(a).shifted().totals.rows, COUNTS.sum(1))
    holes = as_matrix(HOLES - 2.0).shifted()
    close(holes.totals.rows, np.nansum(HOLES, 1))
    close(holes @ np.ones(21), np.nansum(HOLES, 1))
    shifted = as_matrix(stored(HOLES - 2.0), "absent").shifted()
    close(shifted.totals.columns, np.nansum(HOLES, 0))
    with pytest.raises(ValueError, match="toarray"):
        as_matrix(sp.csr_array(a)).shifted()


def guises(rng):
    """Return matrices of all kinds, with their entries (zero where missing) and masks."""
    a = rng.random((30, 20))
    holes = np.where(rng.random(a.shape) < 0.3, np.nan, a)
    thin = np.where(a > 0.6, a, 0.0)
    everything = np.ones(a.shape)
    return [
        (as_matrix(a), a, everything),
        (as_matrix(np.asfortranarray(a)), a, everything),
        (as_matrix(holes), np.nan_to_num(holes), ~np.isnan(holes) * 1.0),
        (as_matrix(np.asfortranarray(holes)), np.nan_to_num(holes), ~np.isnan(holes) * 1.0),
        (as_matrix(sp.csr_array(thin)), thin, everything),
        (as_matrix(sp.csc_array(thin)), thin, everything),
        (as_matrix(sp.csr_array(thin), "absent"), thin, (thin > 0) * 1.0),
    ]


def test_products_with_several_vectors_are_those_of_the_array():
    rng = np.random.default_rng(0)
    v, u = rng.random((20, 3)), rng.random((30, 4))
    for matrix, a, observed in guises(rng):
        assert np.allclose(matrix @ v, a @ v)
        assert np.allclose(matrix.T @ u, a.T @ u)
        assert np.allclose(matrix.observed @ v, observed @ v)
        assert np.allclose(matrix.observed.T @ u, observed.T @ u)
        own = rng.integers(0, 3, 30)
        assert np.allclose(matrix.dot_own(v, own), (a @ v)[np.arange(30), own])


def test_products_with_no_vectors_are_empty():
    rng = np.random.default_rng(0)
    for matrix, _, _ in guises(rng):
        for operator in (matrix, matrix.observed):
            assert (operator @ np.zeros((20, 0))).shape == (30, 0)
            assert (operator.T @ np.zeros((30, 0))).shape == (20, 0)


def test_grouped_sums_are_products_with_indicators():
    rng = np.random.default_rng(0)
    z, w = rng.integers(0, 4, 30), rng.integers(0, 3, 20)
    p, q = rng.random(30), rng.random(20)
    rows, columns = np.eye(4)[z] * p[:, None], np.eye(3)[w] * q[:, None]
    for matrix, a, _ in guises(rng):
        assert np.allclose(matrix.group_columns(w, 3, q), a @ columns)
        assert np.allclose(matrix.group_rows(z, 4, p), a.T @ rows)
        assert np.allclose(matrix.T.group_columns(z, 4, p), a.T @ rows)

        def largest(sums, part):
            return sums.argmax(axis=1)

        labels, sums = matrix.regroup(w, 3, q, largest, 3, p)
        assert np.array_equal(labels, (a @ columns).argmax(axis=1))
        assert np.allclose(sums, a.T @ (np.eye(3)[labels] * p[:, None]))


def test_differences_squares_and_parts_are_those_of_the_array():
    rng = np.random.default_rng(0)
    i, j = np.array([0, 3, 5]), np.array([1, 2, 9])
    for matrix, a, observed in guises(rng):
        sums, counts = matrix.row_differences(i, j)
        both = observed[i] * observed[j]
        assert np.allclose(sums, (both * (a[i] - a[j]) ** 2).sum(axis=1))
        assert np.array_equal(counts, both.sum(axis=1))
        sums, counts = matrix.T.row_differences(i, j)
        both = observed[:, i] * observed[:, j]
        assert np.allclose(sums, (both * (a[:, i] - a[:, j]) ** 2).sum(axis=0))
        assert np.array_equal(counts, both.sum(axis=0))
        part = matrix.part(i, j)
        assert np.array_equal(np.isnan(part), observed[np.ix_(i, j)] == 0)
        assert np.allclose(np.nan_to_num(part), a[np.ix_(i, j)])


def test_entries_that_are_not_aligned_are_copied_block_by_block_before_any_product():
    values = np.random.default_rng(0).normal(size=(7, 5))
    unaligned = np.frombuffer(b"." + values.tobytes(), np.uint8)[1:].view(np.float64)
    unaligned = unaligned.reshape(values.shape)
    assert not unaligned.flags.aligned
    matrix = as_matrix(unaligned)
    assert all(matrix.each(lambda tile: tile.array().flags.aligned))
    np.testing.assert_array_equal(matrix.dot(np.eye(5)), values)
