"""What a matrix may be made of, what is refused, and that nothing given is copied or changed."""

import tracemalloc
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

from rankone.matrix import as_matrix
from tests.matrix.kinds import close

COUNTS = np.random.default_rng(3).poisson(1.0, (13, 21)).astype(float)
COUNTS[0] += 1
COUNTS[:, 0] += 1


def test_booleans_are_summed_as_numbers():
    flags = COUNTS > 1
    np.testing.assert_allclose(as_matrix(flags).totals.rows, flags.sum(1))


def test_missing_values_of_frames_are_missing_entries():
    frame = pd.DataFrame({"a": pd.array([1, None], dtype="Int64"), "b": [2.0, 3.0]})
    assert as_matrix(frame).n_missing == 1


def test_mapped_file_is_not_read_into_memory(tmp_path: Path):
    path = tmp_path / "matrix.npy"
    np.save(path, COUNTS)
    mapped = np.load(path, mmap_mode="r")
    matrix = as_matrix(mapped)
    assert np.shares_memory(matrix.values(), mapped)
    close(matrix.totals.rows, COUNTS.sum(1))


def test_nothing_of_the_size_of_the_matrix_is_allocated():
    rng = np.random.default_rng(0)
    for dtype, limit in ((np.float64, 0.1), (np.float32, 0.3)):
        X = rng.random((3000, 3000)).astype(dtype)
        X[::7, ::3] = np.nan
        as_matrix(X[:50])
        tracemalloc.start()
        matrix = as_matrix(X)
        matrix.observed @ np.ones(3000)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < limit * X.nbytes


@pytest.mark.parametrize("kind", [np.asarray, sp.csr_array, sp.csc_array, sp.coo_array])
def test_input_is_not_changed(kind):
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
def test_arrays_of_foreign_byte_order_are_read(part):
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
        (NAN_ROW, "nan", r"Row 2 of X has no observed entry \(and 1 more\)"),
        (NAN_ROW.T, "nan", r"Column 2 of X has no observed entry"),
        (sp.csr_array(np.eye(3)[:2]), "absent", "Column 2 of X has no observed entry"),
        (np.full((2, 2), 1e308), "nan", "larger than the largest double"),
        (np.full((4, 1), 1e308), "nan", "larger than the largest double"),
        (sp.csr_array(np.full((4, 1), 1e308)), "nan", "larger than the largest double"),
        (np.full((2, 2), np.longdouble("1e400")), "nan", "infinite"),
        (outside(7), "nan", "indices outside its shape"),
        (outside(-1), "nan", "indices outside its shape"),
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
def test_bad_matrices_are_refused_with_the_position_of_the_problem(X, missing, message):
    with pytest.raises(ValueError, match=message):
        as_matrix(X, missing)
