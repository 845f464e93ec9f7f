"""Display of a matrix reordered into blocks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rankone.checks import check_whole
from rankone.cuts.input import check_vector
from rankone.matrix import Matrix, as_matrix
from rankone.matrix.cells import cell_means
from rankone.plotting._common import (
    INK,
    axes,
    check_labels,
    check_name,
    fitted_side,
    title,
)
from rankone.plotting.cells import draw_cells
from rankone.plotting.colours import block_means, colour_limits, ratio_limits
from rankone.plotting.sides import DrawnSide
from rankone.tree import Tree
from rankone.typing import FloatArray, IntArray
from rankone.views.margins import Margins, is_relative

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class BlocksDisplay:
    """Display of a matrix with its rows and columns sorted into blocks.

    Parameters
    ----------
    matrix : array-like, sparse matrix or Matrix of shape (m, n)
        Anything that `rankone.matrix.as_matrix` accepts: arrays, lists of rows, data frames, any
        sparse format.
    row_labels, column_labels : array-like of int
        The cluster of each row and of each column.
    row_scores, column_scores : array-like, optional
        The scores by which to order rows and columns within clusters; the original order by
        default.
    missing : {"nan", "absent"}
        Which entries are missing; see `rankone.matrix.as_matrix`.
    preparation : str
        What was done to the entries, for the title.
    row_names, column_names : sequence of str, optional
        Names, written where there is room for them.
    row_tree, column_tree : Tree, optional
        Trees through the clusters, drawn beside these; splits into sections of a gradient are
        dashed. Rows are then in the order of the tree.

    Attributes
    ----------
    row_order_, column_order_ : ndarray
        The order of rows and columns: ``matrix[row_order_][:, column_order_]`` is drawn.
    ax_, figure_ : Axes and Figure
        The axes that were drawn on, and their figure.
    cells_ : ndarray
        The mean of the observed entries of each cell, NaN if there are none. A cell is a single
        entry unless the matrix is large.
    row_edges_, column_edges_ : ndarray
        The index in ``row_order_`` or ``column_order_`` at which each cell starts, followed by
        the index at which the last one ends.
    image_, colorbar_ : AxesImage, and Colorbar or None
        The cells in their colours, and what these mean.
    row_lines_, column_lines_ : LineCollection
        The lines between clusters, in units of cells.
    row_bars_, column_bars_ : list of Rectangle
        The clusters, in their colours.
    row_branches_, column_branches_ : list of Line2D
        The splits of the trees.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> display = BlocksDisplay([[1, 9, 1], [7, 2, 7], [1, 9, 1]], [0, 1, 0], [0, 1, 0])
    >>> display.plot(Figure().subplots()).cells_
    array([[1., 1., 9.],
           [1., 1., 9.],
           [7., 7., 2.]])
    """

    def __init__(
        self,
        matrix: Any,
        row_labels: npt.ArrayLike,
        column_labels: npt.ArrayLike,
        row_scores: npt.ArrayLike | None = None,
        column_scores: npt.ArrayLike | None = None,
        *,
        missing: Any = "nan",
        preparation: str = "",
        row_names: Sequence[str] | None = None,
        column_names: Sequence[str] | None = None,
        row_tree: Tree | None = None,
        column_tree: Tree | None = None,
    ) -> None:
        self.matrix = matrix if isinstance(matrix, Matrix) else as_matrix(matrix, missing)
        self.missing, self.preparation = missing, check_name(preparation, "preparation")
        m, n = self.matrix.shape
        self.row_labels = check_labels(row_labels, m, "row_labels")
        self.column_labels = check_labels(column_labels, n, "column_labels")
        self.row_names, self.column_names = row_names, column_names
        self.row_tree, self.column_tree = row_tree, column_tree
        self.row_order_ = _order(self.row_labels, row_scores, "row_scores", row_tree)
        self.column_order_ = _order(self.column_labels, column_scores, "column_scores", column_tree)

    @classmethod
    def from_estimator(
        cls, model: Any, X: Any = None, ax: Axes | None = None, **kwargs: Any
    ) -> BlocksDisplay:
        """Draw the matrix that a learner was fitted to, sorted into its blocks.

        Parameters
        ----------
        model : RankOneCoclustering or RankOneClustering
            The fitted learner. A `rankone.RankOneClustering` leaves the columns in their order.
        X : array-like or sparse matrix of shape (m, n), optional
            The matrix that the learner was fitted to, as it was given; needed for a learner that
            was loaded from a file. It is drawn as it was clustered, prepared if need be.
        ax : Axes, optional
            The axes to draw on; a new figure by default.
        **kwargs
            Passed to `plot`; matrices in which zero means absence are drawn relative to their
            margins by default.

        Returns
        -------
        BlocksDisplay
        """
        sides = [fitted_side(model, "rows"), *list(model.result_.visible_sides)[1:]]
        labels = [side.labels for side in sides]
        scores = [side.scores.values for side in sides]
        trees = [side.tree for side in sides]
        if len(sides) == 1:
            labels.append(np.zeros(model.n_features_in_, int))
            trees.append(None)
        matrix = getattr(model, "matrix_", None) if X is None else X
        if matrix is None:
            raise ValueError("the learner does not hold its matrix; give the fitted matrix as X.")
        matrix = model.prepared(as_matrix(matrix, model.missing))
        preparation = model.result_.preparation
        display = cls(
            matrix,
            *labels,
            *scores,
            missing=model.missing,
            preparation=preparation,
            row_names=getattr(model, "row_names_in_", None),
            column_names=getattr(model, "feature_names_in_", None),
            row_tree=trees[0],
            column_tree=trees[1],
        )
        return display.plot(ax, **{"relative": is_relative(matrix), **kwargs})

    def plot(
        self,
        ax: Axes | None = None,
        *,
        max_cells: int = 1000,
        cmap: Any = None,
        colorbar: bool = True,
        relative: bool = False,
        row_captions: Sequence[str] | None = None,
        column_captions: Sequence[str] | None = None,
    ) -> BlocksDisplay:
        """Draw the blocks.

        Parameters
        ----------
        ax : Axes, optional
            The axes to draw on; a new figure by default.
        max_cells : int
            The approximate maximum number of cells per side. If there are more rows (or columns),
            several are averaged per cell. Each cluster has at least one cell of its own, which may
            exceed this number.
        cmap : str or Colormap, optional
            The colours from the 1st to the 99th percentile of the cells. If zero lies between
            these, it is the centre of the colour scale, and the default is ``"RdBu_r"``; otherwise
            the default goes from light to dark blue.
        colorbar : bool
            Whether to draw a colour bar.
        relative : bool
            Whether to draw the logarithm of sums relative to what the margins of the matrix lead
            one to expect, for counts and the like.
        row_captions, column_captions : sequence of str, optional
            A text for each cluster, beside it, instead of names.

        Returns
        -------
        BlocksDisplay
        """
        check_whole(max_cells, "max_cells")
        self.ax_ = ax = axes(ax)
        self.figure_ = ax.figure
        rows = DrawnSide(0, self.row_labels, self.row_order_, max_cells)
        columns = DrawnSide(1, self.column_labels, self.column_order_, max_cells)
        self.row_edges_, self.column_edges_ = rows.strips.edges, columns.strips.edges
        self.cells_, counts = cell_means(self.matrix, rows.strips, columns.strips)
        drawn = self._relative_to_margins(rows, columns, counts) if relative else self.cells_
        limits = ratio_limits(drawn) if relative else colour_limits(drawn)
        means = block_means(drawn, rows.borders, columns.borders)
        self.image_, self.missing_ = draw_cells(ax, drawn, means, limits, cmap)
        self.colorbar_ = self._draw_colorbar(ax) if colorbar else None
        self._draw_lines(ax, rows, columns)
        self.row_bars_, self.row_branches_ = self._draw_side(ax, rows, self.row_tree)
        self.column_bars_, self.column_branches_ = self._draw_side(ax, columns, self.column_tree)
        rows.name(ax, self.row_names, row_captions)
        columns.name(ax, self.column_names, column_captions)
        dashed = "; dashed: sections of a gradient" if self._has_gradients() else ""
        ax.set_xlabel(columns.describe("column") + dashed)
        ax.yaxis.set_label_position("left")
        ax.set_ylabel(rows.describe("row"), labelpad=rows.margin(self.row_tree))
        content = "Entries relative to their margins (log2)" if relative else "Entries"
        if max(rows.width, columns.width) > 1:
            pooled = f"means of about {rows.width:.2g} x {columns.width:.2g} entries"
            content = f"{content}; {pooled}" if relative else pooled.capitalize()
        content += "; missing: pale, as their block" if np.isnan(self.cells_).any() else ""
        content += f"; prepared: {self.preparation}" if self.preparation else ""
        title(ax, content, columns.margin(self.column_tree))
        return self

    def _relative_to_margins(
        self, rows: DrawnSide, columns: DrawnSide, counts: FloatArray
    ) -> FloatArray:
        """Return the logarithm of each cell relative to what the margins lead one to expect."""
        margins = Margins.of(self.matrix)
        if not margins.relative:
            raise ValueError("relative=True is for entries of which some are zero, none negative.")
        totals = self.matrix.totals
        sums = [
            np.add.reduceat(of_side[side.strips.order], side.strips.edges[:-1])
            for side, of_side in ((rows, totals.rows), (columns, totals.columns))
        ]
        sizes = np.outer(rows.strips.sizes, columns.strips.sizes)
        expected = np.outer(*sums) / totals.rows.sum() * counts / sizes
        return np.asarray(
            np.log2((self.cells_ * counts + margins.unit) / (expected + margins.unit))
        )

    def _has_gradients(self) -> bool:
        """Whether a branch is dashed."""
        trees = [tree for tree in (self.row_tree, self.column_tree) if tree is not None]
        splits = [split for tree in trees for split in tree.splits]
        return any(split.in_answer and split.kind == "gradient" for split in splits)

    def _draw_side(self, ax: Axes, side: DrawnSide, tree: Tree | None) -> tuple[Any, Any]:
        """Draw the clusters of a side, and their tree, if there is more than one."""
        bars = side.draw_bars(ax) if side.clusters.size > 1 or tree is not None else []
        return bars, side.draw_tree(ax, tree) if tree is not None and tree.n_leaves > 1 else []

    def _draw_colorbar(self, ax: Axes) -> Any:
        low, high = self.image_.get_clim()
        drawn = np.asarray(self.image_.get_array())
        below, above = np.nanmin(drawn) < low, np.nanmax(drawn) > high
        extend = ("both" if above else "min") if below else ("max" if above else "neither")
        bar = ax.figure.colorbar(self.image_, ax=ax, extend=extend, pad=0.02, aspect=40)
        bar.ax.tick_params(colors=INK)
        return bar

    def _draw_lines(self, ax: Axes, rows: DrawnSide, columns: DrawnSide) -> None:
        """Draw the lines between clusters, as gaps between the blocks."""
        k, n = self.cells_.shape
        crowded = rows.clusters.size + columns.clusters.size > 24
        style: dict[str, Any] = {"color": "white", "linewidth": 0.8 if crowded else 1.8}
        self.row_lines_ = ax.hlines(rows.borders[1:-1], 0, n, **style)
        self.column_lines_ = ax.vlines(columns.borders[1:-1], 0, k, **style)
        ax.set(xlim=(0, n), ylim=(k, 0))
        ax.spines[:].set_visible(False)


def _order(
    labels: IntArray, scores: npt.ArrayLike | None, name: str, tree: Tree | None
) -> IntArray:
    """Return the indices sorted by label, then by score, then by original position.

    If there is a tree, its leaves come before scores.
    """
    values = np.zeros(labels.size) if scores is None else check_vector(scores, name)
    if values.size != labels.size:
        raise ValueError(f"{name} must be {labels.size} numbers, but there are {values.size}.")
    if tree is None:
        return np.lexsort((values, labels))
    return np.lexsort((tree.between_siblings(), tree.pieces, labels))
