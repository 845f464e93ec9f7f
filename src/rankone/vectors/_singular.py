"""Leading singular vectors and eigenvectors of operators known only by their products."""

from __future__ import annotations

import inspect
from collections.abc import Callable

import numpy as np
from scipy.linalg import eigh
from scipy.sparse.linalg import ArpackNoConvergence, LinearOperator, eigsh
from sklearn.exceptions import ConvergenceWarning

from rankone._arithmetic import ratio
from rankone._warnings import warn
from rankone.errors import InputError, Setting, Worded
from rankone.matrix import Matrix
from rankone.progress import Callback
from rankone.typing import FloatArray

#: Up to this size, an operator is converted to a dense matrix and fully decomposed.
MAX_DENSE_SIZE = 32


def leading_eigenvectors(
    dot: Callable[[FloatArray], FloatArray], size: int, k: int, tol: float, callback: Callback
) -> tuple[FloatArray, FloatArray, int, bool]:
    """Compute the k largest eigenvalues of a symmetric operator and their eigenvectors.

    Large operators are decomposed by Lanczos iterations from a fixed pseudo-random start.

    Returns
    -------
    values : ndarray of shape (k,)
        The eigenvalues in descending order.
    vectors : ndarray of shape (size, k)
    n_iter : int
        The number of products.
    converged : bool
    """
    n_products = 0

    def product(x: FloatArray) -> FloatArray:
        nonlocal n_products
        n_products += 1
        callback(n_products, np.nan)
        return dot(np.ravel(x))

    if size <= MAX_DENSE_SIZE:
        dense = np.column_stack([product(e) for e in np.eye(size)])
        values, vectors = eigh((dense + dense.T) / 2)
        return values[::-1][:k], vectors[:, ::-1][:, :k], n_products, True
    operator = LinearOperator((size, size), matvec=product, dtype=np.float64)
    start = np.random.default_rng(0).normal(size=size)
    try:
        values, vectors = eigsh(operator, k=k, which="LA", v0=start, tol=tol, **_fixed_rng())
        converged = True
    except ArpackNoConvergence as error:
        values, vectors, converged = error.eigenvalues, error.eigenvectors, False
        if values.size < k:
            raise InputError(
                f"The leading eigenvectors were not found in {n_products} products",
                "increase {tol}",
                tol=Setting("tol", of="vectors"),
            ) from None
        warn(
            Worded(
                f"The eigenvectors did not converge in {n_products} products",
                "increase {tol}",
                tol=Setting("tol", of="vectors"),
            ),
            ConvergenceWarning,
        )
    order = np.argsort(values)[::-1]
    return values[order], vectors[:, order], n_products, converged


def _fixed_rng() -> dict[str, np.random.Generator]:
    """Return the argument that makes the restarts of `eigsh` reproducible, if scipy has it."""
    supported = "rng" in inspect.signature(eigsh).parameters
    return {"rng": np.random.default_rng(0)} if supported else {}


def singular_pairs(
    matrix: Matrix,
    k: int,
    left: FloatArray,
    right: FloatArray,
    tol: float,
    callback: Callback,
) -> tuple[FloatArray, FloatArray, FloatArray, int, bool]:
    """Compute the k leading singular triplets of B = diag(left) A diag(right).

    They are obtained from the eigenvectors of B^T B or B B^T, whichever is smaller; neither B nor
    these products are formed.

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
    # Singular values that are square roots of rounding errors are zero, and so are their vectors.
    values = np.where(values > 1e-7 * values[0], values, 0.0)
    v = np.where(values > 0, v, 0.0)
    u = np.column_stack([left * (matrix @ (right * v[:, i])) for i in range(k)])
    norms = np.linalg.norm(u, axis=0)
    return ratio(u, np.where(values > 0, norms, 0.0)), values, v, n_iter + k, converged
