"""Trees: cuts, places of rows, and what is refused."""

import pickle

import numpy as np
import pandas as pd
import pytest
from scipy.cluster import hierarchy
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.metrics import adjusted_rand_score

from rankone import Prepare, RankOneTree
from rankone.datasets import make_blocks
from tests.estimators.matrices import MATRICES, groups


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
