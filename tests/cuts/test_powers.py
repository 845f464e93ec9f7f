"""Costs of powers other than 1 and 2: sums over blocks, levels, and cuts of long vectors."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankone.cuts import SortedPotts, brute_force
from rankone.cuts._powers import PowerPiece, best_level, blocks_of, power_sums

POWERS = [1.01, 1.5, 2.5, 3.0, 7.5, 40.0, 100.0]
SHAPES = {
    "normal": lambda rng, n: rng.normal(size=n),
    "heavy tails": lambda rng, n: rng.standard_cauchy(n),
    "far apart": lambda rng, n: rng.choice([0.0, 1e6], n) + rng.random(n),
    "tiny": lambda rng, n: 1e-9 * rng.random(n),
}


def points(shape, n, weighted, seed=0):
    rng = np.random.default_rng(seed)
    values = np.unique(SHAPES[shape](rng, n))
    return values, rng.random(values.size) + 0.1 if weighted else np.empty(0)


@settings(max_examples=150, deadline=None)
@given(
    p=st.sampled_from(POWERS),
    shape=st.sampled_from(list(SHAPES)),
    weighted=st.booleans(),
    seed=st.integers(0, 2**32 - 1),
)
def test_sums_over_blocks_are_those_over_points(p, shape, weighted, seed):
    rng = np.random.default_rng(seed)
    values, weights = points(shape, int(rng.integers(1, 3000)), weighted, seed)
    blocks = blocks_of(values, weights, p)
    first, last = np.sort(rng.choice(values.size + 1, 2, replace=False)).tolist()
    run, w = values[first:last], weights[first:last] if weighted else np.ones(last - first)
    unit = run[-1] - run[0] or 1.0
    for m in (rng.uniform(run[0], run[-1]), rng.choice(run), run[0], run[-1]):
        sums = power_sums(values, weights, blocks, first, last, m, unit, p)
        distances = np.abs(run - m) / unit
        assert sums.cost == pytest.approx(math.fsum(w * distances**p), rel=1e-13)
        powers = w * distances ** (p - 1)
        error = abs(sums.slope - math.fsum(np.sign(m - run) * powers))
        assert error <= 1e-13 * math.fsum(powers)


@pytest.mark.parametrize("p", POWERS)
@pytest.mark.parametrize("shape", SHAPES)
def test_no_level_is_better(p, shape):
    values, weights = points(shape, 700, weighted=True)
    blocks = blocks_of(values, weights, p)
    low, high = values[[3, -5]]
    inside = slice(3, values.size - 4)
    piece = PowerPiece(
        values, weights, blocks, 3, values.size - 4, low, 0.0, high, 0.0, 0.5 * (low + high), p
    )
    _, cost = best_level(piece, 2.0**-52)
    expected = brute_force.cost((values[inside] - low) / (high - low), weights[inside], p)
    assert cost == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("p", [1, 2])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("shape", ["normal", "heavy tails", "far apart"])
def test_powers_close_to_1_and_2_have_the_cuts_of_1_and_2(p, weighted, shape):
    """Another algorithm for almost the same problem, at sizes where blocks are large."""
    values, weights = points(shape, {1: 2000, 2: 20_000}[p], weighted)
    w = weights if weighted else None
    spread = SortedPotts(p=p, n_clusters=1).cut(values, w).objective
    for share in (1e-1, 1e-2):
        expected = SortedPotts(p=p, lam=share * spread).cut(values, w)
        part = SortedPotts(p=p + 1e-9, lam=share * spread).cut(values, w)
        assert part.n_clusters == expected.n_clusters
        assert part.objective == pytest.approx(expected.objective, rel=1e-7)


@pytest.mark.parametrize("p", [1.5, 3])
def test_no_cut_of_a_long_vector_can_be_moved_to_advantage(p):
    rng = np.random.default_rng(5)
    values = np.sort(rng.normal(size=6000) + 3 * rng.integers(0, 4, 6000))
    sizes = SortedPotts(p=p, n_clusters=4).cut(values).sizes
    ends = [0, *np.cumsum(sizes).tolist()]

    def cost(first, last):
        return brute_force.cost(values[first:last], np.ones(last - first), p)

    for before, cut, after in zip(ends, ends[1:], ends[2:], strict=False):
        best = cost(before, cut) + cost(cut, after)
        for step in (-40, -5, -1, 1, 5, 40):
            moved = cost(before, cut + step) + cost(cut + step, after)
            assert moved >= best * (1 - 1e-12)
