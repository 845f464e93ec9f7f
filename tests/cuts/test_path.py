"""The path of solutions: costs, penalties, partitions, and the number of problems solved."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from rankone.cuts import SortedPotts, brute_force, sorted_potts_path


def vectors():
    rng = np.random.default_rng(0)
    return {
        "mixture": rng.normal(size=400) + 5 * rng.integers(0, 4, 400),
        "grid": np.arange(100.0),
        "ties": rng.integers(0, 30, 500).astype(float),
        "two points": np.array([0.0, 1.0]),
        "one point": np.array([3.0]),
        "powers": 2.0 ** np.arange(60),
    }


@pytest.mark.parametrize("name", vectors())
@pytest.mark.parametrize(("p", "most"), [(1, 130), (2, 130), (1.5, 40), (3, 40)])
@pytest.mark.parametrize("weighted", [False, True])
def test_costs_are_those_of_the_plain_dynamic_program(name, p, most, weighted):
    values, counts = np.unique(vectors()[name], return_counts=True)
    values, weights = values[:most], counts[:most].astype(float)
    if weighted:
        weights = np.random.default_rng(3).random(values.size) + 0.05
    path = sorted_potts_path(values, p=p, max_clusters=25, weights=weights)
    expected = brute_force.potts_costs(brute_force.potts_table(values, weights, p), len(path))
    assert path.cost == pytest.approx(expected, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("name", vectors())
@pytest.mark.parametrize("p", [1, 2, 3])
def test_every_penalty_gives_what_the_cut_gives(name, p):
    u = vectors()[name][:60]
    path = sorted_potts_path(u, p=p, max_clusters=64)
    assert (np.diff(path.cost) <= 0).all()
    assert (np.diff(path.lam) <= 0).all()
    for k, (low, high) in zip(path.n_clusters, path.intervals, strict=True):
        if high <= low * (1 + 1e-9):
            continue  # no penalty chooses this number
        for lam in (
            low * (1 + 1e-9),
            math.sqrt(low * high) if low > 0 and high < math.inf else low,
        ):
            part = path.at(lam=lam)
            other = SortedPotts(p=p, lam=lam).cut(u)
            assert part.n_clusters == k
            assert part.objective == pytest.approx(other.objective, rel=1e-9)


def test_at_a_breakpoint_the_fewest_clusters_are_chosen():
    path = sorted_potts_path([0, 1, 2, 3], max_clusters=4)
    assert path.cost == pytest.approx([5, 1, 0.5, 0])
    assert path.lam == pytest.approx([4, 0.5, 0.5, 0])
    assert path.at(lam=4.0).n_clusters == 1
    assert path.at(lam=0.5).n_clusters == 2
    assert path.at(lam=0.49).n_clusters == 4
    assert path.at(n_clusters=3).objective == 0.5


@pytest.mark.parametrize("p", [1, 2])
@pytest.mark.parametrize("shape", ["normal", "uniform", "grid", "cauchy", "clusters", "integers"])
@pytest.mark.parametrize("max_clusters", [2, 10, 40])
def test_about_one_problem_is_solved_for_each_vertex(p, shape, max_clusters):
    rng = np.random.default_rng(1)
    n = 5000
    u = {
        "normal": rng.normal(size=n),
        "uniform": rng.random(n),
        "grid": np.arange(float(n)),
        "cauchy": rng.standard_cauchy(n),
        "clusters": np.repeat(np.arange(5.0), n // 5) + 1e-6 * rng.normal(size=n),
        "integers": rng.poisson(50, n).astype(float),
    }[shape]
    path = sorted_potts_path(u, p=p, max_clusters=max_clusters)
    vertices = np.unique(path.lam).size
    assert path.n_solves <= 2 * vertices + math.log2(n)


@given(
    hnp.arrays(np.float64, st.integers(1, 10), elements=st.integers(-20, 20).map(float)),
    st.sampled_from([1, 2]),
)
def test_paths_of_small_vectors_are_right(u, p):
    path = sorted_potts_path(u, p=p, max_clusters=10)
    x = np.sort(u)
    best = brute_force.best_costs(x, np.ones(x.size), p, brute_force.interval_partitions(x.size))
    assert len(path) == np.unique(u).size
    for k in path.n_clusters.tolist():
        assert path.cost[k - 1] == pytest.approx(best[k], rel=1e-10, abs=1e-12)
        part = path.at(n_clusters=k)
        assert part.n_clusters == k
        assert part.check(u) == pytest.approx(best[k], rel=1e-10, abs=1e-12)


def test_layers_do_not_let_rounding_decide_on_light_values():
    u = [3.0, 2.50002183209451, 0.0, 2.0, 3.0, 0.4999999999930858]
    u += [2.0, 1.0, 0.0, 1.0, 2.0, 2.0]
    w = [5.013373215323751e-11, 0.0010212269974569808, 0.0122408709168771, 5.691768452998433e-09]
    w += [3.3509724267090446e-11, 2.0344864213809316e-11, 2.442597426006824e-11]
    w += [0.02603734585995439, 2.790971364754463e-11, 0.44437967460450134]
    w += [0.0026987253612728353, 0.004082136440932708]
    part = SortedPotts(p=1, n_clusters=5).cut(u, w)
    assert part.objective == pytest.approx(w[5] * u[5], rel=1e-12, abs=0)  # not w[5] (1 - u[5])


def test_the_path_keeps_its_vector():
    u = np.array([1.0, 2.0, 10.0])
    path = sorted_potts_path(u, max_clusters=2)
    u[:] = 0.0
    assert path.at(n_clusters=2).labels.tolist() == [0, 0, 1]


def test_weights_count():
    u, weights = np.array([0.0, 1.0, 2.0, 10.0]), np.array([5.0, 1.0, 5.0, 0.0])
    path = sorted_potts_path(u, max_clusters=9, weights=weights)
    assert len(path) == 3
    assert path.at(n_clusters=2).labels.tolist() in ([0, 0, 1, 1], [0, 1, 1, 1])
    assert path.cost[1] == pytest.approx(5 / 6)


def test_what_is_not_on_the_path_is_refused():
    path = sorted_potts_path(np.arange(10.0), max_clusters=3)
    with pytest.raises(ValueError, match="the number of clusters on this path is 3"):
        path.at(n_clusters=4)
    with pytest.raises(ValueError, match="raise max_clusters"):
        path.at(lam=0.0)
    with pytest.raises(ValueError, match="exactly one"):
        path.at()
    with pytest.raises(ValueError, match="exactly one"):
        path.at(n_clusters=2, lam=1.0)
    with pytest.raises(ValueError, match=r"^max_clusters must be a whole number"):
        sorted_potts_path([1.0], max_clusters=0)
