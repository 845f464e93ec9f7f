"""Claim: l1 is more robust to noise than l2.

"In practice, as for regression problems, the l1 norm tend to be more robust to noise and thus
usually performs best on noisy datasets."
"""

from __future__ import annotations

from rankone.paper.cells import ALL_CELLS, NOISY_CELLS, Cell, Cells, Tally
from rankone.paper.nmi import METHODS
from rankone.paper.page import Section, Table

EXPERIMENT, CELLS = "learning", ALL_CELLS


def l1_against_l2(
    cells: Cells, method: str, subset: tuple[Cell, ...], figure: str = "rows"
) -> Tally:
    """Compare sorted l1-Potts with sorted l2-Potts on the vectors of a method."""
    keys = [f"{method}/SortedPotts l{p}/{figure}" for p in (1, 2)]
    return Tally([cells.compare(cell, *keys) for cell in subset])


def section(cells: Cells, seed: int) -> Section:
    """Describe which of the two norms is better with noise."""
    tally = Tally(
        [
            cells.compare(
                cell, f"{method}/SortedPotts l1/{side}", f"{method}/SortedPotts l2/{side}"
            )
            for method in METHODS
            if method != "Marginal"
            for cell in NOISY_CELLS
            for side in ("rows", "columns")
        ]
    )
    means = [
        sum(cells.overall(NOISY_CELLS, f"{method}/SortedPotts l{p}/rows") for method in METHODS)
        / len(METHODS)
        for p in (1, 2)
    ]
    return Section(
        "l1 compared with l2",
        "l1 tends to be more robust to noise.",
        tally.better / max(1, tally.better + tally.worse),
        f"With noise, l1 is {tally} comparisons (rows and columns of four methods; Marginal is the "
        f"same as NMF). Where the two differ, l1 is better in {tally.better} of "
        f"{tally.better + tally.worse} comparisons. The mean NMI of the rows is {means[0]:.3f} "
        f"with l1 and {means[1]:.3f} with l2.",
        [
            "Sorted Potts with p = 1 and p = 2, each with the number of clusters that has the "
            "largest silhouette: the NMI of the rows, mean over cells, and the number of cells in "
            "which l1 is better / as good / worse. Note that l1 is known to be robust to outliers, "
            "which Gaussian noise does not produce.",
            Table(
                ("", "clean, l1", "l2", "l1 is", "noisy, l1", "l2", "l1 is"),
                [_row(cells, method) for method in METHODS],
            ),
        ],
    )


def _row(cells: Cells, method: str) -> tuple[str, ...]:
    clean = tuple(cell for cell in ALL_CELLS if not cell[1])
    texts = []
    for subset in (clean, NOISY_CELLS):
        tally = l1_against_l2(cells, method, subset)
        texts += [f"{cells.overall(subset, f'{method}/SortedPotts l{p}/rows'):.3f}" for p in (1, 2)]
        texts.append(f"{tally.better} / {tally.equal} / {tally.worse}")
    return (method, *texts)
