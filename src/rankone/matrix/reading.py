"""Turn whatever a user has into a matrix that can be swept."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from rankone._arrays import objects_to_doubles, to_array
from rankone._dask import is_dask
from rankone._stored import Stored
from rankone.checks import check_choice
from rankone.errors import Column, Input, InputError, Row, Setting
from rankone.matrix.base import Matrix
from rankone.matrix.chunked import in_chunks
from rankone.matrix.dask_chunks import from_dask
from rankone.matrix.dense import Dense
from rankone.matrix.errors import BadEntry, check_shape, check_type, too_large
from rankone.matrix.sparse import Sparse
from rankone.matrix.sparse_tile import SparseTile
from rankone.matrix.stored import from_stored
from rankone.matrix.tiles import ALL, Index
from rankone.typing import FloatArray

Missing = Literal["nan", "absent"]


def as_matrix(X: Any, missing: Missing = "nan", empty_columns: bool = False) -> Matrix:
    """Check a matrix, and sum its rows and columns, in one sweep.

    Parameters
    ----------
    X : array-like, sparse matrix or Matrix of shape (m, n)
        Real numbers: an array of any number type and order, read-only or mapped from a file, a
        masked array, a frame, a list of rows, or any sparse format. It is not copied, unless it
        must be converted as a whole (lists, frames of several types, sparse formats other than
        CSR and CSC), and never changed. A `Matrix` is returned as it is.
    missing : {"nan", "absent"}
        Which entries are missing: those that are NaN; or, in a sparse matrix, also those that
        are absent (stored zeros are observed).
    empty_columns : bool
        Whether to accept columns without an observed entry, as new rows may have.

    Returns
    -------
    Matrix

    Raises
    ------
    ValueError
        If X is not a matrix of finite numbers, or if a row or a column has no observed entry.

    Examples
    --------
    >>> A = as_matrix([[1.0, 2.0], [3.0, float("nan")]])
    >>> A.totals.rows, A.totals.row_counts, A.n_missing
    (array([3., 3.]), array([2., 1.]), 1)
    """
    check_choice(missing, "missing", ("nan", "absent"))
    if isinstance(X, Matrix):
        return X
    if is_dask(X):
        matrix = from_dask(X, missing)
    elif isinstance(X, Stored):
        matrix = from_stored(X, missing)
    else:
        matrix = _sparse(X, missing) if sp.issparse(X) else _dense(X, missing)
    if not np.isfinite(matrix.totals.columns).all():
        raise too_large()
    check_observed(Row, matrix.totals.row_counts)
    if not empty_columns:
        check_observed(Column, matrix.totals.column_counts)
    return matrix


def submatrix(matrix: Matrix, rows: Index = ALL, columns: Index = ALL) -> Matrix:
    """Return some rows and columns as a matrix of its own, in memory.

    Rows and columns of it may have no observed entry.
    """
    tile = matrix.take(rows, columns)
    if isinstance(tile, SparseTile):
        entries = sp.csr_array(tile.entries).sorted_indices()  # whose order that of sums follows
        return Sparse(entries, tile.absent_missing)
    return Dense(np.ascontiguousarray(tile.array()))


def check_observed(kind: type[Row | Column], counts: FloatArray) -> None:
    """Refuse a row or column without an observed entry."""
    empty = np.flatnonzero(counts == 0)
    if empty.size:
        more = f" (and {empty.size - 1} more)" if empty.size > 1 else ""
        raise InputError(
            f"{{line}} has no observed entry{more}", "leave it out", line=kind(int(empty[0]))
        )


def _dense(X: Any, missing: Missing) -> Matrix:
    if missing == "absent":
        raise InputError(
            "{absent} is for sparse matrices, but {X} is dense",
            "mark missing entries by NaN",
            absent=Setting("missing", "absent"),
            X=Input(),
        )
    array = _numbers(X)
    if array.flags.c_contiguous or abs(array.strides[0]) >= abs(array.strides[1]):
        return Dense(array)
    return _of_transpose(lambda: Dense(array.T))


def _numbers(X: Any) -> npt.NDArray[Any]:
    if isinstance(X, np.ma.MaskedArray):
        check_type(X)
        X = np.ma.filled(X.astype(np.float64), np.nan)
    array = to_array(X, Input(), "a matrix")
    check_shape(array)
    if array.dtype.kind == "O":
        array = objects_to_doubles(array, Input(), missing=True)
    check_type(array)
    return array


def _sparse(X: Any, missing: Missing) -> Matrix:
    check_shape(X)
    check_type(X)
    if X.format == "csc":
        return _of_transpose(lambda: in_chunks(_canonical(X.T, X), missing == "absent"))
    return in_chunks(_canonical(X, X), missing == "absent")


def _canonical(X: Any, given: Any) -> sp.csr_array:
    """Return CSR without duplicates, which shares the arrays of X where these are so already."""
    csr = sp.csr_array(X)
    readable = csr.dtype.isnative and csr.dtype not in (np.float16, np.longdouble)
    native = csr.indices.dtype.isnative and csr.indptr.dtype.isnative
    if not (readable and native):  # by kernels
        parts = csr.data.astype(np.float64), csr.indices.astype("i8"), csr.indptr.astype("i8")
        csr = sp.csr_array(parts, shape=csr.shape)
    if csr.nnz and not 0 <= csr.indices.min() <= csr.indices.max() < csr.shape[1]:
        raise InputError(
            "{X} is a sparse matrix with indices outside its shape", "build it again", X=Input()
        )
    if not csr.has_canonical_format:
        csr = csr.copy() if np.shares_memory(csr.data, getattr(given, "data", csr.data)) else csr
        csr.sum_duplicates()
    return csr


def _of_transpose(make: Callable[[], Matrix]) -> Matrix:
    """Return a matrix, given a function that makes its transpose."""
    try:
        return make().T
    except BadEntry as error:
        raise error.transposed() from None
