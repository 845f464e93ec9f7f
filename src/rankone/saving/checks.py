"""What the parts of a learner that was saved must look like, and its parameters."""

from __future__ import annotations

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
from rankone.saving.plausibility import (
    Check,
    Implausible,
    Sizes,
    array,
    check_named,
    either,
    finite,
    flag,
    labels,
    names,
    nothing,
    number,
    numbers,
    one_of,
    pair,
    positive,
    probabilities,
    record,
    require,
    scales,
    whole,
)
from rankone.selection import SELECTIONS, Choice
from rankone.vectors import VectorMethod


def check_state(estimator: Any, state: dict[str, Any], fitted: dict[str, Check]) -> None:
    """Check the parameters of a learner, what every fit leaves, and the names of the data."""
    sizes: Sizes = {}
    for name, value in estimator.get_params(deep=False).items():
        check_named(name, PARAMETERS[name], value, {})
    if not {*fitted} <= {*state} <= {*fitted, *NAMES}:
        raise Implausible("it has attributes that no learner has, or lacks some")
    for name, check in (fitted | NAMES).items():
        if name in state:
            check_named(name, check, state[name], sizes)


def vectors(value: Any, sizes: Sizes) -> None:
    """Check for a method of Step 1, whose parameters make sense."""
    require(isinstance(value, VectorMethod))
    try:
        value._check_parameters()
    except ValueError as error:
        raise Implausible(str(error).rstrip(".")) from None
    except TypeError:  # of numbers that are texts
        raise Implausible("a parameter makes no sense") from None


def a_cut(value: Any, sizes: Sizes) -> None:
    """Check for a method of Step 2."""
    require(isinstance(value, Cut))


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
        require(value.size == sizes[clusters] - 1 and bool((np.diff(value) >= 0).all()))

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
    require(isinstance(value, Family))
    for field in fields(value):
        check_named(field.name, positive, getattr(value, field.name), sizes)


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
    require(isinstance(value, Prepare))
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
        require(name in vars(value), f"it has no {name}")
        check_named(name, check, vars(value)[name], sizes)


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
