"""What every cut shares: its interface, its result, and the checks of its input."""

from __future__ import annotations

import math
import numbers
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator

from rankone.cuts.brute_force import best_level, fit
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
            counts as two equal ones, and one of weight 0 takes the nearest level. Positive weights
            are not below 2^-40 (1e-12) of the largest.

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
        Whether no other partition has a smaller objective (for a cut that was given a number of
        clusters: none with that number). False for cuts that do not minimise one.
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
        levels = np.array2string(self.levels, precision=4, threshold=6, separator=", ")
        lam = "" if self.lam is None else f", lam={self.lam:.6g}"
        return (
            f"Partition(n_clusters={self.n_clusters}, levels={levels}, "
            f"objective={self.objective:.6g}{lam}, exact={self.exact})"
        )

    def check(self, u: npt.ArrayLike, weights: npt.ArrayLike | None = None) -> float:
        """Recompute the objective from the labels alone, and compare.

        The levels are found again for each cluster by the slow, obvious way of
        `rankone.cuts.brute_force`; nothing of the solver is used.

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
            If the objective or a level is not what the labels say.
        """
        u = check_vector(u)
        w = np.ones(u.size) if weights is None else check_weights(weights, u.size)
        if u.size != self.labels.size:
            raise ValueError(
                f"u has {u.size} values, but this partition has {self.labels.size} labels."
            )
        levels = np.array([self._level_of(u, w, label) for label in range(self.n_clusters)])
        objective = fit(u, w, levels[self.labels], self.p)
        if self.lam is not None:
            jumps = self.n_clusters - 1.0
            if self.penalty == "variation":
                jumps = float(np.abs(np.diff(levels[self.labels])).sum())
            objective += self.lam * jumps
        close = math.isclose(objective, self.objective, rel_tol=1e-9, abs_tol=1e-300)
        # Where nothing is left of the fit but rounding, it cannot be compared any closer.
        scale = fit(u, w, np.full(u.size, best_level(u, w, self.p)), self.p)
        if not close and abs(objective - self.objective) > 1e-15 * scale:
            raise ValueError(
                f"The labels give an objective of {objective!r}, not {self.objective!r}."
            )
        return objective

    def _level_of(self, u: FloatArray, w: FloatArray, label: int) -> float:
        """Return the best level of one cluster."""
        inside = self.labels == label
        level = best_level(u[inside], w[inside], self.p)
        if self.penalty == "variation" and self.lam is not None:
            # The derivative of the penalty pulls a piece towards the neighbours that it jumps to.
            ends = np.flatnonzero(inside)[[0, -1]] + [-1, 1]
            neighbours = self.labels[ends[(ends >= 0) & (ends < u.size)]]
            level += self.lam * np.sign(neighbours - label).sum() / (2.0 * w[inside].sum())
        return level


def check_vector(u: npt.ArrayLike, name: str = "u") -> FloatArray:
    """Return a vector of finite doubles, contiguous, without touching the input."""
    if np.ma.is_masked(u):
        raise ValueError(f"{name} has masked entries; cut {name}.compressed(), or fill them.")
    array: Any = np.asarray(u)
    if array.ndim != 1:
        hint = f"; cut {name}.ravel() if that is what you mean" if array.size > 1 else ""
        raise ValueError(f"{name} must be one-dimensional, but its shape is {array.shape}{hint}.")
    if array.size == 0:
        raise ValueError(f"{name} is empty; it must have at least one value.")
    if array.dtype.kind == "O":
        strange = [i for i, x in enumerate(array) if not isinstance(x, numbers.Real)]
        if strange:
            raise ValueError(
                f"{name} must hold real numbers, but {name}[{strange[0]}] is {array[strange[0]]!r}."
            )
        array = np.array([_to_float(x) for x in array])
    if array.dtype.kind not in "biuf":
        raise ValueError(f"{name} must hold real numbers, but its type is {array.dtype}.")
    if array.dtype.kind in "iu" and array.dtype.itemsize == 8:
        _refuse_first(name, array, (array > 2**53) | (array < -(2**53)), "is not exact as a double")
    with np.errstate(over="ignore"):
        vector: FloatArray = np.ascontiguousarray(array, dtype=np.float64)
    if not np.isfinite(vector).all():
        _refuse_first(name, vector, np.isnan(vector), "is NaN; drop or fill missing values")
        _refuse_first(name, vector, np.isinf(vector), "is infinite; values must be finite")
    return vector


def check_weights(weights: npt.ArrayLike, n: int) -> FloatArray:
    """Return ``n`` weights as doubles: none is negative, and some are positive."""
    array = check_vector(weights, "weights")
    if array.size != n:
        raise ValueError(f"weights has {array.size} values, but u has {n}; they must be as many.")
    _refuse_first("weights", array, array < 0, "is negative")
    most = array.max()
    if most == 0:
        raise ValueError("weights are all zero; at least one must be positive.")
    lost = (array > 0) & (array < LEAST_WEIGHT * most)
    _refuse_first("weights", array, lost, f"is lost beside the largest, {most:g}; set it to zero")
    return array


def check_p(p: float) -> float:
    """Return the power of a fit as a double."""
    if not isinstance(p, numbers.Real) or isinstance(p, bool) or not 1 <= p < math.inf:
        raise ValueError(f"p must be a number, 1 or more, but it is {p!r}.")
    if p > MAX_P:
        raise ValueError(f"p is {p:g}, but powers above {MAX_P:g} leave the range of a double.")
    return float(p)


def check_lam(lam: float) -> float:
    """Return a penalty as a double, zero or more."""
    if not isinstance(lam, numbers.Real) or isinstance(lam, bool) or not 0 <= lam < math.inf:
        raise ValueError(f"lam must be a finite number, zero or more, but it is {lam!r}.")
    return float(lam)


def check_n_clusters(n_clusters: int, most: float = math.inf, what: str = "distinct values") -> int:
    """Return a number of clusters between 1 and ``most``."""
    if (
        not isinstance(n_clusters, numbers.Integral)
        or isinstance(n_clusters, bool)
        or n_clusters < 1
    ):
        raise ValueError(f"n_clusters must be a whole number, 1 or more, but it is {n_clusters!r}.")
    if n_clusters > most:
        raise ValueError(f"n_clusters is {n_clusters}, but there are only {most} {what}.")
    return int(n_clusters)


def check_one_of(lam: float | None, n_clusters: int | None) -> None:
    """Refuse a cut that was given both, or neither, of ``lam`` and ``n_clusters``."""
    if lam is None and n_clusters is None:
        raise ValueError(
            "Neither lam nor n_clusters is given; give one, or choose on the path of all solutions."
        )
    if lam is not None and n_clusters is not None:
        raise ValueError("Both lam and n_clusters are given; give one of them.")


def _refuse_first(
    name: str, array: npt.NDArray[Any], bad: npt.NDArray[np.bool_], what: str
) -> None:
    where = np.flatnonzero(bad)
    if where.size:
        more = f" (and {where.size - 1} more)" if where.size > 1 else ""
        raise ValueError(f"{name}[{where[0]}] = {array[where[0]]} {what}{more}.")


def _to_float(x: Any) -> float:
    try:
        return float(x)
    except OverflowError:
        return math.inf
