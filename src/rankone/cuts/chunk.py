"""A part of a vector, and what is computed from it on the way to a cut.

Results of several parts are merged in the order of the parts.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rankone.cuts import _buckets as bucket
from rankone.cuts.distinct import distinct
from rankone.typing import BoolArray, FloatArray

#: The most values of a sample, of which at least half are used for large vectors.
SAMPLE = 2**13

#: Values that are still near the processor when they are read a second time.
_CACHED = 2**15


class Survey(NamedTuple):
    """What the buckets of values are chosen by.

    Attributes
    ----------
    n_coordinates, size : int
        The number of coordinates, and of those whose weight is positive, which alone are surveyed.
    low, high, largest_weight : float
        The least and the largest value, and the largest weight; 1 if there are no weights.
    sample : ndarray
        Every n-th value, where n is the ``stride``, a power of two.
    stride : int
    """

    n_coordinates: int
    size: int
    low: float
    high: float
    largest_weight: float
    sample: FloatArray
    stride: int


class BucketSums(NamedTuple):
    """The sums of buckets.

    Attributes
    ----------
    survey : Survey
        The survey of the values.
    sums : ndarray
        A row for each bucket.
    squares : float
        The sum of ``w r^2``, where r is the rest of a value beyond its anchor.
    n_tails : int
        The number of values in the tails.
    tails : ndarray
        These values, shifted, and their weights in a second row, if there are weights. Nobody
        needs them if they are too many.
    """

    survey: Survey
    sums: FloatArray
    squares: float
    n_tails: int
    tails: FloatArray


class Chunk:
    """Values that are next to each other in a vector, and their weights.

    Parameters
    ----------
    u : ndarray
        Finite values.
    weights : ndarray, optional
        Their weights. Values of weight zero are left out.
    """

    def __init__(self, u: FloatArray, weights: FloatArray | None) -> None:
        self.n_coordinates = u.size
        if weights is not None and not weights.all():
            positive = weights > 0.0
            u, weights = u[positive], weights[positive]
        self.u, self.weights = u, weights
        self._numbers: tuple[bucket.Grid, npt.NDArray[np.uint16]] | None = None

    @property
    def is_whole(self) -> bool:
        """Whether no value was left out."""
        return self.u.size == self.n_coordinates

    def survey(self) -> Survey:
        """Return what the buckets are chosen by."""
        return self._survey

    @cached_property
    def _survey(self) -> Survey:
        size, stride = self.u.size, 1
        while size > SAMPLE * stride:
            stride *= 2
        low, high = _range(self.u)
        weight = 1.0 if self.weights is None else self.weights.max(initial=0.0)
        sample = self.u[::stride]
        return Survey(self.n_coordinates, size, low, high, float(weight), sample, stride)

    def add_up(self, grid: bucket.Grid, room: int) -> BucketSums:
        """Return the sums of buckets, and the values of the tails unless they exceed ``room``."""
        numbers, tails = np.empty(self.u.size, np.uint16), self._empty(room)
        if self.weights is None:
            sums, squares, n_tails = bucket.add_up(self.u, grid, numbers, tails)
        else:
            arguments = self.u, self.weights, grid, numbers, tails
            sums, squares, n_tails = bucket.add_up_weighted(*arguments)
        self._numbers = grid, numbers
        return BucketSums(self.survey(), sums, squares, n_tails, tails[:, :n_tails].copy())

    def gather(self, grid: bucket.Grid, chosen: BoolArray, room: int) -> FloatArray:
        """Return the shifted values of the chosen buckets, at most ``room``, and their weights."""
        gathered = self._empty(room)
        weights = np.empty(0) if self.weights is None else self.weights
        count = bucket.gather(self.u, weights, self.numbers(grid), grid.shift, chosen, gathered)
        return gathered[:, :count].copy()

    def numbers(self, grid: bucket.Grid) -> npt.NDArray[np.uint16]:
        """Return the bucket of each value."""
        if self._numbers is None or self._numbers[0] != grid:
            self._numbers = grid, np.empty(self.u.size, np.uint16)
            bucket.number_values(self.u, grid, self._numbers[1])
        return self._numbers[1]

    def distinct(self) -> FloatArray:
        """Return the distinct values, and in a second row their weights, or how many are equal."""
        weights = np.ones(self.u.size) if self.weights is None else self.weights
        return np.stack(distinct(self.u, weights))

    def _empty(self, room: int) -> FloatArray:
        """Return room for values, and for their weights if there are any."""
        return np.empty((1 if self.weights is None else 2, min(room, self.u.size)))


def _range(u: FloatArray) -> tuple[float, float]:
    """Return the least and the largest value, which are found in one pass."""
    low, high = math.inf, -math.inf
    for start in range(0, u.size, _CACHED):
        values = u[start : start + _CACHED]
        low, high = min(low, float(values.min())), max(high, float(values.max()))
    return low, high


def merge_surveys(surveys: Sequence[Survey]) -> Survey:
    """Return the survey of all values."""
    n_coordinates, size = sum(s.n_coordinates for s in surveys), sum(s.size for s in surveys)
    stride = max(s.stride for s in surveys)
    while size > SAMPLE * stride:
        stride *= 2
    sample = np.concatenate([s.sample[:: stride // s.stride] for s in surveys])
    low, high = min(s.low for s in surveys), max(s.high for s in surveys)
    weight = max(s.largest_weight for s in surveys)
    return Survey(n_coordinates, size, low, high, weight, sample, stride)


def merge_sums(parts: Sequence[BucketSums]) -> BucketSums:
    """Return the sums of all values."""
    sums = parts[0].sums.copy()
    for part in parts[1:]:
        bucket.add_sums(sums, part.sums)
    tails = merge_gathered([part.tails for part in parts])
    survey = merge_surveys([part.survey for part in parts])
    squares, n_tails = sum(part.squares for part in parts), sum(part.n_tails for part in parts)
    return BucketSums(survey, sums, squares, n_tails, tails)


def merge_distinct(parts: Sequence[FloatArray]) -> FloatArray:
    """Return the distinct values of all, with their weights."""
    return np.stack(distinct(*np.concatenate(parts, axis=1)))


def merge_gathered(parts: Sequence[FloatArray]) -> FloatArray:
    """Return all gathered values."""
    return np.concatenate(parts, axis=1)
