"""Checks of parameters: each returns a valid value, or raises an error of one sentence."""

from __future__ import annotations

import math
import numbers
from collections.abc import Iterable
from typing import Any

import numpy as np

from rankone.errors import InputError, Setting


def check_number(x: float, name: str, least: float = 0.0, most: float = math.inf) -> float:
    """Return a real number as a double: finite, at least ``least`` and at most ``most``."""
    if _is_real(x):
        number = to_float(x)
        if least <= number <= most and math.isfinite(number):
            return number
    lower = "zero" if least == 0.0 else f"{least:g}"
    allowed = f"a finite number, {lower} or more" if most == math.inf else f"{lower} to {most:g}"
    raise _not_allowed(x, name, allowed)


def check_positive(x: float, name: str) -> float:
    """Return a real number as a double: finite and positive."""
    if _is_real(x) and 0.0 < to_float(x) < math.inf:
        return to_float(x)
    raise _not_allowed(x, name, "a finite number above zero")


def check_whole(x: Any, name: str, least: int = 1) -> int:
    """Return a whole number that is at least ``least``."""
    is_truth = isinstance(x, bool)
    if isinstance(x, numbers.Integral) and not is_truth and int(x) >= least:
        return int(x)
    raise _not_allowed(x, name, f"a whole number, {least} or more")


def check_jobs(n_jobs: Any) -> int | None:
    """Return a number of threads, negative if it counts from all cores; None if it is not set."""
    if n_jobs is None:
        return None
    if isinstance(n_jobs, int | np.integer) and not isinstance(n_jobs, bool) and n_jobs != 0:
        return int(n_jobs)
    raise _not_allowed(n_jobs, "n_jobs", "None or a whole number other than 0")


def check_choice(x: Any, name: str, choices: Iterable[str]) -> None:
    """Raise an error if a value is not one of the choices."""
    choices = tuple(choices)
    if not isinstance(x, str) or x not in choices:
        raise _not_allowed(x, name, f"one of {', '.join(map(repr, choices))}")


def briefly(x: object) -> str:
    """Return the representation of an object, shortened if it is long."""
    shown = repr(x)
    return shown if len(shown) <= 40 else shown[:37] + "..."


def to_float(x: Any) -> float:
    """Return a number as a double, infinite if its magnitude is too large for one."""
    try:
        return float(x)
    except OverflowError:
        return math.inf
    except ValueError:  # a signalling NaN among decimals
        return math.nan


def _is_real(x: object) -> bool:
    return isinstance(x, numbers.Real) and not isinstance(x, bool)


def _not_allowed(x: object, name: str, allowed: str) -> InputError:
    return InputError(
        "{name} must be {allowed}, but it is {value}",
        name=Setting(name),
        allowed=allowed,
        value=briefly(x),
    )
