"""Groups, or sections of a gradient: whether there is a valley between the sides of a split.

A factor without groups replicates as well as groups do, so replication does not answer this. The
rows of a node are dealt into two folds. Each fold is cut in two on its own, and the line through
the means of its sides gives scores to the rows of the *other* fold, which had no say in it. If
these scores, of both folds together, have one mode (Hartigan's dip test), the split is a section
of a gradient.

Both folds are scored from one origin, the mean of all rows. From an origin of its own, such as the
middle between the sides of the cut, a fold whose line leads to an outlier would have all its scores
on one side, those of the other fold might lie on the other, and there would be a valley in between.
"""

from __future__ import annotations

import numpy as np

from rankone._arithmetic import ratio
from rankone.selection.dip import dip_test
from rankone.tree.partitions import halve, means_of
from rankone.typing import FloatArray

__all__ = ["LEVEL", "valley"]

#: Splits whose p-value is below this level separate groups.
LEVEL = 0.05

#: Fewer rows than this in a fold say nothing.
FEWEST = 4

#: Rows that are looked at; of more, a sample is.
MOST_ROWS = 2**12


def valley(points: FloatArray) -> float:
    """Return the p-value of one mode along the direction that splits points in two.

    Parameters
    ----------
    points : ndarray of shape (m, r)
        The rows of a node, in any order.
    """
    dealt = points[np.random.default_rng(0).permutation(points.shape[0])[:MOST_ROWS]]
    if dealt.shape[0] < 2 * FEWEST:
        return 1.0
    dealt -= dealt.mean(axis=0)
    folds = [np.ascontiguousarray(dealt[start::2]) for start in (0, 1)]
    first, second = (_line(fold) for fold in folds)
    if first @ second < 0.0:
        second = -second
    return dip_test(np.concatenate([folds[0] @ second, folds[1] @ first])).p_value


def _line(points: FloatArray) -> FloatArray:
    """Return the line along which the sides of a cut in two are one apart; zeros if there is none.

    Its product with the difference of the means of both sides is one.
    """
    labels = halve(points)
    if labels.max() == 0:
        return np.zeros(points.shape[1])
    lower, upper = means_of(points, labels, 2)
    return ratio(upper - lower, (upper - lower) @ (upper - lower))
