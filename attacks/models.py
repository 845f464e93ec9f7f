"""Saved models, damaged and tampered with.

A file whose bytes were changed, or whose content was changed and then saved as a proper archive,
must be refused by a `ValueError` of one line that names the file, or load as a model that works: it
predicts, imputes, and says what it is. Anything else is a failure.
"""

from __future__ import annotations

import io
import json
import tempfile
import warnings
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from attacks._damage import check_sentence, damaged
from rankone import NMF, RankOneClustering, RankOneCoclustering, RankOneTree, SortedPotts
from rankone.datasets import make_blocks, make_counts

SHAPE = (20, 12)

#: What a value of the JSON may be replaced by.
NASTY: list[Any] = [
    *(None, True, -1, 0, 1, 2**70, 1e308, float("nan"), float("-inf"), "", "auto", [], {}),
    *({"array": "a0"}, {"array": "json"}, {"tuple": []}, {"names": [1, "a"]}, {"names": [[1]]}),
    *({"method": "NMF", "parameters": {}}, {"record": "selection.Choice", "fields": {}}, "a\nb"),
]


@cache
def saved() -> list[tuple[type[Any], bytes]]:
    """Return models of all classes, as files."""
    gaussian = make_blocks(SHAPE, [[0, 3], [5, 9]], random_state=0).data
    counts = make_counts(SHAPE, [[5, 1], [1, 4]], mean=4, random_state=0).data
    models: list[tuple[Any, Any]] = [
        (RankOneCoclustering(2, 2), gaussian),
        (RankOneCoclustering(2, 2), counts),
        (RankOneCoclustering(2, 2, refine=False, vectors=NMF(beta=2)), counts),
        (RankOneClustering(2, cut=SortedPotts(p=1)), gaussian),
        (RankOneClustering(2, refine=False, cut="largest-gaps"), gaussian),
        (RankOneTree(max_clusters=5), gaussian),
        (RankOneTree(3, axis="columns"), counts),
    ]
    found = []
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for model, data in models:
            model.fit(data).save(Path(folder, "model"))
            found.append((type(model), Path(folder, "model").read_bytes()))
    return found


def attack(rng: np.random.Generator) -> None:
    """Change a model, load it, and use it."""
    cls, content = saved()[rng.integers(len(saved()))]
    content = damaged(content, rng) if rng.random() < 0.4 else tampered(content, rng)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "model.npz")
        path.write_bytes(content)
        try:
            model = cls.load(path)
        except ValueError as error:
            check_sentence(error, path.name)
            return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        (use_tree if cls is RankOneTree else use)(model)


def use(model: Any) -> None:
    """Do with a model what models are for."""
    data = np.abs(np.random.default_rng(0).normal(size=SHAPE)).round(2)
    if hasattr(model, "feature_names_in_"):
        del model.feature_names_in_
    if model.result_.rows.scores.weights is None:  # as those of a matrix of zeros: it says so
        return
    clusters = model.predict(data)
    assert clusters.shape == SHAPE[:1]
    assert 0 <= clusters.min() <= clusters.max() < model.block_values_.shape[0]
    if model.missing == "nan":
        data[0, 0] = np.nan
    assert np.isfinite(model.impute(data)).all()
    assert len(repr(model)) > 10
    assert model.transform(data).shape == (SHAPE[0], 1)


def use_tree(model: Any) -> None:
    """Do with a tree what trees are for."""
    data = np.abs(np.random.default_rng(0).normal(size=SHAPE)).round(2)
    if hasattr(model, "feature_names_in_"):
        del model.feature_names_in_
    for k in range(1, model.n_leaves_ + 1):
        assert np.unique(model.cut(k)).size == k
    clusters = model.predict(data)
    assert clusters.shape == model.labels_.shape
    assert 0 <= clusters.min() <= clusters.max() < model.n_clusters_
    assert model.decision_path(data).shape == (clusters.size, 2 * model.n_leaves_ - 1)
    assert model.linkage_matrix().shape == (model.n_leaves_ - 1, 4)
    assert model.summary() in str(model.explain())


def tampered(content: bytes, rng: np.random.Generator) -> bytes:
    """Return a proper archive in which one to three values or arrays are others."""
    with np.load(io.BytesIO(content)) as archive:
        arrays = dict(archive)
    described = json.loads(arrays["json"].tobytes())
    for _ in range(rng.integers(1, 4)):
        if rng.random() < 0.6:
            holder, key = _places(described)[rng.integers(len(_places(described)))]
            if rng.random() < 0.15 and isinstance(holder, dict):
                del holder[key]
            else:
                holder[key] = deepcopy(NASTY[rng.integers(len(NASTY))])
        else:
            key = list(arrays)[rng.integers(len(arrays))]
            if key != "json":
                arrays[key] = _other(arrays[key], rng)
    arrays["json"] = np.frombuffer(json.dumps(described).encode(), np.uint8)
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)
    return buffer.getvalue()


def _places(value: Any) -> list[tuple[Any, Any]]:
    """Return where a value can be replaced: in which list or mapping, by which key."""
    inner = list(value.items() if isinstance(value, dict) else enumerate(value))
    found = [(value, key) for key, _ in inner]
    for _, held in inner:
        if isinstance(held, (dict, list)):
            found += _places(held)
    return found or [({"nothing": 0}, "nothing")]


def _other(array: Any, rng: np.random.Generator) -> Any:
    """Return an array that is like another, but not quite."""
    match rng.integers(7):
        case 0:
            return array[:-1]
        case 1:
            return array[..., None]
        case 2:
            return np.full_like(array, rng.choice([-1, 0, 100]))
        case 3:
            return array.astype(str)
        case 4:
            return np.full(array.shape, rng.choice([np.nan, np.inf, -1e300, 1e300]))
        case 5:
            return array.astype(np.float32)
        case _:
            return rng.permuted(array)
