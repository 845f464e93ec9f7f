"""Partitions of a vector into contiguous pieces: clusters are runs of neighbouring coordinates."""

from __future__ import annotations

from typing import Literal

import numpy as np

from rankone.cuts.base import Partition
from rankone.typing import FloatArray, IntArray


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
