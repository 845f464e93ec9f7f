"""Refinement as users call it: what it finds, what it promises, and what it refuses."""

import warnings

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from rankone.datasets import make_counts, make_paper
from rankone.errors import InputError
from rankone.matrix import as_matrix
from rankone.metrics import coclustering_error, error_rate
from rankone.refinement import block_fit, refine
from rankone.refinement.families import FAMILIES, Gaussian
from rankone.refinement.model import BlockModel
from tests.refinement.oracles import partitions
from tests.refinement.test_model import random_case

every_family = pytest.mark.parametrize("loss", sorted(FAMILIES))


def as_accepted(a, loss):
    """Return a matrix that a family accepts: large and small entries, if these must be 0 and 1."""
    a = np.asarray(a, float)
    return np.where(np.isnan(a), a, a > np.nanmedian(a)) if loss == "bernoulli" else a


def refine_from_nothing(a, **parameters):
    """Refine the labels of a matrix whose rows and columns are all in one cluster."""
    m, n = a.shape
    return refine(a, np.zeros(m, int), np.zeros(n, int), **{"random_state": 0, **parameters})


@pytest.mark.parametrize("name", ["D1", "D2", "D3", "D4"])
def test_blocks_are_found_from_nothing(name):
    blocks = make_paper(name, noise=1, missing=0.3, random_state=0)
    fit = refine_from_nothing(blocks.data)
    truth = blocks.row_labels, blocks.column_labels
    assert coclustering_error(*truth, fit.row_labels, fit.column_labels) < 0.01


def test_blocks_of_zeros_and_ones_are_found_from_nothing():
    rng = np.random.default_rng(0)
    z, w = np.arange(120) % 3, np.arange(80) % 2
    chances = np.array([[0.7, 0.3], [0.3, 0.7], [0.8, 0.8]])
    a = (rng.random((120, 80)) < chances[z][:, w]).astype(float)
    a[rng.random(a.shape) < 0.2] = np.nan
    fit = refine_from_nothing(a)
    assert fit.loss == "bernoulli"
    assert coclustering_error(z, w, fit.row_labels, fit.column_labels) == 0.0
    np.testing.assert_allclose(np.sort(fit.values.ravel()), np.sort(chances.ravel()), atol=0.05)


@pytest.mark.parametrize("seed", range(5))
def test_no_pair_of_partitions_of_a_small_matrix_is_better(seed):
    rng = np.random.default_rng(seed)
    a = np.kron([[0.0, 2.0], [1.5, 0.0]], np.ones((3, 2))) + 0.3 * rng.normal(size=(6, 4))
    model = BlockModel.of(as_matrix(a), Gaussian)
    best = max(
        model.state(z, w).criterion
        for z in partitions(6)
        for w in partitions(4)
        if (z.max() + 1) * (w.max() + 1) < 12  # more blocks leave nothing to estimate noise from
    )
    fit = refine_from_nothing(a, loss="gaussian")
    assert model.state(fit.row_labels, fit.column_labels).criterion >= best - 1e-9


@pytest.mark.parametrize("seed", range(5))
def test_no_pair_of_partitions_into_given_numbers_is_better(seed):
    """All partitions of the rows and columns of a 4 x 4 matrix of counts into 2 x 2 blocks."""
    rng = np.random.default_rng(seed)
    a = rng.poisson(np.kron([[20.0, 4.0], [3.0, 15.0]], np.ones((2, 2)))).astype(float)
    pairs = [labels for labels in partitions(4) if labels.max() == 1]
    fit = refine_from_nothing(a, loss="poisson", n_row_clusters=2, n_column_clusters=2)
    model = BlockModel(as_matrix(a), fit.law)
    best = max(model.state(z, w).criterion for z in pairs for w in pairs)
    assert fit.criterion >= best - 1e-9


@settings(max_examples=30)
@given(st.integers(0, 2**32 - 1), st.sampled_from(sorted(FAMILIES)), st.floats(0, 0.5))
def test_the_criterion_never_falls(seed, loss, missing):
    a, z, w = random_case(seed, loss, missing)
    fit = refine(a, z, w, loss=loss, random_state=0)
    assert (np.diff(fit.history) >= -1e-9 * np.abs(fit.history[:-1])).all()
    assert fit.history[-1] == fit.criterion


@settings(max_examples=20)
@given(st.integers(0, 2**32 - 1), st.sampled_from(sorted(FAMILIES)), st.floats(0, 0.3))
def test_the_order_of_rows_and_columns_does_not_matter(seed, loss, missing):
    a, z, w = random_case(seed, loss, missing)
    rng = np.random.default_rng(seed)
    i, j = rng.permutation(z.size), rng.permutation(w.size)
    fit = refine(a, z, w, loss=loss, random_state=0)
    moved = refine(a[i][:, j], z[i], w[j], loss=loss, random_state=0)
    turned = refine(a.T, w, z, loss=loss, random_state=0)
    assert moved.state.has_labels_of(fit.state.take(i, j))
    assert turned.T.state.has_labels_of(fit.state)
    assert moved.criterion == turned.criterion == fit.criterion


@every_family
def test_every_row_and_column_is_in_its_most_probable_cluster(loss):
    a = make_counts((80, 60), [[4, 1], [1, 3]], mean=3, missing=0.2, random_state=0).data
    a = as_accepted(a, loss)
    fit = refine_from_nothing(a, loss=loss)
    assert fit.converged
    assert np.array_equal(fit.probabilities(as_matrix(a)).argmax(axis=1), fit.row_labels)
    of_columns = fit.T.probabilities(as_matrix(a.T))
    assert np.array_equal(of_columns.argmax(axis=1), fit.column_labels)


@pytest.mark.parametrize("seed", range(4))
def test_large_effects_of_single_columns_do_not_hide_clusters_of_rows(seed):
    rng = np.random.default_rng(seed)
    z, w = rng.permutation(np.arange(60) % 3), rng.permutation(np.arange(80) % 4)
    a = rng.normal(size=(3, 4))[z][:, w] + 0.3 * rng.normal(size=(60, 80))
    fit = refine_from_nothing(a + 5 * rng.normal(size=80))
    assert error_rate(z, fit.row_labels) == 0


@pytest.mark.parametrize("layout", [sp.csr_array, sp.csc_array, np.asfortranarray])
def test_the_layout_of_a_matrix_does_not_matter(layout):
    a = make_counts((60, 40), [[4, 1], [1, 3]], mean=1, random_state=0).data
    fit, expected = refine_from_nothing(layout(a)), refine_from_nothing(a)
    assert fit.state.has_labels_of(expected.state)
    assert fit.criterion == pytest.approx(expected.criterion)


def test_large_matrices_are_searched_in_a_sample_first(monkeypatch):
    blocks = make_paper("D2", noise=1, random_state=0)
    monkeypatch.setattr("rankone.refinement.refining.LARGE", 1000)
    monkeypatch.setattr("rankone.refinement.sampling.SAMPLE", 100)
    fit = refine_from_nothing(blocks.data)
    truth = blocks.row_labels, blocks.column_labels
    assert coclustering_error(*truth, fit.row_labels, fit.column_labels) == 0


def test_samples_of_large_matrices_do_not_depend_on_the_order(monkeypatch):
    monkeypatch.setattr("rankone.refinement.refining.LARGE", 1000)
    monkeypatch.setattr("rankone.refinement.sampling.SAMPLE", 40)
    monkeypatch.setattr("rankone.refinement.directions.SAMPLE", 30)
    monkeypatch.setattr("rankone.matrix.base.SMALL", 1000)  # nothing is copied
    monkeypatch.setattr("rankone.refinement.search.MOST_ENTRIES", 1000)
    a = make_paper("D4", noise=2, random_state=0).data
    rng = np.random.default_rng(0)
    i, j = rng.permutation(300), rng.permutation(300)
    fit, moved = refine_from_nothing(a), refine_from_nothing(a[i][:, j])
    assert error_rate(fit.row_labels[i], moved.row_labels) == 0
    assert error_rate(fit.column_labels[j], moved.column_labels) == 0


def test_samples_need_not_reach_the_given_numbers(monkeypatch):
    monkeypatch.setattr("rankone.refinement.refining.LARGE", 1000)
    monkeypatch.setattr("rankone.refinement.sampling.SAMPLE", 40)
    data = make_paper("D1", noise=0.5, random_state=0).data
    fit = refine_from_nothing(data, n_row_clusters=45, min_cluster_size=5)
    assert fit.values.shape[0] == 45  # more than a sample has rows
    assert np.bincount(fit.row_labels).min() >= 5


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
@every_family
def test_matrices_without_residual_have_finite_results(a, loss):
    a = as_accepted(a, loss)
    m, n = a.shape
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fit = refine(a, np.arange(m) % 2, np.arange(n) % 2, loss=loss)
        probabilities = fit.probabilities(as_matrix(a))
    assert np.isfinite(fit.criterion)
    assert np.isfinite(fit.dispersion)
    assert np.isfinite(probabilities).all()
    assert np.bincount(fit.row_labels).min() >= 1


def test_the_dispersion_of_numbers_that_are_not_whole_has_their_unit():
    a = np.outer([1.0, 2.0, 3.0], [0.5, 1.0, 2.0, 7.0])
    a[0, 0] = 0.7
    fit = refine_from_nothing(a, loss="poisson")
    small = refine_from_nothing(a * 2.0**-20, loss="poisson")
    assert small.dispersion == pytest.approx(fit.dispersion * 2.0**-20)


def test_overdispersed_counts_are_not_split_without_end():
    rng = np.random.default_rng(0)
    margins = np.exp(rng.normal(size=(150, 1)))
    a = rng.negative_binomial(1, 1 / (1 + 4 * margins * np.ones(100))).astype(float)
    z, w = rng.permutation(np.arange(150) % 3), rng.permutation(np.arange(100) % 3)
    fit = refine(a, z, w, loss="poisson", random_state=0)
    assert fit.values.shape == (1, 1)


@pytest.mark.parametrize("rounds", [1, 2, 6])
def test_labels_belong_to_the_dispersion_that_is_returned(rounds, monkeypatch):
    monkeypatch.setattr("rankone.refinement.refining.ROUNDS", rounds)
    a = make_counts((60, 50), [[4, 1], [1, 3]], mean=6, spread=1, random_state=0).data
    a *= np.random.default_rng(0).integers(1, 4, a.shape)  # vary more than Poisson counts
    fit = refine_from_nothing(a, loss="poisson")
    assert np.array_equal(fit.probabilities(as_matrix(a)).argmax(axis=1), fit.row_labels)


def test_the_search_ends_with_the_law_of_its_blocks():
    a = make_counts((60, 50), [[4, 1], [1, 3]], mean=6, random_state=0).data
    fit = refine_from_nothing(a, loss="poisson")
    law = BlockModel(as_matrix(a), fit.law).adapt(fit.state).law
    assert fit.law.is_close(law, 0.05)


def test_numbers_that_cannot_be_reached_are_refused():
    with pytest.raises(InputError, match="cannot be told apart into more than 1"):
        refine_from_nothing(np.ones((4, 3)), n_row_clusters=2)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"row_labels": [0, 1]}, "row_labels must be 4 whole numbers"),
        ({"row_labels": [0, 2, 2, 0]}, "from 0, with none left out"),
        ({"loss": "l1"}, "loss must be one of 'auto', 'gaussian', 'bernoulli', 'poisson'"),
        ({"min_cluster_size": 0}, "min_cluster_size"),
    ],
)
def test_parameters_that_make_no_sense_are_refused(arguments, message):
    given = {"X": np.ones((4, 3)), "row_labels": [0] * 4, "column_labels": [0] * 3} | arguments
    with pytest.raises(ValueError, match=message):
        refine(**given)


@pytest.mark.parametrize("function", [refine, block_fit])
def test_negative_counts_are_refused_where_they_are(function):
    a = np.ones((4, 3))
    a[2, 1] = -0.5
    with pytest.raises(InputError, match=r"^loss='poisson' does not accept negative .*X\[2, 1\]"):
        function(as_matrix(a), np.zeros(4, int), np.zeros(3, int), loss="poisson")
