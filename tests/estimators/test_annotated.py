"""AnnData, and arrays of files."""

import h5py
import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

from rankone import RankOneClustering, RankOneCoclustering, RankOneTree
from rankone.datasets import make_counts

anndata = pytest.importorskip("anndata")


@pytest.fixture(scope="module")
def values():
    return make_counts((60, 30), [[4, 1], [1, 6]], mean=4, random_state=0).data


@pytest.fixture
def cells(values):
    return anndata.AnnData(
        sp.csr_matrix(values),
        obs=pd.DataFrame(index=[f"cell{i}" for i in range(60)]),
        var=pd.DataFrame(index=[f"gene{j}" for j in range(30)]),
    )


@pytest.mark.parametrize("learner", [RankOneCoclustering(), RankOneClustering(), RankOneTree()])
def test_annotated_data_are_fitted_with_their_names(learner, cells, values):
    model = learner.fit(cells)
    assert list(model.row_names_in_) == list(cells.obs_names)
    assert list(model.feature_names_in_) == list(cells.var_names)
    assert np.array_equal(model.predict(cells), model.labels_)
    assert np.array_equal(model.labels_, learner.fit(sp.csr_matrix(values)).labels_)


def test_genes_in_another_order_are_refused(cells):
    model = RankOneTree().fit(cells)
    with pytest.raises(ValueError, match="names of the columns"):
        model.predict(cells[:, ::-1])


def test_labels_are_written_back_on_request_only(cells):
    model = RankOneCoclustering().fit(cells)
    assert cells.obs.empty
    assert cells.var.empty
    model.annotate(cells, key_added="blocks")
    assert list(cells.obs["blocks"].astype(int)) == list(model.row_labels_)
    assert list(cells.var["blocks"].astype(int)) == list(model.column_labels_)
    assert np.array_equal(cells.obs["blocks_confidence"], model.row_confidence_)
    RankOneClustering().fit(cells).annotate(cells)
    assert "rankone" in cells.obs
    assert "rankone" not in cells.var
    RankOneTree(axis="columns").fit(cells).annotate(cells, "tree")
    assert "tree" in cells.var
    assert "tree" not in cells.obs


def test_annotated_data_of_another_size_are_refused(cells):
    model = RankOneTree().fit(cells)
    with pytest.raises(ValueError, match="adata has 50 rows, but the fitted matrix has 60"):
        model.annotate(cells[:50])
    with pytest.raises(TypeError, match="AnnData"):
        model.annotate(cells.to_df())


@pytest.mark.parametrize("mode", ["r", "r+"])
def test_backed_data_are_read_from_their_file(cells, tmp_path, mode):
    cells.write_h5ad(tmp_path / "cells.h5ad")
    expected = RankOneTree().fit(cells)
    backed = anndata.read_h5ad(tmp_path / "cells.h5ad", backed=mode)
    for x in (backed, backed.X):
        assert np.array_equal(RankOneTree().fit(x).labels_, expected.labels_)
    part = RankOneTree().fit(backed[:40])
    assert list(part.row_names_in_) == list(cells.obs_names[:40])
    backed.file.close()


def test_backed_data_larger_than_memory_are_read_in_blocks(cells, tmp_path, monkeypatch):
    cells.X = cells.X.toarray()
    cells.write_h5ad(tmp_path / "cells.h5ad")
    monkeypatch.setenv("RANKONE_MEMORY", "20000")
    backed = anndata.read_h5ad(tmp_path / "cells.h5ad", backed="r")
    model = RankOneTree().fit(backed)
    backed.file.close()
    assert model.matrix_.reads is not None
    monkeypatch.delenv("RANKONE_MEMORY")
    assert np.array_equal(model.labels_, RankOneTree().fit(cells).labels_)


def test_arrays_of_hdf5_files_are_read_or_refused(values, tmp_path, monkeypatch):
    with h5py.File(tmp_path / "a.h5", "w") as file:
        file["a"] = values
        expected = RankOneTree().fit(values).labels_
        assert np.array_equal(RankOneTree().fit(file["a"]).labels_, expected)
        monkeypatch.setenv("RANKONE_MEMORY", "1000")
        with pytest.raises(ValueError, match=r"pass dask\.array\.from_array\(X\)"):
            RankOneTree().fit(file["a"])


def test_explanations_take_annotated_data(cells):
    model = RankOneCoclustering().fit(cells)
    assert "gene" in str(model.explain(X=cells))
