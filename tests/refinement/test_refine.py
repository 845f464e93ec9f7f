"""Refinement: the criterion against its definition, and what it never does."""

import sys
import warnings

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm

from rankone._criteria import scarcity
from rankone.datasets import make_counts, make_paper
from rankone.matrix import as_matrix
from rankone.metrics import coclustering_error, error_rate
from rankone.refinement import block_fit, holds_counts, refine
from rankone.refinement.climbing import assigned, climbed
from rankone.refinement.losses import gaussian_model, poisson_model

RNG = np.random.default_rng(0)


def labels(size, k):
    return RNG.permutation(np.arange(size) % k)


def obvious_criterion(a, z, w):
    """Return the criterion by its definition, entry by entry."""
    k, number = z.max() + 1, w.max() + 1
    fitted = np.empty_like(a)
    for r in range(k):
        for c in range(number):
            block = np.ix_(z == r, w == c)
            fitted[block] = np.nanmean(a[block])
    exist = ~np.isnan(a)
    n_entries = exist.sum()
    sigma = np.sqrt(np.mean((a - fitted)[exist] ** 2))
    result = norm.logpdf(a[exist], fitted[exist], sigma).sum() + n_entries / 2 * np.log(
        2 * np.pi * np.e
    )
    for side, count in ((z, k), (w, number)):
        shares = np.bincount(side) / side.size
        result += np.log(shares[side]).sum() - (count - 1) / 2 * np.log(side.size)
        result -= scarcity(count, side.size)
    return result - k * number / 2 * np.log(n_entries)


@pytest.mark.parametrize("missing", [0.0, 0.3])
def test_criterion(missing):
    a = RNG.normal(size=(30, 20)) + 100.0
    a[RNG.random(a.shape) < missing] = np.nan
    z, w = labels(30, 3), labels(20, 2)
    assert gaussian_model(as_matrix(a)).start(z, w).criterion == pytest.approx(
        obvious_criterion(a, z, w), rel=1e-9
    )


@settings(max_examples=30)
@given(st.integers(0, 2**32 - 1), st.booleans(), st.floats(0, 0.5))
def test_the_criterion_never_falls(seed, counts, missing):
    random = np.random.default_rng(seed)
    a = random.poisson(2.0, (14, 11)).astype(float) if counts else random.normal(size=(14, 11))
    a[1:, 1:][random.random((13, 10)) < missing] = np.nan
    z, w = random.permutation(np.arange(14) % 3), random.permutation(np.arange(11) % 2)
    model = (poisson_model if counts else gaussian_model)(as_matrix(a))
    start = model.start(z, w)
    for _ in range(5):
        better, _, _ = climbed(model, start, (1, 1), 1)
        assert better.criterion >= start.criterion - 1e-9 * abs(start.criterion)
        assert better.shape == start.shape
        start = better
    fit = refine(a, z, w, loss="poisson" if counts else "gaussian", random_state=0)
    assert (np.diff(fit.history) >= -1e-9 * np.abs(fit.history[:-1])).all()


@pytest.mark.parametrize("loss", ["gaussian", "poisson"])
def test_no_row_would_rather_be_elsewhere(loss):
    a = make_counts((80, 60), [[4, 1], [1, 3]], mean=3, missing=0.2, random_state=0).data
    fit = refine(a, np.zeros(80, int), np.zeros(60, int), loss=loss, random_state=0)
    assert fit.converged
    assert np.array_equal(fit.probabilities(as_matrix(a)).argmax(axis=1), fit.row_labels)
    turned = fit.T.probabilities(as_matrix(a.T))
    assert np.array_equal(turned.argmax(axis=1), fit.column_labels)


def test_small_problems_are_solved_to_the_end():
    """No pair of partitions of a small matrix has a larger criterion."""
    a = np.kron([[0.0, 2.0], [1.5, 0.0]], np.ones((3, 2))) + 0.3 * RNG.normal(size=(6, 4))
    model = gaussian_model(as_matrix(a))
    best = max(
        model.start(z, w).criterion
        for z in partitions(6)
        for w in partitions(4)
        if (z.max() + 1) * (w.max() + 1) < 12
    )
    fit = refine(a, np.zeros(6, int), np.zeros(4, int), loss="gaussian")
    assert model.start(fit.row_labels, fit.column_labels).criterion >= best - 1e-9


def partitions(n):
    """Yield all partitions of n things."""
    found = [[0]]
    for _ in range(n - 1):
        found = [[*p, c] for p in found for c in range(max(p) + 2)]
    return [np.array(p) for p in found]


@pytest.mark.parametrize("name", ["D1", "D2", "D3", "D4"])
def test_blocks_are_found_from_nothing(name):
    blocks = make_paper(name, noise=1, missing=0.3, random_state=0)
    m, n = blocks.data.shape
    fit = refine(blocks.data, np.zeros(m, int), np.zeros(n, int), random_state=0)
    truth = blocks.row_labels, blocks.column_labels
    assert coclustering_error(*truth, fit.row_labels, fit.column_labels) < 0.01


def test_columns_that_differ_do_not_hide_rows_that_do():
    z, w = labels(60, 3), labels(80, 4)
    effects = 5 * RNG.normal(size=80)  # of single columns, much larger than the blocks
    a = RNG.normal(size=(3, 4))[z][:, w] + effects + 0.3 * RNG.normal(size=(60, 80))
    fit = refine(a, np.zeros(60, int), np.zeros(80, int), random_state=0)
    assert error_rate(z, fit.row_labels) < 0.35


def test_dense_is_sparse_is_nothing_missing():
    a = make_counts((60, 40), [[4, 1], [1, 3]], mean=1, random_state=0).data
    z, w = np.zeros(60, int), np.zeros(40, int)
    expected = refine(a, z, w, random_state=0)
    for other in (sp.csr_array(a), sp.csc_array(a), np.asfortranarray(a)):
        fit = refine(other, z, w, random_state=0)
        assert np.array_equal(fit.row_labels, expected.row_labels)
        assert fit.criterion == pytest.approx(expected.criterion)


def test_large_matrices_go_by_a_sample_first(monkeypatch):
    blocks = make_paper("D2", noise=1, random_state=0)
    z, w = np.zeros(600, int), np.zeros(300, int)
    monkeypatch.setattr(sys.modules[refine.__module__], "LARGE", 1000)
    monkeypatch.setattr("rankone.refinement.sampling.SAMPLE", 100)
    fit = refine(blocks.data, z, w, random_state=0)
    truth = blocks.row_labels, blocks.column_labels
    assert coclustering_error(*truth, fit.row_labels, fit.column_labels) == 0


def test_samples_of_large_matrices_do_not_depend_on_the_order(monkeypatch):
    monkeypatch.setattr(sys.modules[refine.__module__], "LARGE", 1000)
    monkeypatch.setattr("rankone.refinement.sampling.SAMPLE", 40)
    monkeypatch.setattr("rankone.refinement.directions.SAMPLE", 30)
    monkeypatch.setattr("rankone.matrix.fingerprints.SMALL", 1000)  # nothing is copied
    monkeypatch.setattr("rankone.refinement.search.MOST_ENTRIES", 1000)
    a = make_paper("D4", noise=2, random_state=0).data
    rng = np.random.default_rng(0)
    i, j = rng.permutation(300), rng.permutation(300)
    fits = [refine(x, np.zeros(300, int), np.zeros(300, int)) for x in (a, a[i][:, j])]
    assert error_rate(fits[0].row_labels[i], fits[1].row_labels) == 0
    assert error_rate(fits[0].column_labels[j], fits[1].column_labels) == 0


def test_assignment_keeps_clusters_alive():
    chances = np.array([[0.0, -1.0, -5.0], [0.0, -2.0, -1.0], [0.0, -3.0, -2.0], [0.0, -4.0, -3.0]])
    assert assigned(chances, 0).tolist() == [0, 0, 0, 0]
    assert np.bincount(assigned(chances, 1)).tolist() == [2, 1, 1]
    assert assigned(chances, 1)[:2].tolist() == [1, 2]


def test_assignment_ends_where_a_cluster_is_impossible_for_every_row():
    labels = assigned(np.array([[0.0, -np.inf]] * 6), 2)
    assert np.bincount(labels).tolist() == [4, 2]
    labels = assigned(np.full((7, 3), -np.inf), 2)
    assert np.bincount(labels).min() >= 2


def test_assignment_moves_the_rows_that_lose_least():
    rng = np.random.default_rng(0)
    for _ in range(50):
        n, least = int(rng.integers(2, 40)), int(rng.integers(1, 12))
        chances = rng.normal([3.0, 0.0], size=(n, 2))
        labels, least = assigned(chances, least), min(least, n // 2)
        free = chances.argmax(axis=1)
        missing = max(0, least - np.count_nonzero(free == 1))
        loss = np.where(free == 0, chances[:, 0] - chances[:, 1], np.inf)
        expected = free.copy()
        expected[np.argsort(loss)[:missing]] = 1
        assert np.array_equal(labels, expected)


@pytest.mark.parametrize(
    "a",
    [
        [[1, 2, 2, 5, 4, 5]] * 2,
        [[1, np.nan], [np.nan, 3]],
        np.zeros((5, 4)),
        np.full((3, 3), 0.1),
        np.outer([1.0, 2.0, 3.0], [0.5, 1.0, 2.0, 7.0]),
        np.outer(np.arange(5), [0.5, 1.0, 2.0, 7.0]),
    ],
    ids=["whole", "two blocks", "zeros", "constant", "rank one", "with an empty row"],
)
@pytest.mark.parametrize("loss", ["gaussian", "poisson"])
def test_matrices_without_residual_have_finite_results(a, loss):
    m, n = np.shape(a)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fit = refine(a, np.arange(m) % 2, np.arange(n) % 2, loss=loss)
        found = fit.probabilities(as_matrix(a))
    assert np.isfinite(fit.criterion)
    assert np.isfinite(fit.dispersion)
    assert np.isfinite(found).all()
    assert np.bincount(fit.row_labels).min() >= 1


def test_the_dispersion_of_numbers_that_are_not_whole_has_their_unit():
    a = np.outer([1.0, 2.0, 3.0], [0.5, 1.0, 2.0, 7.0])
    a[0, 0] = 0.7
    one = refine(a, np.zeros(3, int), np.zeros(4, int), loss="poisson")
    small = refine(a * 2.0**-20, np.zeros(3, int), np.zeros(4, int), loss="poisson")
    assert small.dispersion == pytest.approx(one.dispersion * 2.0**-20)


def test_numbers_that_cannot_be_reached_are_refused():
    with pytest.raises(ValueError, match="cannot be told apart into more than 1"):
        refine(np.ones((4, 3)), np.zeros(4, int), np.zeros(3, int), n_row_clusters=2)


def test_counts_are_recognised():
    assert holds_counts(as_matrix(RNG.poisson(2.0, (30, 20))))
    assert holds_counts(as_matrix(sp.csr_array(RNG.poisson(0.05, (30, 20)))))
    assert not holds_counts(as_matrix(RNG.integers(1, 6, (30, 20))))  # grades
    assert not holds_counts(as_matrix(RNG.normal(size=(30, 20))))
    assert not holds_counts(as_matrix(RNG.poisson(2.0, (30, 20)) / 2))
    assert not holds_counts(as_matrix(np.zeros((3, 2))))


def test_overdispersed_counts_are_not_split_without_end():
    margins = np.exp(RNG.normal(size=(150, 1)))
    a = RNG.negative_binomial(1, 1 / (1 + 4 * margins * np.ones(100))).astype(float)
    fit = refine(a, labels(150, 3), labels(100, 3), loss="poisson", random_state=0)
    assert fit.values.shape == (1, 1)
    assert fit.dispersion > 2


@pytest.mark.parametrize("rounds", [1, 2, 6])
def test_labels_belong_to_the_dispersion_that_is_returned(rounds, monkeypatch):
    monkeypatch.setattr(sys.modules[refine.__module__], "ROUNDS", rounds)
    a = make_counts((60, 50), [[4, 1], [1, 3]], mean=6, spread=1, random_state=0).data
    a *= RNG.integers(1, 4, a.shape)  # vary more than Poisson counts
    fit = refine(a, np.zeros(60, int), np.zeros(50, int), loss="poisson", random_state=0)
    assert np.array_equal(fit.probabilities(as_matrix(a)).argmax(axis=1), fit.row_labels)


def test_samples_do_not_know_the_numbers(monkeypatch):
    monkeypatch.setattr(sys.modules[refine.__module__], "LARGE", 1000)
    monkeypatch.setattr("rankone.refinement.sampling.SAMPLE", 40)
    data = make_paper("D1", noise=0.5, random_state=0).data
    z, w = np.zeros(600, int), np.zeros(300, int)
    fit = refine(data, z, w, n_row_clusters=45, min_cluster_size=5, random_state=0)
    assert fit.values.shape[0] == 45  # more than a sample has rows
    assert np.bincount(fit.row_labels).min() >= 5


def test_blocks_as_they_are():
    a = make_paper("D3", random_state=0).data
    z, w = labels(300, 2), labels(200, 3)
    fit = block_fit(as_matrix(a), z, w)
    assert fit.values[1, 2] == pytest.approx(a[z == 1][:, w == 2].mean())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"row_labels": [0, 1]}, "row_labels must be 4 whole numbers"),
        ({"row_labels": [0, 2, 2, 0]}, "from 0, with none left out"),
        ({"loss": "l1"}, "loss must be one of"),
        ({"min_cluster_size": 0}, "min_cluster_size"),
        ({"loss": "poisson", "X": -np.ones((4, 3))}, "takes no negative entries"),
    ],
)
def test_nonsense_is_refused(arguments, message):
    given = {"X": np.ones((4, 3)), "row_labels": [0] * 4, "column_labels": [0] * 3} | arguments
    with pytest.raises(ValueError, match=message):
        refine(**given)
