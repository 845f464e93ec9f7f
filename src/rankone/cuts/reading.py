"""Vectors for cuts, from what users have."""

from __future__ import annotations

from typing import Any

from rankone._dask import is_dask
from rankone.cuts.in_dask import InDask
from rankone.cuts.in_memory import InMemory
from rankone.cuts.input import check_vector, check_weights
from rankone.cuts.vector import Vector


def vector_of(u: Any, weights: Any, copy: bool = False) -> Vector:
    """Return a vector, with its weights if there are any.

    Parameters
    ----------
    u, weights : array-like or Dask array
        Values and weights. Those of a Dask array are checked when its chunks are computed.
    copy : bool
        Whether an array in memory is copied, because it may be changed later.
    """
    if is_dask(u):
        return InDask(u, weights)
    vector = check_vector(u)
    w = None if weights is None else check_weights(weights, vector.size)
    return InMemory(vector.copy() if copy else vector, w)
