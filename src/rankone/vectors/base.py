"""What every Step 1 shares: its interface, its result, and what it declares that it can take."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from rankone.matrix import Matrix, as_matrix
from rankone.matrix.reading import Missing
from rankone.progress import Callback, silent
from rankone.typing import FloatArray

#: The magnitudes of a matrix whose squares can be added up.
LEAST, MOST = 1e-100, 1e100


@dataclass(frozen=True)
class Capabilities:
    """What a Step 1 can take.

    Attributes
    ----------
    missing : bool
        Matrices with missing entries.
    negative : bool
        Negative entries.
    rectangular : bool
        Matrices that are not square.
    joint : bool
        False if rows and columns are independent: permuting rows permutes the row vector and
        leaves the column vector. True if the i-th row and the i-th column are one thing, as in a
        graph, so that both must be permuted together.
    places : bool
        Whether rows that were not in the matrix can be given scores.
    """

    missing: bool = False
    negative: bool = False
    rectangular: bool = True
    joint: bool = False
    places: bool = False


@dataclass(frozen=True, eq=False)
class Vectors:
    """The cluster-generating vectors of a matrix: one score for each row and each column.

    Attributes
    ----------
    row : ndarray of shape (m,)
    column : ndarray of shape (n,)
    n_iter : int
        The number of sweeps.
    converged : bool
        Whether the result is what the method promises, to its tolerance.
    """

    row: FloatArray
    column: FloatArray
    n_iter: int
    converged: bool
    _objective: Callable[[], float] = field(repr=False)

    @cached_property
    def objective(self) -> float:
        """What the method minimises, of this result; it is computed when it is asked for."""
        return self._objective()


class VectorMethod(BaseEstimator, ABC):  # type: ignore[misc]
    """Step 1 of a rank-one partitioning learner: from a matrix to a vector for each side."""

    #: Whether squares of entries must not leave the range of a double.
    needs_squares = True

    @property
    @abstractmethod
    def capabilities(self) -> Capabilities:
        """What this method, with its parameters, can take."""

    def _check_parameters(self) -> None:
        """Raise a ValueError if a parameter makes no sense."""
        return

    @abstractmethod
    def _extract(self, matrix: Matrix, callback: Callback) -> Vectors:
        """Do the work, on a matrix that the method can take."""

    def weights(self, other: FloatArray, vectors: Vectors) -> tuple[FloatArray, FloatArray] | None:
        """Return g and h, if a score is ``(A g)_i / (M h)_i`` given the vector of the other side.

        M says what exists. Such scores can be given to new rows, and the noise of the entries
        tells theirs. None for methods whose scores depend on all rows at once.
        """
        return None

    def extract(
        self,
        X: Any,
        missing: Missing = "nan",
        callback: Callback | None = None,
    ) -> Vectors:
        """Extract the vectors of a matrix.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (m, n)
            Anything that `rankone.matrix.as_matrix` accepts.
        missing : {"nan", "absent"}
            Which entries do not exist: those that are NaN; or, in a sparse matrix, also those
            that are absent.
        callback : callable, optional
            Called after each sweep with the number of sweeps and the present error. What it
            raises ends the work.

        Returns
        -------
        Vectors
        """
        self._check_parameters()
        matrix = as_matrix(X, missing)
        self._check_matrix(matrix)
        if self.needs_squares:
            check_magnitude(matrix)
        return self._extract(matrix, callback or silent)

    def _check_matrix(self, matrix: Matrix) -> None:
        """Refuse what this method did not declare, and name what would work instead."""
        can, name = self.capabilities, type(self).__name__
        m, n = matrix.shape
        if not can.rectangular and m != n:
            raise ValueError(
                f"{name} needs a square matrix, but X has {m} rows and {n} columns; "
                f"{self._instead('rectangular', matrix)}."
            )
        if not can.missing and matrix.n_missing:
            raise ValueError(
                f"{name} takes no missing entries (NaN), but {matrix.n_missing} of X are; "
                f"{self._instead('missing', matrix)}."
            )
        if not can.negative and matrix.totals.has_negative:
            i, j, value = matrix.first_negative()
            raise ValueError(
                f"{name} takes no negative entries, but X[{i}, {j}] is {value:g}; "
                f"{self._instead('negative', matrix)}."
            )

    def _instead(self, what: str, matrix: Matrix) -> str:
        """Say which methods take what this one does not, and this shape."""
        from rankone.vectors import METHODS

        square = matrix.shape[0] == matrix.shape[1]
        able = [
            method.__name__
            for method in METHODS
            if getattr(method().capabilities, what)
            and (square or method().capabilities.rectangular)
            and method is not type(self)
        ]
        return f"use {', '.join(able[:-1])} or {able[-1]}"


def check_magnitude(matrix: Matrix) -> None:
    """Refuse entries whose squares, or sums of squares, would leave the range of a double."""
    magnitude = matrix.magnitude()
    if magnitude and not LEAST <= magnitude <= MOST:
        raise ValueError(
            f"The entries of X are of magnitude {magnitude:.0e}, too "
            f"{'large' if magnitude > 1 else 'small'} for their squares; divide X by a constant."
        )


def fix_sign(*sides: tuple[FloatArray, FloatArray]) -> float:
    """Return the sign that a pair of vectors must be multiplied by to be the same everywhere.

    An eigenvector has no sign of its own. Here scores rise with the sums that they belong to; where
    they do not correlate with these, long tails point upwards; and where there are none, the first
    of the largest entries is positive.

    Parameters
    ----------
    *sides : pairs of ndarray
        The vector of each side, and the sums of its rows (or columns).
    """
    for statistic in (_correlation, _skewness):
        total = sum(statistic(vector, sums) for vector, sums in sides)
        if abs(total) > 1e-6:
            return float(np.sign(total))
    vector = sides[0][0]
    return -1.0 if vector[np.argmax(np.abs(vector))] < 0 else 1.0


def _correlation(vector: FloatArray, sums: FloatArray) -> float:
    a, b = vector - vector.mean(), sums - sums.mean()
    if _is_rounding(a, vector) or _is_rounding(b, sums):
        return 0.0
    return float(a @ b) / float(np.linalg.norm(a) * np.linalg.norm(b))


def _skewness(vector: FloatArray, _: FloatArray) -> float:
    a = vector - vector.mean()
    return 0.0 if _is_rounding(a, vector) else float(((a / np.linalg.norm(a)) ** 3).sum())


def _is_rounding(centred: FloatArray, vector: FloatArray) -> bool:
    """Say whether a vector is constant, so that what is left of it when centred is rounding."""
    return bool(np.abs(centred).max() <= 1e-10 * np.abs(vector).max())


def mean_one(vector: FloatArray) -> tuple[FloatArray, float]:
    """Return a vector of mean one, and what it was divided by; a zero vector stays what it is."""
    mean = float(vector.mean())
    return (vector / mean, mean) if mean else (vector, 1.0)
