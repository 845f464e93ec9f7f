"""Means of rows and columns."""

from __future__ import annotations

import numpy as np

from rankone.matrix import Matrix
from rankone.progress import Callback
from rankone.typing import FloatArray
from rankone.vectors.base import Capabilities, VectorMethod, Vectors, check_magnitude


class Marginal(VectorMethod):
    r"""The means of rows and of columns, over the entries that exist.

    .. math:: u_i = \frac{1}{|O_i|} \sum_{j \in O_i} A_{ij}, \qquad
              v_j = \frac{1}{|O^j|} \sum_{i \in O^j} A_{ij}

    where :math:`O_i` are the columns in which row i is observed, and :math:`O^j` the rows in which
    column j is. Each minimises :math:`\sum (A_{ij} - u_i)^2` or :math:`\sum (A_{ij} - v_j)^2`; the
    objective is the sum of both. These are the vectors of the *Largest Gaps* methods. On a complete
    matrix they are, up to scale, the rank-one factors of `NMF` with ``beta=1``. Where what is
    missing depends on the column, they are biased, and `NMF` is not.

    Examples
    --------
    >>> Marginal().extract([[1.0, 2.0], [3.0, float("nan")]]).row
    array([1.5, 3. ])
    """

    needs_squares = False

    @property
    def capabilities(self) -> Capabilities:
        """What can be taken: everything."""
        return Capabilities(missing=True, negative=True, places=True)

    def weights(self, other: FloatArray, vectors: Vectors) -> tuple[FloatArray, FloatArray]:
        """Return ones: a score is a mean."""
        ones = np.ones(other.size)
        return ones, ones

    def _extract(self, matrix: Matrix, callback: Callback) -> Vectors:
        t = matrix.totals
        row, column = t.rows / t.row_counts, t.columns / t.column_counts

        def objective() -> float:
            check_magnitude(matrix)
            squares = 2 * matrix.sum_of(np.square)
            return max(0.0, squares - float(row @ t.rows) - float(column @ t.columns))

        return Vectors(row, column, n_iter=1, converged=True, _objective=objective)
