"""The checks of what a cut is given: the vector, the weights and the parameters."""

from __future__ import annotations

import math
import sys
from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rankone._arrays import objects_to_doubles, to_array
from rankone._threads import THREADS, slices
from rankone.checks import briefly, check_number, check_whole
from rankone.errors import InputError, Setting
from rankone.typing import FloatArray

#: Weights below this share of the largest would be lost in sums.
LEAST_WEIGHT = 2.0**-40

#: The largest p: beyond, the powers of ordinary distances leave the range of a double.
MAX_P = 100.0


class FlawKind(IntEnum):
    """Kinds of bad values, in the order in which they are looked for."""

    INEXACT = 0
    NAN = 1
    INFINITE = 2
    NEGATIVE = 3
    LIGHT = 4


class Flaw(NamedTuple):
    """What is wrong with a vector: its first bad value, and how many more there are."""

    kind: FlawKind
    name: str
    first: int
    value: str
    number: int
    problem: str
    suggestion: str


class BadValue(ValueError):
    """A vector has bad values."""

    def __init__(self, flaw: Flaw):
        self.flaw = flaw
        more = f" (and {flaw.number - 1} more)" if flaw.number > 1 else ""
        where = f"{flaw.name}[{flaw.first}] = {flaw.value}"
        super().__init__(f"{where} {flaw.problem}{more}; {flaw.suggestion}.")


def check_vector(u: npt.ArrayLike, name: str = "u") -> FloatArray:
    """Return a vector of finite doubles, contiguous, without modifying the input."""
    array = _one_dimensional(u, name)
    if array.dtype.kind not in "Obiuf":
        raise ValueError(f"{name} must hold real numbers, but its type is {array.dtype}.")
    with np.errstate(over="ignore"):
        vector: FloatArray = (
            objects_to_doubles(array, name, missing=False)
            if array.dtype.kind == "O"
            else np.ascontiguousarray(array, dtype=np.float64)
        )
    if array.dtype.kind in "Oiu":
        rounded = _is_rounded(array, vector)
        words = "is not exact as a double", "round it first"
        _refuse_first(FlawKind.INEXACT, name, array, rounded, *words)
    if not all(THREADS.map(lambda part: np.isfinite(vector[part]).all(), slices(vector.size))):
        words = "is NaN", "drop or fill missing values"
        _refuse_first(FlawKind.NAN, name, vector, np.isnan(vector), *words)
        words = "is infinite", "values must be finite"
        _refuse_first(FlawKind.INFINITE, name, vector, np.isinf(vector), *words)
    return vector


def _one_dimensional(u: npt.ArrayLike, name: str) -> npt.NDArray[Any]:
    if np.ma.is_masked(u):
        raise ValueError(f"{name} has masked entries; give {name}.compressed(), or fill them.")
    array = to_array(u, name, "a sequence of numbers")
    if array.ndim == 0:
        raise ValueError(f"{name} must be a sequence of numbers, but it is {briefly(u)}.")
    check_dimensions(array, name)
    return array


def check_dimensions(array: Any, name: str) -> None:
    """Refuse an array, in memory or elsewhere, that is no vector."""
    if array.ndim != 1:
        raise ValueError(
            f"{name} must be one-dimensional, but its shape is {array.shape}; "
            "give one row or column."
        )
    refuse_empty(array.shape[0], name)


def refuse_empty(n: float, name: str = "u") -> None:
    """Refuse a vector without values."""
    if n == 0:
        raise ValueError(f"{name} is empty; it must have at least one value.")


def _is_rounded(array: npt.NDArray[Any], vector: FloatArray) -> npt.NDArray[np.bool_]:
    """Return which numbers of 2^53 or more, far beyond fractions, are not exact as doubles."""
    rounded = np.isfinite(vector) & (np.abs(vector) >= 2.0**53)
    for i in np.flatnonzero(rounded):
        rounded[i] = float(vector[i]) != array.item(i)
    return rounded


def check_weights(weights: npt.ArrayLike, n: int) -> FloatArray:
    """Return ``n`` weights as doubles: none negative, at least one positive."""
    array = check_weights_alone(weights, n)
    most = float(array.max())
    check_largest_weight(most, n)
    refuse_light(array, most)
    return array


def check_weights_alone(weights: npt.ArrayLike, n: int) -> FloatArray:
    """Return ``n`` weights as doubles, none negative, as far as each can be checked alone."""
    array = check_vector(weights, "weights")
    check_lengths(array.size, n)
    words = "is negative", "weights are zero or more"
    _refuse_first(FlawKind.NEGATIVE, "weights", array, array < 0, *words)
    return array


def check_lengths(n_weights: int, n: int) -> None:
    """Refuse weights of another length than the vector."""
    if n_weights != n:
        raise ValueError(
            f"weights and u must have the same length, but their lengths are {n_weights} and {n}."
        )


def check_largest_weight(most: float, n: int) -> None:
    """Refuse weights that are all zero, or have no finite sum."""
    if most == 0:
        raise ValueError("weights are all zero; at least one must be positive.")
    if most > sys.float_info.max / n:
        raise ValueError(
            "weights add up to more than the largest double; divide them by a constant."
        )


def refuse_light(weights: FloatArray, most: float) -> None:
    """Refuse positive weights that are too small relative to the largest of all."""
    lost = (weights > 0) & (weights < LEAST_WEIGHT * most)
    problem = f"is too small relative to the largest, {most:g}"
    _refuse_first(FlawKind.LIGHT, "weights", weights, lost, problem, "set it to zero")


def check_p(p: float) -> float:
    """Return the power of a fit as a double."""
    number = check_number(p, "p", least=1.0)
    if number > MAX_P:
        raise InputError(
            "{p} is {number}, but powers above {most} leave the range of a double",
            "use a smaller one",
            p=Setting("p"),
            number=f"{number:g}",
            most=f"{MAX_P:g}",
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
        raise InputError(
            "{name} is {n_clusters}, but the number of {what} is {most}",
            "use a smaller number",
            name=Setting(name),
            n_clusters=n_clusters,
            what=what,
            most=most,
        )
    return n_clusters


def check_objective(objective: float, p: float) -> float:
    """Return an objective, or raise an error if it is too large for a double."""
    if not math.isfinite(objective):
        raise ValueError(
            f"The objective of these values is larger than the largest double (p = {p:g}); "
            "divide u by a constant."
        )
    return objective


def check_one_of(lam: float | None, n_clusters: int | None, hint: str = "") -> None:
    """Raise an error unless exactly one of ``lam`` and ``n_clusters`` is given."""
    if (lam is None) == (n_clusters is None):
        neither = "Neither {lam} nor {n_clusters} is given"
        raise InputError(
            neither if lam is None else "Both {lam} and {n_clusters} are given",
            "give exactly one of them" + (hint if lam is None else ""),
            lam=Setting("lam"),
            n_clusters=Setting("n_clusters"),
        )


def _refuse_first(
    kind: FlawKind,
    name: str,
    array: npt.NDArray[Any],
    bad: npt.NDArray[np.bool_],
    problem: str,
    suggestion: str,
) -> None:
    """Raise an error about the first bad value, if there is one."""
    where = np.flatnonzero(bad)
    if where.size:
        first = int(where[0])
        value, number = str(array[first]), where.size
        raise BadValue(Flaw(kind, name, first, value, number, problem, suggestion))
