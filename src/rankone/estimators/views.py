"""Views of a matrix: its margins, and the rank-one steps on what they leave."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from rankone.checks import check_whole
from rankone.errors import InputError, Setting
from rankone.estimators.jobs import with_jobs
from rankone.estimators.reading import (
    add_needs,
    check_prepare,
    read_fitted,
    read_rows,
    refuse_negative,
)
from rankone.matrix import Matrix
from rankone.matrix.canonical import Canonical
from rankone.preparation import Prepare
from rankone.typing import FloatArray
from rankone.views import Margins, Views, noise_edge, view

#: The most views that are looked for where their number is not given.
MOST = 50

#: Names with their scores.
Scored = tuple[tuple[Any, float], ...]


@dataclass(frozen=True)
class Ends:
    """The ends of one side of a view: names, or indices, with their scores.

    Attributes
    ----------
    low, high : tuple of (name, score)
        The lowest scores in ascending, the highest in descending order.
    """

    low: Scored
    high: Scored

    @classmethod
    def of(cls, scores: FloatArray, names: Any, number: int) -> Ends:
        """Return at most so many of the extreme scores at each end, none of them twice."""
        order, half = np.argsort(scores, kind="stable"), scores.size // 2
        low, high = order[:half][:number], order[half:][::-1][:number]
        named = range(scores.size) if names is None else names
        return cls(*(tuple((named[i], float(scores[i])) for i in side) for side in (low, high)))

    def __str__(self) -> str:
        """Return one line for each end."""
        return f"high: {_listed(self.high)}\nlow: {_listed(self.low)}"


@dataclass(frozen=True)
class Explanation:
    """What a view says: the rows and columns at both of its ends.

    Attributes
    ----------
    title : str
    rows, columns : Ends
    """

    title: str
    rows: Ends
    columns: Ends

    def __str__(self) -> str:
        """Return a few lines to read."""
        sides = (
            f"{name}, {line}"
            for name, ends in (("rows", self.rows), ("columns", self.columns))
            for line in str(ends).splitlines()
        )
        return "\n  ".join((self.title, *sides))


def _listed(scored: Scored) -> str:
    return ", ".join(f"{name} ({score:.3g})" for name, score in scored) or "none"


class RankOneViews(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """The views of a matrix: its margins, and the rank-one steps on what they leave.

    View 0 is what the margins say. If zero means that something is absent (no entry is negative,
    and at least a twentieth are zero), the margins are the sums of rows and columns, and entries
    are compared with their product, on a logarithmic scale. Otherwise columns are centred. The
    views that follow are the leading singular pairs of what is left.

    Parameters
    ----------
    n_views : int, optional
        The number of views after the margins; fewer, if there are no more. By default as many as
        are above the noise edge, at least one and at most 50.
    missing : {"nan", "absent"}
        Which entries are missing: those that are NaN; or, in a sparse matrix, also those that are
        absent, which otherwise are zeros.
    prepare : Prepare, optional
        What is done to the entries first; see `rankone.Prepare`.
    n_jobs : int, optional
        The number of threads; see `RankOneCoclustering`.

    Attributes
    ----------
    row_scores_ : ndarray of shape (m, n_views + 1)
        The scores of the rows in each view. In view 0: the sums of their logarithms if margins are
        relative, their means otherwise. In the others: the matrix less its margins, times the unit
        vector of the columns.
    column_scores_ : ndarray of shape (n, n_views + 1)
        The scores of the columns: their sums or means; then singular vectors times singular values.
    singular_values_ : ndarray of shape (n_views,)
        How much of the matrix each view explains, the largest first.
    noise_edge_ : float
        The largest singular value if entries less their margins had random signs; views above are
        more than noise. It is one draw of the signs, which varies by a few percent.
    n_views_ : int
        The number of views after the margins; zero if these explain everything.
    margins_ : {"relative", "centred"}
        Whether entries are compared with what both margins say, or columns are centred.
    prepare_ : Prepare or None
        The fitted preparation.
    n_features_in_, feature_names_in_, row_names_in_
        The number of columns; the names of columns and rows, if X is a frame that has them.

    See Also
    --------
    RankOneCoclustering : Clusters of rows and of columns.

    Notes
    -----
    Missing entries are filled with what the views above noise say of them, from rows to views and
    back, until they settle. Scores are in the units of the entries if these are centred, and
    without a unit if they are relative. A matrix with more than 4 million entries is decomposed in
    the order in which it is given; there, the last digits may depend on the order.

    References
    ----------
    D. Hong, Y. Sheng and E. Dobriban, Selecting the number of components in PCA via random
    signflips, 2020.

    Examples
    --------
    >>> import numpy as np
    >>> from rankone import RankOneViews
    >>> rng = np.random.default_rng(0)
    >>> taste = np.outer(np.repeat([1, -1], 10), [4, 0, -2, -2])
    >>> model = RankOneViews().fit(taste + rng.normal(size=(20, 4)))
    >>> model.n_views_, model.margins_
    (1, 'centred')
    >>> [column for column, score in model.explain(1, n=1).columns.high]
    [0]
    >>> model.transform([[8, 0, -4, -4]]).round(1)  # the mean of the row, and its score
    array([[ 0. , 10.1]])
    """

    def __init__(
        self,
        n_views: int | None = None,
        *,
        missing: str = "nan",
        prepare: Prepare | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_views = n_views
        self.missing = missing
        self.prepare = prepare
        self.n_jobs = n_jobs

    @with_jobs
    def fit(self, X: Any, y: None = None) -> Self:
        """Find the views.

        Parameters
        ----------
        X : array-like, sparse matrix, AnnData or Table of shape (m, n)
            Real numbers, signed or not; NaN where an entry is missing. Frames, annotated data, and
            tables that `rankone.io.read_matrix` returns, bring the names of rows and columns.
        y : None
            Ignored.

        Returns
        -------
        RankOneViews
            The transformer itself.
        """
        if self.n_views is not None:
            check_whole(self.n_views, "n_views")
        if self.prepare is not None:
            check_prepare(self.prepare)
        matrix = read_fitted(self, X).matrix
        views, edge = _views_in_canonical_order(matrix, self.n_views)
        scale, margins = views.margins.scale, views.margins
        self._views = views
        self.row_scores_ = self._scores(matrix, views.scores)
        self.column_scores_ = np.column_stack(
            [margins.columns, scale * views.values * views.directions]
        )
        self.singular_values_, self.noise_edge_ = scale * views.values, scale * edge
        self.n_views_ = views.number
        self.margins_ = "relative" if margins.relative else "centred"
        return self

    @with_jobs
    def transform(self, X: Any) -> FloatArray:
        """Return the scores of rows in each view.

        Parameters
        ----------
        X : array-like, sparse matrix or Table of shape (m, n)
            Rows with the columns of the fitted matrix.

        Returns
        -------
        ndarray of shape (m, n_views + 1)
        """
        check_is_fitted(self)
        matrix = read_rows(self, X).matrix
        if self._views.margins.relative:
            refuse_negative(matrix, "no entry of the fitted matrix is negative")
        return self._scores(matrix, self._views.score(matrix))

    def _scores(self, matrix: Matrix, scores: FloatArray) -> FloatArray:
        """Return the scores of rows after those of view 0, in the units of the entries."""
        margins = self._views.margins
        return np.column_stack([margins.of_rows(matrix), margins.scale * scores])

    def fit_transform(self, X: Any, y: None = None) -> FloatArray:
        """Fit, and return the scores of the rows in each view; see `transform`."""
        return np.array(self.fit(X).row_scores_)

    def explain(self, view: int, n: int = 5) -> Explanation:
        """Say what a view is about: which rows and columns are at its ends.

        Parameters
        ----------
        view : int
            From 0, the margins, to ``n_views_``.
        n : int
            How many rows and columns at each end.

        Returns
        -------
        Explanation
            ``rows`` and ``columns``, each with ``low`` and ``high``: names, or indices, with their
            scores. Printed, it is text of a few lines.
        """
        check_is_fitted(self)
        if check_whole(view, "view", 0) > self.n_views_:
            raise InputError(
                f"{{view}} must be 0 to {self.n_views_}, but it is {view}",
                "fit with a larger {number}",
                view=Setting("view"),
                number=Setting("n_views"),
            )
        sides = zip(
            (self.row_scores_, self.column_scores_),
            ("row_names_in_", "feature_names_in_"),
            strict=True,
        )
        number = check_whole(n, "n")
        ends = (
            Ends.of(scores[:, view], getattr(self, name, None), number) for scores, name in sides
        )
        return Explanation(self._title(view), *ends)

    def _title(self, view: int) -> str:
        if view == 0:
            return f"View 0: {'sums' if self._views.margins.relative else 'means'}"
        value, edge = self.singular_values_[view - 1], self.noise_edge_
        return f"View {view}: singular value {value:.3g}, where noise ends at {edge:.3g}"

    @property
    def _n_features_out(self) -> int:
        return self.n_views_ + 1

    def __sklearn_tags__(self) -> Tags:  # noqa: D105
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = tags.input_tags.allow_nan = True
        add_needs(tags, self.prepare, self.missing)
        return tags


def _views_in_canonical_order(matrix: Matrix, number: int | None) -> tuple[Views, float]:
    """Return views that do not depend on the order of rows and columns, and the noise edge."""
    canonical = Canonical.of(matrix)
    ordered = canonical.matrix.T if canonical.turned else canonical.matrix
    edge = noise_edge(Margins.subtracted(ordered)[1])
    views = view(ordered, MOST if number is None else number, edge)
    if number is None:
        views = views.first(max(1, int((views.values > edge).sum())))
    return views.taken(np.argsort(canonical.rows), np.argsort(canonical.columns)), edge
