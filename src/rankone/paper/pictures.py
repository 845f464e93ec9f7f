"""Pictures: each function draws the data of one result and returns a PNG."""

from __future__ import annotations

import io
from collections.abc import Mapping
from importlib.util import find_spec
from typing import TYPE_CHECKING

import numpy as np

from rankone.paper.cells import DATA, NOISE, Cell
from rankone.paper.published import ERRORS
from rankone.plotting._common import FRAME, INK, axes, title
from rankone.plotting.colours import COLOURS
from rankone.typing import FloatArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from rankone.paper.lam import Along
    from rankone.paper.potts import Panel
    from rankone.paper.starts import Starts
    from rankone.paper.vectors import Compared

DPI = 110


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


def draw_errors(errors: Mapping[tuple[str, Cell], float]) -> bytes:
    """Draw the paper's bars, clean and noisy, and ours at each level of noise."""
    figure, both = _figure(1, 2, 3.8)
    bars = ["paper, clean", "s = 0", "paper, noisy", *(f"s = {s:g}" for s in NOISE[1:])]
    colours = ["#bbbbbb", COLOURS[0], "#777777", *COLOURS[4:5], COLOURS[1], COLOURS[5], COLOURS[3]]
    for ax, method in zip(both, ("CCOT-GW", "NMF"), strict=True):
        for i, data in enumerate(DATA):
            ours = [errors[method, (data, s)] for s in NOISE]
            theirs = [ERRORS[kind][method][data] for kind in ("clean", "noisy")]
            heights = [theirs[0], ours[0], theirs[1], *ours[1:]]
            places = i + (np.arange(len(bars)) - len(bars) / 2 + 0.5) * 0.12
            drawn = ax.bar(places, heights, width=0.11, color=colours)
        title(ax, method)
        ax.set_xticks(range(len(DATA)), DATA)
        ax.set_ylim(0, 100)
    both[0].set_ylabel("co-clustering error, %")
    figure.legend(list(drawn), bars, loc="outside lower center", ncols=len(bars), frameon=False,
                  fontsize=8.5, handlelength=1.0, columnspacing=1.2)  # fmt: skip
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
    """Draw the mean over starts, its spread and its partition, normalised and not normalised."""
    figure, both = _figure(1, 2, 3.6)
    order = np.argsort(starts.mean, kind="stable")
    places = np.arange(order.size)
    factor = starts.raw_mean.mean()  # both panels show the same vector on two scales
    for ax, name, mean, spread, scale in (
        (both[0], "scaled to mean one", starts.mean, starts.spread, 1.0),
        (both[1], "not scaled", starts.raw_mean, starts.raw_spread, factor),
    ):
        mean, spread = mean[order], spread[order]
        ax.fill_between(
            places, mean - spread, mean + spread, color="#cccccc", lw=0, label="± spread"
        )
        ax.plot(places, mean, color="#555555", lw=1.5, label="mean of 100 starts")
        signal = scale * starts.partition.signal[order]
        ax.plot(places, signal, ":", color=COLOURS[5], lw=2, label="sorted l1-Potts")
        title(ax, f"u of D4, s = 1, {name}")
        ax.set_xlabel("row, by score")
    both[0].set_ylabel("score")
    both[0].legend(frameon=False)
    return _png(figure)


def draw_lam(rows: Along, columns: Along) -> bytes:
    """Draw the numbers of steps with the true numbers, and the silhouettes, along lam."""
    figure, both = _figure(1, 2, 3.6)
    steps, silhouettes = both
    low = min(side.path.lam[-1] for side in (rows, columns))
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
    for ax in both:
        ax.set_xscale("log")
        ax.set_xlabel("lam")
        ax.set_xlim(low, high)
        ax.grid(color=FRAME, alpha=0.2)
        ax.legend(frameon=False, fontsize=9)
    steps.set_ylim(0, 12)
    title(steps, "number of steps")
    title(silhouettes, "silhouette, scaled to 0 to 1")
    return _png(figure)
