"""Cut a noisy vector into clusters, without knowing how many there are.

300 values lie around 4 levels, in random order. One call finds the best partitions into 1 to 12
clusters, each of them exact; the silhouette chooses one. Run it with ``make demo``.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.ticker import MultipleLocator

from rankone import Partition, SortedPottsPath, silhouette_path, sorted_potts_path
from rankone.typing import FloatArray

PICTURE = Path(__file__).parents[1] / "demo" / "cut.png"

# Okabe and Ito: colours that most colour-blind people can tell apart.
COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442", "#999999")
INK = "#222222"
STYLE: dict[Any, Any] = {
    "font.size": 10,
    "axes.titlesize": 11,
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": "#888888",
    "text.color": INK,
    "axes.labelcolor": INK,
    "xtick.color": INK,
    "ytick.color": INK,
}


def main() -> None:
    """Simulate, cut, choose, and show."""
    rng = np.random.default_rng(0)
    u = rng.choice([-1.5, 0.0, 1.0, 3.0], size=300) + rng.normal(scale=0.2, size=300)

    path = sorted_potts_path(u, max_clusters=12)
    scores = silhouette_path(path)
    best = path.at(n_clusters=int(path.n_clusters[np.nanargmax(scores)]))

    print_table(path, scores, best)
    with mpl.rc_context(STYLE):
        save(draw(u, path, scores, best), PICTURE)
    print(f"\nThe picture is in {os.path.relpath(PICTURE)}")


def print_table(path: SortedPottsPath, scores: FloatArray, best: Partition) -> None:
    """Print the path, and the partition that was chosen."""
    print("clusters   lam from       cost   silhouette")
    for k, lam, cost, score in zip(path.n_clusters, path.lam, path.cost, scores, strict=True):
        shown = "" if np.isnan(score) else f"{score:.3f}"
        chosen = "   <- chosen" if k == best.n_clusters else ""
        print(f"{k:8d} {lam:10.3f} {cost:10.3f} {shown:>12}{chosen}")
    print(f"\nThe {best.n_clusters} clusters")
    print("   level  " + " ".join(f"{level:8.3f}" for level in best.levels))
    print("   size   " + " ".join(f"{size:8d}" for size in best.sizes))


def draw(u: FloatArray, path: SortedPottsPath, scores: FloatArray, best: Partition) -> Figure:
    """Draw the vector as it is given, sorted with its steps, and the choice among all solutions."""
    figure = Figure(
        figsize=(13, 4.2), dpi=150, layout=ConstrainedLayoutEngine(w_pad=0.12, h_pad=0.1)
    )
    given, ordered, choice = figure.subplots(1, 3, width_ratios=(1, 1, 1.15))
    colours = np.array([COLOURS[k % len(COLOURS)] for k in range(best.n_clusters)])

    given.scatter(np.arange(u.size), u, s=14, c=colours[best.labels], linewidths=0)
    given.set(title="The vector, coloured by cluster", xlabel="coordinate", ylabel="value")

    order = np.argsort(u, kind="stable")
    ordered.scatter(np.arange(u.size), u[order], s=14, c=colours[best.labels[order]], linewidths=0)
    ordered.step(np.arange(u.size), best.signal[order], where="mid", color=INK, linewidth=1.5)
    ends = np.cumsum(best.sizes)
    for level, end, size in zip(best.levels, ends, best.sizes, strict=True):
        ordered.annotate(
            f"{level:.2f}".replace("-", "\N{MINUS SIGN}"),
            (end - size / 2, level),
            (0, 14),
            textcoords="offset points",
            ha="center",
        )
    ordered.set(title="Sorted, with its levels", xlabel="rank")
    ordered.sharey(given)

    draw_choice(choice, path, scores, best)
    return figure


def draw_choice(axes: Axes, path: SortedPottsPath, scores: FloatArray, best: Partition) -> None:
    """Draw the number of clusters against the penalty, and the silhouette of each number."""
    low, high = path.intervals.T
    high = np.minimum(high, 3.0 * low[0])
    edges = [*low[::-1], high[0]]
    axes.stairs(path.n_clusters[::-1], edges, baseline=None, color=INK, linewidth=1.8)
    k = best.n_clusters
    axes.axvspan(low[k - 1], high[k - 1], color=COLOURS[4], alpha=0.25, linewidth=0)
    axes.set(xscale="log", xlim=(low[-1], high[0]), ylim=(0, path.n_clusters[-1] + 1))
    axes.set(title=f"All solutions; {k} clusters chosen", xlabel="penalty lam")
    axes.set_ylabel("number of clusters")
    axes.yaxis.set_major_locator(MultipleLocator(2))

    beside = axes.twinx()
    beside.spines["right"].set_visible(True)
    beside.stairs(
        scores[::-1], edges, baseline=None, color=COLOURS[5], linewidth=1.8, linestyle="--"
    )
    beside.set_ylim(0, 1)
    beside.set_ylabel("silhouette", color=COLOURS[5])
    beside.tick_params(axis="y", colors=COLOURS[5])


def save(figure: Figure, picture: Path) -> None:
    """Write a picture, and make its folder."""
    picture.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(picture)


if __name__ == "__main__":
    main()
