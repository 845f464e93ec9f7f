"""Real numbers: a mean for each block, and one variance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from rankone.matrix import Matrix
from rankone.refinement.families.base import ROUNDING, Family, Point
from rankone.refinement.law import Law, Margins
from rankone.typing import FloatArray


@dataclass(frozen=True)
class Gaussian(Family):
    """Entries with a mean for each block, and one variance, estimated together with the blocks.

    Attributes
    ----------
    squares : float
        The sum of squared deviations of all entries from their mean.
    n_entries : float
        The number of observed entries.
    """

    squares: float
    n_entries: float

    name: ClassVar[str] = "gaussian"
    has_margins: ClassVar[bool] = False
    accepts_negative: ClassVar[bool] = True
    has_free_variance: ClassVar[bool] = True

    @classmethod
    def suits(cls, matrix: Matrix) -> bool:
        """Return True: every matrix has means."""
        return True

    @classmethod
    def law_of(cls, matrix: Matrix) -> Law:
        """Return the law whose centre is the mean of all entries."""
        n_entries = float(matrix.totals.row_counts.sum())
        centre = float(matrix.totals.rows.sum()) / n_entries
        family = cls(matrix.scatter or 1.0, n_entries)
        return Law(family, Margins.even(matrix.shape[0]), Margins.even(matrix.shape[1]), centre)

    def at(self, mean: FloatArray) -> Point:
        """Return normal distributions of variance one."""
        return Point(mean, mean**2 / 2, 1.0)

    def dispersion_given(self, explained: FloatArray, freedom: float | None = None) -> FloatArray:
        """Return the variance that blocks leave."""
        if freedom is None:
            freedom = self.n_entries
        left = np.maximum(self.squares - 2 * explained, ROUNDING * self.squares)
        return np.asarray(left / freedom if freedom > 0 else 0.0)

    def likelihood(self, explained: FloatArray) -> FloatArray:
        """Return the log-likelihood with the best variance."""
        return -self.n_entries / 2 * np.log(self.dispersion_given(explained))
