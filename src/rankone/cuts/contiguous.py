"""What contiguous cuts share: runs of equal neighbours, and partitions into contiguous pieces."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from rankone.cuts.partition import Partition
from rankone.typing import FloatArray, IntArray


@dataclass(frozen=True)
class Runs:
    """The runs of equal neighbours among the coordinates of positive weight.

    Attributes
    ----------
    values, weights : ndarray
        The value and the weight of each run.
    first : ndarray
        Where each begins in the vector.
    kept : ndarray
        The coordinates of positive weight.
    """

    values: FloatArray
    weights: FloatArray
    first: IntArray
    kept: IntArray

    @classmethod
    def of(cls, u: FloatArray, weights: FloatArray | None) -> Runs:
        """Return the runs of a vector."""
        kept = np.arange(u.size) if weights is None else np.flatnonzero(weights)
        values = u[kept]
        begins = np.flatnonzero(np.concatenate([[True], values[1:] != values[:-1]]))
        if weights is None:
            summed = np.diff(begins, append=values.size).astype(np.float64)
        else:
            summed = np.add.reduceat(weights[kept], begins)
        return cls(values[begins], summed, kept[begins], kept)


def contiguous_partition(
    n: int,
    breakpoints: IntArray,
    levels: FloatArray,
    *,
    objective: float,
    lam: float | None,
    p: float,
    penalty: Literal["pieces", "variation"] = "pieces",
    exact: bool = True,
) -> Partition:
    """Return the partition whose clusters are contiguous pieces.

    Parameters
    ----------
    n : int
        The length of the vector.
    breakpoints : ndarray of shape (k - 1,)
        The index at which each piece but the first begins, ascending.
    levels : ndarray of shape (k,)
        The level of each piece, in order of position.
    objective, lam, p, penalty, exact
        As in `Partition`.

    Returns
    -------
    Partition
        Each piece is a cluster of its own, numbered by level, then by position.
    """
    order = np.argsort(levels, kind="stable")
    label = np.empty(order.size, np.intp)
    label[order] = np.arange(order.size)
    lengths = np.diff(breakpoints, prepend=0, append=n)
    return Partition(
        labels=np.repeat(label, lengths),
        levels=levels[order],
        sizes=lengths[order].astype(np.intp),
        objective=objective,
        lam=lam,
        p=p,
        exact=exact,
        penalty=penalty,
        breakpoints=breakpoints.astype(np.intp),
    )
