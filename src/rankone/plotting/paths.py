"""Display of the number of clusters and the selection criterion against the penalty."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rankone.checks import briefly
from rankone.cuts import SortedPottsPath
from rankone.cuts.input import check_n_clusters
from rankone.plotting._common import (
    FRAME,
    INK,
    axes,
    check_name,
    fitted_side,
    title,
)
from rankone.plotting.colours import COLOURS
from rankone.typing import FloatArray
from rankone.wording import count

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: Penalties below this share of the largest are rounding errors and not drawn on the log axis.
LEAST_LAM = 1e-12


class PathDisplay:
    """Display of the number of clusters, and of its criterion, against the penalty.

    Parameters
    ----------
    path : SortedPottsPath
        The path to draw.
    criterion : array-like, optional
        The criterion for each number of clusters on the path, NaN where it is undefined.
    chosen : int, optional
        The number of clusters to highlight.
    name : str
        The name of the side, for the title.
    criterion_name : str
        The label of the criterion's axis.

    Attributes
    ----------
    ax_, figure_ : Axes and Figure
        The axes that were drawn on, and their figure.
    stairs_ : StepPatch
        The numbers of clusters. Those that are not optimal for any penalty have zero width.
    criterion_ax_, criterion_stairs_ : Axes and StepPatch, or None
        The axes of the criterion, and its curve; None if there is no criterion.
    chosen_ : Line2D or None
        The marker of the chosen number.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from rankone import sorted_potts_path
    >>> path = sorted_potts_path([0.0, 1.0, 5.0, 6.0, 20.0], max_clusters=3)
    >>> PathDisplay(path, chosen=2).plot(Figure().subplots()).stairs_.get_data().values
    array([3, 2, 1])
    """

    def __init__(
        self,
        path: SortedPottsPath,
        criterion: npt.ArrayLike | None = None,
        chosen: int | None = None,
        name: str = "rows",
        criterion_name: str = "criterion",
    ) -> None:
        if not isinstance(path, SortedPottsPath):
            raise ValueError(f"path must be a SortedPottsPath, but it is {briefly(path)}.")
        self.path, self.chosen, self.name = path, chosen, check_name(name)
        self.criterion = np.full(len(path), np.nan)
        self.criterion_name = check_name(criterion_name, "criterion_name")
        if criterion is not None:
            self.criterion = np.asarray(criterion, float)
        if self.criterion.shape != (len(path),):
            raise ValueError(
                f"criterion must be {len(path)} numbers, one per partition of the path, but its "
                f"shape is {self.criterion.shape}."
            )
        if chosen is not None:
            check_n_clusters(chosen, len(path), "clusters on this path", "chosen")

    @classmethod
    def from_estimator(cls, model: Any, side: str = "rows", ax: Axes | None = None) -> PathDisplay:
        """Draw the path of a fitted learner and the criterion that selected a number of clusters.

        This is the path of Step 2, the cuts of the scores: the labels of a refined learner come
        from its tree or from its blocks, and may be in another number. The criterion is not drawn
        if the number of clusters was given.

        Parameters
        ----------
        model : RankOneCoclustering or RankOneClustering
            The fitted learner.
        side : {"rows", "columns"}
            The side to draw.
        ax : Axes, optional
            The axes to draw on; a new figure by default.

        Returns
        -------
        PathDisplay
        """
        fitted = fitted_side(model, side)
        path, choice = fitted.path, fitted.selection
        if choice is not None:
            rule = f'criterion ("{choice.selection}")'
            return cls(path, choice.criterion, choice.n_clusters, side, rule).plot(ax)
        number = fitted.partition.n_clusters
        return cls(path, None, number if number <= len(path) else None, side).plot(ax)

    def plot(self, ax: Axes | None = None) -> PathDisplay:
        """Draw the path.

        Parameters
        ----------
        ax : Axes, optional
            The axes to draw on; a new figure by default.

        Returns
        -------
        PathDisplay
        """
        self.ax_ = ax = axes(ax)
        self.figure_ = ax.figure
        edges, scale = _penalties(self.path)
        numbers = self.path.n_clusters
        self.stairs_ = ax.stairs(numbers[::-1], edges, baseline=None, color=INK, linewidth=1.8)
        ax.set(xscale=scale, xlim=(edges[0], edges[-1]), ylim=(0, numbers[-1] + 1))
        ax.set(xlabel="penalty lam", ylabel="number of clusters")
        ax.locator_params(axis="y", integer=True)
        chosen = "" if self.chosen is None else f": {count(self.chosen, 'cluster')} chosen"
        title(ax, f"All cuts of the {self.name}{chosen}")
        self.chosen_ = self._mark(ax, edges, scale)
        self.criterion_ax_, self.criterion_stairs_ = self._draw_criterion(ax, edges)
        return self

    def _mark(self, ax: Axes, edges: FloatArray, scale: str) -> Any:
        if self.chosen is None:
            return None
        low, high = edges[::-1][[self.chosen, self.chosen - 1]]
        ax.axvspan(low, high, color=COLOURS[4], alpha=0.25, linewidth=0)
        middle = np.sqrt(low) * np.sqrt(high) if scale == "log" else (low + high) / 2
        # A number that is not optimal for any penalty has an empty interval, but still a marker.
        return ax.plot(middle, self.chosen, "o", color=COLOURS[0], markersize=7)[0]

    def _draw_criterion(self, ax: Axes, edges: FloatArray) -> tuple[Any, Any]:
        values = np.where(np.isfinite(self.criterion), self.criterion, np.nan)
        if np.isnan(values).all():
            return None, None
        criterion_ax, colour = ax.twinx(), COLOURS[5]
        stairs = criterion_ax.stairs(
            values[::-1], edges, baseline=None, color=colour, linewidth=1.8, linestyle="--"
        )
        low, high = np.nanmin(values), np.nanmax(values)
        margin = 0.1 * (high - low) or 1.0
        criterion_ax.set_ylim(low - margin, high + margin)
        criterion_ax.spines[["top", "left", "bottom"]].set_visible(False)
        criterion_ax.spines["right"].set_color(FRAME)
        criterion_ax.set_ylabel(self.criterion_name, color=colour)
        criterion_ax.tick_params(axis="y", colors=colour)
        return criterion_ax, stairs


def _penalties(path: SortedPottsPath) -> tuple[FloatArray, str]:
    """Return the edges of the intervals of penalties, ascending, and the scale of their axis."""
    positive = path.lam > LEAST_LAM * path.lam[0]
    if not positive.any():  # a single cluster fits exactly
        return np.array([0.0, 1.0]), "linear"
    # A log axis cannot show zero: an interval that starts there is cut off below the others.
    low = np.where(positive, path.lam, path.lam[positive][-1] / 3)
    return np.concatenate([low[::-1], [3 * low[0]]]), "log"
