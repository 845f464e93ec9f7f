"""What a fit predicts, by definition; it needs no matrix."""

from dataclasses import fields, is_dataclass

import numpy as np
import pytest
from scipy.special import softmax
from scipy.stats import poisson

from rankone.datasets import make_counts, make_paper
from rankone.matrix import Matrix, as_matrix
from rankone.refinement import block_fit
from rankone.refinement.fit import RECORDS
from tests.refinement.oracles import block_means, gaussian_probabilities


def noisy_labels(truth, k, rng):
    """Return labels of which a tenth are drawn anew."""
    return np.where(rng.random(truth.size) < 0.1, rng.integers(0, k, truth.size), truth)


@pytest.mark.parametrize("missing", [0.0, 0.3])
def test_probabilities_of_real_numbers_are_bayes_rule(missing):
    blocks = make_paper("D4", noise=2, missing=missing, random_state=0)
    rng = np.random.default_rng(0)
    z = noisy_labels(blocks.row_labels, 5, rng)
    w = noisy_labels(blocks.column_labels, 4, rng)
    matrix = as_matrix(blocks.data)
    expected = gaussian_probabilities(blocks.data, z, w)
    fit = block_fit(matrix, z, w, "gaussian")
    np.testing.assert_allclose(fit.probabilities(matrix), expected, rtol=1e-6, atol=1e-12)


def test_probabilities_of_counts_are_bayes_rule_to_the_power_of_the_dispersion():
    blocks = make_counts((80, 60), [[3, 1], [1, 2]], mean=1, random_state=0)
    rng = np.random.default_rng(0)
    z = noisy_labels(blocks.row_labels, 2, rng)
    w = noisy_labels(blocks.column_labels, 2, rng)
    a = blocks.data
    fit = block_fit(as_matrix(a), z, w, "poisson")
    margins = np.outer(a.sum(axis=1) / fit.column_margins.sum(), fit.column_margins)
    weights = fit.column_scales / fit.dispersion
    likelihood = [(weights * poisson.logpmf(a, margins * fit.values[k][w])).sum(1) for k in (0, 1)]
    expected = softmax(np.transpose(likelihood) + np.log(np.bincount(z) / z.size), axis=1)
    np.testing.assert_allclose(fit.probabilities(as_matrix(a)), expected, rtol=1e-6, atol=1e-12)


def test_a_block_fit_keeps_the_labels_and_has_the_means_of_their_blocks():
    a = make_paper("D3", random_state=0).data
    rng = np.random.default_rng(0)
    z, w = rng.permutation(np.arange(300) % 2), rng.permutation(np.arange(200) % 3)
    fit = block_fit(as_matrix(a), z, w)
    assert np.array_equal(fit.row_labels, z)
    assert np.array_equal(fit.column_labels, w)
    np.testing.assert_allclose(fit.values, block_means(a, z, w))


@pytest.mark.parametrize("loss", ["gaussian", "poisson"])
def test_expected_entries_add_up_to_the_sums_of_blocks(loss):
    blocks = make_counts((40, 30), [[4, 1], [1, 3]], mean=3, random_state=0)
    a, z, w = blocks.data, blocks.row_labels, blocks.column_labels
    fit = block_fit(as_matrix(a), z, w, loss)
    i, j = (index.ravel() for index in np.indices(a.shape))
    expected = fit.expected(fit.margins_of(as_matrix(a))[i], z[i], j).reshape(a.shape)
    weights = np.outer(fit.row_scales, fit.column_scales)
    for r in range(2):
        for c in range(2):
            block = np.ix_(z == r, w == c)
            total = (weights * a)[block].sum()
            assert (weights * expected)[block].sum() == pytest.approx(total)


def test_the_transpose_predicts_columns():
    blocks = make_counts((50, 40), [[4, 1], [1, 3]], mean=3, random_state=0)
    labels = blocks.row_labels, blocks.column_labels
    fit = block_fit(as_matrix(blocks.data), *labels, "poisson")
    turned = block_fit(as_matrix(blocks.data.T), *labels[::-1], "poisson")
    matrix = as_matrix(blocks.data.T)
    np.testing.assert_allclose(fit.T.probabilities(matrix), turned.probabilities(matrix), rtol=1e-6)


def test_renumbering_permutes_values_and_probabilities():
    blocks = make_paper("D3", noise=3, random_state=0)
    matrix = as_matrix(blocks.data)
    fit = block_fit(matrix, blocks.row_labels, blocks.column_labels)
    renumbered = fit.renumbered(np.array([1, 0]), np.array([2, 0, 3, 1]))
    np.testing.assert_array_equal(renumbered.values, fit.values[[1, 0]][:, [2, 0, 3, 1]])
    np.testing.assert_allclose(
        renumbered.probabilities(matrix), fit.probabilities(matrix)[:, [1, 0]], rtol=1e-9
    )


@pytest.mark.parametrize("loss", ["gaussian", "poisson"])
def test_a_fit_holds_nothing_but_arrays_numbers_and_its_records(loss):
    a = make_counts((40, 30), [[4, 1], [1, 3]], mean=3, random_state=0).data
    fit = block_fit(as_matrix(a), np.arange(40) % 2, np.arange(30) % 2, loss)
    waiting = [fit]
    while waiting:
        value = waiting.pop()
        assert not isinstance(value, Matrix)
        if is_dataclass(value):
            assert type(value) in RECORDS
            waiting += [getattr(value, field.name) for field in fields(value)]
        else:
            assert isinstance(value, (np.ndarray, float, int))
