"""Cells of a picture are means of entries, however the matrix is stored."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

from rankone import RankOneCoclustering
from rankone.plotting import BlocksDisplay
from tests.plotting.drawing import DATA, brute_force, labels_of, positions


@pytest.mark.parametrize("kind", ["array", "fortran", "list", "frame", "integers"])
def test_dense_kinds_give_one_picture(kind):
    rng = np.random.default_rng(0)
    X = rng.integers(0, 9, (12, 7)).astype(float)
    given = {
        "array": X,
        "fortran": np.asfortranarray(X),
        "list": X.tolist(),
        "frame": pd.DataFrame(X),
        "integers": X.astype(np.int8),
    }[kind]
    before = np.array(given)
    rows, columns = labels_of(rng, 12, 3), labels_of(rng, 7, 2)
    for most in (1000, 5):
        display = BlocksDisplay(given, rows, columns).plot(max_cells=most)
        np.testing.assert_allclose(display.cells_, brute_force(X, display))
    np.testing.assert_array_equal(np.array(given), before)


@pytest.mark.parametrize("most", [1, 7, 40, 1000])
def test_means_of_cells_with_missing_entries(most, monkeypatch):
    rng = np.random.default_rng(0)
    monkeypatch.setattr("rankone.matrix.dense.BLOCK", 200)  # cells are read in several parts
    X = rng.normal(size=(60, 45))
    X[rng.random(X.shape) < 0.6] = np.nan
    X[0], X[:, 0] = 0.0, 0.0  # no row or column is empty
    display = BlocksDisplay(X, labels_of(rng, 60, 4), labels_of(rng, 45, 3)).plot(max_cells=most)
    np.testing.assert_allclose(display.cells_, brute_force(X, display), atol=1e-12)


@pytest.mark.parametrize("form", ["csr", "csc", "coo"])
@pytest.mark.parametrize("missing", ["nan", "absent"])
@pytest.mark.parametrize("most", [9, 1000])
def test_means_of_cells_of_a_sparse_matrix(form, missing, most):
    rng = np.random.default_rng(0)
    X = sp.random_array((50, 40), density=0.2, random_state=rng, format="csr")
    X = X + sp.eye_array(50, 40) + sp.coo_array((np.ones(10), (range(40, 50), [0] * 10)), X.shape)
    display = BlocksDisplay(
        X.asformat(form), labels_of(rng, 50, 3), labels_of(rng, 40, 2), missing=missing
    ).plot(max_cells=most)
    dense = X.toarray()
    if missing == "absent":
        dense[dense == 0] = np.nan
        assert most == 9 or np.isnan(display.cells_).any()
    np.testing.assert_allclose(display.cells_, brute_force(dense, display), atol=1e-12)


def large_picture(rng):
    """Return a large sparse matrix and its picture; one cluster is smaller than a cell."""
    X = sp.random_array((5000, 3000), density=0.002, random_state=rng, format="csr")
    rows = np.repeat(np.arange(4), [2, 1998, 2500, 500])
    return X, BlocksDisplay(X, rng.permutation(rows), labels_of(rng, 3000, 5)).plot()


def test_large_sparse_matrix_is_never_dense_as_a_whole(monkeypatch):
    rng = np.random.default_rng(0)

    def refuse(self, *args, **kwargs):
        assert np.prod(self.shape) <= 1010**2, "A sparse matrix was made dense as a whole."
        return toarray(self, *args, **kwargs)

    toarray = sp.csr_array.toarray
    monkeypatch.setattr(sp.csr_array, "toarray", refuse)
    _, display = large_picture(rng)
    assert 990 <= display.cells_.shape[0] <= 1004
    assert 990 <= display.cells_.shape[1] <= 1005
    low, high = display.image_.get_clim()
    assert low < high


def test_no_cell_of_a_large_matrix_is_in_two_clusters():
    rng = np.random.default_rng(0)
    _, display = large_picture(rng)
    for edges, labels, order, lines, axis in (
        (display.row_edges_, display.row_labels, display.row_order_, display.row_lines_, 1),
        (
            display.column_edges_,
            display.column_labels,
            display.column_order_,
            display.column_lines_,
            0,
        ),
    ):
        ends = np.cumsum(np.bincount(labels))[:-1]
        assert (edges[0], edges[-1]) == (0, labels.size)
        assert edges[np.array(positions(lines, axis), int)].tolist() == ends.tolist()
        starts = labels[order][edges[:-1]]
        assert (starts == labels[order][edges[1:] - 1]).all()


def test_cells_of_a_large_matrix_keep_its_sum():
    rng = np.random.default_rng(0)
    X, display = large_picture(rng)
    cells = np.outer(np.diff(display.row_edges_), np.diff(display.column_edges_))
    assert (display.cells_ * cells).sum() == pytest.approx(X.sum())


def test_blocks_of_sparse_learner_use_its_missing():
    X = sp.csr_array(np.nan_to_num(DATA))
    model = RankOneCoclustering(2, 2, missing="absent").fit(X)
    display = BlocksDisplay.from_estimator(model, X, max_cells=300)
    np.testing.assert_allclose(display.cells_, brute_force(DATA, display))
    assert np.isnan(display.cells_).any()
