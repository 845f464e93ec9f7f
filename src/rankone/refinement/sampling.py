"""Labels of a large matrix, from those of its most informative rows and columns."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from rankone.matrix import Matrix, as_matrix
from rankone.refinement.model import BlockModel
from rankone.refinement.moves import assign
from rankone.refinement.state import State, Sums
from rankone.typing import FloatArray, IntArray

#: The number of rows, and of columns, of a sample.
SAMPLE = 1024


def label_by_sample(
    model: BlockModel,
    rows: IntArray,
    columns: IntArray,
    search: Callable[[Matrix, IntArray, IntArray], State],
) -> tuple[IntArray, IntArray]:
    """Return better labels of a large matrix: search a sample, then assign all rows and columns.

    The search for the numbers of clusters takes many sweeps, so most of it is done on the rows and
    columns with most entries, or most counts.

    Parameters
    ----------
    model : BlockModel
    rows, columns : ndarray
        The labels to start from.
    search : callable
        Improves the labels of a matrix.

    Returns
    -------
    rows, columns : ndarray
    """
    sample = _Sample.of(model)
    if sample is None:
        return rows, columns
    start = (
        np.unique(labels, return_inverse=True)[1]
        for labels in (rows[sample.rows], columns[sample.columns])
    )
    best = search(as_matrix(sample.entries), *start)
    sums = _sums_over(model, sample.columns, best.columns, best.shape[1])
    rows = _assign_all(model, sums, sample.rows, best)
    sums = model.T.row_sums(rows, best.shape[0])
    return rows, _assign_all(model.T, sums, sample.columns, best.T)


class _Sample:
    """The most informative rows and columns, and their entries."""

    def __init__(self, rows: IntArray, columns: IntArray, entries: FloatArray):
        self.rows, self.columns, self.entries = rows, columns, entries

    @classmethod
    def of(cls, model: BlockModel) -> _Sample | None:
        """Choose a sample; None if it has rows without observed entries."""
        rows, columns = _most_informative(model), _most_informative(model.T)
        entries = model.matrix.part(rows, columns)
        observed = ~np.isnan(entries).all(axis=1)
        rows, entries = rows[observed], entries[observed]
        observed = ~np.isnan(entries).all(axis=0)
        columns, entries = columns[observed], entries[:, observed]
        if np.isnan(entries).all(axis=1).any():
            return None
        return cls(rows, columns, entries)


def _most_informative(model: BlockModel) -> IntArray:
    """Return the rows with most entries, or most counts."""
    keys = model.law.rows.margins * model.matrix.totals.row_counts
    return largest(keys, lambda: model.matrix.fingerprints[0], SAMPLE)


def largest(keys: FloatArray, ties: Callable[[], npt.NDArray[Any]], number: int) -> IntArray:
    """Return the places of the largest keys; of equal ones, those whose ties come first.

    They are in the order of keys and ties, not of places: labels must not depend on the order of
    rows. Ties are computed only if they decide.
    """
    least = -np.partition(-keys, number - 1)[number - 1] if number < keys.size else -np.inf
    if np.unique(keys[keys >= least]).size == number:
        return np.argsort(-keys, kind="stable")[:number]
    return np.lexsort((ties(), -keys))[:number]


def _sums_over(model: BlockModel, sample: IntArray, labels: IntArray, n_clusters: int) -> Sums:
    """Return the sums of every row over the clusters of sampled columns."""
    all_labels = np.full(model.matrix.shape[1], n_clusters)
    all_labels[sample] = labels
    sums = model.row_sums(all_labels, n_clusters + 1)
    return Sums(sums.total[:, :-1], sums.size[:, :-1])


def _assign_all(model: BlockModel, sums: Sums, sample: IntArray, best: State) -> IntArray:
    """Assign every row to the clusters of sampled rows."""
    blocks = sums.take(sample).grouped(best.rows, best.shape[0])
    return assign(model.log_posterior(sums, blocks, best.row_sizes), 1)
