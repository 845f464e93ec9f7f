"""Claim: NMF with the Euclidean loss (beta = 2) is much like that with Kullback-Leibler loss.

"We tested two versions of the NMF based on Kullback-Leibler and on the Euclidean loss. As the
obtained results were quite similar, we decided to omit the latter."
"""

from __future__ import annotations

from rankone.paper.cells import ALL_CELLS, Cell, Cells, Tally
from rankone.paper.page import Section, Table

EXPERIMENT, CELLS = "learning", ALL_CELLS

KL, EUCLIDEAN = "NMF", "NMF, beta = 2"

#: Mean differences below this are called similar.
SIMILAR = 0.02


def means(cells: Cells, cell: Cell, side: str) -> tuple[float, float]:
    """Return the NMI with beta = 1 and with beta = 2, sorted l2-Potts."""
    kl, euclidean = (
        cells.mean(cell, f"{method}/SortedPotts l2/{side}") for method in (KL, EUCLIDEAN)
    )
    return kl, euclidean


def section(cells: Cells, seed: int) -> Section:
    """Say how similar the two are."""
    gaps = {cell: abs(kl - other) for cell in CELLS for kl, other in [means(cells, cell, "rows")]}
    worst = max(gaps, key=lambda cell: gaps[cell])
    tally = Tally(
        [
            cells.compared(cell, f"{EUCLIDEAN}/SortedPotts l2/rows", f"{KL}/SortedPotts l2/rows")
            for cell in CELLS
        ]
    )
    similar = sum(gap <= SIMILAR for gap in gaps.values())
    return Section(
        "NMF with the Euclidean loss",
        "The results of the two losses are quite similar.",
        similar / len(CELLS),
        f"Within {SIMILAR:g} in {similar} of {len(CELLS)} cells; beta = 2 is {tally} cells. They "
        f"differ most on {worst[0]} at s = {worst[1]:g}, by {gaps[worst]:.3f}.",
        [
            "NMI of rows and of columns, sorted l2-Potts. beta = 1 is the marginals, beta = 2 the "
            "leading singular pair, both of the matrix less its minimum if that is negative.",
            Table(
                ("", "s", "rows, beta = 1", "beta = 2", "columns, beta = 1", "beta = 2"),
                [
                    (
                        cell[0],
                        f"{cell[1]:g}",
                        *(
                            f"{x:.3f}"
                            for side in ("rows", "columns")
                            for x in means(cells, cell, side)
                        ),
                    )
                    for cell in CELLS
                ],
                n_names=2,
            ),
        ],
    )
