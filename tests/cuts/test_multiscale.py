"""The multi-scale detector and its denoiser."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from rankone.cuts.multiscale import Multiscale, cell_average_denoise

PREDICTIONS = ["linear", "pph"]
VECTORS = arrays(float, st.integers(1, 150), elements=st.floats(-100, 100))


def staircase(sizes, seed=0):
    """Return a shuffled vector of steps with little normal noise, and the step of each entry."""
    rng = np.random.default_rng(seed)
    steps = rng.permutation(np.repeat(np.arange(len(sizes)), sizes))
    return steps + 0.01 * rng.normal(size=steps.size), steps


def loop_candidates(x, h):
    """Find candidates as the docstring defines them, one place at a time."""
    d = [abs(b - a) for a, b in pairwise(x)]
    sums = [a + b for a, b in pairwise(d)]
    found = []
    for i in range(2, len(sums) - 1):
        before, after = sums[max(0, i - 1 - h) : i - 1], sums[i + 1 : i + 1 + h]
        if sums[i - 1] > max(before) and sums[i] > max(after):
            if found and found[-1] == i - 1:
                if d[i] > d[i - 1]:
                    found[-1] = i
            else:
                found.append(i)
    return found


def loop_jumps(x):
    """Find the jumps of a sorted vector of 16 or more."""
    run, coarse_h = (8, 3) if len(x) >= 128 else (2, 9)
    tail = [x[-1]] * (-len(x) % run)
    means = np.append(x, tail).reshape(-1, run).mean(axis=1)
    meets = [run * (c + 1) - 1 for c in loop_candidates(means, coarse_h)]
    near = 8 if run == 8 else 4
    return [s for s in loop_candidates(x, 12) if any(abs(s - m) < near for m in meets)]


@pytest.mark.parametrize("denoise", [None, *PREDICTIONS])
@pytest.mark.parametrize("sizes", [(70, 60, 70), (64, 64, 72), (90, 50, 60)])
def test_the_steps_of_a_noisy_staircase_are_found(sizes, denoise):
    u, steps = staircase(sizes)
    part = Multiscale(denoise).cut(u)
    np.testing.assert_array_equal(part.labels, steps)
    np.testing.assert_allclose(part.levels, [0, 1, 2], atol=0.01)


@pytest.mark.parametrize("n", [16, 20, 31, 43, 44, 100, 127, 128, 200, 333])
def test_a_step_is_found_wherever_it_is_except_near_the_ends(n):
    margin = 5 if n < 128 else 17
    for k in range(margin, n - margin + 1):
        part = Multiscale().cut(np.repeat([0.0, 1.0], [k, n - k]))
        np.testing.assert_array_equal(part.sizes, [k, n - k])


@given(arrays(float, st.sampled_from([16, 40, 127, 128, 144, 200]), elements=st.integers(0, 999)))
def test_agrees_with_its_definition(u):
    x = np.sort(u)
    cut = Multiscale().cut(u).boundaries
    expected = [np.searchsorted(cut, x[s + 1], side="right") for s in loop_jumps(x)]
    assert expected == list(range(1, cut.size + 1))


@pytest.mark.parametrize(
    ("u", "labels"),
    [
        ([4.0], [0]),
        ([0.0, 9.0], [0, 0]),
        ([9.0, 0.0, 1.0], [1, 0, 0]),
        ([0.0, 1.0, 2.0, 3.0], [0, 0, 0, 0]),
        ([0.0, 0.1, 0.2, 5.0, 5.1, 5.2, 9.0], [0, 0, 0, 1, 1, 1, 2]),
        ([0.0, 0.1, 0.2, 0.3, 5.0, 5.1, 5.2, 5.3, 9.0, 9.1], [0, 0, 0, 0, 1, 1, 1, 1, 2, 2]),
    ],
)
def test_short_vectors_are_cut_at_differences_that_exceed_two_on_either_side(u, labels):
    np.testing.assert_array_equal(Multiscale().cut(u).labels, labels)
    part = Multiscale().cut(-np.array(u))
    np.testing.assert_array_equal(part.labels, max(labels) - np.array(labels))


@pytest.mark.parametrize("denoise", [None, *PREDICTIONS])
@given(u=st.one_of(VECTORS, VECTORS.map(np.round)))
def test_partitions_are_consistent_and_not_called_exact(denoise, u):
    part = Multiscale(denoise).cut(u)
    assert (part.exact, part.lam, part.p) == (False, None, 2.0)
    assert part.check(u) == pytest.approx(part.objective, rel=1e-9, abs=1e-9)
    np.testing.assert_array_equal(part.sizes, np.bincount(part.labels))
    np.testing.assert_array_equal(np.searchsorted(part.boundaries, u, side="right"), part.labels)


@pytest.mark.parametrize("denoise", [None, *PREDICTIONS])
@given(u=st.one_of(VECTORS, VECTORS.map(np.round)), seed=st.integers(0, 9))
def test_neither_order_nor_scale_matters(denoise, u, seed):
    cut = Multiscale(denoise)
    labels = cut.cut(u).labels
    order = np.random.default_rng(seed).permutation(u.size)
    np.testing.assert_array_equal(cut.cut(u[order]).labels, labels[order])
    np.testing.assert_array_equal(cut.cut(0.25 * u).labels, labels)


def test_weights_count_in_levels_only():
    u, steps = staircase((70, 60, 70))
    w = np.random.default_rng(1).integers(1, 4, u.size)
    part = Multiscale().cut(u, w)
    np.testing.assert_array_equal(part.labels, steps)
    assert part.levels[0] == pytest.approx(np.average(u[steps == 0], weights=w[steps == 0]))


def test_points_of_weight_zero_take_the_nearest_level_and_change_nothing():
    u, steps = staircase((70, 60, 70))
    ghosts = np.linspace(-5.0, 5.0, 50)
    part = Multiscale().cut(np.append(u, ghosts), np.append(np.ones(u.size), np.zeros(50)))
    np.testing.assert_array_equal(part.labels[:200], steps)
    nearest = np.abs(ghosts[:, None] - part.levels).argmin(axis=1)
    np.testing.assert_array_equal(part.labels[200:], nearest)


@pytest.mark.parametrize("scale", [1e-300, 1e300, 1.7e308])
def test_steps_of_extreme_magnitude_are_found(scale):
    u = np.repeat([-1.0, 1.0], 30) * scale
    np.testing.assert_array_equal(Multiscale().cut(u).labels, np.repeat([0, 1], 30))


@pytest.mark.parametrize("prediction", PREDICTIONS)
@given(x=VECTORS)
def test_denoiser_keeps_all_without_a_threshold(prediction, x):
    np.testing.assert_allclose(cell_average_denoise(x, prediction, 0), x, rtol=0, atol=1e-11)


@pytest.mark.parametrize("prediction", PREDICTIONS)
@given(x=VECTORS, threshold=st.sampled_from([None, 0.5, 1e3, 1e308]))
def test_denoiser_keeps_the_mean(prediction, x, threshold):
    denoised = cell_average_denoise(x, prediction, threshold)
    assert denoised.shape == x.shape
    assert denoised.mean() == pytest.approx(x.mean(), abs=1e-10)


@pytest.mark.parametrize("prediction", PREDICTIONS)
@pytest.mark.parametrize("n", [4, 8, 32, 64])
def test_denoiser_predicts_lines(prediction, n):
    """Nothing is left of a line but its coarsest two means: the details are all zero."""
    line = 3.0 * np.arange(n) - 7.0
    np.testing.assert_allclose(cell_average_denoise(line, prediction, 1e-9), line, atol=1e-12)
    np.testing.assert_allclose(cell_average_denoise(line, prediction, 1e9), line, atol=1e-12)


def test_pph_does_not_smear_a_jump():
    x = np.repeat([0.0, 1.0], 16)
    np.testing.assert_array_equal(cell_average_denoise(x, "pph", 1e-3), x)
    smeared = cell_average_denoise(x, "linear", 0.2)
    assert smeared.min() < -0.01
    assert smeared.max() > 1.01


@pytest.mark.parametrize("prediction", PREDICTIONS)
def test_the_denoiser_halves_the_squared_error_of_a_staircase(prediction):
    rng = np.random.default_rng(0)
    clean = np.repeat([0.0, 5.0, 2.0], [64, 128, 64])
    noisy = clean + 0.3 * rng.normal(size=clean.size)
    error = np.mean((cell_average_denoise(noisy, prediction) - clean) ** 2)
    assert error < 0.5 * np.mean((noisy - clean) ** 2)


def test_predictions_equal_those_computed_by_hand():
    # Means 1, 3, 4 have differences 2, 1; the middle pair is predicted as 3 -+ q.
    x = [1.0, 1.0, 3.0, 3.0, 4.0, 4.0]
    linear, pph = (cell_average_denoise(x, p, 1e9)[2:4] for p in PREDICTIONS)
    np.testing.assert_allclose(linear, [3 - 3 / 8, 3 + 3 / 8])
    np.testing.assert_allclose(pph, [3 - 1 / 3, 3 + 1 / 3])


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"denoise": "haar"}, "denoise must be one of 'linear', 'pph', but it is 'haar'"),
        ({"threshold": 1.0}, "threshold is given, but denoise is not"),
        ({"denoise": "pph", "threshold": -1.0}, "threshold must be a finite number"),
        ({"denoise": "pph", "threshold": np.nan}, "threshold must be a finite number"),
    ],
)
def test_parameters_that_make_no_sense_are_refused(parameters, message):
    with pytest.raises(ValueError, match=message):
        Multiscale(**parameters).cut([1, 2])


def test_the_denoiser_refuses_missing_values():
    with pytest.raises(ValueError, match=r"x\[0\] = nan is NaN"):
        cell_average_denoise([np.nan])


def test_the_denoiser_refuses_values_whose_predictions_could_overflow():
    with pytest.raises(ValueError, match=r"1e\+305 are too large to denoise"):
        cell_average_denoise([0.0, -1e305])
