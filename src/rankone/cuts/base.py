"""The interface of cuts, and what each of them declares about itself."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy.typing as npt
from sklearn.base import BaseEstimator

from rankone._dask import is_dask
from rankone.cuts.in_dask import InDask
from rankone.cuts.input import check_vector, check_weights
from rankone.cuts.partition import Partition
from rankone.cuts.vector import Vector
from rankone.typing import FloatArray

if TYPE_CHECKING:
    from rankone.cuts.path import SortedPottsPath


@dataclass(frozen=True)
class CutCapabilities:
    """What determines the clusters of a Step 2 method, and which form they have.

    Attributes
    ----------
    determined_by : tuple of str
        The parameters that determine how many clusters there are. One of them must be given,
        unless there are none, or the cut has a path from which a number can be selected.
    path : bool
        Whether `Cut.path` returns the best partitions into all numbers of clusters.
    ordered : bool
        Whether the clusters depend on the order of the coordinates.
    intervals : bool
        Whether clusters are intervals of values, so that the partition has boundaries by which
        new values can be labelled.
    chunks : bool
        Whether the chunks of a Dask array stay where they are; other cuts bring them together.
    """

    determined_by: tuple[str, ...] = ()
    path: bool = False
    ordered: bool = False
    intervals: bool = True
    chunks: bool = False

    @property
    def takes_number(self) -> bool:
        """Whether the cut accepts a number of clusters, ``n_clusters``."""
        return "n_clusters" in self.determined_by

    @property
    def required(self) -> str | None:
        """The parameter without which the cut cannot be used, other than ``n_clusters``."""
        return self.determined_by[0] if self.determined_by and not self.takes_number else None


class Cut(BaseEstimator, ABC):  # type: ignore[misc]
    """Base class of Step 2 methods, which partition the coordinates of a vector."""

    #: What this cut declares about itself.
    capabilities: ClassVar[CutCapabilities]

    @abstractmethod
    def _cut(self, u: FloatArray, weights: FloatArray | None) -> Partition:
        """Check the parameters, and cut a vector that has been checked."""

    def _cut_chunks(self, vector: Vector) -> Partition:
        """Do the same for a vector in chunks, which are checked when they are read."""
        raise NotImplementedError

    def cut(self, u: npt.ArrayLike, weights: npt.ArrayLike | None = None) -> Partition:
        """Cut a vector into clusters.

        Parameters
        ----------
        u : array-like of shape (n,)
            Finite real numbers. The input is not modified. For cuts into contiguous pieces, the
            order is that of the signal. ``SortedPotts`` leaves chunks of Dask arrays where they
            are: only the sums of buckets and values near possible boundaries come together.
        weights : array-like of shape (n,), optional
            Nonnegative weights, at least one of them positive. A coordinate of weight 2 counts as
            two equal ones (but see `rankone.Multiscale`); one of weight 0 is labelled but has no
            other effect. Positive weights must be at least 1e-12 of the largest.

        Returns
        -------
        Partition
        """
        if self.capabilities.chunks and is_dask(u):
            return self._cut_chunks(InDask(u, weights))
        vector = check_vector(u)
        return self._cut(vector, None if weights is None else check_weights(weights, vector.size))

    def path(
        self, u: npt.ArrayLike, max_clusters: int = 64, weights: npt.ArrayLike | None = None
    ) -> SortedPottsPath:
        """Return the best partitions into 1, 2, ..., ``max_clusters`` clusters.

        Only cuts whose `capabilities` declare a path have one. The parameters that determine the
        number of clusters are ignored.

        Parameters
        ----------
        u, weights
            As in `cut`.
        max_clusters : int, default=64
            The largest number of clusters, or the number of distinct values if that is smaller.

        Returns
        -------
        SortedPottsPath
        """
        raise ValueError(f"{type(self).__name__} has no path; use SortedPotts, which has one.")
