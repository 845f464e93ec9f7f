r"""Multi-scale jumps: the detector of CCOT, and the denoiser of its family.

A sorted vector with clusters is a staircase. A step is a difference that stands out among its
neighbours, on the vector itself and again on its means over runs of 2 or 8 coordinates.

The denoiser stores a vector as means of pairs, and what they miss (Harten's cell averages). From
pair means c, the two values of pair k are predicted, and corrected by a *detail*:

.. math:: x_{2k}, \; x_{2k+1} = c_k \mp (q_k + e_k)

where :math:`q_k` follows from the differences of :math:`c_k` to its neighbours. Small details are
noise, and set to zero; then the same is done with c.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from rankone.checks import check_choice, check_number
from rankone.cuts.base import Cut, CutCapabilities
from rankone.cuts.input import check_vector
from rankone.cuts.partition import Partition
from rankone.cuts.sorted_values import SortedValues
from rankone.errors import InputError, Setting
from rankone.typing import FloatArray, IntArray

#: The median of the absolute value of a standard normal variable.
_NORMAL_MEDIAN = 0.6745

#: The largest magnitude that can be denoised: predictions exceed the values they are made from.
_LARGEST = 2.0**1000


class Multiscale(Cut):
    r"""Partition the coordinates of a vector at jumps that show on a fine and on a coarse scale.

    .. math:: d_{i-1} + d_i > d_{j-1} + d_j \qquad (i - h \le j < i)

    .. math:: d_i + d_{i+1} > d_{j-1} + d_j \qquad (i + 1 < j \le i + 1 + h)

    where :math:`d_i = |u_{(i+1)} - u_{(i)}|` are the differences of the sorted values. Such a
    difference is a *candidate*: with its neighbour on either side, it exceeds the h sums beyond. It
    is a jump if there is also a candidate near it among the means of runs of coordinates.

    Parameters
    ----------
    denoise : {"linear", "pph"}, optional
        How to denoise the sorted vector first: the prediction of cell averages.
    threshold : float, optional
        The size up to which details are noise, for ``denoise``; estimated by default.

    See Also
    --------
    SortedPotts : The partition with the best fit.

    Notes
    -----
    This is the second step of CCOT, kept as a baseline. A vector of 128 coordinates or more is
    compared with its means of 8, with h = 12 on the vector and 3 on the means; one of 16 or more
    with its means of 2, with h = 12 and 9; of a shorter one the differences that exceed the two on
    either side are jumps. Of two candidates side by side the larger difference stays.

    It compares differences with each other, not with a scale of noise, so that pure noise is cut
    as well.

    It deviates from the detector of CCOT where that is clearly wrong:

    - Comparisons are cut off at the ends of the vector, instead of nothing being found there: one
      sum to compare with is enough. (None is not: the ends of a sorted cluster are its widest
      differences, and would be cut off.) Vectors of 16 to 43 coordinates therefore need not be one
      cluster.
    - Fine and coarse candidates are near if they are so where two runs meet, less than 8 (means of
      8) or 4 (of 2) places apart, instead of where a run begins, which misses most steps that do
      not fall between two runs.
    - Short vectors are compared on both sides, instead of with the next two differences only, so
      that the partition of -u is that of u.
    - Equal values are never separated (a cut that falls between them, after denoising, moves below
      them), and no jump is reported twice.

    The detector sees each coordinate of positive weight once. Weights count in the levels, which
    are means, and in the objective: here a coordinate of weight 2 is not the same as two.

    Examples
    --------
    >>> import numpy as np
    >>> from rankone.cuts import Multiscale
    >>> u = np.repeat([3.0, 1.0, 2.0], [40, 60, 50])
    >>> Multiscale().cut(u).sizes
    array([60, 50, 40])
    """

    capabilities = CutCapabilities()

    def __init__(self, denoise: str | None = None, threshold: float | None = None) -> None:
        self.denoise = denoise
        self.threshold = threshold

    def _cut(self, u: FloatArray, weights: FloatArray | None) -> Partition:
        if self.denoise is None and self.threshold is not None:
            raise InputError(
                "{threshold} is given, but {denoise} is not",
                "give both, or neither",
                threshold=Setting("threshold"),
                denoise=Setting("denoise"),
            )
        x = np.sort(u if weights is None else u[weights > 0])
        seen = x
        if self.denoise is not None:
            check_choice(self.denoise, "denoise", ("linear", "pph"))
            seen = cell_average_denoise(x, self.denoise, self.threshold)
        problem = SortedValues(u, weights)
        # The cut lies below all values that equal the first one after the jump.
        cuts = np.unique(np.searchsorted(problem.values, x[_jumps(seen) + 1]))
        return problem.partition(cuts[cuts > 0], exact=False)


def cell_average_denoise(
    x: npt.ArrayLike, prediction: str = "pph", threshold: float | None = None
) -> FloatArray:
    r"""Denoise a vector by removing the small details of its cell averages.

    .. math:: q_k = \tfrac18 (d^- + d^+) \;\text{(linear)}, \qquad
              q_k = \tfrac14 \, \frac{2 d^- d^+}{d^- + d^+} \;\text{or 0 if}\; d^- d^+ \le 0
              \;\text{(pph)}

    is added to the second, and taken from the first, value of a pair with mean :math:`c_k`, where
    :math:`d^\pm` are the differences of :math:`c_k` to its neighbours; at the ends, where there is
    but one, it stands for both. The two agree on straight lines. The harmonic mean of pph follows
    the smaller difference, so that little is smeared across a jump.

    Parameters
    ----------
    x : array-like of shape (n,)
        Finite real numbers, in the order of the signal.
    prediction : {"pph", "linear"}, default="pph"
        How the values of a pair are predicted from the pair means.
    threshold : float, optional
        Details up to this are set to zero, on the finest level; each coarser level has means of
        twice as many values, and a threshold smaller by the square root of 2. With zero, x is
        returned, up to rounding. By default the universal threshold ``s sqrt(2 log n)``, with s the
        median size of the finest details over 0.6745, as for normal noise.

    Returns
    -------
    ndarray of shape (n,)
        The denoised vector, with the mean of x.

    Notes
    -----
    On a level of odd length, the last mean has no partner and is kept as it is. Levels of fewer
    than 4 means are not divided.

    Examples
    --------
    >>> from rankone.cuts.multiscale import cell_average_denoise
    >>> cell_average_denoise([0.0, 0.125, 0.0, 0.125, 5.0, 5.0, 5.0, 5.0], threshold=0.25)
    array([0.0625, 0.0625, 0.0625, 0.0625, 5.    , 5.    , 5.    , 5.    ])
    """
    check_choice(prediction, "prediction", ("linear", "pph"))
    if threshold is not None:
        threshold = check_number(threshold, "threshold")
    vector = check_vector(x, "x")
    largest = float(np.abs(vector).max())
    if largest > _LARGEST:
        raise ValueError(f"Values of {largest:g} are too large to denoise; divide by a constant.")
    if threshold is None:
        threshold = _universal_threshold(vector, prediction)
    return _without_details(vector, prediction, threshold)


def _without_details(x: FloatArray, prediction: str, threshold: float) -> FloatArray:
    """Set the small details to zero, on this level and on all coarser ones."""
    denoised = x.copy()
    if x.size >= 4:
        means, details = _decompose(x, prediction)
        details[np.abs(details) <= threshold] = 0.0
        means = _without_details(means, prediction, threshold / math.sqrt(2.0))
        half = _predict(means, prediction) + details
        denoised[0 : 2 * means.size : 2] = means - half
        denoised[1 : 2 * means.size : 2] = means + half
    return denoised


def _decompose(x: FloatArray, prediction: str) -> tuple[FloatArray, FloatArray]:
    """Return the means of pairs, and the details that their prediction misses."""
    first, second = 0.5 * x[0 : x.size - 1 : 2], 0.5 * x[1::2]
    means = first + second
    return means, (second - first) - _predict(means, prediction)


def _predict(means: FloatArray, prediction: str) -> FloatArray:
    """Return half the predicted difference of the two values of each pair."""
    quarter = np.pad(np.diff(0.25 * means), 1, mode="edge")
    before, after = quarter[:-1], quarter[1:]
    if prediction == "linear":
        return 0.5 * before + 0.5 * after
    size = np.sort(np.abs([before, after]), axis=0)
    same = (np.sign(before) == np.sign(after)) & (size[0] > 0.0)
    share = np.divide(size[0], size[1], where=same, out=np.zeros(same.size))
    # 2ab / (a + b), written so that no product of two differences can overflow
    return np.where(same, np.sign(after) * 2.0 * size[0] / (1.0 + share), 0.0)


def _universal_threshold(x: FloatArray, prediction: str) -> float:
    if x.size < 4:
        return 0.0
    _, details = _decompose(x, prediction)
    return float(np.median(np.abs(details))) / _NORMAL_MEDIAN * math.sqrt(2.0 * math.log(x.size))


def _jumps(x: FloatArray) -> IntArray:
    """Return the places i with a jump between ``x[i]`` and ``x[i + 1]``."""
    if x.size < 3:
        return np.empty(0, np.intp)
    x = np.ldexp(x, -np.frexp(np.abs(x).max())[1])
    if x.size < 16:
        before, after = _exceeds(np.abs(np.diff(x)), 2)
        return np.flatnonzero(before & after)
    n_levels = 4 if x.size >= 128 else 2
    fine = _candidates(x, 12)
    means = x
    for _ in range(n_levels - 1):
        means = _pair_means(means)
    # Run c and the next meet between the places before and after this one.
    meets = 2 ** (n_levels - 1) * (_candidates(means, 3 * (5 - n_levels)) + 1) - 1
    reach = 2 * n_levels
    first = np.searchsorted(meets, fine - reach, side="right")
    return fine[first < np.searchsorted(meets, fine + reach)]


def _candidates(x: FloatArray, h: int) -> IntArray:
    """Return the places whose difference stands out among the h sums on either side."""
    d = np.abs(np.diff(x))
    before, after = _exceeds(d[:-1] + d[1:], h)
    before[0] = after[-1] = False  # there is nothing beyond to exceed
    found = before[:-1] & after[1:]
    # Candidates are side by side, or more than h apart: of a pair, one is left out.
    pair = found[:-1] & found[1:]
    lower_stays = d[1:-2] >= d[2:-1]
    found[1:] &= ~(pair & lower_stays)
    found[:-1] &= ~(pair & ~lower_stays)
    return np.flatnonzero(found) + 1


def _exceeds(x: FloatArray, h: int) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    """Return whether each value exceeds the h before it, and the h after it."""
    padded = np.pad(x, h, constant_values=-np.inf)
    largest = np.lib.stride_tricks.sliding_window_view(padded, h).max(axis=1)
    return x > largest[: x.size], x > largest[h + 1 :]


def _pair_means(x: FloatArray) -> FloatArray:
    """Return the means of pairs; the last value is its own partner if the length is odd."""
    if x.size % 2:
        x = np.append(x, x[-1])
    return 0.5 * (x[::2] + x[1::2])
