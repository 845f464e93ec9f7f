"""Scales of vectors, which decide what a penalty means."""

import numpy as np
import pytest

from rankone.cuts import SortedPotts
from rankone.vectors import NMF, Marginal
from tests.vectors.variants import blocks, every_method, matrix_for


@every_method
def test_scales_divide_each_vector_by_its_size(method):
    a = matrix_for(method)
    vectors = method.extract(a)
    sizes = {"extracted": lambda x: 1.0, "mean": np.mean, "norm": np.linalg.norm, "sum": np.sum}
    for scale, size in sizes.items():
        if scale in ("mean", "sum") and min(vectors.row.sum(), vectors.column.sum()) <= 0:
            with pytest.raises(ValueError, match="needs scores with a positive sum"):
                method.extract(a, scale=scale)
            continue
        scaled = method.extract(a, scale=scale)
        assert type(scaled) is type(vectors)
        np.testing.assert_allclose(scaled.row, vectors.row / size(vectors.row))
        np.testing.assert_allclose(scaled.column, vectors.column / size(vectors.column))
    with pytest.raises(ValueError, match="scale must be one of 'extracted', 'mean'"):
        method.extract(a, scale="variance")


def test_proportional_vectors_have_the_same_clusters_on_the_same_scale():
    a = np.exp(np.random.default_rng(0).normal(size=(60, 40)))
    cut = SortedPotts(p=1, lam=0.2).cut
    assert cut(NMF().extract(a).row).n_clusters != cut(Marginal().extract(a).row).n_clusters
    for scale in ("mean", "norm", "sum"):
        by_factors, by_means = (
            SortedPotts(p=1, lam=0.05).cut(method.extract(a, scale=scale).row).labels
            for method in (NMF(), Marginal())
        )
        np.testing.assert_array_equal(by_factors, by_means)


def test_the_scale_of_factors_follows_their_vectors():
    vectors = NMF(n_init=3, random_state=0).extract(blocks(12, 9), scale="norm")
    plain = NMF(n_init=3, random_state=0).extract(blocks(12, 9))
    np.testing.assert_allclose(
        vectors.scale * np.outer(vectors.row, vectors.column),
        plain.scale * np.outer(plain.row, plain.column),
    )
    np.testing.assert_allclose(vectors.row_spread / vectors.row, plain.row_spread / plain.row)
