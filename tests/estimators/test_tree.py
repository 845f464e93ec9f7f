"""Trees: cuts, places of rows, symmetries, and what is refused."""

import pickle

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from scipy.cluster import hierarchy
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.metrics import adjusted_rand_score

from rankone import Prepare, RankOneTree
from rankone.datasets import make_blocks, make_counts


def groups(seed=0, size=60, missing=0.0):
    """Return a matrix of signed numbers with three groups of rows, and their labels."""
    rng = np.random.default_rng(seed)
    truth = np.arange(size) % 3
    a = rng.normal(scale=3.0, size=(3, 12))[truth] + rng.normal(size=(size, 12))
    a[rng.random(a.shape) < missing] = np.nan
    return a, truth


def counts(seed=0, missing=0.0):
    """Return counts with three groups of rows."""
    means = [[6, 1, 1], [1, 5, 1], [1, 1, 4]]
    return make_counts((60, 40), means, mean=1, missing=missing, random_state=seed).data


MATRICES = {
    "signed": groups()[0],
    "counts": counts(),
    "missing": groups(missing=0.2)[0],
    "missing counts": counts(missing=0.2),
    "noise": np.random.default_rng(0).normal(size=(50, 20)),
    "copies": np.random.default_rng(0).integers(0, 2, (5, 8))[np.arange(40) % 5].astype(float),
}


@pytest.fixture(params=MATRICES)
def matrix(request):
    return MATRICES[request.param]


@pytest.mark.parametrize("missing", [0.0, 0.2])
def test_groups_are_found_with_their_number(missing):
    a, truth = groups(missing=missing)
    model = RankOneTree().fit(a)
    assert model.n_clusters_ == 3
    assert adjusted_rand_score(truth, model.labels_) == 1.0
    assert model.confidence_.min() > 0.9


def test_noise_is_one_cluster():
    model = RankOneTree().fit(MATRICES["noise"])
    assert model.n_clusters_ == 1
    assert model.summary() == "1 cluster: the rows are not divided."


def test_attributes_are_those_of_the_tree(matrix):
    model = RankOneTree().fit(matrix)
    assert np.array_equal(model.labels_, model.tree_.cut())
    assert np.unique(model.labels_).tolist() == list(range(model.n_clusters_))
    assert model.children_.shape == (model.n_leaves_ - 1, 2)
    assert (np.diff(model.heights_) >= 0.0).all()
    assert ((model.confidence_ > 0.0) & (model.confidence_ <= 1.0)).all()
    assert model.n_features_in_ == matrix.shape[1]
    assert model.replication_.number == model.n_clusters_


def test_fitted_rows_are_placed_in_their_clusters_at_every_cut(matrix):
    model = RankOneTree().fit(matrix)
    assert np.array_equal(model.predict(matrix), model.labels_)
    for k in range(1, model.n_leaves_ + 1):
        assert np.array_equal(model.predict(matrix, n_clusters=k), model.cut(k))


def test_rows_are_placed_alone_as_together(matrix):
    model = RankOneTree().fit(matrix)
    alone = np.concatenate([model.predict(row[None]) for row in matrix])
    assert np.array_equal(alone, model.labels_)


def test_new_rows_are_placed_in_the_groups_that_they_come_from():
    a, truth = groups(size=90)
    model = RankOneTree().fit(a[:60])
    assert adjusted_rand_score(truth[60:], model.predict(a[60:])) == 1.0


def test_cuts_are_nested_and_have_their_number(matrix):
    model = RankOneTree().fit(matrix)
    coarse = model.cut(1)
    for k in range(2, model.n_leaves_ + 1):
        fine = model.cut(n_clusters=k)
        assert np.unique(fine).tolist() == list(range(k))
        assert np.unique(np.c_[coarse, fine], axis=0).shape[0] == k
        coarse = fine


def test_the_linkage_is_valid_and_fcluster_cuts_as_the_tree_does(matrix):
    model = RankOneTree().fit(matrix)
    linkage = model.linkage_matrix()
    assert hierarchy.is_valid_linkage(linkage)
    assert hierarchy.is_monotonic(linkage)
    for k in range(1, model.n_leaves_ + 1):
        of_leaves = hierarchy.fcluster(linkage, k, "maxclust")
        assert adjusted_rand_score(of_leaves[model.tree_.leaves], model.cut(k)) == 1.0
    drawn = hierarchy.dendrogram(linkage, no_plot=True)
    assert sorted(drawn["leaves"]) == list(range(model.n_leaves_))


def test_the_decision_path_goes_from_the_root_to_the_leaf(matrix):
    model = RankOneTree().fit(matrix)
    path = model.decision_path(matrix)
    assert path.format == "csr"
    assert path.shape == (matrix.shape[0], 2 * model.n_leaves_ - 1)
    assert np.array_equal(path.sum(axis=0).A1, model.tree_.sizes)
    for i, row in enumerate(path.toarray()):
        inner = [node for node in np.flatnonzero(row) if node >= model.n_leaves_]
        assert row[-1] == 1
        assert row[model.tree_.leaves[i]] == 1
        for node in inner:  # one of its two parts is on the path
            assert row[model.children_[node - model.n_leaves_]].sum() == 1


def test_transform_gives_the_scores_of_the_fitted_rows(matrix):
    model = RankOneTree().fit(matrix)
    scores = model.tree_.views.margins.scale * model.tree_.views.scores
    np.testing.assert_allclose(model.transform(matrix), scores, atol=1e-9 * np.abs(scores).max())
    assert len(model.get_feature_names_out()) == scores.shape[1]


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


def test_offsets_of_columns_do_not_matter():
    a = MATRICES["signed"]
    model = RankOneTree().fit(a)
    shifted = RankOneTree().fit(a + 100.0 * np.arange(a.shape[1]))
    assert np.array_equal(shifted.labels_, model.labels_)


def test_a_preparation_applies_to_new_rows():
    a, truth = groups()
    units = 10.0 ** np.arange(12)
    model = RankOneTree(prepare=Prepare(standardise="columns")).fit(a * units)
    assert adjusted_rand_score(truth, model.labels_) == 1.0
    assert np.array_equal(model.predict(a * units), model.labels_)


@pytest.mark.parametrize("number", [1, 2, 5, 25])
def test_a_given_number_of_clusters_is_found(number):
    model = RankOneTree(number).fit(groups()[0])
    assert model.n_clusters_ == number == np.unique(model.labels_).size
    assert model.replication_ is None


def test_the_tree_has_as_many_leaves_as_clusters_are_allowed():
    assert RankOneTree(max_clusters=7).fit(groups()[0]).n_leaves_ == 7


def test_copies_of_a_row_share_a_leaf():
    model = RankOneTree(max_clusters=30).fit(MATRICES["copies"])
    leaves = model.tree_.leaves.reshape(8, 5)
    assert (leaves == leaves[0]).all()
    assert model.n_leaves_ == np.unique(MATRICES["copies"], axis=0).shape[0]


@pytest.mark.parametrize("shape", [(1, 1), (1, 5), (5, 1), (2, 2)])
@pytest.mark.parametrize("value", [0.0, 1.0, "random"])
def test_tiny_and_constant_matrices_are_fitted(shape, value):
    a = np.random.default_rng(0).normal(size=shape) if value == "random" else np.full(shape, value)
    model = RankOneTree().fit(a)
    assert np.array_equal(model.predict(a), model.labels_)
    assert np.isfinite(model.confidence_).all()
    assert model.linkage_matrix().shape == (model.n_leaves_ - 1, 4)
    assert str(model.explain())


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"n_clusters": 0}, "n_clusters must be a whole number, 1 or more, but it is 0"),
        ({"n_clusters": 7}, r"7 clusters of rows were asked for, but X has 6 rows \(n_samples=6"),
        ({"n_clusters": 4}, "4 clusters of rows .* cannot be told apart into more than 2"),
        ({"n_clusters": 5, "axis": "columns"}, "5 clusters of columns .*, but X has 4 columns"),
        ({"axis": "diagonal"}, "axis must be one of 'rows', 'columns', but it is 'diagonal'"),
        ({"max_clusters": 0}, "max_clusters must be a whole number"),
        ({"missing": "zero"}, "missing must be one of 'nan', 'absent'"),
        ({"prepare": "log"}, "prepare must be a Prepare or None"),
        ({"verbose": "yes"}, "verbose must be True or False"),
    ],
)
def test_unusable_parameters_are_refused(parameters, message):
    a = np.random.default_rng(0).normal(size=(2, 4))[[0, 1, 0, 1, 0, 1]]
    with pytest.raises(ValueError, match=message):
        RankOneTree(**parameters).fit(a)


def test_cuts_beyond_the_leaves_are_refused():
    model = RankOneTree(max_clusters=6).fit(groups()[0])
    message = "n_clusters is 7, but the tree has 6 leaves; fit again with max_clusters=7"
    for cut in (model.cut, lambda k: model.predict(groups()[0], k)):
        with pytest.raises(ValueError, match=message):
            cut(7)
    with pytest.raises(ValueError, match="n_clusters must be a whole number, 1 or more"):
        model.cut(0)


def test_rows_without_an_observed_entry_are_refused():
    a = groups()[0]
    a[4] = np.nan
    with pytest.raises(ValueError, match="Row 4 of X has no observed entry"):
        RankOneTree().fit(a)
    model = RankOneTree().fit(a[:4])
    with pytest.raises(ValueError, match="Row 1 of X has no observed entry"):
        model.predict(a[3:])


def test_negative_entries_of_new_rows_are_refused_where_zero_means_absence():
    model = RankOneTree().fit(MATRICES["counts"])
    row = MATRICES["counts"][:1].copy()
    row[0, 3] = -2.0
    with pytest.raises(ValueError, match=r"is negative, but X\[0, 3\] is -2"):
        model.predict(row)


def test_new_columns_must_have_the_rows_of_the_fitted_matrix():
    a = groups()[0]
    model = RankOneTree(axis="columns").fit(a)
    with pytest.raises(ValueError, match=r"X has 59 rows, but .* columns of 60"):
        model.predict(a[1:])
    a[:, 2] = np.nan
    with pytest.raises(ValueError, match="Column 2 of X has no observed entry"):
        model.predict(a)


def test_nothing_works_before_a_fit():
    for method in ("cut", "linkage_matrix", "explain", "summary"):
        with pytest.raises(NotFittedError):
            getattr(RankOneTree(), method)()
    with pytest.raises(NotFittedError):
        RankOneTree().predict(groups()[0])


def test_a_pickled_clone_predicts_the_same():
    a = groups()[0]
    model = clone(RankOneTree(3)).fit(a)
    again = pickle.loads(pickle.dumps(model))
    assert np.array_equal(again.predict(a), model.labels_)
    assert not hasattr(again, "matrix_")


def test_names_of_rows_and_columns_are_kept():
    frame = pd.DataFrame(groups()[0]).add_prefix("c").rename(index="r{}".format)
    model = RankOneTree().fit(frame)
    assert list(model.feature_names_in_) == list(frame.columns)
    assert list(model.row_names_in_) == list(frame.index)


def test_blocks_give_clusters_of_both_sides():
    blocks = make_blocks((90, 60), [[0, 4, 1], [3, 0, 1], [1, 1, 5]], sigma=0.7, random_state=0)
    for axis, truth in (("rows", blocks.row_labels), ("columns", blocks.column_labels)):
        model = RankOneTree(axis=axis).fit(blocks.data)
        assert adjusted_rand_score(truth, model.labels_) == 1.0
