"""Labels of values, by the boundaries of intervals."""

from __future__ import annotations

import numpy as np

from rankone._kernel import inlined, kernel
from rankone._threads import THREADS, slices
from rankone.typing import FloatArray, IntArray


def label(u: FloatArray, boundaries: FloatArray) -> IntArray:
    """Return for each value the number of boundaries that are not above it."""
    labels = np.empty(u.size, np.intp)

    def label_part(part: slice) -> None:
        _label(u[part], boundaries, labels[part])

    for _ in THREADS.map(label_part, slices(u.size)):
        pass
    return labels


def _label(u: FloatArray, boundaries: FloatArray, labels: IntArray) -> None:
    """Write the label of each value."""
    if boundaries.size < 2:
        labels[:] = u >= boundaries[0] if boundaries.size else 0
        return
    n_steps = max(4 * boundaries.size, min(64 * boundaries.size, 8192))
    with np.errstate(over="ignore"):
        rate = n_steps / (boundaries[-1] - boundaries[0])
    if 0.0 < rate < np.inf:
        _look_up(u, boundaries, rate, n_steps, labels)
    else:
        labels[:] = np.searchsorted(boundaries, u, side="right")


@kernel
def _look_up(u, boundaries, rate, n_steps, labels):
    """Divide the range of the boundaries into equal steps, and look up which step a value is in.

    Steps hold one boundary or none, mostly, and then one comparison is all that is left to do.
    """
    origin = boundaries[0]
    before = np.zeros(n_steps + 3, np.int64)  # the number of boundaries in earlier steps
    for b in boundaries:
        before[_step(b, origin, rate, n_steps) + 1] += 1
    crowded = before.max() > 1
    for s in range(n_steps + 2):
        before[s + 1] += before[s]
    if crowded:
        for i in range(u.size):
            s = _step(u[i], origin, rate, n_steps)
            low, high = before[s], before[s + 1]
            while low < high:
                middle = (low + high) // 2
                if boundaries[middle] <= u[i]:
                    low = middle + 1
                else:
                    high = middle
            labels[i] = low
        return
    boundary = np.full(n_steps + 2, np.inf)
    for b in boundaries:
        boundary[_step(b, origin, rate, n_steps)] = b
    for i in range(u.size):
        s = _step(u[i], origin, rate, n_steps)
        labels[i] = before[s] + (u[i] >= boundary[s])


@inlined
def _step(x, origin, rate, n_steps):
    """Return the step that x is in, from 0 to ``n_steps + 1``: it never falls when x rises."""
    step = (x - origin) * rate + 1.0
    step = step if step > 0.0 else 0.0
    return np.int64(step if step < n_steps + 1.0 else n_steps + 1.0)
