"""Potts against enumeration, the plain dynamic program, and other libraries."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from rankone.cuts import Potts, brute_force, potts_partitions

POWERS = st.sampled_from([1, 2])
PENALTIES = st.sampled_from([0.01, 0.3, 2.0, 50.0])
SIGNALS = hnp.arrays(
    np.float64, st.integers(1, 40), elements=st.floats(-100, 100).map(lambda x: round(x, 1))
)


def steps(n, piece, seed=0, noise=1.0):
    """Return a noisy staircase of pieces of about one length."""
    rng = np.random.default_rng(seed)
    levels = 5.0 * rng.normal(size=n // piece + 1)
    return np.repeat(levels, piece)[:n] + noise * rng.normal(size=n)


def runs(u, weights):
    """Return the points of positive weight, and their weights."""
    w = np.ones(u.size) if weights is None else weights
    return u[w > 0], w[w > 0]


@pytest.mark.parametrize("p", [1, 2])
def test_no_other_partition_is_better(p):
    """On small signals of every unpleasant kind, for all penalties and all numbers of pieces."""
    rng = np.random.default_rng(p)
    for trial in range(250):
        n = int(rng.integers(1, 11))
        u = (rng.normal(size=n) if trial % 4 == 0 else rng.integers(-3, 4, n) / 2).astype(float)
        weights = [None, rng.integers(0, 4, n).astype(float), rng.random(n) + 0.05][trial % 3]
        if weights is not None and not weights.any():
            weights[0] = 1.0
        x, w = runs(u, weights)
        best = brute_force.best_costs(x, w, p, brute_force.interval_partitions(x.size))
        for lam in (0.0, 0.1, 0.25, 0.5, 1.0, 2.0, 20.0):
            part = Potts(p=p, lam=lam).cut(u, weights)
            objective = {k: cost + lam * (k - 1) for k, cost in best.items()}
            expected = min(objective.values())
            assert part.check(u, weights) == pytest.approx(expected, rel=1e-9, abs=1e-12)
            tied = [k for k, x in objective.items() if x <= expected * (1 + 1e-14) + 1e-15]
            assert part.n_clusters == min(tied)
            assert part.exact
        for k in range(1, 2 + np.count_nonzero(np.diff(x))):
            part = Potts(p=p, n_clusters=k).cut(u, weights)
            assert part.n_clusters == k
            assert part.check(u, weights) == pytest.approx(best[k], rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("p", [1, 2])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("piece", [3, 40, 200])
def test_equals_the_plain_dynamic_program(p, weighted, piece):
    u = np.round(steps(200, piece), 2)
    weights = np.random.default_rng(1).random(200) + 0.1 if weighted else None
    table = brute_force.potts_table(*runs(u, weights), p)
    for lam in (0.01, 0.3, 2.0, 10.0, 100.0, 1e4):
        part = Potts(p=p, lam=lam).cut(u, weights)
        assert part.objective == pytest.approx(brute_force.potts_objective(table, lam), rel=1e-10)
    costs = brute_force.potts_costs(table, 12)
    for k in (1, 2, 5, 12):
        part = Potts(p=p, n_clusters=k).cut(u, weights)
        assert part.objective == pytest.approx(costs[k - 1], rel=1e-10)


@pytest.mark.parametrize("lam", [0.5, 5.0, 50.0])
@pytest.mark.parametrize("piece", [10, 300])
def test_agrees_with_other_libraries(lam, piece):
    pottslab, ruptures = (pytest.importorskip(name) for name in ("pottslab", "ruptures"))
    u = steps(1500, piece)
    squared = Potts(p=2, lam=lam).cut(u)
    detector = ruptures.KernelCPD(kernel="linear", min_size=1, jump=1).fit(u)
    assert squared.breakpoints.tolist() == detector.predict(pen=lam)[:-1]
    np.testing.assert_allclose(squared.signal, pottslab.min_l2_potts(u, lam), atol=1e-9)
    absolute = Potts(p=1, lam=lam).cut(u)
    theirs = pottslab.min_l1_potts(u, lam)[0]
    energy = np.abs(theirs - u).sum() + lam * np.count_nonzero(np.diff(theirs))
    assert absolute.objective == pytest.approx(energy, rel=1e-10)


@pytest.mark.parametrize("lam", [2.0, 20.0])
def test_agrees_with_another_library_on_weights(lam):
    pottslab = pytest.importorskip("pottslab")
    u, w = steps(300, 30), np.random.default_rng(2).random(300) + 0.1
    theirs = pottslab.min_l2_potts(u, lam, weights=w)
    np.testing.assert_allclose(Potts(lam=lam).cut(u, w).signal, theirs, atol=1e-9)
    theirs = pottslab.min_l1_potts(u, lam, weights=w)[0]
    energy = (w * np.abs(theirs - u)).sum() + lam * np.count_nonzero(np.diff(theirs))
    assert Potts(p=1, lam=lam).cut(u, w).objective == pytest.approx(energy, rel=1e-10)


@given(SIGNALS, POWERS, PENALTIES)
def test_pieces_are_numbered_by_level_then_by_position(u, p, lam):
    part = Potts(p=p, lam=lam).cut(u)
    assert part.boundaries is None
    assert np.array_equal(np.flatnonzero(np.diff(part.labels)) + 1, part.breakpoints)
    first = np.concatenate([[0], part.breakpoints]).astype(int)
    levels = part.signal[first]
    assert np.array_equal(part.labels[first], np.argsort(np.lexsort((first, levels))))
    assert np.array_equal(part.sizes, np.bincount(part.labels))
    assert (np.diff(part.levels) >= 0).all()


@given(SIGNALS, POWERS, PENALTIES)
def test_reversing_the_signal_reverses_the_pieces(u, p, lam):
    part, other = Potts(p=p, lam=lam).cut(u), Potts(p=p, lam=lam).cut(u[::-1])
    assert other.objective == pytest.approx(part.objective, rel=1e-12)


@given(SIGNALS, POWERS, PENALTIES, st.integers(-20, 20))
def test_shifting_and_scaling_the_signal_leaves_the_pieces(u, p, lam, exponent):
    part = Potts(p=p, lam=lam).cut(u)
    scale = 2.0**exponent
    scaled = Potts(p=p, lam=lam * scale**p).cut(-u * scale)
    assert scaled.objective == pytest.approx(part.objective * scale**p, rel=1e-9)
    shifted = Potts(p=p, lam=lam).cut(u + 1024.0)
    assert shifted.objective == pytest.approx(part.objective, rel=1e-9)


@given(SIGNALS, POWERS, PENALTIES, st.data())
def test_a_repeated_neighbour_equals_a_weight(u, p, lam, data):
    counts = data.draw(hnp.arrays(np.int64, u.size, elements=st.integers(0, 3)))
    assume(counts.any())
    repeated = Potts(p=p, lam=lam).cut(np.repeat(u, counts))
    weighted = Potts(p=p, lam=lam).cut(u, weights=counts)
    assert weighted.objective == pytest.approx(repeated.objective, rel=1e-9, abs=1e-12)
    assert weighted.n_clusters == repeated.n_clusters


@given(SIGNALS, POWERS)
def test_more_pieces_never_cost_more(u, p):
    most = 1 + np.count_nonzero(np.diff(u))
    costs = [Potts(p=p, n_clusters=k).cut(u).objective for k in range(1, most + 1)]
    together = potts_partitions(u, p, max_clusters=most + 3)
    assert [part.objective for part in together] == costs
    assert [part.n_clusters for part in together] == list(range(1, most + 1))
    assert (np.diff(costs) <= 1e-9 * (1 + costs[0])).all()
    assert costs[-1] == 0.0


def test_a_point_without_weight_goes_to_the_nearer_piece_beside_it():
    part = Potts(lam=1.0).cut([0.0, 0.0, 1.0, 9.0, 10.0, 10.0], [1, 1, 0, 0, 1, 1])
    assert part.signal.tolist() == [0, 0, 0, 10, 10, 10]
    assert part.breakpoints.tolist() == [3]
    assert part.objective == 1.0
    part = Potts(lam=1.0).cut([0.0, 0.0, 9.0, 2.0, 9.0, 10.0, 10.0], [1, 1, 0, 0, 0, 1, 1])
    assert part.signal.tolist() == [0, 0, 10, 10, 10, 10, 10]


def test_ties_go_to_fewest_pieces():
    assert Potts(lam=0.5).cut([0.0, 1.0]).n_clusters == 1
    assert Potts(p=1, lam=1.0).cut([0.0, 1.0]).n_clusters == 1
    assert Potts(p=1, lam=2.0).cut([0.0, 1.0, 1.0, 0.0, 0.0]).n_clusters == 1
    assert Potts(p=1, lam=0.5).cut([0, 1, 0]).n_clusters == 1
    assert Potts(lam=24).cut([9, 0, 6, 12]).n_clusters == 2


@pytest.mark.parametrize("p", [1, 2])
def test_long_signals_are_cut_where_they_jump(p):
    n = 100_000
    for piece in (100, n // 10):
        u = steps(n, piece, noise=0.1)
        part = Potts(p=p, lam=5.0).cut(u)
        truth = np.arange(piece, n, piece)
        assert np.isin(part.breakpoints, truth).mean() > 0.98
        assert part.n_clusters == pytest.approx(n / piece, rel=0.05)


@pytest.mark.parametrize("p", [0, 1.5, 3, "2", None, True, np.ones(2)])
def test_other_powers_are_refused(p):
    with pytest.raises(ValueError, match=r"^p must be "):
        Potts(p=p, lam=1.0).cut([1.0, 2.0])
