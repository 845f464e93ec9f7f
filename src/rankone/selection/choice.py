"""The number of clusters on a path, selected by a named rule."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rankone._warnings import warn
from rankone.checks import check_choice
from rankone.cuts.path import SortedPottsPath
from rankone.errors import Setting, Worded
from rankone.selection.mixtures import mixture_curve
from rankone.selection.silhouettes import silhouette_path
from rankone.typing import FloatArray

#: The rules for choosing a number of clusters.
SELECTIONS = ("noise", "noise-strict", "silhouette", "silhouette-first")

#: The penalties that "silhouette-first" raises lam along, those of the paper: 0.1, 0.2, ..., 1.5.
PENALTIES = tuple(round(0.1 * i, 1) for i in range(1, 16))

#: The silhouette is stable for "silhouette-first" if it rises by no more than this.
TOLERANCE = 1e-6


class MaxClustersWarning(UserWarning):
    """The best number of clusters is the largest that was allowed."""


@dataclass(frozen=True, eq=False)
class Choice:
    """A number of clusters, and the criterion that it was chosen by.

    Attributes
    ----------
    n_clusters : int
        The number that was chosen.
    criterion : ndarray
        One value for each number of clusters on the path, starting with one; NaN if undefined.
    selection : str
        The rule.
    at_bound : bool
        Whether it is the largest number on the path, although more were possible.
    """

    n_clusters: int
    criterion: FloatArray
    selection: str
    at_bound: bool


def choose(
    path: SortedPottsPath,
    selection: str = "noise",
    noise: Callable[[], FloatArray] | None = None,
    *,
    apart: bool = False,
    min_cluster_size: int = 1,
    penalties: Sequence[float] = PENALTIES,
    tolerance: float = TOLERANCE,
) -> Choice:
    """Choose a number of clusters on a path.

    Parameters
    ----------
    path : SortedPottsPath
        The best partitions into each number of clusters.
    selection : {"noise", "noise-strict", "silhouette", "silhouette-first"}
        - ``"noise"``: the best mixture by a Bayesian information criterion. The width of clusters
          is estimated, but no less than the noise of the scores. It may select one cluster.
        - ``"noise-strict"``: the same with clusters as wide as the noise.
        - ``"silhouette"``: the largest mean silhouette. It never selects one cluster.
        - ``"silhouette-first"``: the rule of the paper: raise the penalty in steps, so that the
          number of clusters falls, and stop when the silhouette "stabilizes or starts decreasing".
    noise : callable
        Returns the variance of each score; called by the rules based on noise.
    apart : bool
        See `mixture_curve`.
    min_cluster_size : int
        Numbers of clusters whose partition has a smaller cluster are not chosen.
    penalties : sequence of float
        The values of lam of ``"silhouette-first"``, ascending; by default 0.1, 0.2, ..., 1.5, the
        interval that the paper prints. They are in units of the scores to the power p, so that the
        rule depends on the scale of the vector (see `rankone.Vectors.scaled`). Penalties
        below those of the path are left out; if all are, the last number on the path is chosen.
    tolerance : float
        ``"silhouette-first"`` stops at a penalty if the silhouette at the next one is not larger by
        more than this. If it is negative, a stable silhouette is no reason to stop, but only one
        that falls by more than its magnitude.

    Returns
    -------
    Choice

    Examples
    --------
    >>> from rankone import sorted_potts_path
    >>> u = np.concatenate([np.linspace(0, 1, 20), np.linspace(9, 10, 20)])
    >>> path = sorted_potts_path(u, max_clusters=5)
    >>> choose(path, noise=lambda: np.full(40, 0.01)).n_clusters
    2
    """
    check_choice(selection, "selection", SELECTIONS)
    if selection.startswith("silhouette"):
        criterion = silhouette_path(path) if len(path) > 1 else np.full(1, np.nan)
    else:
        assert noise is not None
        strict = selection == "noise-strict"
        criterion = mixture_curve(path, noise(), strict, apart and not strict).criterion
    allowed = np.ones(len(path), bool)
    if min_cluster_size > 1:
        sizes = [path.at(n_clusters=int(k)).sizes.min() for k in path.n_clusters]
        allowed[1:] = np.array(sizes[1:]) >= min_cluster_size
    if selection == "silhouette-first":
        k = _first_peak(path, criterion, allowed, penalties, tolerance)
    else:
        candidates = np.where(allowed, criterion, np.nan)
        k = 1 if np.isnan(candidates).all() else int(np.nanargmax(candidates)) + 1
    return Choice(k, criterion, selection, at_bound=1 < k == len(path) < path.n_distinct)


def warn_of_bound(what: str, n_clusters: int) -> None:
    """Warn that the number of clusters is the largest that was allowed."""
    message = Worded(
        "The best number of clusters of {what} is the largest that was allowed, {n_clusters}",
        "increase {bound}, or take it as a sign that there are no clusters",
        what=what,
        n_clusters=n_clusters,
        bound=Setting("max_clusters"),
    )
    warn(message, MaxClustersWarning)


def _first_peak(
    path: SortedPottsPath,
    silhouettes: FloatArray,
    allowed: npt.NDArray[np.bool_],
    penalties: Sequence[float],
    tolerance: float,
) -> int:
    """Return the number of clusters at which the silhouette stops to rise with the penalty."""
    on_path = [lam for lam in penalties if lam >= path.lam[-1]]
    if not on_path:
        return len(path)
    # Each penalty chooses the smallest number whose own penalty it reaches.
    numbers = len(path) - np.searchsorted(path.lam[::-1], on_path, side="right") + 1
    numbers = numbers[allowed[numbers - 1]]
    scores = silhouettes[numbers - 1]
    for i in range(numbers.size - 1):
        if not scores[i + 1] > scores[i] + tolerance:  # also where there is one cluster
            return int(numbers[i])
    return int(numbers[-1]) if numbers.size else 1
