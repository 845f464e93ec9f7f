"""What sets the clusters of a learner apart, in words."""

from __future__ import annotations

from typing import Any

from rankone.checks import check_whole
from rankone.contrasts import ClustersExplanation, Contrasts
from rankone.estimators.fitted import FittedMixin
from rankone.estimators.jobs import with_jobs
from rankone.result import SIDES, Result

__all__ = ["ExplainMixin"]


class ExplainMixin(FittedMixin):
    """A fitted learner that explains its clusters.

    Attributes
    ----------
    result_ : Result
    """

    result_: Result

    @with_jobs
    def explain(self, n: int = 4, X: Any = None) -> ClustersExplanation:
        """Say what sets the clusters apart: what is high, and what is low, in each of them.

        Parameters
        ----------
        n : int
            The number of columns that are named as high, and as low, in a cluster of rows; and of
            rows in a cluster of columns.
        X : array-like or sparse matrix, optional
            The fitted matrix; needed for a learner that was loaded from a file.

        Returns
        -------
        ClustersExplanation
            ``str`` puts it into sentences, one for each cluster.
        """
        matrix, n = self._fitted_matrix(X), check_whole(n, "n")
        prepared = self.prepared(matrix)
        explained = []
        for side in self.result_.visible_sides:
            axis = side.request.axis
            names = getattr(self, ("feature_names_in_", "row_names_in_")[axis], None)
            if names is None:
                thing = SIDES[1 - axis].removesuffix("s")
                names = [f"{thing} {j}" for j in range(matrix.shape[1 - axis])]
            contrasts = Contrasts.of(prepared if axis == 0 else prepared.T, side.labels)
            explained.append(contrasts.explain(names, n, side.name.removesuffix("s")))
        return ClustersExplanation(*explained)
