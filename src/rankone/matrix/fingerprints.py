"""Fingerprints of rows and columns: numbers that depend on their entries, and not on their order.

They are sums, modulo 2^64, of scrambled bits of entries, which are exact and so the same in every
order. Two rows with the same entries in other columns are told apart by the fingerprints of the
columns, in further rounds (colour refinement). The last digits of entries do not count, unless
asked for: standardised entries, say, differ there with the order in which they were summed up.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from rankone._kernel import inlined, kernel
from rankone.matrix.tiles import Tile

#: How often they are taken, with those of the other side from the last time: at least, and at most,
#: as long as each round tells more lines apart.
ROUNDS, MOST_ROUNDS = 3, 20

#: Entries of a dense matrix that are read at a time.
BLOCK = 2**18

#: Added to the bits of an entry, and kept of them: a relative precision of 2^-28.
HALF, KEPT = np.uint64(2**23), np.uint64(2**64 - 2**24)

#: Stand for an entry that is missing, and for a stored zero where absent entries are missing.
NAN_BITS, ZERO_BITS = np.uint64(0x7FF8000000000001), np.uint64(0x8000000000000001)

Keys = npt.NDArray[np.uint64]


def fingerprints(
    values: npt.NDArray[Any] | Any, absent_missing: bool, exact: bool = False
) -> tuple[Keys, Keys]:
    """Return the fingerprints of rows and columns.

    Parameters
    ----------
    values : ndarray or CSR array
    absent_missing : bool
        Whether absent entries of a sparse matrix are missing; otherwise they are zeros.
    exact : bool
        Whether the last digits of entries count.

    Returns
    -------
    rows, columns : ndarray of uint64

    Examples
    --------
    >>> rows, _ = fingerprints(np.array([[1.0, 2.0], [2.0, 1.0], [1.0, 2.0]]), False)
    >>> bool(rows[0] == rows[2])
    True
    """
    m, n = values.shape
    keys = np.zeros(m, np.uint64), np.zeros(n, np.uint64)
    rounding = (np.uint64(0), ~np.uint64(0)) if exact else (HALF, KEPT)
    apart = 0
    for number in range(MOST_ROUNDS):
        keys = _refined(values, absent_missing, keys, number == 0, rounding)
        before, apart = apart, sum(np.unique(of_side).size for of_side in keys)
        if number + 1 >= ROUNDS and apart == before:  # another round would tell no more apart
            break
    return keys


def fingerprints_of_tile(tile: Tile, absent_missing: bool) -> tuple[Keys, Keys]:
    """Return what a tile contributes to the first round, before it is scrambled.

    Those of large matrices, which may be elsewhere, are added up in one sweep.
    """
    values = tile.stored if isinstance(tile.stored, np.ndarray) else tile.stored.tocsr()
    keys = np.zeros(values.shape[0], np.uint64), np.zeros(values.shape[1], np.uint64)
    return _sums(values, absent_missing, keys, True, (HALF, KEPT))


def scrambled(rows: Keys, columns: Keys) -> tuple[Keys, Keys]:
    """Return numbers in which every bit depends on all bits of the given ones."""
    return _scrambled(rows), _scrambled(columns)


def _refined(
    values: npt.NDArray[Any] | Any,
    absent_missing: bool,
    keys: tuple[Keys, Keys],
    first: bool,
    rounding: tuple[np.uint64, np.uint64],
) -> tuple[Keys, Keys]:
    """Return the fingerprints of rows and columns, given those of the last round."""
    return scrambled(*_sums(values, absent_missing, keys, first, rounding))


def _sums(
    values: npt.NDArray[Any] | Any,
    absent_missing: bool,
    keys: tuple[Keys, Keys],
    first: bool,
    rounding: tuple[np.uint64, np.uint64],
) -> tuple[Keys, Keys]:
    """Return the sums of the fingerprints of entries over rows and over columns."""
    sums = np.zeros_like(keys[0]), np.zeros_like(keys[1])
    if isinstance(values, np.ndarray):
        _add_blocks(values, keys, sums, first, rounding)
    else:
        data = values.data.astype(np.float64)
        zero = ZERO_BITS if absent_missing else np.uint64(0)
        bits = (data.view(np.uint64) + rounding[0]) & rounding[1]
        bits = np.where(data == 0.0, zero, bits)
        _add_sparse(bits, values.indices, values.indptr, *keys, *sums)
    return sums


def _add_blocks(
    values: npt.NDArray[Any],
    keys: tuple[Keys, Keys],
    sums: tuple[Keys, Keys],
    first: bool,
    rounding: tuple[np.uint64, np.uint64],
) -> None:
    if abs(values.strides[0]) < abs(values.strides[1]):
        values, keys, sums = values.T, keys[::-1], sums[::-1]
    step = max(1, BLOCK // values.shape[1])
    for start in range(0, values.shape[0], step):
        rows = slice(start, start + step)
        block = np.ascontiguousarray(values[rows], dtype=np.float64)
        bits = (block.view(np.uint64) + rounding[0]) & rounding[1]
        _add_dense(block, bits, keys[0][rows], keys[1], sums[0][rows], sums[1], first)


@kernel
def _add_dense(block, bits, row_keys, column_keys, rows, columns, first):
    """Add the fingerprints of entries to those of their rows and columns; zeros have none.

    At first there are no keys, and the fingerprint of an entry serves both of its sums.
    """
    for i in range(bits.shape[0]):
        total = np.uint64(0)
        for j in range(bits.shape[1]):
            if block[i, j] != 0.0:
                b = bits[i, j] if block[i, j] == block[i, j] else NAN_BITS
                own = scramble(b ^ column_keys[j])
                total += own
                columns[j] += own if first else scramble(b ^ row_keys[i])
        rows[i] += total


@kernel
def _add_sparse(bits, indices, indptr, row_keys, column_keys, rows, columns):
    """Do the same for the entries of a sparse matrix."""
    for i in range(indptr.size - 1):
        for e in range(indptr[i], indptr[i + 1]):
            if bits[e] != 0:
                j = indices[e]
                rows[i] += scramble(bits[e] ^ column_keys[j])
                columns[j] += scramble(bits[e] ^ row_keys[i])


@kernel
def _scrambled(keys):
    result = np.empty_like(keys)
    for i in range(keys.size):
        result[i] = scramble(keys[i])
    return result


@inlined
def scramble(x):
    """Return a number in which every bit depends on all bits of another (as splitmix64 does)."""
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))
