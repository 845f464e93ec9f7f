"""Arithmetic that several parts of the package share."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rankone.typing import FloatArray


def ratio(a: npt.ArrayLike, b: npt.ArrayLike) -> FloatArray:
    """Return a / b, entry by entry, and zero where b is zero.

    Examples
    --------
    >>> ratio([1.0, 2.0], [4.0, 0.0])
    array([0.25, 0.  ])
    """
    above, below = np.asarray(a), np.asarray(b)
    result: FloatArray = np.zeros(np.broadcast(above, below).shape)
    np.divide(above, below, out=result, where=below != 0)
    return result
