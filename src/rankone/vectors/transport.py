"""The scaling vectors of entropic optimal transport between rows and columns."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from scipy.special import logsumexp, xlogy
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics.pairwise import euclidean_distances

from rankone._memory import check_memory
from rankone._warnings import warn
from rankone.checks import check_choice, check_positive, check_whole
from rankone.errors import Setting, Worded
from rankone.matrix import Matrix
from rankone.progress import Callback
from rankone.typing import FloatArray
from rankone.vectors._sinkhorn import Scaling, scale_kernel
from rankone.vectors.base import Capabilities, VectorMethod, Vectors
from rankone.vectors.similarity import doubles


def transport_loss(
    plan: npt.ArrayLike,
    cost: npt.ArrayLike,
    a: npt.ArrayLike,
    b: npt.ArrayLike,
    epsilon: float,
) -> float:
    r"""Return the loss of entropic transport, of which the paper's methods are special cases.

    .. math:: L(\gamma; M; a, b) = \langle M, \gamma \rangle + \varepsilon\,
              \mathrm{KL}(\gamma \,\|\, a b^T), \qquad
              \mathrm{KL}(\gamma \| \pi) = \sum \gamma \log(\gamma / \pi) - \gamma + \pi

    Parameters
    ----------
    plan, cost : array-like of shape (m, n)
        The coupling, not negative, and the cost M.
    a, b : array-like of shape (m,) and (n,)
        Weights of rows and columns, positive.
    epsilon : float
        The weight of the divergence.

    Returns
    -------
    float
        The loss.

    Examples
    --------
    >>> plan, cost, half = [[0.5, 0.0], [0.0, 0.5]], [[0, 1], [1, 0]], [0.5, 0.5]
    >>> transport_loss(plan, cost, half, half, epsilon=1.0)
    0.6931471805599453
    """
    plan, cost = np.asarray(plan, float), np.asarray(cost, float)
    a, b = np.asarray(a, float), np.asarray(b, float)
    if not plan.shape == cost.shape == (a.size, b.size):
        raise ValueError(
            f"plan and cost must have as many rows as a and columns as b, but their shapes are "
            f"{plan.shape} and {cost.shape}, of {a.size} and {b.size} weights."
        )
    if (plan < 0).any() or (a < 0).any() or (b < 0).any():
        raise ValueError("plan, a and b must not be negative.")
    product = np.outer(a, b)
    divergence = xlogy(plan, plan).sum() - xlogy(plan, product).sum()
    divergence += product.sum() - plan.sum()
    return float((cost * plan).sum() + epsilon * divergence)


@dataclass(frozen=True, eq=False)
class TransportVectors(Vectors):
    """Scaling vectors of mean one, and their logarithms as they scale the Gibbs kernel.

    Attributes
    ----------
    log_row, log_column : ndarray
        log(u) and log(v): finite also where u itself is too small for a double.
    marginal_error : float
        The sum of the differences between the column sums of the plan and those wanted; row sums
        are as wanted.
    plan : ndarray of shape (m, n)
        diag(u) exp(-cost / epsilon) diag(v).
    """

    log_row: FloatArray = field(kw_only=True)
    log_column: FloatArray = field(kw_only=True)
    marginal_error: float = field(kw_only=True)
    plan: FloatArray = field(kw_only=True, repr=False)


class Transport(VectorMethod):
    """Base class of methods that scale a Gibbs kernel: their parameters, and how they report."""

    epsilon: float
    tol: float
    max_iter: int

    def _check_parameters(self) -> None:
        check_positive(self.epsilon, "epsilon")
        check_positive(self.tol, "tol")
        check_whole(self.max_iter, "max_iter")

    def _result(
        self, scaling: Scaling, objective: Callable[[FloatArray], float]
    ) -> TransportVectors:
        converged = scaling.error <= self.tol and scaling.change <= self.tol
        if not converged:
            what = f"The sums of the plan are still off by {scaling.error:.1e}"
            if scaling.error <= self.tol:
                what = f"The plan still changes by {scaling.change:.1e}"
            warn(
                Worded(
                    f"{what} after {scaling.n_iter} iterations",
                    "increase {max_iter} or {epsilon}",
                    max_iter=Setting("max_iter", of="vectors"),
                    epsilon=Setting("epsilon", of="vectors"),
                ),
                ConvergenceWarning,
            )
        return TransportVectors(
            _mean_one(scaling.log_u),
            _mean_one(scaling.log_v),
            scaling.n_iter,
            converged,
            lambda: objective(scaling.plan),
            log_row=scaling.log_u,
            log_column=scaling.log_v,
            marginal_error=scaling.error,
            plan=scaling.plan,
        )


class CCOT(Transport):
    r"""The scaling vectors of the entropic transport plan between rows and columns.

    .. math:: \gamma = \arg\min_{\gamma \mathbf 1 = \mathbf 1 / m,\ \gamma^T \mathbf 1 = \mathbf 1
              / n} \langle M, \gamma \rangle + \varepsilon\, \mathrm{KL}(\gamma \| a b^T)
              = \mathrm{diag}(u)\, e^{-M / \varepsilon}\, \mathrm{diag}(v)

    where :math:`M_{ij} = d(x_i, y_j)`, :math:`x_i` are the rows and :math:`y_j` the columns of a
    square matrix. As epsilon grows, :math:`\varepsilon \log u` tends to the centred row means of M.
    The objective is `rankone.vectors.transport_loss` of the plan.

    Parameters
    ----------
    epsilon : float
        In units of the cost.
    metric : {"euclidean", "sqeuclidean"}
        d: the distance, as in the paper's text, or its square, as in its appendix.
    tol : float
        The error of the sums of the plan at which iterations stop.
    max_iter : int
        The most scalings of rows and columns, those for larger epsilon on the way included.

    Examples
    --------
    >>> CCOT(epsilon=1.0).extract([[5, 4, 0], [4, 5, 1], [0, 1, 0]]).row.round(3)
    array([0.973, 0.973, 1.054])
    """

    def __init__(
        self,
        epsilon: float = 1.0,
        metric: str = "euclidean",
        tol: float = 1e-9,
        max_iter: int = 10000,
    ):
        self.epsilon = epsilon
        self.metric = metric
        self.tol = tol
        self.max_iter = max_iter

    @property
    def capabilities(self) -> Capabilities:
        """What can be taken: complete square matrices."""
        return Capabilities(negative=True, rectangular=False, joint=True)

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_choice(self.metric, "metric", ("euclidean", "sqeuclidean"))

    def _extract(self, matrix: Matrix, callback: Callback) -> TransportVectors:
        m, n = matrix.shape
        check_memory(4, m, n, "CCOT", "use NMF or PageRank")
        cost = _distances(matrix, squared=self.metric == "sqeuclidean")
        a, b = np.full(m, 1.0 / m), np.full(n, 1.0 / n)
        scaling = scale_kernel(cost, a, b, float(self.epsilon), self.tol, self.max_iter, callback)
        return self._result(scaling, lambda plan: transport_loss(plan, cost, a, b, self.epsilon))


def _distances(matrix: Matrix, squared: bool) -> FloatArray:
    """Return the distances of rows from columns, of a square matrix.

    Both are points with as many coordinates. What coordinates have in common would cancel, and is
    subtracted first (if the matrix is not sparse).
    """
    rows = doubles(matrix)
    columns = rows.T
    if not sp.issparse(rows):
        common = (matrix.totals.rows + matrix.totals.columns) / (2.0 * matrix.shape[0])
        rows, columns = rows - common, columns - common
    return np.asarray(euclidean_distances(rows, columns, squared=squared))


def _mean_one(logarithms: FloatArray) -> FloatArray:
    """Return exponentials of mean one, without overflow on the way."""
    return np.asarray(
        np.exp(logarithms - logsumexp(logarithms) + np.log(logarithms.size)), dtype=np.float64
    )
