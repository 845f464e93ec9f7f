r"""The best partition of a sorted vector into pieces, at a price of ``lam`` for one more piece.

.. math:: \min_{0 = t_0 < t_1 < \dots < t_k = n} \sum_{i=1}^{k} c(t_{i-1}, t_i) + \lambda (k - 1)

**The queue.** On sorted values the cost of ``_pieces`` is Monge: for i < i' < j < j',
``c(i, j) + c(i', j') <= c(i, j') + c(i', j)``. So once a later start of the last piece beats an
earlier one, it does for ever, and a queue of starts, with the node where each takes over from the
one before, replaces the table of all pairs. That node is found by doubling the step, then by
bisection: a few evaluations of the cost for each node (``_shortest_paths``).

**The cells.** Most positions cannot hold a cut of the best partition, and a bound rules out whole
groups of them. Let a *cell* be a run of positions, and take a partition that cuts inside it.
Move the points inside the cell towards the piece they are in, onto the value at the far end of the
cell: the cost does not rise, since a map that shortens distances lowers the cost of every level.
How the cost depends on the weights that cells put into their lower pieces is now a minimum, over
levels, of linear functions: concave, and least where all of a cell is on one side. So a cell is two
nodes, at which its points are a lump at the end of one piece or of the other, and the shortest path
through such nodes is a lower bound. (Two cuts in one cell are covered too: a piece inside a cell
costs nothing.) These costs are still Monge: with a and b the best levels of c(i, j') and c(i', j),
put min(a, b) for c(i, j) and max(a, b) for c(i', j'). Where an end moves on, weight moves outward,
from y to z say, and ``|t - a|^p - |t - b|^p`` grows outward. So the queue serves here as well;
forwards and backwards it gives the bound through every cell at once. The path itself, rounded to
positions, gives an upper bound. Cells above it go, the others are divided, and the last round is
the shortest path through the positions that are left. A path that is rounded within large cells may
be a poor bound, where a few values are far from all others, say: until it is a good one, only the
cells that it goes through are divided.

For k clusters about ``k^1.5`` cells were seen to survive a round, whatever n, and more where other
partitions are nearly as good. Where nothing is left out, the rounds cost less than the last one,
and the number of evaluations is linear in n.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rankone._kernel import inlined, kernel
from rankone.cuts._nodes import (
    Points,
    cell_nodes,
    end_column,
    first_position,
    last_position,
    position_nodes,
)
from rankone.cuts._pieces import piece_cost, rough_cost, rough_error
from rankone.typing import FloatArray, IntArray

#: Parts that a surviving cell is divided into.
_PARTS = 3

#: While the bounds are further apart than this, in units of lam, only cells near the shortest path
#: are divided: the others may all go once there is a better upper bound.
_CLOSE = 0.5

#: Cells per cut from which on it pays to divide only these.
_MANY = 8

#: How much longer, in units of lam, a path near the shortest one is.
_NEAR = 2.0**-8

#: Cells to begin with.
_FIRST_CELLS = 128

#: Smaller cells do not pay if the round before left out none.
_FUTILE = 40

#: Evaluations per value after which the search by cells ends.
_PATIENCE = 20

#: A search that has come this far first tests whether there is anything to find.
_LEAP = 16

#: Of two paths with different numbers of pieces, that from the later start must win by this share
#: of the penalty, so that rounding does not decide. In total this is at most the same share of the
#: objective.
_SLACK = 2.0**-44

#: The relative accuracy of the lengths of paths.
_ROUNDING = 1e-10


class _Search(NamedTuple):
    """A search for the shortest paths through a table of nodes.

    Attributes
    ----------
    points : Points
    nodes : ndarray
        Positions or cells.
    lam : float
        The penalty, by which each piece is longer than it costs.
    limit : float
        No best path is longer. Beyond it, where rounding may be larger than what matters, nothing
        is compared.
    error : float
        The largest error of a comparison by rough costs.
    direction : int
        1 for paths from the first node, -1 for paths to the last; indices then count from the end.
    """

    points: Points
    nodes: FloatArray
    lam: float
    limit: float
    error: float
    direction: int


class _Paths(NamedTuple):
    """The shortest path to each node: what its pieces cost, their number, and the node before.

    Costs and numbers are kept apart: in their sum, costs much smaller than lam would be lost.
    """

    costs: FloatArray
    pieces: IntArray
    before: IntArray


@kernel
def best_cuts(points, lam):
    """Return the cuts of the best partition, and how many costs were evaluated for it."""
    n = points.values.size
    low, high = _first_cells(n)
    upper = lam * n
    evaluations = 0
    ahead, back = np.int64(1), np.int64(-1)  # not literals, for each of which numba would compile
    error = rough_error(points) + _SLACK * lam
    while (high - low).sum() > (_PARTS - 1) * low.size and evaluations < _PATIENCE * n:
        nodes = cell_nodes(points, low, high)
        limit = (upper + lam) * (1.0 + _ROUNDING)
        to, before, count = _shortest_paths(_Search(points, nodes, lam, limit, error, ahead))
        since, _, count_back = _shortest_paths(_Search(points, nodes, lam, limit, error, back))
        cuts = _cuts_near(nodes, _walk_back(before))
        cost = partition_cost(points, cuts) + lam * cuts.size
        lower, upper = to[-1] - lam, min(upper, cost)
        evaluations += count + count_back + cuts.size + 1
        n_cells = low.size
        limit = upper * (1.0 + _ROUNDING)
        is_close = upper - lower < _CLOSE * lam or low.size < _MANY * cuts.size
        near = limit if is_close else lower + _NEAR * lam
        low, high = _divide(low, high, to + since - lam, limit, near)
        if low.size == _PARTS * n_cells and _FUTILE * low.size > n:
            break  # nothing was left out, and little would be
    positions = _ends_and_between(low, high, n)
    nodes = position_nodes(points, positions)
    limit = (upper + lam) * (1.0 + _ROUNDING)
    _, before, count = _shortest_paths(_Search(points, nodes, lam, limit, error, ahead))
    return positions[_walk_back(before)], evaluations + count


@kernel
def partition_cost(points, cuts):
    """Return the cost of all pieces between the cuts."""
    positions = _ends_and_between(cuts, cuts, points.values.size)
    nodes = position_nodes(points, positions)
    total = 0.0
    for i in range(positions.size - 1):
        total += piece_cost(points, nodes, i, i + 1)
    return total


@kernel
def _first_cells(n):
    """Divide the positions 1 ... n - 1 into cells."""
    n_cells = max(1, min(_FIRST_CELLS, (n - 1) // _PARTS))
    edges = (1 + np.arange(n_cells + 1) * (n - 1) // n_cells).astype(np.int64)
    return edges[:-1].copy(), edges[1:] - np.int64(1)


@kernel
def _divide(low, high, through, limit, near):
    """Keep the cells that a path within the limit may go through, and divide those of near paths.

    If none of these can be divided, all others are.
    """
    first = np.empty(_PARTS * low.size, np.int64)
    last = np.empty(_PARTS * low.size, np.int64)
    while True:
        count = n_kept = 0
        for g in range(low.size):
            bound = min(through[2 * g + 1], through[2 * g + 2])
            if bound <= limit:
                n_kept += 1
                size = high[g] - low[g] + 1
                n_parts = min(_PARTS, size) if bound <= near else 1
                for part in range(n_parts):
                    first[count] = low[g] + part * size // n_parts
                    last[count] = low[g] + (part + 1) * size // n_parts - 1
                    count += 1
        if count > n_kept or near >= limit:
            return first[:count].copy(), last[:count].copy()
        near = limit


@kernel
def _ends_and_between(low, high, n):
    """Return 0, all positions of the cells, and n."""
    positions = np.zeros((high - low + 1).sum() + 2, np.int64)
    i = 1
    for g in range(low.size):
        for t in range(low[g], high[g] + 1):
            positions[i] = t
            i += 1
    positions[i] = n
    return positions


@kernel
def _cuts_near(nodes, path):
    """Return the lowest position of a cell for its lower node, the highest for its upper one."""
    cuts = np.empty(path.size, np.int64)
    count = 0
    for i in path:
        cut = first_position(nodes, i) if i % 2 == 1 else last_position(nodes, i)
        if count == 0 or cut > cuts[count - 1]:
            cuts[count] = cut
            count += 1
    return cuts[:count].copy()


@kernel
def _walk_back(before):
    """Return the nodes on the shortest path, both ends left out."""
    count, i = 0, before[-1]
    while i > 0:
        count, i = count + 1, before[i]
    path = np.empty(count, np.int64)
    i = before[-1]
    for k in range(count - 1, -1, -1):
        path[k], i = i, before[i]
    return path


@kernel
def _shortest_paths(search):
    """Return the length of the shortest path to each node, the node before it, and a count.

    In direction -1, these are the paths from each node to the last, and the node after it. The
    count is that of the costs that were evaluated.
    """
    end = search.nodes.shape[0] - 1
    paths = _Paths(np.zeros(end + 1), np.zeros(end + 1, np.int32), np.zeros(end + 1, np.int32))
    # The queue: starts, and the first node for which each is the best
    queue, takes_over = np.zeros(end + 1, np.int32), np.zeros(end + 1, np.int32)
    head = tail = evaluations = 0
    for j in range(1, end + 1):
        while head < tail and takes_over[head + 1] <= j:
            head += 1
        _extend(search, paths, np.int64(queue[head]), j)
        evaluations += 1
        wins = end + 1  # where j is known to be better than all starts in the queue
        while tail >= head and j < end:
            first = max(np.int64(takes_over[tail]), j + 1)
            loses, wins, n_tests = _bracket(search, paths, j, np.int64(queue[tail]), first, wins)
            evaluations += 2 * n_tests
            if loses >= first:
                break
            tail -= 1  # that start is never the best
        if wins <= end:
            tail += 1
            queue[tail], takes_over[tail] = j, wins
    lengths = paths.costs + search.lam * paths.pieces
    return lengths[:: search.direction].copy(), paths.before, evaluations


@inlined
def _extend(search, paths, start, j):
    """Make the path to a node that of an earlier one and one more piece."""
    a, b = _in_order(search, start, j)
    paths.costs[j] = paths.costs[start] + piece_cost(search.points, search.nodes, a, b)
    paths.pieces[j], paths.before[j] = paths.pieces[start] + 1, start


@inlined
def _bracket(search, paths, j, start, first, wins):
    """Find where j, as the start of the last piece, takes over from an earlier start.

    Return the last node for which it is known to lose (before ``first`` if there is none), the
    first for which it wins, and the number of tests. ``wins`` is such a node, or beyond the end.
    """
    end = search.nodes.shape[0] - 1
    loses, at, step = first - 1, first, 2 if end_column(search.nodes) else 1
    n_tests = 0
    while True:
        n_tests += 1
        if _is_ahead(search, paths, j, start, at):
            wins = at
        else:
            step = 2 * step if loses >= first else step
            loses = at
        if loses + 1 >= wins or loses >= end:
            return loses, wins, n_tests
        if wins <= end:
            at = min(loses + step, (loses + wins) // 2)
        else:
            at = min(loses + step, end) if step < _LEAP else end


@inlined
def _is_ahead(search, paths, j, start, at):
    """Return whether the path to a node is shorter from j than from an earlier start.

    Rough costs decide, unless they are too close. A path with more pieces must win by more than
    rounding; paths with equally many pieces are compared by their cost alone.
    """
    costs, pieces, lam = paths.costs, paths.pieces, search.lam
    a, b = _in_order(search, j, at)
    later = costs[j] + rough_cost(search.points, search.nodes, a, b)
    a, b = _in_order(search, start, at)
    earlier = costs[start] + rough_cost(search.points, search.nodes, a, b)
    penalty = lam * (pieces[j] - pieces[start])
    if abs(later - earlier + penalty) <= search.error:
        later = costs[j] + _exact_edge(search, j, at)
        earlier = costs[start] + _exact_edge(search, start, at)
    slack = _SLACK * lam if penalty != 0.0 else 0.0
    if later - earlier + penalty < -slack:
        return True
    shorter = min(later + lam * pieces[j], earlier + lam * pieces[start])
    return shorter > search.limit + search.error


@kernel
def _exact_edge(search, i, j):
    """Return the cost of the piece between two nodes that may be counted from the end."""
    a, b = _in_order(search, i, j)
    return piece_cost(search.points, search.nodes, a, b)


@inlined
def _in_order(search, i, j):
    """Return two nodes, which may be counted from the end, as they are in the table."""
    end = search.nodes.shape[0] - 1
    return (end - j, end - i) if search.direction < 0 else (i, j)
