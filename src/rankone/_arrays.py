"""Arrays of numbers, from any array-like that a user has."""

from __future__ import annotations

from decimal import Decimal
from numbers import Real
from typing import Any

import numpy as np
import numpy.typing as npt

from rankone.checks import briefly, to_float
from rankone.errors import Entry, Input, InputError
from rankone.typing import FloatArray


def to_array(x: Any, name: str | Input, expected: str) -> npt.NDArray[Any]:
    """Return an array-like as an array, without copying it if possible.

    Parameters
    ----------
    x : array-like
    name : str or Input
        What the user calls it.
    expected : str
        What it must be, for the error that is raised if its rows differ in length.
    """
    try:
        return np.asarray(x)
    except ValueError:
        raise InputError(
            "{name} must be {expected}, but its rows differ in length", name=name, expected=expected
        ) from None


def objects_to_doubles(array: npt.NDArray[Any], name: str | Input, missing: bool) -> FloatArray:
    """Convert an array of objects, such as Decimal or Fraction, to doubles.

    Parameters
    ----------
    array : ndarray of objects
    name : str or Input
        What the user calls it.
    missing : bool
        Whether None, and the missing values of frames, become NaN. Otherwise they are refused.
    """
    doubles = np.empty(array.shape)
    for index, x in np.ndenumerate(array):
        if missing and (x is None or type(x).__name__ == "NAType"):
            doubles[index] = np.nan
        elif isinstance(x, (Real, Decimal, np.bool_)):
            doubles[index] = to_float(x)
        else:
            raise InputError(
                "{name} must hold real numbers, but {place} is {value}",
                name=name,
                place=Entry(*index) if array.ndim == 2 else f"{name}[{index[0]}]",
                value=briefly(x),
            )
    return doubles
