"""What a fit is asked for, and what it returns: both sides of the matrix, and its blocks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from rankone.checks import check_whole
from rankone.cuts import Cut, Partition, SortedPottsPath, sorted_potts_path
from rankone.extraction import Scores
from rankone.methods import as_cut, as_vectors
from rankone.refinement import BlockFit
from rankone.selection import Choice
from rankone.tree import Tree
from rankone.tree.explanation import TreeExplanation
from rankone.typing import FloatArray, IntArray
from rankone.vectors import VectorMethod

__all__ = ["SIDES", "Request", "Result", "Side", "tree_of"]

#: The names of the sides, in the order of the axes of the matrix.
SIDES = ("rows", "columns")


@dataclass(frozen=True, eq=False)
class Request:
    """What was asked for of one side.

    Attributes
    ----------
    name : {"rows", "columns"}
    method : VectorMethod or None
        Step 1; None if the matrix decides.
    cut : Cut
        Step 2.
    n_clusters : int or None
        The number of clusters, if it was given.
    selects : bool
        Whether the number of clusters is selected along the path.
    max_clusters : int
        The most clusters that are considered.
    discarded : bool
        Whether the clusters of this side are discarded.
    """

    name: str
    method: VectorMethod | None
    cut: Cut
    n_clusters: int | None
    selects: bool
    max_clusters: int
    discarded: bool = False

    @classmethod
    def of(
        cls,
        name: str,
        vectors: str | VectorMethod,
        cut: str | Cut,
        n_clusters: int | None,
        parameter: str,
        max_clusters: int,
        discarded: bool = False,
    ) -> Request:
        """Check what a user asked for; ``parameter`` is the name of the number of clusters."""
        method = as_vectors(vectors)
        if n_clusters is not None:
            check_whole(n_clusters, parameter)
        check_whole(max_clusters, "max_clusters")
        step_2, selects = as_cut(cut, n_clusters, number=parameter)
        number = step_2.get_params().get("n_clusters")
        number = None if number is None else int(number)
        return cls(name, method, step_2, number, selects, int(max_clusters), discarded)

    @property
    def axis(self) -> int:
        """The axis of the matrix: 0 for rows, 1 for columns."""
        return SIDES.index(self.name)


@dataclass(frozen=True, eq=False)
class Side:
    """The rows, or the columns: their scores and clusters, and how these were obtained.

    Attributes
    ----------
    request : Request
        What was asked for.
    scores : Scores
        The scores (``values``), and the method (``method``) that they come from.
    partition : Partition
        The cut of the scores, before refinement.
    selection : Choice or None
        How the number of clusters was selected before refinement, unless it was given.
    labels : ndarray
        The final cluster of each row, or column, numbered from 0: from left to right in the
        tree, and without one by mean score.
    confidence : ndarray or None
        The probability of each label; None if the clusters of this side are discarded.
    tree : Tree or None
        Nested partitions into every number of clusters, through the labels; None without
        refinement.
    """

    request: Request
    scores: Scores
    partition: Partition
    selection: Choice | None
    labels: IntArray
    confidence: FloatArray | None
    tree: Tree | None = field(default=None, repr=False)
    traced: SortedPottsPath | None = field(default=None, repr=False)

    @property
    def name(self) -> str:
        """The name of the side: rows or columns."""
        return self.request.name

    @property
    def n_clusters(self) -> int:
        """The number of clusters."""
        return int(self.labels.max()) + 1

    @cached_property
    def path(self) -> SortedPottsPath:
        """The best partitions of the scores into all numbers of clusters."""
        if self.traced is not None:
            return self.traced
        return sorted_potts_path(self.scores.values, self.partition.p, self.request.max_clusters)

    def describe_tree(self, method: str) -> str:
        """Say where the clusters come from, how many there are, and what they are."""
        assert self.tree is not None
        given = self.request.n_clusters is not None
        found = "as many as replicate" if method == "tree" else "those of the best blocks"
        words = TreeExplanation.of(self.tree, (), 1, self.n_clusters, self.name).summary
        return f"{words.rstrip('.')} ({'number given' if given else found})"

    def describe(self) -> dict[str, str]:
        """Say how the scores and the clusters of this side were obtained."""
        state = "" if self.scores.converged else ", not converged"
        number = self.partition.n_clusters
        selected = "given" if self.selection is None else f"selected by {self.selection.selection}"
        return {
            f"scores of {self.name}": f"{self.scores.method}{state}",
            f"cut of {self.name}": f"{number} cluster{'' if number == 1 else 's'}, {selected}",
        }


@dataclass(frozen=True, eq=False, repr=False)
class Result:
    """The result of a fit.

    Attributes
    ----------
    rows, columns : Side
        The scores and the clusters of both sides.
    blocks : BlockFit
        The blocks of both partitions, with their criterion.
    method : {"cut", "tree", "blocks"}
        Where the labels come from: the cuts of the scores, the trees of rows and columns, or a
        search for the best blocks.
    preparation : str
        What was done to the entries before the fit; empty if nothing was.
    reads : float or None
        How often each chunk of the matrix was read, on average, from wherever it is; None if it
        was in the memory of this process.

    Examples
    --------
    >>> from rankone import RankOneCoclustering
    >>> result = RankOneCoclustering(refine=False).fit([[1, 2], [1, 2], [8, 9], [8, 9]]).result_
    >>> result.rows.labels
    array([0, 0, 1, 1])
    >>> [side.n_clusters for side in result.sides]
    [2, 1]
    >>> result.describe()["scores of rows"]
    'NMF()'
    """

    rows: Side
    columns: Side
    blocks: BlockFit
    method: str
    preparation: str = ""
    reads: float | None = None

    @property
    def sides(self) -> tuple[Side, Side]:
        """Both sides: rows, then columns."""
        return self.rows, self.columns

    @property
    def visible_sides(self) -> Iterator[Side]:
        """The sides whose clusters were asked for."""
        return (side for side in self.sides if not side.request.discarded)

    @property
    def criterion(self) -> float:
        """The integrated classification likelihood, up to a constant."""
        return self.blocks.criterion

    @property
    def refined(self) -> bool:
        """Whether the labels are more than cuts of scores."""
        return self.method != "cut"

    @property
    def converged(self) -> bool:
        """Whether all iterations converged."""
        scores = all(side.scores.converged for side in self.sides)
        return scores and (self.method != "blocks" or self.blocks.converged)

    @property
    def n_iter(self) -> int:
        """The number of sweeps over the matrix in iterations."""
        return max(1, *(side.scores.n_iter for side in self.sides)) + self.blocks.n_iter

    def describe(self) -> dict[str, str]:
        """Say how the result was obtained, step by step."""
        steps = {"preparation": self.preparation} if self.preparation else {}
        if self.reads is not None:
            steps["reading"] = f"every entry was read {self.reads:.0f} times"
        for side in self.visible_sides:
            steps |= side.describe()
        if self.method == "cut":
            return steps | {"refinement": "none"}
        steps |= {
            f"clusters of {side.name}": side.describe_tree(self.method)
            for side in self.visible_sides
        }
        if self.method == "tree":
            return steps
        state = "converged" if self.blocks.converged else "not converged"
        return steps | {
            "refinement": f"{self.blocks.loss} blocks, {self.blocks.n_iter} sweeps, {state}",
            "objective": f"integrated classification likelihood {self.criterion:.6g}",
        }

    def __repr__(self) -> str:
        """Return how the result was obtained, on one line."""
        steps = "; ".join(f"{name}: {text}" for name, text in self.describe().items())
        return f"Result({steps})"


def tree_of(side: Side) -> Tree:
    """Return the tree of a side; say why, if there is none."""
    if side.tree is None:
        raise AttributeError(
            f"There is no tree of {side.name}, because clusters are cuts of scores; "
            "use refine=True, or the path of the scores."
        )
    return side.tree
