"""Groups, or sections of a gradient: whether there is a valley between the sides of a split.

A factor without groups replicates as well as groups do, so replication does not answer this. The
rows of a node are dealt into two folds. Each fold is cut in two on its own, and the line through
the means of its sides gives scores to the rows of the *other* fold, which had no say in it. If
these scores, of both folds together, have one mode (Hartigan's dip test), the split is a section
of a gradient.
"""

from __future__ import annotations

import numpy as np

from rankone.selection.dip import dip_test
from rankone.tree.partitions import halve, means_of
from rankone.typing import FloatArray

__all__ = ["LEVEL", "valley"]

#: Splits whose p-value is below this level separate groups.
LEVEL = 0.05

#: Fewer rows than this in a fold say nothing.
FEWEST = 4


def valley(points: FloatArray) -> float:
    """Return the p-value of one mode along the direction that splits points in two.

    Parameters
    ----------
    points : ndarray of shape (m, r)
        The rows of a node, in an order that says nothing of their groups.
    """
    folds = [np.ascontiguousarray(points[start::2]) for start in (0, 1)]
    if min(fold.shape[0] for fold in folds) < FEWEST:
        return 1.0
    lines = [means_of(fold, halve(fold), 2) for fold in folds]
    directions = [upper - lower for lower, upper in lines]
    if not all((direction @ direction) > 0.0 for direction in directions):
        return 1.0
    sign = 1.0 if directions[0] @ directions[1] >= 0.0 else -1.0
    scores = [
        (fold - means.mean(axis=0)) @ direction / (direction @ direction)
        for fold, means, direction in zip(folds, lines[::-1], directions[::-1], strict=True)
    ]
    return dip_test(np.concatenate([scores[0], sign * scores[1]])).p_value
