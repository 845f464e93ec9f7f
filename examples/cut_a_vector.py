"""Cut a noisy vector into clusters without knowing how many there are.

The 300 values are scattered around 4 levels, in random order. A single call computes the exact
optimal partitions into 1 to 12 clusters, and the silhouette selects one. Run it with ``make demo``.
"""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine

from rankone import Partition, SortedPottsPath, silhouette_path, sorted_potts_path
from rankone.plotting import COLOURS, PathDisplay, VectorDisplay
from rankone.typing import FloatArray

PICTURE = Path(__file__).parents[1] / "demo" / "cut.png"


def main() -> None:
    """Simulate a vector, compute the path, select a partition, and show the result."""
    rng = np.random.default_rng(0)
    u = rng.choice([-1.5, 0.0, 1.0, 3.0], size=300) + rng.normal(scale=0.2, size=300)

    path = sorted_potts_path(u, max_clusters=12)
    silhouettes = silhouette_path(path)
    best = path.at(n_clusters=int(path.n_clusters[np.nanargmax(silhouettes)]))

    print_table(path, silhouettes, best)
    save(draw(u, path, silhouettes, best), PICTURE)
    print(f"\nThe picture is in {os.path.relpath(PICTURE)}")


def print_table(path: SortedPottsPath, silhouettes: FloatArray, best: Partition) -> None:
    """Print the path and the selected partition."""
    print("clusters    min lam       cost   silhouette")
    for k, lam, cost, silhouette in zip(
        path.n_clusters, path.lam, path.cost, silhouettes, strict=True
    ):
        text = "" if np.isnan(silhouette) else f"{silhouette:.3f}"
        mark = "   <- selected" if k == best.n_clusters else ""
        print(f"{k:8d} {lam:10.3f} {cost:10.3f} {text:>12}{mark}")
    print(f"\nThe {best.n_clusters} clusters")
    print("   level  " + " ".join(f"{level:8.3f}" for level in best.levels))
    print("   size   " + " ".join(f"{size:8d}" for size in best.sizes))


def draw(u: FloatArray, path: SortedPottsPath, silhouettes: FloatArray, best: Partition) -> Figure:
    """Draw the vector in its original order, its sorted values, and the path."""
    figure = Figure(
        figsize=(8.6, 5.8), dpi=200, layout=ConstrainedLayoutEngine(w_pad=0.12, h_pad=0.1)
    )
    panels = figure.subplot_mosaic([["original", "ordered"], ["choice", "choice"]])
    original, ordered, choice = (panels[name] for name in ("original", "ordered", "choice"))
    VectorDisplay(u, best.labels, "vector", best).plot(ordered)
    PathDisplay(path, silhouettes, best.n_clusters, "vector", "silhouette").plot(choice)

    original.scatter(np.arange(u.size), u, s=14, c=[COLOURS[k] for k in best.labels], linewidths=0)
    original.set_title("The vector, coloured by cluster", loc="left", fontsize=11)
    original.set(xlabel="index", ylabel="value")
    original.spines[["top", "right"]].set_visible(False)
    original.spines[:].set_color(ordered.spines["left"].get_edgecolor())
    original.sharey(ordered)
    return figure


def save(figure: Figure, picture: Path) -> None:
    """Write a picture, creating its folder if needed."""
    picture.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(picture)


if __name__ == "__main__":
    main()
