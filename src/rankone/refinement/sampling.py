"""Labels of a large matrix, after those of the rows and columns that tell most."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from rankone.matrix import Matrix, as_matrix
from rankone.refinement.climbing import assigned
from rankone.refinement.model import BlockModel, State, Sums, largest
from rankone.typing import IntArray

#: How many rows, and columns, a sample has.
SAMPLE = 1024


def by_a_sample(
    model: BlockModel,
    rows: IntArray,
    columns: IntArray,
    search: Callable[[Matrix, IntArray, IntArray], State],
) -> tuple[IntArray, IntArray]:
    """Return better labels of a large matrix: those of a sample, and of all others after it.

    The search for the numbers of clusters takes many sweeps; so most of it is done on the rows and
    columns that tell most, which are those with most entries, or most counts.

    Parameters
    ----------
    model : BlockModel
    rows, columns : ndarray
        Where to start.
    search : callable
        Finds the labels of a matrix from those of a start.

    Returns
    -------
    rows, columns : ndarray
    """
    some = [
        largest(
            side.row_margins * side.matrix.totals.row_counts,
            partial(lambda matrix: matrix.fingerprints[0], side.matrix),
            SAMPLE,
        )
        for side in (model, model.T)
    ]
    entries = model.matrix.part(*some)
    for axis in (1, 0):
        exist = np.flatnonzero(~np.isnan(entries).all(axis=axis))
        entries, some[1 - axis] = entries.take(exist, 1 - axis), some[1 - axis][exist]
    if np.isnan(entries).all(axis=1).any():
        return rows, columns
    numbered = [
        np.unique(labels[places], return_inverse=True)[1]
        for labels, places in zip((rows, columns), some, strict=True)
    ]
    found = search(as_matrix(entries), numbered[0], numbered[1])
    # All rows by the columns of the sample, then all columns by all rows.
    sums = _sums_over(model, some[1], found.columns, found.shape[1])
    blocks = Sums(sums.total[some[0]], sums.size[some[0]]).grouped(found.rows, found.shape[0])
    sizes = np.bincount(found.rows)
    rows = assigned(model.chances(sums, blocks, sizes), 1)
    sums = model.T.row_sums(rows, found.shape[0])
    blocks = Sums(sums.total[some[1]], sums.size[some[1]]).grouped(found.columns, found.shape[1])
    columns = assigned(model.T.chances(sums, blocks, np.bincount(found.columns)), 1)
    return rows, columns


def _sums_over(model: BlockModel, some: IntArray, labels: IntArray, number: int) -> Sums:
    """Return the sums of each row over clusters of some columns."""
    every = np.full(model.matrix.shape[1], number)
    every[some] = labels
    sums = model.row_sums(every, number + 1)
    return Sums(sums.total[:, :-1], sums.size[:, :-1])
