"""Labels do not depend on the order of rows and columns, nor on how a matrix is stored."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

from rankone import (
    RankOneCoclustering,
)
from rankone.datasets import make_blocks, make_counts, make_paper
from rankone.metrics import error_rate


def variants(a):
    """Return a matrix in all its guises."""
    read_only = a.copy()
    read_only.setflags(write=False)
    return {
        "fortran": np.asfortranarray(a),
        "csr": sp.csr_array(a),
        "csc": sp.csc_matrix(a),
        "coo": sp.coo_array(a),
        "read-only": read_only,
        "frame": pd.DataFrame(a),
        "list": a.tolist(),
    }


@pytest.mark.parametrize("refine", [True, False])
@pytest.mark.parametrize("counts", [True, False])
def test_dense_is_sparse_is_memmap_is_frame(refine, counts, tmp_path):
    if counts:
        a = make_counts((80, 60), [[5, 1], [1, 4]], mean=1, random_state=0).data
    else:
        a = make_blocks((80, 60), [[0, 3], [2, 0]], sigma=0.5, random_state=0).data
    a[0, 0] = 0.0
    model = RankOneCoclustering(refine=refine).fit(a)
    np.save(tmp_path / "a.npy", a)
    guises = variants(a) | {"memmap": np.load(tmp_path / "a.npy", mmap_mode="r")}
    for guise, data in guises.items():
        other = RankOneCoclustering(refine=refine).fit(data)
        assert np.array_equal(model.row_labels_, other.row_labels_), guise
        assert np.array_equal(model.column_labels_, other.column_labels_), guise


@pytest.mark.parametrize("refine", [True, False])
@pytest.mark.parametrize("missing", [0.0, 0.3])
def test_labels_are_permuted_with_rows_and_columns(refine, missing):
    rng = np.random.default_rng(0)
    a = make_paper("D3", noise=0.5, missing=missing, random_state=2).data
    model = RankOneCoclustering(refine=refine).fit(a)
    i, j = rng.permutation(a.shape[0]), rng.permutation(a.shape[1])
    moved = RankOneCoclustering(refine=refine).fit(a[i][:, j])
    assert error_rate(model.row_labels_[i], moved.row_labels_) == 0
    assert error_rate(model.column_labels_[j], moved.column_labels_) == 0


@pytest.mark.parametrize("refine", [True, False])
@pytest.mark.parametrize("missing", [0.0, 0.3])
def test_transposition_exchanges_the_labels_of_both_sides(refine, missing):
    a = make_paper("D3", noise=0.5, missing=missing, random_state=2).data
    model = RankOneCoclustering(refine=refine).fit(a)
    turned = RankOneCoclustering(refine=refine).fit(a.T)
    assert error_rate(model.row_labels_, turned.column_labels_) == 0
    assert error_rate(model.column_labels_, turned.row_labels_) == 0


def permuted_and_turned(a, i, j):
    """Return the labels and the criterion of three fits, all in the order of the first."""
    models = [RankOneCoclustering().fit(x) for x in (a, a[i][:, j], a.T)]
    results = [(m.row_labels_, m.column_labels_, m.result_.criterion) for m in models]
    back = np.argsort(i), np.argsort(j)
    rows, columns, criterion = results[1]
    results[1] = rows[back[0]], columns[back[1]], criterion
    results[2] = results[2][1], results[2][0], results[2][2]
    return results


@pytest.mark.parametrize("kind", ["overlapping", "counts", "missing"])
def test_labels_in_doubt_do_not_depend_on_the_order_nor_the_side(kind):
    rng = np.random.default_rng(0)
    for seed in range(6):
        if kind == "counts":
            means = [[1.0, 1.4], [1.4, 1.0]]
            a = make_counts((40, 40), means, mean=2, spread=0.4, random_state=seed).data
        else:
            missing = 0.3 if kind == "missing" else 0.0
            a = make_blocks(
                (50, 40), [[0, 1, 2], [1, 1, 0]], sigma=2.0, missing=missing, random_state=seed
            ).data
        i, j = rng.permutation(a.shape[0]), rng.permutation(a.shape[1])
        expected, *others = permuted_and_turned(a, i, j)
        for found in others:
            assert error_rate(expected[0], found[0]) == error_rate(expected[1], found[1]) == 0
            assert found[2] == pytest.approx(expected[2], rel=1e-12)


def network(rng):
    """Return the groups of 120 nodes, and the upper triangle of their adjacency matrix."""
    truth = rng.integers(0, 3, 120)
    rates = np.array([[0.6, 0.1, 0.1], [0.1, 0.4, 0.05], [0.1, 0.05, 0.3]])
    return truth, np.triu(rng.random((120, 120)) < rates[truth][:, truth], 1).astype(float)


def test_symmetric_matrix_has_one_partition():
    truth, a = network(np.random.default_rng(0))
    model = RankOneCoclustering(symmetric=True).fit(a + a.T)
    assert np.array_equal(model.row_labels_, model.column_labels_)
    assert error_rate(truth, model.row_labels_) < 0.02
    assert np.array_equal(model.predict(a + a.T), model.row_labels_)


def test_symmetric_refuses_other_matrices_and_two_numbers():
    _, a = network(np.random.default_rng(0))
    with pytest.raises(ValueError, match="needs a symmetric matrix"):
        RankOneCoclustering(symmetric=True).fit(a)
    with pytest.raises(ValueError, match="square matrix, but X has 100 rows and 120 columns"):
        RankOneCoclustering(symmetric=True).fit(a[:100])
    with pytest.raises(ValueError, match="one partition"):
        RankOneCoclustering(2, 3, symmetric=True).fit(a + a.T)
