"""From labels of rows and columns to better ones: what users call."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.utils import check_random_state

from rankone.checks import check_choice, check_whole
from rankone.errors import InputError, Setting
from rankone.matrix import Matrix, as_matrix
from rankone.matrix.canonical import Canonical
from rankone.matrix.reading import Missing
from rankone.progress import Callback, silent
from rankone.refinement.families import LOSSES, Family, family_for
from rankone.refinement.fit import BlockFit
from rankone.refinement.model import BlockModel
from rankone.refinement.moves import assign
from rankone.refinement.proposals import Goal
from rankone.refinement.sampling import label_by_sample
from rankone.refinement.search import Options, Search
from rankone.refinement.state import State
from rankone.typing import IntArray

#: Matrices with more entries are searched in a sample first.
LARGE = 2**23

#: How often a law is adapted to the blocks, and the share by which it may still change at the end.
ROUNDS, CLOSE = 6, 0.05


def refine(
    X: Any,
    row_labels: npt.ArrayLike,
    column_labels: npt.ArrayLike,
    *,
    loss: str = "auto",
    n_row_clusters: int | None = None,
    n_column_clusters: int | None = None,
    min_cluster_size: int = 1,
    max_clusters: int = 64,
    max_iter: int = 100,
    missing: Missing = "nan",
    random_state: Any = None,
    callback: Callback | None = None,
) -> BlockFit:
    r"""Improve labels of rows and columns against the whole matrix.

    .. math:: \max_{z, w} \; \log p(A \mid z, w, \hat\theta) + \sum_i \log \hat\pi_{z_i} +
              \sum_j \log \hat\rho_{w_j} - \text{penalty}

    the integrated classification likelihood of the latent block model. Rows and columns are moved
    in turn to the cluster that explains them best (classification EM); then clusters are merged,
    and split by a rank-one step of their own, while the criterion rises.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (m, n)
        The matrix.
    row_labels, column_labels : array-like of int
        The labels to start from: whole numbers from 0, none left out.
    loss : {"auto", "gaussian", "bernoulli", "poisson"}
        How entries vary around the value of their block: with one variance; as zeros and ones; or
        as counts relative to margins, :math:`A_{ij} \sim \mathrm{Poisson}(\mu_i \nu_j
        \gamma_{kl})`, so that rows that differ only in their sum are alike. By default counts are
        recognised: whole numbers, none negative, some zero, that vary at least three quarters as
        much as their mean; so are zeros and ones that are too many to be such counts.
    n_row_clusters, n_column_clusters : int, optional
        The numbers of clusters, if they are known.
    min_cluster_size : int
        The smallest number of rows, or columns, in a cluster.
    max_clusters : int
        The largest number of clusters of rows, and of columns.
    max_iter : int
        The largest number of sweeps between two changes of the numbers of clusters.
    missing : {"nan", "absent"}
        See `rankone.matrix.as_matrix`.
    random_state : int, RandomState or None
        Seed for the labels that are drawn during the search.
    callback : callable, optional
        Called with the number of sweeps and the criterion.

    Returns
    -------
    BlockFit

    Notes
    -----
    A sweep reads the matrix once. Counts that vary more than Poisson ones would be split without
    end, so their likelihood is divided by the dispersion that the blocks leave, estimated together
    with them, from few blocks to many.

    The search is done in an order of rows and columns that depends on their entries alone, so that
    the order of rows and columns in X does not matter, nor which side is called rows. Large
    matrices are an exception, because they are not copied.

    Examples
    --------
    >>> import numpy as np
    >>> A = np.kron([[1.0, 5.0], [5.0, 1.0]], np.ones((4, 3)))
    >>> A += 0.1 * np.random.default_rng(0).normal(size=A.shape)
    >>> refine(A, np.zeros(8, int), np.zeros(6, int)).row_labels
    array([1, 1, 1, 1, 0, 0, 0, 0])
    """
    check_choice(loss, "loss", LOSSES)
    least = check_whole(min_cluster_size, "min_cluster_size")
    most = check_whole(max_clusters, "max_clusters")
    check_whole(max_iter, "max_iter")
    canonical = _canonical(X, missing)
    m, n = canonical.given.shape
    rows, columns = canonical.there(
        _check_labels(row_labels, m, "row_labels"), _check_labels(column_labels, n, "column_labels")
    )
    goals = canonical.sides(
        (
            Goal("rows", n_row_clusters, least, most),
            Goal("columns", n_column_clusters, least, most),
        )
    )
    options = Options(max_iter, check_random_state(random_state), callback or silent)
    model = BlockModel.of(canonical.matrix, _family(loss, canonical))
    if m * n > LARGE:
        rows, columns = _label_by_sample(model, rows, columns, most, options)
    state, search = _search(Search(model, goals, options), model.state(rows, columns))
    fit = BlockFit(
        search.model.law, state, np.array(search.history), search.n_iter, search.converged
    )
    return fit.in_given_order(canonical)


def block_fit(
    X: Matrix | Canonical, rows: IntArray, columns: IntArray, loss: str = "auto"
) -> BlockFit:
    """Return the blocks of labels, without changing the labels.

    Parameters
    ----------
    X : Matrix
        The matrix.
    rows, columns : ndarray of int
        The cluster of each row and each column.
    loss : {"auto", "gaussian", "bernoulli", "poisson"}
        How entries vary around the value of their block; see `refine`.

    Returns
    -------
    BlockFit
    """
    canonical = _canonical(X)
    rows, columns = canonical.there(rows, columns)
    model = BlockModel.of(canonical.matrix, _family(loss, canonical))
    model = model.adapt(model.state(rows, columns))
    return BlockFit.of(model, model.state(rows, columns)).in_given_order(canonical)


def shared(canonical: Canonical, fit: BlockFit, least: int) -> BlockFit:
    """Return blocks of a symmetric matrix with one partition of rows and columns, near a given fit.

    Columns get the labels of rows; then all that have a better cluster move at once, while the
    criterion rises.
    """
    model = BlockModel(canonical.matrix, fit.in_canonical_order(canonical).law)
    labels = fit.in_canonical_order(canonical).row_labels
    state = model.state(labels, labels)
    for _ in range(100):
        sums = model.row_sums(state.columns, state.shape[1])
        labels = assign(model.log_posterior(sums, state.blocks, state.row_sizes), least)
        moved = model.state(labels, labels)
        if not moved.criterion > state.criterion:
            break
        state = moved
    symmetric = BlockFit.of(model, state).in_given_order(canonical)
    return replace(symmetric, n_iter=fit.n_iter, converged=fit.converged)


def _search(search: Search, start: State) -> tuple[State, Search]:
    """Search until the law, if it depends on the blocks, is that of the blocks that were found."""
    state, model = start, search.model.adapt(start)
    for _ in range(ROUNDS):
        if model is not search.model:
            search = Search(model, search.goals, search.options, search.thorough)
            state = model.state(state.rows, state.columns)
        state = search.run(state)
        model = model.adapt(state)
        if search.model.law.is_close(model.law, CLOSE):
            break
    return state, search  # the search whose model the state belongs to


def _label_by_sample(
    model: BlockModel, rows: IntArray, columns: IntArray, most: int, options: Options
) -> tuple[IntArray, IntArray]:
    """Search a sample of a large matrix.

    Given numbers and sizes of clusters are those of the whole matrix, so a sample has none.
    """
    goals = Goal("rows", most=most), Goal("columns", most=most)

    def search_sample(matrix: Matrix, rows: IntArray, columns: IntArray) -> State:
        sample = BlockModel.of(matrix, type(model.family))
        search = Search(sample, goals, options, thorough=False)
        return _search(search, sample.state(rows, columns))[0]

    return label_by_sample(model, rows, columns, search_sample)


def _canonical(X: Any, missing: Missing = "nan") -> Canonical:
    """Return a matrix in canonical order, from whatever a user has, or a learner has made of it."""
    if isinstance(X, Canonical):
        return X
    return Canonical.of(X if isinstance(X, Matrix) else as_matrix(X, missing))


def _family(loss: str, canonical: Canonical) -> type[Family]:
    """Return the family of a loss; refuse a matrix with entries that it does not accept."""
    family = family_for(loss, canonical.matrix)
    family.check(canonical.given)
    return family


def _check_labels(labels: npt.ArrayLike, size: int, name: str) -> IntArray:
    array, setting = np.asarray(labels), Setting(name)
    if array.shape != (size,) or array.dtype.kind not in "iu":
        raise InputError(
            "{labels} must be {size} whole numbers, one for each row or column of X",
            labels=setting,
            size=size,
        )
    if not np.array_equal(np.unique(array), np.arange(array.max() + 1)):
        raise InputError(
            "{labels} must be whole numbers from 0, with none left out", labels=setting
        )
    return array.astype(np.intp)
