"""Display of sorted scores and the levels of their clusters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rankone.checks import briefly
from rankone.cuts import Partition
from rankone.cuts.input import check_vector
from rankone.plotting._common import (
    INK,
    LEAST_SHARE,
    axes,
    check_labels,
    check_name,
    fitted_side,
    title,
)
from rankone.plotting.colours import COLOURS
from rankone.result import SIDES
from rankone.typing import FloatArray, IntArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes


#: The most clusters that a legend lists, and the size of its dots.
MOST_LISTED, DOT = 8, 10.0

#: In points, the width of a step that its level can be written below.
WIDE_STEP = 34.0


class VectorDisplay:
    """Display of scores in ascending order, coloured by cluster, with the level of each cluster.

    Parameters
    ----------
    scores : array-like of shape (n,)
        The scores.
    labels : array-like of int of shape (n,)
        The cluster of each score. Clusters need not be intervals of scores.
    name : str
        The name of the side, or of the vector, for the title.
    partition : Partition, optional
        The cut whose levels are drawn as steps. By default, the steps are the mean scores of the
        clusters. The width of a step is the size of its cluster.

    Attributes
    ----------
    ax_, figure_ : Axes and Figure
        The axes that were drawn on, and their figure.
    points_ : list of Line2D
        The points of each cluster.
    steps_ : StepPatch
        The levels.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> display = VectorDisplay([5.0, 0.0, 4.0, 1.0], [1, 0, 1, 0]).plot(Figure().subplots())
    >>> display.steps_.get_data().values
    array([0.5, 4.5])
    """

    def __init__(
        self,
        scores: npt.ArrayLike,
        labels: npt.ArrayLike,
        name: str = "rows",
        partition: Partition | None = None,
    ) -> None:
        self.scores = check_vector(scores, "scores")
        self.labels = check_labels(labels, self.scores.size, "labels")
        self.name, self.partition = check_name(name), partition
        if partition is not None:
            if not isinstance(partition, Partition):
                raise ValueError(f"partition must be a Partition, but it is {briefly(partition)}.")
            check_labels(partition.labels, self.scores.size, "partition.labels")

    @classmethod
    def from_estimator(
        cls,
        model: Any,
        side: str = "rows",
        ax: Axes | None = None,
        refined: bool = True,
        **kwargs: Any,
    ) -> VectorDisplay:
        """Draw the scores of a fitted learner with the levels of its cut.

        Parameters
        ----------
        model : RankOneCoclustering or RankOneClustering
            The fitted learner.
        side : {"rows", "columns"}
            The side to draw.
        ax : Axes, optional
            The axes to draw on; a new figure by default.
        refined : bool
            Whether to colour by the final clusters rather than by the clusters of the cut.
        **kwargs
            Passed to `plot`.

        Returns
        -------
        VectorDisplay
        """
        fitted = fitted_side(model, side)
        labels = fitted.labels if refined else fitted.partition.labels
        return cls(fitted.scores.values, labels, side, fitted.partition).plot(ax, **kwargs)

    def plot(self, ax: Axes | None = None, *, legend: bool = True) -> VectorDisplay:
        """Draw the scores.

        Parameters
        ----------
        ax : Axes, optional
            The axes to draw on; a new figure by default.
        legend : bool
            Whether to list the clusters, provided that there are at most eight.

        Returns
        -------
        VectorDisplay
        """
        self.ax_ = ax = axes(ax)
        self.figure_ = ax.figure
        order = np.argsort(self.scores, kind="stable")
        names = np.unique(self.labels)
        size = float(np.clip(140 / np.sqrt(order.size), 4, 10))
        self.points_ = []
        for i, cluster in enumerate(names):
            ranks = np.flatnonzero(self.labels[order] == cluster)
            self.points_ += ax.plot(
                ranks,
                self.scores[order[ranks]],
                ".",
                color=COLOURS[i % len(COLOURS)],
                markersize=size,
                markeredgewidth=0,
                label=str(cluster),
            )
        self._draw_steps(ax)
        is_side = self.name in SIDES
        ax.set(xlabel="rank", ylabel="score" if is_side else "value")
        title(ax, f"Sorted scores of the {self.name}" if is_side else f"Sorted {self.name}")
        if legend and 1 < names.size <= MOST_LISTED:
            is_cut = self.partition is None or np.array_equal(self.partition.labels, self.labels)
            # Scores ascend, so that the upper left corner is free.
            heading = "cluster" if is_cut else "refined"
            ax.legend(title=heading, frameon=False, loc="upper left", markerscale=DOT / size)
        return self

    def _draw_steps(self, ax: Axes) -> None:
        levels, sizes = self._levels()
        ends = np.cumsum(sizes) - 0.5
        edges = np.concatenate([[-0.5], ends])
        self.steps_ = ax.stairs(levels, edges, baseline=None, color=INK, linewidth=1.5, zorder=3)
        room = ax.bbox.width * 72 / ax.figure.dpi / self.scores.size
        for level, start, size in zip(levels, edges, sizes, strict=False):
            if size >= LEAST_SHARE * self.scores.size:
                self._write_level(ax, level, start, start + size, size * room >= WIDE_STEP)

    def _write_level(self, ax: Axes, level: float, start: float, end: float, wide: bool) -> None:
        """Write the level of a step where neither scores nor steps are."""
        text = f"{level:.3g}".replace("-", "\N{MINUS SIGN}")
        style: dict[str, Any] = {"textcoords": "offset points", "color": INK}
        if wide:  # scores ascend through a step, so that the space below its right end is free
            ax.annotate(text, (end, level), (0, -4), ha="right", va="top", **style)
        elif end < self.scores.size - 1:  # what follows is higher
            ax.annotate(text, (end, level), (4, -4), ha="left", va="top", **style)
        else:  # what precedes is lower
            ax.annotate(text, (start, level), (-4, 0), ha="right", va="center", **style)

    def _levels(self) -> tuple[FloatArray, IntArray]:
        """Return the levels in ascending order, and the number of scores at each."""
        if self.partition is not None:
            return self.partition.levels, self.partition.sizes
        _, inverse, sizes = np.unique(self.labels, return_inverse=True, return_counts=True)
        means = np.bincount(inverse, self.scores) / sizes
        order = np.argsort(means, kind="stable")
        return means[order], sizes[order]
