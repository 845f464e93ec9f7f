"""The page of a large matrix, whose cells stand for many entries."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

from rankone import RankOneCoclustering
from tests.report import models
from tests.report.test_access import colours_in


def test_a_large_sparse_matrix(opened):
    rng = np.random.default_rng(0)
    rows, columns = rng.integers(0, 4, 20_000), rng.integers(0, 3, 5000)
    i, j = rng.integers(0, 20_000, 1_000_000), rng.integers(0, 5000, 1_000_000)
    kept = rng.random(i.size) < 0.2 + 0.8 * (rows[i] % 3 == columns[j])
    X = sp.coo_array((np.ones(kept.sum()), (i[kept], j[kept])), shape=(20_000, 5000)).tocsr()
    report = RankOneCoclustering().fit(X).report()
    assert len(report.html) < 5e6
    page = opened(report)  # that it opens within 2 s is measured by `make bench`
    assert colours_in(page, "#matrix") > 50
    page.move("rows", 7)
    assert len(page.sizes("rows")) == 7
    assert sum(page.sizes("rows")) == 20_000
    assert "each cell is the mean of about" in page.inner_text(".hint.mouse")
    assert page.problems == []


def test_many_rows_have_exact_labels_and_members(opened):
    rng = np.random.default_rng(0)
    centres = rng.normal(scale=4, size=(3, 4))
    X = pd.DataFrame(centres[rng.integers(0, 3, 30_000)] + rng.normal(size=(30_000, 4)))
    X.index = [f"item {i}" for i in range(30_000)]
    model = RankOneCoclustering(3, 1).fit(X)
    page, tree = opened(model.report()), model.row_tree_
    for k in (2, 5, 3):
        page.move("rows", k)
        assert page.sizes("rows") == np.bincount(tree.cut(k)).tolist()
    assert list(map(int, page.labels("rows")["label"])) == tree.cut(3).tolist()
    page.click("#rows-words li:nth-child(1) .chip")
    assert page.locator(".members li").count() == 500
    page.click("text=Show more")
    assert page.locator(".members li").count() == 1000
    assert page.problems == []


@pytest.mark.parametrize("make", [models.blocks, models.cut], ids=["tree", "path"])
def test_units_of_large_matrices_keep_means_exact(make, opened, monkeypatch):
    monkeypatch.setattr("rankone.report.payload.MOST_CELLS", 1000)
    monkeypatch.setattr("rankone.report.payload.COARSE", (40,))
    model = make()
    page = opened(model.report())
    assert page.evaluate("rankone.sides[0].nUnits") < 100 or make is models.cut
    for k in (2, 7, 20):
        page.move("rows", k)
        side = model.result_.rows
        rows = side.path.at(n_clusters=k).labels if side.tree is None else side.tree.cut(k)
        shown = page.locator("#blocks-body td").all_inner_texts()
        expected = [
            np.nanmean(models.BLOCKS.data[np.ix_(rows == i, model.column_labels_ == j)])
            for i in range(k)
            for j in range(model.n_column_clusters_)
        ]
        found = [float(text.replace("\N{MINUS SIGN}", "-")) for text in shown]
        np.testing.assert_allclose(found, expected, rtol=5e-3, atol=2e-3)
