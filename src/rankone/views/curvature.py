r"""What is left of counts without groups when the product of their margins is subtracted.

Counts of rank one are Poisson with rates :math:`a_i b_j`. The means of their logarithms,

.. math:: E \log(1 + A_{ij}) = g(a_i b_j), \qquad
          g(\lambda) = E \log(1 + \mathrm{Poisson}(\lambda)),

are not of rank one: they are bent where rates go from less than one to many. The rates are those
for which :math:`g(a_i b_j)` has the sums r and c of the rows and columns of logarithms. They are
the minimum of a convex function, and the rate of a row depends on its sum alone, as that of a
column does: new rows and columns in another order have theirs without further ado. What is
subtracted from entries, in addition to the product of their margins, is

.. math:: \Delta_{ij} = g_{ij} - g_{i \cdot} \, g_{\cdot j} / g_{\cdot \cdot}

As g is a smooth function of the logarithms of both rates, it is computed on a grid of these and
decomposed into a few smooth factors, which are interpolated.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from scipy.interpolate import CubicSpline
from scipy.special import gammaln

from rankone.typing import FloatArray

__all__ = ["Curvature", "Factors", "mean_logarithm"]

#: Rates beyond which g is computed from the moments of the Poisson distribution, and the counts
#: over which it is a sum for lesser rates.
MANY, COUNTS = 100.0, np.arange(300.0)

#: The distance of nodes on the scale of logarithms of rates, and the largest and smallest of them.
STEP, FARTHEST = 0.125, 64.0

#: Rounds in which the rates of rows and columns are fitted in turn.
ROUNDS = 10

#: Sums of more lines than this are put into bins of this width, on the scale of logarithms.
FEW, BIN = 2**12, STEP / 8

#: Singular values of g below this share of the largest are left out.
NEGLIGIBLE = 1e-5

NODES = np.arange(-FARTHEST, FARTHEST + STEP, STEP)


def mean_logarithm(rates: FloatArray) -> FloatArray:
    """Return the mean of log(1 + count) for Poisson counts of the given rates.

    Examples
    --------
    >>> mean_logarithm(np.array([0.0, 1.0, 1000.0])).round(4)
    array([0.    , 0.5734, 6.9083])
    """
    rates = np.asarray(rates, dtype=np.float64)
    means = np.empty(rates.shape)
    few = rates < MANY
    logarithms = np.log(np.maximum(rates[few], np.finfo(float).tiny))
    exponents = np.multiply.outer(logarithms, COUNTS) - rates[few][:, None] - gammaln(COUNTS + 1.0)
    means[few] = np.exp(exponents) @ np.log1p(COUNTS)
    means[~few] = _mean_of_many(rates[~few])
    return means


def _mean_of_many(rates: FloatArray) -> FloatArray:
    """Return the series of g around the rate, with the first six central moments of a count."""
    share, inverse = rates / (1.0 + rates), 1.0 / (1.0 + rates)
    moments = {
        2: share * inverse,
        3: share * inverse**2,
        4: 3.0 * (share * inverse) ** 2 + share * inverse**3,
        5: 10.0 * share**2 * inverse**3,
        6: 15.0 * (share * inverse) ** 3,
    }
    terms = ((-1.0) ** order / order * moment for order, moment in moments.items())
    return np.asarray(np.log1p(rates) - sum(terms))


@dataclass(frozen=True, eq=False)
class Factors:
    """The factors of one side: smooth functions of the sum of logarithms of a row or column.

    Attributes
    ----------
    sums : ndarray of shape (p,)
        Logarithms of sums, in ascending order.
    rates : ndarray of shape (p,)
        The logarithms of the rates of rows or columns with these sums.
    values : ndarray of shape (p, d)
        The factors of rows or columns with these rates.
    """

    sums: FloatArray
    rates: FloatArray
    values: FloatArray

    def at(self, sums: FloatArray) -> FloatArray:
        """Return the factors of rows or columns with these sums; zeros where the sum is zero."""
        rates = _rates(sums, self.sums, self.rates)
        return np.where(sums[:, None] > 0.0, CubicSpline(self.rates, self.values)(rates), 0.0)


@dataclass(frozen=True, eq=False)
class Curvature:
    """The matrix that is subtracted in addition to the product of margins, by its factors.

    Attributes
    ----------
    rows, columns : Factors
    """

    rows: Factors
    columns: Factors

    @property
    def T(self) -> Curvature:
        """The curvature of the transpose."""
        return Curvature(self.columns, self.rows)

    @classmethod
    def of(cls, rows: FloatArray, columns: FloatArray) -> Curvature:
        """Return the curvature of counts with these sums of logarithms of rows and columns."""
        row_sums, column_sums, row_range, column_range = _fitted(rows, columns)
        means = _means_at_nodes()[:, column_range]
        _, values, vectors = np.linalg.svd(means[row_range], full_matrices=False)
        basis = vectors[values > NEGLIGIBLE * values[0]].T
        of_columns = Factors(column_sums[column_range], NODES[column_range], basis)
        of_rows = Factors(row_sums, NODES, means @ basis)
        totals = of_rows.at(rows).sum(axis=0), of_columns.at(columns).sum(axis=0)
        centring = np.eye(basis.shape[1]) - np.outer(totals[1], totals[0]) / (totals[0] @ totals[1])
        return cls(Factors(row_sums, NODES, of_rows.values @ centring), of_columns)


def _fitted(rows: FloatArray, columns: FloatArray) -> tuple[FloatArray, FloatArray, slice, slice]:
    """Return the logarithms of sums of rows and columns at all nodes, and the nodes in use."""
    (rows, of_rows), (columns, of_columns) = _binned(rows), _binned(columns)
    column_rates = np.log(columns / np.average(columns, weights=of_columns))
    for _ in range(ROUNDS):
        row_sums = _sums_at_nodes(column_rates, of_columns)
        row_rates = _rates(rows, row_sums, NODES)
        column_sums = _sums_at_nodes(row_rates, of_rows)
        column_rates = _rates(columns, column_sums, NODES)
    return row_sums, column_sums, _range(row_rates), _range(column_rates)


def _binned(sums: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return positive sums, and how many lines have each; many sums that are close become one."""
    sums = sums[sums > 0.0]
    if sums.size <= FEW:
        return sums, np.ones(sums.size)
    bins = np.floor(np.log(sums) / BIN).astype(np.intp)
    bins -= bins.min()
    counts, totals = np.bincount(bins), np.bincount(bins, sums)
    used = counts > 0
    return totals[used] / counts[used], counts[used].astype(np.float64)


def _rates(sums: FloatArray, sums_at_nodes: FloatArray, nodes: FloatArray) -> FloatArray:
    """Return the logarithms of the rates for which a row, or a column, has the given sum."""
    logarithms = np.log(np.maximum(sums, np.finfo(float).tiny))
    return np.asarray(np.interp(logarithms, sums_at_nodes, nodes))


def _sums_at_nodes(rates: FloatArray, counts: FloatArray) -> FloatArray:
    """Return the logarithms of the sums over the rates of the other side, at each node.

    Parameters
    ----------
    rates : ndarray
        Logarithms of the rates of the other side.
    counts : ndarray
        How many of its lines have each rate.
    """
    places, shares = np.divmod((rates - NODES[0]) / STEP, 1.0)
    first = int(places.min())
    places = places.astype(np.intp) - first
    weights = np.bincount(places, counts * (1.0 - shares), int(places.max()) + 2)
    weights[1:] += np.bincount(places, counts * shares)
    means = _means_of_sums()[first : first + NODES.size + weights.size - 1]
    return np.asarray(np.log(np.correlate(means, weights, "valid")))


def _range(rates: FloatArray) -> slice:
    """Return the nodes around some rates."""
    first, last = np.searchsorted(NODES, (rates.min(), rates.max()))
    return slice(max(0, first - 2), last + 2)


@cache
def _means_of_sums() -> FloatArray:
    """Return g for each sum of two nodes, in ascending order."""
    return mean_logarithm(np.exp(2 * NODES[0] + STEP * np.arange(2 * NODES.size)))


def _means_at_nodes() -> FloatArray:
    """Return g for each pair of nodes, without a copy."""
    return np.lib.stride_tricks.sliding_window_view(_means_of_sums(), NODES.size)[: NODES.size]
