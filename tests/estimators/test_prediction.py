"""Rows are placed in clusters, and missing entries are imputed."""

import numpy as np
import pytest
import scipy.sparse as sp

from rankone import (
    RankOneClustering,
    RankOneCoclustering,
)
from rankone.datasets import make_blocks, make_counts, make_paper
from rankone.metrics import error_rate


@pytest.mark.parametrize("vectors", ["marginal", "nmf", "svd"])
@pytest.mark.parametrize("missing", [0.0, 0.3])
def test_fitted_rows_are_placed_where_they_are(vectors, missing):
    a = make_counts((60, 40), [[9, 2], [2, 6]], mean=8, missing=missing, random_state=0).data
    for refine in (True, False):
        model = RankOneCoclustering(vectors=vectors, refine=refine).fit(a)
        assert np.array_equal(model.predict(a), model.row_labels_)
        assert np.allclose(model.transform(a)[:, 0], model.row_vector_, rtol=1e-6)
        assert np.array_equal(model.predict(a[5:9]), model.row_labels_[5:9])


def test_new_rows_are_placed():
    blocks = make_paper("D2", noise=1, random_state=0)
    model = RankOneCoclustering().fit(blocks.data[:400])
    assert error_rate(blocks.row_labels[400:], model.predict(blocks.data[400:])) == 0


@pytest.mark.parametrize("vectors", ["marginal", "nmf", "svd"])
@pytest.mark.parametrize("refine", [True, False])
def test_new_rows_may_lack_columns(vectors, refine):
    blocks = make_blocks((60, 40), [[1, 9], [6, 2]], sigma=0.2, random_state=0)
    model = RankOneCoclustering(2, 2, vectors=vectors, refine=refine).fit(blocks.data)
    row = blocks.data[:1].copy()
    row[0, :3] = np.nan
    filled = model.impute(row)
    if refine or vectors != "marginal":  # whose means depend on which columns there are
        assert model.predict(row)[0] == model.row_labels_[0]
    if refine:
        assert np.abs(filled - blocks.data[:1]).max() < 1


def test_new_sparse_rows_may_lack_columns():
    blocks = make_blocks((60, 40), [[1, 9], [6, 2]], sigma=0.2, random_state=0)
    row = blocks.data[:1].copy()
    row[0, :3] = 0.0
    sparse = RankOneCoclustering(missing="absent").fit(sp.csr_array(blocks.data))
    assert sparse.predict(sp.csr_array(row)).shape == (1,)


def test_negative_new_rows_are_refused_by_a_model_of_counts():
    a = make_counts((60, 30), [[9, 2], [2, 6]], mean=8, random_state=0).data
    with pytest.raises(ValueError, match=r"fitted to counts, but X\[0, 0\] is -1"):
        RankOneCoclustering(loss="poisson").fit(a).predict(-np.ones((1, 30)))


def test_methods_that_cannot_place_rows_have_no_predict():
    model = RankOneClustering(vectors="fiedler", refine=False)
    assert not hasattr(model, "predict")
    assert not hasattr(model, "transform")
    assert hasattr(RankOneClustering(vectors="fiedler"), "predict")
    with pytest.raises(AttributeError) as error:
        model.predict  # noqa: B018
    assert "use marginal, nmf or svd" in str(error.value.__cause__)


@pytest.mark.parametrize("refine", [True, False])
def test_imputed_entries_are_the_means_of_their_blocks(refine):
    blocks = make_blocks((60, 50), [[0, 1], [5, 9]], sigma=0.1, missing=0.3, random_state=0)
    filled = RankOneCoclustering(2, 2, refine=refine).fit(blocks.data).impute(blocks.data)
    gaps = np.isnan(blocks.data)
    assert np.array_equal(filled[~gaps], blocks.data[~gaps])
    truth = blocks.means[blocks.row_labels][:, blocks.column_labels]
    assert np.abs(filled - truth)[gaps].max() < 0.1


def test_imputed_counts_follow_the_margins():
    rng = np.random.default_rng(0)
    full = make_counts((200, 100), [[6, 1], [1, 4]], mean=20, random_state=0)
    data = np.where(rng.random((200, 100)) < 0.3, np.nan, full.data)
    gaps = np.isnan(data)
    filled = RankOneCoclustering().fit(data).impute(data)
    assert np.mean((filled - full.data)[gaps] ** 2) < 0.2 * np.var(full.data[gaps])


def test_absent_entries_may_be_missing():
    rng = np.random.default_rng(0)
    blocks = make_blocks((60, 50), [[1, 9], [5, 2]], sigma=0.2, random_state=0)
    gaps = rng.random((60, 50)) < 0.4
    dense = RankOneCoclustering().fit(np.where(gaps, np.nan, blocks.data))
    sparse = sp.csr_array(np.where(gaps, 0.0, blocks.data))
    model = RankOneCoclustering(missing="absent").fit(sparse)
    assert np.array_equal(model.row_labels_, dense.row_labels_)
    assert np.allclose(model.impute(sparse), dense.impute(np.where(gaps, np.nan, blocks.data)))
