"""Total variation: certified optima, an independent solver, and the edges of its input."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import lsq_linear

from rankone.cuts.total_variation import TotalVariation

LAMS = st.sampled_from([0.0, 1e-3, 0.25, 1.0, 3.0, 20.0, 1e6, 1e300])


@st.composite
def signals(draw, most=30):
    """Draw a signal and its weights: many ties, or none."""
    n = draw(st.integers(1, most))
    value = draw(st.sampled_from([st.integers(-3, 3), st.floats(-100, 100)]))
    weight = draw(st.sampled_from([st.just(1), st.integers(1, 4), st.floats(1e-3, 1e3)]))
    u = draw(st.lists(value, min_size=n, max_size=n))
    w = draw(st.lists(weight, min_size=n, max_size=n))
    return np.array(u, float), np.array(w, float)


def certify(u, w, x, lam):
    """Check that x is optimal: the pull of each prefix is within lam, and all of it at a jump."""
    pull = 2 * np.cumsum(w * (x - u))
    small = 1e-12 * (1 + w.sum() * np.abs(u).max())
    assert np.abs(pull).max() <= lam + small
    assert abs(pull[-1]) <= small
    jump = np.diff(x)
    where = np.flatnonzero(jump)
    np.testing.assert_allclose(pull[where], lam * np.sign(jump[where]), rtol=1e-9, atol=small)


def solve_dual(u, w, lam):
    """Solve min sum w (x - u)^2 + lam |D x|_1 through its dual, least squares in a box."""
    d = np.diff(np.eye(u.size), axis=0)
    root = np.sqrt(w)
    dual = lsq_linear((d / (2 * root)).T, root * u, (-lam, lam), method="bvls", tol=1e-14)
    return u - d.T @ dual.x / (2 * w)


@given(signals(), LAMS)
def test_the_signal_satisfies_the_optimality_conditions(signal, lam):
    u, w = signal
    part = TotalVariation(lam).cut(u, w)
    certify(u, w, part.signal, lam)
    assert part.check(u, w) == pytest.approx(part.objective, rel=1e-9, abs=1e-9)


@given(signals(most=8), st.sampled_from([0.25, 1.0, 3.0, 20.0]))
@settings(max_examples=50)
def test_the_signal_equals_that_of_the_dual_problem(signal, lam):
    u, w = signal
    w = np.clip(w, 0.1, 10)
    if u.size == 1:
        return
    np.testing.assert_allclose(
        TotalVariation(lam).cut(u, w).signal, solve_dual(u, w, lam), atol=1e-6
    )


@given(signals(), LAMS)
def test_pieces_are_runs_of_equal_levels_numbered_by_level(signal, lam):
    u, w = signal
    part = TotalVariation(lam).cut(u, w)
    x = part.signal
    assert (part.penalty, part.p, part.lam, part.exact) == ("variation", 2.0, lam, True)
    assert part.boundaries is None
    np.testing.assert_array_equal(part.breakpoints, np.flatnonzero(np.diff(x)) + 1)
    np.testing.assert_array_equal(np.flatnonzero(np.diff(part.labels)) + 1, part.breakpoints)
    np.testing.assert_array_equal(part.sizes, np.bincount(part.labels))
    first = np.concatenate([[0], part.breakpoints]).astype(int)
    assert np.array_equal(part.labels[first], np.argsort(np.lexsort((first, x[first]))))


@given(st.lists(st.integers(-50, 50), min_size=1, max_size=30), st.sampled_from([0.0, 0.5, 7.0]))
def test_reversing_shifting_and_scaling_the_signal_does_so_with_the_result(u, lam):
    u = np.array(u, float)
    x = TotalVariation(lam).cut(u).signal
    close = {"rtol": 0, "atol": 1e-12}
    np.testing.assert_allclose(TotalVariation(lam).cut(u[::-1]).signal, x[::-1], **close)
    np.testing.assert_allclose(TotalVariation(lam).cut(-u).signal, -x, **close)
    np.testing.assert_allclose(TotalVariation(lam).cut(u + 7.0).signal, x + 7.0, **close)
    np.testing.assert_allclose(TotalVariation(3 * lam).cut(3 * u).signal, 3 * x, rtol=0, atol=1e-11)
    np.testing.assert_array_equal(TotalVariation(1024 * lam).cut(1024 * u).signal, 1024 * x)
    np.testing.assert_array_equal(TotalVariation(8 * lam).cut(u, np.full(u.size, 8)).signal, x)


@given(st.lists(st.tuples(st.integers(-9, 9), st.integers(1, 3)), min_size=1, max_size=15), LAMS)
def test_a_weight_counts_as_repetition(pairs, lam):
    u, w = np.array(pairs, float).T
    repeated = TotalVariation(lam).cut(np.repeat(u, w.astype(int)))
    part = TotalVariation(lam).cut(u, w)
    np.testing.assert_allclose(repeated.signal, np.repeat(part.signal, w.astype(int)), atol=1e-12)
    assert part.objective == pytest.approx(repeated.objective, rel=1e-12, abs=1e-12)


@given(st.lists(st.floats(-10, 10), min_size=1, max_size=40), st.sampled_from([0.0, 0.1, 2.0]))
def test_a_sorted_vector_is_only_clipped(u, lam):
    u = np.sort(u)
    x = TotalVariation(lam).cut(u).signal
    np.testing.assert_array_equal(x, np.clip(u, x[0], x[-1]))
    if x[0] < x[-1]:
        assert 2 * (x[0] - u[u < x[0]]).sum() == pytest.approx(lam, abs=1e-12)


def test_zero_weight_follows_the_last_before_else_the_first_after():
    u, w = [99.0, 0.0, 99.0, 10.0, -99.0], [0, 1, 0, 1, 0]
    part = TotalVariation(2.0).cut(u, w)
    np.testing.assert_array_equal(part.signal, [1, 1, 1, 9, 9])
    np.testing.assert_array_equal(part.breakpoints, [3])
    assert part.objective == 18.0
    assert part.check(u, w) == 18.0


def test_a_solution_known_by_hand():
    part = TotalVariation(2.0).cut([0, 6, 0, 0, 9])
    np.testing.assert_array_equal(part.signal, [1, 4, 1, 1, 8])
    np.testing.assert_array_equal(part.labels, [0, 2, 1, 1, 3])


def test_no_penalty_returns_the_vector():
    u = np.random.default_rng(0).normal(size=100)
    part = TotalVariation(0).cut(u)
    np.testing.assert_array_equal(part.signal, u)
    assert part.objective == 0.0


def test_no_penalty_returns_values_whose_range_is_too_large_for_a_double():
    part = TotalVariation(0).cut([-1.7e308, 1.7e308])
    np.testing.assert_array_equal(part.signal, [-1.7e308, 1.7e308])


def test_an_offset_costs_no_digits():
    small = np.random.default_rng(1).integers(0, 1024, 200) / 1024
    part, shifted = (TotalVariation(0.5).cut(u) for u in (small, small + 1e8))
    np.testing.assert_array_equal(part.labels, shifted.labels)
    np.testing.assert_allclose(shifted.signal - 1e8, part.signal, atol=3e-8)


def test_long_signals_satisfy_the_optimality_conditions():
    u = np.random.default_rng(2).normal(size=100_000)
    for lam in (0.1, 10.0, 1e3):
        certify(u, np.ones(u.size), TotalVariation(lam).cut(u).signal, lam)


@pytest.mark.parametrize("scale", [2.0**-1000, 2.0**-500, 2.0**500])
def test_the_magnitude_of_values_and_weights_does_not_matter(scale):
    u, w = np.array([0.0, 3.0, 1.0, 1.0, 8.0]), np.array([1.0, 2.0, 1.0, 3.0, 1.0])
    x = TotalVariation(2.0).cut(u, w).signal
    np.testing.assert_array_equal(TotalVariation(2.0 * scale).cut(scale * u, w).signal, scale * x)
    np.testing.assert_array_equal(TotalVariation(2.0 * scale).cut(u, scale * w).signal, x)


@pytest.mark.parametrize("w", [None, [13729.2, 41304.1, 4.4e-5, 6.5, 8141.5]])
def test_equal_neighbours_are_never_separated(w):
    part = TotalVariation(1.4e-10).cut([2, -2, -2, -2, 2], w)
    assert part.breakpoints.tolist() == [1, 4]


def test_a_penalty_lost_in_rounding_is_refused():
    u = [1.0, -1e40, 1e-10, -3.0, 2.0]
    with pytest.raises(ValueError, match=r"lam = 0\.5 is too small for values"):
        TotalVariation(0.5).cut(u)
    assert TotalVariation(0).cut(u).signal.tolist() == u


def test_an_objective_too_large_for_a_double_is_refused():
    with pytest.raises(ValueError, match=r"larger than the largest double \(p = 2\); divide u"):
        TotalVariation(1e300).cut([1e300, -1e300, 1e300])
