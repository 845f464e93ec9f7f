"""Row and column means."""

from __future__ import annotations

import numpy as np

from rankone.matrix import Matrix
from rankone.progress import Callback
from rankone.typing import FloatArray
from rankone.vectors.base import Capabilities, VectorMethod, Vectors, check_magnitude


class Marginal(VectorMethod):
    r"""The row and column means of the observed entries.

    .. math:: u_i = \frac{1}{|O_i|} \sum_{j \in O_i} A_{ij}, \qquad
              v_j = \frac{1}{|O^j|} \sum_{i \in O^j} A_{ij}

    where :math:`O_i` is the set of columns in which row i is observed, and :math:`O^j` the set of
    rows in which column j is observed. The means minimise :math:`\sum (A_{ij} - u_i)^2` and
    :math:`\sum (A_{ij} - v_j)^2`; the objective is the sum of the two. These are the vectors of the
    *Largest Gaps* methods. On a complete matrix they equal, up to scale, the rank-one factors of
    `NMF` with ``beta=1``. If the missingness depends on the column, the means are biased, while
    `NMF` is not.

    Examples
    --------
    >>> Marginal().extract([[1.0, 2.0], [3.0, float("nan")]]).row
    array([1.5, 3. ])
    """

    needs_squares = False

    @property
    def capabilities(self) -> Capabilities:
        """Any matrix is accepted."""
        return Capabilities(missing=True, negative=True, places=True)

    def weights(self, opposite: FloatArray, vectors: Vectors) -> tuple[FloatArray, FloatArray]:
        """Return ones, because a score is an unweighted mean."""
        ones = np.ones(opposite.size)
        return ones, ones

    def _extract(self, matrix: Matrix, callback: Callback) -> Vectors:
        t = matrix.totals
        row, column = t.rows / t.row_counts, t.columns / t.column_counts

        def objective() -> float:
            check_magnitude(matrix)
            squares = 2 * matrix.census.squares
            return max(0.0, squares - float(row @ t.rows) - float(column @ t.columns))

        return Vectors(row, column, n_iter=1, converged=True, _objective=objective)
