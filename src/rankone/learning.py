"""The method, from a matrix to its clusters.

Without refinement: extract scores, cut them. With it: grow a tree of rows and one of columns, and
where blocks explain the matrix, search for the best blocks.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from rankone.cutting import cut_scores
from rankone.extraction import Extracted, Noise, extract
from rankone.forest import Forest
from rankone.matrix import Matrix
from rankone.matrix.canonical import Canonical
from rankone.progress import Callback, Stage, Stages
from rankone.refinement import (
    FAMILIES,
    BlockFit,
    block_fit,
    blocks_explain,
    halves_support,
    refine,
    shared,
)
from rankone.result import Request, Result, Side
from rankone.selection.choice import warn_of_bound
from rankone.tree import Tree
from rankone.typing import FloatArray, IntArray

Numbers = tuple[int | None, int | None]

__all__ = ["Plan", "learn"]


@dataclass(frozen=True, eq=False)
class Plan:
    """What is decided before the matrix is seen, and the loss, which it may decide.

    Attributes
    ----------
    rows, columns : Request
    shared : bool
        Whether rows and columns have one partition.
    selection : str
    min_cluster_size : int
    refine : bool
    loss : str
        The name of a family of `rankone.refinement.families`.
    recognised_counts : bool
        Whether the loss is that of counts because the matrix looks like counts.
    random_state : Any
    """

    rows: Request
    columns: Request
    shared: bool
    selection: str
    min_cluster_size: int
    refine: bool
    loss: str
    recognised_counts: bool
    random_state: Any

    @property
    def joint(self) -> bool:
        """Whether the i-th row and the i-th column belong together."""
        methods = (self.rows.method, self.columns.method)
        return self.shared or any(
            method.capabilities.joint for method in methods if method is not None
        )

    @property
    def n_stages(self) -> tuple[int, int]:
        """The fewest and the most stages: scores, trees, and blocks if these explain the matrix."""
        if not self.refine:
            return 1, 1
        return (2, 3) if self.shared else (3, 4)

    @property
    def numbers(self) -> Numbers:
        """The numbers of clusters that were given."""
        return self.rows.n_clusters, self.columns.n_clusters


class Answer(NamedTuple):
    """The clusters of both sides, and how they were found.

    Attributes
    ----------
    method : {"cut", "tree", "blocks"}
    blocks : BlockFit
    trees : pair of Tree, or None
        Through the clusters of rows, and of columns.
    """

    method: str
    blocks: BlockFit
    trees: tuple[Tree, Tree] | None = None


def learn(matrix: Matrix, plan: Plan, stages: Stages) -> Result:
    """Extract the scores of both sides, and find their clusters."""
    canonical = Canonical.of(matrix, plan.joint)
    stages.begin(Stage("scores"))
    extracted = extract(canonical, (plan.rows.method, plan.columns.method), stages)
    rows, columns = _cut(canonical, extracted, plan)
    if plan.refine:
        answer = _refined(canonical, rows, columns, plan, stages)
    else:
        answer = Answer("cut", block_fit(canonical, rows.labels, columns.labels, plan.loss))
    if answer.trees is None:
        order = [
            _ascending(side.scores.values, labels)
            for side, labels in (
                (rows, answer.blocks.row_labels),
                (columns, answer.blocks.column_labels),
            )
        ]
        answer = answer._replace(blocks=answer.blocks.renumbered(*order))
    rows, columns = _placed((rows, columns), matrix, answer)
    if plan.refine:
        _warn_of_bound(rows)
        _warn_of_bound(columns)
    return Result(rows, columns, answer.blocks, answer.method)


def _refined(canonical: Canonical, rows: Side, columns: Side, plan: Plan, stages: Stages) -> Answer:
    """Grow trees of both sides; where blocks explain the matrix, search for the best blocks.

    Blocks whose numbers were found must be supported by both halves of the matrix. Where they leave
    a side undivided, it may still have clusters that replicate: those that differ in few lines.
    """
    FAMILIES[plan.loss].check(canonical.given)
    forest = Forest.of(canonical, (plan.rows, plan.columns), plan.shared, stages)
    if not blocks_explain(canonical, *forest.fine_labels(), plan.loss):
        return _of_trees(canonical, forest, plan)
    stages.begin(Stage("blocks", "climb", measured="criterion", rises=True))
    search = BlockSearch(canonical, (rows, columns), plan, stages)
    if 1 in search.numbers:
        trees = forest.of_size(plan.min_cluster_size)
        sides = zip(search.numbers, trees, strict=True)
        if any(number == 1 and tree.replicates for number, tree in sides):
            return _of_trees(canonical, forest, plan)
    if search.numbers == (1, 1):
        if search.margins_answer():
            return Answer("cut", block_fit(canonical, rows.labels, columns.labels, plan.loss))
        if plan.numbers != (None, None):
            return _of_trees(canonical, forest, plan)
    blocks = search.blocks()
    if None in plan.numbers and not halves_support(canonical, blocks):
        return _of_trees(canonical, forest, plan)
    trees = forest.through(blocks.row_labels, blocks.column_labels)
    return _numbered("blocks", blocks, trees)


def _of_trees(canonical: Canonical, forest: Forest, plan: Plan) -> Answer:
    """Return the answer of the trees."""
    trees = forest.of_size(plan.min_cluster_size)
    blocks = block_fit(canonical, trees[0].cut(), trees[1].cut(), plan.loss)
    return _numbered("tree", blocks, trees)


def _numbered(method: str, blocks: BlockFit, trees: tuple[Tree, Tree]) -> Answer:
    """Return an answer whose clusters are numbered as in the trees, from left to right."""
    order = [
        labels[np.unique(tree.cut(), return_index=True)[1]]
        for labels, tree in zip((blocks.row_labels, blocks.column_labels), trees, strict=True)
    ]
    return Answer(method, blocks.renumbered(*order), trees)


def _cut(
    canonical: Canonical, extracted: tuple[Extracted, Extracted], plan: Plan
) -> tuple[Side, Side]:
    """Cut the scores of both sides, or those of the rows alone if both share one partition."""
    noise = Noise(canonical, extracted, plan.random_state)

    def cut(request: Request) -> Side:
        axis = request.axis
        return cut_scores(
            request,
            extracted[axis].scores(axis),
            lambda: noise.of(axis),
            selection=plan.selection,
            apart=FAMILIES[plan.loss].has_margins,
            min_cluster_size=plan.min_cluster_size,
            refine=plan.refine,
        )

    rows = cut(plan.rows)
    return rows, replace(rows, request=plan.columns) if plan.shared else cut(plan.columns)


class BlockSearch:
    """The search for blocks from the clusters of scores.

    If one number of clusters is given, refinement first finds both, because a side that is not yet
    divided tells nothing about the other.
    """

    def __init__(
        self, canonical: Canonical, sides: tuple[Side, Side], plan: Plan, callback: Callback
    ) -> None:
        self.canonical, self.sides, self.plan, self.callback = canonical, sides, plan, callback
        self.labels = sides[0].labels, sides[1].labels
        self.found: BlockFit | None = None
        if plan.recognised_counts or None in plan.numbers:
            self.found = self._refine((None, None))

    @property
    def numbers(self) -> Numbers:
        """The numbers of clusters that were found; None if none were looked for."""
        if self.found is None:
            return None, None
        n_row_clusters, n_column_clusters = self.found.values.shape
        return n_row_clusters, n_column_clusters

    def margins_answer(self) -> bool:
        """Say whether the margins of counts are the answer, which have no blocks relative to them.

        Their clusters must be as many as were asked for, and their scores able to place new rows.
        """
        divided = any(side.n_clusters > 1 for side in self.sides)
        as_asked = all(side.request.n_clusters in (None, side.n_clusters) for side in self.sides)
        placing = self.sides[0].scores.weights is not None
        return self.plan.recognised_counts and divided and as_asked and placing

    def blocks(self) -> BlockFit:
        """Return the blocks, as many as were asked for."""
        blocks = self.found
        if blocks is None or self.plan.numbers != (None, None):
            if blocks is not None:
                self.labels = blocks.row_labels, blocks.column_labels
            blocks = self._refine(self.plan.numbers)
        if self.plan.shared:
            return shared(self.canonical, blocks, self.plan.min_cluster_size)
        return blocks

    def _refine(self, numbers: Numbers) -> BlockFit:
        plan = self.plan
        return refine(
            self.canonical,
            *self.labels,
            loss=plan.loss,
            n_row_clusters=numbers[0],
            n_column_clusters=numbers[1],
            min_cluster_size=plan.min_cluster_size,
            max_clusters=max(
                plan.rows.max_clusters, *(int(side.max()) + 1 for side in self.labels)
            ),
            random_state=plan.random_state,
            callback=self.callback,
        )


def _placed(sides: tuple[Side, Side], matrix: Matrix, answer: Answer) -> tuple[Side, Side]:
    """Return both sides with their final labels and the probabilities of these."""
    blocks, trees = answer.blocks, answer.trees or (None, None)
    labels = blocks.row_labels, blocks.column_labels
    confidences = _confidences(sides, matrix, answer)
    rows, columns = (
        replace(side, labels=of_side, tree=tree, confidence=confidence)
        for side, of_side, tree, confidence in zip(sides, labels, trees, confidences, strict=True)
    )
    return rows, columns


def _confidences(
    sides: tuple[Side, Side], matrix: Matrix, answer: Answer
) -> list[FloatArray | None]:
    """Return the probability of each label; None of a side that is discarded."""
    blocks = answer.blocks
    if answer.method == "cut":
        confidences = [side.partition.confidence(side.scores.values) for side in sides]
    else:
        if answer.method == "tree" and answer.trees is not None:
            chances = tuple(tree.confidence(tree.points) for tree in answer.trees)
        else:
            chances = blocks.probabilities_of_both(matrix)
        confidences = [
            of_side[np.arange(labels.size), labels]
            for of_side, labels in zip(
                chances, (blocks.row_labels, blocks.column_labels), strict=True
            )
        ]
    return [
        None if side.request.discarded else confidence
        for side, confidence in zip(sides, confidences, strict=True)
    ]


def _warn_of_bound(side: Side) -> None:
    """Warn if refinement would have found more clusters than were allowed."""
    is_open = side.request.n_clusters is None and not side.request.discarded
    if is_open and 1 < side.request.max_clusters <= side.n_clusters < side.labels.size:
        warn_of_bound(f"the {side.name}", side.n_clusters)


def _ascending(scores: FloatArray, labels: IntArray) -> IntArray:
    """Return the clusters in ascending order of their mean scores."""
    means = np.bincount(labels, scores) / np.bincount(labels)
    return np.argsort(means, kind="stable")
