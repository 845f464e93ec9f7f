"""Maps of geopandas with exact classes."""

from __future__ import annotations

from typing import Any

import numpy.typing as npt

from rankone.contrib.classes import best_classes, upper_bounds

__all__ = ["exact_scheme"]


def exact_scheme(
    y: npt.ArrayLike,
    k: int | None = None,
    weights: npt.ArrayLike | None = None,
    p: int = 2,
    max_classes: int = 9,
) -> dict[str, Any]:
    """Return the options of ``GeoDataFrame.plot`` for exact Fisher-Jenks classes.

    Parameters
    ----------
    y : array-like of shape (n,)
        The values that are drawn, none of which is missing.
    k : int, optional
        The number of classes; by default the one with the largest mean silhouette.
    weights : array-like of shape (n,), optional
        How much each value counts, such as its population.
    p : {1, 2}
        The power of deviations: 2 for means, 1 for medians.
    max_classes : int
        The largest number of classes that is considered if ``k`` is not given.

    Returns
    -------
    dict
        ``scheme`` and ``classification_kwds``, for ``frame.plot("y", **exact_scheme(frame["y"]))``.

    Examples
    --------
    >>> from rankone.contrib.geopandas import exact_scheme
    >>> exact_scheme([1, 2, 3, 20, 21, 60], k=3)
    {'scheme': 'UserDefined', 'classification_kwds': {'bins': [3.0, 21.0, 60.0]}}
    """
    bounds = upper_bounds(y, best_classes(y, k, weights, p, max_classes))
    return {"scheme": "UserDefined", "classification_kwds": {"bins": bounds.tolist()}}
