"""A tree of clusters: how many there are, what they split into, and what drives each split."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils import Tags

from rankone.checks import briefly, check_choice, check_whole
from rankone.errors import Input, InputError, Setting, too_alike
from rankone.estimators.entries import warn_of_names, warn_of_weights
from rankone.estimators.fitted import FittedMixin, fit_as_data, with_callbacks
from rankone.estimators.jobs import with_jobs
from rankone.estimators.reading import add_needs, check_prepare, read_fitted
from rankone.estimators.tree_explaining import TreeExplainingMixin
from rankone.estimators.units import warn_of_units
from rankone.matrix import Matrix, submatrix
from rankone.matrix.canonical import Canonical
from rankone.matrix.journal import journaled
from rankone.preparation import Prepare
from rankone.progress import Stage, Stages
from rankone.result import SIDES
from rankone.tree import Replication, Tree, grow
from rankone.tree.replication import CUTS
from rankone.vectors.base import check_magnitude


class RankOneTree(
    TreeExplainingMixin,
    ClusterMixin,  # type: ignore[misc]
    FittedMixin,
    BaseEstimator,  # type: ignore[misc]
):
    """A tree of clusters of the rows of a matrix, with as many clusters as replicate.

    Rows are points in the space of the rank-one steps on what the margins of the matrix leave. The
    columns are divided at random into halves: the number of clusters is the one on which the halves
    agree best. The tree goes through these clusters, joins them above and divides them further
    below, so that it can be cut into any number of clusters.

    Parameters
    ----------
    n_clusters : int, optional
        The number of clusters, if it is known; by default, as many as replicate.
    axis : {"rows", "columns"}
        The side that is clustered. Columns are clustered as the rows of the transpose; everything
        that is said here of rows holds for them.
    max_clusters : int
        The largest number of clusters that is tried, and the number of leaves of the tree.
    missing : {"nan", "absent"}
        Which entries are missing: NaN; or, in a sparse matrix, also those that are not stored.
    prepare : Prepare, optional
        What is done to entries first.
    n_jobs : int, optional
        The number of threads; -1 for one per core. By default as many as scikit-learn's own
        estimators use: one per core, unless OMP_NUM_THREADS, threadpoolctl or a process of joblib
        allow fewer. The result does not depend on it.
    checkpoint : path-like, optional
        A file that keeps the results of sweeps over the matrix, so that a fit that was interrupted
        goes on where it was. It is removed at the end of the fit.
    verbose : bool
        Whether to show the progress, on a terminal or in a notebook.

    Attributes
    ----------
    labels_ : ndarray of shape (m,)
        The cluster of each row; clusters are numbered from left to right in the tree.
    n_clusters_ : int
        The number of clusters.
    n_leaves_ : int
        The number of leaves L of the tree: the most clusters that it can be cut into.
    children_ : ndarray of shape (L - 1, 2)
        The nodes that inner node L + i consists of. Leaves are nodes 0 to L - 1; the last node is
        the root.
    heights_ : ndarray of shape (L - 1,)
        The heights of the inner nodes, in ascending order.
    confidence_ : ndarray of shape (m,)
        The probability of each label.
    replication_ : Replication or None
        How well each number of clusters replicates (``numbers`` and ``scores``); None if the number
        was given.
    tree_ : Tree
        The tree, with what is known of each split.
    prepare_ : Prepare or None
        The preparation, as fitted.
    matrix_ : Matrix
        The fitted matrix.
    n_features_in_, feature_names_in_, row_names_in_
        The number of columns, and the names of columns and rows, if these have names.

    See Also
    --------
    RankOneCoclustering : Clusters of rows and of columns.

    Examples
    --------
    >>> import numpy as np
    >>> from rankone import RankOneTree
    >>> rng = np.random.default_rng(0)
    >>> groups = np.repeat([0, 1, 2], 20)
    >>> X = np.eye(3)[groups] @ rng.normal(size=(3, 8)) + rng.normal(scale=0.1, size=(60, 8))
    >>> model = RankOneTree().fit(X)
    >>> print(model.summary())
    3 clusters: all are groups.
    >>> np.bincount(model.cut(n_clusters=2))
    array([20, 40])
    """

    def __init__(
        self,
        n_clusters: int | None = None,
        *,
        axis: str = "rows",
        max_clusters: int = 20,
        missing: str = "nan",
        prepare: Prepare | None = None,
        n_jobs: int | None = None,
        checkpoint: str | os.PathLike[str] | None = None,
        verbose: bool = False,
    ) -> None:
        self.n_clusters = n_clusters
        self.axis = axis
        self.max_clusters = max_clusters
        self.missing = missing
        self.prepare = prepare
        self.n_jobs = n_jobs
        self.checkpoint = checkpoint
        self.verbose = verbose

    @with_callbacks
    @with_jobs
    def fit(self, X: Any, y: None = None) -> Self:
        """Grow the tree.

        Parameters
        ----------
        X : array-like, sparse matrix, AnnData or Table of shape (m, n)
            Real numbers, signed or not; NaN where an entry is missing. Frames, annotated data, and
            tables that `rankone.io.read_matrix` returns, bring the names of rows and columns.
        y : None
            Ignored.

        Returns
        -------
        estimator
            The estimator itself.
        """
        self._check_parameters()
        read = read_fitted(self, X)
        check_magnitude(read.matrix)
        self._check_number(read.matrix.shape)
        warn_of_names(X, read.values)
        warn_of_weights(read.given, self.prepare_)
        warn_of_units(read.matrix, self.prepare_)
        given, matrix = read.given, read.matrix
        if self.axis == "columns":
            given, matrix = given.T, matrix.T
        kept = journaled(matrix, self.checkpoint, fit_as_data(self))
        with kept as matrix, Stages(self, self.verbose) as stages:
            stages.begin(Stage(step="cut into halves", total=CUTS))
            tree = _in_given_order(
                lambda ordered: grow(ordered, self.n_clusters, self.max_clusters, stages),
                given,
                matrix,
            )
        if self.n_clusters is not None and tree.n_clusters < self.n_clusters:
            raise too_alike(self.n_clusters, self.axis, tree.n_clusters)
        self.matrix_ = read.given
        self._publish(tree)
        return self

    def _check_parameters(self) -> None:
        """Check the parameters."""
        if self.n_clusters is not None:
            check_whole(self.n_clusters, "n_clusters")
        check_choice(self.axis, "axis", SIDES)
        check_whole(self.max_clusters, "max_clusters")
        if self.prepare is not None:
            check_prepare(self.prepare)
        if not isinstance(self.verbose, (bool, np.bool_)):
            raise InputError(
                "{flag} must be True or False, but it is {value}",
                flag=Setting("verbose"),
                value=briefly(self.verbose),
            )

    def _check_number(self, shape: tuple[int, int]) -> None:
        """Refuse more clusters than the side has room for."""
        size = shape[SIDES.index(self.axis)]
        if self.n_clusters is not None and self.n_clusters > size:
            raise InputError(
                f"{self.n_clusters} clusters of {self.axis} were asked for, but {{X}} has {size} "
                f"{self.axis} (n_samples={shape[0]}, n_features={shape[1]})",
                X=Input(),
            )

    def _publish(self, tree: Tree) -> None:
        """Set the fitted attributes that a tree determines."""
        self.tree_ = tree
        self.labels_, self.n_clusters_, self.n_leaves_ = tree.cut(), tree.n_clusters, tree.n_leaves
        self.children_, self.heights_ = tree.children, tree.heights
        chances = tree.confidence(tree.points)
        self.confidence_ = chances[np.arange(self.labels_.size), self.labels_]
        self.replication_: Replication | None = tree.replication

    @property
    def _fitted_shape(self) -> tuple[int, int]:
        shape = self.tree_.leaves.size, self.tree_.profiles.shape[1]
        return shape if self.axis == "rows" else shape[::-1]

    @property
    def _clustered(self) -> str:  # type: ignore[override]
        return self.axis

    def __sklearn_tags__(self) -> Tags:  # noqa: D105
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = tags.input_tags.allow_nan = True
        add_needs(tags, self.prepare, self.missing)
        return tags


def _in_given_order(grow: Callable[[Matrix], Tree], given: Matrix, matrix: Matrix) -> Tree:
    """Grow a tree of a matrix in canonical order, and return it in the order of the matrix.

    The order is that of the entries as they were given: the last digits of prepared entries depend
    on the order in which these are summed up.
    """
    canonical = Canonical.of(given)
    if canonical.matrix is not given:
        matrix = submatrix(matrix, canonical.rows, canonical.columns)
    return grow(matrix).taken(np.argsort(canonical.rows), np.argsort(canonical.columns))
