"""The distributions of entries around the value of their block.

Each is an exponential family, so that a block is known by the sum of its entries (``total``) and
what that sum is compared with (``size``: the number of entries, or what margins let expect), and
the log-likelihood of a row in cluster k is linear in the sums over the blocks of the row,

    sum_l total_il natural_kl - size_il cumulant_kl.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np
from scipy.special import xlogy

from rankone.typing import FloatArray

#: What rounding leaves of a sum of squares: less counts as nothing.
ROUNDING = 1e-13

#: The rate of an empty block: small, but a count in it is not impossible.
LEAST_RATE = 1e-9


class Family(ABC):
    """A distribution of entries, whose only parameter is the value of the block."""

    @abstractmethod
    def explained(self, total: FloatArray, size: FloatArray) -> FloatArray:
        """Return what the best value of each block explains, summed over the last axis."""

    @abstractmethod
    def likelihood(self, explained: FloatArray) -> FloatArray:
        """Return the log-likelihood, up to a constant, given what all blocks explain."""

    @abstractmethod
    def parameters(self, total: FloatArray, size: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the natural parameter and the cumulant of each block."""

    @abstractmethod
    def n_parameters(self, n_rows: int, n_columns: int) -> int:
        """Return how many parameters the blocks have."""


class Gaussian(Family):
    """Entries with a mean for each block, and one variance, which is estimated.

    Parameters
    ----------
    squares : float
        The sum of squares of all entries, less their mean.
    n_entries : float
        Their number.
    """

    def __init__(self, squares: float, n_entries: float):
        self.squares, self.n_entries = squares, n_entries

    def explained(self, total: FloatArray, size: FloatArray) -> FloatArray:
        """Return the squares that the means explain."""
        return np.asarray((total * ratio(total, size)).sum(axis=-1))

    def _variance(self, explained: FloatArray) -> FloatArray:
        rest = np.maximum(self.squares - explained, ROUNDING * self.squares)
        return np.asarray(rest / self.n_entries)

    def likelihood(self, explained: FloatArray) -> FloatArray:
        """Return the log-likelihood with the best variance."""
        return -self.n_entries / 2 * np.log(self._variance(explained))

    def parameters(self, total: FloatArray, size: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the natural parameter and the cumulant of each block."""
        mean, variance = ratio(total, size), self._variance(self.explained(total, size).sum())
        return mean / variance, mean**2 / (2 * variance)

    def n_parameters(self, n_rows: int, n_columns: int) -> int:
        """Return the number of means."""
        return n_rows * n_columns


class Poisson(Family):
    """Counts with a rate for each block, beside margins of rows and columns.

    Parameters
    ----------
    dispersion : float
        The variance of a count beside its mean: likelihoods are divided by it.
    least : float
        The least that it can be: one for counts, next to nothing where the unit is arbitrary.
    """

    def __init__(self, dispersion: float = 1.0, least: float = 1.0):
        self.dispersion, self.least = dispersion, least

    def explained(self, total: FloatArray, size: FloatArray) -> FloatArray:
        """Return the information of the rates."""
        total = np.maximum(total, 0.0)  # where rounding is all that is left
        return np.asarray(xlogy(total, np.maximum(ratio(total, size), LEAST_RATE)).sum(axis=-1))

    def likelihood(self, explained: FloatArray) -> FloatArray:
        """Return the log-likelihood."""
        return explained / self.dispersion

    def parameters(self, total: FloatArray, size: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the natural parameter and the cumulant of each block."""
        rate = np.maximum(ratio(total, size), LEAST_RATE)
        return np.log(rate) / self.dispersion, rate / self.dispersion

    def n_parameters(self, n_rows: int, n_columns: int) -> int:
        """Return the number of rates that margins leave open."""
        return (n_rows - 1) * (n_columns - 1)


def ratio(a: FloatArray, b: FloatArray) -> FloatArray:
    """Return a / b, zero where b is not positive."""
    return np.divide(a, b, out=np.zeros(np.broadcast(a, b).shape), where=b > 0)
