r"""The shortest path through a table of nodes, where a step is a piece and costs ``lam`` more.

On sorted values the cost of ``_pieces`` is Monge: for i < i' < j < j',
``c(i, j) + c(i', j') <= c(i, j') + c(i', j)``. So once a later start of the last piece beats an
earlier one, it does for ever, and a queue of starts, with the node where each takes over from the
one before, replaces the table of all pairs. That node is found by doubling the step, then by
bisection: a few evaluations of the cost for each node.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rankone._kernel import inlined, kernel
from rankone.cuts._nodes import Points, end_column
from rankone.cuts._pieces import piece_cost, rough_cost
from rankone.typing import FloatArray, IntArray

#: A search that has come this far first tests whether there is anything to find.
_LEAP = 16

#: Of two paths with different numbers of pieces, that from the later start must win by this share
#: of the penalty, so that rounding does not decide. In total this is at most the same share of the
#: objective.
SLACK = 2.0**-44


class Search(NamedTuple):
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
def walk_back(before):
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
def shortest_paths(search):
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
        at = next_node(loses, wins, step, end)


@inlined
def next_node(loses, wins, step, end):
    """Return where to test next for a start that loses at one node, and wins at a later one."""
    if wins <= end:
        return min(loses + step, (loses + wins) // 2)
    return min(loses + step, end) if step < _LEAP else end


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
    slack = SLACK * lam if penalty != 0.0 else 0.0
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
