"""Buckets of values, and their sums: what an exact cut needs to know of most values.

Bucket j of a grid holds the values x with ``j <= rate x < j + 1``. The rate is a power of two, so
that this is decided without rounding. A value is its *anchor*, the end of its bucket that is
nearer to zero, plus a rest, which is exact as well: the rest has no finer digits than the value,
and no higher ones than the width of the bucket. Rests are added up in two parts, the first of 26
binary digits: sums of first parts are exact, and so are those of second parts, except near zero.

Values below the first bucket, and above the last, are *tails*, and are kept.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from rankone._kernel import inlined, kernel
from rankone.cuts._double_double import two_product, two_sum
from rankone.typing import FloatArray

# Columns of the sums of a bucket: the number of values, and the sums of their weights, of w r and
# of w r^2, where r is the rest beyond the anchor. Those of w and w r are a double and its rest.
COUNT, WEIGHT, WEIGHT_REST, MOMENT, MOMENT_REST, SQUARES = range(6)
N_COLUMNS = 6

#: Digits of the first part of a rest.
_DIGITS = 26

#: Values that are numbered at once, so that the compiler can use vector instructions.
_BATCH = 2048

#: Two tables are filled in turn: to add to a number that was just written takes long.
_TABLES = 2


class Grid(NamedTuple):
    """Buckets of equal width, numbered from 1; 0 and ``size + 1`` are the tails.

    Attributes
    ----------
    shift : float
        What is subtracted from each value first, without rounding.
    rate : float
        The inverse of the width, a power of two.
    first : float
        The whole number at which bucket 1 begins, in units of the width.
    size : int
        The number of buckets.
    """

    shift: float
    rate: float
    first: float
    size: int


def grid_between(low: float, high: float, n_buckets: int, shift: float) -> Grid:
    """Return a grid of at most ``n_buckets``, in which two shifted values lie in the tails."""
    rate = 2.0 ** math.floor(math.log2(n_buckets / (high - low)))
    first = math.floor(low * rate) + 1
    return Grid(shift, rate, float(first), math.floor(high * rate) - first)


def anchors_of(grid: Grid) -> FloatArray:
    """Return for each bucket, tails included, the end that is nearer to zero."""
    ends = grid.first + np.arange(-1.0, grid.size + 1)
    return (ends + (ends < 0.0)) / grid.rate


@kernel
def number_values(u, grid, numbers):
    """Write the bucket of each value."""
    last = grid.size + 1.0
    for i in range(u.size):
        place = np.floor((u[i] - grid.shift) * grid.rate) - (grid.first - 1.0)
        place = place if place > 0.0 else 0.0
        numbers[i] = np.int32(place if place < last else last)


@kernel
def add_up(u, grid, anchors, numbers, tails):
    """Write the bucket of each value, and the tails; return the sums of buckets.

    Also return how many values are in row 0 of ``tails``: those of the tails, shifted; one more
    than there is room for if they are too many.
    """
    tables = np.zeros((_TABLES, grid.size + 2, 4))
    splitter = 1.5 * 2.0 ** (52 - _DIGITS) / grid.rate
    n_tail, last, room = 0, grid.size + 1, tails.shape[1]
    for start in range(0, u.size, _BATCH):
        stop = min(start + _BATCH, u.size)
        number_values(u[start:stop], grid, numbers[start:stop])
        for i in range(start, stop):
            b = numbers[i]
            rest = u[i] - grid.shift - anchors[b]
            upper = (rest + splitter) - splitter
            row = tables[i % _TABLES, b]
            row[0] += 1.0
            row[1] += upper
            row[2] += rest - upper
            row[3] += rest * rest
            if b == 0 or b == last:
                if n_tail < room:
                    tails[0, n_tail] = u[i] - grid.shift
                n_tail = min(n_tail + 1, room + 1)
    sums = np.zeros((grid.size + 2, N_COLUMNS))
    for b in range(grid.size + 2):  # the sums of first parts are still exact
        one, other = tables[0, b], tables[1, b]
        sums[b, COUNT] = sums[b, WEIGHT] = one[0] + other[0]
        sums[b, MOMENT], sums[b, MOMENT_REST] = one[1] + other[1], one[2] + other[2]
        sums[b, SQUARES] = one[3] + other[3]
    return sums, n_tail


@kernel
def add_up_weighted(u, weights, grid, anchors, numbers, tails):
    """Do the same as `add_up` with weights; row 1 of ``tails`` takes those of the tails."""
    sums = np.zeros((grid.size + 2, N_COLUMNS))
    number_values(u, grid, numbers)
    n_tail, last, room = 0, grid.size + 1, tails.shape[1]
    for i in range(u.size):
        b, w = numbers[i], weights[i]
        rest = u[i] - grid.shift - anchors[b]
        moment, error = two_product(w, rest)
        row = sums[b]
        row[COUNT] += 1.0
        _add(row, WEIGHT, w)
        _add(row, MOMENT, moment)
        row[MOMENT_REST] += error
        row[SQUARES] += moment * rest
        if b == 0 or b == last:
            if n_tail < room:
                tails[0, n_tail], tails[1, n_tail] = u[i] - grid.shift, w
            n_tail = min(n_tail + 1, room + 1)
    return sums, n_tail


@kernel
def add_sums(sums, more):
    """Add the sums of the same buckets over other values."""
    for b in range(sums.shape[0]):
        row, other = sums[b], more[b]
        row[COUNT] += other[COUNT]
        for column in (WEIGHT, MOMENT):
            _add(row, column, other[column])
            row[column + 1] += other[column + 1]
        row[SQUARES] += other[SQUARES]


@inlined
def _add(row, column, x):
    """Add to a sum of which the rest is in the next column."""
    row[column], error = two_sum(row[column], x)
    row[column + 1] += error


@kernel
def gather(u, weights, numbers, shift, chosen, gathered):
    """Write the shifted values of the chosen buckets, with their weights, and return how many.

    Where they are is written first, so that several of them are fetched from memory at a time.
    """
    where, count = np.empty(_BATCH, np.int64), 0
    for start in range(0, u.size, _BATCH):
        n_chosen = 0
        for i in range(start, min(start + _BATCH, u.size)):
            where[n_chosen] = i
            n_chosen += chosen[numbers[i]]
        for i in where[:n_chosen]:
            gathered[0, count] = u[i] - shift
            if weights.size:
                gathered[1, count] = weights[i]
            count += 1
    return count


@kernel
def look_up(u, numbers, first, boundaries, labels):
    """Write the label of each value, from that of its bucket and the boundary in it, if any."""
    has_boundary = boundaries < np.inf
    for i in range(u.size):
        b = numbers[i]
        labels[i] = first[b]
        if has_boundary[b]:
            labels[i] += u[i] >= boundaries[b]
