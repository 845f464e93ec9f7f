"""Annotated data: labels where scanpy looks for them, and genes that mark clusters."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from anndata import AnnData

from rankone import RankOneClustering, RankOneCoclustering
from rankone.contrib.anndata import cluster, markers
from rankone.datasets import make_counts


@pytest.fixture
def cells():
    blocks = make_counts((90, 40), [[4, 1], [2, 5], [1, 9]], mean=3, random_state=0)
    return AnnData(
        sp.csr_matrix(blocks.data),
        obs=pd.DataFrame({"truth": blocks.row_labels}, index=[f"cell{i}" for i in range(90)]),
        var=pd.DataFrame(index=[f"gene{j}" for j in range(40)]),
    )


def test_labels_are_those_of_the_learner(cells):
    model = cluster(cells)
    expected = RankOneClustering().fit(cells.X)
    assert cells.obs["rankone"].tolist() == expected.labels_.astype(str).tolist()
    assert cells.obs["rankone_confidence"].to_numpy() == pytest.approx(expected.confidence_)
    assert model.row_names_in_[0] == "cell0"
    assert model.feature_names_in_[-1] == "gene39"


def test_genes_are_clustered_if_the_learner_does(cells):
    cells.layers["twice"] = 2 * cells.X
    model = cluster(cells, RankOneCoclustering(), layer="twice", key="blocks")
    assert cells.var["blocks"].tolist() == model.column_labels_.astype(str).tolist()
    assert "rankone" not in cells.obs


def test_effects_of_markers_are_lifts(cells):
    table = markers(cells, "truth", n=3)
    counts, groups = cells.X.toarray(), cells.obs["truth"].to_numpy()
    assert set(table["cluster"]) == {0, 1, 2}
    for row in table.itertuples():
        j = cells.var_names.get_loc(row.gene)
        members = counts[groups == row.cluster]
        expected = members.sum() * counts[:, j].sum() / counts.sum()
        assert row.effect == pytest.approx(members[:, j].sum() / expected)
        assert (row.effect > 1) == (row.direction == "high")


def test_raw_entries_have_their_own_genes(cells):
    cells.raw = cells
    few = cells[:, :20].copy()
    model = cluster(few, layer="raw")
    assert len(model.feature_names_in_) == 40
    assert set(markers(few, layer="raw")["gene"]) <= set(cells.var_names)


def test_cells_without_labels_are_refused(cells):
    cells.obs["some"] = np.where(np.arange(90) < 5, None, "a")
    with pytest.raises(ValueError, match="5 cells have no label"):
        markers(cells, "some")
