"""Any vectors go with any cut, and each side may have its own."""

import numpy as np
import pytest

from rankone import (
    CCOTGW,
    NMF,
    SVD,
    Fiedler,
    LargestGaps,
    Marginal,
    Multiscale,
    PageRank,
    Potts,
    RankOneCoclustering,
    Sign,
    SortedPotts,
    Threshold,
    TotalVariation,
)
from rankone.datasets import make_blocks
from rankone.metrics import error_rate


@pytest.mark.parametrize(
    "vectors", [Marginal(), NMF(beta=2), SVD(), PageRank(), Fiedler(), CCOTGW()]
)
@pytest.mark.parametrize(
    "cut",
    [
        SortedPotts(lam=1.0),
        Potts(lam=1.0),
        LargestGaps(2),
        Threshold(eps=0.5),
        Sign(),
        Multiscale(),
        TotalVariation(lam=0.1),
    ],
)
def test_every_step_1_with_every_step_2(vectors, cut):
    a = make_blocks((24, 16), [[1, 4], [6, 2]], sigma=0.05, random_state=0).data
    model = RankOneCoclustering(vectors=vectors, cut=cut, refine=False).fit(a)
    expected = vectors.extract(a)
    assert np.array_equal(model.row_vector_, expected.row)
    part = cut.cut(expected.row)
    assert model.n_row_clusters_ == part.n_clusters
    assert error_rate(part.labels, model.row_labels_) == 0


def test_sides_have_their_own_choices():
    a = make_blocks((40, 30), [[1, 4], [6, 2]], sigma=0.05, random_state=0).data
    model = RankOneCoclustering(
        row_vectors="marginal", column_vectors=SVD(), row_cut="sign", column_cut=LargestGaps(3)
    ).fit(a)
    assert np.array_equal(model.row_vector_, Marginal().extract(a).row)
    assert np.array_equal(model.column_vector_, SVD().extract(a).column)
    assert model.row_partition_.n_clusters == 1
    assert model.column_partition_.n_clusters == 3
