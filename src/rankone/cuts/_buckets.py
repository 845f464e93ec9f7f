"""Buckets of values, and their sums: what an exact cut needs to know of most values.

Bucket j of a grid holds the values x with ``j <= rate x < j + 1``. The rate is a power of two, so
that this is decided without rounding. Of each bucket the weight is added up, and the moment of its
values about its low end, its *anchor*. What a value is beyond it, its *rest*, is rounded to a whole
multiple of ``2^-42`` of the width, or less if there are fewer than a million values. Such multiples
are added up without rounding. What is lost is a share of the width of a bucket, and little in the
costs of clusters that are many buckets wide.

Values below the first bucket, and above the last, are *tails*, and are kept.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from rankone._kernel import inlined, inlined_in_any_order, kernel
from rankone.cuts._double_double import two_product, two_sum
from rankone.typing import FloatArray

# Columns of the sums of a bucket: the number of values, and the sums of their weights and of w r,
# where r is the rest beyond the anchor. These are a double and its rest.
COUNT, WEIGHT, WEIGHT_REST, MOMENT, MOMENT_REST = range(5)
N_COLUMNS = 5

#: Values whose rests are added up as whole numbers of less than 63 binary digits.
_MOST = 2**20

#: Values that are numbered at once, so that the compiler can use vector instructions.
_BATCH = 2048


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
    """Return the low end of each bucket, tails included."""
    return (grid.first + np.arange(-1.0, grid.size + 1)) / grid.rate


@kernel
def number_values(u, grid, numbers):
    """Write the bucket of each value."""
    for i in range(u.size):
        numbers[i] = _bucket(np.floor((u[i] - grid.shift) * grid.rate), grid)


@inlined
def _bucket(place, grid):
    """Return the bucket of values that begin with a whole number, in units of the width."""
    last = grid.size + 1.0
    place -= grid.first - 1.0
    place = place if place > 0.0 else 0.0
    return np.int32(place if place < last else last)


@inlined_in_any_order
def _number_with_rests(u, grid, numbers, rests, offset):
    """Write the bucket of each value, and its rest; return the sum of the squares of rests.

    Rests are in units of the width, and ``offset`` is added to them. This is apart from what
    follows so that the compiler can use vector instructions.
    """
    squares = 0.0
    for i in range(u.size):
        x = (u[i] - grid.shift) * grid.rate
        place = np.floor(x)
        rest = x - place
        rests[i] = rest + offset
        squares += rest * rest
        numbers[i] = _bucket(place, grid)
    return squares / grid.rate / grid.rate


@kernel
def add_up(u, grid, numbers, tails):
    """Write the bucket of each value, and the tails; return the sums of buckets.

    Also return the sum of the squares of all rests, and how many values are in row 0 of ``tails``:
    those of the tails, shifted; one more than there is room for if they are too many.
    """
    sums, rests = np.zeros((grid.size + 2, N_COLUMNS)), np.empty(_BATCH)
    # In the sum of a rest and this offset, the last digits are the rest as a whole number of units.
    # No offset is between 1.5 and 3, where sums would cross 2, and the worth of digits with it.
    offset = max(1.5 * 2.0 ** (np.ceil(np.log2(max(1, min(u.size, _MOST)))) - 10.0), 3.0)
    unit = offset / (1.5 * 2.0**52) / grid.rate
    digits, none = rests.view(np.int64), np.array([offset]).view(np.int64)[0]
    table, squares = np.zeros((grid.size + 2, 2), np.int64), 0.0
    n_tail, last, room = 0, grid.size + 1, tails.shape[1]
    for start in range(0, u.size, _BATCH):
        stop = min(start + _BATCH, u.size)
        squares += _number_with_rests(u[start:stop], grid, numbers[start:stop], rests, offset)
        for i in range(start, stop):
            b = numbers[i]
            table[b, 0] += 1
            table[b, 1] += digits[i - start] - none
            if b == 0 or b == last:
                if n_tail < room:
                    tails[0, n_tail] = u[i] - grid.shift
                n_tail = min(n_tail + 1, room + 1)
        if stop % _MOST == 0 or stop == u.size:
            _empty(table, sums, unit)
    return sums, squares, n_tail


@inlined
def _empty(table, sums, unit):
    """Add whole numbers to the sums of buckets, and begin again with zeros."""
    for b in range(table.shape[0]):
        count, moment = float(table[b, 0]), float(table[b, 1])
        sums[b, COUNT] += count
        sums[b, WEIGHT] += count
        _add(sums[b], MOMENT, moment * unit)
        sums[b, MOMENT_REST] += float(table[b, 1] - int(moment)) * unit
        table[b, 0] = table[b, 1] = 0


@kernel
def add_up_weighted(u, weights, grid, numbers, tails):
    """Do the same as `add_up` with weights; row 1 of ``tails`` takes those of the tails."""
    sums, rests = np.zeros((grid.size + 2, N_COLUMNS)), np.empty(u.size)
    _number_with_rests(u, grid, numbers, rests, 0.0)
    squares, n_tail, last, room = 0.0, 0, grid.size + 1, tails.shape[1]
    for i in range(u.size):
        b, w, rest = numbers[i], weights[i], rests[i] / grid.rate
        moment, error = two_product(w, rest)
        row = sums[b]
        row[COUNT] += 1.0
        _add(row, WEIGHT, w)
        _add(row, MOMENT, moment)
        row[MOMENT_REST] += error
        squares += moment * rest
        if b == 0 or b == last:
            if n_tail < room:
                tails[0, n_tail], tails[1, n_tail] = u[i] - grid.shift, w
            n_tail = min(n_tail + 1, room + 1)
    return sums, squares, n_tail


@kernel
def squares_of_rests(values, weights, grid):
    """Return the sum of ``w r^2`` over shifted values."""
    total = 0.0
    for i in range(values.size):
        rest = values[i] - np.floor(values[i] * grid.rate) / grid.rate
        total += weights[i] * rest * rest
    return total


@kernel
def add_sums(sums, addends):
    """Add the sums of the same buckets over other values."""
    for b in range(sums.shape[0]):
        row, addend = sums[b], addends[b]
        row[COUNT] += addend[COUNT]
        for column in (WEIGHT, MOMENT):
            _add(row, column, addend[column])
            row[column + 1] += addend[column + 1]


@inlined
def _add(row, column, x):
    """Add to a sum of which the rest is in the next column."""
    row[column], error = two_sum(row[column], x)
    row[column + 1] += error


@kernel
def gather(u, weights, numbers, shift, chosen, gathered):
    """Write the shifted values of the chosen buckets, with their weights, and return how many.

    Where they are is written first, so that several of them are fetched from memory at a time.
    Those for which there is no room are counted, too.
    """
    where, count = np.empty(_BATCH, np.int64), 0
    for start in range(0, u.size, _BATCH):
        n_chosen = 0
        for i in range(start, min(start + _BATCH, u.size)):
            where[n_chosen] = i
            n_chosen += chosen[numbers[i]]
        for i in where[:n_chosen]:
            if count < gathered.shape[1]:
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
