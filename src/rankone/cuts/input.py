"""The checks of what a cut is given: the vector, the weights and the parameters."""

from __future__ import annotations

import math
import numbers
import sys
from typing import Any

import numpy as np
import numpy.typing as npt

from rankone.checks import briefly, check_number, check_whole, to_float
from rankone.typing import FloatArray

#: Weights below this share of the largest would be lost in sums.
LEAST_WEIGHT = 2.0**-40

#: The largest p: beyond, the powers of ordinary distances leave the range of a double.
MAX_P = 100.0


def check_vector(u: npt.ArrayLike, name: str = "u") -> FloatArray:
    """Return a vector of finite doubles, contiguous, without touching the input."""
    array = _to_array(u, name)
    if array.ndim != 1:
        raise ValueError(
            f"{name} must be one-dimensional, but its shape is {array.shape}; "
            "give one row or column."
        )
    if array.size == 0:
        raise ValueError(f"{name} is empty; it must have at least one value.")
    if array.dtype.kind == "O":
        strange = [i for i, x in enumerate(array) if not isinstance(x, numbers.Real)]
        if strange:
            shown = f"{name}[{strange[0]}] is {array[strange[0]]!r}"
            raise ValueError(f"{name} must hold real numbers, but {shown}.")
    elif array.dtype.kind not in "biuf":
        raise ValueError(f"{name} must hold real numbers, but its type is {array.dtype}.")
    if array.dtype.kind in "Oiu":
        large = np.asarray((array > 2**53) | (array < -(2**53)), bool)
        for i in np.flatnonzero(large):
            exact = to_float(array[i])
            large[i] = math.isfinite(exact) and exact != array.item(i)
        _refuse_first(name, array, large, "is not exact as a double", "round it first")
        array = np.array([to_float(x) for x in array]) if array.dtype.kind == "O" else array
    with np.errstate(over="ignore"):
        vector: FloatArray = np.ascontiguousarray(array, dtype=np.float64)
    if not np.isfinite(vector).all():
        _refuse_first(name, vector, np.isnan(vector), "is NaN", "drop or fill missing values")
        _refuse_first(name, vector, np.isinf(vector), "is infinite", "values must be finite")
    return vector


def _to_array(u: npt.ArrayLike, name: str) -> npt.NDArray[Any]:
    if np.ma.is_masked(u):
        raise ValueError(f"{name} has masked entries; give {name}.compressed(), or fill them.")
    try:
        array: npt.NDArray[Any] = np.asarray(u)
    except ValueError:
        raise ValueError(f"{name} must be a sequence of numbers, but its rows differ.") from None
    if array.ndim == 0:
        raise ValueError(f"{name} must be a sequence of numbers, but it is {briefly(u)}.")
    return array


def check_weights(weights: npt.ArrayLike, n: int) -> FloatArray:
    """Return ``n`` weights as doubles: none is negative, and some are positive."""
    array = check_vector(weights, "weights")
    if array.size != n:
        raise ValueError(
            f"weights and u must be equally long, but their lengths are {array.size} and {n}."
        )
    _refuse_first("weights", array, array < 0, "is negative", "weights are zero or more")
    most = array.max()
    if most == 0:
        raise ValueError("weights are all zero; at least one must be positive.")
    if most > sys.float_info.max / n:
        raise ValueError(
            "weights add up to more than the largest double; divide them by a constant."
        )
    lost = (array > 0) & (array < LEAST_WEIGHT * most)
    _refuse_first("weights", array, lost, f"is lost beside the largest, {most:g}", "set it to zero")
    return array


def check_p(p: float) -> float:
    """Return the power of a fit as a double."""
    number = check_number(p, "p", least=1.0)
    if number > MAX_P:
        raise ValueError(
            f"p is {number:g}, but powers above {MAX_P:g} leave the range of a double."
        )
    return number


def check_n_clusters(
    n_clusters: int,
    most: float = math.inf,
    what: str = "distinct values of positive weight",
    name: str = "n_clusters",
) -> int:
    """Return a number of clusters between 1 and ``most``."""
    n_clusters = check_whole(n_clusters, name)
    if n_clusters > most:
        raise ValueError(f"{name} is {n_clusters}, but the number of {what} is {most}.")
    return n_clusters


def check_objective(objective: float, p: float) -> float:
    """Refuse an objective that no double can hold."""
    if not math.isfinite(objective):
        raise ValueError(
            f"The objective of these values is larger than the largest double (p = {p:g}); "
            "divide u by a constant."
        )
    return objective


def check_one_of(lam: float | None, n_clusters: int | None, hint: str = "") -> None:
    """Refuse a cut that was given both, or neither, of ``lam`` and ``n_clusters``."""
    if lam is None and n_clusters is None:
        raise ValueError(f"Neither lam nor n_clusters is given; give one of them{hint}.")
    if lam is not None and n_clusters is not None:
        raise ValueError("Both lam and n_clusters are given; give one of them.")


def _refuse_first(
    name: str, array: npt.NDArray[Any], bad: npt.NDArray[np.bool_], what: str, do: str
) -> None:
    where = np.flatnonzero(bad)
    if where.size:
        more = f" (and {where.size - 1} more)" if where.size > 1 else ""
        raise ValueError(f"{name}[{where[0]}] = {array[where[0]]} {what}{more}; {do}.")
