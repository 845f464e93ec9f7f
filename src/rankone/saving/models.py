"""Fitted learners in files, without pickle: arrays, and JSON that says what they are.

A file is one of numpy's ``.npz`` archives with the parameters of a learner, its result and the
names of rows and columns; all other fitted attributes follow from these. Nothing in a file is run
when it is read: only the classes listed here are made, and only their own parameters and fields
are set.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import BaseEstimator

from rankone import __version__
from rankone._atomic import replacing
from rankone.checks import check_jobs
from rankone.cuts import Partition
from rankone.errors import FileError, InputError
from rankone.extraction import Scores
from rankone.io.arrays import Archive, open_archive
from rankone.io.source import Source
from rankone.methods import CUTS
from rankone.preparation import Prepare
from rankone.refinement.fit import RECORDS
from rankone.result import Request, Result, Side
from rankone.saving import trees
from rankone.saving.checks import NAMES
from rankone.saving.learners import check_learner
from rankone.saving.plausibility import Implausible
from rankone.selection import Choice
from rankone.vectors import METHODS
from rankone.wording import quoted, reason, shown

#: Raised when the meaning of files changes.
FORMAT = 3


class Contents(NamedTuple):
    """What the files of a kind of learner hold.

    Attributes
    ----------
    result : str
        The fitted attribute from which others follow.
    check : callable
        Checks the parameters and the fitted attributes.
    records : tuple of type
        The classes that the result consists of.
    """

    result: str
    check: Callable[[Any, dict[str, Any]], None]
    records: tuple[Any, ...]


_LEARNER = Contents(
    "result_",
    check_learner,
    (Result, Side, Request, Scores, Partition, Choice, *RECORDS, *trees.RECORDS),
)
_TREE = Contents("tree_", trees.check_tree, trees.RECORDS)
#: Fitted attributes that are saved besides the result.
_BESIDES = ("n_features_in_", "prepare_", *NAMES)
#: Fields that are not saved, because they are computed again when they are needed.
_DERIVED = ("traced",)
_METHODS: dict[str, Any] = {cls.__name__: cls for cls in (*METHODS, *CUTS.values())}
#: Fitted attributes of a preparation.
_PREPARED = ("n_features_in_", "size_", "mean_", "scale_")


def _name_of(record: type[Any]) -> str:
    """Return the name of a class in files: the room that it belongs to, and its own."""
    return f"{record.__module__.split('.')[1]}.{record.__name__}"


def save(estimator: BaseEstimator, path: str | os.PathLike[str]) -> None:
    """Write a fitted learner, whole or not at all."""
    arrays: dict[str, Any] = {}
    fitted = vars(estimator)
    state = estimator.get_params(deep=False) | {
        name: fitted[name]
        for name in (_contents_of(type(estimator)).result, *_BESIDES)
        if name in fitted
    }
    state["checkpoint"] = None  # which belongs to a fit, not to its result
    content = {
        "format": FORMAT,
        "rankone": __version__,
        "class": type(estimator).__name__,
        "state": {key: _encoded(value, arrays, key) for key, value in state.items()},
    }
    arrays["json"] = np.frombuffer(json.dumps(content).encode(), np.uint8)
    with replacing(path) as file:
        np.savez_compressed(file, allow_pickle=False, **arrays)


def load(path: str | os.PathLike[str], *classes: type[Any]) -> Any:
    """Read a learner of one of some classes; it works, or it is refused in one sentence."""
    name = os.fspath(path)
    with open(name, "rb"):  # which says so, if there is no such file
        source = Source(name, Path(name))
    try:
        with source.guarded(), open_archive(source) as archive:
            content = _content(archive)
            if content["format"] != FORMAT:
                version = shown(str(content["rankone"]))
                raise _NotOurs(f"it was written by rankone {version}, in another format; fit again")
            cls = next((cls for cls in classes if cls.__name__ == content["class"]), None)
            if cls is None:
                expected = " or ".join(cls.__name__ for cls in classes)
                raise _NotOurs(f"it holds a {shown(str(content['class']))}, not a {expected}")
            contents = _contents_of(cls)
            state = _Decoder(archive, contents.records).state(content["state"])
        absent = [key for key in cls._get_param_names() if key not in state]
        if absent:
            raise Implausible(f"it has no {absent[0]}")
        estimator = cls(**{key: state.pop(key) for key in cls._get_param_names()})
        check_jobs(estimator.n_jobs)
        contents.check(estimator, state)
    except _NotOurs as error:
        raise ValueError(f"{name} cannot be loaded: {error}.") from None
    except (FileError, InputError, Implausible, RecursionError) as error:
        why = reason(error).removeprefix(f"{shown(name, 200)}: ")
        raise ValueError(
            f"{name} is not a file that a learner was saved to, or it is damaged ({why})."
        ) from None
    result = state.pop(contents.result)
    estimator.__dict__.update(state)
    estimator._publish(result)
    return estimator


def _contents_of(cls: type[Any]) -> Contents:
    """Return what files of a class of learners hold."""
    return _TREE if cls.__name__ == "RankOneTree" else _LEARNER


class _NotOurs(Exception):
    """A file that is what it should be, but not for us."""


def _content(archive: Archive) -> dict[str, Any]:
    """Return what says what the arrays are."""
    if "json" not in archive.members:
        raise Implausible("it does not say what it holds")
    text = archive.load("json")
    try:
        content = json.loads(text.tobytes())
    except ValueError as error:
        raise Implausible(reason(error)) from None
    keys = {"format", "rankone", "class", "state"}
    if not (isinstance(content, dict) and content.keys() == keys):
        raise Implausible("it does not say what it holds")
    return content


def _encoded(value: Any, arrays: dict[str, Any], name: str) -> Any:
    """Return what JSON can hold; arrays go where arrays go."""
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, np.ndarray) and value.dtype.kind == "O":
        return {"names": [x if isinstance(x, (int, float, str)) else str(x) for x in value]}
    if isinstance(value, np.ndarray):
        key = next((key for key, array in arrays.items() if array is value), f"a{len(arrays)}")
        arrays[key] = value
        return {"array": key}
    if isinstance(value, tuple):
        return {"tuple": [_encoded(x, arrays, name) for x in value]}
    if type(value).__name__ in _METHODS:
        parameters = value.get_params(deep=False)
        return {
            "method": type(value).__name__,
            "parameters": {key: _encoded(x, arrays, key) for key, x in parameters.items()},
        }
    if isinstance(value, Prepare):
        state = value.get_params(deep=False) | {
            key: vars(value)[key] for key in _PREPARED if key in vars(value)
        }
        return {"prepare": {key: _encoded(x, arrays, key) for key, x in state.items()}}
    if type(value) in (*_LEARNER.records, *_TREE.records):
        encoded = {
            field.name: _encoded(getattr(value, field.name), arrays, field.name)
            for field in fields(value)
            if field.name not in _DERIVED
        }
        return {"record": _name_of(type(value)), "fields": encoded}
    raise ValueError(
        f"{name} is a {type(value).__name__}, which cannot be saved; give a number or a name, and "
        "fit again."
    )


class _Decoder:
    """Decode values; arrays that nothing refers to are not read."""

    def __init__(self, archive: Archive, records: tuple[Any, ...]):
        self.archive, self.arrays = archive, dict[str, Any]()
        self.records = {_name_of(cls): cls for cls in records}

    def state(self, encoded: Any) -> dict[str, Any]:
        """Return values by name."""
        if not isinstance(encoded, dict):
            raise Implausible("it does not say what it holds")
        return {key: self.value(x) for key, x in encoded.items()}

    def value(self, encoded: Any) -> Any:
        """Return what was encoded."""
        if encoded is None or isinstance(encoded, (bool, int, float, str)):
            return encoded
        match encoded:
            case {"names": list(found), **rest} if not rest:
                names = np.empty(len(found), dtype=object)
                names[:] = [self.value(name) for name in found]
                return names
            case {"array": str(key), **rest} if not rest:
                return self.array(key)
            case {"tuple": list(found), **rest} if not rest:
                return tuple(self.value(x) for x in found)
            case {"method": str(name), "parameters": dict(found), **rest} if not rest:
                return self.method(name, found)
            case {"prepare": dict(found), **rest} if not rest:
                return self.prepare(found)
            case {"record": str(name), "fields": dict(found), **rest} if not rest:
                return self.record(name, found)
        raise Implausible("it holds something that no learner has")

    def array(self, key: str) -> Any:
        """Return an array, the same one whenever it is spoken of."""
        if key not in self.archive.members:
            raise Implausible(f"it has no array {quoted(key)}")
        if key not in self.arrays:
            self.arrays[key] = self.archive.load(key)
        return self.arrays[key]

    def method(self, name: str, encoded: dict[str, Any]) -> Any:
        """Return a method with its parameters."""
        if name not in _METHODS or {*encoded} != {*_METHODS[name]._get_param_names()}:
            raise Implausible(f"there is no method {quoted(name)} with these parameters")
        return _METHODS[name](**self.state(encoded))

    def prepare(self, encoded: dict[str, Any]) -> Prepare:
        """Return a preparation, with what it was fitted to if it was."""
        parameters = {*Prepare._get_param_names()}
        if not parameters <= {*encoded} <= {*parameters, *_PREPARED}:
            raise Implausible("there is no preparation with these parameters")
        state = self.state(encoded)
        prepare = Prepare(**{key: state.pop(key) for key in parameters})
        prepare.__dict__.update(state)
        return prepare

    def record(self, name: str, encoded: dict[str, Any]) -> Any:
        """Return a record with its fields."""
        kind = self.records.get(name)
        known = {field.name for field in fields(kind)} - {*_DERIVED} if kind else None
        if kind is None or {*encoded} != known:
            raise Implausible(f"there is no record {quoted(name)} with these fields")
        return kind(**self.state(encoded))
