"""Groups, or sections of a gradient: whether there is a valley between the sides of a split.

A factor without groups replicates as well as groups do, so replication does not answer this. The
rows of a node are dealt into two folds. Each fold adapts the split on its own, and the line through
the means of its sides gives scores to the rows of the *other* fold, which had no say in it. If
these scores, of both folds together, have one mode (Hartigan's dip test), the split is a section
of a gradient. The p-value is the median of several deals, as one alone depends on chance.

Both folds are scored from one origin, the mean of all rows. From an origin of its own, such as the
middle between the sides of the cut, a fold whose line leads to an outlier would have all its scores
on one side, those of the other fold might lie on the other, and there would be a valley in between.
"""

from __future__ import annotations

import numpy as np

from rankone._arithmetic import ratio
from rankone.selection.dip import dip_test
from rankone.tree.partitions import means_of, settle
from rankone.typing import BoolArray, FloatArray, IntArray

__all__ = ["LEVEL", "valley"]

#: Splits whose p-value is below this level separate groups.
LEVEL = 0.05

#: How often rows are dealt; fewer rows than this in a fold say nothing.
DEALS, FEWEST = 5, 4

#: Rows of a node that are tested; larger nodes are sampled.
MOST_ROWS = 2**12


def valley(points: FloatArray, upper: BoolArray) -> float:
    """Return the p-value of one mode along the direction that splits points in two.

    Parameters
    ----------
    points : ndarray of shape (m, r)
        The rows of a node, in any order.
    upper : ndarray of bool of shape (m,)
        Which of them are on the upper side of the split.
    """
    if points.shape[0] < 2 * FEWEST:
        return 1.0
    random = np.random.default_rng(0)
    deals = [random.permutation(points.shape[0])[:MOST_ROWS] for _ in range(DEALS)]
    return float(np.median([_p_value(points[rows], upper[rows].astype(np.intp)) for rows in deals]))


def _p_value(points: FloatArray, sides: IntArray) -> float:
    """Return the p-value of one deal: every other row is in the first fold."""
    points = points - points.mean(axis=0)
    folds = [np.ascontiguousarray(points[start::2]) for start in (0, 1)]
    first, second = (_line(fold, sides[start::2]) for start, fold in enumerate(folds))
    return dip_test(np.concatenate([folds[0] @ second, folds[1] @ first])).p_value


def _line(points: FloatArray, sides: IntArray) -> FloatArray:
    """Return the line along which the sides of a split are one apart; zeros if there is none.

    Its product with the difference of the means of both sides is one.
    """
    if sides.min() == sides.max():
        return np.zeros(points.shape[1])
    sides = settle(points, np.ones(sides.size), sides, 2)
    lower, upper = means_of(points, sides, 2)
    return ratio(upper - lower, (upper - lower) @ (upper - lower))
