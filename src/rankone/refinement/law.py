"""The law of entries: all that is known of how they vary, apart from the blocks and the matrix."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from rankone._arithmetic import ratio
from rankone.matrix import Matrix
from rankone.typing import FloatArray, IntArray

if TYPE_CHECKING:
    from rankone.refinement.families.base import Family


@dataclass(frozen=True, eq=False)
class Margins:
    """The margins and scales of the rows, or of the columns.

    Attributes
    ----------
    margins : ndarray
        An entry is compared with the product of the margins of its row and column: ones, or the
        rank-one fit of counts.
    scales : ndarray
        An entry, and what it is compared with, are multiplied by the scales of its row and column:
        less than one where entries vary more, relative to their margins, than elsewhere.
    """

    margins: FloatArray
    scales: FloatArray

    @classmethod
    def even(cls, size: int) -> Margins:
        """Return margins and scales of one."""
        return cls(np.ones(size), np.ones(size))

    @property
    def weights(self) -> FloatArray:
        """The product of margins and scales."""
        return self.scales * self.margins

    def take(self, order: IntArray) -> Margins:
        """Return the margins and scales in another order."""
        return Margins(self.margins[order], self.scales[order])


@dataclass(frozen=True, eq=False)
class Law:
    """How entries vary around the value of their block.

    A law holds no matrix: it is saved with a fit, and applies to new rows.

    Attributes
    ----------
    family : Family
        The distribution of an entry.
    rows, columns : Margins
    centre : float
        Subtracted from all entries.
    """

    family: Family
    rows: Margins
    columns: Margins
    centre: float = 0.0

    @property
    def T(self) -> Law:
        """The law of the transpose."""
        return replace(self, rows=self.columns, columns=self.rows)

    def take(self, rows: IntArray, columns: IntArray) -> Law:
        """Return the law of a matrix whose rows and columns are in another order."""
        return replace(self, rows=self.rows.take(rows), columns=self.columns.take(columns))

    def of_new_rows(self, matrix: Matrix) -> Law:
        """Return the law of other rows with the same columns."""
        side = Margins.even(matrix.shape[0])
        if self.family.has_margins:
            margins = ratio(matrix.totals.rows, matrix.observed @ self.columns.margins)
            side = replace(side, margins=margins)
        return replace(self, rows=side)

    def is_close(self, other: Law, tolerance: float) -> bool:
        """Return whether dispersions, scales and margins differ by a small share on average."""
        dispersions = np.array([self.family.dispersion]), np.array([other.family.dispersion])
        pairs = [
            dispersions,
            *(
                pair
                for ours, theirs in ((self.rows, other.rows), (self.columns, other.columns))
                for pair in ((ours.scales, theirs.scales), (ours.margins, theirs.margins))
            ),
        ]
        return all(np.abs(a - b).mean() <= tolerance * np.mean(a) for a, b in pairs)
