"""What a value that was saved may be: a number, an array of some shape, a record of such values.

Each check takes a value and the sizes that are known so far (rows m, columns n, clusters k and l),
and raises `Implausible` if the value is not what a fit would have left.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import fields
from typing import Any

import numpy as np

Sizes = dict[str, int]
Check = Callable[[Any, Sizes], None]


class Implausible(Exception):
    """A value that no fit leaves."""


def check_named(name: str, check: Check, value: Any, sizes: Sizes) -> None:
    """Check a value, and name it if it is implausible."""
    try:
        check(value, sizes)
    except Implausible as error:
        raise Implausible(f"{name}: {error}" if str(error) else f"{name} makes no sense") from None


def require(holds: bool, why: str = "") -> None:
    """Raise `Implausible` unless a condition holds."""
    if not holds:
        raise Implausible(why)


def array(kinds: str, *dimensions: str | None, below: str | None = None) -> Check:
    """Check for an array of some kind and shape; numbers are finite, labels below a size."""

    def check(value: Any, sizes: Sizes) -> None:
        require(isinstance(value, np.ndarray) and value.dtype.kind in kinds)
        require(value.ndim == len(dimensions), "its shape makes no sense")
        for size, name in zip(value.shape, dimensions, strict=True):
            if name is not None:
                require(sizes.setdefault(name, size) == size > 0, "its size does not fit")
        if value.dtype.kind == "f":
            require(bool(np.isfinite(value).all()), "it is not finite")
        if below is not None:
            require(0 <= value.min() <= value.max() < sizes[below], "its labels make no sense")

    return check


def numbers(value: Any, sizes: Sizes) -> None:
    """Check for a vector of numbers, of which some may be NaN."""
    require(isinstance(value, np.ndarray) and value.dtype.kind == "f" and value.ndim == 1)


def scales(size: str) -> Check:
    """Check for positive numbers."""

    def check(value: Any, sizes: Sizes) -> None:
        array("f", size)(value, sizes)
        require(bool((value > 0).all()), "it is not positive")

    return check


def number(value: Any, sizes: Sizes) -> None:
    """Check for any number; whole ones that NumPy would keep as objects make no sense."""
    require(isinstance(value, (int, float)) and not isinstance(value, bool))
    require(isinstance(value, float) or -(2**63) <= value < 2**63, "it is too large")


def finite(value: Any, sizes: Sizes) -> None:
    """Check for a finite number."""
    number(value, sizes)
    require(math.isfinite(value), "it is not finite")


def positive(value: Any, sizes: Sizes) -> None:
    """Check for a positive number."""
    finite(value, sizes)
    require(value > 0)


def flag(value: Any, sizes: Sizes) -> None:
    """Check for True or False."""
    require(isinstance(value, bool))


def whole(least: int, size: str | None = None) -> Check:
    """Check for a whole number: at least so large, or one of the sizes."""

    def check(value: Any, sizes: Sizes) -> None:
        require(isinstance(value, int) and not isinstance(value, bool) and least <= value < 2**63)
        require(size is None or value == sizes[size], "it does not fit")

    return check


def text(value: Any, sizes: Sizes) -> None:
    """Check for a text."""
    require(isinstance(value, str))


def one_of(*values: str) -> Check:
    """Check for one of some words."""
    return lambda value, sizes: require(isinstance(value, str) and value in values)


def either(*checks: Check) -> Check:
    """Check for what passes one of several checks."""

    def check(value: Any, sizes: Sizes) -> None:
        for check_one in checks:
            known = dict(sizes)
            try:
                check_one(value, known)
            except Implausible:
                continue
            sizes.update(known)
            return
        raise Implausible

    return check


def nothing(value: Any, sizes: Sizes) -> None:
    """Check for None."""
    require(value is None)


def pair(first: Check, second: Check) -> Check:
    """Check for two values."""

    def check(value: Any, sizes: Sizes) -> None:
        require(isinstance(value, tuple) and len(value) == 2)
        first(value[0], sizes)
        second(value[1], sizes)

    return check


def record(kind: type[Any], **checks: Check) -> Check:
    """Check for a record, field by field, in the order of the checks."""
    assert {*checks} == {field.name for field in fields(kind)} - {"traced"}

    def check(value: Any, sizes: Sizes) -> None:
        require(isinstance(value, kind))
        for name, check_one in checks.items():
            check_named(name, check_one, getattr(value, name), sizes)

    return check


def names(size: str, kinds: tuple[type, ...]) -> Check:
    """Check for names, as many as a side has."""

    def check(value: Any, sizes: Sizes) -> None:
        array("O", size)(value, sizes)
        require(all(isinstance(name, kinds) for name in value))

    return check


def labels(size: str, clusters: str) -> Check:
    """Check for labels, of which none is missing."""

    def check(value: Any, sizes: Sizes) -> None:
        array("iu", size, below=clusters)(value, sizes)
        require(np.unique(value).size == sizes[clusters], "a cluster of it is empty")

    return check


def probabilities(size: str) -> Check:
    """Check for numbers between 0 and 1, up to rounding."""

    def check(value: Any, sizes: Sizes) -> None:
        array("f", size)(value, sizes)
        require(bool((abs(value - 0.5) <= 0.5 + 1e-6).all()), "these are no probabilities")

    return check
