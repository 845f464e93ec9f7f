"""A vector whose chunks belong to Dask, on this machine or on several.

A pass over the vector is one task for each chunk, and one for every eight results, which are merged
where they are. Chunks are checked whenever they are computed, because nobody has seen them before.
What is wrong with them comes back in place of a result, so that the first bad value is named by its
place in the whole vector, and all bad values are counted.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

import numpy as np

from rankone._dask import combine_tasks, compute
from rankone._threads import threads
from rankone.cuts._buckets import Grid
from rankone.cuts.chunk import Chunk, Survey, merge_surveys
from rankone.cuts.input import (
    LEAST_WEIGHT,
    BadValue,
    Flaw,
    check_dimensions,
    check_largest_weight,
    check_lengths,
    check_vector,
    check_weights_alone,
    refuse_empty,
    refuse_light,
)
from rankone.cuts.labelling import label
from rankone.cuts.vector import Vector
from rankone.typing import FloatArray, IntArray

Result = TypeVar("Result")


class Outcome(NamedTuple):
    """What a function returned for a chunk or several, or what is wrong with these.

    Attributes
    ----------
    n_coordinates : int
        The number of coordinates.
    most, least : float
        The largest and the least positive weight.
    flaw : Flaw or None
        What is wrong; the place of its first bad value counts from the first of these chunks.
    result : object
        What the function returned; None if something is wrong.
    """

    n_coordinates: int
    most: float
    least: float
    flaw: Flaw | None
    result: Any


@dataclass(frozen=True)
class Work:
    """Apply a function to a chunk, after checking it.

    Attributes
    ----------
    function : callable
        Takes a `Chunk`.
    most : float
        The largest weight, if it is known: others must not be too small relative to it.
    """

    function: Callable[[Chunk], Any]
    most: float = 0.0

    def __call__(self, block: Any, weights: Any = None) -> Outcome:
        """Return the result, or what is wrong."""
        n = len(block)
        most = least = 1.0
        with threads(1):  # Dask decides on threads
            try:
                u, w = check_vector(block) if n else np.empty(0), None
                if weights is not None:
                    _check_chunk_lengths(len(weights), n)
                    w = check_weights_alone(weights, n) if n else np.empty(0)
                    refuse_light(w, self.most)
                    most = float(w.max(initial=0.0))
                    least = float(w.min(initial=np.inf, where=w > 0.0))
                return Outcome(n, most, least, None, self.function(Chunk(u, w)))
            except BadValue as error:
                return Outcome(n, most, least, error.flaw, None)


@dataclass(frozen=True)
class Merge:
    """Merge what a function returned for consecutive chunks."""

    function: Callable[[Sequence[Any]], Any]

    def __call__(self, *outcomes: Outcome) -> Outcome:
        """Return the merged result, or what is wrong."""
        n = sum(outcome.n_coordinates for outcome in outcomes)
        most, least = max(o.most for o in outcomes), min(o.least for o in outcomes)
        flaw = _first_flaw(outcomes)
        result = None if flaw else self.function([outcome.result for outcome in outcomes])
        return Outcome(n, most, least, flaw, result)


def _first_flaw(outcomes: Sequence[Outcome]) -> Flaw | None:
    """Return the flaw that an array in memory would be refused for."""
    flaws, offset = [], 0
    for outcome in outcomes:
        if outcome.flaw is not None:
            flaws.append(outcome.flaw._replace(first=outcome.flaw.first + offset))
        offset += outcome.n_coordinates
    if not flaws:
        return None
    first = min(flaws, key=_rank)
    return first._replace(number=sum(f.number for f in flaws if _rank(f) == _rank(first)))


def _rank(flaw: Flaw) -> tuple[bool, int]:
    """Return when the flaw of an array in memory would be found: in weights, last."""
    return flaw.name == "weights", flaw.kind


class InDask(Vector):
    """A vector whose chunks belong to Dask.

    Parameters
    ----------
    u : dask.array.Array or dask.dataframe.Series
        The values. The sizes of chunks need not be known.
    weights : array-like or dask.array.Array, optional
        Weights; those of Dask are in the same chunks, or are brought into them.
    """

    def __init__(self, u: Any, weights: Any = None) -> None:
        self.u = _as_array(u, "u")
        self.size = float(self.u.shape[0])
        self.weighted = weights is not None
        self._blocks = [self.u.to_delayed().tolist()]
        last = len(self._blocks[0]) - 1
        self._glanced = sorted({0, (last + 1) // 2, last})
        if weights is not None:
            self._blocks.append(_weights_in_chunks(weights, self.u).to_delayed().tolist())

    def reduce(
        self, function: Callable[[Chunk], Result], merge: Callable[[Sequence[Result]], Result]
    ) -> Result:
        """Apply a function to each chunk where it is, and merge the results in their order."""
        chunks = range(len(self._blocks[0]))
        outcome = self._compute(Work(function), merge, chunks)
        refuse_empty(outcome.n_coordinates)
        self.size = float(outcome.n_coordinates)
        if outcome.flaw is None and self.weighted:
            check_largest_weight(outcome.most, outcome.n_coordinates)
            if outcome.least < LEAST_WEIGHT * outcome.most:
                outcome = self._compute(Work(function, outcome.most), merge, chunks)
        if outcome.flaw is not None:
            raise BadValue(outcome.flaw)
        result: Result = outcome.result
        return result

    def glance(self) -> Survey:
        """Return the survey of the first, the middle and the last chunk, or of all."""
        outcome = self._compute(Work(Chunk.survey), merge_surveys, self._glanced)
        if outcome.flaw is None and outcome.result.size > 0:
            survey: Survey = outcome.result
            return survey
        return self.survey()

    def expected_size(self, survey: Survey) -> float:
        """Return how many values there are, if all chunks are like those of a survey."""
        n_coordinates = self.size
        if math.isnan(n_coordinates):
            n_coordinates = survey.n_coordinates * len(self._blocks[0]) / len(self._glanced)
        return survey.size * n_coordinates / survey.n_coordinates

    def sizes(self, labels: Any, n_clusters: int) -> IntArray:
        """Return the number of coordinates with each label."""
        import dask.array as da

        sizes: IntArray = compute(da.bincount(labels, minlength=n_clusters))
        return sizes

    def label(self, boundaries: FloatArray, grid: Grid | None = None) -> Any:
        """Return labels in the chunks of the vector, which are computed when they are needed."""
        return self.u.map_blocks(
            _label_block, boundaries, dtype=np.intp, meta=np.empty(0, np.intp), token="labels"
        )

    def _compute(
        self, work: Work, merge: Callable[[Sequence[Any]], Any], chunks: Sequence[int]
    ) -> Outcome:
        """Apply a function to chunks, and merge the outcomes."""
        from dask import delayed

        task = delayed(work, pure=False, traverse=False)
        tasks = [task(*(blocks[i] for blocks in self._blocks)) for i in chunks]
        try:
            outcome: Outcome = compute(combine_tasks(tasks, Merge(merge)))
        except Exception as error:
            if type(error).__name__ != "KilledWorker":
                raise
            raise ValueError(
                "every worker that was given a chunk of u died; give workers more memory, or u in "
                "smaller chunks."
            ) from error
        return outcome


def _check_chunk_lengths(n_weights: int, n: int) -> None:
    """Refuse a chunk of weights of another length than that of the vector."""
    if n_weights != n:
        raise ValueError(
            f"a chunk of u has {n} values, but that of weights has {n_weights}; call "
            "compute_chunk_sizes() of both first."
        )


def _label_block(block: Any, boundaries: FloatArray) -> IntArray:
    with threads(1):
        return label(np.ascontiguousarray(block, dtype=np.float64), boundaries)


def _as_array(x: Any, name: str) -> Any:
    """Return a Dask array of one dimension."""
    array = x.to_dask_array() if hasattr(x, "to_dask_array") else x
    check_dimensions(array, name)
    return array


def _weights_in_chunks(weights: Any, u: Any) -> Any:
    """Return weights as a Dask array in the chunks of a vector."""
    import dask.array as da

    known = not np.isnan(u.shape[0])
    if hasattr(weights, "__dask_graph__"):
        array = _as_array(weights, "weights")
        known = known and not np.isnan(array.shape[0])
    elif known:
        array = da.from_array(check_vector(weights, "weights"), chunks=-1)
    else:
        raise ValueError(
            "weights must be a Dask array in the chunks of u, whose sizes are not known; "
            "call u.compute_chunk_sizes() first, or give such an array."
        )
    if known:
        check_lengths(array.shape[0], u.shape[0])
    if not known and array.numblocks != u.numblocks:
        raise ValueError(
            f"weights are in {array.numblocks[0]} chunks and u is in {u.numblocks[0]}, whose sizes "
            "are not known; call compute_chunk_sizes() of both first."
        )
    return array.rechunk(u.chunks) if known else array
