"""A picture of the sorted matrix that needs no script: a drawing, with the cells as an image."""

from __future__ import annotations

import base64
import html
from collections.abc import Iterator, Sequence

import numpy as np

from rankone.contrasts import ClusterExplanation, SideExplanation
from rankone.matrix import Matrix
from rankone.plotting.colours import COLOURS
from rankone.report.image import Cells, png
from rankone.report.sides import ReportSide
from rankone.tree import Tree
from rankone.typing import IntArray
from rankone.wording import shown

__all__ = ["matrix_picture"]

#: The most cells of a side.
MOST_CELLS = 400

#: The size of the picture, and of its parts: trees, bars of clusters, names.
WIDTH, HEIGHT, TREES, BAR, NAMES, LINE = 900.0, 660.0, (96.0, 70.0), 18.0, (190.0, 120.0), 14.0


class _Axis:
    """Where the units of a side are drawn.

    Attributes
    ----------
    side : ReportSide
    start, length : float
    units : ndarray
        The unit of each row.
    n_units : int
    """

    def __init__(self, side: ReportSide, start: float, length: float) -> None:
        self.side, self.start, self.length = side, start, length
        self.units = side.units(MOST_CELLS)
        self.n_units = int(self.units.max()) + 1

    def at(self, unit: float) -> float:
        """Return the coordinate of a position among the units."""
        return self.start + self.length * unit / self.n_units

    @property
    def borders(self) -> IntArray:
        """The first unit of each cluster of the answer, from left to right, and the end."""
        labels = np.empty(self.n_units, np.intp)
        labels[self.units] = self.side.labels
        return np.concatenate([[0], np.flatnonzero(np.diff(labels)) + 1, [self.n_units]])

    def spans(self, labels: IntArray) -> list[tuple[float, float]]:
        """Return the stretch of each cluster, given by a label for each row."""
        number = int(labels.max()) + 1
        low, high = np.full(number, self.n_units), np.zeros(number, np.intp)
        np.minimum.at(low, labels, self.units)
        np.maximum.at(high, labels, self.units + 1)
        return [(self.at(float(a)), self.at(float(b))) for a, b in zip(low, high, strict=True)]


def matrix_picture(
    matrix: Matrix, sides: Sequence[ReportSide], sentences: Sequence[SideExplanation | None]
) -> str:
    """Return the matrix, sorted into the clusters of the answer, as SVG."""
    corner = [
        (tree if side.walk.tree is not None else 0.0) + (BAR + 4 if side.walk.kind != "none" else 0)
        for side, tree in zip(sides, TREES, strict=True)
    ]
    rows = _Axis(sides[0], corner[1], HEIGHT - corner[1] - NAMES[1])
    columns = _Axis(sides[1], corner[0], WIDTH - corner[0] - NAMES[0])
    cells = Cells((rows.units, columns.units), (rows.borders, columns.borders))
    image = base64.b64encode(png(cells.pixels(matrix))).decode()
    parts = [
        f'<svg class="static" viewBox="0 0 {WIDTH:g} {HEIGHT:g}" role="img" '
        'aria-label="The matrix, its rows and columns sorted into clusters" '
        'font-family="system-ui, sans-serif" font-size="12">',
        f'<image x="{columns.start:g}" y="{rows.start:g}" width="{columns.length:g}" '
        f'height="{rows.length:g}" preserveAspectRatio="none" image-rendering="pixelated" '
        f'href="data:image/png;base64,{image}"/>',
    ]
    for axis, other, said in ((rows, columns, sentences[0]), (columns, rows, sentences[1])):
        parts += _side(axis, other, said)
    return "\n".join([*parts, "</svg>"])


def _side(axis: _Axis, other: _Axis, said: SideExplanation | None) -> Iterator[str]:
    """Yield what is drawn along a side: its tree, its clusters, and their names."""
    side, spans = axis.side, axis.spans(axis.side.labels)
    near = other.start - 4
    if side.walk.kind != "none":
        for label, (a, b) in enumerate(spans):
            yield _bar(axis, label, a, b, near - BAR)
        for a, _ in spans:
            if a > axis.start:
                (x, y), (x2, y2) = (_point(axis, a, end) for end in (other.start, _end(other)))
                line = f"M{x:.1f},{y:.1f}L{x2:.1f},{y2:.1f}"
                yield f'<path d="{line}" stroke="#fff" stroke-width="2"/>'
    if side.walk.tree is not None and side.walk.tree.n_leaves > 1:
        yield from _tree(axis, side.walk.tree, near - BAR - 3)
    yield from _names(axis, _end(other) + 8, said, spans)


def _point(axis: _Axis, along: float, across: float) -> tuple[float, float]:
    return (across, along) if axis.side.what == "rows" else (along, across)


def _end(axis: _Axis) -> float:
    return axis.start + axis.length


def _bar(axis: _Axis, label: int, a: float, b: float, near: float) -> str:
    """Return the bar of a cluster, with its number."""
    colour = COLOURS[label % len(COLOURS)]
    (x, y), (x2, y2) = _point(axis, a + 0.5, near), _point(axis, b - 0.5, near + BAR)
    bright = sum(int(colour[i : i + 2], 16) for i in (1, 3, 5)) > 380
    rectangle = (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{max(x2 - x, 0.1):.1f}" '
        f'height="{max(y2 - y, 0.1):.1f}" fill="{colour}"/>'
    )
    if b - a < LINE:
        return rectangle
    x, y = _point(axis, (a + b) / 2, near + BAR / 2)
    ink = "#000" if bright else "#fff"
    return (
        f'{rectangle}<text x="{x:.1f}" y="{y + 4:.1f}" text-anchor="middle" fill="{ink}">'
        f"{label}</text>"
    )


def _tree(axis: _Axis, tree: Tree, near: float) -> Iterator[str]:
    """Yield the branches of a tree, the root farthest from the matrix."""
    leaves = axis.spans(axis.side.walk.pieces)
    order = tree.leaves_of(2 * tree.n_leaves - 2)
    centres = np.zeros(2 * tree.n_leaves - 1)
    centres[order] = [(a + b) / 2 for a, b in leaves]
    top = float(tree.heights[-1]) or 1.0
    ranks = np.arange(1, tree.n_leaves) / (tree.n_leaves - 1)
    depths = np.concatenate([np.zeros(tree.n_leaves), 0.5 * tree.heights / top + 0.5 * ranks])
    clusters = tree.leaf_clusters(tree.n_clusters)
    for i, (lower, upper) in enumerate(tree.children):
        node = tree.n_leaves + i
        centres[node] = (centres[lower] + centres[upper]) / 2
        split = tree.split(node)
        turns = [(lower, lower), (lower, node), (upper, node), (upper, upper)]
        points = [
            _point(axis, centres[part], near - depths[level] * (near - 4)) for part, level in turns
        ]
        path = "L".join(f"{x:.1f},{y:.1f}" for x, y in points)
        cluster = int(clusters[tree.leaves_of(node)[0]])
        stroke = "currentColor" if split.in_answer else COLOURS[cluster % len(COLOURS)]
        dashed = split.in_answer and split.kind == "gradient"
        dashes = ' stroke-dasharray="4 3"' if dashed else ""
        yield f'<path d="M{path}" fill="none" stroke="{stroke}" stroke-width="1.4"{dashes}/>'


def _names(
    axis: _Axis, edge: float, said: SideExplanation | None, spans: list[tuple[float, float]]
) -> Iterator[str]:
    """Yield the names of rows, if there is room for them; otherwise of their clusters."""
    side = axis.side
    if axis.length / side.size >= LINE:
        places = [(axis.at(float(unit) + 0.5), i) for i, unit in enumerate(axis.units)]
        texts = [(at, shown(side.shown_names[i], 24)) for at, i in places]
    elif said is not None:
        texts = [
            ((a + b) / 2, f"{cluster.label} · {_caption(side, cluster)}")
            for cluster, (a, b) in zip(said.clusters, spans, strict=True)
        ]
    else:
        return
    previous = -np.inf
    for at, text in sorted(texts):
        place = max(at, previous + LINE)
        previous = place
        x, y = _point(axis, place, edge)
        how = f'x="{x:.1f}" y="{y + 4:.1f}"'
        if side.what == "columns":
            how = f'transform="translate({x + 4:.1f} {y:.1f}) rotate(-45)" text-anchor="end"'
        yield f'<text {how} fill="currentColor">{html.escape(text)}</text>'


def _caption(side: ReportSide, cluster: ClusterExplanation) -> str:
    """Return a few words for a cluster: what is high in rows, and some of its columns."""
    if side.what == "columns":
        names = [str(side.shown_names[i]) for i in side.typical(cluster.label, 2)]
    else:
        names = [contrast.name for contrast in (cluster.high or cluster.low)[:2]]
    return ", ".join(shown(name, 18) for name in names)
