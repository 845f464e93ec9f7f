"""The noise edge: where noise ends."""

import numpy as np
import pytest
import scipy.sparse as sp

from rankone.matrix import as_matrix
from rankone.matrix.chunked import Chunked
from rankone.views import Margins, view
from rankone.views.edge import even_edge, noise_edge, sum_of_squares
from tests.matrix.kinds import NestedLists, stored


def edge_of(matrix):
    return noise_edge(Margins.of(matrix).residual(matrix))


@pytest.mark.parametrize("shape", [(500, 300), (300, 500), (2000, 40)])
def test_noise_reaches_the_edge_and_no_further(shape):
    matrix = as_matrix(np.random.default_rng(0).normal(size=shape))
    assert view(matrix, 1).values[0] == pytest.approx(edge_of(matrix), rel=0.05)


def test_counts_of_rank_one_reach_the_edge_and_no_further():
    rng = np.random.default_rng(1)
    array = rng.poisson(0.2 * np.outer(rng.gamma(9, size=600), rng.gamma(9, size=400)) / 81)
    matrix = as_matrix(array[array.any(axis=1)])
    assert Margins.of(matrix).relative
    assert view(matrix, 1).values[0] == pytest.approx(edge_of(matrix), rel=0.1)


def test_a_planted_factor_is_above_the_edge_and_noise_is_not():
    rng = np.random.default_rng(2)
    array = rng.normal(size=(500, 300)) + 0.3 * np.outer(rng.normal(size=500), rng.normal(size=300))
    matrix = as_matrix(array)
    values, edge = view(matrix, 2).values, edge_of(matrix)
    assert values[0] > 1.5 * edge
    assert values[1] < edge


@pytest.mark.parametrize("sign", [1.0, -1.0])
@pytest.mark.parametrize("density", [0.02, 0.3, 0.7])
def test_the_edge_is_the_same_for_all_kinds_of_matrices(density, sign):
    rng = np.random.default_rng(3)
    array = sign * rng.poisson(4.0, (500, 300)) * (rng.random((500, 300)) < density)
    kinds = [
        np.asfortranarray(array),
        sp.csr_array(array),
        sp.csc_array(array),
        NestedLists(array.tolist()),
        Chunked.of([as_matrix(sp.csr_array(array[:99])), as_matrix(array[99:])]),
    ]
    expected = edge_of(as_matrix(array))
    for kind in kinds:
        assert edge_of(as_matrix(kind)) == pytest.approx(expected, rel=0.05)


def test_the_edge_of_observed_entries_is_that_of_nan():
    rng = np.random.default_rng(4)
    array = np.where(rng.random((400, 300)) < 0.6, np.nan, 3.0 + rng.normal(size=(400, 300)))
    ours, theirs = edge_of(as_matrix(stored(array), "absent")), edge_of(as_matrix(array))
    assert ours == pytest.approx(theirs, rel=0.05)


def test_signs_of_a_transposed_matrix_differ_from_tile_to_tile():
    """More entries than a tile has: equal signs in each would add up to a factor."""
    rng = np.random.default_rng(5)
    array = rng.normal(size=(3000, 300))
    edges = [edge_of(as_matrix(a)) for a in (array, np.asfortranarray(array))]
    assert edges[0] == pytest.approx(edges[1], rel=0.05)


@pytest.mark.parametrize("array", [np.zeros((3, 4)), np.full((4, 3), 0.1), np.ones((1, 1))])
def test_nothing_has_no_edge(array):
    assert edge_of(as_matrix(array)) == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("scale", [1e-200, 3.0, 1e200])
def test_the_edge_grows_with_the_entries(scale):
    array = np.random.default_rng(8).normal(size=(60, 40))
    one, other = as_matrix(array), as_matrix(array * scale)
    edges = [edge_of(matrix) * Margins.of(matrix).scale for matrix in (one, other)]
    assert edges[1] / scale == pytest.approx(edges[0], rel=1e-9)


@pytest.mark.parametrize("make", [np.asarray, sp.csr_array, sp.csc_array])
def test_the_edge_of_even_noise_is_known_from_its_variance(make):
    matrix = as_matrix(make(np.random.default_rng(6).normal(size=(500, 300))))
    residual = Margins.of(matrix).residual(matrix)
    ours = even_edge(sum_of_squares(residual), matrix.shape, 0)
    assert ours == pytest.approx(noise_edge(residual), rel=0.05)


@pytest.mark.parametrize("missing", [0.0, 0.4])
def test_the_sum_of_squares_is_that_of_observed_entries_less_their_margins(missing):
    rng = np.random.default_rng(7)
    array = rng.normal(size=(40, 30))
    array[1:, 1:][rng.random((39, 29)) < missing] = np.nan
    expected = np.nansum((array - np.nanmean(array, axis=0)) ** 2)
    for matrix in (as_matrix(array), as_matrix(stored(array), "absent"), as_matrix(array.T).T):
        margins = Margins.of(matrix)
        ours = sum_of_squares(margins.residual(matrix)) * margins.scale**2
        assert ours == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("scale", [2.0**-560, 2.0**560])
def test_sparse_entries_whose_squares_are_no_doubles_have_the_same_sum(scale):
    array = sp.random_array((40, 30), density=0.3, rng=0, format="csr")

    def scaled_sum(entries):
        matrix = as_matrix(entries)
        return sum_of_squares(Margins.of(matrix).residual(matrix))

    assert scaled_sum(array * scale) == pytest.approx(scaled_sum(array), rel=1e-9)
