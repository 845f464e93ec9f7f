"""Kinds of matrices for tests, which define no more than a kind needs; and helpers."""

import numpy as np
import scipy.sparse as sp

from rankone.matrix import DenseTile, Matrix


class NestedLists(Matrix):
    """A list of rows, of which three become a tile at a time."""

    def __init__(self, rows):
        self.lists = rows
        self.shape = len(rows), len(rows[0])

    def each(self, function):
        for start in range(0, self.shape[0], 3):
            block = np.array(self.lists[start : start + 3], dtype=float)
            yield function(DenseTile(block, slice(start, start + len(block))))


def stored(array):
    """Return a sparse matrix that stores every observed entry, zeros as well."""
    rows, columns = np.nonzero(~np.isnan(array))
    return sp.csr_array((array[rows, columns], (rows, columns)), shape=array.shape)


def close(ours, theirs, rtol=1e-12):
    np.testing.assert_allclose(ours, theirs, rtol=rtol, atol=1e-12)
