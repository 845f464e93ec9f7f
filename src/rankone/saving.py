"""Fitted learners in files, without pickle: arrays, and JSON that says what they are.

A file is one of numpy's ``.npz`` archives. Nothing in it is run when it is read: only the classes
that are listed here are made, and only their own parameters and fields are set.
"""

from __future__ import annotations

import json
import os
import zipfile
import zlib
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from rankone import __version__
from rankone._atomic import replacing
from rankone._memory import available_memory
from rankone.cuts import Partition
from rankone.learning import Learned, Scores
from rankone.methods import CUTS
from rankone.refinement.fit import RECORDS
from rankone.selection import Choice
from rankone.vectors import METHODS

#: Raised when the meaning of files changes.
FORMAT = 2

#: What reading a damaged archive may raise.
_DAMAGE = (
    AttributeError,
    EOFError,
    KeyError,
    MemoryError,
    NotImplementedError,
    RuntimeError,
    TypeError,
    ValueError,
    zipfile.BadZipFile,
    zlib.error,
)

_RECORDS = {cls.__name__: cls for cls in (Learned, Scores, Partition, Choice, *RECORDS)}
_METHODS: dict[str, Any] = {cls.__name__: cls for cls in (*METHODS, *CUTS.values())}


def save(estimator: BaseEstimator, path: str | os.PathLike[str]) -> None:
    """Write a fitted learner, whole or not at all."""
    arrays: dict[str, Any] = {}
    state = {key: value for key, value in vars(estimator).items() if not key.startswith("_skl_")}
    for key in ("_callback_fit_ctx", "_matrix"):
        state.pop(key, None)
    content = {
        "format": FORMAT,
        "rankone": __version__,
        "class": type(estimator).__name__,
        "state": {key: _encoded(value, arrays, key) for key, value in state.items()},
    }
    arrays["json"] = np.frombuffer(json.dumps(content).encode(), np.uint8)
    with replacing(path) as file:
        np.savez_compressed(file, allow_pickle=False, **arrays)


def load(path: str | os.PathLike[str], cls: type[Any]) -> Any:
    """Read a learner of a class."""
    try:
        with open(path, "rb") as file, np.load(file, allow_pickle=False) as archive:
            if sum(member.file_size for member in archive.zip.infolist()) > available_memory():
                raise _NotOurs("it does not fit into memory")
            content = json.loads(archive["json"].tobytes())
            arrays = {key: archive[key] for key in archive.files if key != "json"}
        if content["format"] != FORMAT:
            raise _NotOurs(f"it was written by rankone {content['rankone']}, in another format")
        if content["class"] != cls.__name__:
            raise _NotOurs(f"it holds a {content['class']}, not a {cls.__name__}")
        state = {key: _decoded(value, arrays) for key, value in content["state"].items()}
        estimator = cls(**{name: state.pop(name) for name in cls._get_param_names()})
    except _NotOurs as error:
        raise ValueError(f"{os.fspath(path)} cannot be loaded: {error}.") from None
    except _DAMAGE as error:
        raise ValueError(
            f"{os.fspath(path)} is not a file that a learner was saved to, or it is damaged."
        ) from error
    if not set(state) <= set(_fitted_names(state)):
        raise ValueError(f"{os.fspath(path)} has attributes that no learner has.")
    vars(estimator).update(state)
    return estimator


class _NotOurs(Exception):
    """A file that is what it should be, but not for us."""


def _fitted_names(state: dict[str, Any]) -> list[str]:
    return [key for key in state if key == "_learned" or (key.endswith("_") and key[0] != "_")]


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
    if is_dataclass(value) and type(value).__name__ in _RECORDS:
        encoded = {
            field.name: _encoded(getattr(value, field.name), arrays, field.name)
            for field in fields(value)
            if field.name != "paths"  # found again when they are asked for
        }
        return {"record": type(value).__name__, "fields": encoded}
    raise ValueError(
        f"{name} is a {type(value).__name__}, which cannot be saved; give a number or a name, and "
        "fit again."
    )


def _decoded(value: Any, arrays: dict[str, Any]) -> Any:
    """Return what was encoded."""
    if not isinstance(value, dict):
        return value
    if "names" in value:
        return np.array(value["names"], dtype=object)
    if "array" in value:
        return arrays[value["array"]]
    if "tuple" in value:
        return tuple(_decoded(x, arrays) for x in value["tuple"])
    if "method" in value:
        parameters = {key: _decoded(x, arrays) for key, x in value["parameters"].items()}
        return _METHODS[value["method"]](**parameters)
    decoded = {key: _decoded(x, arrays) for key, x in value["fields"].items()}
    if value["record"] == "Learned":
        decoded["paths"] = (None, None)
    return _RECORDS[value["record"]](**decoded)
