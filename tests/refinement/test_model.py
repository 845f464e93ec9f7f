"""The latent block model: its criterion by definition, and its symmetries."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankone.matrix import as_matrix
from rankone.refinement.families import FAMILIES, Bernoulli, Gaussian, Poisson
from rankone.refinement.model import BlockModel
from tests.refinement.oracles import (
    bernoulli_criterion,
    gaussian_criterion,
    poisson_criterion,
)


def random_case(seed, name, missing=0.0, shape=(14, 11)):
    """Return a matrix, and labels of its rows and columns."""
    rng = np.random.default_rng(seed)
    a = {
        "bernoulli": lambda: (rng.random(shape) < 0.4).astype(float),
        "gaussian": lambda: rng.normal(size=shape),
        "poisson": lambda: rng.poisson(2.0, shape).astype(float),
    }[name]()
    a[1:, 1:][rng.random((shape[0] - 1, shape[1] - 1)) < missing] = np.nan
    return a, rng.permutation(np.arange(shape[0]) % 3), rng.permutation(np.arange(shape[1]) % 2)


def adapted_state(a, z, w, name):
    """Return the model whose law is that of the blocks, and its state."""
    model = BlockModel.of(as_matrix(a), FAMILIES[name])
    model = model.adapt(model.state(z, w))
    return model, model.state(z, w)


cases = given(st.integers(0, 2**32 - 1), st.sampled_from(sorted(FAMILIES)), st.floats(0, 0.5))


@pytest.mark.parametrize("missing", [0.0, 0.3])
def test_the_criterion_of_real_numbers_is_its_definition(missing):
    a, z, w = random_case(0, "gaussian", missing, (30, 20))
    state = BlockModel.of(as_matrix(a + 100.0), Gaussian).state(z, w)
    assert state.criterion == pytest.approx(gaussian_criterion(a, z, w), rel=1e-9)


@pytest.mark.parametrize("missing", [0.0, 0.3])
def test_the_criterion_of_zeros_and_ones_is_its_definition(missing):
    a, z, w = random_case(0, "bernoulli", missing, (30, 20))
    state = BlockModel.of(as_matrix(a), Bernoulli).state(z, w)
    assert state.criterion == pytest.approx(bernoulli_criterion(a, z, w), rel=1e-9)


def test_the_criterion_of_counts_is_its_definition():
    a, z, w = random_case(0, "poisson", 0.0, (30, 20))
    state = BlockModel.of(as_matrix(a), Poisson).state(z, w)
    assert state.criterion == pytest.approx(poisson_criterion(a, z, w), rel=1e-9)


@settings(max_examples=40)
@cases
def test_transposing_the_matrix_transposes_model_and_state(seed, name, missing):
    a, z, w = random_case(seed, name, missing)
    model = BlockModel.of(as_matrix(a), FAMILIES[name])
    turned_model = BlockModel.of(as_matrix(a.T), FAMILIES[name])
    state, turned = model.state(z, w), turned_model.state(w, z)
    assert turned.criterion == pytest.approx(state.criterion, rel=1e-6, abs=1e-6)
    np.testing.assert_allclose(turned.T.blocks.total, state.blocks.total, rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(turned.T.blocks.size, state.blocks.size, rtol=1e-6)
    np.testing.assert_allclose(
        model.T.row_sums(z, 3).total, turned_model.row_sums(z, 3).total, rtol=1e-6, atol=1e-9
    )


@settings(max_examples=40)
@cases
def test_permuting_the_matrix_permutes_model_and_state(seed, name, missing):
    a, z, w = random_case(seed, name, missing)
    rng = np.random.default_rng(seed)
    i, j = rng.permutation(z.size), rng.permutation(w.size)
    model, state = adapted_state(a, z, w, name)
    moved_model, moved = adapted_state(a[i][:, j], z[i], w[j], name)
    taken, law = state.take(i, j), model.law.take(i, j)
    assert moved.has_labels_of(taken)
    assert moved.criterion == pytest.approx(taken.criterion, rel=1e-9, abs=1e-9)
    np.testing.assert_allclose(moved.blocks.total, taken.blocks.total, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(moved_model.law.rows.weights, law.rows.weights, rtol=1e-9)
    np.testing.assert_allclose(moved_model.law.columns.weights, law.columns.weights, rtol=1e-9)


@cases
@settings(max_examples=40)
def test_renumbering_clusters_changes_nothing_but_numbers(seed, name, missing):
    a, z, w = random_case(seed, name, missing)
    model, state = adapted_state(a, z, w, name)
    renumbered = state.renumber(np.array([2, 0, 1]), np.array([1, 0]))
    again = model.state(renumbered.rows, renumbered.columns)
    np.testing.assert_allclose(again.blocks.total, renumbered.blocks.total, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(again.blocks.size, renumbered.blocks.size, rtol=1e-9, atol=1e-9)
    assert again.criterion == pytest.approx(renumbered.criterion, rel=1e-9, abs=1e-9)


@settings(max_examples=40)
@cases
def test_hard_membership_has_the_sums_of_labels(seed, name, missing):
    a, z, w = random_case(seed, name, missing)
    model, _ = adapted_state(a, z, w, name)
    by_labels, by_degrees = model.row_sums(w, 2), model.soft_row_sums(np.eye(2)[w])
    np.testing.assert_allclose(by_degrees.total, by_labels.total, rtol=1e-9, atol=1e-9)
    np.testing.assert_array_equal(by_degrees.size, by_labels.size)
