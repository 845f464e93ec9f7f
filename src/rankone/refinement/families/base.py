"""What a family of distributions must say: the interface, and all that follows from it.

Each is an exponential family, so that a block is known by the sum of its entries (``total``) and
what that sum is compared with (``size``: the number of entries, or the number that margins lead one
to expect), and the log-likelihood of a row in cluster k is linear in its sums over the blocks,

    sum_l total_il natural_kl - size_il cumulant_kl.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np

from rankone._arithmetic import ratio
from rankone.errors import Entry, InputError, Setting
from rankone.matrix import Matrix
from rankone.typing import FloatArray

if TYPE_CHECKING:
    from rankone.refinement.law import Law
    from rankone.refinement.model import BlockModel
    from rankone.refinement.state import State

#: Rounding error of a sum of squares, as a share of it: less counts as nothing.
ROUNDING = 1e-13


class Point(NamedTuple):
    """A distribution of the family with unit dispersion.

    Attributes
    ----------
    natural : ndarray
        The natural parameter.
    cumulant : ndarray
        The cumulant function, zero for the value of a matrix without blocks.
    variance : ndarray or float
        The variance of an entry.
    """

    natural: FloatArray
    cumulant: FloatArray
    variance: FloatArray | float


class Family(ABC):
    """A distribution of entries around the value of their block.

    A new family is one file: a frozen dataclass whose fields are numbers (they are saved with a
    fit), the four declarations, and the six methods before `check`; an entry in `FAMILIES`.

    Attributes
    ----------
    name : str
        The value of the parameter ``loss``.
    has_margins : bool
        Whether rows and columns have margins that blocks are relative to. If so, new rows get
        margins of their own, and of k l block values (k - 1)(l - 1) are free.
    accepts_negative : bool
        Whether entries may be negative.
    has_free_variance : bool
        Whether the variance is estimated; otherwise the mean implies it.
    """

    name: ClassVar[str]
    has_margins: ClassVar[bool]
    accepts_negative: ClassVar[bool]
    has_free_variance: ClassVar[bool]

    @classmethod
    @abstractmethod
    def suits(cls, matrix: Matrix) -> bool:
        """Return whether the entries of a matrix look like those of the family."""

    @classmethod
    @abstractmethod
    def law_of(cls, matrix: Matrix) -> Law:
        """Return the law of a matrix before any blocks are known."""

    def adapt(self, model: BlockModel, state: State) -> Law:
        """Return the law given blocks, where it depends on them; otherwise the same law."""
        return model.law

    @abstractmethod
    def at(self, mean: FloatArray) -> Point:
        """Return the distributions whose means are given, relative to margins and centre."""

    @property
    def dispersion(self) -> float:
        """The variance of entries relative to `Point.variance`, fixed during a search."""
        return 1.0

    def dispersion_given(self, explained: FloatArray, freedom: float | None = None) -> FloatArray:
        """Return the dispersion given the log-likelihood that blocks explain.

        By default the fixed one. A family that estimates it during the search returns what is
        left, divided by the degrees of freedom, and zero if there are none.
        """
        return np.asarray(self.dispersion)

    def likelihood(self, explained: FloatArray) -> FloatArray:
        """Return the log-likelihood, up to a constant, given what all blocks explain."""
        return explained / self.dispersion

    @classmethod
    def check(cls, matrix: Matrix) -> None:
        """Refuse negative entries if the family does not accept them."""
        if not cls.accepts_negative and matrix.totals.has_negative:
            i, j, value = matrix.first_negative()
            raise InputError(
                "{loss} does not accept negative entries, but {entry} is {value}",
                "use {suggested}",
                loss=Setting("loss", cls.name),
                entry=Entry(i, j),
                value=f"{value:g}",
                suggested=Setting("loss", "gaussian"),
            )

    def explained(self, total: FloatArray, size: FloatArray) -> FloatArray:
        """Return the gain in log-likelihood over a matrix without blocks, at unit dispersion.

        That of the best value of each block, summed over the last axis.
        """
        point = self.at(ratio(total, size))
        return np.asarray((total * point.natural - size * point.cumulant).sum(axis=-1))

    def parameters(self, total: FloatArray, size: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the natural parameter and the cumulant of each block."""
        point = self.at(ratio(total, size))
        dispersion = self.dispersion_given(self.explained(total, size).sum())
        return point.natural / dispersion, point.cumulant / dispersion

    def n_parameters(self, n_row_clusters: int, n_column_clusters: int) -> int:
        """Return the number of free block values."""
        fixed = int(self.has_margins)
        return (n_row_clusters - fixed) * (n_column_clusters - fixed)
