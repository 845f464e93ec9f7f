"""The noise of scores, against many draws of the same matrix."""

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.lib.stride_tricks import sliding_window_view

from rankone import CCOTGW, NMF, SVD, Fiedler, Marginal, PageRank
from rankone.matrix import as_matrix
from rankone.selection import score_noise
from rankone.selection.noise import WINDOW, entry_noise

BLOCKS = np.array([[4.0, 0.5, 1.5], [1.8, 4.5, 5.1], [3.5, 1.5, 5.5]])
MEAN = BLOCKS[np.arange(120) % 3][:, np.arange(90) % 3]


def aligned(vector, to):
    return vector * (vector @ to) / (vector @ vector)


@pytest.mark.parametrize(
    "method",
    [Marginal(), NMF(), NMF(beta=2), SVD(), PageRank(walk="two-step"), Fiedler(), CCOTGW()],
)
def test_noise_is_the_spread_over_draws(method):
    rng = np.random.default_rng(0)
    draws = [method.extract(MEAN + 0.1 * rng.normal(size=MEAN.shape)) for _ in range(40)]
    rows = np.array([aligned(draw.row, draws[0].row) for draw in draws])
    columns = np.array([aligned(draw.column, draws[0].column) for draw in draws])
    matrix = as_matrix(MEAN + 0.1 * rng.normal(size=MEAN.shape))
    row_noise, column_noise = score_noise(matrix, method, method.extract(matrix), 0)
    for noise, seen in ((row_noise, rows), (column_noise, columns)):
        assert 0.5 < noise.mean() / seen.var(axis=0, ddof=1).mean() < 2.0


def test_the_noise_of_entries_is_their_variance_within_blocks():
    rng = np.random.default_rng(0)
    for sigma in (0.1, 2.0):
        a = MEAN + sigma * rng.normal(size=MEAN.shape)
        found = entry_noise(as_matrix(a), a.mean(axis=1))
        assert np.median(found) == pytest.approx(sigma**2, rel=0.1)
        gaps = np.where(rng.random(a.shape) < 0.5, np.nan, a)
        found = entry_noise(as_matrix(gaps), a.mean(axis=1))
        assert np.median(found) == pytest.approx(sigma**2, rel=0.15)


def test_noise_of_counts_grows_with_their_mean():
    rng = np.random.default_rng(0)
    rates = np.repeat([1.0, 10.0], 200)[:, None] * np.ones(150)
    counts = rng.poisson(rates).astype(float)
    for matrix in (as_matrix(counts), as_matrix(sp.csr_array(counts))):
        found = entry_noise(matrix, counts.mean(axis=1))
        assert found[:150].mean() == pytest.approx(1.0, rel=0.1)
        assert found[250:].mean() == pytest.approx(10.0, rel=0.1)


@pytest.mark.parametrize("m", range(70, 170, 10))
def test_the_noise_of_entries_is_a_running_median_of_neighbours(m):
    a = np.sort(np.random.default_rng(m).normal(size=(m, 1)), axis=0)
    halves = np.diff(a[:, 0]) ** 2 / (2 * (1 - 2 / 9) ** 3)
    windows = sliding_window_view(np.pad(halves, WINDOW // 2, mode="edge"), WINDOW)
    expected = np.interp(np.arange(m), np.arange(m - 1) + 0.5, np.median(windows, axis=1))
    np.testing.assert_allclose(entry_noise(as_matrix(a), a[:, 0]), expected, rtol=1e-12)


def test_missing_entries_make_scores_noisier():
    rng = np.random.default_rng(0)
    a = MEAN + 0.1 * rng.normal(size=MEAN.shape)
    draws = [
        Marginal().extract(np.where(rng.random(a.shape) < 0.5, np.nan, a)).row for _ in range(30)
    ]
    matrix = as_matrix(np.where(rng.random(a.shape) < 0.5, np.nan, a))
    noise, _ = score_noise(matrix, Marginal(), Marginal().extract(matrix))
    assert 0.7 < noise.mean() / np.var(draws, axis=0, ddof=1).mean() < 1.4


def test_sparse_perturbations_stay_sparse():
    rng = np.random.default_rng(0)
    a = sp.random_array((80, 60), density=0.2, random_state=rng, format="csr")
    noise, _ = score_noise(as_matrix(a), Fiedler("bipartite"), Fiedler("bipartite").extract(a), 0)
    assert np.isfinite(noise).all()
    assert (noise > 0).all()


def test_a_single_row_has_no_noise():
    noise, _ = score_noise(as_matrix([[1.0, 2.0]]), Marginal(), Marginal().extract([[1.0, 2.0]]))
    assert noise.tolist() == [0.0]


def test_noise_by_perturbation_does_not_depend_on_the_sparse_format():
    rng = np.random.default_rng(1)
    a = np.where(rng.random((60, 40)) < 0.3, rng.uniform(1.0, 2.0, (60, 40)), 0.0)
    a[0], a[:, 0] = 1.0, 1.0
    method = NMF(negative="shift")  # which has no noise in closed form
    by_rows, by_columns = (
        score_noise(as_matrix(form(a), "absent"), method, method.extract(form(a), "absent"), 0)
        for form in (sp.csr_array, sp.csc_array)
    )
    for ours, expected in zip(by_columns, by_rows, strict=True):
        np.testing.assert_allclose(ours, expected, rtol=1e-6)
