"""Claim: sorting improves robustness, with shuffled and with contiguous rows.

Potts on the unsorted vector is compared with sorted Potts on the same vector. Sorted Potts ignores
the order of the rows, so its result is the same for both orders. If groups are contiguous, the
order is informative, and only Potts uses it.
"""

from __future__ import annotations

from rankone.paper.cells import ALL_CELLS, NOISE, Cells, Tally
from rankone.paper.draws import CUT_VECTORS, IN_ORDER, SHUFFLED
from rankone.paper.page import Section, Table

EXPERIMENT, CELLS = "learning", ALL_CELLS


def sorted_against(cells: Cells, order: str, figure: str = "rows") -> Tally:
    """Compare sorted l1-Potts with l1-Potts for an order of the rows, on all vectors and cells."""
    return Tally(
        [
            cells.compare(
                cell, f"{vectors}/SortedPotts l1/{figure}", f"{vectors}/Potts l1{order}/{figure}"
            )
            for vectors in CUT_VECTORS
            for cell in CELLS
        ]
    )


def section(cells: Cells, seed: int) -> Section:
    """Describe where sorting helps and where it does not."""
    shuffled, contiguous = (sorted_against(cells, order) for order in (SHUFFLED, IN_ORDER))
    return Section(
        "Sorted compared with unsorted",
        "Sorted Potts leads to a notable gain in robustness.",
        shuffled.better / shuffled.total,
        f"With shuffled rows, sorted Potts is {shuffled}. With contiguous groups, it is "
        f"{contiguous}"
        + ("; there, sorting discards an informative order." if contiguous.worse else "."),
        [
            f"NMI of the rows by l1-Potts, mean over four data sets and {len(CUT_VECTORS)} vectors "
            f"({', '.join(CUT_VECTORS)}). The number of clusters is selected by the largest "
            "silhouette or, in the last three columns, given.",
            Table(
                (
                    "s",
                    "sorted Potts",
                    "Potts, shuffled",
                    "Potts, contiguous",
                    "given: sorted Potts",
                    "Potts, shuffled",
                    "Potts, contiguous",
                ),
                [_row(cells, noise) for noise in NOISE],
            ),
        ],
    )


def _row(cells: Cells, noise: float) -> tuple[str, ...]:
    noise_cells = tuple(cell for cell in CELLS if cell[1] == noise)
    texts = []
    for figure in ("rows", "number given"):
        for cut in ("SortedPotts l1", f"Potts l1{SHUFFLED}", f"Potts l1{IN_ORDER}"):
            means = [
                cells.overall(noise_cells, f"{vectors}/{cut}/{figure}") for vectors in CUT_VECTORS
            ]
            texts.append(f"{sum(means) / len(means):.3f}")
    return (f"{noise:g}", *texts)
