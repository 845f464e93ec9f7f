"""The trees of both sides of a matrix, in the order in which it was given."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rankone.errors import too_alike
from rankone.matrix import Matrix
from rankone.matrix.canonical import Canonical
from rankone.progress import Stage, Stages
from rankone.refinement.moves import assign
from rankone.result import Request
from rankone.tree import Replication, Tree
from rankone.tree.growing import complete, shape
from rankone.tree.partitions import MOST_VIEWS
from rankone.tree.replication import CUTS, replicate
from rankone.tree.tree import distances
from rankone.typing import IntArray
from rankone.views import Residual, Viewed, Views, view_both, viewed

__all__ = ["Forest"]

#: The size of the small clusters that tell whether blocks explain a matrix, and their least number.
FINE, FEWEST = 8, 4


@dataclass(frozen=True, eq=False)
class Stand:
    """A tree of one side, in canonical order, and what it grew from.

    Attributes
    ----------
    residual : Residual
        The matrix less its margins; its rows are those of the side.
    order, columns : ndarray
        The rows and columns of the given matrix, in canonical order.
    request : Request
    replication : Replication
    views : Views
    tree : Tree
        Not complete; see `rankone.tree.growing.complete`.
    """

    residual: Residual
    order: IntArray
    columns: IntArray
    request: Request
    replication: Replication
    views: Views
    tree: Tree

    def given(self, tree: Tree) -> Tree:
        """Return a complete tree, in the order in which the matrix was given."""
        tree = complete(tree, self.residual, self.replication)
        return tree.taken(np.argsort(self.order), np.argsort(self.columns))

    def through(self, labels: IntArray) -> Tree:
        """Return the tree through labels of the given matrix."""
        return self._grown_through(labels[self.order])

    def _grown_through(self, labels: IntArray) -> Tree:
        """Return the tree through labels in canonical order, in the given order."""
        most = min(self.request.max_clusters, labels.size)
        return self.given(shape(self.views, most, self.replication, labels=labels))

    def fine_labels(self) -> IntArray:
        """Return labels of many small clusters."""
        size = self.tree.leaves.size
        number = max(size // FINE, min(size // 2, FEWEST), 1)
        return self.tree.cut(min(number, self.tree.n_leaves))[np.argsort(self.order)]

    def of_size(self, least: int) -> Tree:
        """Return the tree through clusters of some size at least."""
        tree = self.tree
        if np.bincount(tree.cut()).min() >= least:
            return self.given(tree)
        if self.request.n_clusters is None:
            numbers = range(tree.n_clusters, 0, -1)
            number = next(k for k in numbers if k == 1 or np.bincount(tree.cut(k)).min() >= least)
            return self._grown_through(tree.cut(number))
        centres = tree.centres[tree.nodes_at(tree.n_clusters)]
        return self._grown_through(assign(-distances(tree.points, centres), least))


@dataclass(frozen=True, eq=False)
class Forest:
    """The trees of rows and of columns.

    Attributes
    ----------
    rows, columns : Stand
    """

    rows: Stand
    columns: Stand

    @classmethod
    def of(
        cls,
        canonical: Canonical,
        requests: tuple[Request, Request],
        shared: bool,
        stages: Stages,
    ) -> Forest:
        """Grow both trees; a single one, if rows and columns share one partition."""
        sides = canonical.sides((canonical.matrix, canonical.matrix.T))
        orders = canonical.rows, canonical.columns
        if shared:
            rows = _stand(sides[0], viewed(sides[0], MOST_VIEWS), *orders, requests[0], stages)
            return cls(rows, rows)
        of_rows, of_columns = view_both(sides[0], MOST_VIEWS)
        return cls(
            _stand(sides[0], of_rows, *orders, requests[0], stages),
            _stand(sides[1], of_columns, *orders[::-1], requests[1], stages),
        )

    def fine_labels(self) -> tuple[IntArray, IntArray]:
        """Return labels of many small clusters of rows, and of columns."""
        return self.rows.fine_labels(), self.columns.fine_labels()

    def through(self, rows: IntArray, columns: IntArray) -> tuple[Tree, Tree]:
        """Return the trees through given labels."""
        return self.rows.through(rows), self.columns.through(columns)

    def of_size(self, least: int) -> tuple[Tree, Tree]:
        """Return the trees through clusters of some size at least."""
        return self.rows.of_size(least), self.columns.of_size(least)


def _stand(
    matrix: Matrix,
    seen: Viewed,
    order: IntArray,
    columns: IntArray,
    request: Request,
    stages: Stages,
) -> Stand:
    """Grow the tree of one side."""
    stages.begin(Stage(f"tree of {request.name}", "cut into halves", CUTS))
    most = min(request.max_clusters, matrix.shape[0])
    replication = replicate(matrix, most, stages)
    tree = shape(seen.views, most, replication, request.n_clusters)
    if request.n_clusters is not None and tree.n_clusters < request.n_clusters:
        raise too_alike(request.n_clusters, request.name, tree.n_clusters)
    return Stand(seen.residual, order, columns, request, replication, seen.views, tree)
