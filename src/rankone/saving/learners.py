"""What a learner that was saved must look like, so that it works once it is loaded."""

from __future__ import annotations

from typing import Any

from rankone.result import SIDES, Result
from rankone.saving.checks import BLOCKS, check_state, prepared, side
from rankone.saving.plausibility import (
    Check,
    Implausible,
    either,
    finite,
    nothing,
    one_of,
    record,
    text,
    whole,
)
from rankone.saving.trees import tree

__all__ = ["check_learner"]

#: What every fit leaves.
FITTED: dict[str, Check] = {
    "result_": record(
        Result,
        blocks=BLOCKS,
        rows=side(SIDES[0], "m", "n", "k", tree("m", "n")),
        columns=side(SIDES[1], "n", "m", "l", tree("n", "m")),
        method=one_of("cut", "tree", "blocks"),
        preparation=text,
        reads=either(nothing, finite),
    ),
    "n_features_in_": whole(1, "n"),
    "prepare_": either(nothing, prepared),
}


def check_learner(estimator: Any, state: dict[str, Any]) -> None:
    """Refuse a learner whose parameters or fitted attributes do not fit together."""
    check_state(estimator, state, FITTED)
    result = state["result_"]
    discarded = [False, type(estimator).__name__ == "RankOneClustering"]
    for of_side, expected in zip(result.sides, discarded, strict=True):
        if not of_side.request.discarded == expected == (of_side.confidence is None):
            raise Implausible(of_side.name)
        if of_side.tree is None and result.method == "tree":
            raise Implausible(f"there is no tree of {of_side.name}")
        if of_side.tree is not None and of_side.tree.n_clusters != of_side.n_clusters:
            raise Implausible(f"the tree of {of_side.name} has another number of clusters")
