"""Display of a tree of clusters, with the columns that tell the sides of its splits apart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from rankone.checks import briefly, check_whole
from rankone.cuts.input import check_n_clusters
from rankone.plotting._common import INK, axes, title
from rankone.plotting.colours import COLOURS, node_colours
from rankone.tree import Split, Tree
from rankone.wording import count, without_middle

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: The size of letters in points, and the height of a row of the picture relative to it.
LETTERS, LINE_HEIGHT = 9.0, 1.5

#: The share of the width that texts may take, and the lengths to which names are cut for it.
WIDEST_TEXT, NAME_LENGTHS = 0.65, (40, 32, 26)

#: The width of a new figure in inches, its least height, and its height without rows.
WIDTH, LEAST_HEIGHT, BORDER = 9.0, 3.0, 1.0


class DendrogramDisplay:
    """Display of a tree, its root on the left and its clusters on the right.

    Each node, but for the root, says how many rows it has, and which columns are higher in it than
    in its sibling. Splits that are sections of a gradient are dashed.

    Parameters
    ----------
    tree : Tree
        The tree to draw.
    names : sequence of str, optional
        The names of the columns; by default, their numbers.
    n_words : int
        The number of columns that are named at a node.
    n_clusters : int, optional
        The number of clusters to draw; by default, those of the answer.
    thing : str
        What is clustered.

    Attributes
    ----------
    ax_, figure_ : Axes and Figure
        The axes that were drawn on, and their figure.
    branches_ : dict of int to Line2D
        The line of each split, by its node.
    texts_ : dict of int to Annotation
        The text at each node but the root.
    cut_ : Line2D
        The line that crosses the branches of the clusters of the answer.

    Examples
    --------
    >>> import numpy as np
    >>> from matplotlib.figure import Figure
    >>> from rankone.matrix import as_matrix
    >>> from rankone.tree import grow
    >>> a = np.array([[9.0, 1.0], [9.0, 2.0], [1.0, 8.0], [2.0, 8.0], [1.0, 7.0]])
    >>> display = DendrogramDisplay(grow(as_matrix(a), 2), ["sweet", "sour"])
    >>> for text in display.plot(Figure().subplots()).texts_.values():
    ...     print(text.get_text())
    cluster 0, 3 rows: sour
    cluster 1, 2 rows: sweet
    """

    def __init__(
        self,
        tree: Tree,
        names: Sequence[str] | None = None,
        n_words: int = 3,
        n_clusters: int | None = None,
        thing: str = "row",
    ) -> None:
        if not isinstance(tree, Tree):
            raise ValueError(f"tree must be a Tree, but it is {briefly(tree)}.")
        n = tree.profiles.shape[1]
        self.tree, self.thing = tree, thing
        self.names = [f"column {j}" for j in range(n)] if names is None else list(map(str, names))
        if len(self.names) != n:
            raise ValueError(f"names must be {n} names, but there are {len(self.names)}.")
        self.n_words = check_whole(n_words, "n_words", 0)
        number = tree.n_clusters if n_clusters is None else n_clusters
        self.n_clusters = check_n_clusters(number, tree.n_leaves, "leaves of this tree")

    @classmethod
    def from_estimator(
        cls,
        model: Any,
        names: Sequence[str] | None = None,
        ax: Axes | None = None,
        **kwargs: Any,
    ) -> DendrogramDisplay:
        """Draw the tree of a fitted learner.

        Parameters
        ----------
        model : RankOneTree
            The fitted learner.
        names : sequence of str, optional
            The names of the columns; by default, those that the learner was fitted with.
        ax : Axes, optional
            The axes to draw on; a new figure by default.
        **kwargs
            ``n_words`` and ``n_clusters``.

        Returns
        -------
        DendrogramDisplay
        """
        if not hasattr(model, "fit"):
            raise ValueError(
                f"model must be a Tree or a fitted RankOneTree, but it is {briefly(model)}."
            )
        check_is_fitted(model, "tree_")
        by_rows = getattr(model, "axis", "rows") == "rows"
        if names is None:
            names = getattr(model, "feature_names_in_" if by_rows else "row_names_in_", None)
        thing = "row" if by_rows else "column"
        return cls(model.tree_, names, thing=thing, **kwargs).plot(ax)

    def plot(self, ax: Axes | None = None) -> DendrogramDisplay:
        """Draw the tree.

        Parameters
        ----------
        ax : Axes, optional
            The axes to draw on; a new figure by default.

        Returns
        -------
        DendrogramDisplay
        """
        self.ax_ = axes(ax)
        figure: Any = self.ax_.figure
        self.figure_ = figure
        places, splits = self._places(), self._splits()
        self.ax_.set_ylim(len(places) - 0.4, -0.6)
        self.branches_ = {split.node: self._branch(split, places) for split in splits}
        self.cut_ = self.ax_.axvline(self._cut_height(), color=COLOURS[5], linewidth=1.2, zorder=1)
        colours = node_colours(self.tree)  # the same as in reports, whatever the number
        for node in self.tree.nodes_at(self.n_clusters):
            colour = COLOURS[colours[node] % len(COLOURS)]
            self.ax_.plot(*places[node], "o", color=colour, markersize=5)
        self.ax_.set_yticks([])
        self.ax_.spines["left"].set_visible(False)
        clusters = count(self.tree.n_clusters, "cluster")
        dashed = any(split.kind == "gradient" for split in splits)
        self.ax_.set_xlabel(
            f"height; orange: the cut into {clusters}"
            + ("; dashed: sections of a gradient" if dashed else "")
        )
        title(self.ax_, f"Tree of {count(self.tree.leaves.size, self.thing)}: {clusters}")
        if ax is None:
            height = BORDER + len(places) * LETTERS * LINE_HEIGHT / 72
            figure.set_size_inches(WIDTH, max(LEAST_HEIGHT, height))
            figure.draw_without_rendering()  # so that the axes have their size
        self._write(splits, places)
        return self

    def _splits(self) -> list[Split]:
        """Return the splits that are drawn, from the root."""
        root = 2 * self.tree.n_leaves - 2
        return [self.tree.split(root - i) for i in range(self.n_clusters - 1)]

    def _places(self) -> dict[int, tuple[float, int]]:
        """Return the height and the row of each node; between its two sides, a split has its own.

        What is written right of a node is then in nobody's way.
        """
        clusters = self.tree.leaf_clusters(self.n_clusters)
        places = {node: (0.0, 2 * i) for i, node in enumerate(self.tree.nodes_at(self.n_clusters))}
        for split in self._splits():
            first_above = int(clusters[self.tree.leaves_of(split.children[1])].min())
            height = float(self.tree.heights[split.node - self.tree.n_leaves])
            places[split.node] = (height, 2 * first_above - 1)
        return places

    def _branch(self, split: Split, places: dict[int, tuple[float, int]]) -> Any:
        """Draw the fork of a split."""
        height, _ = places[split.node]
        (lower, lower_row), (upper, upper_row) = (places[child] for child in split.children)
        line = self.ax_.plot(
            [lower, height, height, upper],
            [lower_row, lower_row, upper_row, upper_row],
            color=INK if split.in_answer else self._colour(split.node),
            linestyle="-" if split.kind == "groups" else (0, (4, 2)),
            linewidth=1.4,
            solid_joinstyle="miter",
        )
        return line[0]

    def _colour(self, node: int) -> str:
        """Return the colour of the cluster of the answer that a node is part of."""
        cluster = int(self.tree.leaf_clusters(self.tree.n_clusters)[self.tree.leaves_of(node)[0]])
        return COLOURS[cluster % len(COLOURS)]

    def _cut_height(self) -> float:
        """Return a height between the last split of the answer and the next one that is drawn."""
        drawn = max(self.n_clusters, self.tree.n_clusters) - 1
        heights = self.tree.heights[self.tree.heights.size - drawn :]
        heights = np.concatenate([[0.0], heights, [1.1 * self._top]])
        above = heights.size - self.tree.n_clusters
        return float(heights[above - 1] + heights[above]) / 2

    @property
    def _top(self) -> float:
        """The height of the root; one, if there is no split."""
        return float(self.tree.heights[-1]) if self.tree.heights.size else 1.0

    def _write(self, splits: list[Split], places: dict[int, tuple[float, int]]) -> None:
        """Label the nodes with as many names as there is space for, and fix the x-axis."""
        ax = self.ax_
        row = ax.bbox.height / len(places) * 72 / self.figure_.dpi
        style: dict[str, Any] = {
            "va": "center",
            "color": INK,
            "fontsize": min(LETTERS, row / LINE_HEIGHT),
            "textcoords": "offset points",
            "parse_math": False,
            "bbox": {"facecolor": ax.get_facecolor(), "edgecolor": "none", "pad": 0.5},
        }
        nodes = [child for split in splits for child in split.children] or list(places)
        nodes.sort(key=lambda node: places[node][1])
        self.texts_ = {node: ax.annotate("", places[node], (7, 0), **style) for node in nodes}
        for n_words, length in self._lengths():
            words = self._words(splits, n_words, length)
            for node in nodes:
                cluster = "" if places[node][1] % 2 else f"cluster {places[node][1] // 2}, "
                size = count(int(self.tree.sizes[node]), self.thing)
                self.texts_[node].set_text(cluster + size + words.get(node, ""))
            width = max(text.get_window_extent().width for text in self.texts_.values())
            share = width / ax.bbox.width + 0.03
            if share <= WIDEST_TEXT:
                break
        share, left = min(share, WIDEST_TEXT), 1.12 * self._top
        ax.set_xlim(left, -share / (1 - share) * left)
        ax.set_xticks([tick for tick in ax.get_xticks() if 0 <= tick <= left])

    def _lengths(self) -> list[tuple[int, int]]:
        """Return numbers of words and the lengths to which they are cut, the most space first."""
        numbers = range(self.n_words, 0, -1)
        return [(number, length) for number in numbers for length in NAME_LENGTHS] + [(0, 0)]

    def _words(self, splits: list[Split], n_words: int, length: int) -> dict[int, str]:
        """Return the columns that are higher at a node than at its sibling, for each node."""
        words = {}
        for split in splits:
            drivers = self.tree.drivers(split.node)
            for child, differences in zip(split.children, (-drivers, drivers), strict=True):
                order = np.argsort(-differences, kind="stable")[:n_words]
                names = [
                    without_middle(self.names[j], length) for j in order if differences[j] > 0.0
                ]
                words[child] = f": {', '.join(names)}" if names else ""
        return words


def dendrogram(
    tree_or_model: Any,
    names: Sequence[str] | None = None,
    n_words: int = 3,
    ax: Axes | None = None,
    n_clusters: int | None = None,
) -> DendrogramDisplay:
    """Draw a tree of clusters.

    Parameters
    ----------
    tree_or_model : Tree or RankOneTree
        The tree, or the fitted learner that has grown one.
    names : sequence of str, optional
        The names of the columns; by default those of the learner, or numbers.
    n_words : int
        The number of columns that are named at a node.
    ax : Axes, optional
        The axes to draw on; a new figure by default.
    n_clusters : int, optional
        The number of clusters to draw; by default, those of the answer.

    Returns
    -------
    DendrogramDisplay
    """
    if isinstance(tree_or_model, Tree):
        return DendrogramDisplay(tree_or_model, names, n_words, n_clusters).plot(ax)
    return DendrogramDisplay.from_estimator(
        tree_or_model, names, ax, n_words=n_words, n_clusters=n_clusters
    )
