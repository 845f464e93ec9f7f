"""What is drawn along the sides of a matrix: bars of clusters, their trees, and names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rankone.matrix.cells import Strips
from rankone.plotting._common import INK
from rankone.plotting.colours import COLOURS
from rankone.tree import Tree
from rankone.typing import FloatArray, IntArray
from rankone.wording import count, shown

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: In points: the width of bars and trees, the space between them, and the least height of numbers
#: of clusters, and of names.
BAR, TREE, GAP, LEGIBLE, NAMED = 12.0, 42.0, 3.0, 7.5, 6.0

#: The height of a line of a caption.
LINE = 9.6

#: The share of the depth of a tree that comes from its heights; the rest is the order of splits.
FROM_HEIGHTS = 0.5


class DrawnSide:
    """The clusters of the sorted rows (or columns), and the cells into which they are divided.

    Attributes
    ----------
    axis : {0, 1}
        Whether these are rows or columns.
    strips : Strips
        The sorted rows, divided into cells.
    borders : ndarray
        The cell at which each cluster starts, followed by the number of cells.
    width : float
        The average number of rows per cell.
    """

    def __init__(self, axis: int, labels: IntArray, order: IntArray, max_cells: int) -> None:
        n = order.size
        self.axis, self.labels = axis, labels
        self.clusters, sizes = np.unique(labels, return_counts=True)
        counts = sizes if n <= max_cells else np.maximum(1, sizes * max_cells // n)
        starts = np.cumsum(sizes) - sizes
        cell_starts = [
            start + np.arange(count) * size // count
            for start, count, size in zip(starts, counts, sizes, strict=True)
        ]
        self.strips = Strips(order, np.concatenate([*cell_starts, [n]]))
        self.borders = np.concatenate([[0], np.cumsum(counts)])
        self.width = n / self.borders[-1]

    @property
    def n_cells(self) -> int:
        """The number of cells."""
        return int(self.borders[-1])

    def describe(self, noun: str) -> str:
        """Return the number of rows (or columns) and of their clusters, in words."""
        clusters = f" in {self.clusters.size} clusters" if self.clusters.size > 1 else ""
        return count(self.strips.order.size, noun) + clusters

    def middles(self) -> FloatArray:
        """Return the middle of each cluster, in cells."""
        return np.asarray((self.borders[:-1] + self.borders[1:]) / 2)

    def room(self, ax: Axes) -> float:
        """Return the length of a cell in points."""
        length = ax.bbox.height if self.axis == 0 else ax.bbox.width
        return float(length / self.n_cells * 72 / ax.figure.dpi)

    def place(self, along: Any, across: Any) -> tuple[Any, Any]:
        """Return x and y of a position along the side, and one across it."""
        return (across, along) if self.axis == 0 else (along, across)

    def transform(self, ax: Axes) -> Any:
        """Return the transform of cells along the side, and of points away from the matrix."""
        from matplotlib.transforms import Affine2D, ScaledTranslation, blended_transform_factory

        figure: Any = ax.figure
        axes: Any = ax.transAxes
        away = Affine2D().scale(1 / 72 if self.axis else -1 / 72, 1 / 72)
        points = away + figure.dpi_scale_trans + ScaledTranslation(0, self.axis, axes)
        return blended_transform_factory(*self.place(ax.transData, points))

    def draw_bars(self, ax: Axes) -> list[Any]:
        """Draw a bar for each cluster in its colour, with its number where there is room."""
        from matplotlib.patches import Rectangle

        bars, room = [], self.room(ax)
        style: dict[str, Any] = {"transform": self.transform(ax), "clip_on": False}
        for i, cluster in enumerate(self.clusters):
            start, size = self.borders[i], self.borders[i + 1] - self.borders[i]
            colour = COLOURS[i % len(COLOURS)]
            corner, extent = self.place(start, GAP), self.place(size, BAR)
            bar = Rectangle(corner, *extent, facecolor=colour, edgecolor="white", lw=0.6, **style)
            bars.append(ax.add_patch(bar))
            if size * room >= (LEGIBLE if self.axis == 0 else 4.5 * len(str(cluster)) + 3):
                middle = self.place(start + size / 2, GAP + BAR / 2)
                text = ax.text(*middle, str(cluster), color=_ink(colour), fontsize=7.5, **style)
                text.set(ha="center", va="center")
        return bars

    def draw_tree(self, ax: Axes, tree: Tree) -> list[Any]:
        """Draw a tree outside of the bars, its root farthest away; gradients are dashed."""
        near = 2 * GAP + BAR
        place = np.empty(self.strips.order.size)
        place[self.strips.order] = np.repeat(np.arange(self.n_cells) + 0.5, self.strips.sizes)
        centres = np.zeros(2 * tree.n_leaves - 1)
        for leaf in range(tree.n_leaves):
            inside = place[tree.leaves == leaf]
            centres[leaf] = (inside.min() + inside.max()) / 2
        depths, answer = _depths(tree), tree.leaf_clusters(tree.n_clusters)
        lines = []
        for i, (lower, upper) in enumerate(tree.children):
            node, split = tree.n_leaves + i, tree.split(tree.n_leaves + i)
            centres[node] = (centres[lower] + centres[upper]) / 2
            along = centres[[lower, lower, upper, upper]]
            across = near + TREE * depths[[lower, node, node, upper]]
            cluster = int(answer[tree.leaves_of(node)[0]])
            colour = INK if split.in_answer else COLOURS[cluster % len(COLOURS)]
            dashed = split.in_answer and split.kind == "gradient"
            lines += ax.plot(
                *self.place(along, across),
                color=colour,
                linewidth=1.0 if split.in_answer else 0.6,
                linestyle=(0, (3, 2)) if dashed else "-",
                transform=self.transform(ax),
                clip_on=False,
                scalex=False,
                scaley=False,
            )
        return lines

    def margin(self, tree: Tree | None) -> float:
        """Return the room in points that bars and the tree take outside of the matrix."""
        if tree is not None and tree.n_leaves > 1:
            return 4 * GAP + BAR + TREE
        return 2 * GAP + BAR if self.clusters.size > 1 else GAP

    def _apart(self, captions: list[str], room: float) -> tuple[FloatArray, list[str]]:
        """Return captions, and their places; of those that would overlap, the larger clusters'."""
        middles, kept = self.middles(), list[int]()
        lines = max(text.count("\n") + 1 for text in captions)
        least = (LINE * lines if self.axis == 0 else LINE * np.sqrt(2.0)) / room
        for i in np.argsort(-np.diff(self.borders), kind="stable"):
            if all(abs(middles[i] - middles[j]) >= least for j in kept):
                kept.append(int(i))
        kept.sort()
        return middles[kept], [captions[i] for i in kept]

    def name(self, ax: Axes, names: Sequence[str] | None, captions: Sequence[str] | None) -> None:
        """Write names of rows if they are legible, captions of clusters, or nothing."""
        axis = ax.yaxis if self.axis == 0 else ax.xaxis
        room = self.room(ax)
        places: FloatArray = np.empty(0)
        texts: list[str] = []
        if captions is not None:
            places, texts = self._apart(list(captions), room)
        elif names is not None and self.width == 1 and room >= NAMED:
            places = np.arange(0.5, self.n_cells)
            texts = [shown(str(names[i]), 28) for i in self.strips.order]
        size = 8.0 if captions is not None else min(8.0, room)
        axis.set_ticks(places, texts, fontsize=size)
        ax.tick_params(axis="y" if self.axis == 0 else "x", length=0, pad=3)
        if self.axis == 0:
            ax.yaxis.tick_right()
        elif texts and max(map(len, texts)) * 5 > room:
            slanted = captions is not None or room >= size * np.sqrt(2.0)  # do not overlap
            for text in axis.get_ticklabels():
                text.set(rotation=45 if slanted else 90, ha="right", rotation_mode="anchor")
                if not slanted:
                    text.set(va="center")


def _depths(tree: Tree) -> FloatArray:
    """Return how deep each node is drawn: from 0 for leaves to 1 for the root."""
    ranks = np.arange(1, tree.n_leaves) / max(1, tree.n_leaves - 1)
    top = float(tree.heights[-1]) if tree.heights.size else 1.0
    heights: npt.NDArray[Any] = tree.heights / (top or 1.0)
    inner = FROM_HEIGHTS * heights + (1 - FROM_HEIGHTS) * ranks
    return np.concatenate([np.zeros(tree.n_leaves), inner])


def _ink(colour: str) -> str:
    """Return black or white, whichever can be read on a colour."""
    return "black" if sum(int(colour[i : i + 2], 16) for i in (1, 3, 5)) > 380 else "white"
