"""What one sweep over a matrix tells: its sums, and which entries are observed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rankone.matrix.observed import Observed
from rankone.matrix.stacked import stack
from rankone.matrix.tiled import Collected, Tiled
from rankone.typing import FloatArray


@dataclass(frozen=True)
class Totals:
    """The sums of a matrix over its observed entries.

    Attributes
    ----------
    rows, columns : ndarray
        The sums of each row and of each column.
    row_counts, column_counts : ndarray
        The number of observed entries of each row and of each column.
    has_negative : bool
        Whether an entry is negative.
    """

    rows: FloatArray
    columns: FloatArray
    row_counts: FloatArray
    column_counts: FloatArray
    has_negative: bool

    @property
    def T(self) -> Totals:
        """The sums of the transpose."""
        return Totals(
            self.columns, self.rows, self.column_counts, self.row_counts, self.has_negative
        )


@dataclass(frozen=True)
class Summary:
    """What one sweep over a matrix tells.

    Attributes
    ----------
    totals : Totals
    observed : Observed
        Which entries are observed.
    positive : Observed or None
        Which entries are positive, if that is known.
    n_stored : int
        The number of entries that are held in memory, or in a file.
    """

    totals: Totals
    observed: Observed
    positive: Observed | None
    n_stored: int


def summarise(matrix: Tiled) -> Summary:
    """Check and sum a matrix whose tiles hold whole rows.

    Most matrices are complete, and are summed faster; if an entry turns out to be missing, the
    sweep begins again.
    """
    summary = _sweep(matrix, missing=False) or _sweep(matrix, missing=True)
    assert summary is not None
    return summary


def _sweep(matrix: Tiled, missing: bool) -> Summary | None:
    """Sum the tiles; return None if entries are missing that were not announced."""
    rows, columns = Collected(matrix.shape[0]), Collected(matrix.shape[1])
    negative, masks, positive_masks, n_stored = False, [], [], 0
    for places, size, sums in matrix.each(lambda t: (t.rows, t.n_stored, t.sums(missing))):
        if sums is None:
            return None
        n_stored += size
        with np.errstate(over="ignore"):  # refused by whoever reads the matrix
            rows.add(places, sums.rows)
            columns.add(slice(None), sums.columns)
        negative |= sums.has_negative
        masks.append(sums.observed)
        positive_masks.append(sums.positive)
    observed = stack(masks)
    masks.clear()
    known = [mask for mask in positive_masks if mask is not None]
    positive = stack(known) if len(known) == len(positive_masks) else None
    counts = (
        observed.dot(np.ones(matrix.shape[1])),
        observed.dot_transposed(np.ones(matrix.shape[0])),
    )
    totals = Totals(rows.value, columns.value, *counts, negative)
    return Summary(totals, observed, positive, n_stored)
