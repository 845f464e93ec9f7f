"""The interface of Step 1 methods, their result, and the input they declare to accept."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Self

from sklearn.base import BaseEstimator

from rankone.checks import check_choice
from rankone.errors import Entry, Input, InputError, Method
from rankone.matrix import Matrix, as_matrix
from rankone.matrix.reading import Missing
from rankone.progress import Callback, silent
from rankone.typing import FloatArray
from rankone.vectors.scales import SCALES, size_on

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
        The score u of each row.
    column : ndarray of shape (n,)
        The score v of each column.
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

    def scaled(self, scale: str) -> Self:
        r"""Return the vectors on another scale.

        `SortedPotts` and `Potts` depend on the scale: the penalty lam of a vector u is the penalty
        :math:`c^p \lambda` of c u. Two vectors that are proportional, such as those of `NMF` (of
        mean one) and `Marginal` (means of entries), have the same partitions only on one scale.

        Parameters
        ----------
        scale : {"extracted", "mean", "norm", "sum"}
            As the method returns them, or each vector divided by its mean, by its Euclidean norm
            or by its sum. A vector of zeros is not changed.

        Returns
        -------
        Vectors

        Examples
        --------
        >>> from rankone import NMF, Marginal
        >>> A = [[1.0, 2.0], [3.0, 6.0]]
        >>> Marginal().extract(A).row, Marginal().extract(A).scaled("mean").row
        (array([1.5, 4.5]), array([0.5, 1.5]))
        >>> NMF().extract(A).row
        array([0.5, 1.5])
        """
        check_choice(scale, "scale", SCALES)
        row, column = (size_on(vector, scale) for vector in (self.row, self.column))
        return self if row == column == 1.0 else self._divided(row, column)

    def _divided(self, row: float, column: float) -> Self:
        """Return the vectors divided by two numbers; subclasses add what changes with them."""
        return replace(self, row=self.row / row, column=self.column / column)


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
        scale: str = "extracted",
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
        scale : {"extracted", "mean", "norm", "sum"}
            The scale of both vectors; see `rankone.Vectors.scaled`.

        Returns
        -------
        Vectors
        """
        self._check_parameters()
        check_choice(scale, "scale", SCALES)
        matrix = as_matrix(X, missing)
        self._check_matrix(matrix)
        if self.needs_squares:
            check_magnitude(matrix)
        return self._extract(matrix, callback or silent).scaled(scale)

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
