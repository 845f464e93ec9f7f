"""What a learner that was saved must look like, so that it works once it is loaded.

Each check takes a value and the sizes that are known so far (rows m, columns n, clusters k and l),
and raises `Implausible` if the value is not what a fit would have left.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import fields
from typing import Any

import numpy as np

from rankone.cuts import Cut, Partition
from rankone.extraction import Scores
from rankone.methods import CUTS, VECTORS
from rankone.preparation import Prepare
from rankone.refinement import LOSSES, BlockFit
from rankone.refinement.families import Family
from rankone.refinement.law import Law, Margins
from rankone.refinement.state import State, Sums
from rankone.result import SIDES, Request, Side
from rankone.selection import SELECTIONS, Choice
from rankone.vectors import VectorMethod

Sizes = dict[str, int]
Check = Callable[[Any, Sizes], None]


class Implausible(Exception):
    """A value that no fit leaves."""


def check_state(estimator: Any, state: dict[str, Any], fitted: dict[str, Check]) -> None:
    """Check the parameters of a learner, what every fit leaves, and the names of the data."""
    sizes: Sizes = {}
    for name, value in estimator.get_params(deep=False).items():
        _named(name, PARAMETERS[name], value, {})
    if not {*fitted} <= {*state} <= {*fitted, *NAMES}:
        raise Implausible("it has attributes that no learner has, or lacks some")
    for name, check in (fitted | NAMES).items():
        if name in state:
            _named(name, check, state[name], sizes)


def _named(name: str, check: Check, value: Any, sizes: Sizes) -> None:
    try:
        check(value, sizes)
    except Implausible as error:
        raise Implausible(f"{name}: {error}" if str(error) else f"{name} makes no sense") from None


def _require(holds: bool, why: str = "") -> None:
    if not holds:
        raise Implausible(why)


def array(kinds: str, *dimensions: str | None, below: str | None = None) -> Check:
    """Check for an array of some kind and shape; numbers are finite, labels below a size."""

    def check(value: Any, sizes: Sizes) -> None:
        _require(isinstance(value, np.ndarray) and value.dtype.kind in kinds)
        _require(value.ndim == len(dimensions), "its shape makes no sense")
        for size, name in zip(value.shape, dimensions, strict=True):
            if name is not None:
                _require(sizes.setdefault(name, size) == size > 0, "its size does not fit")
        if value.dtype.kind == "f":
            _require(bool(np.isfinite(value).all()), "it is not finite")
        if below is not None:
            _require(0 <= value.min() <= value.max() < sizes[below], "its labels make no sense")

    return check


def numbers(value: Any, sizes: Sizes) -> None:
    """Check for a vector of numbers, of which some may be NaN."""
    _require(isinstance(value, np.ndarray) and value.dtype.kind == "f" and value.ndim == 1)


def scales(size: str) -> Check:
    """Check for positive numbers."""

    def check(value: Any, sizes: Sizes) -> None:
        array("f", size)(value, sizes)
        _require(bool((value > 0).all()), "it is not positive")

    return check


def number(value: Any, sizes: Sizes) -> None:
    """Check for any number; whole ones that NumPy would keep as objects make no sense."""
    _require(isinstance(value, (int, float)) and not isinstance(value, bool))
    _require(isinstance(value, float) or -(2**63) <= value < 2**63, "it is too large")


def finite(value: Any, sizes: Sizes) -> None:
    """Check for a finite number."""
    number(value, sizes)
    _require(math.isfinite(value), "it is not finite")


def flag(value: Any, sizes: Sizes) -> None:
    """Check for True or False."""
    _require(isinstance(value, bool))


def whole(least: int, size: str | None = None) -> Check:
    """Check for a whole number: at least so large, or one of the sizes."""

    def check(value: Any, sizes: Sizes) -> None:
        _require(isinstance(value, int) and not isinstance(value, bool) and least <= value < 2**63)
        _require(size is None or value == sizes[size], "it does not fit")

    return check


def text(value: Any, sizes: Sizes) -> None:
    """Check for a text."""
    _require(isinstance(value, str))


def one_of(*values: str) -> Check:
    """Check for one of some words."""
    return lambda value, sizes: _require(isinstance(value, str) and value in values)


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
    _require(value is None)


def pair(first: Check, second: Check) -> Check:
    """Check for two values."""

    def check(value: Any, sizes: Sizes) -> None:
        _require(isinstance(value, tuple) and len(value) == 2)
        first(value[0], sizes)
        second(value[1], sizes)

    return check


def record(kind: type[Any], **checks: Check) -> Check:
    """Check for a record, field by field, in the order of the checks."""
    assert {*checks} == {field.name for field in fields(kind)} - {"traced"}

    def check(value: Any, sizes: Sizes) -> None:
        _require(isinstance(value, kind))
        for name, check_one in checks.items():
            _named(name, check_one, getattr(value, name), sizes)

    return check


def names(size: str, kinds: tuple[type, ...]) -> Check:
    """Check for names, as many as a side has."""

    def check(value: Any, sizes: Sizes) -> None:
        array("O", size)(value, sizes)
        _require(all(isinstance(name, kinds) for name in value))

    return check


def vectors(value: Any, sizes: Sizes) -> None:
    """Check for a method of Step 1, whose parameters make sense."""
    _require(isinstance(value, VectorMethod))
    try:
        value._check_parameters()
    except ValueError as error:
        raise Implausible(str(error).rstrip(".")) from None
    except TypeError:  # of numbers that are texts
        raise Implausible("a parameter makes no sense") from None


def a_cut(value: Any, sizes: Sizes) -> None:
    """Check for a method of Step 2."""
    _require(isinstance(value, Cut))


def scores(own: str, other: str) -> Check:
    """Check for the scores of a side."""
    return record(
        Scores,
        values=array("f", own),
        method=vectors,
        weights=either(nothing, pair(array("f", other), array("f", other))),
        n_iter=whole(0),
        converged=flag,
    )


def partition(size: str) -> Check:
    """Check for a partition of the scores of a side, whatever its number of clusters."""
    clusters = f"clusters of {size}"

    def boundaries(value: Any, sizes: Sizes) -> None:
        array("f", None)(value, sizes)
        _require(value.size == sizes[clusters] - 1 and bool((np.diff(value) >= 0).all()))

    return record(
        Partition,
        levels=array("f", clusters),
        labels=array("iu", size, below=clusters),
        sizes=array("iu", clusters),
        objective=number,
        lam=either(nothing, number),
        p=finite,
        exact=flag,
        penalty=one_of("pieces", "variation"),
        boundaries=either(nothing, boundaries),
        breakpoints=either(nothing, array("iu", None)),
    )


def labels(size: str, clusters: str) -> Check:
    """Check for labels, of which none is missing."""

    def check(value: Any, sizes: Sizes) -> None:
        array("iu", size, below=clusters)(value, sizes)
        _require(np.unique(value).size == sizes[clusters], "a cluster of it is empty")

    return check


def probabilities(size: str) -> Check:
    """Check for numbers between 0 and 1, up to rounding."""

    def check(value: Any, sizes: Sizes) -> None:
        array("f", size)(value, sizes)
        _require(bool((abs(value - 0.5) <= 0.5 + 1e-6).all()), "these are no probabilities")

    return check


def positive(value: Any, sizes: Sizes) -> None:
    """Check for a positive number."""
    finite(value, sizes)
    _require(value > 0)


_CHOICE = either(
    nothing,
    record(
        Choice,
        n_clusters=whole(1),
        criterion=numbers,
        selection=one_of(*SELECTIONS),
        at_bound=flag,
    ),
)


def family(value: Any, sizes: Sizes) -> None:
    """Check for a family of distributions, whose fields are finite numbers above zero."""
    _require(isinstance(value, Family))
    for field in fields(value):
        _named(field.name, positive, getattr(value, field.name), sizes)


def margins(size: str) -> Check:
    """Check for the margins of a side."""
    return record(Margins, margins=array("f", size), scales=array("f", size))


BLOCKS = record(
    BlockFit,
    state=record(
        State,
        blocks=record(Sums, total=array("f", "k", "l"), size=array("f", "k", "l")),
        rows=labels("m", "k"),
        columns=labels("n", "l"),
        criterion=number,
    ),
    law=record(Law, family=family, rows=margins("m"), columns=margins("n"), centre=finite),
    history=numbers,
    n_iter=whole(0),
    converged=flag,
)

_NUMBER = either(nothing, whole(1))


def side(name: str, size: str, other: str, clusters: str, tree: Check) -> Check:
    """Check for a side of the result."""
    return record(
        Side,
        request=record(
            Request,
            name=one_of(name),
            method=either(nothing, vectors),
            cut=a_cut,
            n_clusters=_NUMBER,
            selects=flag,
            max_clusters=whole(1),
            discarded=flag,
        ),
        scores=scores(size, other),
        partition=partition(size),
        selection=_CHOICE,
        labels=labels(size, clusters),
        confidence=either(nothing, probabilities(size)),
        tree=either(nothing, tree),
    )


def unfitted(value: Any, sizes: Sizes) -> None:
    """Check for a preparation, whose parameters make sense."""
    _require(isinstance(value, Prepare))
    try:
        value._check_parameters()
    except ValueError as error:
        raise Implausible(str(error).rstrip(".")) from None


def prepared(value: Any, sizes: Sizes) -> None:
    """Check for a preparation that was fitted to the matrix."""
    unfitted(value, sizes)
    needed: dict[str, Check] = {"n_features_in_": whole(1, "n")}
    if value.normalise is not None:
        needed["size_"] = positive
    if value.standardise == "columns":
        needed |= {"mean_": array("f", "n"), "scale_": scales("n")}
    for name, check in needed.items():
        _require(name in vars(value), f"it has no {name}")
        _named(name, check, vars(value)[name], sizes)


#: What the names of the data add to it.
NAMES: dict[str, Check] = {
    "feature_names_in_": names("n", (str,)),
    "row_names_in_": names("m", (str, int, float)),
}

_VECTORS = either(one_of("auto", *VECTORS), vectors)
_CUT = either(one_of(*CUTS), a_cut)

PARAMETERS: dict[str, Check] = {
    "n_clusters": _NUMBER,
    "axis": one_of(*SIDES),
    "n_row_clusters": _NUMBER,
    "n_column_clusters": _NUMBER,
    "vectors": _VECTORS,
    "row_vectors": either(nothing, _VECTORS),
    "column_vectors": either(nothing, _VECTORS),
    "cut": _CUT,
    "row_cut": either(nothing, _CUT),
    "column_cut": either(nothing, _CUT),
    "selection": one_of(*SELECTIONS),
    "refine": either(flag, whole(0)),
    "loss": one_of(*LOSSES),
    "symmetric": either(flag, whole(0)),
    "max_clusters": whole(1),
    "min_cluster_size": whole(1),
    "missing": one_of("nan", "absent"),
    "prepare": either(nothing, unfitted),
    "random_state": either(nothing, whole(0)),
    "checkpoint": nothing,
    "n_jobs": either(nothing, whole(-(2**31))),
    "verbose": either(flag, whole(0)),
}
