"""Families of distributions, against SciPy's."""

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.stats import bernoulli, norm, poisson

from rankone.datasets import make_counts
from rankone.errors import InputError
from rankone.matrix import as_matrix
from rankone.refinement.families import (
    FAMILIES,
    LOSSES,
    Bernoulli,
    Gaussian,
    Poisson,
    family_for,
    holds_counts,
)
from rankone.refinement.model import BlockModel

POSITIVE, SHARES = np.array([0.3, 1.0, 2.5]), np.array([0.2, 0.5, 0.9])
#: For each family a member, its density, and means and entries at which they are compared.
DENSITIES = {
    "bernoulli": (Bernoulli(0.3), bernoulli.logpmf, SHARES, (0.0, 1.0)),
    "gaussian": (Gaussian(1.0, 1.0), norm.logpdf, POSITIVE, (0.0, 1.0, 4.0)),
    "poisson": (Poisson(), poisson.logpmf, POSITIVE, (0.0, 1.0, 4.0)),
}
every_family = pytest.mark.parametrize("name", sorted(FAMILIES))


def test_losses_are_the_names_of_families():
    assert LOSSES == ("auto", "gaussian", "bernoulli", "poisson")
    assert sorted(DENSITIES) == sorted(FAMILIES)


@every_family
def test_natural_parameters_and_cumulants_are_those_of_the_density(name):
    """Differences over two means leave nothing but what depends on the parameters."""
    family, density, means, entries = DENSITIES[name]
    point = family.at(means)
    for x in entries:
        linear = x * point.natural - point.cumulant
        expected = density(x, means)
        np.testing.assert_allclose(np.diff(linear), np.diff(expected), rtol=1e-12, atol=1e-12)


@every_family
def test_the_variance_is_the_slope_of_the_mean(name):
    family, _, means, _ = DENSITIES[name]
    step = 1e-6
    slope = 2 * step / (family.at(means + step).natural - family.at(means - step).natural)
    np.testing.assert_allclose(slope, family.at(means).variance * np.ones(3), rtol=1e-6)


@every_family
def test_a_matrix_without_blocks_explains_nothing(name):
    a = np.random.default_rng(0).poisson(3.0, (12, 9)).astype(float)
    a = (a > 2.0).astype(float) if name == "bernoulli" else a
    model = BlockModel.of(as_matrix(a), FAMILIES[name])
    blocks = model.state(np.zeros(12, int), np.zeros(9, int)).blocks
    assert model.family.explained(blocks.total, blocks.size)[0] == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("missing", [0.0, 0.3])
def test_margins_of_counts_reproduce_the_sums(missing):
    a = make_counts((40, 30), [[4, 1], [1, 3]], mean=3, missing=missing, random_state=0).data
    law = Poisson.law_of(as_matrix(a))
    expected = np.where(np.isnan(a), np.nan, np.outer(law.rows.margins, law.columns.margins))
    np.testing.assert_allclose(np.nansum(expected, axis=1), np.nansum(a, axis=1), rtol=1e-6)
    np.testing.assert_allclose(np.nansum(expected, axis=0), np.nansum(a, axis=0), rtol=1e-6)


def test_the_dispersion_of_poisson_counts_is_near_one():
    a = np.random.default_rng(0).poisson(4.0, (200, 150)).astype(float)
    model = BlockModel.of(as_matrix(a), Poisson)
    adapted = model.adapt(model.state(np.zeros(200, int), np.zeros(150, int)))
    assert adapted.family.dispersion == pytest.approx(1.0, rel=0.05)


def test_the_dispersion_of_negative_binomial_counts_is_their_variance_over_their_mean():
    a = np.random.default_rng(0).negative_binomial(2, 0.25, (200, 150)).astype(float)
    model = BlockModel.of(as_matrix(a), Poisson)
    adapted = model.adapt(model.state(np.zeros(200, int), np.zeros(150, int)))
    assert adapted.family.dispersion == pytest.approx(4.0, rel=0.1)


def test_the_law_of_real_numbers_does_not_depend_on_blocks():
    a = np.random.default_rng(0).normal(size=(8, 6))
    model = BlockModel.of(as_matrix(a), Gaussian)
    assert model.adapt(model.state(np.arange(8) % 2, np.arange(6) % 2)) is model


@pytest.mark.parametrize(
    ("draw", "counts"),
    [
        (lambda rng: rng.poisson(2.0, (30, 20)), True),
        (lambda rng: sp.csr_array(rng.poisson(0.05, (30, 20))), True),
        (lambda rng: rng.integers(1, 6, (30, 20)), False),
        (lambda rng: rng.normal(size=(30, 20)), False),
        (lambda rng: rng.poisson(2.0, (30, 20)) / 2, False),
        (lambda rng: np.zeros((3, 2)), False),
        (lambda rng: np.ones((3, 2)), False),
    ],
    ids=["counts", "sparse counts", "grades", "real numbers", "half counts", "zeros", "ones"],
)
def test_counts_are_recognised(draw, counts):
    matrix = as_matrix(draw(np.random.default_rng(0)))
    assert holds_counts(matrix) is counts
    assert family_for("auto", matrix) is (Poisson if counts else Gaussian)


@pytest.mark.parametrize(("share", "family"), [(0.1, Poisson), (0.4, Bernoulli), (0.9, Bernoulli)])
@pytest.mark.parametrize("missing", [False, True])
def test_zeros_and_ones_are_recognised_unless_ones_are_rare(share, family, missing):
    rng = np.random.default_rng(0)
    a = (rng.random((60, 40)) < share).astype(float)
    if missing:
        a[rng.random(a.shape) < 0.2] = np.nan
    assert family_for("auto", as_matrix(a)) is family


def test_bernoulli_refuses_other_entries():
    a = np.eye(4)
    a[2, 1] = 3.0
    for matrix in (as_matrix(a), as_matrix(sp.csr_array(a))):
        with pytest.raises(InputError, match=r"zeros and ones only, but X\[2, 1\] is 3"):
            Bernoulli.check(matrix)
