"""The interface of Step 1 methods, their result, and the input they declare to accept."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from rankone.errors import Entry, Input, InputError, Method
from rankone.matrix import Matrix, as_matrix
from rankone.matrix.reading import Missing
from rankone.progress import Callback, silent
from rankone.typing import FloatArray

#: The range of magnitudes within which sums of squares neither underflow nor overflow.
MIN_MAGNITUDE, MAX_MAGNITUDE = 1e-100, 1e100


@dataclass(frozen=True)
class Capabilities:
    """The input that a Step 1 method accepts.

    Attributes
    ----------
    missing : bool
        Whether matrices with missing entries are accepted.
    negative : bool
        Whether negative entries are accepted.
    rectangular : bool
        Whether matrices that are not square are accepted.
    joint : bool
        False if rows and columns are independent: permuting the rows permutes the row vector and
        leaves the column vector unchanged. True if the i-th row and the i-th column stand for the
        same object, as in a graph, so that both must be permuted together.
    places : bool
        Whether new rows, which were not in the matrix, can be scored.
    """

    missing: bool = False
    negative: bool = False
    rectangular: bool = True
    joint: bool = False
    places: bool = False


@dataclass(frozen=True, eq=False)
class Vectors:
    """The cluster-generating vectors of a matrix: one score per row and one per column.

    Attributes
    ----------
    row : ndarray of shape (m,)
    column : ndarray of shape (n,)
    n_iter : int
        The number of sweeps.
    converged : bool
        Whether the method converged to its tolerance.
    """

    row: FloatArray
    column: FloatArray
    n_iter: int
    converged: bool
    _objective: Callable[[], float] = field(repr=False)

    @cached_property
    def objective(self) -> float:
        """The objective of the method at these vectors, computed on first access."""
        return self._objective()


class VectorMethod(BaseEstimator, ABC):  # type: ignore[misc]
    """Base class of Step 1 methods, which extract one vector per side of a matrix."""

    #: Whether the squares of the entries must stay within the range of a double.
    needs_squares = True

    @property
    @abstractmethod
    def capabilities(self) -> Capabilities:
        """The input that this method accepts with its current parameters."""

    def _check_parameters(self) -> None:
        """Raise a ValueError if a parameter is invalid."""
        return

    @abstractmethod
    def _extract(self, matrix: Matrix, callback: Callback) -> Vectors:
        """Extract the vectors of a matrix that the method accepts."""

    def weights(
        self, opposite: FloatArray, vectors: Vectors
    ) -> tuple[FloatArray, FloatArray] | None:
        """Return g and h if the score of row i is ``(A g)_i / (M h)_i``, and None otherwise.

        M is the 0/1 matrix of observed entries; g and h depend only on the vector of the opposite
        side. Such a method can score new rows, and the noise of its scores follows from the noise
        of the entries. Methods whose scores depend on all rows at once return None.
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
            Which entries are missing: those that are NaN or, with "absent", also those that a
            sparse matrix does not store.
        callback : callable, optional
            Called after each sweep with the number of sweeps and the current error. An exception
            raised by the callback stops the computation.

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
        """Raise a ValueError that names alternatives if the method does not accept the matrix."""
        accepts = self.capabilities
        m, n = matrix.shape
        if not accepts.rectangular and m != n:
            raise self._refusal(
                f"needs a square matrix, but {{X}} has {m} rows and {n} columns",
                "rectangular",
                matrix,
            )
        if not accepts.missing and matrix.n_missing:
            raise self._refusal(
                f"does not accept missing entries (NaN), but {{X}} has {matrix.n_missing}",
                "missing",
                matrix,
            )
        if not accepts.negative and matrix.totals.has_negative:
            i, j, value = matrix.first_negative()
            raise self._refusal(
                f"does not accept negative entries, but {{entry}} is {value:g}",
                "negative",
                matrix,
                entry=Entry(int(i), int(j)),
            )

    def _refusal(
        self, problem: str, capability: str, matrix: Matrix, **fields: Entry
    ) -> InputError:
        """Return an error that suggests methods that have the capability."""
        instead = self._alternatives(capability, matrix)
        names = [f"alternative{i}" for i in range(len(instead))]
        return InputError(
            f"{{method}} {problem}",
            "use " + ", or ".join(f"{{{name}}}" for name in names),
            method=Method((type(self).__name__,)),
            X=Input(),
            **fields,
            **dict(zip(names, instead, strict=True)),
        )

    def _alternatives(self, capability: str, matrix: Matrix) -> list[Method]:
        """Return the methods that have the capability and accept the shape of the matrix."""
        from rankone.vectors import METHODS

        square = matrix.shape[0] == matrix.shape[1]
        names = [
            method.__name__
            for method in METHODS
            if getattr(method().capabilities, capability)
            and (square or method().capabilities.rectangular)
            and method is not type(self)
        ]
        return [Method(tuple(names))]


def check_magnitude(matrix: Matrix) -> None:
    """Raise a ValueError if sums of squared entries would leave the range of a double."""
    magnitude = matrix.magnitude()
    if magnitude and not MIN_MAGNITUDE <= magnitude <= MAX_MAGNITUDE:
        raise InputError(
            f"The entries of {{X}} are of magnitude {magnitude:.0e}, too "
            f"{'large' if magnitude > 1 else 'small'} to be squared",
            "divide {X} by a constant",
            X=Input(),
        )


def fix_sign(*sides: tuple[FloatArray, FloatArray]) -> float:
    """Return the sign by which to multiply the vectors so that the result is deterministic.

    The sign of an eigenvector is arbitrary. The sign chosen here makes scores increase with the
    row (or column) sums; if they are uncorrelated, it makes the skewness positive; if there is no
    skewness either, it makes the entry of largest magnitude positive.

    Parameters
    ----------
    *sides : pairs of ndarray
        The vector of each side, and the sums of its rows (or columns).

    Returns
    -------
    float
        1.0 or -1.0.
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
    """Return whether a vector is constant up to rounding errors."""
    return bool(np.abs(centred).max() <= 1e-10 * np.abs(vector).max())


def mean_one(vector: FloatArray) -> tuple[FloatArray, float]:
    """Divide a vector by its mean and return both; a vector of mean zero is left unchanged."""
    mean = float(vector.mean())
    return (vector / mean, mean) if mean else (vector, 1.0)
