"""How well clusters predict entries of rows that they were not placed by."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from rankone._arithmetic import ratio
from rankone.matrix import Matrix, as_matrix
from rankone.tree import Tree
from rankone.typing import FloatArray, IntArray

__all__ = ["predicted_by_tree", "predicted_share"]

#: Entries of rows that are predicted at a time.
AT_ONCE = 2**22

Mask = npt.NDArray[np.bool_]

#: From entries, and the clusters of their rows: what these clusters lead one to expect, and what a
#: single cluster does.
Expected = Callable[[Matrix, IntArray], tuple[FloatArray, FloatArray]]


def predicted_share(
    matrix: Matrix,
    place: Callable[[Matrix], IntArray],
    expected: Expected,
    counts: bool,
    measured: Callable[[FloatArray], FloatArray] = np.asarray,
) -> float:
    """Return the share of the squared error of a single cluster that clusters spare.

    Parameters
    ----------
    matrix : Matrix
        The rows.
    place : callable
        Returns the clusters of rows, some of whose entries are missing.
    expected : callable
        See `Expected`.
    counts : bool
        Whether squared errors are divided by what is expected, because these grow with it.
    measured : callable
        Returns entries as they are predicted: themselves, or their logarithms.

    Returns
    -------
    float
        One at most.
    """
    m, n = matrix.shape
    halves = np.zeros(n, bool)
    halves[np.random.default_rng(0).permutation(n)[: n // 2]] = True
    errors = np.zeros(2)
    step = max(1, AT_ONCE // n)
    for start in range(0, m, step):
        entries = matrix.part(np.arange(start, min(start + step, m)), np.arange(n))
        for hidden in (halves, ~halves) if n > 1 else (~halves,):
            rows, predictions = _predict(entries, hidden, place, expected)
            if rows.any():
                observed = measured(entries[rows])
                errors += _errors(observed, predictions, hidden, counts)
    return 1.0 - float(errors[0] / errors[1]) if errors[1] else 0.0


def _predict(
    entries: FloatArray, hidden: Mask, place: Callable[[Matrix], IntArray], expected: Expected
) -> tuple[Mask, tuple[FloatArray, ...]]:
    """Return which rows can be placed without the hidden columns, and what is expected of them."""
    seen = entries.copy()
    if not hidden.all():  # a single column is all there is
        seen[:, hidden] = np.nan
    rows = np.asarray(~np.isnan(seen).all(axis=1))
    if not rows.any():
        return rows, ()
    part = as_matrix(seen[rows], empty_columns=True)
    return rows, expected(part, place(part))


def _errors(
    entries: FloatArray, predictions: tuple[FloatArray, ...], hidden: Mask, counts: bool
) -> FloatArray:
    """Return the squared errors in hidden columns, of clusters and of a single one."""
    _, by_one = predictions
    weights = ratio(np.ones(by_one.shape), by_one) if counts else np.ones(by_one.shape)
    errors = [np.nansum((weights * (entries - each) ** 2)[:, hidden]) for each in predictions]
    return np.array(errors)


def predicted_by_tree(tree: Tree, matrix: Matrix) -> float:
    """Return the same for the clusters of a tree, where zero means absence on logarithms."""
    margins = tree.views.margins
    clusters = tree.leaf_clusters(tree.n_clusters)
    profiles = np.array([tree.profile(node) for node in tree.nodes_at(tree.n_clusters)])

    def place(part: Matrix) -> IntArray:
        return clusters[tree.place(tree.points_of(part))]

    def expected(part: Matrix, labels: IntArray) -> tuple[FloatArray, FloatArray]:
        residual = margins.residual(part)
        factors = np.outer(residual.row_factors, residual.column_factors)
        of_margins = residual.row_margins @ residual.column_margins.T
        return (of_margins + profiles[labels]) / factors, of_margins / factors

    return predicted_share(matrix, place, expected, counts=False, measured=margins.measured)
