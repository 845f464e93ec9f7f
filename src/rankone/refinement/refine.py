"""From labels of rows and columns to better ones, by the matrix itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.utils import check_random_state

from rankone.checks import check_choice, check_whole
from rankone.matrix import Matrix, as_matrix
from rankone.matrix.canonical import Canonical
from rankone.matrix.reading import Missing
from rankone.refinement.climbing import assigned
from rankone.refinement.families import Gaussian, Poisson, ratio
from rankone.refinement.fit import BlockFit
from rankone.refinement.losses import adapted, check_counts, holds_counts, model_of
from rankone.refinement.model import BlockModel, State
from rankone.refinement.sampling import by_a_sample
from rankone.refinement.search import Search
from rankone.typing import IntArray

#: How entries may vary around the value of their block.
LOSSES = ("auto", "gaussian", "poisson")

#: Matrices with more entries are searched in a sample first.
LARGE = 2**23

#: How often the dispersions of counts are found anew, and how close they are when they are found.
ROUNDS, CLOSE = 6, 0.05

Callback = Callable[[int, float], None]


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
    to the cluster that explains them best, by turns (classification EM); then clusters are merged,
    and split by a rank-one step of their own, as long as the criterion rises.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (m, n)
    row_labels, column_labels : array-like of int
        Where to start: whole numbers from 0, none left out.
    loss : {"auto", "gaussian", "poisson"}
        How entries vary around the value of their block: with one variance; or as counts beside
        margins, :math:`A_{ij} \sim \mathrm{Poisson}(\mu_i \nu_j \gamma_{kl})`, so that rows that
        differ in nothing but their sum are alike. By default counts are recognised: whole numbers,
        none negative, some zero, that vary at least three quarters as much as their mean.
    n_row_clusters, n_column_clusters : int, optional
        The numbers of clusters, where they are known.
    min_cluster_size : int
        How many rows, or columns, a cluster has at least.
    max_clusters : int
        How many clusters of rows, and of columns, there are at most.
    max_iter : int
        The most sweeps between two changes of the numbers.
    missing : {"nan", "absent"}
        See `rankone.matrix.as_matrix`.
    random_state : int, RandomState or None
        Of labels that are drawn, and samples of large matrices.
    callback : callable, optional
        Called with the number of sweeps, and the criterion.

    Returns
    -------
    BlockFit

    Notes
    -----
    A sweep reads the matrix once. Counts that vary more than Poisson ones would be split without
    end, so that their likelihood is divided by the dispersion that the blocks leave, found together
    with them, from few blocks to many.

    The search is done in an order of rows and columns that depends on their entries alone, so that
    it does not matter how they are ordered in X, nor which side is called rows; but for large
    matrices, which are not copied (`rankone.matrix.canonical`).

    Examples
    --------
    >>> import numpy as np
    >>> A = np.kron([[1.0, 5.0], [5.0, 1.0]], np.ones((4, 3)))
    >>> A += 0.1 * np.random.default_rng(0).normal(size=A.shape)
    >>> refine(A, np.zeros(8, int), np.zeros(6, int)).row_labels
    array([0, 0, 0, 0, 1, 1, 1, 1])
    """
    check_choice(loss, "loss", LOSSES)
    least = check_whole(min_cluster_size, "min_cluster_size")
    check_whole(max_clusters, "max_clusters")
    check_whole(max_iter, "max_iter")
    canonical = _canonical(X, missing)
    labels = (
        _check_labels(side, size, name)
        for side, size, name in zip(
            (row_labels, column_labels),
            canonical.given.shape,
            ("row_labels", "column_labels"),
            strict=True,
        )
    )
    rows, columns = canonical.there(*labels)
    targets, sides = (
        canonical.sides(pair) for pair in ((n_row_clusters, n_column_clusters), ("rows", "columns"))
    )
    matrix = canonical.matrix
    if loss == "auto":
        loss = "poisson" if holds_counts(matrix) else "gaussian"
    if loss == "poisson":
        check_counts(canonical.given)
    random = check_random_state(random_state)

    common = max_clusters, max_iter, random, callback or (lambda step, error: None)

    def searching(model: BlockModel) -> Search:
        return Search(model, targets, (least, least), *common, sides=sides)

    def search_sample(matrix: Matrix, rows: IntArray, columns: IntArray) -> State:
        # Numbers and sizes are those of the whole matrix, so that a sample goes without.
        model = model_of(matrix, loss)
        start = model.start(rows, columns)
        return _searched(
            model, start, lambda m: Search(m, (None, None), (1, 1), *common, thorough=False)
        )[0]

    model = model_of(matrix, loss)
    if matrix.shape[0] * matrix.shape[1] > LARGE:
        rows, columns = by_a_sample(model, rows, columns, search_sample)
    fit = _fit(loss, *_searched(model, model.start(rows, columns), searching))
    return fit.in_given_order(canonical)


def _canonical(X: Any, missing: Missing = "nan") -> Canonical:
    """Return a matrix in canonical order, from whatever a user has, or a learner has made of it."""
    if isinstance(X, Canonical):
        return X
    return Canonical.of(X if isinstance(X, Matrix) else as_matrix(X, missing))


def _searched(
    model: BlockModel, start: State, searching: Callable[[BlockModel], Search]
) -> tuple[State, Search]:
    """Search; for counts, until the dispersion is that of the blocks that were found."""
    if isinstance(model.family, Gaussian):
        search = searching(model)
        return search.run(start.rows, start.columns), search
    state, better = start, adapted(model, start)
    for _ in range(ROUNDS):
        search = searching(better)
        state = search.run(state.rows, state.columns)
        better = adapted(search.model, state)
        if _close(search.model, better):
            break
    return state, search  # whose model the state is of


def _close(a: BlockModel, b: BlockModel) -> bool:
    """Say whether the dispersions, and the margins, of two models of counts are much the same."""
    assert isinstance(a.family, Poisson)
    assert isinstance(b.family, Poisson)
    pairs = (
        (a.family.dispersion, b.family.dispersion),
        (a.row_scales, b.row_scales),
        (a.column_scales, b.column_scales),
        (a.row_margins, b.row_margins),
        (a.column_margins, b.column_margins),
    )
    return all(np.abs(x - y).mean() <= CLOSE * np.mean(x) for x, y in pairs)


def shared(canonical: Canonical, fit: BlockFit, least: int) -> BlockFit:
    """Return blocks of a symmetric matrix with one partition of rows and columns, near others.

    Columns get the labels of rows; then all that would rather be elsewhere move at once, as long as
    the criterion rises.
    """
    fit = fit.in_canonical_order(canonical)
    model = model_of(canonical.matrix, fit.loss)
    if isinstance(model.family, Poisson):
        model = replace(
            model,
            family=Poisson(fit.dispersion, model.family.least),
            row_margins=fit.row_margins,
            column_margins=fit.column_margins,
            row_scales=fit.row_scales,
            column_scales=fit.column_scales,
        )
    state = model.start(fit.row_labels, fit.row_labels)
    for _ in range(100):
        k = state.shape[0]
        sums = model.row_sums(state.columns, k)
        chances = model.chances(sums, state.blocks, np.bincount(state.rows, minlength=k))
        labels = assigned(chances, least)
        moved = model.start(labels, labels)
        if not moved.criterion > state.criterion:
            break
        state = moved
    found = _fit_of(fit.loss, model, state).in_given_order(canonical)
    return replace(found, n_iter=fit.n_iter, converged=fit.converged)


def _fit(loss: str, state: State, search: Search) -> BlockFit:
    """Return what a search found."""
    return replace(
        _fit_of(loss, search.model, state),
        history=np.array(search.history),
        n_iter=search.n_iter,
        converged=search.converged,
    )


def _fit_of(loss: str, model: BlockModel, state: State) -> BlockFit:
    """Return the blocks of a state as they are."""
    natural, cumulant = model.family.parameters(state.blocks.total, state.blocks.size)
    return BlockFit(
        loss=loss,
        row_labels=state.rows,
        column_labels=state.columns,
        values=model.centre + ratio(state.blocks.total, state.blocks.size),
        natural=natural,
        cumulant=cumulant,
        row_margins=model.row_margins,
        column_margins=model.column_margins,
        row_scales=model.row_scales,
        column_scales=model.column_scales,
        centre=model.centre,
        dispersion=getattr(model.family, "dispersion", 1.0),
        criterion=state.criterion,
        history=np.array([state.criterion]),
        n_iter=0,
        converged=False,
    )


def block_fit(
    X: Matrix | Canonical, rows: IntArray, columns: IntArray, loss: str = "auto"
) -> BlockFit:
    """Return the blocks of labels as they are."""
    canonical = _canonical(X)
    matrix = canonical.matrix
    rows, columns = canonical.there(rows, columns)
    if loss == "auto":
        loss = "poisson" if holds_counts(matrix) else "gaussian"
    if loss == "poisson":
        check_counts(canonical.given)
    model = model_of(matrix, loss)
    state = model.start(rows, columns)
    if loss == "poisson":
        model = adapted(model, state)
        state = model.start(rows, columns)
    return _fit_of(loss, model, state).in_given_order(canonical)


def _check_labels(labels: npt.ArrayLike, size: int, name: str) -> IntArray:
    array = np.asarray(labels)
    if array.shape != (size,) or array.dtype.kind not in "iu":
        raise ValueError(f"{name} must be {size} whole numbers, one for each row or column of X.")
    if not np.array_equal(np.unique(array), np.arange(array.max() + 1)):
        raise ValueError(f"{name} must be whole numbers from 0, with none left out.")
    return array.astype(np.intp)
