"""Pictures: each function draws the data of one result and returns a PNG."""

from __future__ import annotations

import io
from collections.abc import Mapping
from importlib.util import find_spec
from typing import TYPE_CHECKING

import numpy as np

from rankone.paper.cells import DATA, UNIT, Cell
from rankone.paper.published import ERRORS
from rankone.plotting._common import FRAME, INK, axes, title
from rankone.plotting.colours import COLOURS
from rankone.selection import PENALTIES
from rankone.typing import FloatArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from rankone.paper.data import Scheme
    from rankone.paper.errors import Error
    from rankone.paper.lam import Along
    from rankone.paper.potts import Panel
    from rankone.paper.starts import Starts
    from rankone.paper.vectors import Compared

DPI = 110

#: The colours of the bars, as in the paper.
BARS = {"CCOT-GW": "#c4c4c4", "NMF": "#4d4d4d"}


def check_matplotlib() -> None:
    """Raise an ImportError before any computation if matplotlib is not installed."""
    if find_spec("matplotlib") is None:
        raise ImportError(
            "The page needs matplotlib for its pictures; install it with: "
            "pip install 'rankone[plot]'."
        )


def _figure(rows: int, columns: int, height: float) -> tuple[Figure, list[Axes]]:
    """Return a figure nine inches wide and its axes, in the package's style."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9.0, height), layout="constrained", dpi=DPI)
    figure.set_facecolor("white")
    return figure, [axes(ax) for ax in np.ravel(figure.subplots(rows, columns))]


def _png(figure: Figure) -> bytes:
    """Return the bytes of a picture, which depend only on its data."""
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", metadata={"Software": None})
    return buffer.getvalue()


def draw_vectors(compared: Compared) -> bytes:
    """Draw the sorted vectors of all methods for both sides."""
    figure, both = _figure(1, 2, 3.6)
    styles = ("-", "--", "-.", ":")
    for ax, side, name in zip(both, (compared.rows, compared.columns), ("u", "v"), strict=True):
        for i, (method, scores) in enumerate(side.items()):
            width = 3.5 if styles[i] == ":" else 1.8
            ax.plot(np.sort(scores), styles[i], color=COLOURS[i], lw=width, label=method)
        title(ax, f"{name}, sorted")
        ax.set_xlabel("row" if name == "u" else "column")
    both[0].set_ylabel("score, of mean 0 and deviation 1")
    both[0].legend(frameon=False)
    return _png(figure)


def draw_potts(panels: Mapping[str, Panel]) -> bytes:
    """Draw a vector, its true signal and its partition, for each way of cutting it."""
    figure, all_axes = _figure(2, 2, 5.2)
    for ax, (name, panel) in zip(all_axes, panels.items(), strict=True):
        places = np.arange(panel.u.size)
        ax.plot(places, panel.u, "*", color=COLOURS[0], ms=5, label="u")
        ax.plot(places, panel.signal, "s", color=INK, ms=2, label="truth")
        ax.plot(
            places, panel.partition.signal, "_", color=COLOURS[5], ms=6, mew=2.5, alpha=0.8,
            label="Potts",
        )  # fmt: skip
        k = panel.partition.n_clusters
        title(ax, f"{name}, {k} {'cluster' if k == 1 else 'clusters'}")
        ax.set_xticks([])
    handles, labels = all_axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=3, frameon=False)
    return _png(figure)


def draw_scheme(scheme: Scheme) -> bytes:
    """Draw a matrix, its vectors, and their partitions, from left to right."""
    figure, all_axes = _figure(2, 3, 4.2)
    (matrix, u, rows), (below, v, columns) = all_axes[:3], all_axes[3:]
    grid = matrix.get_gridspec()
    assert grid is not None
    below.remove()
    matrix.set_subplotspec(grid[:, 0])
    matrix.imshow(scheme.data, cmap="Greys", aspect="auto", interpolation="nearest")
    title(matrix, "A")
    steps = ((u, rows, scheme.u, scheme.rows, "u"), (v, columns, scheme.v, scheme.columns, "v"))
    for vector, cut, scores, partition, name in steps:
        vector.plot(scores, color=COLOURS[0], lw=1.5)
        for level in partition.levels:
            cut.axhline(level, color=FRAME, ls="--", lw=0.8)
        cut.plot(partition.signal, "x", color=COLOURS[5], ms=4)
        cut.set_ylim(vector.get_ylim())
        title(vector, f"Step 1: {name}")
        title(cut, f"Step 2: {partition.n_clusters} clusters of {name}")
        cut.set_yticks(partition.levels, [str(c) for c in range(1, partition.n_clusters + 1)])
    for ax in (matrix, u, rows, v, columns):
        ax.set_xticks([])
    for ax in (matrix, u, v):
        ax.set_yticks([])
    return _png(figure)


def draw_errors(errors: Mapping[tuple[str, Cell], Error]) -> bytes:
    """Draw the bars of both methods side by side: the paper's above, and ours below."""
    figure, both = _figure(2, 1, 5.2)
    cells = [(data, noise) for data in DATA for noise in (0.0, UNIT)]
    names = [data + ("-n" if noise else "") for data, noise in cells]
    for i, (method, colour) in enumerate(BARS.items()):
        places = np.arange(len(cells)) + (i - 0.5) * 0.38
        published = [ERRORS["noisy" if s else "clean"][method][data] for data, s in cells]
        ours = [errors[method, cell] for cell in cells]
        for ax, heights in zip(both, (published, [error.mean for error in ours]), strict=True):
            drawn = ax.bar(places, heights, width=0.36, color=colour, label=method)
            ax.bar_label(drawn, [f"{x:.1f}" for x in heights], fontsize=8, color=INK, padding=4)
        both[1].plot(
            places, [error.of_right for error in ours], "D", color=COLOURS[5], ms=6, zorder=3,
            label="of draws with the right numbers" if i else None,
        )  # fmt: skip
    for ax, name in zip(both, ("paper", f"rankone, s = {UNIT:g}"), strict=True):
        title(ax, name)
        ax.set_xticks(range(len(cells)), names)
        ax.set_ylabel("error, %")
        ax.margins(y=0.15)
        ax.legend(frameon=False, fontsize=9, loc="upper left")
    return _png(figure)


def draw_noise(vectors_by_noise: Mapping[float, tuple[FloatArray, FloatArray]]) -> bytes:
    """Draw the sorted vectors at each level of noise."""
    figure, both = _figure(1, 2, 3.6)
    for side, (ax, name) in enumerate(zip(both, ("u", "v"), strict=True)):
        for i, (noise, vectors) in enumerate(vectors_by_noise.items()):
            ax.plot(vectors[side], ".", color=COLOURS[i], ms=3, label=f"s = {noise:g}")
        title(ax, f"{name}, sorted")
        ax.set_xlabel("row" if side == 0 else "column")
    both[0].set_ylabel("score")
    both[0].legend(frameon=False, markerscale=3)
    return _png(figure)


def draw_starts(starts: Starts) -> bytes:
    """Draw the mean over starts, its spread and its partitions, normalised and not normalised."""
    figure, both = _figure(1, 2, 4.0)
    order = np.argsort(starts.mean, kind="stable")
    places = np.arange(order.size)
    factor = starts.raw_mean.mean()  # both panels show the same vector on two scales
    partitions = (
        (starts.partition, "-", COLOURS[5], "largest silhouette of 2 to 20"),
        (starts.on_grid, ":", COLOURS[0], r"$\lambda_{reg}$ of the paper's interval"),
    )
    for ax, name, mean, spread, scale in (
        (both[0], "scaled to mean one", starts.mean, starts.spread, 1.0),
        (both[1], "not scaled", starts.raw_mean, starts.raw_spread, factor),
    ):
        mean, spread = mean[order], spread[order]
        ax.fill_between(
            places, mean - spread, mean + spread, color="#cccccc", lw=0, label="± spread"
        )
        ax.plot(places, mean, color="#555555", lw=1.5, label="mean of 100 starts")
        for partition, style, colour, rule in partitions:
            label = f"Potts, {partition.n_clusters} clusters: {rule}"
            ax.plot(places, scale * partition.signal[order], style, color=colour, lw=2, label=label)
        title(ax, f"u of D4, s = 1, {name}")
        ax.set_xlabel("row, by score")
    both[0].set_ylabel("score")
    handles, labels = both[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=2, frameon=False, fontsize=9)
    return _png(figure)


def draw_lam(rows: Along, columns: Along) -> bytes:
    """Draw the numbers of steps with the true numbers, and the silhouettes, along lam."""
    figure, both = _figure(1, 2, 3.8)
    steps, silhouettes = both
    low = 0.7 * PENALTIES[0]
    high = 2 * max(side.path.lam[0] for side in (rows, columns))
    for side, name, colour in ((rows, "rows", COLOURS[0]), (columns, "columns", COLOURS[1])):
        k = side.path.n_clusters
        # A number of clusters is optimal from its own penalty up to that of one cluster fewer.
        edges = np.append(side.path.lam[::-1], high)
        label = f"$s(z_{name[0].upper()})$, {name}"
        steps.stairs(k[::-1], edges, color=colour, lw=1.8, baseline=None, label=f"steps, {name}")
        steps.axhline(side.truth, color=colour, ls=":", lw=1.5, label=f"truth, {name}")
        silhouettes.stairs(
            side.normalised[:0:-1], edges[:-1], color=colour, lw=1.8, baseline=None, label=label
        )
        numbers = np.array([side.path.at(lam=lam).n_clusters for lam in PENALTIES])
        shown = numbers > 1
        lam = np.array(PENALTIES)
        steps.plot(lam, numbers, ".", color=colour, ms=7)
        silhouettes.plot(lam[shown], side.normalised[numbers[shown] - 1], ".", color=colour, ms=7)
    for ax in both:
        ax.axvspan(PENALTIES[0], PENALTIES[-1], color="#f0e442", alpha=0.25, lw=0,
                   label="the paper's interval")  # fmt: skip
        ax.set_xscale("log")
        ax.set_xlabel(r"$\lambda_{reg}$")
        ax.set_xlim(low, high)
        ax.grid(color=FRAME, alpha=0.2)
        ax.legend(frameon=False, fontsize=9)
    steps.set_ylim(0, 12)
    title(steps, "number of steps")
    title(silhouettes, "silhouette, scaled to 0 to 1")
    return _png(figure)
