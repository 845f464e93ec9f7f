"""Cuts of values in buckets: those of sorted values, without a sort."""

import threading

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from rankone import _threads
from rankone.cuts import (
    SortedPotts,
    brute_force,
    bucketed_values,
    buckets,
    chunk,
    curve,
    sorted_potts_path,
)
from rankone.cuts.bucketed_values import BucketedValues, SortInstead
from rankone.cuts.in_memory import InMemory
from rankone.cuts.sorted_values import SortedValues


@pytest.fixture
def few_buckets(monkeypatch):
    """Use buckets for small vectors too, and a few of them, whatever is gathered."""
    use_few_buckets(monkeypatch, 16)


def use_few_buckets(monkeypatch, n_buckets):
    monkeypatch.setattr(bucketed_values, "FEWEST", 4)
    monkeypatch.setattr(bucketed_values, "FEWEST_ABSOLUTE", 4)
    monkeypatch.setattr(bucketed_values, "FEWEST_PATH", 4)
    monkeypatch.setattr(buckets, "PER_BUCKET", 1)
    monkeypatch.setattr(buckets, "MOST_BUCKETS", n_buckets)
    monkeypatch.setattr(buckets, "_GATHERED", 2.0)
    monkeypatch.setattr(buckets, "_IN_TAILS", 1.0)
    monkeypatch.setattr(bucketed_values, "_CLUSTERS", 0.5)
    monkeypatch.setattr(buckets, "_DISTINCT", 0.0)
    monkeypatch.setattr(bucketed_values, "_LEAST_WIDTH", 2.0**-5)


def distributions(n):
    rng = np.random.default_rng(n)
    return {
        "mixture": rng.normal(size=n) + 4 * rng.integers(0, 5, n),
        "tight": 0.25 * rng.normal(size=n) + 4 * rng.integers(0, 5, n),
        "uniform": rng.random(n),
        "Cauchy": rng.standard_cauchy(n),
        "lognormal": rng.lognormal(0, 2, n),
        "integers": rng.poisson(50, n).astype(float),
        "half zeros": np.where(rng.random(n) < 0.5, 0.0, rng.normal(size=n)),
        "offset": 1e8 + rng.normal(size=n),
        "negative offset": -1e8 - rng.random(n),
        "ascending": np.arange(n) / 7,
        "constant": np.full(n, 3.5),
        "two values": rng.integers(0, 2, n) * 0.1,
        "near zero": 1e-9 * rng.normal(size=n) + (rng.random(n) < 0.01),
        "denormal": 5e-324 * rng.integers(0, 1000, n),
    }


def bucketed(u, weights, p, lam):
    """Return the partition that buckets give, or None if the values would be sorted."""
    try:
        problem = BucketedValues(InMemory(u, weights), p)
        return problem.partition(problem.solve(lam), lam)
    except SortInstead:
        return None


def assert_same(part, expected):
    assert np.array_equal(part.labels, expected.labels)
    assert np.array_equal(part.sizes, expected.sizes)
    assert part.levels == pytest.approx(expected.levels, rel=1e-12, abs=1e-12)
    assert part.objective == pytest.approx(expected.objective, rel=1e-11)


@pytest.mark.parametrize("p", [1.0, 2.0])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("name", distributions(4))
def test_labels_are_those_of_sorted_values(name, p, weighted, monkeypatch):
    use_few_buckets(monkeypatch, 200)
    n = 5000
    u = distributions(n)[name]
    weights = np.random.default_rng(0).integers(0, 3, n) + 0.5 * (u > 0) if weighted else None
    values = SortedValues(u, weights, p)
    for share in (0.3, 1e-2, 1e-3, 1e-4):
        lam = share * values.units.cost_out(values.one_piece)
        part = bucketed(u, weights, p, lam)
        if part is None:
            continue
        expected = values.partition(values.solve(lam), lam)
        if name == "ascending":  # evenly spaced: several partitions are equally good
            assert part.n_clusters == expected.n_clusters
            assert part.objective == pytest.approx(expected.objective, rel=1e-13)
        else:
            assert_same(part, expected)
        part.check(u, weights)


@pytest.mark.parametrize("p", [1.0, 2.0])
def test_most_distributions_need_no_sort(p, monkeypatch):
    use_few_buckets(monkeypatch, 200)
    names = []
    for name, u in distributions(5000).items():
        values = SortedValues(u, None, p)
        lam = 0.01 * values.units.cost_out(values.one_piece)
        if bucketed(u, None, p, lam) is not None:
            names.append(name)
    assert {"mixture", "tight", "uniform", "Cauchy", "lognormal", "half zeros", "ascending"} <= {
        *names
    }


@given(
    hnp.arrays(
        np.float64,
        st.integers(4, 60),
        elements=st.floats(-100, 100).map(lambda x: round(x, 2)),
    ),
    st.sampled_from([1.0, 2.0]),
    st.sampled_from([0.01, 0.3, 2.0, 50.0, 1e4]),
    st.sampled_from([2, 3, 5, 16]),
)
def test_small_vectors_in_few_buckets(u, p, lam, n_buckets):
    with pytest.MonkeyPatch.context() as monkeypatch:
        use_few_buckets(monkeypatch, n_buckets)
        part = bucketed(u, None, p, lam)
    if part is not None:
        values = SortedValues(u, None, p)
        expected = values.partition(values.solve(lam), lam)
        assert part.objective == pytest.approx(expected.objective, rel=1e-12)
        assert part.n_clusters == expected.n_clusters
        assert part.check(u) == pytest.approx(part.objective, rel=1e-12)


@pytest.mark.parametrize("p", [1, 2])
def test_paths_and_numbers_of_clusters_are_exact(p, few_buckets, monkeypatch):
    rng = np.random.default_rng(5)
    u = np.round(rng.normal(size=120) + 4 * rng.integers(0, 3, 120), 2)
    x, counts = np.unique(u, return_counts=True)
    table = brute_force.potts_table(x, counts.astype(float), p)
    monkeypatch.setattr(curve, "_PATIENCE", 1e9)  # layers would sort
    solutions = sorted_potts_path(u, p=p, max_clusters=6)
    assert solutions.cost == pytest.approx(brute_force.potts_costs(table, 6), rel=1e-12)
    assert solutions.n_distinct == x.size
    values, weights, cuts = solutions.distinct()
    assert np.array_equal(values, x)
    assert np.array_equal(weights, counts)
    for k, own in enumerate(cuts, start=1):
        part = SortedPotts(p=p, n_clusters=k).cut(u)
        assert not part._was_sorted
        assert np.array_equal(part.labels, np.searchsorted(own, np.searchsorted(x, u), "right"))
        assert np.array_equal(part.labels, solutions.at(n_clusters=k).labels)


@pytest.mark.parametrize("p", [1, 2])
@pytest.mark.parametrize("weighted", [False, True])
def test_the_vector_is_never_sorted(p, weighted, monkeypatch):
    monkeypatch.setattr(bucketed_values, "FEWEST_ABSOLUTE", 2**15)
    monkeypatch.setattr(bucketed_values, "FEWEST", 2**15)
    rng = np.random.default_rng(6)
    n = 200_000
    u = rng.normal(size=n) + 4 * rng.integers(0, 5, n)
    weights = rng.random(n) + 0.5 if weighted else None
    values = SortedValues(u, weights, float(p))
    expected = values.partition(values.solve(0.2 * n), 0.2 * n)
    for name in ("sort", "argsort", "unique", "partition", "argpartition", "lexsort"):
        original = getattr(np, name)

        def limited(a, *arguments, original=original, **options):
            assert np.size(a) < n // 4
            return original(a, *arguments, **options)

        monkeypatch.setattr(np, name, limited)
    part = SortedPotts(p=p, lam=0.2 * n).cut(u, weights)
    assert not part._was_sorted
    assert_same(part, expected)


@pytest.mark.parametrize("p", [1, 2])
@pytest.mark.parametrize("weights", ["none", "positive", "with zeros"])
def test_results_do_not_depend_on_the_number_of_threads(p, weights, monkeypatch):
    use_few_buckets(monkeypatch, 200)
    monkeypatch.setattr(_threads, "PART", 700)
    rng = np.random.default_rng(7)
    u = rng.normal(size=5000) + 4 * rng.integers(0, 5, 5000)
    w = {"none": None, "positive": rng.random(5000), "with zeros": rng.integers(0, 3, 5000)}[
        weights
    ]
    parts = []
    for number in (1, 2, 5):
        with _threads.threads(number):
            parts.append(SortedPotts(p=p, n_clusters=7).cut(u, w))
    for part in parts[1:]:
        assert not part._was_sorted
        assert np.array_equal(part.labels, parts[0].labels)
        assert np.array_equal(part.levels, parts[0].levels)
        assert part.objective == parts[0].objective
    parts[0].check(u, w)


def test_large_vectors_are_divided_among_threads(monkeypatch):
    names = set()
    add_up = chunk.Chunk.add_up

    def watched(*arguments):
        names.add(threading.current_thread().name)
        barrier.wait()
        return add_up(*arguments)

    barrier = threading.Barrier(2, timeout=60)
    monkeypatch.setattr(chunk.Chunk, "add_up", watched)
    monkeypatch.setattr(_threads, "PART", 2**19)
    u = np.random.default_rng(8).normal(size=2**20)
    with _threads.threads(2):
        assert not SortedPotts(lam=0.1 * u.size).cut(u)._was_sorted
    assert len(names) == 2
    assert threading.current_thread().name not in names


@pytest.mark.parametrize("n", [0, 1, 10, 2**20, 2**20 + 1, 10**7, 10**9])
def test_parts_cover_a_vector(n):
    parts = _threads.slices(n)
    assert [part.start for part in parts] == [0, *(part.stop for part in parts)][: len(parts)]
    assert not parts or parts[-1].stop == n
    assert len(parts) == min(-(-n // _threads.PART), _threads.MOST_PARTS)
