"""Annotated matrices of single cells, AnnData: read with their names, and labelled on request."""

from __future__ import annotations

import contextlib
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from rankone._memory import memory_limit
from rankone.errors import FileError, Input, InputError
from rankone.io import read_matrix
from rankone.io.table import Table
from rankone.result import SIDES

__all__ = ["AnnotatingMixin", "unwrapped"]


def unwrapped(X: Any) -> Any:
    """Return the matrix of an AnnData as a table with names, and anything else as it is.

    A backed one that is larger than memory stays in its file, and is read in blocks. Arrays of
    HDF5 files are read if they fit into memory.
    """
    if _is_array_of_file(X):
        return _in_memory(X)
    if not (hasattr(X, "obs_names") and hasattr(X, "var_names") and hasattr(X, "X")):
        return X
    return Table(_entries(X), list(map(str, X.obs_names)), list(map(str, X.var_names)))


def _entries(adata: Any) -> Any:
    """Return the entries of an AnnData; in blocks, if they are in a file and do not fit."""
    if adata.isbacked and not adata.is_view:
        with contextlib.suppress(FileError):  # because it is open for writing
            return read_matrix(adata.filename).values
    return _in_memory(adata.X) if _is_array_of_file(adata.X) else adata.X


def _is_array_of_file(X: Any) -> bool:
    """Say whether this is an array of h5py, or the sparse one of a backed AnnData."""
    dataset = hasattr(X, "chunks") and hasattr(X, "file") and hasattr(X, "shape")
    return dataset or (hasattr(X, "to_memory") and hasattr(X, "format"))


def _in_memory(X: Any) -> Any:
    """Return the entries of an array of a file."""
    if hasattr(X, "to_memory"):
        return X.to_memory()
    size, limit = X.size * X.dtype.itemsize, memory_limit()
    if size > limit:
        raise InputError(
            f"{{X}} is an array of a file with {size / 1e9:.3g} GB, and {limit / 1e9:.3g} GB of "
            "memory are free",
            "pass dask.array.from_array(X), whose chunks are read when they are needed, or a file "
            "that rankone.io.read_matrix reads",
            X=Input(),
        )
    return np.asarray(X)


class AnnotatingMixin:
    """A fitted learner that writes its labels into an AnnData.

    Attributes
    ----------
    labels_ : ndarray
    """

    labels_: Any

    def annotate(self, adata: Any, key_added: str = "rankone") -> None:
        """Write labels into ``adata.obs``, and those of columns into ``adata.var``.

        Parameters
        ----------
        adata : AnnData
            With the rows and columns of the fitted matrix.
        key_added : str
            The name of the labels, which become categories; their probabilities are added as
            ``key_added + "_confidence"``.
        """
        check_is_fitted(self)
        if not hasattr(adata, "obs"):
            raise TypeError(f"adata must be an AnnData, but it is a {type(adata).__name__}.")
        for side, frame in zip(SIDES, (adata.obs, adata.var), strict=True):
            labels, confidence = self._labels_of(side)
            if labels is None:
                continue
            if len(frame) != labels.size:
                raise ValueError(
                    f"adata has {len(frame)} {side}, but the fitted matrix has {labels.size}."
                )
            index = frame.index
            frame[key_added] = _categories(labels, index)
            frame[f"{key_added}_confidence"] = confidence

    def _labels_of(self, side: str) -> tuple[Any, Any]:
        """Return the labels and confidences of a side; None if it is not clustered."""
        result = getattr(self, "result_", None)
        if result is not None:
            found = result.sides[SIDES.index(side)]
            return (None, None) if found.request.discarded else (found.labels, found.confidence)
        if getattr(self, "axis", "rows") != side:
            return None, None
        return self.labels_, getattr(self, "confidence_", None)


def _categories(labels: Any, index: Any) -> Any:
    """Return labels as categories in ascending order, as scanpy's own clusterings write them."""
    from pandas import Categorical, Series

    names = [str(label) for label in range(int(labels.max()) + 1)]
    return Series(Categorical.from_codes(labels, categories=names), index=index)
