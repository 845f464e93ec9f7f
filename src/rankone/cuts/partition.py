"""What a cut returns: a partition of the coordinates of a vector, which can check itself."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from rankone._dask import is_dask
from rankone.cuts._checking import Recomputed
from rankone.cuts.input import check_vector, check_weights
from rankone.typing import FloatArray, IntArray


@dataclass(frozen=True, eq=False, repr=False)
class Partition:
    """A partition of the coordinates of one vector.

    Attributes
    ----------
    labels : ndarray of shape (n,)
        The cluster of each coordinate, a Dask array if the vector is one. Clusters are numbered
        from 0 by level, lowest first (and then by position, where contiguous pieces have equal
        levels).
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

    #: Whether the values were sorted on the way, for tests.
    _was_sorted = True

    @property
    def n_clusters(self) -> int:
        """The number of clusters."""
        return int(self.levels.size)

    @property
    def signal(self) -> FloatArray:
        """The vector with each coordinate replaced by the level of its cluster."""
        labels: Any = self.labels
        take = self.levels.take
        signal: FloatArray = (
            labels.map_blocks(take, dtype=np.float64) if is_dask(labels) else take(labels)
        )
        return signal

    def confidence(self, u: FloatArray) -> FloatArray:
        """Return the probability of each label, if clusters are Gaussian with equal variances."""
        variance = float(np.mean((u - self.signal) ** 2))
        if variance == 0.0:
            return np.ones(u.size)
        shares = np.log(np.maximum(self.sizes, 0.5) / u.size)
        confidence = np.empty(u.size)
        for start in range(0, u.size, 2**16):  # to bound the memory
            chunk = slice(start, start + 2**16)
            chances = shares - (u[chunk, None] - self.levels) ** 2 / (2 * variance)
            chances = np.exp(chances - chances.max(axis=1, keepdims=True))
            chosen = chances[np.arange(chances.shape[0]), self.labels[chunk]]
            confidence[chunk] = chosen / chances.sum(axis=1)
        return confidence

    def __repr__(self) -> str:
        """Show the clusters, the objective, and whether it is optimal."""
        levels = np.array2string(
            self.levels, threshold=6, separator=", ", formatter={"float_kind": "{:.5g}".format}
        )
        lam = "" if self.lam is None else f", lam={self.lam:.6g}"
        return (
            f"Partition(n_clusters={self.n_clusters}, levels={levels}, "
            f"objective={self.objective:.6g}{lam}, exact={self.exact})"
        )

    def check(self, u: npt.ArrayLike, weights: npt.ArrayLike | None = None) -> float:
        """Recompute the objective from the labels alone, and check all that follows from them.

        Levels and objective are computed again the slow, obvious way; only the change of units is
        shared with the solver. They must agree up to a relative difference of 1e-9, plus the effect
        of rounding levels and weights.

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
            If levels, sizes, boundaries, breakpoints or the objective contradict the labels.
        """
        labels = np.asarray(self.labels)
        if labels is not self.labels:  # those of a vector in chunks
            return replace(self, labels=labels).check(u, weights)
        u = check_vector(u)
        w = np.ones(u.size) if weights is None else check_weights(weights, u.size)
        if u.size != self.labels.size:
            raise ValueError(
                f"u has {u.size} values, but this partition has {self.labels.size} labels."
            )
        if not np.array_equal(np.bincount(self.labels, minlength=self.n_clusters), self.sizes):
            raise ValueError("The sizes are not the numbers of coordinates with each label.")
        if self.boundaries is not None and not np.array_equal(
            np.searchsorted(self.boundaries, u, side="right"), self.labels
        ):
            raise ValueError("The boundaries do not divide u as the labels do.")
        if self.breakpoints is not None and not np.array_equal(
            np.flatnonzero(np.diff(self.labels)) + 1, self.breakpoints
        ):
            raise ValueError("The breakpoints are not where the labels change.")
        recomputed = Recomputed(self, u, w)
        recomputed.check_levels()
        if (self.levels[1:] < self.levels[:-1]).any():
            raise ValueError("The levels are not in ascending order.")
        return recomputed.check_objective()
