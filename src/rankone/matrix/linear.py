"""Anything that can be multiplied by vectors."""

from __future__ import annotations

from abc import ABC, abstractmethod

from rankone.typing import FloatArray


class Linear(ABC):
    """A matrix that is known by its products with vectors, or with several at once.

    Where a vector is expected, a matrix whose columns are vectors is accepted as well.
    """

    shape: tuple[int, int]

    @abstractmethod
    def dot(self, v: FloatArray) -> FloatArray:
        """Return the product with a vector of one value per column."""

    @abstractmethod
    def dot_transposed(self, u: FloatArray) -> FloatArray:
        """Return the product of the transpose with a vector of one value per row."""

    @property
    @abstractmethod
    def T(self) -> Linear:
        """The transpose, without a copy."""

    def __matmul__(self, v: FloatArray) -> FloatArray:
        """Return the product with a vector."""
        return self.dot(v)
