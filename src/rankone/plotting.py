"""Pictures of vectors, blocks and paths, in the manner of scikit-learn's displays.

A display is made from data, or from a fitted learner by ``from_estimator``. ``plot`` draws it, on
given axes or on a new figure, and returns the display, whose attributes then hold what was drawn.
Matplotlib is loaded when something is drawn, not before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from sklearn.utils.validation import check_is_fitted

from rankone.checks import briefly, check_choice, check_whole
from rankone.cuts import Partition, SortedPottsPath
from rankone.cuts.base import check_n_clusters, check_vector
from rankone.matrix import Matrix, as_matrix
from rankone.typing import FloatArray, IntArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Okabe and Ito: colours that most colour-blind people can tell apart.
COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442", "#999999")
INK, FRAME, MISSING = "#222222", "#888888", "#BBBBBB"

#: Clusters that are a smaller share of a side get no text: it would overlap.
LEAST_SHARE = 0.04

#: Penalties below this share of the largest are rounding, and have no place on a log axis.
LEAST_LAM = 1e-12

#: Dense entries that are read at a time.
READ = 2**20


class VectorDisplay:
    """Scores in ascending order, coloured by cluster, with a step at the level of each cluster.

    Parameters
    ----------
    scores : array-like of shape (n,)
    labels : array-like of shape (n,)
        The cluster of each score, a whole number. Clusters need not be intervals of scores.
    name : str
        What the scores belong to.
    partition : Partition, optional
        The cut whose levels are the steps. By default a step is the mean score of a cluster. Each
        is as wide as its cluster is large.

    Attributes
    ----------
    ax_, figure_ : Axes and Figure
    points_ : list of Line2D
        One for each cluster.
    steps_ : StepPatch

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
        self.labels = _check_labels(labels, self.scores.size, "labels")
        self.name, self.partition = _check_name(name), partition
        if partition is not None:
            if not isinstance(partition, Partition):
                raise ValueError(f"partition must be a Partition, but it is {briefly(partition)}.")
            _check_labels(partition.labels, self.scores.size, "partition.labels")

    @classmethod
    def from_estimator(
        cls,
        model: Any,
        side: str = "rows",
        ax: Axes | None = None,
        refined: bool = True,
        **kwargs: Any,
    ) -> VectorDisplay:
        """Draw the scores of a fitted learner, with the steps of its cut.

        Parameters
        ----------
        model : RankOneCoclustering or RankOneClustering
        side : {"rows", "columns"}
        ax : Axes, optional
        refined : bool
            Whether colours are the final clusters; otherwise those of the cut.
        **kwargs
            See `plot`.
        """
        prefix = _prefix(model, side)
        partition = getattr(model, f"{prefix}partition_")
        labels = getattr(model, f"{prefix}labels_") if refined else partition.labels
        return cls(getattr(model, f"{prefix}vector_"), labels, side, partition).plot(ax, **kwargs)

    def plot(self, ax: Axes | None = None, *, legend: bool = True) -> VectorDisplay:
        """Draw the scores.

        Parameters
        ----------
        ax : Axes, optional
        legend : bool
            Whether clusters are listed, unless there are more of them than colours.
        """
        self.ax_ = ax = _axes(ax)
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
        ax.set(xlabel="rank", ylabel="score")
        _title(ax, f"Sorted scores of the {self.name}")
        if legend and 1 < names.size <= len(COLOURS):
            same = self.partition is None or np.array_equal(self.partition.labels, self.labels)
            # Scores ascend, which leaves room above the first of them.
            ax.legend(title="cluster" if same else "refined", frameon=False, loc="upper left")
        return self

    def _draw_steps(self, ax: Axes) -> None:
        levels, sizes = self._levels()
        ends = np.cumsum(sizes) - 0.5
        edges = np.concatenate([[-0.5], ends])
        self.steps_ = ax.stairs(levels, edges, baseline=None, color=INK, linewidth=1.5, zorder=3)
        # Below its right end a step has room, because scores ascend through it.
        style: dict[str, Any] = {"textcoords": "offset points", "ha": "right", "va": "top"}
        for level, end, size in zip(levels, ends, sizes, strict=True):
            if size >= LEAST_SHARE * self.scores.size:
                text = f"{level:.3g}".replace("-", "\N{MINUS SIGN}")
                ax.annotate(text, (end, level), (0, -4), color=INK, **style)

    def _levels(self) -> tuple[FloatArray, IntArray]:
        """Return levels, ascending, and how many scores have each."""
        if self.partition is not None:
            return self.partition.levels, self.partition.sizes
        _, inverse, sizes = np.unique(self.labels, return_inverse=True, return_counts=True)
        means = np.bincount(inverse, self.scores) / sizes
        order = np.argsort(means, kind="stable")
        return means[order], sizes[order]


class BlocksDisplay:
    """A matrix whose rows and columns are sorted into blocks, with lines between these.

    Parameters
    ----------
    matrix : array-like or sparse matrix of shape (m, n)
        What `rankone.matrix.as_matrix` takes: arrays, lists of rows, frames, any sparse format.
    row_labels, column_labels : array-like
        The cluster of each row and each column, a whole number.
    row_scores, column_scores : array-like, optional
        The order inside of clusters; by default it stays as it is.
    missing : {"nan", "absent"}
        Which entries do not exist; see `rankone.matrix.as_matrix`.

    Attributes
    ----------
    row_order_, column_order_ : ndarray
        ``matrix[row_order_][:, column_order_]`` is what is drawn.
    ax_, figure_ : Axes and Figure
    cells_ : ndarray
        The mean of the entries that exist in each cell, NaN where none does. A cell is one entry,
        unless the matrix is large.
    row_edges_, column_edges_ : ndarray
        Where each cell begins, and the last one ends, in ``row_order_`` and ``column_order_``.
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
    ) -> None:
        self.matrix, self.missing = as_matrix(matrix, missing), missing
        m, n = self.matrix.shape
        self.row_labels = _check_labels(row_labels, m, "row_labels")
        self.column_labels = _check_labels(column_labels, n, "column_labels")
        self.row_order_ = _order(self.row_labels, row_scores, "row_scores")
        self.column_order_ = _order(self.column_labels, column_scores, "column_scores")

    @classmethod
    def from_estimator(
        cls, model: Any, X: Any, ax: Axes | None = None, **kwargs: Any
    ) -> BlocksDisplay:
        """Draw the matrix that a learner was fitted to, in its blocks.

        Parameters
        ----------
        model : RankOneCoclustering or RankOneClustering
            The latter has no clusters of columns: these stay as they are.
        X : array-like or sparse matrix of shape (m, n)
            The fitted matrix.
        ax : Axes, optional
        **kwargs
            See `plot`.
        """
        prefix = _prefix(model, "rows")
        labels = [getattr(model, f"{prefix}labels_"), np.zeros(model.n_features_in_, int)]
        scores = [getattr(model, f"{prefix}vector_"), None]
        if prefix:
            labels[1], scores[1] = model.column_labels_, model.column_vector_
        return cls(X, *labels, *scores, missing=model.missing).plot(ax, **kwargs)

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
        max_cells : int
            A side of more rows, or columns, is drawn in cells that are means over several. No cell
            is in two clusters: one that is smaller than a cell gets one, beyond this number.
        cmap : str or Colormap, optional
            Its ends are the 1st and 99th percentile of cells. If zero lies between these, it is the
            middle of the colours, which then are ``"RdBu_r"`` by default; otherwise ``"viridis"``.
        colorbar : bool
        """
        check_whole(max_cells, "max_cells")
        self.ax_ = ax = _axes(ax)
        self.figure_ = ax.figure
        rows = _Side(self.row_labels, self.row_order_, max_cells)
        columns = _Side(self.column_labels, self.column_order_, max_cells)
        self.row_edges_, self.column_edges_ = rows.edges, columns.edges
        self.cells_ = _means(self.matrix, rows, columns, self.missing == "absent")
        self._draw_cells(ax, cmap)
        self.colorbar_ = self._draw_colorbar(ax) if colorbar else None
        self._draw_lines(ax, rows, columns)
        ax.set(xlabel=columns.describe("column"), ylabel=rows.describe("row"))
        what = "Entries"
        if max(rows.width, columns.width) > 1:
            what = f"Means of about {rows.width:.2g} x {columns.width:.2g} entries"
        _title(ax, what + ("; missing ones are grey" if np.isnan(self.cells_).any() else ""))
        return self

    def _draw_cells(self, ax: Axes, cmap: Any) -> None:
        from matplotlib import colormaps

        low, high = _limits(self.cells_)
        if cmap is None:
            cmap = "RdBu_r" if low < 0 < high else "viridis"
        k, n = self.cells_.shape
        self.image_ = ax.imshow(
            self.cells_,
            cmap=colormaps.get_cmap(cmap).with_extremes(bad=MISSING),
            vmin=low,
            vmax=high,
            extent=(0, n, k, 0),  # a line between clusters is at the number of cells before it
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
        # Dark on a light rim: seen on every colour.
        rim = [withStroke(linewidth=2.2, foreground="white")]
        style: dict[str, Any] = {"color": INK, "linewidth": 0.8, "path_effects": rim}
        self.row_lines_ = ax.hlines(rows.borders[1:-1], 0, n, **style)
        self.column_lines_ = ax.vlines(columns.borders[1:-1], 0, k, **style)
        ax.set(xlim=(0, n), ylim=(k, 0))
        ax.set_xticks(*columns.ticks())
        ax.set_yticks(*rows.ticks())
        ax.tick_params(length=0)
        ax.spines[:].set_visible(False)


class PathDisplay:
    """The number of clusters against the penalty, and the criterion by which one is chosen.

    Parameters
    ----------
    path : SortedPottsPath
    criterion : array-like, optional
        A value for each number of clusters on the path; NaN where there is none.
    chosen : int, optional
        The number of clusters that is marked.
    name : str
        What the path belongs to.
    criterion_name : str
        What is written beside the axis of the criterion.

    Attributes
    ----------
    ax_, figure_ : Axes and Figure
    stairs_ : StepPatch
        The numbers of clusters. Those that no penalty chooses have no width.
    criterion_ax_, criterion_stairs_ : Axes and StepPatch, or None
    chosen_ : Line2D or None
        The mark.

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
        self.path, self.chosen, self.name = path, chosen, _check_name(name)
        self.criterion = np.full(len(path), np.nan)
        self.criterion_name = _check_name(criterion_name, "criterion_name")
        if criterion is not None:
            self.criterion = np.asarray(criterion, float)
        if self.criterion.shape != (len(path),):
            raise ValueError(
                f"criterion must be {len(path)} numbers, as many as the path has partitions, but "
                f"its shape is {self.criterion.shape}."
            )
        if chosen is not None:
            check_n_clusters(chosen, len(path), "clusters on this path", "chosen")

    @classmethod
    def from_estimator(cls, model: Any, side: str = "rows", ax: Axes | None = None) -> PathDisplay:
        """Draw the path of a fitted learner, and how its number of clusters was selected.

        The mark is the number of the cut, which refinement may have changed. There is no criterion
        if the number was given.

        Parameters
        ----------
        model : RankOneCoclustering or RankOneClustering
        side : {"rows", "columns"}
        ax : Axes, optional
        """
        prefix = _prefix(model, side)
        path, choice = (getattr(model, f"{prefix}{name}_") for name in ("path", "selection"))
        if choice is not None:
            rule = f'criterion ("{choice.selection}")'
            return cls(path, choice.criterion, choice.n_clusters, side, rule).plot(ax)
        number = getattr(model, f"{prefix}partition_").n_clusters
        return cls(path, None, number if number <= len(path) else None, side).plot(ax)

    def plot(self, ax: Axes | None = None) -> PathDisplay:
        """Draw the path.

        Parameters
        ----------
        ax : Axes, optional
        """
        self.ax_ = ax = _axes(ax)
        self.figure_ = ax.figure
        edges, scale = _penalties(self.path)
        numbers = self.path.n_clusters
        self.stairs_ = ax.stairs(numbers[::-1], edges, baseline=None, color=INK, linewidth=1.8)
        ax.set(xscale=scale, xlim=(edges[0], edges[-1]), ylim=(0, numbers[-1] + 1))
        ax.set(xlabel="penalty lam", ylabel="number of clusters")
        ax.locator_params(axis="y", integer=True)
        chosen = "" if self.chosen is None else f": {_count(self.chosen, 'cluster')} chosen"
        _title(ax, f"All cuts of the {self.name}{chosen}")
        self.chosen_ = self._mark(ax, edges, scale)
        self.criterion_ax_, self.criterion_stairs_ = self._draw_criterion(ax, edges)
        return self

    def _mark(self, ax: Axes, edges: FloatArray, scale: str) -> Any:
        if self.chosen is None:
            return None
        low, high = edges[::-1][[self.chosen, self.chosen - 1]]
        ax.axvspan(low, high, color=COLOURS[4], alpha=0.25, linewidth=0)
        middle = np.sqrt(low) * np.sqrt(high) if scale == "log" else (low + high) / 2
        # A number that no penalty chooses has an interval of no width, but still a dot.
        return ax.plot(middle, self.chosen, "o", color=COLOURS[0], markersize=7)[0]

    def _draw_criterion(self, ax: Axes, edges: FloatArray) -> tuple[Any, Any]:
        values = np.where(np.isfinite(self.criterion), self.criterion, np.nan)
        if np.isnan(values).all():
            return None, None
        beside, colour = ax.twinx(), COLOURS[5]
        stairs = beside.stairs(
            values[::-1], edges, baseline=None, color=colour, linewidth=1.8, linestyle="--"
        )
        low, high = np.nanmin(values), np.nanmax(values)
        margin = 0.1 * (high - low) or 1.0
        beside.set_ylim(low - margin, high + margin)
        beside.spines[["top", "left", "bottom"]].set_visible(False)
        beside.spines["right"].set_color(FRAME)
        beside.set_ylabel(self.criterion_name, color=colour)
        beside.tick_params(axis="y", colors=colour)
        return beside, stairs


class _Side:
    """How the sorted rows, or columns, fall into clusters, and these into cells.

    Attributes
    ----------
    edges : ndarray
        Where each cell begins, and the last one ends, among the sorted.
    borders : ndarray
        Where each cluster begins, and the last one ends, among the cells.
    cells : ndarray
        The cell of each of the sorted.
    width : float
        How many a cell has on average.
    """

    def __init__(self, labels: IntArray, order: IntArray, max_cells: int) -> None:
        self.order, n = order, order.size
        self.names, sizes = np.unique(labels, return_counts=True)
        counts = sizes if n <= max_cells else np.maximum(1, sizes * max_cells // n)
        starts = np.cumsum(sizes) - sizes
        begins = [
            start + np.arange(count) * size // count
            for start, count, size in zip(starts, counts, sizes, strict=True)
        ]
        self.edges = np.concatenate([*begins, [n]])
        self.borders = np.concatenate([[0], np.cumsum(counts)])
        self.cells = np.repeat(np.arange(self.edges.size - 1), np.diff(self.edges))
        self.width = n / (self.edges.size - 1)

    def members(self) -> Any:
        """Return the sparse matrix of which row, or column, is in which cell."""
        ones, shape = np.ones(self.order.size), (self.order.size, self.edges.size - 1)
        return sp.csr_array((ones, (self.order, self.cells)), shape=shape)

    def ticks(self) -> tuple[FloatArray, list[str]]:
        """Return the middle and the name of each cluster that has room for a text."""
        shown = np.diff(self.borders) >= LEAST_SHARE * self.borders[-1]
        middles = (self.borders[:-1] + self.borders[1:]) / 2
        return middles[shown], [str(name) for name in self.names[shown]]

    def describe(self, what: str) -> str:
        """Return how many there are, in how many clusters."""
        clusters = f" in {self.names.size} clusters" if self.names.size > 1 else ""
        return _count(self.order.size, what) + clusters


def _means(matrix: Matrix, rows: _Side, columns: _Side, absent: bool) -> FloatArray:
    """Return the means of cells. A sparse matrix stays sparse, a dense one is read by parts."""
    csr: Any = matrix.values()
    if sp.issparse(csr):
        left, right = rows.members().T, columns.members()
        sums = (left @ csr @ right).toarray()
        counts = np.outer(np.diff(rows.edges), np.diff(columns.edges))
        if absent:
            ones = sp.csr_array((np.ones(csr.nnz), csr.indices, csr.indptr), shape=csr.shape)
            counts = (left @ ones @ right).toarray()
    else:
        sums, counts = np.zeros((2, rows.edges.size - 1, columns.edges.size - 1))
        step = max(1, READ // columns.order.size)
        for start in range(0, rows.order.size, step):
            some = slice(start, start + step)
            block = matrix.part(rows.order[some], columns.order)
            exists = ~np.isnan(block)
            block[~exists] = 0.0
            for total, part in ((sums, block), (counts, exists)):
                by_column = np.add.reduceat(part, columns.edges[:-1], axis=1, dtype=float)
                np.add.at(total, rows.cells[some], by_column)
    means: FloatArray = np.full(sums.shape, np.nan)
    np.divide(sums, counts, out=means, where=counts > 0)
    return means


def _limits(cells: FloatArray) -> tuple[float, float]:
    """Return the ends of the colours."""
    seen = cells[~np.isnan(cells)]
    low, high = np.percentile(seen, [1, 99])
    if low == high:  # few entries differ from the rest, as those of a sparse matrix from zero
        low, high = seen.min(), seen.max()
    if low < 0 < high:
        low, high = min(low, -high), max(-low, high)
    return float(low), float(high)


def _penalties(path: SortedPottsPath) -> tuple[FloatArray, str]:
    """Return the ends of all intervals of penalties, ascending, and the scale that they suit."""
    positive = path.lam > LEAST_LAM * path.lam[0]
    if not positive.any():  # one cluster, and nothing that another could save
        return np.array([0.0, 1.0]), "linear"
    # A log axis does not reach zero: an interval that does ends a little below the others.
    low = np.where(positive, path.lam, path.lam[positive][-1] / 3)
    return np.concatenate([low[::-1], [3 * low[0]]]), "log"


def _prefix(model: Any, side: str) -> str:
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


def _axes(ax: Axes | None) -> Axes:
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


def _title(ax: Axes, text: str) -> None:
    ax.set_title(text, loc="left", fontsize=11, color=INK)


def _order(labels: IntArray, scores: npt.ArrayLike | None, name: str) -> IntArray:
    """Return indices by label, then by score, then as they were."""
    values = np.zeros(labels.size) if scores is None else check_vector(scores, name)
    if values.size != labels.size:
        raise ValueError(f"{name} must be {labels.size} numbers, but there are {values.size}.")
    return np.lexsort((values, labels))


def _check_labels(labels: npt.ArrayLike, n: int, name: str) -> IntArray:
    array = np.asarray(labels)
    if array.shape != (n,):
        raise ValueError(f"{name} must be {n} labels, but its shape is {array.shape}.")
    if array.dtype.kind not in "iu":
        raise ValueError(f"{name} must be whole numbers, but its type is {array.dtype}.")
    return array


def _check_name(name: str, parameter: str = "name") -> str:
    if not isinstance(name, str):
        raise ValueError(f"{parameter} must be a text, but it is {briefly(name)}.")
    return name


def _count(n: int, what: str) -> str:
    return f"{n} {what}" if n == 1 else f"{n} {what}s"
