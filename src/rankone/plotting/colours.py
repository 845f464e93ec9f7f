"""The range of values that the colours of a picture span."""

from __future__ import annotations

import numpy as np

from rankone.typing import FloatArray


def colour_limits(cells: FloatArray) -> tuple[float, float]:
    """Return the least and the largest value that has a colour of its own.

    These are the first and last percentiles; if zero lies between them, they are symmetric around
    it. NaN stands for cells without a value.

    Examples
    --------
    >>> colour_limits(np.array([[-1.0, 3.0], [np.nan, 3.0]]))
    (-3.0, 3.0)
    """
    values = cells[~np.isnan(cells)]
    low, high = np.percentile(values, [1, 99])
    if low == high:  # few entries differ from the rest, as those of a sparse matrix from zero
        low, high = values.min(), values.max()
    if low < 0 < high:
        low, high = min(low, -high), max(-low, high)
    return float(low), float(high)
