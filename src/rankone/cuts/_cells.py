r"""The best partition of a sorted vector into pieces, at a price of ``lam`` for one more piece.

.. math:: \min_{0 = t_0 < t_1 < \dots < t_k = n} \sum_{i=1}^{k} c(t_{i-1}, t_i) + \lambda (k - 1)

Most positions cannot hold a cut of the best partition, and a bound rules out whole groups of them.
Let a *cell* be a run of positions, and take a partition that cuts inside it. Move the points inside
the cell towards the piece they are in, onto the value at the far end of the cell: the cost does not
rise, since a map that shortens distances lowers the cost of every level. How the cost depends on
the weights that cells put into their lower pieces is now a minimum, over levels, of linear
functions: concave, and least where all of a cell is on one side. So a cell is two nodes, at which
its points are a lump at the end of one piece or of the other, and the shortest path through such
nodes is a lower bound. (Two cuts in one cell are covered too: a piece inside a cell costs nothing.)
These costs are still Monge: with a and b the best levels of c(i, j') and c(i', j), put min(a, b)
for c(i, j) and max(a, b) for c(i', j'). Where an end moves on, weight moves outward, from y to z
say, and ``|t - a|^p - |t - b|^p`` grows outward. So the queue of ``_monge`` serves here as well;
forwards and backwards it gives the bound through every cell at once. The path itself, rounded to
positions, gives an upper bound. Cells above it go, the others are divided, and the last round is
the shortest path through the positions that are left. A path that is rounded within large cells may
be a poor bound, where a few values are far from all others, say: until it is a good one, only the
cells that it goes through are divided.

For p = 1 and 2 there are tighter bounds, with a single node for each cell: see ``_corners``. They
are computed in plain doubles, and used wherever these are precise enough.

**Intervals.** Nothing of this needs the values inside a cell: only its ends, and the sums of what
lies between cells. So it also rules out cuts within points that are intervals of values. Cells
then *touch*: they share a position, so that together they cover each point. For p = 1 a point that
holds the median of a piece counts as if its weight were on its mean, which lowers the cost; upper
bounds add what that may have left out.

For k clusters about ``k^1.5`` cells were seen to survive a round, whatever n, and more where other
partitions are nearly as good. Where nothing is left out, the rounds cost less than the last one,
and the number of evaluations is linear in n.
"""

from __future__ import annotations

import numpy as np

from rankone._kernel import kernel
from rankone.cuts._corners import are_precise, bounds_by_corners
from rankone.cuts._guess import first_cells, guess_cuts
from rankone.cuts._monge import SLACK, Search, shortest_paths, walk_back
from rankone.cuts._nodes import cell_nodes, first_position, last_position, position_nodes
from rankone.cuts._pieces import median_point, piece_cost, rough_error

#: Parts that a surviving cell is divided into.
_PARTS = 3

#: While the bounds are further apart than this, in units of lam, only cells near the shortest path
#: are divided: the others may all go once there is a better upper bound.
_CLOSE = 0.5

#: Cells per cut from which on it pays to divide only these.
_MANY = 8

#: How much longer, in units of lam, a path near the shortest one is.
_NEAR = 2.0**-8

#: Smaller cells do not pay if the round before left out none.
_FUTILE = 40

#: Evaluations per value after which the search by cells ends.
_PATIENCE = 20

#: The relative accuracy of the lengths of paths, and of bounds from which errors are subtracted.
_ROUNDING, _PRECISE = 1e-10, 1e-12


@kernel
def best_cuts(points, lam):
    """Return the cuts of the best partition, and how many costs were evaluated for it."""
    n = points.values.size
    low, high = all_positions(n)
    return best_cuts_within(points, lam, low, high, lam * n)


@kernel
def best_cuts_within(points, lam, low, high, upper):
    """Return the cuts of the best partition that cuts in cells only, and a count of costs.

    Its objective is at most ``upper``.
    """
    low, high, upper, evaluations = narrow(points, lam, low, high, upper, 0)
    positions = _ends_and_between(low, high, points.values.size)
    nodes = position_nodes(points, positions)
    limit = (upper + lam) * (1.0 + _ROUNDING)
    error = rough_error(points) + SLACK * lam
    search = Search(points, nodes, lam, limit, error, np.int64(1))
    _, before, count = shortest_paths(search)
    return positions[walk_back(before)], evaluations + count


@kernel
def narrow(points, lam, low, high, upper, touch):
    """Divide cells, and leave out those in which the best partition does not cut.

    Return the first and last positions of the cells that are left, mostly a few positions each; an
    upper bound of the least objective; and how many costs were evaluated. With ``touch`` = 1, cells
    share their ends, and are divided until each is a single point.
    """
    n = points.values.size
    places, evaluations = low[:0], 0
    if points.p == 1.0 or points.p == 2.0:  # others read the points of every piece
        places, cuts, evaluations = guess_cuts(points, lam, low, high, touch)
        upper = min(upper, _upper_bound(points, lam, cuts, touch))
    low, high = first_cells(low, high, touch, places)
    corners = are_precise(points, lam, places.size)
    while evaluations < _PATIENCE * n and low.size > 0:
        excess = (high - low).sum() - touch * low.size
        are_many = touch == 0 and _FUTILE * low.size > n
        if touch == 0 and excess <= (_PARTS - 1) * low.size and (are_many or not corners):
            break
        if corners:
            bounds, lower, cuts, count = bounds_by_corners(points, lam, low, high)
        else:
            bounds, lower, cuts, count = _bounds_by_lumps(points, lam, low, high, upper)
        upper = min(upper, _upper_bound(points, lam, cuts, touch))
        evaluations += count + cuts.size + 1
        n_cells = low.size
        limit = upper * (1.0 + (_PRECISE if corners else _ROUNDING))
        is_close = upper - lower < _CLOSE * lam or low.size < _MANY * cuts.size
        near = limit if is_close else lower + _NEAR * lam
        low, high = _divide(low, high, bounds, limit, near, touch)
        if excess == 0:
            break  # cells are single positions or, if they touch, single points
        if touch == 0 and excess <= low.size and 2 * low.size > n_cells:
            break  # cells are nearly so, and half of them are left
        if are_many and low.size == _PARTS * n_cells:
            break  # nothing was left out, and little would be
    return low, high, upper, evaluations


@kernel
def _bounds_by_lumps(points, lam, low, high, upper):
    """Bound the objective of partitions that cut in each cell, and that of all.

    Also return the cuts of a good partition, and how many costs were evaluated.
    """
    nodes = cell_nodes(points, low, high)
    limit = (upper + lam) * (1.0 + _ROUNDING)
    error = rough_error(points) + SLACK * lam
    ahead, back = np.int64(1), np.int64(-1)  # not literals, for each of which numba would compile
    to, before, count = shortest_paths(Search(points, nodes, lam, limit, error, ahead))
    since, _, count_back = shortest_paths(Search(points, nodes, lam, limit, error, back))
    through = to + since - lam
    bounds = np.minimum(through[1:-1:2], through[2:-1:2])
    return bounds, to[-1] - lam, _cuts_near(nodes, walk_back(before)), count + count_back


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
def _upper_bound(points, lam, cuts, touch):
    """Return the objective of a partition, or a bound of it if points may be intervals."""
    objective = partition_cost(points, cuts) + lam * cuts.size
    if touch and points.p == 1.0:
        objective += _spread_at_medians(points, cuts)
    return objective


@kernel
def _spread_at_medians(points, cuts):
    """Bound by how much pieces cost more than if medians were single values.

    Values of weight w in an interval of length d are at most w d / 2 from their mean, in total.
    """
    positions = _ends_and_between(cuts, cuts, points.values.size)
    nodes = position_nodes(points, positions)
    total = 0.0
    for i in range(positions.size - 1):
        h = median_point(points, nodes, i, i + 1)
        total += 0.5 * points.weights[h] * (points.highs[h] - points.lows[h])
    return total


@kernel
def all_positions(n):
    """Return one cell of the positions 1 ... n - 1, or none."""
    low = np.ones(min(1, n - 1), np.int64)
    return low, low * (n - 1)


@kernel
def _divide(low, high, bounds, limit, near, touch):
    """Keep the cells that a path within the limit may go through, and divide those of near paths.

    If none of these can be divided, all others are.
    """
    first = np.empty(_PARTS * low.size, np.int64)
    last = np.empty(_PARTS * low.size, np.int64)
    while True:
        count = n_kept = 0
        for g in range(low.size):
            if bounds[g] <= limit:
                n_kept += 1
                size = high[g] - low[g] + 1 - touch
                n_parts = min(_PARTS, size) if bounds[g] <= near else 1
                for part in range(n_parts):
                    first[count] = low[g] + part * size // n_parts
                    last[count] = low[g] + (part + 1) * size // n_parts - 1 + touch
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
