"""Files of learners: they say the same again, and nothing else comes out of them."""

import json
import os

import numpy as np
import pandas as pd
import pytest

from rankone import NMF, RankOneClustering, RankOneCoclustering, SortedPotts
from rankone.datasets import make_counts, make_paper

FRAME = pd.DataFrame(
    make_paper("D3", 0.5, missing=0.1, random_state=0).data,
    columns=[f"c{j}" for j in range(200)],
    index=[f"r{i}" for i in range(300)],
)


@pytest.mark.parametrize(
    "model",
    [
        RankOneCoclustering(),
        RankOneCoclustering(vectors=NMF(beta=2, negative="shift"), cut=SortedPotts(p=1)),
        RankOneClustering(refine=False, selection="silhouette"),
        RankOneClustering(3, cut="largest-gaps"),
    ],
)
def test_what_is_saved_is_loaded(model, tmp_path):
    model.fit(FRAME)
    model.save(tmp_path / "model.npz")
    again = type(model).load(tmp_path / "model.npz")
    assert str(again) == str(model)
    assert np.array_equal(again.predict(FRAME), model.predict(FRAME))
    assert np.array_equal(again.labels_, model.labels_)
    assert np.array_equal(again.confidence_, model.confidence_)
    assert list(again.feature_names_in_) == list(FRAME.columns)
    assert list(again.row_names_in_) == list(FRAME.index)
    assert np.array_equal(again.result_.rows.path.lam, model.result_.rows.path.lam)
    assert again.result_.describe() == model.result_.describe()
    assert again.n_iter_ == model.n_iter_
    assert sorted(os.listdir(tmp_path)) == ["model.npz"]


def test_files_of_another_format_are_refused_with_their_version(tmp_path):
    path = tmp_path / "model.npz"
    RankOneClustering().fit(FRAME).save(path)
    with np.load(path) as archive:
        arrays = dict(archive)
    content = json.loads(arrays["json"].tobytes()) | {"format": 99, "rankone": "7.0"}
    arrays["json"] = np.frombuffer(json.dumps(content).encode(), np.uint8)
    np.savez(path, **arrays)
    with pytest.raises(ValueError, match=r"written by rankone 7\.0, in another format"):
        RankOneClustering.load(path)


def test_counts_impute_the_same(tmp_path):
    data = make_counts((60, 50), [[5, 1], [1, 4]], mean=3, missing=0.2, random_state=0).data
    model = RankOneCoclustering().fit(data)
    model.save(tmp_path / "model")
    assert np.array_equal(
        RankOneCoclustering.load(tmp_path / "model").impute(data), model.impute(data)
    )


def test_what_cannot_be_saved_is_named(tmp_path):
    model = RankOneClustering(random_state=np.random.RandomState(0)).fit(FRAME)
    with pytest.raises(ValueError, match="random_state is a RandomState, which cannot be saved"):
        model.save(tmp_path / "model.npz")
    assert not os.listdir(tmp_path)


def test_foreign_files_are_refused(tmp_path):
    path = tmp_path / "model.npz"
    path.write_bytes(b"hello")
    with pytest.raises(ValueError, match="is not a file that a learner was saved to"):
        RankOneClustering.load(path)
    np.savez(path, a=np.arange(3))
    with pytest.raises(ValueError, match="is not a file that a learner was saved to"):
        RankOneClustering.load(path)
    np.save(tmp_path / "objects.npy", np.array([{}], dtype=object), allow_pickle=True)
    with pytest.raises(ValueError, match="is not a file"):
        RankOneClustering.load(tmp_path / "objects.npy")
    RankOneCoclustering().fit(FRAME).save(path)
    with pytest.raises(ValueError, match="holds a RankOneCoclustering, not a RankOneClustering"):
        RankOneClustering.load(path)
    with pytest.raises(FileNotFoundError):
        RankOneClustering.load(tmp_path / "nothing")


def test_truncated_and_tampered_files_are_refused(tmp_path):
    path = tmp_path / "model.npz"
    RankOneClustering().fit(FRAME).save(path)
    whole = path.read_bytes()
    for size in range(0, len(whole), len(whole) // 7):
        path.write_bytes(whole[:size])
        with pytest.raises(ValueError, match="is not a file that a learner was saved to"):
            RankOneClustering.load(path)
    path.write_bytes(whole)
    with np.load(path) as archive:
        arrays = dict(archive)
    content = json.loads(arrays["json"].tobytes())
    content["state"]["predict"] = 1  # would hide a method
    arrays["json"] = np.frombuffer(json.dumps(content).encode(), np.uint8)
    np.savez(path, **arrays)
    with pytest.raises(ValueError, match="attributes that no learner has, or lacks some"):
        RankOneClustering.load(path)


def rewrite(path, change):
    """Change the description and the arrays of a saved model, and save it as a proper archive."""
    with np.load(path) as archive:
        arrays = dict(archive)
    content = json.loads(arrays["json"].tobytes())
    change(content["state"], arrays)
    arrays["json"] = np.frombuffer(json.dumps(content).encode(), np.uint8)
    np.savez_compressed(path, **arrays)


def blocks_of(state):
    """Return the fields of the blocks in the description of a model."""
    return state["result_"]["fields"]["blocks"]["fields"]


TAMPERED = {
    "labels beyond all clusters": lambda state, arrays: arrays[
        blocks_of(state)["state"]["fields"]["rows"]["array"]
    ].fill(99),
    "margins that are not finite": lambda state, arrays: arrays[
        blocks_of(state)["law"]["fields"]["rows"]["fields"]["margins"]["array"]
    ].fill(np.nan),
    "a vector of another length": lambda state, arrays: state.update(vector_={"array": "a1"}),
    "text for a result": lambda state, arrays: state.update(result_="text"),
    "a number of features": lambda state, arrays: state.update(n_features_in_=7),
    "an attribute less": lambda state, arrays: state.pop("n_features_in_"),
    "a parameter less": lambda state, arrays: state.pop("missing"),
    "a parameter": lambda state, arrays: state.update(missing="perhaps"),
    "no threads": lambda state, arrays: state.update(n_jobs=0),
    "a method": lambda state, arrays: state.update(
        vectors={"method": "Marginal", "parameters": {"x": 1}}
    ),
    "a number that no double holds": lambda state, arrays: blocks_of(state)["law"]["fields"].update(
        centre=10**30
    ),
    "negative squares": lambda state, arrays: blocks_of(state)["law"]["fields"]["family"][
        "fields"
    ].update(squares=-1.0),
}


@pytest.mark.parametrize("what", TAMPERED)
def test_a_model_that_could_not_predict_is_refused_when_loaded(what, tmp_path):
    path = tmp_path / "model.npz"
    RankOneClustering(2).fit(FRAME.iloc[:30, :20]).save(path)
    rewrite(path, TAMPERED[what])
    with pytest.raises(ValueError, match=r"model\.npz is not a file that .* damaged \(.*\)\."):
        RankOneClustering.load(path)


def test_arrays_that_nothing_refers_to_are_not_read(tmp_path, monkeypatch):
    path = tmp_path / "model.npz"
    model = RankOneClustering(2).fit(FRAME.iloc[:30, :20])
    model.save(path)
    rewrite(path, lambda state, arrays: arrays.update(unused=np.zeros(10_000_000)))
    monkeypatch.setenv("RANKONE_MEMORY", "20M")
    again = RankOneClustering.load(path)
    assert np.array_equal(again.labels_, model.labels_)


def test_records_that_no_learner_has_are_refused(tmp_path):
    path = tmp_path / "model.npz"
    RankOneClustering().fit(FRAME).save(path)
    with np.load(path) as archive:
        arrays = dict(archive)
    content = json.loads(arrays["json"].tobytes())
    content["state"]["prepare_"] = {"record": "Unknown", "fields": {}}
    arrays["json"] = np.frombuffer(json.dumps(content).encode(), np.uint8)
    np.savez(path, **arrays)
    with pytest.raises(ValueError, match='there is no record "Unknown" with these fields'):
        RankOneClustering.load(path)
