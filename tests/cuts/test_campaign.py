"""A million small vectors of whole numbers, in few buckets, compared with exact arithmetic.

Costs of whole numbers are fractions whose denominators are sums of weights. Multiplied by a common
multiple of these, they are whole numbers, too, so that the best partition is known without any
rounding, and within microseconds.
"""

import math
from contextlib import contextmanager

import numba
import numpy as np
import pytest

from attacks.bucketed_cuts import ALWAYS, ANY_VALUES, settings
from rankone.cuts import SortedPotts, bucketed_values, buckets

#: The largest sum of weights, and a multiple of all sums.
MOST = 24
MULTIPLE = math.lcm(*range(1, MOST + 1))

VECTORS, PROCESSES = 1_000_000, 8


@numba.njit
def cost(values, weights, first, last, p, multiple):
    """Return the cost of a run of ascending values, times a multiple of the sum of its weights."""
    total = moment = square = 0
    for t in range(first, last):
        total += weights[t]
        moment += weights[t] * values[t]
        square += weights[t] * values[t] * values[t]
    if p == 2:
        return multiple // total * (total * square - moment * moment)
    median, below = first, weights[first]
    while 2 * below < total:
        median += 1
        below += weights[median]
    deviations = 0
    for t in range(first, last):
        deviations += weights[t] * abs(values[t] - values[median])
    return multiple * deviations


@numba.njit
def best(values, weights, p, multiple):
    """Return the least costs of 1, 2, ..., n pieces of ascending values."""
    n = values.size
    least = np.full((n, n + 1), np.iinfo(np.int64).max)
    for j in range(1, n + 1):
        least[0, j] = cost(values, weights, 0, j, p, multiple)
        for k in range(1, j):
            for i in range(k, j):
                through = least[k - 1, i] + cost(values, weights, i, j, p, multiple)
                least[k, j] = min(least[k, j], through)
    return least[:, n]


@numba.njit
def cost_of(values, weights, labels, p, multiple):
    """Return the cost of ascending values with labels that never fall."""
    total, first = 0, 0
    for t in range(1, values.size + 1):
        if t == values.size or labels[t] != labels[first]:
            total += cost(values, weights, first, t, p, multiple)
            first = t
    return total


def draw(rng):
    """Return a vector of whole numbers, weights or None, and a penalty."""
    n = int(rng.integers(6, 13))
    spread = int(rng.choice([2, 6, 30, 200]))
    values = rng.integers(-spread, spread + 1, n)
    if rng.random() < 0.3:
        values[: n // 2] += 1000
    weights = rng.integers(1, 3, n) if rng.random() < 0.3 else None
    lam = int(rng.integers(1, 2 * spread**2))
    return values, weights, lam


def check(values, weights, lam, p):
    """Cut a vector by a penalty and by a number of clusters; both must be exactly the best."""
    each = np.ones(values.size, np.int64) if weights is None else weights
    order = np.argsort(values, kind="stable")
    ascending, w = values[order], each[order]
    u = values.astype(float)
    least = best(ascending, w, p, MULTIPLE)[: np.unique(values).size]
    objectives = least + lam * MULTIPLE * np.arange(least.size)
    part = SortedPotts(p=p, lam=float(lam)).cut(u, weights)
    found = cost_of(ascending, w, part.labels[order], p, MULTIPLE)
    assert found + lam * MULTIPLE * (part.n_clusters - 1) == objectives.min()
    assert part.n_clusters == objectives.argmin() + 1
    k = int(lam % least.size) + 1
    given = SortedPotts(p=p, n_clusters=k).cut(u, weights)
    assert given.n_clusters == k
    assert cost_of(ascending, w, given.labels[order], p, MULTIPLE) == least[k - 1]
    return part._was_sorted


@contextmanager
def few_buckets(number):
    """Use so many buckets, whether they pay or not."""
    with (
        settings(bucketed_values, **ALWAYS),
        settings(buckets, MOST_BUCKETS=number, **ANY_VALUES),
    ):
        yield


def campaign(seed, n_vectors):
    """Check random vectors, most of which must be cut without a sort."""
    rng, n_sorted = np.random.default_rng(seed), 0
    with few_buckets(2 ** (2 + seed % 5)):
        for i in range(n_vectors):
            vector = draw(rng)
            try:
                n_sorted += check(*vector, p=1 + i % 2)
            except AssertionError as error:
                raise AssertionError(f"{vector}, p = {1 + i % 2}") from error
    assert n_sorted < n_vectors / 2


@pytest.mark.parametrize("seed", range(5))
def test_vectors_in_few_buckets_are_cut_exactly(seed):
    campaign(seed, 300)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(PROCESSES))
def test_a_million_vectors_in_few_buckets_are_cut_exactly(seed):
    campaign(seed, VECTORS // PROCESSES)


def test_as_many_nodes_of_cells_as_there_are_positions_are_not_taken_for_positions():
    vector = np.array([-3, 6, 4, 0, 1, -3, 2, 4, -5, -2])
    with few_buckets(8):
        assert not check(vector, None, 15, p=1)
