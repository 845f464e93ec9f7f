"""What a cut needs of a vector, wherever its values are."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np

from rankone.cuts._buckets import Grid
from rankone.cuts.chunk import Chunk, Survey, merge_distinct, merge_surveys
from rankone.typing import FloatArray

Result = TypeVar("Result")


class Vector(ABC):
    """A vector in chunks.

    Attributes
    ----------
    u : array
        The vector as it was given.
    size : float
        The number of coordinates; NaN if it is not known.
    weighted : bool
        Whether coordinates have weights.
    """

    u: Any
    size: float
    weighted: bool

    @abstractmethod
    def reduce(
        self, function: Callable[[Chunk], Result], merge: Callable[[Sequence[Result]], Result]
    ) -> Result:
        """Apply a function to each chunk, and merge the results in the order of the chunks.

        Both may run in another process.
        """

    @abstractmethod
    def label(self, boundaries: FloatArray, grid: Grid | None = None) -> Any:
        """Return for each coordinate the number of boundaries that are not above its value.

        The numbers of values in a grid may be at hand, or not.
        """

    def survey(self) -> Survey:
        """Return the survey of all chunks."""
        return self.reduce(Chunk.survey, merge_surveys)

    def glance(self) -> Survey:
        """Return a survey of some chunks, where it would take long to look at all of them."""
        return self.survey()

    def expected_size(self, survey: Survey) -> float:
        """Return how many values of positive weight there are, as far as a survey tells."""
        return survey.size

    def distinct(self) -> tuple[FloatArray, FloatArray]:
        """Return the distinct values of positive weight, ascending, and their weights."""
        values, weights = self.reduce(Chunk.distinct, merge_distinct)
        return values, weights

    def sizes(self, labels: Any, n_clusters: int) -> Any:
        """Return the number of coordinates with each label."""
        return np.asarray(np.bincount(labels, minlength=n_clusters))
