"""Claim: sorting gains robustness. Rows shuffled, and contiguous.

Potts on the vector as it is, against sorted Potts on the same vector. Sorted Potts does not look at
the order of the rows, so its figure is one for both orders. Where groups are contiguous, the order
is knowledge, and Potts has it.
"""

from __future__ import annotations

from rankone.paper.cells import ALL_CELLS, NOISE, Cells, Tally
from rankone.paper.draws import CUT_VECTORS, IN_ORDER, SHUFFLED
from rankone.paper.page import Section, Table

EXPERIMENT, CELLS = "learning", ALL_CELLS


def sorted_against(cells: Cells, order: str, what: str = "rows") -> Tally:
    """Compare sorted l1-Potts with l1-Potts in an order of the rows, on all vectors and cells."""
    return Tally(
        [
            cells.compared(
                cell, f"{vectors}/SortedPotts l1/{what}", f"{vectors}/Potts l1{order}/{what}"
            )
            for vectors in CUT_VECTORS
            for cell in CELLS
        ]
    )


def section(cells: Cells, seed: int) -> Section:
    """Say where sorting helps, and where it does not."""
    shuffled, contiguous = (sorted_against(cells, order) for order in (SHUFFLED, IN_ORDER))
    return Section(
        "Sorted against unsorted",
        "Sorted Potts leads to a notable gain in robustness.",
        shuffled.better / shuffled.total,
        f"Rows shuffled: sorted Potts is {shuffled}. Groups contiguous: it is {contiguous}"
        + ("; there the order tells more than sorting keeps." if contiguous.worse else "."),
        [
            f"NMI of the rows by l1-Potts, mean over four data sets and {len(CUT_VECTORS)} vectors "
            f"({', '.join(CUT_VECTORS)}); the number of clusters by the largest silhouette, and "
            "given.",
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
    some = tuple(cell for cell in CELLS if cell[1] == noise)
    texts = []
    for what in ("rows", "number given"):
        for cut in ("SortedPotts l1", f"Potts l1{SHUFFLED}", f"Potts l1{IN_ORDER}"):
            means = [cells.overall(some, f"{vectors}/{cut}/{what}") for vectors in CUT_VECTORS]
            texts.append(f"{sum(means) / len(means):.3f}")
    return (f"{noise:g}", *texts)
