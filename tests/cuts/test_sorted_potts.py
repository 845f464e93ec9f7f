"""Sorted Potts against enumeration, other algorithms, other libraries, and exact arithmetic."""

import ckmeans
import kmeans1d
import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from rankone.cuts import Potts, SortedPotts, brute_force, sorted_potts_path
from rankone.cuts.sorted_values import SortedValues


def random_vectors(seed, count, largest, p):
    """Yield small vectors of every unpleasant kind: ties, zeros, negative values, weights."""
    rng = np.random.default_rng([seed, int(10 * p)])
    for trial in range(count):
        n = int(rng.integers(1, largest + 1))
        kind = trial % 4
        u = rng.normal(size=n) if kind == 0 else rng.integers(-3, 4, n) / (1 + kind)
        weights = [None, rng.integers(0, 4, n).astype(float), rng.random(n) + 0.05][trial % 3]
        if weights is not None and not weights.any():
            weights[0] = 1.0
        lam = float(rng.choice([0.0, 0.05, 0.25, 0.5, 1.0, 3.0, 100.0]))
        yield u.astype(float), weights, lam


def ascending(u, weights):
    """Return the points of positive weight in ascending order."""
    w = np.ones(u.size) if weights is None else weights
    order = np.argsort(u[w > 0], kind="stable")
    return u[w > 0][order], w[w > 0][order]


def assert_best(u, weights, p, lam, best):
    """Compare with the least costs for each number of clusters."""
    part = SortedPotts(p=p, lam=lam).cut(u, weights)
    expected = min(cost + lam * (k - 1) for k, cost in best.items())
    assert part.objective == pytest.approx(expected, rel=1e-9, abs=1e-12)
    assert part.check(u, weights) == pytest.approx(expected, rel=1e-9, abs=1e-12)
    assert part.exact
    tied = [k for k, cost in best.items() if cost + lam * (k - 1) <= expected * (1 + 1e-12) + 1e-14]
    assert part.n_clusters in ([min(tied)] if p in (1, 2) else tied)
    for k in range(1, np.unique(ascending(u, weights)[0]).size + 1):
        part = SortedPotts(p=p, n_clusters=k).cut(u, weights)
        assert part.n_clusters == k
        assert part.check(u, weights) == pytest.approx(best[k], rel=1e-9, abs=1e-12)


@pytest.mark.parametrize(("p", "count"), [(1, 800), (2, 800), (1.5, 120), (3, 120)])
def test_no_partition_into_sets_is_better(p, count):
    for u, weights, lam in random_vectors(0, count, 8, p):
        x, w = ascending(u, weights)
        assert_best(u, weights, p, lam, brute_force.best_costs_of_sets(x, w, p))


@pytest.mark.parametrize(
    ("p", "count"), [(1, 500), (2, 500), (1.5, 120), (3, 120), (1.01, 40), (7.5, 40)]
)
def test_no_partition_into_intervals_is_better(p, count):
    for u, weights, lam in random_vectors(1, count, 12, p):
        x, w = ascending(u, weights)
        best = brute_force.best_costs(x, w, p, brute_force.interval_partitions(x.size))
        assert_best(u, weights, p, lam, best)


def test_two_enumerations_of_sets_agree():
    rng = np.random.default_rng(9)
    x, w = rng.normal(size=6), rng.random(6) + 0.1
    for p in (1, 2):
        listed = brute_force.best_costs(x, w, p, brute_force.set_partitions(6))
        assert brute_force.best_costs_of_sets(x, w, p) == pytest.approx(listed, rel=1e-12)


@pytest.mark.parametrize("p", [1, 2, 1.5, 3])
@pytest.mark.parametrize("weighted", [False, True])
def test_equals_the_plain_dynamic_program(p, weighted):
    rng = np.random.default_rng(2)
    u = np.round(rng.normal(size=130) + 4 * rng.integers(0, 3, 130), 2)
    weights = rng.random(130) + 0.1 if weighted else None
    table = brute_force.potts_table(*ascending(u, weights), p)
    for lam in (0.01, 0.1, 1.0, 5.0, 50.0):
        part = SortedPotts(p=p, lam=lam).cut(u, weights)
        assert part.objective == pytest.approx(brute_force.potts_objective(table, lam), rel=1e-10)
    costs = brute_force.potts_costs(table, 30)
    for k in (1, 2, 3, 7, 30):
        part = SortedPotts(p=p, n_clusters=k).cut(u, weights)
        assert part.objective == pytest.approx(costs[k - 1], rel=1e-10)


@pytest.mark.parametrize("p", [1, 2])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("shape", ["mixture", "uniform", "heavy tails", "steps"])
def test_equals_functional_pruning_on_the_sorted_vector(p, weighted, shape):
    """A second algorithm, at sizes where cells are left out round after round."""
    rng = np.random.default_rng(3)
    n = 20_000
    u = {
        "mixture": rng.normal(size=n) + 4 * rng.integers(0, 4, n),
        "uniform": rng.random(n),
        "heavy tails": rng.standard_cauchy(n),
        "steps": np.repeat(rng.normal(size=40), n // 40) + 1e-3 * rng.normal(size=n),
    }[shape]
    u = np.sort(u)
    weights = rng.random(n) + 0.1 if weighted else None
    spread = SortedPotts(p=p, n_clusters=1).cut(u, weights).objective
    for share in (1e-1, 1e-2, 1e-3, 1e-5, 1e-7):
        part = SortedPotts(p=p, lam=share * spread).cut(u, weights)
        other = Potts(p=p, lam=share * spread).cut(u, weights)
        assert part.objective == pytest.approx(other.objective, rel=1e-10)
        assert part.n_clusters == other.n_clusters


@pytest.mark.parametrize("k", [1, 2, 3, 5, 12])
def test_agrees_with_other_libraries(k):
    rng = np.random.default_rng(4)
    u = rng.normal(size=1500) + 3 * rng.integers(0, 4, 1500)
    squared = SortedPotts(p=2, n_clusters=k).cut(u)
    clusters = ckmeans.ckmeans(u, k)
    assert [c.size for c in clusters] == squared.sizes.tolist()
    assert np.array_equal(kmeans1d.cluster(u, k).clusters, squared.labels)
    optimal1dclustering = pytest.importorskip("optimal1dclustering")
    absolute = SortedPotts(p=1, n_clusters=k).cut(u)
    theirs = np.array(optimal1dclustering.cluster(u, k, mode=1).clusters)
    cost = sum(np.abs(u[theirs == c] - np.median(u[theirs == c])).sum() for c in range(k))
    assert absolute.objective == pytest.approx(cost, rel=1e-10)


VECTORS = hnp.arrays(
    np.float64, st.integers(1, 40), elements=st.floats(-100, 100).map(lambda x: round(x, 2))
)
POWERS = st.sampled_from([1, 2])
PENALTIES = st.sampled_from([0.01, 0.3, 2.0, 50.0])


@given(VECTORS, POWERS, PENALTIES)
@example(np.array([0.0, 1.0, 2.0, 1.5]), 2, 0.3)
def test_the_solution_of_sorted_data_is_sorted(u, p, lam):
    """The paper's lemma: contiguous pieces of sorted data ascend, and nothing else is better."""
    contiguous = Potts(p=p, lam=lam).cut(np.sort(u))
    assert (np.diff(contiguous.signal) >= 0).all()
    part = SortedPotts(p=p, lam=lam).cut(u)
    assert part.objective == pytest.approx(contiguous.objective, rel=1e-12)
    assert part.n_clusters == contiguous.n_clusters  # of equally good ones, any may be returned
    assert (np.diff(part.signal[np.argsort(u)]) >= 0).all()


@given(VECTORS, POWERS, PENALTIES, st.randoms(use_true_random=False))
def test_permuting_the_vector_permutes_the_labels(u, p, lam, random):
    order = np.array(random.sample(range(u.size), u.size))
    part = SortedPotts(p=p, lam=lam).cut(u)
    other = SortedPotts(p=p, lam=lam).cut(u[order])
    assert np.array_equal(other.labels, part.labels[order])
    assert other.objective == part.objective


@given(VECTORS, POWERS, PENALTIES, st.integers(-20, 20))
def test_shifting_and_scaling_the_vector_leaves_the_labels(u, p, lam, exponent):
    part = SortedPotts(p=p, lam=lam).cut(u)
    scale = 2.0**exponent
    scaled = SortedPotts(p=p, lam=lam * scale**p).cut(u * scale)
    assert np.array_equal(scaled.labels, part.labels)
    assert scaled.objective == pytest.approx(part.objective * scale**p, rel=1e-12)
    dyadic = np.round(u * 64) / 64  # no digit is lost by the shift
    part = SortedPotts(p=p, lam=lam).cut(dyadic)
    shifted = SortedPotts(p=p, lam=lam).cut(dyadic + 1024.0)
    assert np.array_equal(shifted.labels, part.labels)
    assert shifted.objective == pytest.approx(part.objective, rel=1e-9)


@given(VECTORS, POWERS, PENALTIES, st.data())
def test_a_duplicate_equals_weight_two(u, p, lam, data):
    counts = data.draw(hnp.arrays(np.int64, u.size, elements=st.integers(0, 3)))
    assume(counts.any())
    repeated = SortedPotts(p=p, lam=lam).cut(np.repeat(u, counts))
    weighted = SortedPotts(p=p, lam=lam).cut(u, weights=counts)
    assert weighted.objective == pytest.approx(repeated.objective, rel=1e-12)
    assert np.array_equal(np.repeat(weighted.labels, counts), repeated.labels)
    assert weighted.levels == pytest.approx(repeated.levels)


@given(VECTORS, POWERS, PENALTIES)
def test_equal_values_share_a_cluster_and_boundaries_part_the_others(u, p, lam):
    part = SortedPotts(p=p, lam=lam).cut(u)
    assert np.array_equal(part.labels, np.searchsorted(part.boundaries, u, side="right"))
    assert np.array_equal(part.sizes, np.bincount(part.labels))
    for value in np.unique(u):
        assert np.unique(part.labels[u == value]).size == 1


@given(VECTORS, POWERS, PENALTIES, st.floats(-100, 100))
def test_weightless_points_take_the_nearest_level(u, p, lam, extra):
    part = SortedPotts(p=p, lam=lam).cut(u)
    weights = np.append(np.ones(u.size), 0.0)
    both = SortedPotts(p=p, lam=lam).cut(np.append(u, extra), weights)
    assert np.array_equal(both.labels[:-1], part.labels)
    distance = np.abs(part.levels - extra)
    assert distance[both.labels[-1]] <= distance.min() + 1e-9 * (1 + abs(extra)) or extra in u


@pytest.mark.parametrize("p", [1.0, 2.0])
def test_evaluations_grow_linearly_at_most(p):
    """Pieces of 50 points: no position can be left out. A few pieces: hardly any is left."""
    rng = np.random.default_rng(5)
    many, few = [], []
    for n in (7_000, 21_000, 63_000, 189_000):  # cells are divided in three, so n is tripled
        problem = SortedValues(rng.random(n), p=p)
        cuts = problem.solve(600 / n if p == 1 else 2e4 / n**2)
        assert n / cuts.size == pytest.approx(50, rel=0.3)
        many.append(problem.evaluations / n)
        problem.evaluations = 0
        assert problem.solve((0.02 if p == 1 else 0.001) * n).size in range(2, 6)
        few.append(problem.evaluations)
    assert max(many) < 30
    assert max(many[1:]) < 1.2 * many[0]
    assert few[-1] < 3 * few[0]  # n grew 27-fold


def test_ties_between_objectives_go_to_fewest_clusters():
    # f(1), ..., f(4) = 5, 1, 0.5, 0: with lam = 0.5 two, three and four clusters are equally good.
    assert SortedPotts(lam=0.5).cut([0, 1, 2, 3]).n_clusters == 2
    assert SortedPotts(lam=4.0).cut([0, 1, 2, 3]).n_clusters == 1
    assert SortedPotts(lam=30).cut([0, 0, 5, 5, 5, 20]).n_clusters == 2
    assert sorted_potts_path([1, -1, -1, -4, 4, 2]).at(lam=6).n_clusters == 2


def test_a_number_that_no_penalty_reaches_can_be_given():
    part = SortedPotts(n_clusters=3).cut([0, 1, 2, 3])
    assert part.n_clusters == 3
    assert part.objective == 0.5
    grid = np.arange(40.0)
    for k in range(1, 41):
        sizes = SortedPotts(n_clusters=k).cut(grid).sizes
        assert sizes.size == k
        assert sizes.max() - sizes.min() <= 1


def test_invalid_powers_are_refused():
    for p in (0.5, -1, np.nan, np.inf, "2", None, True, 101):
        with pytest.raises(ValueError, match=r"^p "):
            SortedPotts(p=p, lam=1.0).cut([1.0, 2.0])
