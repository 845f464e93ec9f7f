"""The dip against two independent solvers, its symmetries, and its p-values against simulation."""

import time

import diptest
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from benchmarks.dip_null import TABLE, module, simulate, uniform_dips
from rankone.selection import dip_test
from rankone.selection._dip_null import QUANTILES, SIZES
from rankone.selection.dip import _p_value, dip
from tests.selection.unimodal import dip_by_linear_programming

VALUES = st.one_of(st.integers(-4, 4).map(float), st.floats(-100, 100).map(lambda x: round(x, 6)))


def samples(least, most):
    return hnp.arrays(np.float64, st.integers(least, most), elements=VALUES)


@given(samples(1, 9))
@settings(max_examples=60)
def test_equals_linear_programming(values):
    assert dip(values) == pytest.approx(dip_by_linear_programming(values), abs=1e-9)


@given(samples(3, 60))
def test_equals_diptest(values):
    expected = diptest.dipstat(values)
    if expected == 0.0 and np.ptp(values) > 0.0:  # it takes equally spaced values for one mode
        expected = 0.5 / values.size
    assert dip(values) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("n", [3, 4, 9])
def test_equally_spaced_values_have_a_dip_of_half_a_point(n):
    values = np.arange(n, dtype=float)
    assert dip(values) == pytest.approx(0.5 / n)
    assert dip_by_linear_programming(values) == pytest.approx(0.5 / n, abs=1e-9)


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


@given(samples(1, 40), st.randoms())
def test_depends_neither_on_order_nor_direction(values, random):
    order = random.sample(range(values.size), values.size)
    assert dip(values[order]) == dip(values)
    assert dip(-values) == pytest.approx(dip(values), abs=1e-12)


@given(
    hnp.arrays(np.int64, st.integers(1, 40), elements=st.integers(-1000, 1000)),
    st.floats(-1e3, 1e3),
    st.floats(1e-3, 1e3),
)
def test_depends_neither_on_location_nor_scale(values, shift, scale):
    assert dip(values * scale + shift) == pytest.approx(dip(values), abs=1e-8)


@pytest.mark.parametrize("exponent", [-1000, -500, 500, 1020])
def test_extreme_magnitudes_do_not_matter(exponent):
    values = np.random.default_rng(0).normal(size=200)
    result, scaled = dip_test(values), dip_test(np.ldexp(values, exponent))
    assert (scaled.statistic, scaled.p_value) == (result.statistic, result.p_value)
    assert scaled.valley == np.ldexp(result.valley, exponent)


def test_a_large_offset_does_not_matter():
    values = np.random.default_rng(0).integers(0, 1000, 300)
    assert dip(values + 2.0**50) == dip(values)


def fastest(values):
    """Return the time of the fastest of five runs, without that of other processes."""
    times = []
    for _ in range(5):
        started = time.thread_time()
        dip(values)
        times.append(time.thread_time() - started)
    return min(times)


def test_a_million_values_take_well_under_a_second():
    assert fastest(np.random.default_rng(0).normal(size=1_000_000)) < 0.5


def test_the_number_of_rounds_does_not_grow_with_the_sample():
    """Gaps that shrink geometrically take many rounds."""
    few, many = (np.exp(-600 * np.arange(n) / n) for n in (20_000, 200_000))
    assert fastest(many) < 40 * fastest(few)


@pytest.mark.parametrize("n", [5, 11, 23, 130, 700])
def test_the_p_value_is_that_of_uniform_samples(n):
    draws = 100_000
    dips = np.sort(uniform_dips(np.random.default_rng([8, n]), n, draws))
    for level in (0.5, 0.2, 0.05, 0.01):
        critical = dips[int((1 - level) * draws)]
        assert np.mean(dips >= critical) == pytest.approx(level, rel=1e-3)
        assert _p_value(critical, n) == pytest.approx(level, rel=0.1)


@pytest.mark.parametrize("n", [8, 18, 35, 90, 300, 800, 3000, 12_000, 60_000])
def test_p_values_agree_with_those_of_diptest(n):
    """Its table was simulated independently, and is interpolated linearly, in p."""
    rng = np.random.default_rng([4, n])
    compared = 0
    while compared < 40:
        values = rng.random(n)
        values += (values > 0.5) * rng.random() / np.sqrt(n)
        theirs = diptest.diptest(values)[1]
        if 0.005 < theirs < 0.9:
            assert dip_test(values).p_value == pytest.approx(theirs, rel=0.1)
            compared += 1


def test_p_values_go_smoothly_to_infinitely_many_values():
    for scaled in (0.35, 0.45, 0.55, 0.7):
        sizes = np.geomspace(300, 1e12, 2000)
        p = np.array([_p_value(scaled / np.sqrt(n), n) for n in sizes])
        assert np.abs(np.diff(np.log(p))).max() < 0.01
        assert p[-1] == pytest.approx(_p_value(scaled / 1e9, 10**18), rel=1e-3)


def test_the_table_is_what_its_command_writes():
    assert TABLE.read_text() == module(SIZES, QUANTILES)
    row = simulate(9, 200_000, seed=6)
    np.testing.assert_allclose(row[:25], QUANTILES[list(SIZES).index(9)][:25], rtol=0.015)


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


@pytest.mark.parametrize(("distance", "power"), [(4, 0.93), (5, 0.99)])
def test_two_groups_are_nearly_always_recognised(distance, power):
    rng = np.random.default_rng(2)
    groups = distance * (np.arange(200) < 100)
    p = [dip_test(rng.normal(size=200) + groups).p_value for _ in range(300)]
    assert np.mean(np.array(p) < 0.01) >= power


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
