"""Cuts with a least size: against enumeration, and what ties forbid."""

from itertools import combinations

import numpy as np
import pytest

from rankone.cuts.brute_force import best_level, fit
from rankone.selection.sizes import cut_into_large


def best_fit(u, n_clusters, least, p):
    """Return the least fit of all cuts of the sorted values with large enough pieces."""
    values, best = np.sort(u), np.inf
    for cuts in combinations(range(1, u.size), n_clusters - 1):
        pieces = np.split(values, cuts)
        apart = all(values[c - 1] < values[c] for c in cuts)
        if apart and min(piece.size for piece in pieces) >= least:
            ones = [np.ones(piece.size) for piece in pieces]
            levels = [best_level(x, w, p) for x, w in zip(pieces, ones, strict=True)]
            costs = zip(pieces, ones, levels, strict=True)
            best = min(best, sum(fit(x, w, np.full(x.size, level), p) for x, w, level in costs))
    return best


@pytest.mark.parametrize("p", [1, 2])
@pytest.mark.parametrize("ties", [False, True])
def test_the_best_cut_of_all_that_are_large_enough(p, ties):
    rng = np.random.default_rng(0)
    refused = 0
    for _ in range(150):
        n, k, least = (int(rng.integers(*bounds)) for bounds in ((2, 13), (1, 5), (1, 5)))
        u = rng.integers(0, 6, n).astype(float) if ties else rng.standard_cauchy(n)
        best, found = best_fit(u, k, least, p), cut_into_large(u, k, least, p)
        refused += found is None
        if found is None:
            assert best == np.inf
        else:
            assert found.n_clusters == k
            assert found.sizes.min() >= least
            assert found.check(u) == pytest.approx(best, rel=1e-9, abs=1e-12)
    assert 0 < refused < 100


def test_every_number_that_the_coordinates_suffice_for_is_reached():
    u = np.random.default_rng(0).lognormal(0, 3, 60)
    for k, least in ((60, 1), (30, 2), (12, 5), (2, 30), (1, 60)):
        found = cut_into_large(u, k, least)
        assert np.bincount(found.labels, minlength=k).min() >= least


def test_many_values_are_cut_into_large_clusters():
    u = np.random.default_rng(0).standard_cauchy(200_000)
    assert cut_into_large(u, 4, 20_000).sizes.min() >= 20_000
