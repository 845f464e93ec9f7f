"""Claim: l1 is more robust to noise than l2.

"In practice, as for regression problems, the l1 norm tend to be more robust to noise and thus
usually performs best on noisy datasets."
"""

from __future__ import annotations

from rankone.paper.cells import ALL_CELLS, NOISY_CELLS, Cell, Cells, Tally
from rankone.paper.nmi import METHODS
from rankone.paper.page import Section, Table

EXPERIMENT, CELLS = "learning", ALL_CELLS


def l1_against_l2(cells: Cells, method: str, some: tuple[Cell, ...], what: str = "rows") -> Tally:
    """Compare sorted l1-Potts with sorted l2-Potts on the vectors of a method."""
    keys = [f"{method}/SortedPotts l{p}/{what}" for p in (1, 2)]
    return Tally([cells.compared(cell, *keys) for cell in some])


def section(cells: Cells, seed: int) -> Section:
    """Say which of the two is better in noise."""
    whole = Tally(
        [
            cells.compared(
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
        "l1 against l2",
        "l1 tends to be more robust to noise.",
        whole.better / max(1, whole.better + whole.worse),
        f"In noise, l1 is {whole} comparisons (rows and columns of four methods; NMF is Marginal): "
        f"where the two differ at all, l1 is better in {whole.better} of "
        f"{whole.better + whole.worse}. Mean NMI of the rows: l1 {means[0]:.3f}, l2 "
        f"{means[1]:.3f}.",
        [
            "Sorted Potts with p = 1 and p = 2, each with the number of clusters of the largest "
            "silhouette. NMI of the rows, mean over cells; then in how many cells l1 is better / "
            "as good / worse. Gaussian noise has no outliers, which is where l1 is known to be "
            "robust.",
            Table(
                ("", "clean, l1", "l2", "l1 is", "noisy, l1", "l2", "l1 is"),
                [_row(cells, method) for method in METHODS],
            ),
        ],
    )


def _row(cells: Cells, method: str) -> tuple[str, ...]:
    clean = tuple(cell for cell in ALL_CELLS if not cell[1])
    texts = []
    for some in (clean, NOISY_CELLS):
        tally = l1_against_l2(cells, method, some)
        texts += [f"{cells.overall(some, f'{method}/SortedPotts l{p}/rows'):.3f}" for p in (1, 2)]
        texts.append(f"{tally.better} / {tally.equal} / {tally.worse}")
    return (method, *texts)
