"""Accuracy of the learners compared with other methods: the tables of docs/accuracy.md.

Simulated data sets have known groups; each figure is a mean over draws with seeds 0, 1, 2, ... The
other methods are given the true numbers of clusters. Real data sets have known classes. Run it with
``python -m benchmarks.accuracy``, or ``python -m benchmarks.accuracy --only real`` for one section.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path

import numpy as np

from benchmarks.comparison import real
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
from benchmarks.pages import sections_of
from rankone import __version__
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
        "NMI with the known classes of the rows (`benchmarks/real.py` says how the data were "
        "selected), and in parentheses the number of clusters, where a method finds it; "
        "*s*: process seconds of rankone. The first three methods do not know the number of "
        "classes: `RankOneCoclustering()`, Leiden on the graph of 15 nearest neighbours, and "
        "k-means with the number, from 2 to 20, of the best silhouette. The others are told it: "
        "`RankOneCoclustering(number)`, k-means (10 starts), k-means in the embedding, "
        "SpectralCoclustering, and the largest factor of NMF, which does not accept negative "
        "entries. *Embedding*: 50 components (20 for the silhouette) of latent semantic analysis "
        "of sublinear TF-IDF, of unit length, for documents, and principal components otherwise. "
        "All random methods have seed 0.",
        real,
    ),
}


def main() -> None:
    """Compute all tables and write the page, or write one section anew."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.accuracy")
    parser.add_argument("draws", nargs="?", type=int, default=100, help="draws per cell")
    parser.add_argument("--only", metavar="WORD", help="only sections with this word in the title")
    arguments = parser.parse_args()
    word = (arguments.only or "").lower()
    titles = [title for title in SECTIONS if word in title.lower()]
    if not titles:
        parser.error(f"no title has the word {word!r}; choose from: {'; '.join(SECTIONS)}")
    sections = sections_of(PAGE) if word else {"": introduction(arguments.draws)}
    for title in titles:
        sections[title] = section(title, arguments.draws)
        if word:
            sections[title] += f"\nComputed separately, {date.today()}, rankone {__version__}.\n"
        print(sections[title], flush=True)
    parts = [sections[title] for title in ("", *SECTIONS) if title in sections]
    with replacing(PAGE) as file:
        file.write("\n".join(parts).encode())


def introduction(n_draws: int) -> str:
    """Return the beginning of the page: when and how its tables were computed."""
    return (
        "# Accuracy\n\n"
        "How well clusters that are found agree with the known ones, in normalised mutual "
        "information (NMI, one is perfect), compared with other methods. "
        f"Written by `make accuracy` on {date.today()} with rankone {__version__}, with {n_draws} "
        f"draws per cell (seeds 0 to {n_draws - 1}). D1 to D4 have the parameters that the authors "
        "published for data sets of the same names, sizes and shapes (`rankone.datasets`), with "
        "added white noise of standard deviation s.\n"
    )


def section(title: str, n_draws: int) -> str:
    """Compute one section of the page."""
    text, lines = SECTIONS[title]
    return f"## {title}\n\n{text}\n\n" + "\n".join(lines(n_draws)) + "\n"


if __name__ == "__main__":
    main()
