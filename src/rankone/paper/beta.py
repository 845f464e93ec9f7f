"""Claim: NMF gives similar results with the Euclidean (beta = 2) and the Kullback-Leibler loss.

"We tested two versions of the NMF based on Kullback-Leibler and on the Euclidean loss. As the
obtained results were quite similar, we decided to omit the latter."
"""

from __future__ import annotations

from rankone.paper.cells import ALL_CELLS, Cell, Cells, Tally
from rankone.paper.page import Section, Table

EXPERIMENT, CELLS = "learning", ALL_CELLS

KL, EUCLIDEAN = "NMF", "NMF, beta = 2"

#: Mean differences up to this size count as similar.
SIMILAR = 0.02


def means(cells: Cells, cell: Cell, side: str) -> tuple[float, float]:
    """Return the mean NMI of sorted l2-Potts with beta = 1 and with beta = 2."""
    kl, euclidean = (
        cells.mean(cell, f"{method}/SortedPotts l2/{side}") for method in (KL, EUCLIDEAN)
    )
    return kl, euclidean


def section(cells: Cells, seed: int) -> Section:
    """Describe how similar the results of the two losses are."""
    gaps = {
        cell: abs(kl - euclidean)
        for cell in CELLS
        for kl, euclidean in [means(cells, cell, "rows")]
    }
    worst = max(gaps, key=lambda cell: gaps[cell])
    tally = Tally(
        [
            cells.compare(cell, f"{EUCLIDEAN}/SortedPotts l2/rows", f"{KL}/SortedPotts l2/rows")
            for cell in CELLS
        ]
    )
    similar = sum(gap <= SIMILAR for gap in gaps.values())
    return Section(
        "NMF with the Euclidean loss",
        "The results of the two losses are quite similar.",
        similar / len(CELLS),
        f"The two agree within {SIMILAR:g} in {similar} of {len(CELLS)} cells; beta = 2 is {tally} "
        f"cells. The largest difference is {gaps[worst]:.3f}, on {worst[0]} at s = {worst[1]:g}.",
        [
            "NMI of rows and of columns, sorted l2-Potts. With beta = 1 the vectors are the "
            "marginals, with beta = 2 the leading singular pair, in both cases after subtracting "
            "the minimum of the matrix if it is negative.",
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
