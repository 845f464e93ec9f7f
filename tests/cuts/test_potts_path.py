"""The path of contiguous Potts, against all numbers of pieces and against single penalties."""

import numpy as np
import pytest

from rankone import Potts, potts_path
from rankone.cuts import brute_force


def signals(seed):
    """Yield small signals with ties, with weights and without."""
    rng = np.random.default_rng(seed)
    for trial in range(60):
        n = int(rng.integers(1, 15))
        u = (rng.normal(size=n) if trial % 3 == 0 else rng.integers(-4, 5, n)).astype(float)
        yield u, rng.random(n) + 0.1 if trial % 2 else None


def best_costs(u, weights, p):
    """Return the least costs of 1, 2, ... pieces, the slow and obvious way."""
    w = np.ones(u.size) if weights is None else weights
    return brute_force.potts_costs(brute_force.potts_table(u, w, p), u.size)


@pytest.mark.parametrize("p", [1, 2])
def test_every_penalty_has_its_best_partition_on_the_path(p):
    for u, weights in signals(p):
        path = potts_path(u, p, weights=weights)
        costs = best_costs(u, weights, p)
        for lam in np.concatenate([path.lam, path.lam * 1.5, [0.0, 0.01, 0.3, 2.0, 50.0]]):
            part = path.at(lam)
            expected = (costs + lam * np.arange(u.size)).min()
            assert part.check(u, weights) == pytest.approx(expected, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("p", [1, 2])
def test_the_path_has_no_partition_that_no_penalty_chooses(p):
    for u, weights in signals(p + 10):
        path = potts_path(u, p, weights=weights)
        low, high = path.intervals.T
        assert (low < high).all()
        between = np.where(np.isinf(high), 2 * low + 1, (low + high) / 2)
        for k, lam in zip(path.n_clusters, between, strict=True):
            assert Potts(p, lam).cut(u, weights).n_clusters == k


def test_costs_of_the_path_are_on_the_lower_hull_of_all_numbers():
    rng = np.random.default_rng(3)
    skipped = 0
    for _ in range(40):
        u = rng.integers(-4, 5, 12).astype(float)
        path, costs = potts_path(u), best_costs(u, None, 2)
        hull = np.interp(np.arange(1, 13), path.n_clusters, path.cost)
        assert path.cost == pytest.approx(costs[path.n_clusters - 1])
        assert (costs >= hull - 1e-9).all()
        skipped += len(path) < path.n_clusters[-1]
    assert skipped > 10  # f is not convex


def test_a_path_that_ends_early_is_the_beginning_of_the_whole():
    u = np.random.default_rng(0).normal(size=200) + np.repeat([0.0, 4.0, 1.0, 8.0], 50)
    whole, beginning = potts_path(u, max_clusters=200), potts_path(u, max_clusters=5)
    assert beginning.n_clusters[-1] <= 5
    assert beginning.n_clusters == pytest.approx(whole.n_clusters[: len(beginning)])
    assert beginning.lam == pytest.approx(whole.lam[: len(beginning)])
    with pytest.raises(ValueError, match="raise max_clusters"):
        beginning.at(lam=beginning.lam[-1] / 2)


def test_agrees_with_ruptures_at_every_penalty_between():
    ruptures = pytest.importorskip("ruptures")
    rng = np.random.default_rng(1)
    u = np.repeat([0.0, 3.0, 1.0, 6.0], 25) + rng.normal(size=100)
    path = potts_path(u, max_clusters=12)
    search = ruptures.Pelt(model="l2", min_size=1, jump=1).fit(u)
    for low, high in path.intervals[1:]:
        theirs = search.predict(pen=(low + high) / 2)[:-1]
        assert path.at((low + high) / 2).breakpoints.tolist() == theirs
