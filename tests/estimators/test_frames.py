"""Data frames: what comes out of them, and what in them is no number."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

from rankone import Prepare, RankOneClustering, RankOneCoclustering, RankOneTree, RankOneViews


@pytest.fixture
def values():
    rng = np.random.default_rng(0)
    return np.repeat([[0.0, 4.0, 0.0], [4.0, 0.0, 4.0]], 5, axis=0) + rng.normal(size=(10, 3))


@pytest.fixture
def frame(values):
    return pd.DataFrame(values, index=list("stuvwxyzab"), columns=["hue", "ash", "proline"])


def test_imputed_frames_keep_their_names_and_observed_entries(frame):
    frame.loc["u", "ash"] = np.nan
    filled = RankOneCoclustering(2, 2).fit(frame).impute(frame)
    assert filled.index.equals(frame.index)
    assert filled.columns.equals(frame.columns)
    assert not filled.isna().any(axis=None)
    assert filled.loc["v", "ash"] == frame.loc["v", "ash"]


def test_imputed_polars_frames_stay_polars_frames(values):
    values[2, 1] = np.nan
    frame = pl.DataFrame(values, schema=["hue", "ash", "proline"])
    filled = RankOneCoclustering(2, 2).fit(frame).impute(frame)
    assert filled.columns == frame.columns
    assert filled["ash"].is_finite().all()


def test_blocks_of_frames_are_frames(frame):
    model = RankOneCoclustering(2, 2).fit(frame)
    for i in range(4):
        block = model.get_submatrix(i, frame)
        rows, columns = model.get_indices(i)
        assert list(block.index) == list(frame.index[rows])
        assert list(block.columns) == list(frame.columns[columns])
        assert np.array_equal(block, model.get_submatrix(i, frame.to_numpy()))
        polar = model.get_submatrix(i, pl.from_pandas(frame))
        assert np.array_equal(polar, block)


@pytest.mark.parametrize(
    "learner", [RankOneCoclustering(), RankOneClustering(), RankOneTree(), RankOneViews()]
)
def test_text_is_refused_by_the_names_of_all_its_columns(learner, frame):
    frame["grower"], frame["place"] = "Barolo", None
    frame.loc["u", "place"] = "north"
    with pytest.raises(ValueError, match="2 columns hold text") as raised:
        learner.fit(frame)
    assert str(raised.value) == (
        "X must hold real numbers, but 2 columns hold text: 'grower' (\"Barolo\"), 'place' "
        "(\"north\"); pass X.drop(columns=['grower', 'place'])."
    )
    learner.fit(frame.drop(columns=["grower", "place"]))


def test_text_in_polars_frames_and_arrays_is_named_too(frame):
    frame["grower"] = "Barolo"
    with pytest.raises(ValueError, match=r"text: 'grower' .*; pass X\.drop\(\['grower'\]\)"):
        RankOneTree().fit(pl.from_pandas(frame))
    with pytest.raises(ValueError, match=r"text: 3 .*; pass np\.delete\(X, \[3\], axis=1\)"):
        RankOneTree().fit(frame.to_numpy())


def test_text_in_new_rows_is_named(frame):
    model = RankOneTree(prepare=Prepare(standardise="columns")).fit(frame)
    new = frame.astype(object)
    new.loc["s", "ash"] = "high"
    with pytest.raises(ValueError, match=r"a column holds text: 'ash' \(\"high\"\)"):
        model.predict(new)


def test_scores_come_in_the_container_that_was_asked_for(frame):
    model = RankOneCoclustering().set_output(transform="pandas").fit(frame)
    scores = model.transform(frame)
    assert scores.index.equals(frame.index)
    assert list(scores.columns) == ["rankonecoclustering0"]
    assert model.fit_transform(frame).equals(scores)


def test_learners_that_cannot_place_rows_have_no_transform():
    learner = RankOneClustering(2, vectors="fiedler", refine=False)
    for method in ("transform", "fit_transform", "predict", "predict_proba", "score", "impute"):
        assert not hasattr(learner, method)
        assert hasattr(RankOneClustering(), method)
