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

Weights may differ by a factor of 1e12, so nothing is computed as the small difference of large
numbers. A fit only grows: a point adds what it costs at the new minimum, and what the points
before it cost more there than at the old one. The penalties are counted apart, as jumps, so that
fits are compared to their own rounding where the number of pieces is the same. A mean is kept in
double-double. What the last point adds to the ends of an arc is kept apart until they are cut.
"""

from __future__ import annotations

import numpy as np

from rankone._kernel import inlined, kernel
from rankone.cuts._double_double import two_sum

#: Holes narrower than this share of the level are rounding, and become no arc.
_NARROW = 1e-15

#: One more piece must be better by this share of the penalty, so that rounding does not decide.
SLACK = 2.0**-44

# Columns of an arc with p = 2.
_LEFT, _RIGHT, _WEIGHT, _MEAN, _MEAN_REST, _FIT, _JUMPS, _START = range(8)
_N_COLUMNS = 8

#: Arcs that there is room for at first.
FEW = 8


@kernel
def squared_scan(values, rests, weights, forced, lam, price):
    """Return the fit of the best pieces and the start of the last, for every number of points.

    ``price`` is T, or empty for the penalty ``lam``. A piece must start where ``forced`` is true.
    The points are ``values + rests``, where values leave something over; else rests are empty.
    """
    n = values.size
    fits, before = np.full(n + 1, np.inf), np.zeros(n + 1, np.int32)
    fits[0] = low = high = jumps = 0.0
    lam *= 1.0 + SLACK
    arcs, kept = np.empty((FEW, _N_COLUMNS)), np.empty((FEW, _N_COLUMNS))
    n_arcs = 0
    for t in range(n + 1):
        if t:
            x, w = values[t - 1], weights[t - 1] if weights.size else 1.0
            rest = rests[t - 1] if rests.size else 0.0
            for i in range(n_arcs):
                _add_to_parabola(arcs, i, x, rest, w)
                # The least value of an arc may lie beyond its ends: it is a cost all the same.
                if (arcs[i, _FIT] - fits[t]) + lam * (arcs[i, _JUMPS] - jumps) < 0.0:
                    fits[t], jumps = arcs[i, _FIT], arcs[i, _JUMPS]
                    before[t] = int(arcs[i, _START])
            jumps += 1.0
        limit = price[t] if price.size else fits[t]
        if forced[t]:
            low, high = range_of_part(values, forced, t)
            n_arcs = 0
        if 2 * n_arcs + 2 > kept.shape[0]:
            kept = np.empty((4 * n_arcs + 4, _N_COLUMNS))
        count, edge = 0, low
        for i in range(n_arcs):
            room = (limit - arcs[i, _FIT]) + lam * (jumps - arcs[i, _JUMPS])
            if room <= 0.0:
                continue
            left, right = _where_below(arcs, i, room)
            if left >= right:
                continue
            if _is_wide(edge, left):
                _new_parabola(kept, count, edge, left, limit, jumps, t)
                count += 1
                edge = left
            copy_arc(arcs, i, kept, count, _N_COLUMNS)
            kept[count, _LEFT], kept[count, _RIGHT] = edge, right
            count += 1
            edge = right
        if (_is_wide(edge, high) or count == 0) and limit < np.inf:
            _new_parabola(kept, count, edge, high, limit, jumps, t)
            count += 1
        arcs, kept, n_arcs = kept, arcs, count
    return fits, before


@inlined
def copy_arc(arcs, i, kept, j, n_columns):
    """Copy a row of one table of arcs to another."""
    for column in range(n_columns):  # a constant, so that the loop is unrolled
        kept[j, column] = arcs[i, column]


@inlined
def _where_below(arcs, i, room):
    """Return the part of an arc on which its function is less than its minimum plus room."""
    radius = np.sqrt(room / arcs[i, _WEIGHT])
    left = max(arcs[i, _LEFT], arcs[i, _MEAN] - radius)
    return left, min(arcs[i, _RIGHT], arcs[i, _MEAN] + radius)


@inlined
def _new_parabola(arcs, i, left, right, fit, jumps, t):
    """Make an arc on which the function is constant: a piece that starts after t points."""
    arcs[i, _LEFT], arcs[i, _RIGHT], arcs[i, _FIT] = left, right, fit
    arcs[i, _WEIGHT] = arcs[i, _MEAN] = arcs[i, _MEAN_REST] = 0.0
    arcs[i, _JUMPS], arcs[i, _START] = jumps, t


@inlined
def _add_to_parabola(arcs, i, x, rest, w):
    """Add ``w (x + rest - m)^2`` to the function of an arc."""
    old = arcs[i, _WEIGHT]
    arcs[i, _WEIGHT] += w
    step = (x - arcs[i, _MEAN]) + (rest - arcs[i, _MEAN_REST])
    share = step / arcs[i, _WEIGHT]
    arcs[i, _FIT] += step * (share * w) * old
    # The mean is found from the heavier side, to which it is nearer.
    if w <= old:
        arcs[i, _MEAN], error = two_sum(arcs[i, _MEAN], share * w)
        arcs[i, _MEAN_REST] += error
    else:
        arcs[i, _MEAN], error = two_sum(x, -(share * old))
        arcs[i, _MEAN_REST] = rest + error


@inlined
def _is_wide(left, right):
    return right - left > _NARROW * max(abs(left), abs(right))


@kernel
def range_of_part(values, forced, t):
    """Return the least and the largest value from point t up to the next forced cut."""
    low = high = values[min(t, values.size - 1)]
    while t < values.size:
        low, high = min(low, values[t]), max(high, values[t])
        t += 1
        if forced[t]:
            break
    return low, high
