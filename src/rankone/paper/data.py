"""Figure 1 and the data: the two steps on one matrix, and the parameters of D1 to D4."""

from __future__ import annotations

from dataclasses import dataclass

from rankone.cuts import Partition, SortedPotts
from rankone.datasets import PAPER, Design, make_blocks
from rankone.paper.cells import Cell, Cells
from rankone.paper.page import Picture, Section, Table
from rankone.paper.pictures import draw_scheme
from rankone.paper.published import DATA_TABLE
from rankone.typing import FloatArray
from rankone.vectors import Marginal

CELLS: tuple[Cell, ...] = ()

#: The matrix of the schematic figure: four groups of rows, two of columns, as in the paper's.
SHAPE, SIGMA = (48, 24), 0.12
MEANS = ((0.8, 0.0), (0.35, 0.85), (1.0, 0.8), (0.3, 0.1))


@dataclass(frozen=True, eq=False)
class Scheme:
    """A matrix, and what the two steps make of it: u and v, and their partitions."""

    data: FloatArray
    u: FloatArray
    v: FloatArray
    rows: Partition
    columns: Partition


def two_steps(seed: int = 0) -> Scheme:
    """Extract u and v of a small matrix, and cut them.

    Examples
    --------
    >>> scheme = two_steps()
    >>> scheme.rows.n_clusters, scheme.columns.n_clusters
    (4, 2)
    """
    data = make_blocks(SHAPE, MEANS, sigma=SIGMA, shuffle=False, random_state=seed).data
    vectors = Marginal().extract(data)
    rows, columns = (
        SortedPotts(1, n_clusters=number).cut(vector)
        for number, vector in ((len(MEANS), vectors.row), (len(MEANS[0]), vectors.column))
    )
    return Scheme(data, vectors.row, vectors.column, rows, columns)


def section(cells: Cells, seed: int) -> Section:
    """Show the two steps, and the parameters of the data sets."""
    return Section(
        "Figure 1 and the data",
        "",
        0.0,
        "",
        [
            "A rank-one partitioning learner turns a matrix A into cluster-generating vectors u "
            "and v (Step 1), and cuts each into a partition (Step 2).",
            Picture(
                "scheme", draw_scheme(two_steps(seed)), "A matrix, its u and v, and their cuts"
            ),
            "The paper describes its data sets by the first columns; it prints no block means, no "
            "variances and no level of noise. The other columns are the parameters that its "
            "authors published for data sets of the same names, sizes and shapes, and are used "
            "here (`rankone.datasets.PAPER`). Labels are multinomial draws, and entries are "
            "normal with the mean of their block and the standard deviation sigma.",
            Table(
                (
                    *("", "size", "k_r x k_c", "overlap (paper)", "proportions (paper)"),
                    *("rows", "columns", "sigma", "block means"),
                ),
                [(name, *_row(name, design)) for name, design in PAPER.items()],
                n_names=9,
            ),
            "Three statements of the paper do not fit these parameters: that the proportions of D3 "
            "are equal (those of its columns are not), that D3 and D4 are ill-separated ([++]; "
            "without noise, their groups are far apart), and the row scores of D4, plotted between "
            "2.4 and 2.9 (here, they lie between 1.5 and about 2.5).",
        ],
    )


def _row(name: str, design: Design) -> tuple[str, ...]:
    overlap, proportions = DATA_TABLE[name]
    k_r, k_c = len(design.means), len(design.means[0])
    return (
        "{} x {}".format(*design.shape),
        f"{k_r} x {k_c}",
        overlap,
        proportions,
        _shares(design.row_shares),
        _shares(design.column_shares),
        f"{design.sigma:g}",
        " / ".join(" ".join(f"{mean:g}" for mean in row) for row in design.means),
    )


def _shares(shares: tuple[float, ...]) -> str:
    equal = max(shares) - min(shares) < 1e-9
    return f"1/{len(shares)} each" if equal else " ".join(f"{share:g}" for share in shares)
