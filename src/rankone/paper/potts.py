"""Figure: contiguous, unsorted, sorted and sorted-Potts clustering of one vector.

Potts cuts a signal into contiguous pieces. Where the members of a cluster are scattered, it is the
sorted vector that must be cut, and the labels carried back: the sorted Potts problem.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rankone.cuts import Partition, Potts, SortedPotts
from rankone.paper.cells import Cell, Cells
from rankone.paper.draws import nmi
from rankone.paper.page import Picture, Section, Table
from rankone.paper.pictures import draw_potts
from rankone.typing import FloatArray, IntArray

CELLS: tuple[Cell, ...] = ()

#: The levels of the true signal, how often each occurs, the noise, and one penalty for all panels.
LEVELS, REPEATS, SIGMA, LAM = (1.0, 3.0, 2.0, 4.0), 25, 0.2, 5.0


@dataclass(frozen=True, eq=False)
class Panel:
    """A noisy vector, its true signal and groups, and a partition of it."""

    signal: FloatArray
    u: FloatArray
    groups: IntArray
    partition: Partition


def four_panels(seed: int = 0) -> dict[str, Panel]:
    """Cut one vector in the four ways of the paper.

    Examples
    --------
    >>> [panel.partition.n_clusters for panel in four_panels().values()]
    [4, 1, 4, 4]
    """
    random = np.random.RandomState(seed)
    groups = np.repeat(np.argsort(np.argsort(LEVELS)), REPEATS)
    signal = np.sort(LEVELS)[groups]
    u = signal + SIGMA * random.standard_normal(signal.size)
    mixed = random.permutation(u.size)
    ordered = mixed[np.argsort(u[mixed], kind="stable")]
    contiguous, scattered = Potts(1, lam=LAM), SortedPotts(1, lam=LAM)
    return {
        "(a) contiguous: Potts": Panel(signal, u, groups, contiguous.cut(u)),
        "(b) unsorted: Potts": Panel(
            signal[mixed], u[mixed], groups[mixed], contiguous.cut(u[mixed])
        ),
        "(c) sorted: Potts": Panel(
            signal[ordered], u[ordered], groups[ordered], contiguous.cut(u[ordered])
        ),
        "(d) unsorted: sorted Potts": Panel(
            signal[mixed], u[mixed], groups[mixed], scattered.cut(u[mixed])
        ),
    }


def section(cells: Cells, seed: int) -> Section:
    """Say what the four ways find."""
    panels = four_panels(seed)
    found = {name: nmi(panel.groups, panel.partition.labels) for name, panel in panels.items()}
    sorted_, carried = list(panels.values())[2:]
    same = np.isclose(sorted_.partition.objective, carried.partition.objective)
    return Section(
        "Clustering a vector",
        "Potts finds contiguous clusters; for others the sorted Potts problem is needed, and "
        "sorting solves it.",
        float(found["(a) contiguous: Potts"] > found["(b) unsorted: Potts"])
        * float(same and found["(d) unsorted: sorted Potts"] > found["(b) unsorted: Potts"]),
        f"Potts alone reaches an NMI of {found['(a) contiguous: Potts']:.2f} on the contiguous "
        f"vector and {found['(b) unsorted: Potts']:.2f} on the same one shuffled; sorted Potts "
        f"{found['(d) unsorted: sorted Potts']:.2f}, and its objective is "
        f"{'that' if same else '**not** that'} of Potts on the sorted vector.",
        [
            f"A vector of {len(LEVELS) * REPEATS} values: {len(LEVELS)} levels, noise of standard "
            f"deviation {SIGMA:g}, one penalty lam = {LAM:g}, p = 1 as in the paper's figure. The "
            "paper does not print its vector; this one was chosen so that clusters can be seen.",
            Picture("potts", draw_potts(panels), "A vector cut in four ways"),
            Table(
                ("", "clusters", "NMI", "objective"),
                [
                    (
                        name,
                        str(panel.partition.n_clusters),
                        f"{found[name]:.3f}",
                        f"{panel.partition.objective:.3f}",
                    )
                    for name, panel in panels.items()
                ],
            ),
        ],
    )
