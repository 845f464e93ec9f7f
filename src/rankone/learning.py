"""What an estimator does with a matrix: vectors, cuts and refinement, one after the other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rankone.cuts import Cut, Partition, SortedPotts, SortedPottsPath, sorted_potts_path
from rankone.extraction import Noise, Scores, extract
from rankone.matrix import Matrix
from rankone.matrix.canonical import Canonical
from rankone.refinement import BlockFit, block_fit, refine, shared
from rankone.selection import Choice, choose
from rankone.selection.choice import warn_of_bound
from rankone.selection.sizes import cut_into_large, merge_small
from rankone.typing import FloatArray, IntArray
from rankone.vectors import VectorMethod

Callback = Callable[[int, float], None]

SIDES = ("rows", "columns")

__all__ = ["SIDES", "Learned", "Plan", "Scores", "certainty", "learn", "with_loss"]


@dataclass(frozen=True, eq=False)
class Plan:
    """All that was decided before the matrix is looked at.

    Attributes
    ----------
    methods : pair of VectorMethod or None
        For rows and for columns; None where the matrix decides.
    cuts : pair of Cut
    selecting : pair of bool
        Whether the number of clusters is selected.
    numbers : pair of int or None
        The numbers of clusters that the user gave.
    selection : str
    refine : bool
    loss : str
    found_counts : bool
        Whether the loss is that of counts because the matrix looks like it.
    shared : bool
        Whether rows and columns have one partition.
    ignored : pair of bool
        Whether nobody will see the clusters of rows, or of columns.
    max_clusters, min_cluster_size : int
    random_state : Any
    """

    methods: tuple[VectorMethod | None, VectorMethod | None]
    cuts: tuple[Cut, Cut]
    selecting: tuple[bool, bool]
    numbers: tuple[int | None, int | None]
    selection: str
    refine: bool
    loss: str
    found_counts: bool
    shared: bool
    ignored: tuple[bool, bool]
    max_clusters: int
    min_cluster_size: int
    random_state: Any


@dataclass(frozen=True, eq=False)
class Learned:
    """The result.

    Attributes
    ----------
    scores : pair of Scores
        Of rows and columns.
    partitions : pair of Partition
        What the cuts made of them.
    choices : pair of Choice or None
        How the numbers of clusters were selected.
    paths : pair of SortedPottsPath or None
    blocks : BlockFit
        The labels, refined if that was asked for, numbered by their mean scores.
    refined : bool
        Whether they were.
    """

    scores: tuple[Scores, Scores]
    partitions: tuple[Partition, Partition]
    choices: tuple[Choice | None, Choice | None]
    paths: tuple[SortedPottsPath | None, SortedPottsPath | None]
    blocks: BlockFit
    refined: bool


def learn(matrix: Matrix, plan: Plan, callback: Callback) -> Learned:
    """Extract the vectors, cut them, and refine the labels."""
    joint = any(method.capabilities.joint for method in plan.methods if method is not None)
    canonical = Canonical.of(matrix, joint or plan.shared)
    extracted = extract(canonical, plan.methods, callback)
    scores = extracted[0].scores(0), extracted[1].scores(0 if plan.shared else 1)
    noise = Noise(canonical, extracted, plan.random_state)
    cut = [_cut(scores[side].values, plan, side, noise) for side in range(1 if plan.shared else 2)]
    cut = [cut[0], cut[0]] if plan.shared else cut
    partitions = cut[0][0], cut[1][0]
    rows, columns = (merge_small(p, plan.min_cluster_size) for p in partitions)
    places = scores[0].weights is not None
    blocks, refined = _refined(canonical, rows, columns, plan, places, callback)
    _warn_of_bound(blocks, plan)
    return Learned(
        scores,
        partitions,
        (cut[0][1], cut[1][1]),
        (cut[0][2], cut[1][2]),
        blocks.renumbered(
            _order(scores[0].values, blocks.row_labels),
            _order(scores[1].values, blocks.column_labels),
        ),
        refined,
    )


def _refined(
    canonical: Canonical,
    rows: IntArray,
    columns: IntArray,
    plan: Plan,
    places: bool,
    callback: Callback,
) -> tuple[BlockFit, bool]:
    """Return the blocks of labels, refined if that was asked for and makes sense; and whether.

    Where one number is given, both are found first, because a side that is not yet parted tells
    nothing of the other. Where counts have no blocks beside their margins, but margins that fall
    apart into clusters, these are the clusters (if their scores can place new rows, and they are as
    many as were asked for).
    """
    if not plan.refine:
        return block_fit(canonical, rows, columns, plan.loss), False

    def refine_with(numbers: tuple[int | None, int | None]) -> BlockFit:
        return refine(
            canonical,
            rows,
            columns,
            loss=plan.loss,
            n_row_clusters=numbers[0],
            n_column_clusters=numbers[1],
            min_cluster_size=plan.min_cluster_size,
            max_clusters=max(plan.max_clusters, rows.max() + 1, columns.max() + 1),
            random_state=plan.random_state,
            callback=callback,
        )

    counts = plan.loss == "poisson" and plan.found_counts
    blocks = None
    if counts or (None in plan.numbers and plan.numbers != (None, None)):
        blocks = refine_with((None, None))
        parted = rows.any() or columns.any()
        as_asked = all(
            number in (None, labels.max() + 1)
            for number, labels in zip(plan.numbers, (rows, columns), strict=True)
        )
        if counts and places and parted and as_asked and blocks.values.shape == (1, 1):
            return block_fit(canonical, rows, columns, plan.loss), False
        rows, columns = blocks.row_labels, blocks.column_labels
    if blocks is None or plan.numbers != (None, None):
        blocks = refine_with(plan.numbers)
    return shared(canonical, blocks, plan.min_cluster_size) if plan.shared else blocks, True


def _cut(
    values: FloatArray, plan: Plan, side: int, noise: Noise
) -> tuple[Partition, Choice | None, SortedPottsPath | None]:
    """Cut the scores of one side, and say how the number of clusters was selected."""
    cut = plan.cuts[side]
    if plan.selecting[side]:
        assert isinstance(cut, SortedPotts)
        path = sorted_potts_path(values, cut.p, plan.max_clusters)
        choice = choose(
            path,
            plan.selection,
            lambda: noise.of(side),
            apart=plan.loss == "poisson",
            min_cluster_size=plan.min_cluster_size,
        )
        if choice.at_bound and not plan.refine and not plan.ignored[side]:
            warn_of_bound(f"the {SIDES[side]}", choice.n_clusters)
        return path.at(n_clusters=choice.n_clusters), choice, path
    number = plan.numbers[side]
    if number is not None:
        return _cut_into(number, values, plan, side), None, None
    return cut.cut(values), None, None


def _cut_into(number: int, values: FloatArray, plan: Plan, side: int) -> Partition:
    """Cut the scores of one side into as many clusters as were asked for, all large enough.

    Refinement reaches numbers that scores do not have; without it they are refused.
    """
    n_distinct = np.unique(values).size
    if n_distinct < number and not plan.refine:
        raise ValueError(
            f"{number} clusters of {SIDES[side]} were asked for, but their scores have only "
            f"{n_distinct} different values; ask for fewer, use other vectors, or refine=True."
        )
    cut, number = plan.cuts[side], min(number, n_distinct)
    partition: Partition = cut.set_params(n_clusters=number).cut(values)
    if partition.sizes.min() >= plan.min_cluster_size:
        return partition
    large = None
    if isinstance(cut, SortedPotts):
        large = cut_into_large(values, number, plan.min_cluster_size, cut.p)
        why = "equal scores belong together, and leave no such clusters; use other vectors"
    else:
        why = f"{type(cut).__name__} finds smaller ones; use cut='sorted-potts'"
    if large is None and not plan.refine:
        raise ValueError(
            f"{number} clusters of {SIDES[side]}, each of {plan.min_cluster_size} or more, were "
            f"asked for, but {why}, a smaller min_cluster_size, or refine=True."
        )
    return partition if large is None else large


def _warn_of_bound(blocks: BlockFit, plan: Plan) -> None:
    """Say if refinement would have gone on to more clusters than were allowed."""
    sizes = blocks.row_labels.size, blocks.column_labels.size
    for side, (found, size) in enumerate(zip(blocks.values.shape, sizes, strict=True)):
        open_number = plan.refine and plan.numbers[side] is None and not plan.ignored[side]
        if open_number and 1 < plan.max_clusters <= found < size:
            warn_of_bound(f"the {SIDES[side]}", found)


def _order(scores: FloatArray, labels: IntArray) -> IntArray:
    """Return clusters by their mean score, lowest first."""
    means = np.bincount(labels, scores) / np.bincount(labels)
    return np.argsort(means, kind="stable")


def certainty(partition: Partition, scores: FloatArray) -> FloatArray:
    """Return how probable each label is, if clusters are Gaussian and equally wide."""
    levels, sizes = partition.levels, partition.sizes
    variance = float(np.mean((scores - partition.signal) ** 2))
    if variance == 0.0:
        return np.ones(scores.size)
    shares = np.log(np.maximum(sizes, 0.5) / scores.size)
    result = np.empty(scores.size)
    for start in range(0, scores.size, 2**16):
        some = slice(start, start + 2**16)
        chances = shares - (scores[some, None] - levels) ** 2 / (2 * variance)
        chances = np.exp(chances - chances.max(axis=1, keepdims=True))
        own = chances[np.arange(chances.shape[0]), partition.labels[some]]
        result[some] = own / chances.sum(axis=1)
    return result


def with_loss(plan: Plan, counts: bool) -> Plan:
    """Return the plan with the loss that the matrix suggests, if that was left to it."""
    if plan.loss != "auto":
        return plan
    return replace(plan, loss="poisson" if counts else "gaussian", found_counts=counts)
