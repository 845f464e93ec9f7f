"""Bars: the co-clustering errors of NMF and CCOT-GW, which cluster both rows and columns.

Errors are averaged over all draws and shown with the share of draws in which both numbers of
clusters were correct. Earlier papers averaged over those draws only, which favours methods that
rarely find the correct numbers; this average is shown too.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rankone.paper.cells import ALL_CELLS, DATA, NOISE, Cell, Cells
from rankone.paper.page import Picture, Section, Table
from rankone.paper.pictures import draw_errors
from rankone.paper.published import ERRORS

EXPERIMENT, CELLS = "learning", ALL_CELLS

METHODS = tuple(ERRORS["clean"])

#: Differences up to this many percentage points count as agreement.
CLOSE = 5.0


@dataclass(frozen=True)
class Error:
    """The co-clustering error of a method in a cell, in percent.

    Attributes
    ----------
    mean : float
        The mean error over all draws.
    share : float
        The percentage of draws in which both numbers of clusters are correct.
    of_right : float
        The mean error over these draws, NaN if there are none.
    """

    mean: float
    share: float
    of_right: float


def coclustering_errors(cells: Cells, method: str, cell: Cell, p: int = 2) -> Error:
    """Return the error of a method in a cell."""
    errors = 100 * cells.values(cell, f"{method}/SortedPotts l{p}/error")
    right = cells.values(cell, f"{method}/SortedPotts l{p}/right") > 0
    of_right = float(errors[right].mean()) if right.any() else float("nan")
    return Error(float(errors.mean()), float(100 * right.mean()), of_right)


def section(cells: Cells, seed: int) -> Section:
    """Describe which of the two methods has smaller errors."""
    errors = {
        (method, cell, p): coclustering_errors(cells, method, cell, p)
        for method in METHODS
        for cell in CELLS
        for p in (1, 2)
    }
    wins = sum(errors["NMF", cell, 2].mean < errors["CCOT-GW", cell, 2].mean for cell in CELLS)
    shares = [
        np.mean([errors[method, cell, 2].share for cell in CELLS]) for method in ("NMF", "CCOT-GW")
    ]
    near = sum(
        abs(errors[method, (data, 0.0), 2].mean - error) <= CLOSE
        for method, published in ERRORS["clean"].items()
        for data, error in published.items()
    )
    bars = {key[:2]: error.mean for key, error in errors.items() if key[2] == 2}
    return Section(
        "Co-clustering errors",
        "NMF compares favourably with CCOT-GW.",
        wins / len(CELLS),
        f"NMF has the smaller error in {wins} of {len(CELLS)} cells (l2, all draws). Both numbers "
        f"of clusters are correct in {shares[0]:.0f} % of the draws with NMF and in "
        f"{shares[1]:.0f} % with CCOT-GW. Without noise, {near} of the paper's 8 bars are within "
        f"{CLOSE:g} percentage points of ours.",
        [
            "Percentage of the entries of the matrix that are assigned to a wrong block, averaged "
            "over all draws. *Right*: percentage of draws in which both numbers of clusters are "
            "correct. *Of right*: the error averaged over these draws only (-: there are none).",
            Picture("errors", draw_errors(bars), "Co-clustering errors, ours and the paper's"),
            Table(
                ("", "s", "", "paper", "l1", "right", "of right", "l2", "right", "of right"),
                [
                    _row(errors, data, s, method)
                    for data in DATA
                    for s in NOISE
                    for method in METHODS
                ],
                n_names=3,
            ),
            "The level of noise of the paper's noisy value is not known; the value is repeated for "
            "s = 0.5, 1, 2 and 3.",
        ],
    )


def _row(
    errors: dict[tuple[str, Cell, int], Error], data: str, noise: float, method: str
) -> tuple[str, ...]:
    published = ERRORS["noisy" if noise else "clean"][method][data]
    texts = []
    for p in (1, 2):
        error = errors[method, (data, noise), p]
        of_right = "-" if np.isnan(error.of_right) else f"{error.of_right:.1f}"
        texts += [f"{error.mean:.1f}", f"{error.share:.0f} %", of_right]
    return (data, f"{noise:g}", method, f"{published:.1f}", *texts)
