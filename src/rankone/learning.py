"""What an estimator does with a matrix: vectors, cuts and refinement, one after the other."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from rankone.cuts import Cut, Partition, SortedPotts, SortedPottsPath, sorted_potts_path
from rankone.matrix import Matrix, comparable_groups
from rankone.refinement import BlockFit, block_fit, refine, shared
from rankone.selection import Choice, choose, score_noise
from rankone.selection.choice import warn_of_bound
from rankone.selection.noise import entry_noise
from rankone.selection.sizes import cut_into_large, merge_small
from rankone.typing import FloatArray, IntArray
from rankone.vectors import NMF, SVD, Marginal, VectorMethod, Vectors
from rankone.vectors.svd import SVDVectors

Callback = Callable[[int, float], None]

#: Means whose variance is no more than this many times that of noise say nothing.
SILENT = 2.0

SIDES = ("rows", "columns")


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
class Scores:
    """The scores of one side, and where they come from.

    Attributes
    ----------
    values : ndarray
    method : VectorMethod
    weights : pair of ndarray or None
        What makes scores of new rows; see `VectorMethod.weights`.
    n_iter : int
    converged : bool
    """

    values: FloatArray
    method: VectorMethod
    weights: tuple[FloatArray, FloatArray] | None
    n_iter: int
    converged: bool


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
    extracted = extract(matrix, plan.methods, callback)
    scores = extracted[0].scores(0), extracted[1].scores(0 if plan.shared else 1)
    noise = _Noise(matrix, extracted, plan.random_state)
    cut = [_cut(scores[side].values, plan, side, noise) for side in range(1 if plan.shared else 2)]
    cut = [cut[0], cut[0]] if plan.shared else cut
    partitions = cut[0][0], cut[1][0]
    rows, columns = (merge_small(p, plan.min_cluster_size) for p in partitions)
    places = scores[0].weights is not None
    blocks, refined = _refined(matrix, rows, columns, plan, places, callback)
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
    matrix: Matrix,
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
        return block_fit(matrix, rows, columns, plan.loss), False

    def refine_with(numbers: tuple[int | None, int | None]) -> BlockFit:
        return refine(
            matrix,
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
            return block_fit(matrix, rows, columns, plan.loss), False
        rows, columns = blocks.row_labels, blocks.column_labels
    if blocks is None or plan.numbers != (None, None):
        blocks = refine_with(plan.numbers)
    return shared(matrix, blocks, plan.min_cluster_size) if plan.shared else blocks, True


@dataclass(frozen=True, eq=False)
class Extracted:
    """A method, and the vectors that it found, which may hold on to the matrix."""

    method: VectorMethod
    vectors: Vectors

    @classmethod
    def of(cls, method: VectorMethod, matrix: Matrix, callback: Callback) -> Extracted:
        """Extract the vectors of a matrix."""
        return cls(method, method.extract(matrix, callback=callback))

    def scores(self, side: int) -> Scores:
        """Return the scores of rows (0) or of columns (1)."""
        found = self.vectors
        own, other = (found.column, found.row) if side else (found.row, found.column)
        weights = self.method.weights(other, found)
        return Scores(own, self.method, weights, found.n_iter, found.converged)


def extract(
    matrix: Matrix,
    methods: tuple[VectorMethod | None, VectorMethod | None],
    callback: Callback,
) -> tuple[Extracted, Extracted]:
    """Extract vectors for rows and for columns; at once, if one method serves both."""
    chosen = automatic(matrix, callback) if None in methods else None
    done: dict[int, Extracted] = {}
    result = []
    for side, method in enumerate(methods):
        if method is None:
            assert chosen is not None
            result.append(chosen[side])
        else:
            if id(method) not in done:
                done[id(method)] = Extracted.of(method, matrix, callback)
            result.append(done[id(method)])
    return result[0], result[1]


def automatic(matrix: Matrix, callback: Callback) -> tuple[Extracted, Extracted]:
    """Choose a method for rows and for columns, and extract their vectors.

    Of a matrix without negative entries the rank-one factors, unless some of their scores could not
    be compared. Otherwise the means; and on a side where these vary no more than noise lets them,
    the leading singular pair.
    """
    if not matrix.totals.has_negative and _comparable(matrix):
        factors = Extracted.of(NMF(), matrix, callback)
        return factors, factors
    means = Extracted.of(Marginal(), matrix, callback)
    joined = not matrix.n_missing or matrix.observed.n_components() == 1
    silent = [
        joined and _says_nothing(seen, means.scores(side).values)
        for side, seen in enumerate((matrix, matrix.T))
    ]
    if not any(silent):
        return means, means
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # then it is not used
        pair = Extracted.of(SVD(max_iter=300), matrix, callback)
    assert isinstance(pair.vectors, SVDVectors)
    speaks = pair.vectors.singular_value > 0 and pair.vectors.converged
    return (
        pair if silent[0] and speaks else means,
        pair if silent[1] and speaks else means,
    )


def _comparable(matrix: Matrix) -> bool:
    """Say whether all scores of the rank-one factors can be compared."""
    return not matrix.n_missing or comparable_groups(matrix).n_groups <= 1


def _says_nothing(matrix: Matrix, means: FloatArray) -> bool:
    if means.size == 1:
        return False
    noise = entry_noise(matrix, means) / matrix.totals.row_counts
    return bool(means.var() <= SILENT * noise.mean())


class _Noise:
    """The variance of scores by noise, found once it is asked for."""

    def __init__(self, matrix: Matrix, extracted: tuple[Extracted, Extracted], random_state: Any):
        self.matrix, self.extracted, self.random_state = matrix, extracted, random_state
        self._found: dict[int, tuple[FloatArray, FloatArray]] = {}

    def of(self, side: int) -> FloatArray:
        """Return the noise of each score of a side."""
        source = self.extracted[side]
        if id(source) not in self._found:
            self._found[id(source)] = score_noise(
                self.matrix, source.method, source.vectors, self.random_state
            )
        return self._found[id(source)][side]


def _cut(
    values: FloatArray, plan: Plan, side: int, noise: _Noise
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
