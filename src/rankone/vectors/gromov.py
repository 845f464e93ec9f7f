"""The scaling vectors of Gromov-Wasserstein transport between rows and columns."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from sklearn.metrics.pairwise import euclidean_distances

from rankone._memory import check_memory
from rankone.checks import check_whole
from rankone.matrix import Matrix
from rankone.progress import Callback, silent
from rankone.typing import FloatArray
from rankone.vectors._sinkhorn import ABSORB, Scaling, check_spread, scale
from rankone.vectors.base import Capabilities
from rankone.vectors.similarity import centred
from rankone.vectors.transport import Transport, TransportVectors, transport_loss


@dataclass(frozen=True, eq=False)
class BarycenterVectors(TransportVectors):
    """The scaling vectors of two plans, from rows and from columns to one barycentre.

    ``plan`` joins the two at the barycentre; it is not the Gibbs kernel scaled by these vectors.

    Attributes
    ----------
    barycenter : ndarray of shape (k, k)
        The similarities of the points of the barycentre.
    row_plan : ndarray of shape (m, k)
    column_plan : ndarray of shape (n, k)
    """

    barycenter: FloatArray = field(kw_only=True, repr=False)
    row_plan: FloatArray = field(kw_only=True, repr=False)
    column_plan: FloatArray = field(kw_only=True, repr=False)


class CCOTGW(Transport):
    r"""The scaling vectors of the entropic Gromov-Wasserstein plan, for any matrix.

    .. math:: \min_{\gamma \mathbf 1 = \mathbf 1 / m,\ \gamma^T \mathbf 1 = \mathbf 1 / n}
              \sum_{ijkl} (K^r_{ik} - K^c_{jl})^2\, \gamma_{ij} \gamma_{kl}
              + \varepsilon\, \mathrm{KL}(\gamma \| a b^T)

    where :math:`K^r` and :math:`K^c` are the Gaussian similarities of the rows and of the columns,
    each as wide as the mean distance. A stationary point is a fixed point of transport with the
    gradient for its cost, :math:`\gamma = \mathrm{diag}(u) \exp(-C(\gamma) / \varepsilon)
    \mathrm{diag}(v)`; it is iterated from the uniform plan. The objective is the sum above.

    With ``barycenter=k``, rows and columns are not matched with each other, but both with the k
    points of their Gromov-Wasserstein barycentre, whose similarities K are found as well, as in the
    article that introduced the method (Laclau et al., 2017):

    .. math:: \min_{K, \gamma_r, \gamma_c} \tfrac12 \mathrm{GW}_\varepsilon(K^r, K; \gamma_r)
              + \tfrac12 \mathrm{GW}_\varepsilon(K^c, K; \gamma_c), \qquad
              K = \tfrac{k^2}{2} (\gamma_r^T K^r \gamma_r + \gamma_c^T K^c \gamma_c)

    where GW is the sum above; u scales the rows of :math:`\gamma_r`, and v those of
    :math:`\gamma_c`. The iteration starts from the similarities of k evenly spaced points.

    Parameters
    ----------
    epsilon : float
        Similarities are between 0 and 1, so 1 is much. This is POT's convention. Peyre, Cuturi and
        Solomon (2016), on whose code the authors of CCOT built, take *half* the squared difference
        as the loss and the cost :math:`L \otimes \gamma` without the factor two of the gradient, so
        that their epsilon of 1 is 4 here.
    barycenter : int, optional
        The number of points of the barycentre. By default there is none.
    tol : float
        The change of the plan, and the error of its sums, at which iterations stop.
    max_iter : int
        The most scalings of rows and columns, summed over all costs: each new cost, the gradient
        at the last plan, takes several. ``n_iter`` of the result counts the same.

    Examples
    --------
    >>> CCOTGW(epsilon=0.1).extract([[5, 4, 0], [4, 5, 1]]).column.round(3)
    array([0.715, 0.636, 1.649])
    """

    def __init__(
        self,
        epsilon: float = 1.0,
        barycenter: int | None = None,
        tol: float = 1e-9,
        max_iter: int = 10000,
    ):
        self.epsilon = epsilon
        self.barycenter = barycenter
        self.tol = tol
        self.max_iter = max_iter

    @property
    def capabilities(self) -> Capabilities:
        """What can be taken: complete matrices."""
        return Capabilities(negative=True)

    def _check_parameters(self) -> None:
        super()._check_parameters()
        if self.barycenter is not None:
            check_whole(self.barycenter, "barycenter")

    def _extract(self, matrix: Matrix, callback: Callback) -> TransportVectors:
        m, n = matrix.shape
        check_memory(3, m + n, m + n, "CCOTGW", "use NMF or Fiedler")
        rows, columns = _similarities(centred(matrix)), _similarities(centred(matrix.T))
        if self.barycenter is not None:
            return self._by_barycenter(rows, columns, self.barycenter, callback)
        epsilon = float(self.epsilon)
        scaling = couple(rows, columns, epsilon, self.tol, self.max_iter, callback)
        return self._result(scaling, lambda plan: gw_loss(rows, columns, plan, epsilon))

    def _by_barycenter(
        self, rows: FloatArray, columns: FloatArray, k: int, callback: Callback
    ) -> BarycenterVectors:
        """Alternate between the two plans and the similarities of the barycentre."""
        epsilon, sides = float(self.epsilon), (rows, columns)
        target = _similarities(np.arange(float(k))[:, None])
        plans: list[FloatArray] = []
        n_iter, change = 0, np.inf
        while n_iter < self.max_iter and change > self.tol:
            scalings = []
            for side, start in zip(sides, plans or (None, None), strict=True):
                progress = _later(callback, n_iter)
                left = max(1, self.max_iter - n_iter)
                scalings.append(couple(side, target, epsilon, self.tol, left, progress, start))
                n_iter += scalings[-1].n_iter
            plans, last = [scaling.plan for scaling in scalings], target
            target = _carried(rows, plans[0]) + _carried(columns, plans[1])
            change = float(np.abs(target - last).max())
        by_rows, by_columns = scalings
        joined = Scaling(
            by_rows.log_u,
            by_columns.log_u,
            k * by_rows.plan @ by_columns.plan.T,
            max(by_rows.error, by_columns.error),
            n_iter,
            max(change, by_rows.change, by_columns.change),
        )
        result = self._result(
            joined,
            lambda _: (
                0.5 * gw_loss(rows, target, by_rows.plan, epsilon)
                + 0.5 * gw_loss(columns, target, by_columns.plan, epsilon)
            ),
        )
        return BarycenterVectors(
            **{name: getattr(result, name) for name in result.__dataclass_fields__},
            barycenter=target,
            row_plan=by_rows.plan,
            column_plan=by_columns.plan,
        )


def _carried(similar: FloatArray, plan: FloatArray) -> FloatArray:
    """Return half of the similarities of rows, averaged by a plan over the points it leads to."""
    return np.asarray(0.5 * plan.shape[1] ** 2 * (plan.T @ similar @ plan))


def _later(callback: Callback, done: int) -> Callback:
    """Return a callback that counts the steps that were done before."""
    return lambda step, error: callback(done + step, error)


def couple(
    left: FloatArray,
    right: FloatArray,
    epsilon: float,
    tol: float,
    max_iter: int,
    callback: Callback,
    start: FloatArray | None = None,
) -> Scaling:
    """Return a stationary plan between two similarity matrices, from a start or the uniform one."""
    a, b = np.full(left.shape[0], 1.0 / left.shape[0]), np.full(right.shape[0], 1 / right.shape[0])

    def gain(plan: FloatArray) -> FloatArray:
        """Return the part of the cost that depends on both sides, with its sign changed."""
        return np.asarray(4.0 * (left @ plan @ right))

    first = 4.0 * np.outer(left @ a, right @ b) if start is None else gain(start)
    scaling = _fixed_point(gain, first, a, b, epsilon, tol, max_iter, callback)
    # The parts of the cost that depend on i or on j alone only move u or v.
    scaling.log_u += 2.0 * (left**2 @ a) / epsilon
    scaling.log_v += 2.0 * (right**2 @ b) / epsilon
    return scaling


def gw_loss(left: FloatArray, right: FloatArray, plan: FloatArray, epsilon: float) -> float:
    """Return the entropic Gromov-Wasserstein loss of a plan with uniform marginals."""
    a, b = plan.sum(1), plan.sum(0)
    distortion = float(a @ left**2 @ a + b @ right**2 @ b)
    distortion -= 2.0 * float(((left @ plan @ right) * plan).sum())
    uniform = np.full(a.size, 1.0 / a.size), np.full(b.size, 1.0 / b.size)
    return distortion + transport_loss(plan, np.zeros(plan.shape), *uniform, epsilon)


def _fixed_point(
    gain: Callable[[FloatArray], FloatArray],
    first: FloatArray,
    a: FloatArray,
    b: FloatArray,
    epsilon: float,
    tol: float,
    max_iter: int,
    callback: Callback,
) -> Scaling:
    """Iterate the plan with its own gradient for a cost, with Nesterov's momentum.

    Similarities are positive semidefinite, so that the iteration never swings from one side to the
    other: momentum does no harm, and plans that it would leave because they are saddle points (the
    uniform one, often) are left with momentum too. The error is how much the plan would change if
    its logarithm took the next step. At most ``max_iter`` scalings are made in all.
    """
    log_kernel = before = first / epsilon
    check_spread(float(np.ptp(log_kernel)))
    start, near, error, last, age = None, False, 1.0, np.inf, 0
    done = 0
    while done < max_iter:
        goal = max(0.1 * tol, min(1e-3, 0.01 * error))
        scaling = scale(log_kernel, a, b, goal, max_iter - done, silent, start, near)
        done += scaling.n_iter
        plan = scaling.plan
        start = scaling.log_u, scaling.log_v
        image = gain(plan) / epsilon
        move = np.abs(image - log_kernel)
        error = float(np.vdot(move, plan))
        callback(done, error)
        if error <= tol and scaling.error <= tol:
            break
        # The objective over epsilon, but for what marginals determine.
        objective = float(np.vdot(log_kernel, plan) - 0.5 * np.vdot(image, plan))
        objective += float(a @ start[0] + b @ start[1])
        age, last = age + 1 if objective <= last else 0, objective
        momentum = image - before
        momentum *= age / (age + 3.0)
        near = float(move.max() + max(momentum.max(), -momentum.min())) < ABSORB
        log_kernel, before = np.add(image, momentum, out=momentum), image
    scaling.change, scaling.n_iter = error, done
    return scaling


def _similarities(values: Any) -> FloatArray:
    """Return the Gaussian similarities of rows, as wide as their mean distance."""
    squares = euclidean_distances(values, squared=True)
    m = squares.shape[0]
    width = float(np.sqrt(squares).sum()) / max(1, m * (m - 1))
    return np.asarray(np.exp(squares / (-2.0 * width**2))) if width else np.ones_like(squares)
