"""Scaling a Gibbs kernel to given sums, stable for small and large epsilon."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rankone.errors import Input, InputError, Setting
from rankone.progress import Callback
from rankone.typing import FloatArray
from rankone.vectors._anderson import Anderson

#: The largest spread of costs, in units of epsilon: beyond, less than three digits are left of it.
MOST_SPREAD = 1e13

#: Scalings beyond exp(+-this) are absorbed into the kernel, which is then computed anew.
ABSORB = 50.0

#: A cost that spreads over more than this many epsilon is approached from larger ones.
SPREAD = 100.0

#: Changes of the dual objective below this share are due to rounding.
ROUNDING = 1e-14

#: How many steps the acceleration remembers: many, because small epsilon makes slow directions.
DEPTH = 20


@dataclass
class Scaling:
    """Logarithms of the scaling vectors, the scaled kernel, and how far its sums are off.

    If the kernel depends on the plan: how much that would change in one more step.
    """

    log_u: FloatArray
    log_v: FloatArray
    plan: FloatArray
    error: float
    n_iter: int
    change: float = 0.0


def scale_kernel(
    cost: FloatArray,
    a: FloatArray,
    b: FloatArray,
    epsilon: float,
    tol: float,
    max_iter: int,
    callback: Callback,
) -> Scaling:
    """Return u, v such that diag(u) exp(-cost / epsilon) diag(v) has sums a and b.

    Where epsilon is small relative to the cost, the potentials epsilon log(u) of a larger epsilon
    are a good start: epsilon begins large and is divided by four. At most ``max_iter`` iterations
    are made in all.
    """
    check_spread(float(np.ptp(cost)) / epsilon)
    levels = [epsilon]
    while np.ptp(cost) > SPREAD * levels[-1]:
        levels.append(4.0 * levels[-1])
    levels = levels[:max_iter]
    scaling: Scaling | None = None
    n_iter = 0
    for to_come, level in reversed(list(enumerate(levels))):
        last, left = to_come == 0, max_iter - n_iter
        start = None if scaling is None else (4.0 * scaling.log_u, 4.0 * scaling.log_v)
        scaling = scale(
            cost / -level,
            a,
            b,
            tol if last else max(tol, 1e-3),
            left if last else max(1, min(100, (left - to_come) // 2)),
            lambda step, error, done=n_iter: callback(done + step, error),  # type: ignore[misc]
            start,
        )
        n_iter += scaling.n_iter
    assert scaling is not None
    scaling.n_iter = n_iter
    return scaling


def check_spread(spread: float) -> None:
    """Refuse logarithms of a kernel that vary too much for their sums to be resolved."""
    if not spread <= MOST_SPREAD:
        raise InputError(
            "the costs span {spread} times {epsilon}, too much for the precision of doubles",
            "increase {epsilon}, or scale the entries of {X}",
            spread=f"{spread:.0e}",
            epsilon=Setting("epsilon", of="vectors"),
            X=Input(),
        )


def scale(
    log_kernel: FloatArray,
    a: FloatArray,
    b: FloatArray,
    tol: float,
    max_iter: int,
    callback: Callback,
    start: tuple[FloatArray, FloatArray] | None = None,
    near: bool = False,
) -> Scaling:
    """Scale exp(log_kernel) by Sinkhorn and Knopp's iterations, accelerated.

    The start is a pair of log(u) and log(v); ``near`` says that it scales the kernel to sums not
    far from those wanted, so that nothing can overflow.

    Iterations are products with a kernel in which the scalings found so far are absorbed, so that
    its largest entries are of ordinary size; an exponential of every entry is only taken when the
    scalings have moved far since.

    Each plain iteration raises the dual objective a log(u) + b log(v), even where the error hardly
    changes for hundreds of iterations. A proposal of the acceleration that lowers it is replaced by
    the plain iterate, so that the iteration cannot go round in circles.
    """
    log_u, log_v = start or (np.zeros(a.size), np.zeros(b.size))
    if not near:
        log_u, log_v = _half_steps(log_kernel, a, b, log_v)
    kernel = _absorb(log_kernel, log_u, log_v)
    # log(u) and log(v) are log_u + log(x) and log_v + t.
    t = plain = np.zeros(b.size)
    highest, anderson = -np.inf, Anderson(DEPTH)
    for step in range(1, max_iter + 1):
        if np.abs(t).max() > ABSORB:
            log_u, log_v = _half_steps(log_kernel, a, b, log_v + plain)
            kernel = _absorb(log_kernel, log_u, log_v)
            t = plain = np.zeros(b.size)
            highest = -np.inf
            anderson.forget()
        y = np.exp(t)
        x = a / (kernel @ y)
        sums = x @ kernel
        error = float(np.abs(y * sums - b).sum())
        callback(step, error)
        if error <= tol:
            break
        dual = float(a @ np.log(x) + b @ t)
        if dual < highest - ROUNDING * (1.0 + abs(highest)) and t is not plain:
            t = plain
            anderson.forget()
            continue
        highest, plain = dual, np.log(b / sums)
        t = anderson.propose(t, plain)
        t = t - t.mean()
    # x belongs to y: row sums are right, and the error is that of the column sums.
    kernel *= x[:, None]
    kernel *= y
    return Scaling(log_u + np.log(x), log_v + np.log(y), kernel, error, step)


def _half_steps(
    log_kernel: FloatArray, a: FloatArray, b: FloatArray, log_v: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Scale rows, then columns, in logarithms."""
    log_u = np.log(a) - _log_sums(log_kernel + log_v, axis=1)
    return log_u, np.log(b) - _log_sums(log_kernel + log_u[:, None], axis=0)


def _log_sums(logarithms: FloatArray, axis: int) -> FloatArray:
    """Return the logarithms of sums, in the memory of the logarithms of their terms."""
    peak = logarithms.max(axis=axis, keepdims=True)
    logarithms -= peak
    sums = np.exp(logarithms, out=logarithms).sum(axis=axis)
    return np.asarray(np.log(sums) + peak.squeeze(axis))


def _absorb(log_kernel: FloatArray, log_u: FloatArray, log_v: FloatArray) -> FloatArray:
    kernel = log_kernel + log_v
    kernel += log_u[:, None]
    return np.exp(kernel, out=kernel)
