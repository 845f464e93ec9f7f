"""What fitted learners and trees share: the matrix they were fitted to, copies, and files."""

from __future__ import annotations

import os
from abc import abstractmethod
from typing import TYPE_CHECKING, Any, Self

from sklearn.utils.validation import check_is_fitted

from rankone import __version__
from rankone.estimators.annotated import AnnotatingMixin, unwrapped
from rankone.estimators.jobs import with_jobs
from rankone.matrix import Matrix, as_matrix
from rankone.preparation import Prepare

if TYPE_CHECKING:
    from rankone.report import Report

try:  # scikit-learn 1.9 and later
    from sklearn.callback import CallbackSupportMixin, with_callbacks
except ImportError:

    class CallbackSupportMixin:  # type: ignore[no-redef]
        """Nothing: this scikit-learn has no callbacks."""

    def with_callbacks(method: Any) -> Any:
        """Return a method as it is."""
        return method


__all__ = ["CallbackSupportMixin", "FittedMixin", "fit_as_data", "with_callbacks"]

#: Parameters that do not change the result of a fit.
HOW = ("n_jobs", "checkpoint", "verbose")


class FittedMixin(AnnotatingMixin, CallbackSupportMixin):  # type: ignore[misc]
    """An estimator that remembers its matrix, and that can be saved; mixed in before BaseEstimator.

    Attributes
    ----------
    matrix_ : Matrix
        As it was given to `fit`; copies and files do not have it.
    prepare_ : Prepare or None
        The fitted preparation.
    """

    missing: Any
    matrix_: Matrix
    prepare_: Prepare | None

    def prepared(self, matrix: Matrix) -> Matrix:
        """Return a matrix with the columns of the fitted one as it is clustered.

        Parameters
        ----------
        matrix : Matrix
            Entries as they are given to `fit`, such as ``matrix_``.

        Returns
        -------
        Matrix
            The matrix itself, if the learner does not prepare it.
        """
        check_is_fitted(self)
        if self.prepare_ is None:
            return matrix
        return as_matrix(self.prepare_.transform(matrix.values()), self.missing)

    @with_jobs
    def report(
        self,
        path: str | os.PathLike[str] | None = None,
        X: Any = None,
        *,
        title: str | None = None,
        row_names: Any = None,
        column_names: Any = None,
        row_annotations: Any = None,
        column_annotations: Any = None,
        nouns: tuple[str, str] = ("row", "column"),
    ) -> Report:
        """Create an interactive page that explains the clusters, which opens in any browser.

        Parameters
        ----------
        path : str or path-like, optional
            The HTML file to write, which needs no other. Without it, a notebook shows the page.
        X : array-like or sparse matrix, optional
            The fitted matrix; needed for a learner that was loaded from a file. By default it is
            the one that was given to `fit`, as it is now.
        title : str, optional
            By default, what was clustered.
        row_names, column_names : sequence, optional
            By default those of the frame that was fitted, or numbers from 1.
        row_annotations, column_annotations : DataFrame or mapping, optional
            What else is known of rows, or columns: for each name a sequence of classes or numbers,
            drawn beside the clusters, with their agreement if they are classes.
        nouns : pair of str
            What a row is called, and a column: ``("wine", "measurement")``.

        Returns
        -------
        Report
        """
        from rankone.report import report

        matrix = self._fitted_matrix(X)
        names = getattr(self, "row_names_in_", None), getattr(self, "feature_names_in_", None)
        made = report(
            self,
            self.prepared(matrix),
            original=None if self.prepare_ is None else matrix,
            title=f"Clusters of {self._clustered}" if title is None else title,
            row_names=names[0] if row_names is None else row_names,
            column_names=names[1] if column_names is None else column_names,
            row_annotations=row_annotations,
            column_annotations=column_annotations,
            nouns=nouns,
        )
        if path is not None:
            made.save(path)
        return made

    #: What is clustered.
    _clustered = "rows"

    @property
    @abstractmethod
    def _fitted_shape(self) -> tuple[int, int]:
        """The shape of the fitted matrix."""

    def _fitted_matrix(self, X: Any = None) -> Matrix:
        """Return the fitted matrix, or check that one is it."""
        check_is_fitted(self)
        if X is None:
            matrix: Matrix | None = getattr(self, "matrix_", None)
        else:
            given = unwrapped(X)
            matrix = as_matrix(getattr(given, "values", given), self.missing)
        shape = self._fitted_shape
        if matrix is None or matrix.shape != shape:
            raise ValueError(f"X must be the fitted matrix, of shape {shape}; give it as X.")
        return matrix

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the fitted learner to a file, which `load` reads. No pickle is involved.

        Parameters
        ----------
        path : str or path-like
            It is replaced only once the file is complete.
        """
        from rankone.saving import save

        check_is_fitted(self)
        save(self, path)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Read a learner that `save` wrote.

        Parameters
        ----------
        path : str or path-like
            The file; it is checked, and nothing in it is run.

        Returns
        -------
        estimator
            The fitted learner, without the matrix that it was fitted to.
        """
        from rankone.saving import load

        return load(path, cls)  # type: ignore[no-any-return]

    def __getstate__(self) -> dict[str, Any]:
        """Leave the matrix out of copies: it belongs to the user, and may be large."""
        state: dict[str, Any] = dict(super().__getstate__())
        state.pop("matrix_", None)
        return state


def fit_as_data(estimator: Any) -> dict[str, Any]:
    """Return what determines the result of a fit, apart from the matrix."""
    parameters = estimator.get_params(deep=False)
    return {
        "learner": type(estimator).__name__,
        "version": __version__,
        **{name: repr(value) for name, value in parameters.items() if name not in HOW},
    }
