"""Annotated data: the genes that mark clusters of cells."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from anndata import AnnData

from rankone import RankOneClustering
from rankone.contrib.anndata import markers
from rankone.datasets import make_counts


@pytest.fixture
def cells():
    blocks = make_counts((90, 40), [[4, 1], [2, 5], [1, 9]], mean=3, random_state=0)
    return AnnData(
        sp.csr_matrix(blocks.data),
        obs=pd.DataFrame({"truth": blocks.row_labels}, index=[f"cell{i}" for i in range(90)]),
        var=pd.DataFrame(index=[f"gene{j}" for j in range(40)]),
    )


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
    pd.testing.assert_frame_equal(markers(few, "truth", layer="raw"), markers(cells, "truth"))


def test_layers_and_labels_of_a_learner_are_used(cells):
    model = RankOneClustering().fit(cells)
    model.annotate(cells)
    cells.layers["counts"] = cells.X
    cells.X = cells.X[::-1]
    named = [contrast.name for contrast in model.explain(n=5).rows.clusters[0].high]
    table = markers(cells, layer="counts")
    assert (
        table[(table["cluster"] == "0") & (table["direction"] == "high")]["gene"].tolist() == named
    )


def test_cells_without_labels_are_refused(cells):
    cells.obs["some"] = np.where(np.arange(90) < 5, None, "a")
    with pytest.raises(ValueError, match="5 cells have no label"):
        markers(cells, "some")
