"""The dip test: whether values form groups, with a valley in between, or a gradient."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rankone.cuts.input import check_vector
from rankone.selection._dip_null import QUANTILES, SIZES, T
from rankone.selection._unimodal import dip_and_valley
from rankone.typing import FloatArray

#: The dip of a sample is exact up to this share of it.
_ROUNDING = 1e-9

#: The last quantiles of a row, from which it is continued.
_TAIL = 6


@dataclass(frozen=True)
class DipTest:
    """The result of `dip_test`.

    Attributes
    ----------
    statistic : float
        The dip.
    p_value : float
        The probability that the dip of as many uniform values is at least as large. Values below
        1e-4 are extrapolated.
    valley : float
        A value in the middle of the stretch that makes the dip: values are sparser there than on
        both sides of it. It means little where the p-value is large, and is NaN if all values are
        equal.
    """

    statistic: float
    p_value: float
    valley: float


def dip(values: npt.ArrayLike) -> float:
    r"""Return Hartigan's dip, the distance of a sample from unimodality.

    .. math:: \min_{G \text{ unimodal}} \; \sup_x |F(x) - G(x)|

    where F is the empirical distribution function, and G is unimodal if it is convex up to some
    value, the mode, and concave from there on; it may jump at the mode.

    Parameters
    ----------
    values : array-like of shape (n,)
        The sample, in any order; equal values are allowed.

    Returns
    -------
    float
        Exact up to rounding; 0 if all values are equal, otherwise between 1 / (2 n) and 1 / 4. The
        cost is that of a sort.

    References
    ----------
    Hartigan and Hartigan, "The dip test of unimodality", Annals of Statistics 13 (1985).

    Examples
    --------
    >>> from rankone.selection.dip import dip
    >>> dip([0.0, 1.0, 2.0, 3.0, 4.0])
    0.1
    >>> dip([0.0, 0.0, 1.0, 1.0])
    0.25
    """
    return dip_and_valley(check_vector(values, "values"))[0]


def dip_test(values: npt.ArrayLike) -> DipTest:
    """Test whether a sample has more than one mode.

    The dip of the sample is compared with that of uniform samples of the same size, the unimodal
    ones that have the largest dips in large samples.

    Parameters
    ----------
    values : array-like of shape (n,)
        The sample, in any order; equal values are allowed.

    Returns
    -------
    DipTest
        A small p-value says that there are two groups or more, with a valley in between. Rounding
        to few distinct values makes groups, too: their dip is as large as that of other groups.

    Examples
    --------
    >>> import numpy as np
    >>> from rankone.selection import dip_test
    >>> gradient = np.linspace(0, 1, 100)
    >>> dip_test(gradient).p_value
    1.0
    >>> groups = np.concatenate([gradient, gradient + 2])
    >>> result = dip_test(groups)
    >>> result.p_value < 1e-6
    True
    >>> round(result.valley, 2)
    1.5
    """
    vector = check_vector(values, "values")
    statistic, valley = dip_and_valley(vector)
    return DipTest(statistic, _p_value(statistic, vector.size), valley)


def _p_value(statistic: float, n: int) -> float:
    """Return the probability that n uniform values have a dip of ``statistic`` or more."""
    least = 1 / (2 * n)
    if statistic <= least * (1 + _ROUNDING):
        return 1.0
    root = math.sqrt(n)
    quantiles = np.maximum(_quantiles(n), least * root)
    beyond = root * statistic - quantiles[-1]
    if beyond > 0:
        t = T[-1] + beyond * (T[-1] - T[-_TAIL]) / (quantiles[-1] - quantiles[-_TAIL])
    else:
        points = np.concatenate([[least * root], quantiles])
        t = np.interp(root * statistic, points, np.concatenate([[0.0], T]))
    return math.exp(-(float(t) ** 2))


def _quantiles(n: int) -> FloatArray:
    """Return the quantiles of sqrt(n) dip, interpolated in 1 / sqrt(n) between the rows."""
    position = np.interp(-1 / math.sqrt(n), -1 / np.sqrt(SIZES), np.arange(SIZES.size))
    row = min(int(position), SIZES.size - 2)
    share = position - row
    interpolated: FloatArray = (1 - share) * QUANTILES[row] + share * QUANTILES[row + 1]
    return interpolated
