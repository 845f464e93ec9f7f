"""Trees do not depend on the order, the kind or the units of a matrix."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

from rankone import Prepare, RankOneTree
from tests.estimators.matrices import MATRICES


@pytest.fixture(params=MATRICES)
def matrix(request):
    return MATRICES[request.param]


def test_the_order_of_rows_and_columns_does_not_matter(matrix):
    rng = np.random.default_rng(1)
    model = RankOneTree().fit(matrix)
    i, j = rng.permutation(matrix.shape[0]), rng.permutation(matrix.shape[1])
    moved = RankOneTree().fit(matrix[i][:, j])
    assert np.array_equal(moved.labels_, model.labels_[i])
    assert np.array_equal(moved.children_, model.children_)
    assert np.array_equal(moved.heights_, model.heights_)
    assert np.array_equal(moved.tree_.profiles, model.tree_.profiles[:, j])
    assert np.array_equal(moved.predict(matrix[:, j]), model.labels_)


@pytest.mark.parametrize("kind", ["signed", "missing"])
def test_the_order_does_not_matter_before_a_preparation(kind):
    a, rng = MATRICES[kind], np.random.default_rng(1)
    prepare = Prepare(standardise="columns")
    model = RankOneTree(prepare=prepare).fit(a)
    i, j = rng.permutation(a.shape[0]), rng.permutation(a.shape[1])
    for moved in (a[i][:, j], np.asfortranarray(a[i][:, j])):
        other = RankOneTree(prepare=prepare).fit(moved)
        assert np.array_equal(other.labels_, model.labels_[i])
        assert np.array_equal(other.children_, model.children_)
        np.testing.assert_allclose(other.tree_.replications, model.tree_.replications, atol=1e-9)
        np.testing.assert_allclose(other.tree_.p_values, model.tree_.p_values, atol=1e-6)


def test_the_order_of_a_sparse_matrix_does_not_matter():
    a, rng = MATRICES["counts"], np.random.default_rng(1)
    i, j = rng.permutation(a.shape[0]), rng.permutation(a.shape[1])
    model, moved = (RankOneTree().fit(sp.csr_array(x)) for x in (a, a[i][:, j]))
    assert np.array_equal(moved.labels_, model.labels_[i])
    assert np.array_equal(moved.heights_, model.heights_)


def test_columns_are_clustered_as_rows_of_the_transpose(matrix):
    model = RankOneTree().fit(matrix)
    turned = RankOneTree(axis="columns").fit(matrix.T)
    assert np.array_equal(turned.labels_, model.labels_)
    assert np.array_equal(turned.children_, model.children_)
    assert np.array_equal(turned.predict(matrix.T), model.labels_)
    assert np.array_equal(turned.predict(matrix.T[:, :5]), model.labels_[:5])
    assert turned.n_features_in_ == matrix.shape[0]


@pytest.mark.parametrize("kind", ["signed", "counts"])
def test_dense_is_sparse_is_frame(kind):
    a = MATRICES[kind]
    model = RankOneTree().fit(a)
    for data in (sp.csr_array(a), sp.csc_matrix(a), pd.DataFrame(a), a.tolist()):
        other = RankOneTree().fit(data)
        assert np.array_equal(other.labels_, model.labels_)
        assert np.array_equal(other.children_, model.children_)
        assert np.array_equal(other.predict(data), model.labels_)


def test_absent_entries_can_be_missing():
    a = MATRICES["missing counts"]
    stored = sp.coo_array((a[~np.isnan(a)], np.nonzero(~np.isnan(a))), shape=a.shape).tocsr()
    sparse = RankOneTree(missing="absent").fit(stored)
    assert np.array_equal(sparse.labels_, RankOneTree().fit(a).labels_)


def test_where_nothing_is_missing_the_matrix_is_complete():
    a = MATRICES["counts"] + 1.0
    complete = RankOneTree().fit(a)
    stored = RankOneTree(missing="absent").fit(sp.csr_array(a))  # every entry is stored
    assert np.array_equal(stored.labels_, complete.labels_)


@pytest.mark.parametrize("factor", [1e-30, 1e-3, 7.0, 1e30])
def test_units_do_not_matter(factor):
    a = MATRICES["signed"]
    model, scaled = RankOneTree().fit(a), RankOneTree().fit(a * factor)
    assert np.array_equal(scaled.labels_, model.labels_)
    assert np.array_equal(scaled.children_, model.children_)


@pytest.mark.parametrize("kind", [np.asarray, sp.csr_array])
def test_entries_too_large_to_be_squared_are_refused(kind):
    with pytest.raises(ValueError, match="too large to be squared; divide X by a constant"):
        RankOneTree().fit(kind(MATRICES["signed"] * 2.0**515))


def test_offsets_of_columns_do_not_matter():
    a = MATRICES["signed"]
    model = RankOneTree().fit(a)
    shifted = RankOneTree().fit(a + 100.0 * np.arange(a.shape[1]))
    assert np.array_equal(shifted.labels_, model.labels_)
