"""A good partition found quickly, and cells that are small near its cuts.

To show that a partition is the best, cells must be small near its cuts only: the further a cell is
from all of them, the more a cut inside it costs, and the larger it may be. The partition is found
on a few positions first, then on finer and finer ones next to the cuts of the one before. It need
not be the best.

Positions are counted along the cells that they must lie in, without the gaps between these.
"""

from __future__ import annotations

import numpy as np

from rankone._kernel import inlined, kernel
from rankone.cuts._corners import best_of_positions, has_gains
from rankone.cuts._monge import SLACK, Search, shortest_paths, walk_back
from rankone.cuts._nodes import position_nodes
from rankone.cuts._pieces import rough_error

#: Positions of the first partition.
_COARSE = 256

#: How much finer positions become, and how many there are on either side of a cut.
_FINER, _ASIDE = 4, 6

#: Cells, of equal size, if there is no cut.
_EVEN = 128

#: The distance of a cell from the nearest cut, in units of its size.
_FAR = 2.5

#: Cells for each cut and the square root of their number, so that the bounds for partitions into
#: more and fewer pieces, which cut far from these cuts, are good as well.
_PER_CUT = 16.0


@kernel
def guess_cuts(points, lam, low, high, touch):
    """Return the cuts of a good partition that cuts in cells, and a count of costs.

    The cuts are returned as they are counted along the cells, and as positions.
    """
    starts = _starts(low, high, touch)
    size = starts[-1]
    spacing = max(1, size // _COARSE)
    chosen = np.arange(spacing // 2, size, spacing)
    cuts, evaluations = _best_of(points, lam, chosen, low, starts)
    while spacing > 1:
        spacing = max(1, spacing // _FINER)
        chosen = _beside(cuts, spacing, size)
        cuts, count = _best_of(points, lam, chosen, low, starts)
        evaluations += count
    return cuts, _positions_of(cuts, low, starts), evaluations


@kernel
def first_cells(low, high, touch, cuts):
    """Divide cells into smaller ones, the smaller the nearer to a cut."""
    starts = _starts(low, high, touch)
    edges = _graded_edges(cuts, starts[-1])
    first = np.empty(edges.size + low.size, np.int64)
    last = np.empty(edges.size + low.size, np.int64)
    count, e = 0, 0
    for g in range(low.size):
        here = starts[g]
        while here < starts[g + 1]:
            while e < edges.size and edges[e] <= here:
                e += 1
            end = min(edges[e], starts[g + 1]) if e < edges.size else starts[g + 1]
            first[count] = low[g] + (here - starts[g])
            last[count] = low[g] + (end - starts[g]) - 1 + touch
            count += 1
            here = end
    return first[:count].copy(), last[:count].copy()


@kernel
def _positions_of(places, low, starts):
    """Return the positions that are counted as these, which ascend."""
    positions = np.empty(places.size, np.int64)
    g = 0
    for i in range(places.size):
        while starts[g + 1] <= places[i]:
            g += 1
        positions[i] = low[g] + (places[i] - starts[g])
    return positions


@kernel
def _starts(low, high, touch):
    """Return how many positions there are before each cell, and in all."""
    starts = np.zeros(low.size + 1, np.int64)
    starts[1:] = np.cumsum(high - low + 1 - touch)
    return starts


@kernel
def _best_of(points, lam, chosen, low, starts):
    """Return those of the chosen positions where the best partition cuts, and a count of costs."""
    inner = _positions_of(chosen, low, starts)
    if has_gains(points):
        best, count = best_of_positions(points, lam, inner)
        return chosen[best], count
    positions = np.zeros(chosen.size + 2, np.int64)
    positions[1:-1] = inner
    positions[-1] = points.values.size
    nodes = position_nodes(points, positions)
    error = rough_error(points) + SLACK * lam
    search = Search(points, nodes, lam, np.inf, error, np.int64(1))
    _, before, count = shortest_paths(search)
    return chosen[walk_back(before) - 1], count


@kernel
def _beside(cuts, spacing, size):
    """Return the positions at multiples of the spacing from the cuts."""
    chosen = np.empty((2 * _ASIDE + 1) * cuts.size, np.int64)
    count = 0
    for cut in cuts:
        for j in range(-_ASIDE, _ASIDE + 1):
            place = cut + j * spacing
            if 0 <= place < size and (count == 0 or place > chosen[count - 1]):
                chosen[count] = place
                count += 1
    return chosen[:count].copy()


@kernel
def _graded_edges(cuts, size):
    """Return where cells end, from 0 to ``size``, all but the first."""
    if cuts.size == 0:
        n_cells = max(1, min(_EVEN, size // 3))
        return np.arange(1, n_cells + 1) * size // n_cells
    fine = 2 + int(1.3 * np.sqrt(cuts.size))
    largest = 1 + int(size / (_PER_CUT * cuts.size**1.5 + 1.0))
    edges = np.empty(size + 1, np.int64)
    count, here = 0, 0
    for i in range(cuts.size + 1):
        target = cuts[i] if i < cuts.size else size
        begin = here
        # Away from the cut before: sizes grow up to the middle; then they shrink.
        middle = (begin + target) // 2 if 0 < i < cuts.size else (0 if i == 0 else size)
        while here < middle:
            here = min(here + _step(here - begin, fine, largest), middle)
            edges[count] = here
            count += 1
        while here < target:
            left = target - here
            here += min(_step(int(left / (1.0 + 1.0 / _FAR)), fine, largest), left)
            edges[count] = here
            count += 1
    return edges[:count].copy()


@inlined
def _step(distance, fine, largest):
    """Return the size of a cell at a distance from the nearest cut."""
    return min(max(1, int(distance / _FAR)), largest) if distance > fine else 1
