r"""The solutions of Potts for all penalties at once.

Let f(k) be the least cost of k contiguous pieces. Unlike that of sorted values, f need not be
convex, and numbers of pieces above its lower hull are optimal for no penalty. The vertices of the
hull are found by penalties alone: solve for the slope of the chord between two known vertices;
either there is a vertex below the chord, or the chord is an edge of the hull.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from rankone.checks import check_number
from rankone.cuts.input import check_n_clusters, check_vector, check_weights
from rankone.cuts.partition import Partition
from rankone.cuts.potts import Potts
from rankone.typing import FloatArray

#: A vertex must lie below a chord by more than this share of the objective.
_ROUNDING = 2.0**-40


class PottsPath:
    """The exact partitions of a signal into contiguous pieces, for all penalties.

    Attributes
    ----------
    n_clusters : ndarray
        The numbers of pieces that some penalty chooses, ascending from 1.
    cost : ndarray
        The least cost ``sum w |x - u|^p`` with each of them.
    lam : ndarray
        The smallest penalty that chooses each of them. It is chosen up to the ``lam`` of the number
        before, which is left out (see `intervals`).
    partitions : list of Partition
        The partitions.
    p : float
        The power of the fit.
    n_solves : int
        The number of penalties that were solved for.
    """

    def __init__(
        self, u: FloatArray, p: int, max_clusters: int, weights: FloatArray | None
    ) -> None:
        self._u, self._weights, self.p = u, weights, p
        self.n_solves = 0
        one_piece = Potts(p, n_clusters=1).cut(u, weights)
        self._vertices: dict[int, Partition] = {1: one_piece}
        self._search(1, self._solve(0.0), max_clusters)
        numbers = sorted(self._vertices)
        costs = np.array([self._vertices[k].objective for k in numbers])
        slopes = np.append(-np.diff(costs) / np.diff(numbers), 0.0)
        kept = np.array(numbers) <= max_clusters
        self.n_clusters, self.cost, self.lam = np.array(numbers)[kept], costs[kept], slopes[kept]
        self.partitions = [self._vertices[int(k)] for k in self.n_clusters]
        for array in (self.n_clusters, self.cost, self.lam):
            array.setflags(write=False)

    def _solve(self, lam: float) -> int:
        """Solve for a penalty, keep the partition, and return its number of pieces."""
        part = Potts(self.p, lam).cut(self._u, self._weights)
        self.n_solves += 1
        if part.n_clusters not in self._vertices:
            # The fit alone, from the labels: the objective less the penalty would lose digits.
            distances = np.abs(part.signal - self._u) ** self.p
            fit = float((distances if self._weights is None else self._weights * distances).sum())
            self._vertices[part.n_clusters] = replace(part, objective=fit, lam=None)
        return part.n_clusters

    def _search(self, first: int, last: int, max_clusters: int) -> None:
        """Find all vertices between two, up to the first one beyond ``max_clusters``."""
        stack = [(first, last)]
        while stack:
            low, high = stack.pop()
            if high - low < 2 or low > max_clusters:
                continue
            above, below = self._vertices[low].objective, self._vertices[high].objective
            lam = (above - below) / (high - low)
            middle = self._solve(lam)
            if low < middle < high:
                drop = above - self._vertices[middle].objective - lam * (middle - low)
                if drop > _ROUNDING * (above + lam * low):
                    stack += [(low, middle), (middle, high)]
                else:
                    del self._vertices[middle]

    @property
    def intervals(self) -> FloatArray:
        """For each number of pieces, the penalties ``low <= lam < high`` that choose it."""
        return np.column_stack([self.lam, np.concatenate([[np.inf], self.lam[:-1]])])

    def at(self, lam: float) -> Partition:
        """Return the best partition for a penalty.

        Parameters
        ----------
        lam : float
            At least ``path.lam[-1]``.

        Returns
        -------
        Partition
        """
        lam = check_number(lam, "lam")
        margin = _ROUNDING * self.cost
        if lam < self.lam[-1] - margin[-1]:
            raise ValueError(
                f"lam is {lam:g}, but this path of {self.n_clusters[-1]} pieces ends at "
                f"{self.lam[-1]:g}; raise max_clusters."
            )
        part = self.partitions[int(np.argmax(self.lam - margin <= lam))]
        return replace(part, objective=part.objective + lam * (part.n_clusters - 1), lam=lam)

    def __len__(self) -> int:
        """Return the number of partitions."""
        return len(self.partitions)

    def __repr__(self) -> str:
        """Show how far the path goes."""
        return f"PottsPath(p={self.p:g}, n_clusters={self.n_clusters.tolist()})"


def potts_path(
    u: npt.ArrayLike,
    p: int = 2,
    max_clusters: int = 64,
    weights: npt.ArrayLike | None = None,
) -> PottsPath:
    r"""Return the best partitions of a signal into contiguous pieces, for all penalties.

    .. math:: \min_x \; \sum_i w_i |x_i - u_i|^p + \lambda \, \|D x\|_0
              \quad\text{for every}\ \lambda \ge \lambda_{\min}

    A penalty of change points is hard to choose; this shows what each choice means. It takes about
    two problems of `Potts` for each partition on the path.

    Parameters
    ----------
    u : array-like of shape (n,)
        Finite real numbers, in the order of the signal.
    p : {1, 2}
        The power of the fit: 1 is robust to outliers.
    max_clusters : int, default=64
        The largest number of pieces.
    weights : array-like of shape (n,), optional
        Weights, zero or more.

    Returns
    -------
    PottsPath

    See Also
    --------
    Potts : The solution for one penalty, or one number of pieces.
    rankone.cuts.potts_partitions : Those for all numbers of pieces.
    sorted_potts_path : The same for clusters of values.

    References
    ----------
    Haynes, Eckley and Fearnhead (2017), Computationally efficient changepoint detection for a range
    of penalties, Journal of Computational and Graphical Statistics 26.

    Examples
    --------
    >>> from rankone.cuts import potts_path
    >>> path = potts_path([0.0, 0.0, 5.0, 0.0, 0.0, 9.0, 9.0])
    >>> path.n_clusters  # no penalty chooses three pieces
    array([1, 2, 4])
    >>> path.intervals.round(1)
    array([[91.4,  inf],
           [10. , 91.4],
           [ 0. , 10. ]])
    >>> path.at(lam=20.0).breakpoints
    array([5])
    """
    vector = check_vector(u).copy()
    w = None if weights is None else check_weights(weights, vector.size)
    return PottsPath(vector, p, check_n_clusters(max_clusters, name="max_clusters"), w)
