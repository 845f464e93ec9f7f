"""Potts: the exact partition of a signal into contiguous pieces."""

from __future__ import annotations

import math
from functools import cached_property

import numpy as np
import numpy.typing as npt

from rankone.checks import check_number
from rankone.cuts._absolute_pruning import absolute_scan
from rankone.cuts._functional_pruning import squared_scan
from rankone.cuts._levels import merging_costs, piece_fit, piece_levels
from rankone.cuts.base import Cut, CutCapabilities
from rankone.cuts.contiguous import Runs, contiguous_partition
from rankone.cuts.input import (
    check_n_clusters,
    check_objective,
    check_one_of,
    check_p,
    check_vector,
    check_weights,
)
from rankone.cuts.partition import Partition
from rankone.cuts.units import Units
from rankone.errors import InputError, Setting
from rankone.typing import FloatArray, IntArray

#: Rounding cannot matter to a penalty, or a cost, of this share of the largest possible cost.
_SAFE = 2.0**-20

#: Below the first, rounding might decide; below the second, costs have lost too many digits.
_RESOLUTION, _LEAST = 2.0**-46, 1e-290

_TOO_SMALL = (
    "is too small for values that are spread so widely: differences of the cost are lost in "
    "rounding. Cut the parts of u one by one."
)


class Potts(Cut):
    r"""Partition a signal into the best contiguous pieces, exactly.

    .. math:: \min_x \; \sum_i w_i |x_i - u_i|^p + \lambda \, \|D x\|_0

    where the last term is the number of jumps of x: the number of pieces less one. With
    ``n_clusters``, the least :math:`\sum_i w_i |x_i - u_i|^p` of all x with that many pieces. The
    order of the coordinates matters: for clusters of values wherever they are, see `SortedPotts`.

    Parameters
    ----------
    p : {1, 2}, default=2
        The power of the fit: 1 is robust to outliers.
    lam : float, optional
        The penalty of one more piece. For noise of variance s and p = 2, about ``2 s log(n)``.
    n_clusters : int, optional
        The number of pieces, if it is known. Exactly one of ``lam`` and ``n_clusters`` is given.

    See Also
    --------
    SortedPotts : The same for clusters of values.
    TotalVariation : The convex relaxation, which shrinks levels towards each other.

    Notes
    -----
    Functional pruning: no candidate is left out that could become the best. On noisy signals the
    time grows nearly linearly with n; on a smooth ramp, with its square. With ``n_clusters``, time
    and memory (4 bytes for each start) are proportional to n times the number of pieces. Each piece
    is a cluster of its own; runs of equal neighbours are not split. Where several partitions have
    the same objective, the one with the fewest pieces is returned. Points of weight zero between
    two pieces are divided where they are closest to the two levels.

    Exact means up to rounding, whatever the weights: no partition has an objective that is smaller
    by more than 1e-12 of it, and no partition into the same number of pieces has a fit that is
    smaller by more than 1e-12 of the fit. Where values are spread so widely that this cannot be
    guaranteed, a ValueError is raised.

    References
    ----------
    Rigaill (2010), Pruned dynamic programming for optimal multiple change-point detection,
    arXiv:1004.0887. Maidstone, Hocking, Rigaill and Fearnhead (2017), On optimal multiple
    changepoint algorithms for large data, Statistics and Computing 27.

    Examples
    --------
    >>> from rankone.cuts import Potts
    >>> part = Potts(p=1, lam=6.0).cut([0.0, 0.1, 9.0, 0.0, 0.2, 5.0, 5.1, 5.0, 5.2])
    >>> part.signal
    array([0.1 , 0.1 , 0.1 , 0.1 , 0.1 , 5.05, 5.05, 5.05, 5.05])
    >>> part.breakpoints
    array([5])
    """

    capabilities = CutCapabilities(("lam", "n_clusters"), ordered=True, intervals=False)

    def __init__(self, p: int = 2, lam: float | None = None, n_clusters: int | None = None) -> None:
        self.p = p
        self.lam = lam
        self.n_clusters = n_clusters

    def _cut(self, u: FloatArray, weights: FloatArray | None) -> Partition:
        check_one_of(self.lam, self.n_clusters)
        lam = None if self.lam is None else check_number(self.lam, "lam")
        signal = _Signal(u, weights, _check_power(self.p))
        if lam is not None:
            return signal.partition(signal.solve(lam), lam)
        assert self.n_clusters is not None
        k = check_n_clusters(self.n_clusters, signal.values.size, "runs of equal neighbours in u")
        return signal.partition(signal.solve_for(k), None)


def potts_partitions(
    u: npt.ArrayLike,
    p: int = 2,
    max_clusters: int = 20,
    weights: npt.ArrayLike | None = None,
) -> list[Partition]:
    """Return the best partitions of a signal into 1, 2, ..., ``max_clusters`` contiguous pieces.

    Together they take as long as the last one, since the best pieces of each beginning of the
    signal are computed once and shared.

    Parameters
    ----------
    u : array-like of shape (n,)
        Finite real numbers, in the order of the signal.
    p : {1, 2}
        The power of the fit: 2 for means, 1 for medians.
    max_clusters : int
        The largest number of pieces, or the number of runs of equal neighbours if that is smaller.
    weights : array-like of shape (n,), optional
        How much each value counts; see `Cut.cut`.

    Returns
    -------
    list of Partition
        The best one for each number of pieces.

    Examples
    --------
    >>> from rankone.cuts import potts_partitions
    >>> parts = potts_partitions([0, 1, 9, 9, 4], max_clusters=3)
    >>> [part.breakpoints.tolist() for part in parts]
    [[], [2], [2, 4]]
    """
    power, vector = _check_power(p), check_vector(u)
    w = None if weights is None else check_weights(weights, vector.size)
    signal = _Signal(vector, w, power)
    most = min(check_n_clusters(max_clusters, name="max_clusters"), signal.values.size)
    return [signal.partition(signal.solve_for(k), None) for k in range(1, most + 1)]


def _check_power(power: float) -> float:
    p = check_p(power)
    if p not in (1.0, 2.0):
        raise InputError(
            "{p} must be 1 or 2 for contiguous pieces, but it is {value}",
            p=Setting("p"),
            value=f"{p:g}",
        )
    return p


class _Signal:
    """A prepared signal: runs of equal neighbours as one weighted value, in ordinary units."""

    _steps: list[IntArray]
    _price: FloatArray

    def __init__(self, u: FloatArray, weights: FloatArray | None, p: float) -> None:
        self.u, self.p = u, p
        self.runs = Runs.of(u, weights)
        self.values, self.weights = self.runs.values, self.runs.weights
        self.units = Units(self.values, self.weights, p)
        self._values = self.units.values_in(self.values)
        self._weights = self.units.weights_in(self.weights)
        self._part(np.zeros(self.values.size - 1, bool))

    def solve(self, lam: float) -> IntArray:
        """Return the runs at which the pieces of the best partition begin, for a penalty."""
        n = self.values.size
        scaled = self.units.cost_in(lam)
        if n == 1 or math.isinf(scaled):
            return np.zeros(1, np.intp)
        # A piece of m runs holds at least (m - 1) / 2 pairs of neighbours: it pays to split it.
        if scaled < 0.5 * (1.0 - 1e-12) * self._merging_costs.min() or lam == 0.0:
            return np.arange(n)
        if scaled < _SAFE * self._largest_cost:
            # Splitting a piece into its runs costs less than one such pair does.
            self._part(self._merging_costs > scaled * (n - 1))
        if scaled < max(_RESOLUTION * self._largest_cost, _LEAST):
            raise ValueError(f"lam = {lam:g} {_TOO_SMALL}")
        _, before = self._scan(scaled, np.empty(0))
        return _walk_back([before], math.inf)

    def solve_for(self, k: int) -> IntArray:
        """Return the runs at which the pieces of the best partition into k pieces begin."""
        if k == self.values.size:
            return np.arange(k)
        while True:
            starts = self._best_of(k)
            cost = self._cost(starts)
            certain = self._merging_costs > cost * (1.0 + 1e-9)
            if cost >= _SAFE * self._largest_cost or np.array_equal(certain, self._forced[1:-1]):
                break
            self._part(certain)
        if starts.size < k or cost < max(_RESOLUTION * self._largest_cost, _LEAST):
            raise ValueError(f"The cost of {k} pieces {_TOO_SMALL}")
        return starts

    def _best_of(self, k: int) -> IntArray:
        while len(self._steps) < k:  # tables of fewer pieces may exist already
            self._price, before = self._scan(0.0, self._price)
            self._price[0] = np.inf
            self._steps.append(before)
        return _walk_back(self._steps[:k], k)

    def _scan(self, lam: float, price: FloatArray) -> tuple[FloatArray, IntArray]:
        if self.p == 2:
            return squared_scan(self._centred, self._rests, self._weights, self._forced, lam, price)
        levels, ranks = np.unique(self._values, return_inverse=True)
        return absolute_scan(self._values, ranks, levels, self._weights, self._forced, lam, price)

    def _part(self, certain: npt.NDArray[np.bool_]) -> None:
        """Cut between neighbours where it is certain; each part has an origin of its own."""
        self._forced = np.concatenate([[True], certain, [False]])
        starts = np.flatnonzero(self._forced)
        lengths = np.diff(starts, append=self.values.size)
        # Costs do not change with the origin, and rounding is a share of the range of a part.
        origin = np.repeat(self._values[starts] if starts.size > 1 else 0.0, lengths)
        self._centred = self._values - origin
        back = self._centred - self._values
        rests = (self._values - (self._centred - back)) - (origin + back)  # of that difference
        self._rests = rests if rests.any() else np.empty(0)
        least, most = (f.reduceat(self._centred, starts) for f in (np.minimum, np.maximum))
        weight = np.add.reduceat(self._weights, starts)
        self._largest_cost = float((weight * (most - least) ** self.p).max())
        self._steps = []
        self._price = np.full(self.values.size + 1, np.inf)
        self._price[0] = 0.0

    @cached_property
    def _merging_costs(self) -> FloatArray:
        return merging_costs(self._values, self._weights, self.p)

    def _cost(self, starts: IntArray) -> float:
        """Return the cost of the pieces that begin at these runs."""
        levels = self._levels(starts)
        return float(piece_fit(self._values, self._weights, starts, levels, self.p))

    def partition(self, starts: IntArray, lam: float | None) -> Partition:
        """Return the partition of the signal whose pieces begin at these runs."""
        levels = self.units.values_out(self._levels(starts))
        # The fit of the levels that are returned, in units in which no power leaves its range.
        given = self.units.values_in(levels)
        objective = self.units.cost_out(
            float(piece_fit(self._values, self._weights, starts, given, self.p))
        )
        objective += 0.0 if lam is None else lam * (levels.size - 1)
        return contiguous_partition(
            self.u.size,
            self._place_weightless(self.runs.first[starts[1:]], levels),
            levels,
            objective=check_objective(objective, self.p),
            lam=lam,
            p=self.p,
        )

    def _levels(self, starts: IntArray) -> FloatArray:
        """Return the best level of each piece, in ordinary units."""
        values, weights = self._values, self._weights
        if self.p == 1:  # medians need ascending values
            piece = np.repeat(np.arange(starts.size), np.diff(starts, append=values.size))
            order = np.lexsort((values, piece))
            values, weights = values[order], weights[order]
        return piece_levels(values, weights, starts, self.p)

    def _place_weightless(self, breakpoints: IntArray, levels: FloatArray) -> IntArray:
        """Move breaks among points of weight zero to where these are nearest to the levels."""
        moved = breakpoints.copy()
        for i, end in enumerate(breakpoints.tolist()):
            first = int(self.runs.kept[np.searchsorted(self.runs.kept, end) - 1]) + 1
            if first == end:
                continue
            # An eighth of all, so that no difference leaves the range of a double.
            points, ends = 0.125 * self.u[first:end], 0.125 * levels[i : i + 2]
            below, above = (np.abs(points - level) for level in ends)
            distance = np.concatenate([[0.0], np.cumsum(below - above)])[::-1]
            moved[i] = end - np.argmin(distance)
        return moved


def _walk_back(steps: list[IntArray], k: float) -> IntArray:
    """Follow the starts of last pieces back from the end, one table a piece or one for all."""
    t = steps[-1].size - 1
    starts: list[int] = []
    while t > 0:
        t = int(steps[-1 - len(starts) if k < math.inf else -1][t])
        starts.append(t)
    return np.array(starts[::-1], np.intp)
