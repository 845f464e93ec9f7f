r"""The best partition of a signal into contiguous pieces, by functional pruning.

Let Q_t(m) be the least objective of the first t points if the last piece has level m. Then

.. math:: Q_t(m) = \min\bigl(Q_{t-1}(m),\; T_{t-1}\bigr) + w_t |x_t - m|^p,
   \qquad F_t = \min_m Q_t(m),

where T is the price of starting a new piece: ``F_{t-1} + lam`` for a penalty, or the F of one
piece less for a given number of pieces. Q is a minimum of convex functions, one for each start of
the last piece that is still the best for some level. Only these are kept, as *arcs*: intervals of
levels with the function there. A new point adds the same to all arcs; then what lies above the new
T is cut away from each arc, which leaves an interval since the function is convex, and the holes
become one new arc each (Rigaill 2010; Maidstone et al. 2017). Few arcs live at a time, so the work
is nearly linear in n, and no candidate is dropped that could become the best.

Where a cut is certain (``forced``), all arcs end, and the levels of the part that begins there are
those between its least and its largest value.

- p = 2: the function of an arc is a parabola, kept as weight, mean and least value.
- p = 1: it is piecewise linear with a kink at each point since the arc's start that lies inside the
  arc. A kink lies in one arc only, so one linked list over the ranks of the values serves all arcs;
  an arc keeps value and slope at its ends and at its minimum. A kink that is cut away is gone.
"""

from __future__ import annotations

import numpy as np

from rankone._kernel import inlined, kernel

#: Holes narrower than this share of the level are rounding, and become no arc.
_NARROW = 1e-15

#: One more piece must be better by this share of the penalty, so that rounding does not decide.
_SLACK = 2.0**-44

#: Ranks that share a counter, for finding the next kink.
_GROUP = 64


@kernel
def squared_scan(values, weights, forced, lam, price):
    """Return F and the start of the last piece, for every number of points, with p = 2.

    ``price`` is T, or empty for the penalty ``lam``. A piece must start where ``forced`` is true.
    """
    n = values.size
    best, before = np.full(n + 1, np.inf), np.zeros(n + 1, np.int32)
    best[0] = low = high = 0.0
    # Arcs: left end, right end, weight, mean, least value, start of the last piece.
    arcs, kept = np.empty((8, 6)), np.empty((8, 6))
    n_arcs = 0
    for t in range(n + 1):
        if t:
            x, w = values[t - 1], weights[t - 1] if weights.size else 1.0
            for i in range(n_arcs):
                arcs[i, 2] += w
                step = x - arcs[i, 3]
                arcs[i, 3] += step * w / arcs[i, 2]
                arcs[i, 4] += step * w * (x - arcs[i, 3])
                m = min(max(arcs[i, 3], arcs[i, 0]), arcs[i, 1])
                value = arcs[i, 4] + arcs[i, 2] * (m - arcs[i, 3]) ** 2
                if value < best[t]:
                    best[t], before[t] = value, int(arcs[i, 5])
        limit = price[t] if price.size else best[t] + (lam * (1.0 + _SLACK) if t else 0.0)
        if forced[t]:
            low, high = _range_of_part(values, forced, t)
            n_arcs = 0
        if 2 * n_arcs + 2 > kept.shape[0]:
            kept = np.empty((4 * n_arcs + 4, 6))
        count = 0
        edge = low
        for i in range(n_arcs):
            room = limit - arcs[i, 4]
            if room <= 0.0:
                continue
            radius = np.sqrt(room / arcs[i, 2])
            left = max(arcs[i, 0], arcs[i, 3] - radius)
            right = min(arcs[i, 1], arcs[i, 3] + radius)
            if left >= right:
                continue
            if _is_wide(edge, left):
                _new_parabola(kept, count, edge, left, limit, t)
                count += 1
                edge = left
            for column in range(6):
                kept[count, column] = arcs[i, column]
            kept[count, 0], kept[count, 1] = edge, right
            count += 1
            edge = right
        if (_is_wide(edge, high) or count == 0) and limit < np.inf:
            _new_parabola(kept, count, edge, high, limit, t)
            count += 1
        arcs, kept, n_arcs = kept, arcs, count
    return best, before


@inlined
def _new_parabola(arcs, i, left, right, value, t):
    """Make an arc on which the function is constant: a piece that starts after t points."""
    arcs[i, 0], arcs[i, 1] = left, right
    arcs[i, 2], arcs[i, 3], arcs[i, 4] = 0.0, left, value
    arcs[i, 5] = t


@inlined
def _is_wide(left, right):
    return right - left > _NARROW * max(abs(left), abs(right))


@kernel
def _range_of_part(values, forced, t):
    """Return the least and the largest value from point t up to the next forced cut."""
    low = high = values[min(t, values.size - 1)]
    while t < values.size:
        low, high = min(low, values[t]), max(high, values[t])
        t += 1
        if forced[t]:
            break
    return low, high


# Columns of an arc with p = 1. Its minimum is at the kink AT, or at its left or right end.
_LEFT, _RIGHT, _LEFT_VALUE, _LEFT_SLOPE, _RIGHT_VALUE, _RIGHT_SLOPE = 0, 1, 2, 3, 4, 5
_LEAST, _SLOPE_BELOW, _SLOPE_ABOVE, _AT, _FIRST, _LAST, _START = 6, 7, 8, 9, 10, 11, 12
_NONE, _AT_LEFT, _AT_RIGHT = -1, -2, -3


@kernel
def absolute_scan(values, ranks, levels, weights, forced, lam, price):
    """Return F and the start of the last piece, for every number of points, with p = 1.

    ``values`` are ``levels[ranks]``, levels ascending. The rest is as for p = 2.
    """
    n = ranks.size
    best, before = np.full(n + 1, np.inf), np.zeros(n + 1, np.int32)
    best[0] = low = high = 0.0
    # Kinks, by rank: the rise of the slope (0 for none), and the neighbours in the same arc.
    rise = np.zeros(levels.size)
    previous = np.full(levels.size, _NONE, np.int64)
    following = np.full(levels.size, _NONE, np.int64)
    in_group = np.zeros(levels.size // _GROUP + 1, np.int64)
    arcs, kept = np.empty((8, 13)), np.empty((8, 13))
    n_arcs = 0
    for t in range(n + 1):
        if t:
            w = weights[t - 1] if weights.size else 1.0
            for i in range(n_arcs):
                _add_point(arcs, i, ranks[t - 1], w, levels, rise, previous, following, in_group)
                if arcs[i, _LEAST] < best[t]:
                    best[t], before[t] = arcs[i, _LEAST], int(arcs[i, _START])
        limit = price[t] if price.size else best[t] + (lam * (1.0 + _SLACK) if t else 0.0)
        if 2 * n_arcs + 2 > kept.shape[0]:
            kept = np.empty((4 * n_arcs + 4, 13))
        if forced[t]:
            low, high = _range_of_part(values, forced, t)
        count = 0
        edge = low
        for i in range(n_arcs):
            most = -np.inf if forced[t] else limit
            if not _cut_away(arcs, i, most, levels, rise, previous, following, in_group):
                continue
            if _is_wide(edge, arcs[i, _LEFT]):
                _new_arc(kept, count, edge, arcs[i, _LEFT], limit, t)
                count += 1
            for column in range(13):
                kept[count, column] = arcs[i, column]
            edge = arcs[i, _RIGHT]
            count += 1
        if (_is_wide(edge, high) or count == 0) and limit < np.inf:
            _new_arc(kept, count, edge, high, limit, t)
            count += 1
        arcs, kept, n_arcs = kept, arcs, count
    return best, before


@inlined
def _new_arc(arcs, i, left, right, value, t):
    """Make an arc on which the function is constant: a piece that starts after t points."""
    arcs[i, _LEFT], arcs[i, _RIGHT], arcs[i, _START] = left, right, t
    arcs[i, _LEFT_VALUE] = arcs[i, _RIGHT_VALUE] = arcs[i, _LEAST] = value
    arcs[i, _LEFT_SLOPE] = arcs[i, _RIGHT_SLOPE] = arcs[i, _SLOPE_ABOVE] = 0.0
    arcs[i, _SLOPE_BELOW] = -np.inf
    arcs[i, _AT] = _AT_LEFT
    arcs[i, _FIRST] = arcs[i, _LAST] = _NONE


@inlined
def _add_point(arcs, i, rank, w, levels, rise, previous, following, in_group):
    """Add ``w |x - m|`` to the function of an arc."""
    x = levels[rank]
    arcs[i, _LEFT_VALUE] += w * abs(x - arcs[i, _LEFT])
    arcs[i, _LEFT_SLOPE] += w if x <= arcs[i, _LEFT] else -w
    arcs[i, _RIGHT_VALUE] += w * abs(x - arcs[i, _RIGHT])
    arcs[i, _RIGHT_SLOPE] += w if x < arcs[i, _RIGHT] else -w
    at = int(arcs[i, _AT])
    place = arcs[i, _LEFT] if at == _AT_LEFT else arcs[i, _RIGHT] if at == _AT_RIGHT else levels[at]
    arcs[i, _LEAST] += w * abs(x - place)
    arcs[i, _SLOPE_BELOW] += w if x < place else -w
    arcs[i, _SLOPE_ABOVE] += w if x <= place else -w
    if arcs[i, _LEFT] < x < arcs[i, _RIGHT]:
        _add_kink(arcs, i, rank, 2.0 * w, rise, previous, following, in_group)
    # The minimum moves to the kink, or to the end, where the slope changes its sign.
    while arcs[i, _SLOPE_ABOVE] < 0.0 and at != _AT_RIGHT:
        onward = int(arcs[i, _FIRST]) if at == _AT_LEFT else following[at]
        to = arcs[i, _RIGHT] if onward == _NONE else levels[onward]
        arcs[i, _LEAST] += arcs[i, _SLOPE_ABOVE] * (to - place)
        arcs[i, _SLOPE_BELOW] = arcs[i, _SLOPE_ABOVE]
        arcs[i, _SLOPE_ABOVE] = np.inf if onward == _NONE else arcs[i, _SLOPE_ABOVE] + rise[onward]
        at, place = _AT_RIGHT if onward == _NONE else onward, to
    while arcs[i, _SLOPE_BELOW] > 0.0 and at != _AT_LEFT:
        onward = int(arcs[i, _LAST]) if at == _AT_RIGHT else previous[at]
        to = arcs[i, _LEFT] if onward == _NONE else levels[onward]
        arcs[i, _LEAST] -= arcs[i, _SLOPE_BELOW] * (place - to)
        arcs[i, _SLOPE_ABOVE] = arcs[i, _SLOPE_BELOW]
        arcs[i, _SLOPE_BELOW] = -np.inf if onward == _NONE else arcs[i, _SLOPE_BELOW] - rise[onward]
        at, place = _AT_LEFT if onward == _NONE else onward, to
    arcs[i, _AT] = at


@inlined
def _add_kink(arcs, i, rank, jump, rise, previous, following, in_group):
    """Put a kink into the list of an arc."""
    if rise[rank] > 0.0:
        rise[rank] += jump
        return
    rise[rank] = jump
    in_group[rank // _GROUP] += 1
    first, last = int(arcs[i, _FIRST]), int(arcs[i, _LAST])
    if first == _NONE or rank < first:
        above, below = first, _NONE
    elif rank > last:
        above, below = _NONE, last
    else:
        above = rank + 1
        while rise[above] == 0.0:
            above += 1
            while above % _GROUP == 0 and in_group[above // _GROUP] == 0:
                above += _GROUP
        below = previous[above]
    previous[rank], following[rank] = below, above
    if below == _NONE:
        arcs[i, _FIRST] = rank
    else:
        following[below] = rank
    if above == _NONE:
        arcs[i, _LAST] = rank
    else:
        previous[above] = rank


@inlined
def _cut_away(arcs, i, limit, levels, rise, previous, following, in_group):
    """Cut away what lies above the limit from both ends of an arc; say whether anything is left."""
    dead = arcs[i, _LEAST] >= limit
    while arcs[i, _FIRST] != _NONE and (dead or arcs[i, _LEFT_VALUE] > limit):
        kink = int(arcs[i, _FIRST])
        value = arcs[i, _LEFT_VALUE] + arcs[i, _LEFT_SLOPE] * (levels[kink] - arcs[i, _LEFT])
        if not dead and (value <= limit or kink == int(arcs[i, _AT])):
            break
        arcs[i, _LEFT], arcs[i, _LEFT_VALUE] = levels[kink], value
        arcs[i, _LEFT_SLOPE] += rise[kink]
        arcs[i, _FIRST] = following[kink]
        if following[kink] == _NONE:
            arcs[i, _LAST] = _NONE
        else:
            previous[following[kink]] = _NONE
        rise[kink] = 0.0
        in_group[kink // _GROUP] -= 1
    if dead:
        return False
    while arcs[i, _LAST] != _NONE and arcs[i, _RIGHT_VALUE] > limit:
        kink = int(arcs[i, _LAST])
        value = arcs[i, _RIGHT_VALUE] - arcs[i, _RIGHT_SLOPE] * (arcs[i, _RIGHT] - levels[kink])
        if value <= limit or kink == int(arcs[i, _AT]):
            break
        arcs[i, _RIGHT], arcs[i, _RIGHT_VALUE] = levels[kink], value
        arcs[i, _RIGHT_SLOPE] -= rise[kink]
        arcs[i, _LAST] = previous[kink]
        if previous[kink] == _NONE:
            arcs[i, _FIRST] = _NONE
        else:
            following[previous[kink]] = _NONE
        rise[kink] = 0.0
        in_group[kink // _GROUP] -= 1
    # Within rounding of the limit an end may look flat; then it stays where it is.
    if arcs[i, _LEFT_VALUE] > limit:
        end = arcs[i, _RIGHT] if arcs[i, _FIRST] == _NONE else levels[int(arcs[i, _FIRST])]
        if arcs[i, _LEFT_SLOPE] < 0.0:
            step = (limit - arcs[i, _LEFT_VALUE]) / arcs[i, _LEFT_SLOPE]
            arcs[i, _LEFT] = min(end, arcs[i, _LEFT] + step)
        arcs[i, _LEFT_VALUE] = limit
    if arcs[i, _RIGHT_VALUE] > limit:
        end = arcs[i, _LEFT] if arcs[i, _LAST] == _NONE else levels[int(arcs[i, _LAST])]
        if arcs[i, _RIGHT_SLOPE] > 0.0:
            step = (limit - arcs[i, _RIGHT_VALUE]) / arcs[i, _RIGHT_SLOPE]
            arcs[i, _RIGHT] = max(end, arcs[i, _RIGHT] + step)
        arcs[i, _RIGHT_VALUE] = limit
    return True
