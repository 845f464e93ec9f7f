"""Checks of parameters: each returns what it was given, or says in one sentence what is wrong."""

from __future__ import annotations

import math
import numbers
from collections.abc import Iterable
from typing import Any


def check_number(x: float, name: str, least: float = 0.0, most: float = math.inf) -> float:
    """Return a real number as a double: finite, ``least`` or more, and ``most`` or less."""
    if isinstance(x, numbers.Real) and not isinstance(x, bool):
        number = to_float(x)
        if least <= number <= most and math.isfinite(number):
            return number
    lower = "zero" if least == 0.0 else f"{least:g}"
    allowed = f"a finite number, {lower} or more" if most == math.inf else f"{lower} to {most:g}"
    raise ValueError(f"{name} must be {allowed}, but it is {briefly(x)}.")


def check_positive(x: float, name: str) -> float:
    """Return a real number as a double: finite, and more than zero."""
    if isinstance(x, numbers.Real) and not isinstance(x, bool) and 0.0 < to_float(x) < math.inf:
        return to_float(x)
    raise ValueError(f"{name} must be a finite number above zero, but it is {briefly(x)}.")


def check_whole(x: int, name: str, least: int = 1) -> int:
    """Return a whole number, ``least`` or more."""
    if isinstance(x, numbers.Integral) and not isinstance(x, bool) and x >= least:
        return int(x)
    raise ValueError(f"{name} must be a whole number, {least} or more, but it is {briefly(x)}.")


def check_choice(x: Any, name: str, choices: Iterable[str]) -> None:
    """Refuse what is none of the choices."""
    choices = tuple(choices)
    if not isinstance(x, str) or x not in choices:
        listed = ", ".join(map(repr, choices))
        raise ValueError(f"{name} must be one of {listed}, but it is {briefly(x)}.")


def briefly(x: object) -> str:
    """Return how an object is shown, cut off if that is long."""
    shown = repr(x)
    return shown if len(shown) <= 40 else shown[:37] + "..."


def to_float(x: Any) -> float:
    """Return a number as a double, infinite if it is too large for one."""
    try:
        return float(x)
    except OverflowError:
        return math.inf
