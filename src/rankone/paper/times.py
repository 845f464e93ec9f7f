"""Claim: NMF has a much lower computational complexity than CCOT-GW.

Both are measured on the same draws, in the same process, on one thread, after everything was
compiled. The paper runs NMF from 100 starts; that is measured as well.
"""

from __future__ import annotations

import numpy as np

from rankone.datasets import PAPER
from rankone.paper.cells import ALL_CELLS, DATA, NOISE, Cells
from rankone.paper.page import Section, Table

EXPERIMENT, CELLS = "learning", ALL_CELLS

METHODS = ("NMF", "NMF, 100 starts", "CCOT-GW")


def median_time(cells: Cells, method: str, data: str) -> float:
    """Return the median time of Step 1 over all draws of a data set, in milliseconds."""
    times = [cells.values((data, noise), f"{method}/seconds") for noise in NOISE]
    return 1000 * float(np.median(np.concatenate(times)))


def section(cells: Cells, seed: int) -> Section:
    """Say how many times faster NMF is."""
    times = {data: [median_time(cells, method, data) for method in METHODS] for data in DATA}
    once = [ours[2] / ours[0] for ours in times.values()]
    often = [ours[2] / ours[1] for ours in times.values()]
    return Section(
        "The times of NMF and CCOT-GW",
        "NMF has a much lower computational complexity than CCOT-GW.",
        float(np.mean(np.array([*once, *often]) > 1)),
        f"NMF is {min(once):.0f} to {max(once):.0f} times as fast as CCOT-GW; from 100 starts, as "
        f"the paper runs it, {min(often):.1f} to {max(often):.1f} times.",
        [
            "Step 1 alone, median over all draws and levels of noise, in milliseconds, one thread. "
            "NMF of a complete matrix is its row and column sums: m n additions. CCOT-GW "
            "multiplies matrices of m x m, m x n and n x n in each of its iterations: of the order "
            "of m n (m + n).",
            Table(
                ("", "size", *METHODS, "CCOT-GW / NMF", "CCOT-GW / 100 starts"),
                [
                    (
                        data,
                        "{} x {}".format(*PAPER[data].shape),
                        *(f"{time:.1f}" for time in times[data]),
                        f"{times[data][2] / times[data][0]:.0f}",
                        f"{times[data][2] / times[data][1]:.1f}",
                    )
                    for data in DATA
                ],
                n_names=2,
            ),
        ],
    )
