"""Figure: the number of steps and the silhouettes along lam, on noisy D4.

The paper increases lam and stops "when the silhouette stabilises or starts decreasing". Taken
literally, this rule starts with as many clusters as there are values and stops at the first
decrease. Our learners use the largest silhouette over 2 to 20 clusters instead
(``selection="silhouette"``), as do all other results of this package; here both rules are compared.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rankone.cuts import SortedPottsPath, sorted_potts_path
from rankone.datasets import make_paper
from rankone.paper.candidates import MAX_CLUSTERS
from rankone.paper.cells import NOISE, Cell, Cells
from rankone.paper.draws import Figures, nmi
from rankone.paper.page import Picture, Section, Table
from rankone.paper.pictures import draw_lam
from rankone.selection import choose, silhouette_path
from rankone.typing import FloatArray
from rankone.vectors import NMF

EXPERIMENT = "stopping"
CELLS = tuple(("D4", noise) for noise in NOISE)

#: The level of noise in the picture, and the power p of the objective, as in the paper's figures.
SHOWN, P = 1.0, 1

#: The selection of each rule, and the maximum number of clusters (None: the number of values).
RULES: dict[str, tuple[str, int | None]] = {
    "largest of 2 to 20": ("silhouette", MAX_CLUSTERS),
    "first fall from 20": ("silhouette-first", MAX_CLUSTERS),
    "first fall from all": ("silhouette-first", None),
}


def draw(data: str, noise: float, seed: int) -> Figures:
    """Select the numbers of clusters by each rule, on one draw of a data set."""
    blocks = make_paper(data, noise, random_state=seed)
    vectors = NMF(negative="shift").extract(blocks.data)
    figures: Figures = {}
    for side, u, truth in (
        ("rows", vectors.row, blocks.row_labels),
        ("columns", vectors.column, blocks.column_labels),
    ):
        for rule, (selection, max_clusters) in RULES.items():
            path = sorted_potts_path(u, P, max_clusters or u.size)
            k = choose(path, selection).n_clusters
            figures[f"{side}/{rule}/number"] = float(k)
            figures[f"{side}/{rule}/NMI"] = nmi(truth, path.at(n_clusters=k).labels)
    return {name: round(value, 6) for name, value in figures.items()}


@dataclass(frozen=True, eq=False)
class Along:
    """The path of one side of one draw.

    Attributes
    ----------
    path : SortedPottsPath
        The path from 1 to 20 clusters.
    silhouettes : ndarray
        The silhouette for each number of clusters, NaN for a single cluster.
    truth : int
        The true number of groups.
    """

    path: SortedPottsPath
    silhouettes: FloatArray
    truth: int

    @property
    def normalised(self) -> FloatArray:
        """The silhouettes rescaled to the range from 0 to 1, as in the paper."""
        low, high = np.nanmin(self.silhouettes), np.nanmax(self.silhouettes)
        return np.asarray((self.silhouettes - low) / (high - low))


def along_lam(seed: int = 0) -> tuple[Along, Along]:
    """Compute the paths of the rows and columns of one noisy D4.

    Examples
    --------
    >>> rows, columns = along_lam()
    >>> rows.truth, columns.truth, bool((np.diff(rows.path.lam) <= 0).all())
    (5, 4, True)
    """
    blocks = make_paper("D4", SHOWN, random_state=seed)
    vectors = NMF(negative="shift").extract(blocks.data)
    rows, columns = (
        Along(path, silhouette_path(path), int(np.unique(truth).size))
        for path, truth in (
            (sorted_potts_path(vectors.row, P, MAX_CLUSTERS), blocks.row_labels),
            (sorted_potts_path(vectors.column, P, MAX_CLUSTERS), blocks.column_labels),
        )
    )
    return rows, columns


def section(cells: Cells, seed: int) -> Section:
    """Describe the numbers of clusters that the rules select."""
    largest, _, literal = RULES
    shown = along_lam(seed)
    decreases = all((np.diff(side.path.lam) <= 0).all() for side in shown)
    noisy = [cell for cell in CELLS if cell[1]]
    right = np.mean([cells.values(cell, f"rows/{largest}/number") == 5 for cell in noisy])
    numbers = np.concatenate([cells.values(cell, f"rows/{literal}/number") for cell in noisy])
    return Section(
        "The number of clusters along lam",
        "The number of steps decreases with lam, and the silhouette shows where to stop.",
        (float(decreases) + float(right)) / 2,
        f"On noisy D4, the largest silhouette selects the correct 5 groups of rows in {right:.0%} "
        f"of the draws; the paper's rule, taken literally, stops at {np.median(numbers):.0f} "
        "clusters (median).",
        [
            f"One draw of D4 with noise of standard deviation {SHOWN:g}, vectors of NMF, sorted "
            "l1-Potts. The path is exact: it contains the best partition for every penalty. The "
            "silhouettes of 2 to 20 clusters are rescaled to the range from 0 to 1, as in the "
            "paper.",
            Picture("lam", draw_lam(*shown), "Numbers of steps and silhouettes along lam"),
            "The number of clusters selected by each rule (median over draws) and the NMI (mean "
            "over draws), for rows / columns. *First fall*: lam increases until the silhouette "
            "decreases for the first time, starting from 20 clusters or from as many clusters as "
            "there are values. The true numbers are 5 / 4.",
            Table(
                ("s", *(f"{rule}{what}" for rule in RULES for what in ("", ": NMI"))),
                [(f"{cell[1]:g}", *_texts(cells, cell)) for cell in CELLS],
            ),
        ],
    )


def _texts(cells: Cells, cell: Cell) -> list[str]:
    texts = []
    for rule in RULES:
        sides = ("rows", "columns")
        numbers = [np.median(cells.values(cell, f"{side}/{rule}/number")) for side in sides]
        agreement = [cells.mean(cell, f"{side}/{rule}/NMI") for side in sides]
        texts += [
            f"{numbers[0]:g} / {numbers[1]:g}",
            f"{agreement[0]:.3f} / {agreement[1]:.3f}",
        ]
    return texts
