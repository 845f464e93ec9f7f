"""Files of trees: they say the same again, and damaged ones are refused."""

import json
import os

import numpy as np
import pandas as pd
import pytest

from rankone import Prepare, RankOneClustering, RankOneTree
from rankone.datasets import make_counts
from tests.test_saving import rewrite


def frame(missing=0.1):
    """Return counts in blocks, with names."""
    means = [[6, 1, 1], [1, 5, 1], [1, 1, 4]]
    data = make_counts((45, 30), means, mean=2, missing=missing, random_state=0).data
    return pd.DataFrame(data).add_prefix("c").rename(index="r{}".format)


@pytest.mark.parametrize(
    "model",
    [
        RankOneTree(),
        RankOneTree(4, max_clusters=9),
        RankOneTree(axis="columns"),
        RankOneTree(prepare=Prepare(log=True, standardise="columns")),
        RankOneTree(prepare=Prepare(standardise="columns"), axis="columns"),
    ],
)
def test_what_is_saved_is_loaded(model, tmp_path):
    data = frame()
    model.fit(data).save(tmp_path / "tree.npz")
    again = RankOneTree.load(tmp_path / "tree.npz")
    assert str(again) == str(model)
    assert np.array_equal(again.predict(data), model.labels_)
    assert np.array_equal(again.transform(data), model.transform(data))
    assert np.array_equal(again.confidence_, model.confidence_)
    assert np.array_equal(again.cut(5), model.cut(5))
    assert np.array_equal(again.linkage_matrix(), model.linkage_matrix())
    assert (again.decision_path(data) != model.decision_path(data)).nnz == 0
    assert str(again.explain()) == str(model.explain())
    assert list(again.feature_names_in_) == list(data.columns)
    assert list(again.row_names_in_) == list(data.index)
    if model.n_clusters is None:
        assert np.array_equal(again.replication_.scores, model.replication_.scores)
    assert os.listdir(tmp_path) == ["tree.npz"]


@pytest.mark.parametrize("data", [np.ones((4, 3)), np.zeros((2, 2)), np.eye(1)])
def test_a_tree_of_one_leaf_is_saved(data, tmp_path):
    RankOneTree().fit(data).save(tmp_path / "tree.npz")
    assert np.array_equal(
        RankOneTree.load(tmp_path / "tree.npz").predict(data), np.zeros(len(data))
    )


def test_a_tree_is_not_loaded_as_another_learner(tmp_path):
    RankOneTree().fit(frame()).save(tmp_path / "tree.npz")
    with pytest.raises(ValueError, match="holds a RankOneTree, not a RankOneClustering"):
        RankOneClustering.load(tmp_path / "tree.npz")


def field(*path):
    """Return a function that replaces an array of the tree by a function of it."""

    def change(make):
        def tamper(state, arrays):
            found = state["tree_"]
            for name in path:
                found = found["fields"][name]
            arrays[f"new {path}"] = make(arrays[found["array"]])
            found["array"] = f"new {path}"

        return tamper

    return change


def value(name, new, *path):
    """Return a function that replaces a number of the tree."""

    def tamper(state, arrays):
        found = state["tree_"]
        for step in path:
            found = found["fields"][step]
        found["fields"][name] = new

    return tamper


TAMPERED = {
    "leaves beyond the tree": field("leaves")(lambda a: a + 1),
    "an empty leaf": field("leaves")(lambda a: np.where(a == 1, 0, a)),
    "a node that is its own part": field("children")(lambda a: a[::-1]),
    "a node with two parents": field("children")(lambda a: np.full_like(a, a.min())),
    "negative nodes": field("children")(lambda a: a - 5),
    "nodes that are no whole numbers": field("children")(lambda a: a + 0.5),
    "a split less": field("children")(lambda a: a[1:]),
    "heights that fall": field("heights")(lambda a: a[::-1].copy()),
    "heights that are not finite": field("heights")(lambda a: a * np.nan),
    "negative gains": field("gains")(lambda a: -a),
    "a gain less": field("gains")(lambda a: a[1:]),
    "no p-values": field("p_values")(lambda a: a + 2.0),
    "agreement beyond one": field("replications")(lambda a: a + 2.0),
    "centres of other views": field("centres")(lambda a: np.c_[a, a]),
    "a centre less": field("centres")(lambda a: a[1:]),
    "centres whose squares overflow": field("centres")(lambda a: a + 1e300),
    "infinite centres": field("centres")(lambda a: a + np.inf),
    "profiles of other columns": field("profiles")(lambda a: a[:, 1:]),
    "scores of other rows": field("views", "scores")(lambda a: a[1:]),
    "directions of fewer views": field("views", "directions")(lambda a: a[:, 1:]),
    "trust beyond one": field("views", "trust")(lambda a: a + 1.5),
    "margins that are not finite": field("views", "margins", "columns")(lambda a: a * np.inf),
    "negative margins": field("views", "margins", "columns")(lambda a: -a),
    "replication of rows that are not there": field("replication", "rows")(lambda a: a + 1000),
    "replication of other numbers": field("replication", "numbers")(lambda a: a[::-1].copy()),
    "agreement of fewer numbers": field("replication", "agreement")(lambda a: a[:, 1:]),
    "more clusters than leaves": value("n_clusters", 1000),
    "no cluster": value("n_clusters", 0),
    "no unit": value("unit", 0.0, "views", "margins"),
    "a negative scale": value("scale", -1.0, "views", "margins"),
    "margins neither relative nor not": value("relative", 2, "views", "margins"),
    "halves that hold something": value("halves", {"tuple": [1]}, "replication"),
    "text for a tree": lambda state, arrays: state.update(tree_="text"),
    "the other axis": lambda state, arrays: state.update(axis="columns"),
    "an array for an axis": lambda state, arrays: state.update(axis={"array": "a0"}),
    "an axis that does not exist": lambda state, arrays: state.update(axis="diagonal"),
    "a record of another learner": lambda state, arrays: state["tree_"].update(record="Result"),
    "a method hidden": lambda state, arrays: state.update(predict=1),
}


@pytest.mark.parametrize("what", TAMPERED)
def test_a_tree_that_could_not_predict_is_refused_when_loaded(what, tmp_path):
    path = tmp_path / "tree.npz"
    RankOneTree().fit(frame()).save(path)
    rewrite(path, TAMPERED[what])
    with pytest.raises(ValueError, match=r"tree\.npz is not a file that .* damaged \(.*\)\."):
        RankOneTree.load(path)


def test_the_file_of_a_tree_does_not_hold_the_views_of_halves(tmp_path):
    path = tmp_path / "tree.npz"
    RankOneTree().fit(frame()).save(path)
    with np.load(path) as archive:
        content = json.loads(archive["json"].tobytes())
    assert content["state"]["tree_"]["fields"]["replication"]["fields"]["halves"] == {"tuple": []}
