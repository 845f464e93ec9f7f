r"""The best partitions of a sorted vector into 1, 2, ..., k pieces, layer by layer.

.. math:: f_k(j) = \min_{i < j} f_{k-1}(i) + c(i, j)

On sorted values the cost is Monge, so the best i never falls when j rises: the best i of a middle j
halves what is left to search on either side of it, and a layer takes n log n evaluations. This is
slower than solving for a few penalties (``_monge``), but what it takes hardly depends on the
values.

Where several i are equally good up to rounding, any of them may be the best of another j, whose
costs are perhaps far smaller: all of them stay to be searched.
"""

from __future__ import annotations

import numpy as np

from rankone._kernel import kernel
from rankone.cuts._nodes import position_nodes
from rankone.cuts._pieces import piece_cost

#: Sums that differ by no more than this share of them may differ by rounding alone.
_ROUNDING = 2.0**-48


@kernel
def layered_starts(points, k):
    """Return where the last piece begins, for each number of pieces and each end; and evaluations.

    Row ``l`` is for ``l + 1`` pieces, and column j for those of the points before j.
    """
    n = points.values.size
    nodes = position_nodes(points, np.arange(n + 1))
    starts = np.zeros((k, n + 1), np.int32)
    least, costs = np.zeros(n + 1), np.zeros(n + 1)
    for j in range(1, n + 1):
        least[j] = piece_cost(points, nodes, 0, j)
    evaluations = n
    for layer in range(1, k):
        before, least = least, np.full(n + 1, np.inf)
        # Ends that are left to do, lowest and highest, and where their last pieces may begin.
        todo = [(layer + 1, n, layer, n - 1)]
        while todo:
            low, high, first, last = todo.pop()
            j = (low + high) // 2
            beyond = min(last, j - 1) + 1
            for i in range(first, beyond):
                costs[i] = before[i] + piece_cost(points, nodes, i, j)
                evaluations += 1
                if costs[i] < least[j]:
                    least[j], starts[layer, j] = costs[i], i
            about = least[j] * (1.0 + _ROUNDING)
            lowest, highest = np.int64(starts[layer, j]), np.int64(starts[layer, j])
            for i in range(first, beyond):
                if costs[i] <= about:
                    lowest, highest = min(lowest, i), max(highest, i)
            if low < j:
                todo.append((low, j - 1, first, highest))
            if j < high:
                todo.append((j + 1, high, lowest, last))
    return starts, evaluations


@kernel
def cuts_of_layer(starts, k):
    """Return the cuts of the best partition into k pieces."""
    cuts = np.empty(k - 1, np.int64)
    j = starts.shape[1] - 1
    for layer in range(k - 1, 0, -1):
        j = starts[layer, j]
        cuts[layer - 1] = j
    return cuts
