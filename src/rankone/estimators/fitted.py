"""What fitted learners and trees share: the matrix they were fitted to, copies, and files."""

from __future__ import annotations

import os
from typing import Any, Self

from sklearn.utils.validation import check_is_fitted

from rankone import __version__
from rankone.matrix import Matrix, as_matrix
from rankone.preparation import Prepare

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


class FittedMixin(CallbackSupportMixin):  # type: ignore[misc]
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

        Returns
        -------
        estimator
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
