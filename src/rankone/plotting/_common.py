"""Axes and input checks shared by all displays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_is_fitted

from rankone.checks import briefly, check_choice
from rankone.result import SIDES, Side
from rankone.typing import IntArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes

INK, FRAME, MISSING = "#222222", "#888888", "#BBBBBB"

#: Clusters that make up a smaller share of a side are not annotated, because texts would overlap.
LEAST_SHARE = 0.04


def fitted_side(model: Any, name: str) -> Side:
    """Return one side of the result of a fitted learner."""
    from rankone.estimators import RankOneClustering, RankOneCoclustering

    check_choice(name, "side", SIDES)
    if not isinstance(model, (RankOneCoclustering, RankOneClustering)):
        raise ValueError(
            "model must be a fitted RankOneCoclustering or RankOneClustering, but it is "
            f"{briefly(model)}."
        )
    check_is_fitted(model)
    side = model.result_.sides[SIDES.index(name)]
    if side.request.discarded:
        raise ValueError(
            f"{type(model).__name__} has no clusters of {name}; use RankOneCoclustering."
        )
    return side


def axes(ax: Axes | None) -> Axes:
    """Apply the package's style to the given axes, or to new ones, and return them."""
    try:
        from matplotlib.axes import Axes
    except ImportError:
        raise ImportError(
            "Plotting needs matplotlib; install it with: pip install 'rankone[plot]'."
        ) from None
    if ax is None:
        from matplotlib import pyplot

        ax = pyplot.subplots(layout="constrained")[1]
    if not isinstance(ax, Axes):
        raise ValueError(f"ax must be matplotlib axes, but it is {briefly(ax)}.")
    ax.spines[["top", "right"]].set_visible(False)
    ax.spines[:].set_color(FRAME)
    ax.tick_params(colors=INK)
    for axis in (ax.xaxis, ax.yaxis):
        axis.label.set_color(INK)
    return ax


def title(ax: Axes, text: str, pad: float | None = None) -> None:
    """Set the title of axes in the package's style, so many points above them."""
    ax.set_title(text, loc="left", fontsize=11, color=INK, pad=pad)


def check_labels(labels: npt.ArrayLike, n: int, name: str) -> IntArray:
    """Return labels as an array, or raise a ValueError if they are not n integers."""
    array = np.asarray(labels)
    if array.shape != (n,):
        raise ValueError(f"{name} must be {n} labels, but its shape is {array.shape}.")
    if array.dtype.kind not in "iu":
        raise ValueError(f"{name} must be integers, but its dtype is {array.dtype}.")
    return array


def check_name(name: str, parameter: str = "name") -> str:
    """Return a name, or raise a ValueError if it is not a string."""
    if not isinstance(name, str):
        raise ValueError(f"{parameter} must be a string, but it is {briefly(name)}.")
    return name
