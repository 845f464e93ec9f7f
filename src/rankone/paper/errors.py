"""Bars: the co-clustering errors of NMF and CCOT-GW, which give clusters of rows and columns.

An error is averaged over all draws, and beside it stands the share of draws in which both numbers
of clusters were found. Earlier papers averaged over those draws only, which flatters a method that
rarely finds them; that figure is shown too.
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

#: Points of a percentage that one would call the same.
CLOSE = 5.0


@dataclass(frozen=True)
class Error:
    """The co-clustering error of a method in a cell, in percent.

    Attributes
    ----------
    mean : float
        Over all draws.
    share : float
        Of draws in which both numbers of clusters are right, in percent.
    of_right : float
        The mean over these; NaN if there are none.
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
    """Say which of the two is better."""
    found = {
        (method, cell, p): coclustering_errors(cells, method, cell, p)
        for method in METHODS
        for cell in CELLS
        for p in (1, 2)
    }
    wins = sum(found["NMF", cell, 2].mean < found["CCOT-GW", cell, 2].mean for cell in CELLS)
    shares = [
        np.mean([found[method, cell, 2].share for cell in CELLS]) for method in ("NMF", "CCOT-GW")
    ]
    near = sum(
        abs(found[method, (data, 0.0), 2].mean - error) <= CLOSE
        for method, published in ERRORS["clean"].items()
        for data, error in published.items()
    )
    bars = {key[:2]: error.mean for key, error in found.items() if key[2] == 2}
    return Section(
        "Co-clustering errors",
        "NMF compares favourably with CCOT-GW.",
        wins / len(CELLS),
        f"NMF has the smaller error in {wins} of {len(CELLS)} cells (l2, all draws); both numbers "
        f"of clusters are right in {shares[0]:.0f} % of its draws, and in {shares[1]:.0f} % of "
        f"those of CCOT-GW. Of the paper's bars without noise, {near} of 8 are within {CLOSE:g} "
        "points of ours.",
        [
            "In percent of the entries of the matrix that are in a wrong block, over all draws. "
            "*Right*: draws in which both numbers of clusters were found. *Of right*: the error of "
            "these alone (-: there are none).",
            Picture("errors", draw_errors(bars), "Co-clustering errors, ours beside the paper's"),
            Table(
                ("", "s", "", "paper", "l1", "right", "of right", "l2", "right", "of right"),
                [
                    _row(found, data, s, method)
                    for data in DATA
                    for s in NOISE
                    for method in METHODS
                ],
                n_names=3,
            ),
            "The paper's noisy value stands beside s = 0.5, 1, 2 and 3, of which it may be any.",
        ],
    )


def _row(
    found: dict[tuple[str, Cell, int], Error], data: str, noise: float, method: str
) -> tuple[str, ...]:
    published = ERRORS["noisy" if noise else "clean"][method][data]
    texts = []
    for p in (1, 2):
        error = found[method, (data, noise), p]
        of_right = "-" if np.isnan(error.of_right) else f"{error.of_right:.1f}"
        texts += [f"{error.mean:.1f}", f"{error.share:.0f} %", of_right]
    return (data, f"{noise:g}", method, f"{published:.1f}", *texts)
