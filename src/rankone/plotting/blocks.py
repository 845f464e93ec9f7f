"""Display of a matrix reordered into blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rankone.checks import check_whole
from rankone.cuts.input import check_vector
from rankone.matrix import Matrix, as_matrix
from rankone.matrix.cells import Strips, cell_means
from rankone.plotting._common import (
    INK,
    LEAST_SHARE,
    MISSING,
    axes,
    check_labels,
    check_name,
    fitted_side,
    title,
)
from rankone.plotting.colours import colour_limits
from rankone.typing import FloatArray, IntArray
from rankone.wording import count

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
        What was done to the entries before they were clustered, for the title.

    Attributes
    ----------
    row_order_, column_order_ : ndarray
        The order of rows and columns: ``matrix[row_order_][:, column_order_]`` is drawn.
    ax_, figure_ : Axes and Figure
    cells_ : ndarray
        The mean of the observed entries of each cell, NaN if there are none. A cell is a single
        entry unless the matrix is large.
    row_edges_, column_edges_ : ndarray
        The index in ``row_order_`` or ``column_order_`` at which each cell starts, followed by
        the index at which the last one ends.
    image_, colorbar_ : AxesImage, and Colorbar or None
    row_lines_, column_lines_ : LineCollection
        The lines between clusters, in units of cells.

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
    ) -> None:
        self.matrix = matrix if isinstance(matrix, Matrix) else as_matrix(matrix, missing)
        self.missing, self.preparation = missing, check_name(preparation, "preparation")
        m, n = self.matrix.shape
        self.row_labels = check_labels(row_labels, m, "row_labels")
        self.column_labels = check_labels(column_labels, n, "column_labels")
        self.row_order_ = _order(self.row_labels, row_scores, "row_scores")
        self.column_order_ = _order(self.column_labels, column_scores, "column_scores")

    @classmethod
    def from_estimator(
        cls, model: Any, X: Any = None, ax: Axes | None = None, **kwargs: Any
    ) -> BlocksDisplay:
        """Draw the matrix that a learner was fitted to, sorted into its blocks.

        Parameters
        ----------
        model : RankOneCoclustering or RankOneClustering
            The fitted learner. A `RankOneClustering` leaves the columns in their original order.
        X : array-like or sparse matrix of shape (m, n), optional
            The matrix that the learner was fitted to, as it was given; needed for a learner that
            was loaded from a file. It is drawn as it was clustered, prepared if need be.
        ax : Axes, optional
            The axes to draw on; a new figure by default.
        **kwargs
            Passed to `plot`.

        Returns
        -------
        BlocksDisplay
        """
        sides = [fitted_side(model, "rows"), *list(model.result_.visible_sides)[1:]]
        labels = [side.labels for side in sides]
        scores = [side.scores.values for side in sides]
        if len(sides) == 1:
            labels.append(np.zeros(model.n_features_in_, int))
        matrix = getattr(model, "matrix_", None) if X is None else X
        if matrix is None:
            raise ValueError("the learner does not hold its matrix; give the fitted matrix as X.")
        matrix = model.prepared(as_matrix(matrix, model.missing))
        preparation = model.result_.preparation
        display = cls(matrix, *labels, *scores, missing=model.missing, preparation=preparation)
        return display.plot(ax, **kwargs)

    def plot(
        self,
        ax: Axes | None = None,
        *,
        max_cells: int = 1000,
        cmap: Any = None,
        colorbar: bool = True,
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
            the default is ``"viridis"``.
        colorbar : bool
            Whether to draw a colour bar.

        Returns
        -------
        BlocksDisplay
        """
        check_whole(max_cells, "max_cells")
        self.ax_ = ax = axes(ax)
        self.figure_ = ax.figure
        rows = _Side(self.row_labels, self.row_order_, max_cells)
        columns = _Side(self.column_labels, self.column_order_, max_cells)
        self.row_edges_, self.column_edges_ = rows.strips.edges, columns.strips.edges
        self.cells_, _ = cell_means(self.matrix, rows.strips, columns.strips)
        self._draw_cells(ax, cmap)
        self.colorbar_ = self._draw_colorbar(ax) if colorbar else None
        self._draw_lines(ax, rows, columns)
        ax.set(xlabel=columns.describe("column"), ylabel=rows.describe("row"))
        content = "Entries"
        if max(rows.width, columns.width) > 1:
            content = f"Means of about {rows.width:.2g} x {columns.width:.2g} entries"
        content += "; missing in grey" if np.isnan(self.cells_).any() else ""
        content += f"; clustered after: {self.preparation}" if self.preparation else ""
        title(ax, content)
        return self

    def _draw_cells(self, ax: Axes, cmap: Any) -> None:
        from matplotlib import colormaps

        low, high = colour_limits(self.cells_)
        if cmap is None:
            cmap = "RdBu_r" if low < 0 < high else "viridis"
        k, n = self.cells_.shape
        self.image_ = ax.imshow(
            self.cells_,
            cmap=colormaps.get_cmap(cmap).with_extremes(bad=MISSING),
            vmin=low,
            vmax=high,
            extent=(0, n, k, 0),  # so that cell i covers the interval from i to i + 1
            aspect="auto",
        )

    def _draw_colorbar(self, ax: Axes) -> Any:
        low, high = self.image_.get_clim()
        below, above = np.nanmin(self.cells_) < low, np.nanmax(self.cells_) > high
        extend = ("both" if above else "min") if below else ("max" if above else "neither")
        bar = ax.figure.colorbar(self.image_, ax=ax, extend=extend, pad=0.02)
        bar.ax.tick_params(colors=INK)
        return bar

    def _draw_lines(self, ax: Axes, rows: _Side, columns: _Side) -> None:
        from matplotlib.patheffects import withStroke

        k, n = self.cells_.shape
        # A dark line with a light rim is visible on every colour.
        rim = [withStroke(linewidth=2.2, foreground="white")]
        style: dict[str, Any] = {"color": INK, "linewidth": 0.8, "path_effects": rim}
        self.row_lines_ = ax.hlines(rows.borders[1:-1], 0, n, **style)
        self.column_lines_ = ax.vlines(columns.borders[1:-1], 0, k, **style)
        ax.set(xlim=(0, n), ylim=(k, 0))
        ax.set_xticks(*columns.ticks())
        ax.set_yticks(*rows.ticks())
        ax.tick_params(length=0)
        ax.spines[:].set_visible(False)


class _Side:
    """The clusters of the sorted rows (or columns), and the cells into which they are divided.

    Attributes
    ----------
    strips : Strips
        The sorted rows, divided into cells.
    borders : ndarray
        The cell at which each cluster starts, followed by the number of cells.
    width : float
        The average number of rows per cell.
    """

    def __init__(self, labels: IntArray, order: IntArray, max_cells: int) -> None:
        n = order.size
        self.names, sizes = np.unique(labels, return_counts=True)
        counts = sizes if n <= max_cells else np.maximum(1, sizes * max_cells // n)
        starts = np.cumsum(sizes) - sizes
        cell_starts = [
            start + np.arange(count) * size // count
            for start, count, size in zip(starts, counts, sizes, strict=True)
        ]
        self.strips = Strips(order, np.concatenate([*cell_starts, [n]]))
        self.borders = np.concatenate([[0], np.cumsum(counts)])
        self.width = n / self.borders[-1]

    def ticks(self) -> tuple[FloatArray, list[str]]:
        """Return the position and the name of each cluster that is large enough for a tick."""
        shown = np.diff(self.borders) >= LEAST_SHARE * self.borders[-1]
        middles = (self.borders[:-1] + self.borders[1:]) / 2
        return middles[shown], [str(name) for name in self.names[shown]]

    def describe(self, noun: str) -> str:
        """Return the number of rows (or columns) and of their clusters, in words."""
        clusters = f" in {self.names.size} clusters" if self.names.size > 1 else ""
        return count(self.strips.order.size, noun) + clusters


def _order(labels: IntArray, scores: npt.ArrayLike | None, name: str) -> IntArray:
    """Return the indices sorted by label, then by score, then by original position."""
    values = np.zeros(labels.size) if scores is None else check_vector(scores, name)
    if values.size != labels.size:
        raise ValueError(f"{name} must be {labels.size} numbers, but there are {values.size}.")
    return np.lexsort((values, labels))
