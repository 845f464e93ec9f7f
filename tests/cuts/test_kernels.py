"""The mathematics that the kernels rest on: exact errors, Monge costs, and bounds."""

from fractions import Fraction
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankone.cuts import brute_force
from rankone.cuts._corners import bounds_by_corners
from rankone.cuts._double_double import fused_multiply_add, two_product, two_sum
from rankone.cuts._nodes import cell_nodes, position_nodes, with_sums
from rankone.cuts._pieces import piece_cost

NUMBERS = st.floats(-1e100, 1e100).filter(lambda x: x == 0 or abs(x) > 1e-100)


@given(NUMBERS, NUMBERS)
def test_the_error_of_a_sum_is_exact(a, b):
    s, error = two_sum(a, b)
    assert s == a + b
    assert Fraction(s) + Fraction(error) == Fraction(a) + Fraction(b)


@given(NUMBERS, NUMBERS)
def test_the_error_of_a_product_is_exact(a, b):
    product, error = two_product(a, b)
    assert product == a * b
    assert Fraction(product) + Fraction(error) == Fraction(a) * Fraction(b)


@given(NUMBERS, NUMBERS, NUMBERS)
def test_fused_multiply_add_rounds_once(a, b, c):
    product = a * b
    assert two_product(a, b)[1] == fused_multiply_add(a, b, -product)
    assert fused_multiply_add(a, b, c) == float(Fraction(a) * Fraction(b) + Fraction(c))


def make_points(seed, n, p, weighted):
    rng = np.random.default_rng(seed)
    values = np.unique(np.round(rng.normal(size=n) ** 3, 3))
    weights = rng.random(values.size) + 0.05 if weighted else np.empty(0)
    return with_sums(values, weights, p)


def all_costs(points, nodes):
    """Return the cost of the piece between every two nodes."""
    costs = np.full((len(nodes), len(nodes)), np.nan)
    for i, j in combinations(range(len(nodes)), 2):
        costs[i, j] = piece_cost(points, nodes, i, j)
    return costs


every_problem = pytest.mark.parametrize(
    ("p", "weighted"), [(p, w) for p in (1.0, 1.5, 2.0, 3.0) for w in (False, True)]
)


@every_problem
def test_costs_between_positions_equal_those_of_brute_force(p, weighted):
    points = make_points(0, 45, p, weighted)
    values, weights = points.values, points.weights
    nodes = position_nodes(points, np.arange(values.size + 1))
    table = brute_force.potts_table(values, weights if weighted else np.ones(values.size), p)
    costs = all_costs(points, nodes)
    upper = np.triu_indices(len(nodes), 1)
    np.testing.assert_allclose(costs[upper], table[upper], rtol=1e-9, atol=1e-13)


@every_problem
def test_costs_are_monge_for_positions_and_for_cells(p, weighted):
    """c(i, j) + c(i', j') <= c(i, j') + c(i', j) for neighbours, and so for all."""
    for seed in range(5):
        points = make_points(seed, 40, p, weighted)
        n = points.values.size
        edges = np.unique(np.concatenate([[1, n], np.random.default_rng(seed).integers(1, n, 7)]))
        for nodes in (
            position_nodes(points, np.arange(n + 1)),
            cell_nodes(points, edges[:-1], edges[1:] - 1),
        ):
            costs = all_costs(points, nodes)
            for i, j in combinations(range(1, len(nodes) - 1), 2):
                lower = costs[i - 1, j] + costs[i, j + 1]
                assert lower <= (costs[i - 1, j + 1] + costs[i, j]) * (1 + 1e-9) + 1e-12


@every_problem
def test_cells_bound_every_cut_inside_them(p, weighted):
    """The least cost of a cut inside each of two cells is not below that of their nodes."""
    for seed in range(5):
        points = make_points(seed, 30, p, weighted)
        values, weights = points.values, points.weights
        n = values.size
        edges = np.array([1, n // 3, n // 2, n])
        nodes = cell_nodes(points, edges[:-1], edges[1:] - 1)
        costs = all_costs(points, nodes)
        table = brute_force.potts_table(values, weights if weighted else np.ones(n), p)
        cells = [range(a, b) for a, b in pairwise(edges)]
        for g, h in combinations(range(3), 2):
            true = min(table[0, s] + table[s, t] + table[t, n] for s in cells[g] for t in cells[h])
            bound = min(
                costs[0, i] + costs[i, j] + costs[j, len(nodes) - 1]
                for i in (2 * g + 1, 2 * g + 2)
                for j in (2 * h + 1, 2 * h + 2)
            )
            assert bound <= true * (1 + 1e-9) + 1e-12
            assert bound > 0.0


@pytest.mark.parametrize("p", [1.0, 2.0])
@pytest.mark.parametrize("weighted", [False, True])
def test_corners_bound_the_best_partitions_that_cut_in_their_cells(p, weighted):
    """Also if cells are long. Single positions are bounded exactly."""
    n_cuts = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        points = make_points(seed, 30, p, weighted)
        n = points.values.size
        weights = points.weights if weighted else np.ones(n)
        table = brute_force.potts_table(points.values, weights, p)
        lam = table[0, n] * rng.uniform(0.01, 0.3)
        objective, cuts = best_partition(table, lam)
        edges = np.unique(np.concatenate([[1, n], rng.integers(1, n, rng.integers(1, 12))]))
        bounds, lower, good, _ = bounds_by_corners(points, lam, edges[:-1], edges[1:] - 1)
        assert lower <= objective * (1 + 1e-12)
        cells = np.searchsorted(edges, cuts, side="right") - 1
        assert (bounds[cells] <= objective * (1 + 1e-12)).all()
        cost = sum(table[pair] for pair in pairwise([0, *good, n]))
        assert cost + lam * len(good) >= objective * (1 - 1e-12)
        each = np.arange(1, n)
        bounds, lower, _, _ = bounds_by_corners(points, lam, each, each)
        np.testing.assert_allclose([lower, *bounds[cuts - 1]], objective, rtol=1e-9)
        n_cuts += cuts.size
    assert n_cuts > 40


def best_partition(table, lam):
    """Return the least objective, and the cuts that have it."""
    n = table.shape[0] - 1
    least, before = np.full(n + 1, -lam), np.zeros(n + 1, np.int64)
    for j in range(1, n + 1):
        objectives = least[:j] + table[:j, j] + lam
        before[j] = objectives.argmin()
        least[j] = objectives.min()
    cuts, j = [], before[n]
    while j > 0:
        cuts.append(j)
        j = before[j]
    return least[n], np.array(cuts[::-1], np.int64)
