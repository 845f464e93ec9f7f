"""Which scores can be compared with each other: those of rows and columns that entries join."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse.csgraph import connected_components

from rankone.typing import IntArray

if TYPE_CHECKING:
    from rankone.matrix.base import Matrix


@dataclass(frozen=True)
class Groups:
    """Rows and columns whose scores can be compared with each other.

    Attributes
    ----------
    rows, columns : ndarray
        The group of each row and of each column; -1 where the sum is zero, and so the score.
    n_groups : int
        The number of groups.
    n_apart : int
        The number of sets of groups between which nothing at all is observed. If it is smaller
        than ``n_groups``, the minimum of a factorisation is not attained.
    """

    rows: IntArray
    columns: IntArray
    n_groups: int
    n_apart: int


def comparable_groups(matrix: Matrix) -> Groups:
    r"""Return the groups within which the scores of a factorisation A ~ u v^T are determined.

    On a connected set of observed entries, the factors are determined up to one scale; between
    sets that no entry joins, nothing is. Observed *zeros* join less than they seem to. A minimiser
    exists only if some matrix that is positive on all observed entries has the row and column sums
    of A. Read A as a flow from rows to columns: an observed zero can be made positive exactly if
    it lies on a cycle of steps row -> column (any observed entry can grow) and column -> row
    (positive entries can shrink). So the groups are the strongly connected components of this
    graph. A zero between two of them is fitted only in the limit, as the ratio of their scales
    tends to 0.

    Parameters
    ----------
    matrix : Matrix
        Not negative.

    Returns
    -------
    Groups
    """
    rows, columns, n_groups = matrix.joined()
    if n_groups <= 1:
        return Groups(rows, columns, n_groups, n_groups)
    meets = matrix.observed.between(rows, columns, n_groups)
    n_apart = connected_components(meets, connection="weak", return_labels=False)
    n_strong, strong = connected_components(meets, connection="strong")
    rows, columns = (np.where(side >= 0, strong[side], -1) for side in (rows, columns))
    return Groups(rows, columns, int(n_strong), int(n_apart))
