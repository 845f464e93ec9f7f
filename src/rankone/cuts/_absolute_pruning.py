"""Functional pruning for p = 1; see `rankone.cuts._functional_pruning`.

What holds for one end of an arc holds for the other: a *side* is 0 for the left and 1 for the
right, in columns, in links and in the functions below. Slopes at an end are taken inwards, slopes
at the minimum outwards, so that these are never negative.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rankone._kernel import inlined, kernel
from rankone.cuts._functional_pruning import FEW, SLACK, copy_arc, range_of_part
from rankone.typing import FloatArray, IntArray

#: Ranks that share a counter, for finding the next kink.
_GROUP = 64

# Columns of an arc; those with a side are two. Its minimum is at the kink AT, or at an end.
_END, _VALUE, _INWARD, _OUTER, _OUTWARD = 0, 2, 4, 6, 8
_LEAST, _AT, _JUMPS, _START = 10, 11, 12, 13
_N_COLUMNS = 14
_NONE, _AT_END = -1, -2  # the minimum is at the end of a side: _AT_END - side


class _Kinks(NamedTuple):
    """The kinks of all arcs, by the rank of their level.

    Attributes
    ----------
    levels : ndarray
        The distinct values, ascending.
    rise : ndarray
        By how much the slope rises at each kink; 0 where there is none.
    links : ndarray of shape (2, n)
        The neighbours below and above in the same arc.
    in_group : ndarray
        The number of kinks among each `_GROUP` ranks.
    """

    levels: FloatArray
    rise: FloatArray
    links: IntArray
    in_group: IntArray


@kernel
def absolute_scan(values, ranks, levels, weights, forced, lam, price):
    """Return the fit of the best pieces and the start of the last, for every number of points.

    ``values`` are ``levels[ranks]``, levels ascending. The rest is as for p = 2.
    """
    n = ranks.size
    fits, before = np.full(n + 1, np.inf), np.zeros(n + 1, np.int32)
    fits[0] = low = high = jumps = w = 0.0
    lam *= 1.0 + SLACK
    links = np.full((2, levels.size), _NONE, np.int64)
    in_group = np.zeros(levels.size // _GROUP + 1, np.int64)
    kinks = _Kinks(levels, np.zeros(levels.size), links, in_group)
    arcs, kept = np.empty((FEW, _N_COLUMNS)), np.empty((FEW, _N_COLUMNS))
    n_arcs = rank = 0
    for t in range(n + 1):
        if t:
            rank, w = ranks[t - 1], weights[t - 1] if weights.size else 1.0
            for i in range(n_arcs):
                _move_minimum(arcs, i, rank, w, kinks)
                if (arcs[i, _LEAST] - fits[t]) + lam * (arcs[i, _JUMPS] - jumps) < 0.0:
                    fits[t], before[t] = arcs[i, _LEAST], int(arcs[i, _START])
                    jumps = arcs[i, _JUMPS]
            jumps += 1.0
        limit = price[t] if price.size else fits[t]
        if 2 * n_arcs + 2 > kept.shape[0]:
            kept = np.empty((4 * n_arcs + 4, _N_COLUMNS))
        if forced[t]:
            low, high = range_of_part(values, forced, t)
        count = 0
        edge = low
        for i in range(n_arcs):
            most = -np.inf if forced[t] else limit + lam * (jumps - arcs[i, _JUMPS])
            if arcs[i, _LEAST] >= most:
                _remove_kinks(arcs, i, kinks)
                continue
            for side in range(2):
                _cut_away(arcs, i, side, most, rank, w, kinks)
            _add_kink(arcs, i, rank, w, kinks)
            if edge < arcs[i, _END]:
                _new_arc(kept, count, edge, arcs[i, _END], limit, jumps, t)
                count += 1
            copy_arc(arcs, i, kept, count, _N_COLUMNS)
            edge = arcs[i, _END + 1]
            count += 1
        if (edge < high or count == 0) and limit < np.inf:
            _new_arc(kept, count, edge, high, limit, jumps, t)
            count += 1
        arcs, kept, n_arcs = kept, arcs, count
    return fits, before


@inlined
def _new_arc(arcs, i, left, right, fit, jumps, t):
    """Make an arc on which the function is constant: a piece that starts after t points."""
    arcs[i, _END], arcs[i, _END + 1] = left, right
    for side in range(2):
        arcs[i, _VALUE + side], arcs[i, _INWARD + side] = fit, 0.0
        arcs[i, _OUTER + side] = _NONE
    arcs[i, _LEAST], arcs[i, _AT] = fit, _AT_END
    arcs[i, _OUTWARD], arcs[i, _OUTWARD + 1] = np.inf, 0.0
    arcs[i, _JUMPS], arcs[i, _START] = jumps, t


@inlined
def _minimum(arcs, i, kinks):
    """Return the level at which the function of an arc is least."""
    at = int(arcs[i, _AT])
    return kinks.levels[at] if at >= 0 else arcs[i, _END + (_AT_END - at)]


@inlined
def _move_minimum(arcs, i, rank, w, kinks):
    """Move the minimum of an arc to where it is when ``w |x - m|`` is added.

    It moves towards x as long as the slope of the function without x is less than w.
    """
    x, place = kinks.levels[rank], _minimum(arcs, i, kinks)
    at, side = int(arcs[i, _AT]), 1 if x > place else 0
    while place != x and arcs[i, _OUTWARD + side] < w:
        slope = arcs[i, _OUTWARD + side]
        onward = int(arcs[i, _OUTER + 1 - side]) if at < 0 else kinks.links[side, at]
        to = arcs[i, _END + side] if onward == _NONE else kinks.levels[onward]
        if (x < to) if side else (x > to):
            at, to = rank, x
        elif onward == _NONE:
            at = _AT_END - side
            arcs[i, _OUTWARD + side] = np.inf
        else:
            at = onward
            arcs[i, _OUTWARD + side] += kinks.rise[onward]
        arcs[i, _LEAST] += slope * abs(to - place)
        arcs[i, _OUTWARD + 1 - side] = -slope
        place = to
    arcs[i, _AT] = at
    arcs[i, _LEAST] += w * abs(x - place)
    arcs[i, _OUTWARD] += -w if x < place else w
    arcs[i, _OUTWARD + 1] += -w if x > place else w


@inlined
def _cut_away(arcs, i, side, limit, rank, w, kinks):
    """Add the last point to the end of an arc, and cut away there what lies above the limit."""
    x, place = kinks.levels[rank], _minimum(arcs, i, kinks)
    end, before, slope = arcs[i, _END + side], arcs[i, _VALUE + side], arcs[i, _INWARD + side]
    value = before + w * abs(x - end)
    while value > limit:
        kink = int(arcs[i, _OUTER + side])
        stop = place if kink == _NONE else kinks.levels[kink]
        at_x = end < x < stop or stop < x < end
        if at_x:
            stop = x
        before_stop = before + slope * abs(stop - end)
        stop_value = before_stop + w * abs(x - stop)
        if stop_value <= limit or ((stop <= place) if side else (stop >= place)):
            break
        if not at_x:
            slope += kinks.rise[kink]
            _remove_kink(arcs, i, side, kink, kinks)
        end, before, value = stop, before_stop, stop_value
    inward = slope - w if ((x < end) if side else (x > end)) else slope + w
    if value > limit:
        # The new end is found from the stop, whose value is small enough to be accurate. Within
        # rounding of the limit the function may look flat; then the end stays where it is.
        value = limit
        if inward < 0.0:
            back = max(0.0, limit - stop_value) / inward
            end = max(stop, min(end, stop - back)) if side else min(stop, max(end, stop + back))
            value = stop_value - inward * abs(stop - end)
            if value > limit:  # the end was rounded outwards, where a new arc may be needed
                end = np.nextafter(end, stop)
                value = stop_value - inward * abs(stop - end)
        inward = slope - w if ((x < end) if side else (x > end)) else slope + w
    arcs[i, _END + side], arcs[i, _VALUE + side], arcs[i, _INWARD + side] = end, value, inward


@inlined
def _remove_kink(arcs, i, side, kink, kinks):
    """Take the outermost kink of a side out of the list of an arc."""
    inner = kinks.links[1 - side, kink]
    arcs[i, _OUTER + side] = inner
    if inner == _NONE:
        arcs[i, _OUTER + 1 - side] = _NONE
    else:
        kinks.links[side, inner] = _NONE
    kinks.rise[kink] = 0.0
    kinks.in_group[kink // _GROUP] -= 1


@inlined
def _remove_kinks(arcs, i, kinks):
    """Take all kinks out of the list of an arc."""
    while arcs[i, _OUTER] != _NONE:
        _remove_kink(arcs, i, 0, int(arcs[i, _OUTER]), kinks)


@inlined
def _add_kink(arcs, i, rank, w, kinks):
    """Put the kink of the last point into the list of an arc, if it lies within."""
    if not arcs[i, _END] < kinks.levels[rank] < arcs[i, _END + 1]:
        if arcs[i, _AT] == rank and kinks.rise[rank] == 0.0:  # the arc now ends at its minimum
            side = 0 if kinks.levels[rank] <= arcs[i, _END] else 1
            arcs[i, _AT], arcs[i, _OUTWARD + side] = _AT_END - side, np.inf
        return
    known = kinks.rise[rank] > 0.0
    kinks.rise[rank] += 2.0 * w
    if known:
        return
    kinks.in_group[rank // _GROUP] += 1
    first, last = int(arcs[i, _OUTER]), int(arcs[i, _OUTER + 1])
    if first == _NONE or rank < first:
        above, below = first, _NONE
    elif rank > last:
        above, below = _NONE, last
    else:
        above = rank + 1
        while kinks.rise[above] == 0.0:
            above += 1
            while above % _GROUP == 0 and kinks.in_group[above // _GROUP] == 0:
                above += _GROUP
        below = kinks.links[0, above]
    kinks.links[0, rank], kinks.links[1, rank] = below, above
    if below == _NONE:
        arcs[i, _OUTER] = rank
    else:
        kinks.links[1, below] = rank
    if above == _NONE:
        arcs[i, _OUTER + 1] = rank
    else:
        kinks.links[0, above] = rank
