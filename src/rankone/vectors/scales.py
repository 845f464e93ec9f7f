"""Signs and scales of vectors, which most methods leave undetermined."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from rankone.errors import InputError, Setting
from rankone.typing import FloatArray

#: The scales on which vectors can be returned, and the size of a vector that each makes one.
SCALES: dict[str, Callable[[FloatArray], float]] = {
    "extracted": lambda _: 1.0,
    "mean": lambda vector: float(vector.mean()),
    "norm": lambda vector: float(np.linalg.norm(vector)),
    "sum": lambda vector: float(vector.sum()),
}


def fix_sign(*sides: tuple[FloatArray, FloatArray]) -> float:
    """Return the sign by which to multiply the vectors so that the result is deterministic.

    The sign of an eigenvector is arbitrary. The sign chosen here makes scores increase with the
    row (or column) sums; if they are uncorrelated, it makes the skewness positive; if there is no
    skewness either, it makes the entry of largest magnitude positive.

    Parameters
    ----------
    *sides : pairs of ndarray
        The vector of each side, and the sums of its rows (or columns).

    Returns
    -------
    float
        1.0 or -1.0.
    """
    for statistic in (_correlation, _skewness):
        total = sum(statistic(vector, sums) for vector, sums in sides)
        if abs(total) > 1e-6:
            return float(np.sign(total))
    vector = sides[0][0]
    return -1.0 if vector[np.argmax(np.abs(vector))] < 0 else 1.0


def _correlation(vector: FloatArray, sums: FloatArray) -> float:
    a, b = vector - vector.mean(), sums - sums.mean()
    if _is_rounding(a, vector) or _is_rounding(b, sums):
        return 0.0
    return float(a @ b) / float(np.linalg.norm(a) * np.linalg.norm(b))


def _skewness(vector: FloatArray, _: FloatArray) -> float:
    a = vector - vector.mean()
    return 0.0 if _is_rounding(a, vector) else float(((a / np.linalg.norm(a)) ** 3).sum())


def _is_rounding(centred: FloatArray, vector: FloatArray) -> bool:
    """Return whether a vector is constant up to rounding errors."""
    return bool(np.abs(centred).max() <= 1e-10 * np.abs(vector).max())


def size_on(vector: FloatArray, scale: str) -> float:
    """Return the number by which to divide a vector, or raise an error if its sum is not positive.

    Division by a negative sum would turn the order of the scores around.
    """
    if scale in ("mean", "sum") and vector.any() and vector.sum() <= 1e-8 * np.abs(vector).sum():
        raise InputError(
            "{scale} needs scores with a positive sum, but these sum to {total}",
            "use {norm}",
            scale=Setting("scale", scale),
            total=f"{vector.sum():g}",
            norm=Setting("scale", "norm"),
        )
    return SCALES[scale](vector) or 1.0


def mean_one(vector: FloatArray) -> tuple[FloatArray, float]:
    """Divide a vector by its mean and return both; a vector of mean zero is left unchanged."""
    mean = float(vector.mean())
    return (vector / mean, mean) if mean else (vector, 1.0)
