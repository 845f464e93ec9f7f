"""Claim: NMF has a much lower computational complexity than CCOT-GW.

Both are measured on the same draws, in the same process, on one thread, after compilation, in CPU
time, which other processes do not affect. The paper runs NMF from 100 starts, which is measured as
well.
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
    """Describe how many times faster NMF is."""
    times = {data: [median_time(cells, method, data) for method in METHODS] for data in DATA}
    one_start = [medians[2] / medians[0] for medians in times.values()]
    many_starts = [medians[2] / medians[1] for medians in times.values()]
    return Section(
        "The times of NMF and CCOT-GW",
        "NMF has a much lower computational complexity than CCOT-GW.",
        float(np.mean(np.array([*one_start, *many_starts]) > 1)),
        f"NMF is {min(one_start):.0f} to {max(one_start):.0f} times as fast as CCOT-GW; with 100 "
        f"starts, as in the paper, {min(many_starts):.1f} to {max(many_starts):.1f} times.",
        [
            "CPU time of Step 1 in milliseconds on one thread, median over all draws and levels of "
            "noise. NMF of a complete matrix amounts to its row and column sums, that is m n "
            "additions. Each iteration of CCOT-GW multiplies matrices of sizes m x m, m x n and "
            "n x n, at a cost of the order of m n (m + n).",
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
