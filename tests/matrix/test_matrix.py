"""A matrix of any kind gives the same sums and products as the plain array that it stands for."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog
from scipy.sparse.csgraph import connected_components

from rankone.matrix import as_matrix, comparable_groups, dense

RNG = np.random.default_rng(3)
COUNTS = RNG.poisson(1.0, (13, 21)).astype(float)
COUNTS[0] += 1
COUNTS[:, 0] += 1


def incomplete(share=0.4):
    array = COUNTS.copy()
    array[RNG.random(array.shape) < share] = np.nan
    array[0], array[:, 0] = COUNTS[0], COUNTS[:, 0]
    return array


def read_only(array):
    array = array.copy()
    array.flags.writeable = False
    return array


def stored(array):
    """Store every entry of an array that exists, zeros too."""
    rows, columns = np.nonzero(~np.isnan(array))
    return sp.csr_array((array[rows, columns], (rows, columns)), shape=array.shape)


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
HOLES = incomplete()
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


def test_bool_is_a_number():
    flags = COUNTS > 1
    np.testing.assert_allclose(as_matrix(flags).totals.rows, flags.sum(1))


@pytest.mark.parametrize(("X", "missing", "plain"), CASES)
def test_same_as_the_plain_array(X, missing, plain):
    matrix, exists = as_matrix(X, missing), ~np.isnan(plain)
    if missing == "absent" and sp.issparse(X) and np.isnan(X.data).any():
        exists = plain == plain
        exists &= X.toarray() != 0
    for side, a, mask in ((matrix, plain, exists), (matrix.T, plain.T, exists.T)):
        filled = np.where(mask, a, 0.0)
        u, v = RNG.normal(size=a.shape[0]), RNG.normal(size=a.shape[1])
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
        close(side.squares()[0], (filled**2).sum(1))
        close(side.squares()[1], (filled**2).sum(0))
        close(side.sum_of(np.exp), np.exp(a[mask]).sum())


def close(ours, theirs):
    np.testing.assert_allclose(ours, theirs, rtol=1e-12, atol=1e-12)


@given(
    st.integers(1, 40),
    st.integers(1, 600),
    st.floats(0, 0.95),
    st.integers(0, 2**32 - 1),
)
def test_sums_of_any_shape(m, n, share, seed):
    rng = np.random.default_rng(seed)
    a = rng.normal(size=(m, n))
    matrix = as_matrix(a)
    close(matrix.totals.rows, a.sum(1))
    close(matrix.totals.columns, a.sum(0))
    assert matrix.totals.has_negative == (a < 0).any()
    a[rng.random((m, n)) < share] = np.nan
    a[0], a[:, 0] = 1.0, 1.0
    matrix, exists, v = as_matrix(a), ~np.isnan(a), rng.normal(size=n)
    close(matrix.totals.rows, np.nansum(a, 1))
    close(matrix.totals.columns, np.nansum(a, 0))
    close(matrix.observed @ v, exists @ v)
    close(matrix.observed.T @ np.arange(m), exists.T @ np.arange(m))


def test_blocks_do_not_matter(monkeypatch):
    monkeypatch.setattr(dense, "BLOCK", 50)
    for X, missing, plain in ((COUNTS, "nan", COUNTS), (HOLES, "nan", HOLES)):
        matrix = as_matrix(X, missing)
        close(matrix.totals.columns, np.nansum(plain, 0))
        close(matrix.T @ np.arange(13.0), np.nan_to_num(plain).T @ np.arange(13.0))


def test_mapped_file_is_not_read_into_memory(tmp_path: Path):
    path = tmp_path / "matrix.npy"
    np.save(path, COUNTS)
    mapped = np.load(path, mmap_mode="r")
    matrix = as_matrix(mapped)
    assert np.shares_memory(matrix.values(), mapped)
    close(matrix.totals.rows, COUNTS.sum(1))


def test_nothing_of_the_size_of_the_matrix_is_allocated():
    import tracemalloc

    for dtype, limit in ((np.float64, 0.1), (np.float32, 0.3)):
        X = RNG.random((3000, 3000)).astype(dtype)
        X[::7, ::3] = np.nan
        as_matrix(X[:50])
        tracemalloc.start()
        matrix = as_matrix(X)
        matrix.observed @ np.ones(3000)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < limit * X.nbytes


@pytest.mark.parametrize("kind", [np.asarray, sp.csr_array, sp.csc_array, sp.coo_array])
def test_input_is_untouched(kind):
    X = kind(COUNTS)
    before = X.copy()
    as_matrix(X)
    assert (before != X).sum() == 0
    X = sp.csr_array((np.array([1.0, 2.0]), np.array([0, 0]), np.array([0, 2])), shape=(1, 2))
    as_matrix(X)
    assert X.nnz == 2


def at(i, j, value, kind=np.asarray):
    a = COUNTS.copy()
    a[i, j] = value
    return kind(a)


def outside(index):
    """Return a sparse matrix with an index that it has no column for; scipy does not mind."""
    return sp.csr_array((np.ones(3), np.array([0, 1, index]), np.array([0, 1, 2, 3])), shape=(3, 3))


def foreign(part):
    """Return a sparse matrix of which one array has the other byte order."""
    csr = sp.csr_array(COUNTS)
    setattr(csr, part, getattr(csr, part).astype(getattr(csr, part).dtype.newbyteorder()))
    return csr


@pytest.mark.parametrize("part", ["indices", "indptr", "data"])
def test_foreign_byte_order(part):
    close(as_matrix(foreign(part)).totals.columns, COUNTS.sum(0))


NAN_ROW = COUNTS.copy()
NAN_ROW[[2, 5]] = np.nan


@pytest.mark.parametrize(
    ("X", "missing", "message"),
    [
        (at(3, 4, np.inf), "nan", r"X\[3, 4\] is infinite"),
        (at(3, 4, -np.inf).T, "nan", r"X\[4, 3\] is infinite"),
        (at(3, 4, np.inf, sp.csr_array), "nan", r"X\[3, 4\] is infinite"),
        (at(3, 4, np.nan, sp.csr_array), "nan", r"X\[3, 4\] is NaN in a sparse"),
        (NAN_ROW, "nan", r"Row 2 of X has no entry that exists \(and 1 more\)"),
        (NAN_ROW.T, "nan", r"Column 2 of X has no entry that exists"),
        (sp.csr_array(np.eye(3)[:2]), "absent", "Column 2 of X has no entry"),
        (np.full((2, 2), 1e308), "nan", "larger than the largest double"),
        (np.full((4, 1), 1e308), "nan", "larger than the largest double"),
        (sp.csr_array(np.full((4, 1), 1e308)), "nan", "larger than the largest double"),
        (np.full((2, 2), np.longdouble("1e400")), "nan", "infinite"),
        (outside(7), "nan", "indices outside of its shape"),
        (outside(-1), "nan", "indices outside of its shape"),
        (np.ma.array(COUNTS * 1j), "nan", "real numbers"),
        (np.ma.array(np.array([["2020"]], "M8[D]")), "nan", "real numbers"),
        (np.array([[np.complex64(1j), 1]], dtype=object), "nan", r"X\[0, 0\]"),
        (np.array([[np.datetime64("2020"), 1]], dtype=object), "nan", r"X\[0, 0\]"),
        (COUNTS * 1j, "nan", "real numbers"),
        (sp.csr_array(COUNTS * 1j), "nan", "real numbers"),
        (COUNTS.astype(str), "nan", "real numbers"),
        ([[1, "a"]], "nan", "real numbers"),
        ([[1, None], [{}, 2]], "nan", r"X\[1, 0\] is {}"),
        (np.array([[1, "x"]], dtype=object), "nan", r"X\[0, 1\] is 'x'"),
        ([[1, 2], [3]], "nan", "rows differ in length"),
        (COUNTS[0], "nan", "1 dimensions"),
        (COUNTS[:0], "nan", r"empty: its shape is \(0, 21\)"),
        (COUNTS, "absent", "sparse matrices"),
        (COUNTS, "zero", "'nan', 'absent', but it is 'zero'"),
    ],
)
def test_what_is_refused(X, missing, message):
    with pytest.raises(ValueError, match=message):
        as_matrix(X, missing)


def test_negative_entries_are_found_and_shifted():
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


def test_entries_within_groups():
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
def test_components_of_what_exists(m, n, share, seed):
    a = np.where(np.random.default_rng(seed).random((m, n)) < share, np.nan, 1.0)
    a[0, np.isnan(a).all(0)] = 1.0
    a[np.isnan(a).all(1), 0] = 1.0
    graph = np.zeros((m + n, m + n))
    graph[:m, m:] = ~np.isnan(a)
    expected, _ = connected_components(sp.csr_array(graph), directed=False)
    for matrix in (as_matrix(a), as_matrix(stored(a), "absent"), as_matrix(a).T):
        assert matrix.observed.n_components() == expected


def test_frames_with_unusual_missing_values():
    frame = pd.DataFrame({"a": pd.array([1, None], dtype="Int64"), "b": [2.0, 3.0]})
    assert as_matrix(frame).n_missing == 1


def guises():
    """Return matrices of all kinds, with their entries (zero where missing) and what exists."""
    a = RNG.random((30, 20))
    holes = np.where(RNG.random(a.shape) < 0.3, np.nan, a)
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


def test_products_with_several_vectors():
    v, u = RNG.random((20, 3)), RNG.random((30, 4))
    for matrix, a, exists in guises():
        assert np.allclose(matrix @ v, a @ v)
        assert np.allclose(matrix.T @ u, a.T @ u)
        assert np.allclose(matrix.observed @ v, exists @ v)
        assert np.allclose(matrix.observed.T @ u, exists.T @ u)
        own = RNG.integers(0, 3, 30)
        assert np.allclose(matrix.dot_own(v, own), (a @ v)[np.arange(30), own])


def test_groups_of_rows_and_columns():
    z, w = RNG.integers(0, 4, 30), RNG.integers(0, 3, 20)
    p, q = RNG.random(30), RNG.random(20)
    rows, columns = np.eye(4)[z] * p[:, None], np.eye(3)[w] * q[:, None]
    for matrix, a, _ in guises():
        assert np.allclose(matrix.group_columns(w, 3, q), a @ columns)
        assert np.allclose(matrix.group_rows(z, 4, p), a.T @ rows)
        assert np.allclose(matrix.T.group_columns(z, 4, p), a.T @ rows)

        def largest(sums, part):
            return sums.argmax(axis=1)

        found, sums = matrix.regroup(w, 3, q, largest, 3, p)
        assert np.array_equal(found, (a @ columns).argmax(axis=1))
        assert np.allclose(sums, a.T @ (np.eye(3)[found] * p[:, None]))


def test_differences_squares_and_parts():
    i, j = np.array([0, 3, 5]), np.array([1, 2, 9])
    p, q = RNG.random(30), RNG.random(20)
    for matrix, a, exists in guises():
        sums, counts = matrix.row_differences(i, j)
        both = exists[i] * exists[j]
        assert np.allclose(sums, (both * (a[i] - a[j]) ** 2).sum(axis=1))
        assert np.array_equal(counts, both.sum(axis=1))
        sums, counts = matrix.T.row_differences(i, j)
        both = exists[:, i] * exists[:, j]
        assert np.allclose(sums, (both * (a[:, i] - a[:, j]) ** 2).sum(axis=0))
        assert np.array_equal(counts, both.sum(axis=0))
        rows, columns = matrix.squares(p, q)
        assert np.allclose(rows, a**2 @ q)
        assert np.allclose(columns, p @ a**2)
        part = matrix.part(i, j)
        assert np.array_equal(np.isnan(part), exists[np.ix_(i, j)] == 0)
        assert np.allclose(np.nan_to_num(part), a[np.ix_(i, j)])
