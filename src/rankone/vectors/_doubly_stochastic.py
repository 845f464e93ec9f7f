"""Scaling similarities, or the edges between rows and columns, to constant sums."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from rankone._arithmetic import ratio
from rankone._warnings import warn
from rankone.errors import Input, Setting, Worded
from rankone.matrix import Matrix
from rankone.typing import FloatArray
from rankone.vectors.similarity import Similarity


def scale_symmetric(similarity: Similarity, tol: float, max_iter: int) -> tuple[FloatArray, bool]:
    """Compute w such that diag(w) S diag(w) has row sums of one, with w = 0 on zero rows."""
    w = np.sqrt(ratio(np.ones(similarity.size), similarity.dot(np.ones(similarity.size))))
    nonzero = w > 0

    def improve(w: FloatArray) -> tuple[FloatArray, float]:
        product = similarity.dot(w)
        return np.sqrt(ratio(w, product)), float(np.abs(w * product - nonzero).max())

    return _iterate(improve, w, tol, max_iter)


def scale_both(matrix: Matrix, tol: float, max_iter: int) -> tuple[FloatArray, FloatArray, bool]:
    """Scale rows and columns to constant sums, for which the leading pair is constant."""
    t = matrix.totals
    m, n = int((t.rows > 0).sum()), int((t.columns > 0).sum())
    row_sum, column_sum = np.sqrt(n / m), np.sqrt(m / n)
    right = np.ones(t.columns.size)

    def improve(right: FloatArray) -> tuple[FloatArray, float]:
        left = ratio(np.full(t.rows.size, row_sum), matrix @ right)
        sums = right * (matrix.T @ left)
        updated = right * ratio(np.full(t.columns.size, column_sum), sums)
        return updated, float(np.abs(sums[t.columns > 0] / column_sum - 1.0).max())

    right, converged = _iterate(improve, np.where(t.columns > 0, right, 0.0), tol, max_iter)
    return ratio(np.full(t.rows.size, row_sum), matrix @ right), right, converged


def _iterate(
    improve: Callable[[FloatArray], tuple[FloatArray, float]],
    start: FloatArray,
    tol: float,
    max_iter: int,
) -> tuple[FloatArray, bool]:
    """Iterate a scaling until its error is within the tolerance."""
    scaling, error = start, np.inf
    for _ in range(max_iter):
        updated, error = improve(scaling)
        if error <= tol:
            return scaling, True
        scaling = updated
    warn(
        Worded(
            f"The sums of the doubly stochastic scaling are still off by {error:.1e} after "
            f"max_iter = {max_iter} sweeps",
            "increase {max_iter} or {tol}; such a scaling may not exist, because of zeros in {X}",
            max_iter=Setting("max_iter", of="vectors"),
            tol=Setting("tol", of="vectors"),
            X=Input(),
        ),
        ConvergenceWarning,
    )
    return scaling, False
