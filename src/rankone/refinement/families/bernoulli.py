"""Zeros and ones: a probability for each block."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy.special import logit

from rankone.errors import Entry, InputError, Setting
from rankone.matrix import Matrix
from rankone.refinement.families.base import Family, Point
from rankone.refinement.law import Law, Margins
from rankone.typing import BoolArray, FloatArray

#: The least probability of a one, and of a zero: neither is impossible in any block.
LEAST = 1e-9


@dataclass(frozen=True)
class Bernoulli(Family):
    """Zeros and ones with a probability for each block, and no margins.

    Attributes
    ----------
    share : float
        The share of ones, strictly between zero and one.
    """

    share: float

    name: ClassVar[str] = "bernoulli"
    has_margins: ClassVar[bool] = False
    accepts_negative: ClassVar[bool] = False
    has_free_variance: ClassVar[bool] = False

    @classmethod
    def suits(cls, matrix: Matrix) -> bool:
        """Return whether a matrix holds zeros and ones, and nothing else."""
        n_ones, n_entries = float(matrix.totals.rows.sum()), float(matrix.totals.row_counts.sum())
        return 0.0 < n_ones < n_entries and _n_others(matrix) == 0.0

    @classmethod
    def law_of(cls, matrix: Matrix) -> Law:
        """Return the law of a single block."""
        share = float(matrix.totals.rows.sum() / matrix.totals.row_counts.sum())
        rows, columns = (Margins.even(size) for size in matrix.shape)
        return Law(cls(float(np.clip(share, LEAST, 1.0 - LEAST))), rows, columns)

    def at(self, mean: FloatArray) -> Point:
        """Return Bernoulli distributions, relative to the one of a single block."""
        mean = np.clip(mean, LEAST, 1.0 - LEAST)
        natural = logit(mean) - logit(self.share)
        return Point(natural, np.log1p(-self.share) - np.log1p(-mean), mean * (1.0 - mean))

    @classmethod
    def check(cls, matrix: Matrix) -> None:
        """Refuse entries other than zeros and ones."""
        if _n_others(matrix) > 0.0:
            i, j, value = matrix.first(_is_other)
            raise InputError(
                "{loss} accepts zeros and ones only, but {entry} is {value}",
                "use {suggested}",
                loss=Setting("loss", cls.name),
                entry=Entry(i, j),
                value=f"{value:g}",
                suggested=Setting("loss", "gaussian"),
            )


def _is_other(entries: FloatArray) -> BoolArray:
    return np.asarray((entries != 0.0) & (entries != 1.0) & (entries == entries))


def _n_others(matrix: Matrix) -> float:
    """Return the number of entries that are neither zero nor one."""
    return float(matrix.totals.row_counts.sum()) - matrix.census.n_zeros - matrix.census.n_ones
