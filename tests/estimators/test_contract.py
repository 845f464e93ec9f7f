"""What scikit-learn expects of an estimator."""

import pickle
import sys
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV
from sklearn.utils.estimator_checks import parametrize_with_checks

from rankone import (
    NMF,
    Potts,
    Prepare,
    RankOneClustering,
    RankOneCoclustering,
    RankOneTree,
    SortedPotts,
    Threshold,
    TotalVariation,
)
from rankone.datasets import make_blocks, make_counts
from tests.estimators.checks import failures_of_predict_proba

#: Step 1 that takes any complete matrix, signed or not.
GENERAL = ["auto", "marginal", "svd", "fiedler", "fiedler-ds", "ccot-gw", NMF(negative="shift")]


@parametrize_with_checks(
    [RankOneClustering(vectors=v, refine=r) for v in GENERAL for r in (True, False)]
    + [RankOneCoclustering(vectors=v) for v in GENERAL]
    + [RankOneCoclustering(refine=False), RankOneClustering(cut=SortedPotts(p=1))]
    + [RankOneClustering(2, cut="largest-gaps", refine=False)]
    + [RankOneCoclustering(cut=cut) for cut in ("sign", "multiscale", Threshold(eps=0.1))]
    + [RankOneCoclustering(prepare=Prepare(standardise="columns"))],
    expected_failed_checks=failures_of_predict_proba,
)
def test_checks_of_scikit_learn_pass(estimator, check):
    with warnings.catch_warnings():
        # Tiny data of two columns: scores that cannot be told apart, and the like.
        warnings.simplefilter("ignore")
        check(estimator)


@pytest.mark.parametrize("container", [sp.csr_matrix, sp.csc_array, sp.coo_array, sp.lil_matrix])
@pytest.mark.parametrize("learner", [RankOneClustering(), RankOneCoclustering(), RankOneTree()])
def test_sparse_containers_give_the_answers_of_the_array(learner, container):
    x = make_counts((60, 30), [[4, 1], [1, 6]], mean=0.5, random_state=0).data
    expected, model = clone(learner).fit(x), learner.fit(container(x))
    assert np.array_equal(model.labels_, expected.labels_)
    assert np.array_equal(model.predict(container(x)), expected.predict(x))
    assert np.allclose(model.predict_proba(container(x)), expected.predict_proba(x))


def expected_failures(estimator):
    return failures_of_predict_proba(estimator) | {
        "check_clustering": "its rows are shuffled, and contiguous pieces depend on their order"
    }


@parametrize_with_checks(
    [
        RankOneCoclustering(cut=Potts(n_clusters=2), refine=False),
        RankOneCoclustering(cut=TotalVariation(lam=0.5), refine=False),
    ],
    expected_failed_checks=expected_failures,
)
def test_checks_of_scikit_learn_pass_for_contiguous_cuts(estimator, check):
    check(estimator)


def test_pickled_clone_predicts_the_same():
    a = make_blocks((60, 20), [[1, 9], [5, 2]], sigma=0.2, random_state=0).data
    model = clone(RankOneClustering(vectors=NMF(negative="shift"), cut=SortedPotts(p=2))).fit(a)
    again = pickle.loads(pickle.dumps(model))
    assert np.array_equal(again.predict(a), model.predict(a))


def test_grid_search_sets_parameters_of_vectors_and_cut():
    a = make_blocks((60, 20), [[1, 9], [5, 2]], sigma=0.2, random_state=0).data
    search = GridSearchCV(
        RankOneClustering(vectors=NMF(negative="shift"), cut=SortedPotts(p=2)),
        {"vectors__beta": [1, 2], "cut__p": [1, 2]},
        scoring=lambda fitted, X, y=None: -fitted.n_clusters_,
        cv=2,
    ).fit(a)
    assert search.best_params_.keys() == {"vectors__beta", "cut__p"}


def test_frames_keep_their_names():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.random((6, 3)), columns=list("abc"), index=list("uvwxyz"))
    model = RankOneCoclustering().fit(frame)
    assert list(model.feature_names_in_) == ["a", "b", "c"]
    assert list(model.row_names_in_) == list("uvwxyz")
    with pytest.raises(ValueError, match="feature names"):
        model.predict(frame[["c", "b", "a"]])


def test_polars_frames_keep_their_names():
    rng = np.random.default_rng(0)
    values = rng.random((6, 3))
    frame = pl.DataFrame({name: values[:, j] for j, name in enumerate("abc")})
    model = RankOneCoclustering().fit(frame)
    assert list(model.feature_names_in_) == ["a", "b", "c"]
    assert np.array_equal(model.row_labels_, RankOneCoclustering().fit(values).row_labels_)
    assert np.array_equal(model.predict(frame), model.row_labels_)


@pytest.mark.skipif(
    "sklearn.callback" not in sys.modules, reason="this scikit-learn has no callbacks"
)
def test_callbacks_follow_the_fit_and_its_sweeps():
    rng = np.random.default_rng(0)

    class Counting:
        def __init__(self):
            self.steps = []

        def setup(self, estimator, context):
            self.steps.append("setup")

        def on_fit_task_begin(self, estimator, context):
            self.steps.append(context.task_name)

        def on_fit_task_end(self, estimator, context):
            return False

        def teardown(self, estimator, context):
            self.steps.append("teardown")

    callback = Counting()
    RankOneCoclustering().set_callbacks(callback).fit(rng.normal(size=(30, 20)))
    assert callback.steps[:2] == ["setup", "fit"]
    assert callback.steps[-1] == "teardown"
    assert "sweep" in callback.steps
