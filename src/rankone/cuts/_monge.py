r"""The best partition of a sorted vector into pieces, at a price of ``lam`` for one more piece.

.. math:: \min_{0 = t_0 < t_1 < \dots < t_k = n} \sum_{i=1}^{k} c(t_{i-1}, t_i) + \lambda (k - 1)

**The queue.** On sorted values the cost of ``_pieces`` is Monge: for i < i' < j < j',
``c(i, j) + c(i', j') <= c(i, j') + c(i', j)``. So once a later start of the last piece beats an
earlier one, it does for ever, and a queue of starts, with the node where each takes over from the
one before, replaces the table of all pairs. That node is found by doubling the step, then by
bisection: a few evaluations of the cost for each node (``_shortest_path``).

**The cells.** Most positions cannot hold a cut of the best partition, and a bound on whole groups
of them tells so. Let a *cell* be a run of positions, and take a partition that cuts inside it.
Move the points inside the cell towards the piece they are in, onto the value at the far end of the
cell: the cost does not rise, since a map that shortens distances lowers the cost of every level.
How the cost depends on the number of the cell's points in the lower piece is now a minimum, over
levels, of linear functions: concave, and least where all points are on one side. So a cell is two
nodes, at which its points are a lump at the end of one piece or of the other, and the shortest
path through such nodes is a lower bound. (Two cuts in one cell are covered too: a piece inside a
cell costs nothing.) These costs are still Monge, since lumps are moved towards the levels, so the
queue serves here as well; forwards and backwards it gives the bound through every cell at once.
The path itself, rounded to positions, gives an upper bound. Cells above it go, the others are
divided, and the last round is the shortest path through the positions that are left.

For k clusters about ``k^1.5`` cells survive a round, whatever n. Where k is so large that nothing
is left out, the rounds cost less than the last one, and the number of evaluations is linear in n.
"""

from __future__ import annotations

import numpy as np

from rankone._kernel import inlined, kernel
from rankone.cuts._pieces import are_cells, cell_nodes, piece_cost, position_nodes
from rankone.typing import FloatArray, IntArray

#: Parts that a surviving cell is divided into.
_PARTS = 4

#: Cells to begin with.
_FIRST_CELLS = 128

#: A search that has come this far asks first whether there is anything to find.
_LEAP = 16

#: A later start, which makes more pieces, must win by more than rounding.
_AHEAD = 1.0 - 2.0**-50

#: Sums of plain doubles, and lengths of paths, are right to this share of what is summed.
_ROUGH, _ROUNDING = 2.0**-48, 1e-10


def best_cuts(
    values: FloatArray, weights: FloatArray, sums: FloatArray, p: float, lam: float
) -> tuple[IntArray, int]:
    """Return the cuts of the best partition, and how many costs were evaluated for it."""
    data = values, weights, sums
    low, high = _first_cells(values.size)
    rough_error = _rough_error(values, weights, p)
    upper = np.inf
    evaluations = 0
    while (high - low).sum() > (_PARTS - 1) * low.size:
        nodes = cell_nodes(*data, low, high)
        forward, before, count = _shortest_path(*data, nodes, p, lam, np.inf, False)
        backward, _, count_back = _shortest_path(*data, nodes, p, lam, np.inf, True)
        cuts = _cuts_near(nodes, _walk_back(before))
        upper = min(upper, partition_cost(*data, cuts, p) + lam * cuts.size)
        evaluations += count + count_back + cuts.size + 1
        limit = upper * (1.0 + _ROUNDING) + 4.0 * (cuts.size + 1) * rough_error
        through = (forward + backward - lam)[1:-1].reshape(-1, 2).min(axis=1)
        low, high = _divide(low[through <= limit], high[through <= limit])
    positions = np.concatenate([[0], _ranges(low, high), [values.size]]).astype(np.int32)
    nodes = position_nodes(*data, positions)
    limit = (min(upper, lam * values.size) + lam) * (1.0 + _ROUNDING)
    _, before, count = _shortest_path(*data, nodes, p, lam, limit, False)
    return positions[_walk_back(before)], evaluations + count


def partition_cost(
    values: FloatArray, weights: FloatArray, sums: FloatArray, cuts: IntArray, p: float
) -> float:
    """Return the cost of all pieces between the cuts."""
    positions = np.concatenate([[0], cuts, [values.size]]).astype(np.int32)
    nodes = position_nodes(values, weights, sums, positions)
    return float(_path_cost(values, weights, sums, nodes, p))


def _first_cells(n: int) -> tuple[IntArray, IntArray]:
    """Divide the positions 1 ... n - 1 into cells."""
    n_cells = max(1, min(_FIRST_CELLS, (n - 1) // _PARTS))
    edges = (1 + np.arange(n_cells + 1) * (n - 1) // n_cells).astype(np.int32)
    return edges[:-1], edges[1:] - 1


def _rough_error(values: FloatArray, weights: FloatArray, p: float) -> float:
    """Bound the error of a cost of cells, which for p = 1 and 2 is a difference of large sums."""
    if p not in (1.0, 2.0):
        return 0.0
    weight = weights.sum() if weights.size else values.size
    return float(_ROUGH * weight * max(abs(values[0]), abs(values[-1])) ** p)


def _divide(low: IntArray, high: IntArray) -> tuple[IntArray, IntArray]:
    """Divide each cell into parts, but not below single positions."""
    size = high - low + 1
    edges = low[:, None] + np.arange(_PARTS + 1, dtype=np.int32) * size[:, None] // _PARTS
    first, last = edges[:, :-1].ravel(), edges[:, 1:].ravel() - 1
    return first[first <= last], last[first <= last]


def _ranges(low: IntArray, high: IntArray) -> IntArray:
    """Return all positions of the cells."""
    size = high - low + 1
    return np.repeat(low - np.concatenate([[0], size.cumsum()[:-1]]), size) + np.arange(size.sum())


def _cuts_near(nodes: FloatArray, path: IntArray) -> IntArray:
    """Return the lowest position of a cell for its lower node, the highest for its upper one."""
    return np.unique(np.where(path % 2 == 1, nodes[path, 7], nodes[path, 3])).astype(np.int32)


def _walk_back(before: IntArray) -> IntArray:
    """Return the nodes on the shortest path, both ends left out."""
    path = []
    i = int(before[-1])
    while i > 0:
        path.append(i)
        i = int(before[i])
    return np.array(path[::-1], dtype=np.int32)


@kernel
def _path_cost(values, weights, sums, nodes, p):
    total = 0.0
    for i in range(nodes.shape[0] - 1):
        total += piece_cost(values, weights, sums, nodes, i, i + 1, p)
    return total


@kernel
def _shortest_path(values, weights, sums, nodes, p, lam, limit, backwards):
    """Return the least cost of a path from the first node to each, and the node before it there.

    Each piece costs ``lam`` more than itself. ``backwards``: from each node to the last, and the
    node after it; the indices in the loop then count from the end. No best path is longer than
    ``limit``: beyond it, where rounding may be larger than what matters, nothing is compared.
    """
    end = nodes.shape[0] - 1
    least = np.zeros(end + 1)
    before = np.zeros(end + 1, np.int32)
    # The queue: starts, the first node for which each is the best, and the length of the path there.
    queue, takes_over = np.zeros(end + 1, np.int32), np.ones(end + 1, np.int32)
    length = np.zeros(end + 1)
    length[0] = _edge(values, weights, sums, nodes, 0, 1, p, backwards)
    head = tail = 0
    evaluations = 1
    for j in range(1, end + 1):
        while head < tail and takes_over[head + 1] <= j:
            head += 1
        before[j] = queue[head]
        if takes_over[head] == j:
            least[j] = length[head] + lam
        else:
            cost = _edge(values, weights, sums, nodes, queue[head], j, p, backwards)
            least[j] = least[queue[head]] + cost + lam
            evaluations += 1
        # Find where j takes over from the last start in the queue: above ``loses``, at most ``wins``.
        loses, wins, won = j, end + 1, 0.0
        step = 2 if are_cells(nodes) else 1
        while tail >= head and j < end:
            first = max(takes_over[tail], j + 1)
            if loses < first:
                at = first
            elif loses == min(end, wins - 1):
                break
            elif wins <= end:
                at = min(loses + step, (loses + wins) // 2)
            else:
                at = min(loses + step, end) if step < _LEAP else end
            mine = least[j] + _edge(values, weights, sums, nodes, j, at, p, backwards)
            other = length[tail]
            evaluations += 1
            if at != takes_over[tail]:
                cost = _edge(values, weights, sums, nodes, queue[tail], at, p, backwards)
                other = least[queue[tail]] + cost
                evaluations += 1
            if mine < other * _AHEAD or min(mine, other) > limit:
                wins, won = at, mine
                if at == first:
                    tail -= 1  # that start is never the best
            else:
                loses = at
                step *= 2
        if wins <= end:
            tail += 1
            queue[tail], takes_over[tail], length[tail] = j, wins, won
    if backwards:
        return least[::-1].copy(), before, evaluations
    return least, before, evaluations


@inlined
def _edge(values, weights, sums, nodes, i, j, p, backwards):
    """Return the cost of the piece between two nodes that may be counted from the end."""
    end = nodes.shape[0] - 1
    first, last = (end - j, end - i) if backwards else (i, j)
    return piece_cost(values, weights, sums, nodes, first, last, p)
