"""What all displays share: colours, axes, and the checks of their data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_is_fitted

from rankone.checks import briefly, check_choice
from rankone.typing import IntArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Okabe and Ito: colours that most colour-blind people can tell apart.
COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442", "#999999")
INK, FRAME, MISSING = "#222222", "#888888", "#BBBBBB"

#: Clusters that are a smaller share of a side get no text: it would overlap.
LEAST_SHARE = 0.04


def side_prefix(model: Any, side: str) -> str:
    """Return how the attributes of one side of a fitted learner begin."""
    from rankone.estimators import RankOneClustering, RankOneCoclustering

    check_choice(side, "side", ("rows", "columns"))
    if not isinstance(model, (RankOneCoclustering, RankOneClustering)):
        raise ValueError(f"model must be a learner of rankone, but it is {briefly(model)}.")
    check_is_fitted(model)
    if isinstance(model, RankOneCoclustering):
        return "row_" if side == "rows" else "column_"
    if side == "columns":
        raise ValueError("RankOneClustering has no clusters of columns; use RankOneCoclustering.")
    return ""


def axes(ax: Axes | None) -> Axes:
    """Return axes in the style of the house: new ones, or those that were given."""
    try:
        from matplotlib.axes import Axes
    except ImportError:
        raise ImportError("Drawing needs matplotlib: pip install 'rankone[plot]'.") from None
    if ax is None:
        from matplotlib import pyplot

        ax = pyplot.subplots(layout="constrained")[1]
    if not isinstance(ax, Axes):
        raise ValueError(f"ax must be matplotlib's axes, but it is {briefly(ax)}.")
    ax.spines[["top", "right"]].set_visible(False)
    ax.spines[:].set_color(FRAME)
    ax.tick_params(colors=INK)
    for axis in (ax.xaxis, ax.yaxis):
        axis.label.set_color(INK)
    return ax


def title(ax: Axes, text: str) -> None:
    ax.set_title(text, loc="left", fontsize=11, color=INK)


def check_labels(labels: npt.ArrayLike, n: int, name: str) -> IntArray:
    array = np.asarray(labels)
    if array.shape != (n,):
        raise ValueError(f"{name} must be {n} labels, but its shape is {array.shape}.")
    if array.dtype.kind not in "iu":
        raise ValueError(f"{name} must be whole numbers, but its type is {array.dtype}.")
    return array


def check_name(name: str, parameter: str = "name") -> str:
    if not isinstance(name, str):
        raise ValueError(f"{parameter} must be a text, but it is {briefly(name)}.")
    return name


def count(n: int, what: str) -> str:
    return f"{n} {what}" if n == 1 else f"{n} {what}s"
