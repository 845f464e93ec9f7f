"""Leading singular and eigenvectors of what is known by its products."""

from __future__ import annotations

import inspect
from collections.abc import Callable

import numpy as np
from scipy.linalg import eigh
from scipy.sparse.linalg import ArpackNoConvergence, LinearOperator, eigsh
from sklearn.exceptions import ConvergenceWarning

from rankone._arithmetic import ratio
from rankone._warnings import warn
from rankone.matrix import Matrix
from rankone.progress import Callback
from rankone.typing import FloatArray

#: Up to this size a symmetric matrix is written out, and decomposed as a whole.
SMALL = 32


def leading_eigenvectors(
    dot: Callable[[FloatArray], FloatArray], size: int, k: int, tol: float, callback: Callback
) -> tuple[FloatArray, FloatArray, int, bool]:
    """Return the k largest eigenvalues of a symmetric positive semidefinite or shifted operator.

    Lanczos iterations, from a start that is random but always the same.

    Returns
    -------
    values : ndarray of shape (k,)
        Largest first.
    vectors : ndarray of shape (size, k)
    n_iter : int
        The number of products.
    converged : bool
    """
    count = 0

    def counted(x: FloatArray) -> FloatArray:
        nonlocal count
        count += 1
        callback(count, np.nan)
        return dot(np.ravel(x))

    if size <= SMALL:
        full = np.column_stack([counted(e) for e in np.eye(size)])
        values, vectors = eigh((full + full.T) / 2)
        return values[::-1][:k], vectors[:, ::-1][:, :k], count, True
    operator = LinearOperator((size, size), matvec=counted, dtype=np.float64)
    start = np.random.default_rng(0).normal(size=size)
    try:
        values, vectors = eigsh(operator, k=k, which="LA", v0=start, tol=tol, **restarts())
        converged = True
    except ArpackNoConvergence as error:
        values, vectors, converged = error.eigenvalues, error.eigenvectors, False
        if values.size < k:
            raise ValueError(
                f"The leading eigenvectors were not found in {count} products; raise tol."
            ) from None
        warn(f"Eigenvectors did not converge in {count} products; raise tol.", ConvergenceWarning)
    order = np.argsort(values)[::-1]
    return values[order], vectors[:, order], count, converged


def restarts() -> dict[str, np.random.Generator]:
    """Return what makes restarts of Lanczos iterations the same each time, where scipy can."""
    known = "rng" in inspect.signature(eigsh).parameters
    return {"rng": np.random.default_rng(0)} if known else {}


def singular_pairs(
    matrix: Matrix,
    k: int,
    left: FloatArray,
    right: FloatArray,
    tol: float,
    callback: Callback,
) -> tuple[FloatArray, FloatArray, FloatArray, int, bool]:
    """Return the k leading singular triplets of B = diag(left) A diag(right), never formed.

    They are eigenvectors of B^T B or of B B^T, whichever is smaller.

    Returns
    -------
    u : ndarray of shape (m, k)
    values : ndarray of shape (k,)
    v : ndarray of shape (n, k)
    n_iter : int
        The number of sweeps.
    converged : bool
    """
    m, n = matrix.shape
    if m < n:
        v, values, u, n_iter, converged = singular_pairs(matrix.T, k, right, left, tol, callback)
        return u, values, v, n_iter, converged

    def gram(x: FloatArray) -> FloatArray:
        _, product = matrix.sweep(right * x, lambda s, rows: left[rows] ** 2 * s)
        return right * product

    k = min(k, n)
    if matrix.is_zero:
        return np.zeros((m, k)), np.zeros(k), np.zeros((n, k)), 1, True
    squares, v, n_iter, converged = leading_eigenvectors(gram, n, k, tol, callback)
    values = np.sqrt(np.maximum(squares, 0.0))
    # Roots of rounding are nothing, and then no vector leads.
    values = np.where(values > 1e-7 * values[0], values, 0.0)
    v = np.where(values > 0, v, 0.0)
    u = np.column_stack([left * (matrix @ (right * v[:, i])) for i in range(k)])
    norms = np.linalg.norm(u, axis=0)
    return ratio(u, np.where(values > 0, norms, 0.0)), values, v, n_iter + k, converged
