"""What a tree that was saved must look like, so that it works once it is loaded."""

from __future__ import annotations

from typing import Any

import numpy as np

from rankone.saving.checks import check_state, prepared
from rankone.saving.plausibility import (
    Check,
    Implausible,
    Sizes,
    array,
    either,
    finite,
    flag,
    labels,
    nothing,
    positive,
    record,
    whole,
)
from rankone.tree import Replication, Tree
from rankone.views import Margins, Views
from rankone.views.curvature import Curvature, Factors

__all__ = ["RECORDS", "check_tree"]

#: Scores of fitted rows are far smaller; squares of larger ones would leave the range of doubles.
MOST = 1e100

#: The classes that a saved tree consists of.
RECORDS = (Tree, Views, Margins, Curvature, Factors, Replication)


def check_tree(estimator: Any, state: dict[str, Any]) -> None:
    """Refuse a tree whose parameters or fitted attributes do not fit together."""

    def of_its_side(value: Any, sizes: Sizes) -> None:  # once the axis is known to be one
        (tree("n", "m") if estimator.axis == "columns" else tree("m", "n"))(value, sizes)

    check_state(estimator, state, {"tree_": of_its_side, **FITTED})


def _require(holds: Any, why: str) -> None:
    if not bool(holds):
        raise Implausible(why)


def _between(least: float, most: float, *dimensions: str | None) -> Check:
    """Check for numbers in a range."""

    def check(value: Any, sizes: Sizes) -> None:
        array("f", *dimensions)(value, sizes)
        doubles = value.astype(np.float64)
        _require(((doubles >= least) & (doubles <= most)).all(), "it is out of range")

    return check


def _least(least: float) -> Check:
    """Check for a finite number that is not too small."""

    def check(value: Any, sizes: Sizes) -> None:
        finite(value, sizes)
        _require(value >= least, "it is out of range")

    return check


def _empty(value: Any, sizes: Sizes) -> None:
    """Check for the views of halves, which are not kept."""
    _require(isinstance(value, tuple) and not value, "it is not empty")


def _replication(own: str) -> Check:
    """Check for how the number of clusters was found."""

    def rows(value: Any, sizes: Sizes) -> None:
        array("iu", None)(value, sizes)
        _require(
            not value.size or 0 <= value.min() <= value.max() < sizes[own], "it has no such row"
        )

    fields = record(
        Replication,
        numbers=array("iu", None),
        information=array("f", None, None),
        agreement=array("f", None, None),
        chance=finite,
        halves=_empty,
        rows=rows,
    )

    def check(value: Any, sizes: Sizes) -> None:
        fields(value, sizes)
        k = value.numbers.size
        _require((value.numbers == np.arange(2, k + 2)).all(), "its numbers make no sense")
        for figures in (value.information, value.agreement):
            _require(figures.shape == (value.information.shape[0], k), "its size does not fit")

    return check


def _factors(value: Any, sizes: Sizes) -> None:
    """Check for smooth functions at ascending places."""
    places = array("f", None)
    record(Factors, sums=places, rates=places, values=array("f", None, None))(value, sizes)
    _require(value.sums.size > 1, "it is too short")
    _require(value.sums.size == value.rates.size == value.values.shape[0], "its sizes do not fit")
    _require((np.diff(value.sums) >= 0.0).all(), "its sums do not ascend")
    _require((np.diff(value.rates) > 0.0).all(), "its rates do not ascend")


def _curvature(value: Any, sizes: Sizes) -> None:
    """Check for the curvature of logarithms of counts."""
    record(Curvature, rows=_factors, columns=_factors)(value, sizes)
    _require(value.rows.values.shape[1] == value.columns.values.shape[1], "its sizes do not fit")


def _margins(other: str) -> Check:
    """Check for margins, which no entry is divided by if they are zero."""
    fields = record(
        Margins,
        relative=flag,
        unit=_least(0.0),
        columns=array("f", other),
        row_mean=finite,
        scale=positive,
        curvature=either(nothing, _curvature),
    )

    def check(value: Any, sizes: Sizes) -> None:
        fields(value, sizes)
        if value.relative:
            divisors = value.unit, value.row_mean, value.columns.sum()
            _require(min(divisors) > 0.0 <= value.columns.min(), "it is not positive")

    return check


def _views(own: str, other: str) -> Check:
    """Check for views, of which a constant matrix has none."""
    fields = record(
        Views,
        margins=_margins(other),
        scores=_between(-MOST, MOST, own, None),
        directions=_between(-MOST, MOST, other, None),
        values=_between(0.0, np.inf, None),
        trust=_between(0.0, 1.0, None),
    )

    def check(value: Any, sizes: Sizes) -> None:
        fields(value, sizes)
        numbers = {value.scores.shape[1], value.directions.shape[1], value.trust.size}
        _require(numbers == {value.values.size}, "its sizes do not fit together")
        sizes["views"] = value.values.size

    return check


def _children(value: Any, sizes: Sizes) -> None:
    """Check for splits: each node but the root is part of one later node."""
    array("iu", None, None)(value, sizes)
    n_leaves = sizes["leaves"]
    _require(value.shape == (n_leaves - 1, 2), "its size does not fit")
    _require((np.sort(value, axis=None) == np.arange(2 * n_leaves - 2)).all(), "it is not a tree")
    _require((value < n_leaves + np.arange(n_leaves - 1)[:, None]).all(), "it is not a tree")


def _of_splits(least: float, most: float, ascending: bool = False) -> Check:
    """Check for one number of each split."""

    def check(value: Any, sizes: Sizes) -> None:
        _between(least, most, None)(value, sizes)
        _require(value.size == sizes["leaves"] - 1, "its size does not fit")
        _require(not ascending or (np.diff(value) >= 0.0).all(), "it does not ascend")

    return check


def _centres(value: Any, sizes: Sizes) -> None:
    """Check for the mean points of all nodes."""
    _between(-MOST, MOST, None, None)(value, sizes)
    _require(value.shape[0] == 2 * sizes["leaves"] - 1, "its size does not fit")
    _require(value.shape[1] <= sizes["views"], "its size does not fit")


def _n_clusters(value: Any, sizes: Sizes) -> None:
    """Check for a number of clusters into which the tree can be cut."""
    whole(1)(value, sizes)
    _require(value <= sizes["leaves"], "it does not fit")


def tree(own: str, other: str) -> Check:
    """Check for a tree of one side; its own leaves and views are counted first."""
    fields = record(
        Tree,
        profiles=array("f", "leaves", other),
        leaves=labels(own, "leaves"),
        views=_views(own, other),
        children=_children,
        gains=_of_splits(0.0, np.inf),
        heights=_of_splits(0.0, np.inf, ascending=True),
        replications=_of_splits(-1.0, 1.0),
        p_values=_of_splits(0.0, 1.0),
        n_clusters=_n_clusters,
        centres=_centres,
        replication=either(nothing, _replication(own)),
    )

    def check(value: Any, sizes: Sizes) -> None:
        known = {name: sizes[name] for name in (own, other) if name in sizes}
        fields(value, known)
        sizes |= {name: known[name] for name in (own, other)}

    return check


#: What every fit leaves besides the tree, which is of either side.
FITTED: dict[str, Check] = {
    "n_features_in_": whole(1, "n"),
    "prepare_": either(nothing, prepared),
}
