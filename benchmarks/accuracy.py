"""Accuracy of the learners compared with other methods: the tables of docs/accuracy.md.

Simulated data sets have known groups; each figure is a mean over draws with seeds 0, 1, 2, ... The
other methods are given the true numbers of clusters. Run it with ``python -m benchmarks.accuracy``.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.cluster import KMeans, SpectralBiclustering, SpectralCoclustering
from sklearn.metrics import normalized_mutual_info_score as nmi

from benchmarks.draws import (
    VECTORS,
    WITHOUT_STRUCTURE,
    Figures,
    averages,
    missing_draw,
    noise_draw,
    plain_draw,
    refined_draw,
)
from benchmarks.real import data_sets
from rankone import RankOneCoclustering, __version__
from rankone._atomic import replacing
from rankone.typing import FloatArray

PAGE = Path(__file__).parents[1] / "docs" / "accuracy.md"
NAMES = ("D1", "D2", "D3", "D4")
NOISE = (0.0, 0.5, 1.0, 2.0, 3.0)


def two(figures: FloatArray) -> str:
    """Format the NMI of rows and columns."""
    return f"{figures[0]:.3f} / {figures[1]:.3f}"


def selections(n_draws: int) -> Iterator[str]:
    """Yield the tables of selection rules without refinement."""
    cells = {
        (name, noise): averages(plain_draw, name, noise, n_draws)
        for name in NAMES
        for noise in NOISE
    }
    for vectors in VECTORS:
        yield f'\n### `vectors="{vectors}"`\n'
        yield "| | s | true numbers | noise-strict | right | noise | right | silhouette | right |"
        yield "|---|--:|---|---|--:|---|--:|---|--:|"
        behind, means = [], []
        for (name, noise), figures in cells.items():
            line = [two(figures[f"{vectors} true"])]
            for selection in ("noise-strict", "noise", "silhouette"):
                selected = figures[f"{vectors} {selection}"]
                line += [two(selected), f"{selected[3]:.0%}"]
            yield f"| {name} | {noise:g} | {' | '.join(line)} |"
            gap = figures[f"{vectors} true"][:2] - figures[f"{vectors} noise-strict"][:2]
            early = figures[f"{vectors} true"][:2] - figures[f"{vectors} noise"][:2]
            behind.append((gap.max(), early.max() if noise <= 1 else -np.inf))
            means.append([figures[f"{vectors} {s}"][:2].mean() for s in ("noise", "silhouette")])
        shortfall = np.subtract(*np.transpose(means)[::-1])
        cell = list(cells)[int(shortfall.argmax())]
        strict, free = np.max(behind, axis=0)
        noise_mean, silhouette_mean = np.mean(means, axis=0)
        yield (
            f"\nLargest loss of NMI relative to the true numbers: noise-strict {strict:.3f}"
            f"{_verdict(strict <= 0.015, vectors)}; noise, s <= 1: {free:.3f}"
            f"{_verdict(free <= 0.015, vectors)}. Mean NMI over all cells: noise {noise_mean:.3f}, "
            f"silhouette {silhouette_mean:.3f}. Largest deficit of noise relative to silhouette "
            f"in a cell (mean of rows and columns): {shortfall.max():.3f} ({cell[0]}, s = "
            f"{cell[1]:g})."
        )


def _verdict(met: bool, vectors: str) -> str:
    if vectors != "marginal":
        return ""
    return " (target .015: met)" if met else " (target .015: **missed**)"


def refinement(n_draws: int) -> Iterator[str]:
    """Yield the table of the default learner."""
    yield (
        "| | s | rankone | right | error | ceiling | ICL found "
        "| k-means | biclustering | coclustering |"
    )
    yield "|---|--:|---|--:|--:|---|--:|---|---|---|"
    worst = []
    cells: dict[tuple[str, float], Figures] = {}
    for name in NAMES:
        for noise in NOISE:
            cells[name, noise] = f = averages(refined_draw, name, noise, n_draws)
            ours, peers = f["refined"], [f[p] for p in ("k-means", "biclustering", "coclustering")]
            worst.append(max(float((p[:2] - ours[:2]).max()) for p in peers))
            yield (
                f"| {name} | {noise:g} | {two(ours)} | {ours[3]:.0%} | {ours[2]:.3f} | "
                f"{two(f['ceiling'])} | {f['found'][0]:.0%} | "
                + " | ".join(two(p) for p in peers)
                + " |"
            )
    easy = min(f["refined"][:2].min() for (name, _), f in cells.items() if name != "D4")
    hard = min(f["refined"][:2].min() for (name, s), f in cells.items() if name == "D4" and s <= 1)
    behind = (cells["D4", 2.0]["ceiling"] - cells["D4", 2.0]["refined"])[:2].max()
    share = min(f["found"][0] for f in cells.values())
    yield (
        f"\nLargest deficit of NMI relative to another method in any cell: {max(worst):.3f} "
        f"(target .01). Smallest NMI on D1 to D3: {easy:.3f} (target .995); on D4 for s <= 1: "
        f"{hard:.3f} (target .995). Deficit relative to the ceiling on D4 at s = 2: {behind:.3f} "
        f"(target .03). Smallest share of *ICL found*: {share:.0%} (target 95 %)."
    )


def structureless(n_draws: int) -> Iterator[str]:
    """Yield the table of matrices without structure."""
    yield "| | one cluster of rows / columns, refined | without refinement |"
    yield "|---|---|---|"
    for what in WITHOUT_STRUCTURE:
        f = averages(noise_draw, what, 0.0, n_draws)
        shares = [f"{f[key][0]:.0%} / {f[key][1]:.0%}" for key in ("refined", "plain")]
        yield f"| {what} | {' | '.join(shares)} |"


def missing(n_draws: int) -> Iterator[str]:
    """Yield the table of incomplete matrices."""
    yield "| | entries | NMF, not refined | Marginal, not refined | refined |"
    yield "|---|---|---|---|---|"
    lost: dict[str, FloatArray] = {}
    for name in NAMES:
        f = averages(missing_draw, name, 0.5, n_draws)
        for key in ("nmf", "refined"):
            lost[f"{name} {key}"] = (f[f"complete {key}"] - f[f"half {key}"])[:2].max()
        for kind, shown in (
            ("complete", "all"),
            ("half", "half, at random"),
            ("columns", "10 % to 90 %, by column"),
        ):
            line = " | ".join(two(f[f"{kind} {key}"]) for key in ("nmf", "marginal", "refined"))
            yield f"| {name} | {shown} | {line} |"
    yield (
        f"\nLoss of NMI with half of the entries missing: NMF {lost['D2 nmf']:.3f} on D2 and "
        f"{lost['D4 nmf']:.3f} on D4 (target .05), {lost['D1 nmf']:.3f} on D1; refined at most "
        f"{max(lost[f'{name} refined'] for name in NAMES):.3f} (target .03)."
    )


def real(_: int) -> Iterator[str]:
    """Yield the table of real data."""
    yield (
        "| | size | classes | found | NMI | not refined | NMI "
        "| k-means | biclustering | coclustering |"
    )
    yield "|---|---|--:|---|--:|---|--:|--:|--:|--:|"
    for data in data_sets():
        print(data.name, file=sys.stderr, flush=True)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            cells = []
            for refine in (True, False):
                model = RankOneCoclustering(refine=refine).fit(data.values)
                cells.append(f"{model.n_row_clusters_} x {model.n_column_clusters_}")
                cells.append(_agreement(data.classes, model.row_labels_))
            cells += _peers(data.values, data.classes)
        m, n = data.values.shape
        n_classes = "" if data.classes is None else str(np.unique(data.classes).size)
        yield f"| {data.name} | {m} x {n} | {n_classes} | {' | '.join(cells)} |"


def _agreement(classes: Any, labels: Any) -> str:
    return "" if classes is None else f"{nmi(classes, labels):.3f}"


def _peers(values: FloatArray, classes: Any) -> list[str]:
    """Return the NMI of other methods, which are given the number of classes."""
    if classes is None or np.isnan(values).any():
        return ["cannot" if np.isnan(values).any() else ""] * 3
    k = np.unique(classes).size
    cells = [_agreement(classes, KMeans(k, n_init=10, random_state=0).fit(values).labels_)]
    for peer in (
        SpectralBiclustering((k, min(k, values.shape[1])), random_state=0),
        SpectralCoclustering(k, random_state=0),
    ):
        try:
            cells.append(_agreement(classes, peer.fit(values).row_labels_))
        except ValueError:
            cells.append("fails")
    return cells


SECTIONS: dict[str, tuple[str, Callable[[int], Iterator[str]]]] = {
    "Default settings, compared with methods that are given the numbers": (
        "`RankOneCoclustering()` selects the numbers of clusters; k-means (on rows and on columns "
        "separately, ten starts), SpectralBiclustering and SpectralCoclustering are given the true "
        "ones. NMI of rows / columns; *right*: draws in which both selected numbers are correct; "
        "*error*: co-clustering error over all draws; *ceiling*: the same refinement started from "
        "the true labels; *ICL found*: draws in which our criterion is at least that of the "
        "ceiling.",
        refinement,
    ),
    "Without refinement: selection of the numbers of clusters": (
        "NMI of rows / columns with the true numbers given, and with the numbers selected by each "
        "rule; *right*: draws in which both numbers are correct. For PageRank (two-step), the "
        "minimum is subtracted from the entries.",
        selections,
    ),
    "No structure": ("Share of draws in which a single cluster is found.", structureless),
    "Missing entries": (
        "NMI of rows / columns at s = 0.5, with numbers selected by noise. For NMF, negative "
        "entries are replaced by zero. If the missingness depends on the column, means are biased.",
        missing,
    ),
    "Real data": (
        "Selected numbers of clusters (rows x columns), and NMI with the classes of the rows if "
        "these are known; the other methods are given the number of classes.",
        real,
    ),
}


def main() -> None:
    """Compute all tables and write the page."""
    n_draws = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    parts = [
        "# Accuracy\n",
        f"Written by `make accuracy` on {date.today()} with rankone {__version__}, with {n_draws} "
        f"draws per cell (seeds 0 to {n_draws - 1}). D1 to D4 have the parameters that the authors "
        "published for data sets of the same names, sizes and shapes (`rankone.datasets`), with "
        "added white noise of standard deviation s.\n",
    ]
    for title, (text, lines) in SECTIONS.items():
        parts += [f"## {title}\n", text + "\n", "\n".join(lines(n_draws)) + "\n"]
        print("\n".join(parts[-3:]), flush=True)
    with replacing(PAGE) as file:
        file.write("\n".join(parts).encode())


if __name__ == "__main__":
    main()
