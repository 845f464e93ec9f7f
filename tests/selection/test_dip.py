"""The dip against two independent solvers, its symmetries, and its p-values against simulation."""

import time

import diptest
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from benchmarks.dip_null import uniform_dips
from rankone.selection import dip_test
from rankone.selection._dip_null import QUANTILES, SIZES, T
from rankone.selection.dip import _p_value, dip
from tests.selection.unimodal import dip_by_linear_programming

VALUES = st.one_of(st.integers(-4, 4).map(float), st.floats(-100, 100).map(lambda x: round(x, 6)))


def samples(least, most):
    return hnp.arrays(np.float64, st.integers(least, most), elements=VALUES)


@given(samples(1, 9))
def test_equals_linear_programming(values):
    assert dip(values) == pytest.approx(dip_by_linear_programming(values), abs=1e-9)


@given(samples(3, 60))
def test_equals_diptest(values):
    assert dip(values) == pytest.approx(diptest.dipstat(values), abs=1e-12)


@pytest.mark.parametrize("n", [100, 3000, 100_000])
def test_equals_diptest_on_longer_samples(n):
    rng = np.random.default_rng(n)
    gauss = rng.normal(size=n)
    for values in (
        gauss,
        rng.random(n),
        rng.exponential(size=n),
        rng.standard_cauchy(n),
        rng.integers(0, 50, n).astype(float),
        np.where(rng.random(n) < 0.3, gauss, 4 + gauss / 2),
        np.round(gauss + 5 * rng.integers(0, 4, n), 1),
    ):
        assert dip(values) == pytest.approx(diptest.dipstat(values), rel=1e-9)


@given(samples(1, 40))
def test_lies_between_half_a_point_and_a_quarter(values):
    if np.unique(values).size == 1:
        assert dip(values) == 0
    else:
        assert 1 / (2 * values.size) <= dip(values) <= 0.25 + 1e-12


@given(samples(2, 40), st.floats(-1e3, 1e3), st.floats(1e-3, 1e3), st.randoms())
def test_depends_neither_on_location_scale_direction_nor_order(values, shift, scale, random):
    moved = values * scale + shift
    assume(np.unique(moved).size == np.unique(values).size)
    order = random.sample(range(values.size), values.size)
    assert dip(values[order]) == dip(values)
    assert dip(-values) == pytest.approx(dip(values), abs=1e-12)
    assert dip(moved) == pytest.approx(dip(values), abs=1e-6)


@pytest.mark.parametrize("exponent", [-1000, -500, 500, 1020])
def test_extreme_magnitudes_do_not_matter(exponent):
    values = np.random.default_rng(0).normal(size=200)
    result, scaled = dip_test(values), dip_test(np.ldexp(values, exponent))
    assert (scaled.statistic, scaled.p_value) == (result.statistic, result.p_value)
    assert scaled.valley == np.ldexp(result.valley, exponent)


def test_a_large_offset_does_not_matter():
    values = np.random.default_rng(0).integers(0, 1000, 300)
    assert dip(values + 2.0**50) == dip(values)


def test_unequal_gaps_take_few_rounds():
    """Gaps that shrink geometrically give up few points in each round."""
    times = []
    for decay in (1e-9, 600 / 200_000):
        values = np.exp(-decay * np.arange(200_000))
        dip(values)
        started = time.perf_counter()
        assert dip(values) == pytest.approx(1 / 400_000)
        times.append(time.perf_counter() - started)
    assert times[1] < 100 * times[0]


def test_a_million_values_take_a_few_times_as_long_as_copying_them_in_order():
    values = np.random.default_rng(0).normal(size=1_000_000)
    dip(values)
    ratios = []
    for _ in range(3):
        started = time.perf_counter()
        dip(values)
        ours = time.perf_counter() - started
        started = time.perf_counter()
        np.sort(values, kind="heapsort")
        ratios.append(ours / (time.perf_counter() - started))
    assert min(ratios) < 3


@pytest.mark.parametrize("n", [4, 5, 7, 11, 16, 23, 60, 130, 700])
@pytest.mark.parametrize("level", [0.5, 0.05, 0.01])
def test_the_p_value_is_that_of_uniform_samples(n, level):
    draws = min(200_000, 40_000_000 // n)
    dips = np.sort(uniform_dips(np.random.default_rng([8, n]), n, draws))
    critical = np.quantile(dips, 1 - level)
    share = np.mean(dips >= critical)
    noise = 3 * np.sqrt((1 - share) / (share * draws))
    assert _p_value(critical, n) == pytest.approx(share, rel=0.05 + noise)


def test_p_values_agree_with_those_of_diptest():
    """Its table was simulated independently, for up to 72000 values."""
    for n in (5, 8, 18, 35, 90, 300, 800, 3000, 12_000, 60_000):
        for t in (0.8, 1.2, 1.73, 2.14):
            values_at = np.interp(t, T, QUANTILES[np.searchsorted(SIZES, n)])
            statistic = values_at / np.sqrt(n)
            theirs = diptest.dip_pval(statistic, n)
            assert _p_value(statistic, n) == pytest.approx(theirs, rel=0.1)


def test_p_values_go_smoothly_to_infinitely_many_values():
    for scaled in (0.35, 0.45, 0.55, 0.7):
        sizes = np.geomspace(300, 1e12, 200)
        p = np.array([_p_value(scaled / np.sqrt(n), n) for n in sizes])
        assert np.abs(np.diff(np.log(p))).max() < 0.02
        assert p[-1] == pytest.approx(_p_value(scaled / 1e9, 10**18), rel=1e-3)


@pytest.mark.parametrize("n", [4, 10, 37, 1000, 10**6])
def test_larger_dips_have_smaller_p_values(n):
    dips = np.linspace(0, 0.25, 2000)
    p = np.array([_p_value(x, n) for x in dips])
    assert p[0] == 1
    assert (np.diff(p) <= 0).all()
    assert p[-1] < 0.1


@pytest.mark.parametrize("values", [[3.0], [1.0, 2.0], [1.0, 2.0, 9.0], [5.0] * 30])
def test_too_few_values_never_reject_unimodality(values):
    assert dip_test(values).p_value == 1


@pytest.mark.parametrize("law", ["normal", "uniform", "exponential"])
@pytest.mark.parametrize("n", [100, 1000, 10_000])
def test_one_mode_is_rarely_rejected(law, n):
    rng = np.random.default_rng([1, n])
    p = [dip_test(getattr(rng, law)(size=n)).p_value for _ in range(400)]
    # 95 % with an allowance of two standard errors, which the uniform law may need.
    assert np.mean(np.array(p) > 0.05) >= 0.95 - 2 * np.sqrt(0.05 * 0.95 / 400)


def test_two_groups_are_nearly_always_recognised():
    rng = np.random.default_rng(2)
    p = [dip_test(rng.normal(size=200) + 4 * (np.arange(200) < 100)).p_value for _ in range(300)]
    assert np.mean(np.array(p) < 0.01) >= 0.99


@pytest.mark.parametrize("share", [0.2, 0.5, 0.8])
def test_the_valley_is_between_the_groups(share):
    rng = np.random.default_rng(3)
    for _ in range(100):
        values = rng.normal(size=300) + 6 * (np.arange(300) < share * 300)
        assert 1.5 < dip_test(values).valley < 4.5


def test_the_valley_of_equal_values_is_not_defined():
    assert np.isnan(dip_test([2.0, 2.0]).valley)


@given(samples(2, 40))
@settings(max_examples=50)
def test_the_valley_is_within_the_values(values):
    assume(np.unique(values).size > 1)
    assert values.min() < dip_test(values).valley < values.max()


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([], "values is empty; it must have at least one value."),
        ([1.0, np.nan], r"values\[1\] = nan is NaN; drop or fill missing values."),
        ([[1.0]], "values must be one-dimensional"),
    ],
)
def test_refuses_what_is_no_sample(values, message):
    with pytest.raises(ValueError, match=message):
        dip_test(values)
