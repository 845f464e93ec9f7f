"""What every cut shares: its interface, its result, and the checks of its input."""

from __future__ import annotations

import math
import numbers
import sys
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator

from rankone.checks import briefly, check_number, check_whole, to_float
from rankone.cuts._checking import Recomputed
from rankone.typing import FloatArray, IntArray

#: Weights below this share of the largest would be lost in sums.
LEAST_WEIGHT = 2.0**-40

#: The largest p: beyond, the powers of ordinary distances leave the range of a double.
MAX_P = 100.0


class Cut(BaseEstimator, ABC):  # type: ignore[misc]
    """Step 2 of a rank-one partitioning learner: from a vector to a partition of its entries."""

    @abstractmethod
    def cut(self, u: npt.ArrayLike, weights: npt.ArrayLike | None = None) -> Partition:
        """Cut a vector into clusters.

        Parameters
        ----------
        u : array-like of shape (n,)
            Finite real numbers. The input is left untouched.
        weights : array-like of shape (n,), optional
            Weights that are not negative, of which some are positive: a coordinate of weight 2
            counts as two equal ones, and one of weight 0 takes part in nothing but the labels.
            Positive weights are not below 2^-40 (1e-12) of the largest.

        Returns
        -------
        Partition
        """


@dataclass(frozen=True, eq=False, repr=False)
class Partition:
    """A partition of the coordinates of one vector.

    Attributes
    ----------
    labels : ndarray of shape (n,)
        The cluster of each coordinate. Clusters are numbered from 0 by level, lowest first (and
        then by position, where contiguous pieces have equal levels).
    levels : ndarray of shape (n_clusters,)
        The value that stands for each cluster, ascending.
    sizes : ndarray of shape (n_clusters,)
        The number of coordinates of each cluster.
    objective : float
        The fit ``sum w |levels[labels] - u|^p``, plus the penalty if there is a ``lam``.
    lam : float or None
        The penalty of one more piece (of the total variation, for `TotalVariation`); None if the
        cut was not given one.
    p : float
        The power of the fit.
    exact : bool
        Whether no other partition of this kind has a smaller objective, up to rounding (for a cut
        that was given a number of clusters: none with that number). False for cuts that do not
        minimise one.
    penalty : {"pieces", "variation"}
        What ``lam`` multiplies: the number of jumps, or their total height.
    boundaries : ndarray of shape (n_clusters - 1,) or None
        If clusters are intervals of values: where the next one begins. A value equal to a boundary
        lies above it.
    breakpoints : ndarray or None
        If clusters are contiguous pieces of the vector: the index at which each piece but the
        first begins.
    """

    labels: IntArray
    levels: FloatArray
    sizes: IntArray
    objective: float
    lam: float | None
    p: float
    exact: bool
    penalty: Literal["pieces", "variation"] = "pieces"
    boundaries: FloatArray | None = None
    breakpoints: IntArray | None = None

    @property
    def n_clusters(self) -> int:
        """The number of clusters."""
        return int(self.levels.size)

    @property
    def signal(self) -> FloatArray:
        """The vector with each coordinate replaced by the level of its cluster."""
        return self.levels[self.labels]

    def __repr__(self) -> str:
        """Say what a person wants to know first."""
        levels = np.array2string(
            self.levels, threshold=6, separator=", ", formatter={"float_kind": "{:.5g}".format}
        )
        lam = "" if self.lam is None else f", lam={self.lam:.6g}"
        return (
            f"Partition(n_clusters={self.n_clusters}, levels={levels}, "
            f"objective={self.objective:.6g}{lam}, exact={self.exact})"
        )

    def check(self, u: npt.ArrayLike, weights: npt.ArrayLike | None = None) -> float:
        """Recompute the objective from the labels alone, and compare all that follows from them.

        Levels and objective are computed again the slow, obvious way, by
        `rankone.cuts.brute_force`; of the solver only the change of units is used. They agree if
        they do so up to a share of 1e-9 and up to what the rounding of levels and weights may do.

        Parameters
        ----------
        u, weights
            The vector, and the weights, that were cut.

        Returns
        -------
        float
            The recomputed objective.

        Raises
        ------
        ValueError
            If levels, sizes, boundaries, breakpoints or the objective are not what the labels say.
        """
        u = check_vector(u)
        w = np.ones(u.size) if weights is None else check_weights(weights, u.size)
        if u.size != self.labels.size:
            raise ValueError(
                f"u has {u.size} values, but this partition has {self.labels.size} labels."
            )
        if not np.array_equal(np.bincount(self.labels, minlength=self.n_clusters), self.sizes):
            raise ValueError("The sizes are not the numbers of equal labels.")
        if self.boundaries is not None and not np.array_equal(
            np.searchsorted(self.boundaries, u, side="right"), self.labels
        ):
            raise ValueError("The boundaries do not part u as the labels do.")
        if self.breakpoints is not None and not np.array_equal(
            np.flatnonzero(np.diff(self.labels)) + 1, self.breakpoints
        ):
            raise ValueError("The breakpoints are not where the labels change.")
        recomputed = Recomputed(self, u, w)
        recomputed.check_levels()
        if (self.levels[1:] < self.levels[:-1]).any():
            raise ValueError("The levels do not ascend.")
        return recomputed.check_objective()


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
