"""Sorted cuts of values that are hard to cut: how many costs are evaluated, and small fits."""

import math
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest

from rankone.cuts import SortedPotts, brute_force, sorted_potts_path
from rankone.cuts.curve import Curve
from rankone.cuts.sorted_values import SortedValues
from tests.cuts.test_extremes import Exact

#: How much a fit may exceed the least one, as the docstring of SortedPotts promises.
NEARLY = 1 + Fraction(1, 10**12)

HARD = ["heavy tail", "very heavy tail", "cauchy", "geometric", "cantor", "far apart", "tight"]


def hard(name, n):
    """Return n values: tails, gaps within gaps, and clusters in which nothing stands out."""
    rng = np.random.default_rng(HARD.index(name))
    if name == "cantor":
        dust = np.zeros(1)
        while dust.size < n:
            dust = np.concatenate([dust / 3, 2 / 3 + dust / 3])
        return dust[:n]
    return {
        "heavy tail": lambda: rng.pareto(0.5, n),
        "very heavy tail": lambda: rng.pareto(0.2, n),
        "cauchy": lambda: rng.standard_cauchy(n),
        "geometric": lambda: (1 + 10 / n) ** np.arange(n),
        "far apart": lambda: 1e6 * rng.integers(0, 2, n) + rng.normal(size=n),
        "tight": lambda: 4.0 * rng.integers(0, 5, n) + 0.25 * rng.normal(size=n),
    }[name]()


@pytest.mark.parametrize("name", HARD)
def test_a_number_of_clusters_takes_few_evaluations(name):
    """A dynamic program by layers would take at least one for each value and cluster."""
    n, k = 10**5, 10
    problem = SortedValues(hard(name, n))
    Curve(problem).cuts(k)
    assert problem.evaluations < k * n


@pytest.mark.parametrize("p", [1, 2])
@pytest.mark.parametrize("name", HARD)
def test_layers_find_what_penalties_find(name, p, monkeypatch):
    u = hard(name, 2000)
    by_penalties = sorted_potts_path(u, p=p, max_clusters=9)
    monkeypatch.setattr("rankone.cuts.curve._PATIENCE", 0.0)
    by_layers = sorted_potts_path(u, p=p, max_clusters=9)
    assert by_layers.n_solves == 0
    assert by_layers.cost == pytest.approx(by_penalties.cost, rel=1e-12)
    assert by_layers.lam == pytest.approx(by_penalties.lam, rel=1e-9)
    assert (np.diff(by_layers.lam) <= 0).all()
    part = SortedPotts(p=p, n_clusters=7).cut(u)
    assert part.objective == pytest.approx(by_penalties.cost[6], rel=1e-12)


def test_layers_take_over_when_penalties_have_cost_as_much(monkeypatch):
    n, k = 2000, 9
    monkeypatch.setattr("rankone.cuts.curve._PATIENCE", 0.01)
    problem = SortedValues(hard("tight", n))
    Curve(problem).trace(k)
    once = 4 * math.log2(n) * n  # the most that one penalty takes
    assert problem.evaluations <= 0.01 * k * n * math.log2(n) + once + k * n * (math.log2(n) + 2)


def test_costs_that_layers_cannot_resolve_are_left_to_penalties(monkeypatch):
    monkeypatch.setattr("rankone.cuts.curve._PATIENCE", 0.0)
    u = np.concatenate([1e-30 * np.arange(6), 1 + 1e-12 * np.arange(3)])
    for k in range(1, u.size + 1):
        part = SortedPotts(n_clusters=k).cut(u)
        breakpoints = np.flatnonzero(np.diff(part.labels)) + 1
        assert Exact(u, 2).cost(breakpoints.tolist()) <= Exact(u, 2).best[k - 1] * NEARLY


@pytest.mark.parametrize("p", [1.0, 2.0])
@pytest.mark.parametrize("name", HARD)
def test_one_penalty_takes_linearly_many_evaluations_at_most(name, p):
    n = 20_000
    problem = SortedValues(hard(name, n), p=p)
    for share in 10.0 ** -np.arange(1, 15, 2):
        problem.evaluations = 0
        problem.solve(share * problem.one_piece, problem.units)
        assert problem.evaluations < 4 * math.log2(n) * n


@pytest.mark.parametrize("p", [1, 2])
@pytest.mark.parametrize("name", HARD)
def test_hard_inputs_are_cut_as_by_the_plain_dynamic_program(name, p):
    values, weights = np.unique(hard(name, 300), return_counts=True)
    path = sorted_potts_path(values, p=p, max_clusters=12, weights=weights)
    table = brute_force.potts_table(values, weights.astype(float), p)
    assert path.cost == pytest.approx(brute_force.potts_costs(table, 12), rel=1e-9)


def test_a_light_value_joins_the_nearer_cluster():
    """The fit of two clusters is all from the light value: 1e-10 of the penalty that gives two."""
    u, weights = [0, 0.499997, 1], [1, 2**-30, 1]
    assert SortedPotts(n_clusters=2).cut(u, weights).labels.tolist() == [0, 0, 1]
    path = sorted_potts_path(u, weights=weights)
    assert path.at(n_clusters=2).labels.tolist() == [0, 0, 1]
    assert SortedPotts(lam=0.1).cut(u, weights).labels.tolist() == [0, 0, 1]


def test_one_value_of_many_joins_the_nearer_cluster():
    u = np.r_[np.zeros(10**6), 0.5 - 1e-9, np.ones(10**6)]
    assert SortedPotts(n_clusters=2).cut(u).labels[10**6] == 0


def between_clusters(rng):
    """Return values of which some are almost in the middle of two others, and uneven weights."""
    n = int(rng.integers(3, 11))
    u = rng.integers(0, 4, n).astype(float)
    middle = rng.random(n) < 0.4
    u[middle] += 0.5 + rng.choice([-1, 1], middle.sum()) * 10.0 ** -rng.uniform(2, 12, middle.sum())
    u, first = np.unique(u, return_index=True)
    return u, np.where(middle[first], 2.0 ** -float(rng.integers(0, 41)), 1.0)


@pytest.mark.parametrize("p", [1, 2])
def test_fits_are_compared_with_themselves_not_with_the_penalty(p):
    rng = np.random.default_rng(p)
    for _ in range(150):
        u, weights = between_clusters(rng)
        exact = Exact(u, p, weights)
        path = sorted_potts_path(u, p=p, weights=weights)
        for k in range(1, u.size + 1):
            for part in (SortedPotts(p=p, n_clusters=k).cut(u, weights), path.at(n_clusters=k)):
                breakpoints = np.flatnonzero(np.diff(part.labels)) + 1
                assert exact.cost(breakpoints.tolist()) <= exact.best[k - 1] * NEARLY
        for cost, following in pairwise(exact.best):
            part = SortedPotts(p=p, lam=0.9 * float(cost - following)).cut(u, weights)
            breakpoints = np.flatnonzero(np.diff(part.labels)) + 1
            assert exact.cost(breakpoints.tolist()) <= exact.best[breakpoints.size] * NEARLY


@pytest.mark.parametrize("lam", [28218.3, 1e3, 50.0])
def test_rough_costs_do_not_put_the_best_path_beyond_the_limit(lam):
    """Squares of 1e8 leave rough costs with errors of hundreds."""
    u = np.array([-1.41, -1.1, -1.05, -0.73, 99999998.64, 99999998.88, 99999999.05, 1e8 + 0.56])
    u = np.append(u, [1e8 + 0.62, 1e8 + 1.17, 1e8 + 1.67])
    exact = Exact(u, 2)
    part = SortedPotts(lam=lam).cut(u)
    breakpoints = np.flatnonzero(np.diff(part.labels)) + 1
    objective = exact.cost(breakpoints.tolist()) + len(breakpoints) * Fraction(lam)
    assert objective <= exact.objective(lam) * NEARLY


@pytest.mark.parametrize("p", [1, 2])
def test_rounding_of_long_sums_does_not_decide(p, monkeypatch):
    """Two clusters far apart can be cut one by one: the best cuts of both are the best of all."""
    monkeypatch.setattr("rankone.cuts.sorted_problem.FAR", 1.0)  # so that they are not
    n, most = 400_000, 6
    rng = np.random.default_rng(0)
    upper = rng.random(n) < 0.5
    u = 1e6 * upper + rng.normal(size=n)
    path = sorted_potts_path(u, p=p, max_clusters=most)
    parts = [sorted_potts_path(u[half], p=p, max_clusters=most).cost for half in (~upper, upper)]
    for k in range(2, most + 1):
        best = min(parts[0][i - 1] + parts[1][k - i - 1] for i in range(1, k))
        assert path.cost[k - 1] == pytest.approx(best, rel=1e-12)
