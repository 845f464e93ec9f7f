"""Figure: the vectors of four methods on one matrix of 3 x 3 blocks.

The paper draws NMF, PageRank, CCOT ("OT") and the marginals of Largest Gaps ("LG") of a simulated
matrix of 60 rows and 60 columns, and sees in all of them "similar changes in slope". The matrix is
square, so the transport is CCOT itself, between rows and columns, and not its Gromov-Wasserstein
version; it takes the i-th row and the i-th column for one thing, so that groups are left in order.

The paper prints neither the blocks nor epsilon. The picture shows the block means of D2 and an
epsilon of about the mean distance of a row from a column, for which the scores of CCOT vary as
little as those of the others, as they do in the paper's figure. How much hangs on that is in the
table: other blocks and another epsilon, over several draws.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rankone.cuts import SortedPotts
from rankone.datasets import PAPER, Blocks, make_blocks
from rankone.paper.cells import Cell, Cells
from rankone.paper.draws import nmi
from rankone.paper.page import Picture, Section, Table
from rankone.paper.pictures import draw_vectors
from rankone.typing import FloatArray
from rankone.vectors import CCOT, NMF, Marginal, PageRank, VectorMethod, Vectors

CELLS: tuple[Cell, ...] = ()

SIZE, SIGMA, EPSILON = 60, 0.25, 10.0

#: The block means of the picture, and all that are tried, over this many draws.
SHOWN, BLOCKS, N_DRAWS = "D2", ("D1", "D2"), 10

#: Step 1, by the names of the paper's legend.
METHODS: dict[str, VectorMethod] = {
    "NMF": NMF(),
    "PageRank": PageRank(),
    "OT (CCOT)": CCOT(EPSILON),
    "LG (marginals)": Marginal(),
}
OTHER_EPSILON = {"OT (CCOT), epsilon = 1": CCOT(1.0)}

#: The agreement from which on the steps of a vector are the groups.
AGREES = 0.9


@dataclass(frozen=True, eq=False)
class Compared:
    """The vectors of one matrix, by method, each moved and scaled to mean 0 and deviation 1."""

    rows: dict[str, FloatArray]
    columns: dict[str, FloatArray]


def compare_vectors(seed: int = 0) -> Compared:
    """Extract the vectors of all methods from one matrix.

    Examples
    --------
    >>> found = compare_vectors()
    >>> bool(np.allclose(found.rows["NMF"], found.rows["LG (marginals)"]))
    True
    """
    _, found = _extracted(SHOWN, METHODS, seed)
    return Compared(
        {name: _standard(vectors.row) for name, vectors in found.items()},
        {name: _standard(vectors.column) for name, vectors in found.items()},
    )


def agreements(seed: int = 0) -> dict[tuple[str, str], tuple[float, float]]:
    """Return how well three clusters of each vector agree with the groups of rows and columns.

    The mean NMI over ten draws, by block means and method.
    """
    methods = METHODS | OTHER_EPSILON
    cut = SortedPotts(1, n_clusters=3).cut
    result = {}
    for means in BLOCKS:
        values: dict[str, list[tuple[float, float]]] = {name: [] for name in methods}
        for i in range(seed, seed + N_DRAWS):
            blocks, found = _extracted(means, methods, i)
            for name, vectors in found.items():
                rows = nmi(blocks.row_labels, cut(vectors.row).labels)
                values[name].append((rows, nmi(blocks.column_labels, cut(vectors.column).labels)))
        for name, pairs in values.items():
            rows, columns = np.mean(pairs, axis=0)
            result[means, name] = float(rows), float(columns)
    return result


def _extracted(
    means: str, methods: dict[str, VectorMethod], seed: int
) -> tuple[Blocks, dict[str, Vectors]]:
    """Draw a matrix, cut off at zero where NMF and PageRank end, and extract its vectors."""
    blocks = make_blocks(
        (SIZE, SIZE), PAPER[means].means, sigma=SIGMA, shuffle=False, random_state=seed
    )
    data = np.maximum(blocks.data, 0.0)
    return blocks, {name: method.extract(data) for name, method in methods.items()}


def _standard(scores: FloatArray) -> FloatArray:
    return np.asarray((scores - scores.mean()) / scores.std())


def section(cells: Cells, seed: int) -> Section:
    """Say how alike the vectors are."""
    found, table = compare_vectors(seed), agreements(seed)
    values = [value for pair in table.values() for value in pair]
    agree = sum(value >= AGREES for value in values)
    worst = min(table, key=lambda key: min(table[key]))
    return Section(
        "The vectors of four methods",
        "All vectors show similar steps, for u and for v.",
        agree / len(values),
        f"In {agree} of {len(values)} cases (methods, blocks, u and v) the three steps are the "
        f"three groups (NMI {AGREES:g} or more). Least alike is {worst[1]} on the blocks of "
        f"{worst[0]}: {min(table[worst]):.2f}.",
        [
            f"One matrix of {SIZE} x {SIZE}, the block means of {SHOWN}, standard deviation "
            f"{SIGMA:g}. OT is CCOT itself (the matrix is square), not CCOT-GW, with distances for "
            f"costs and epsilon = {EPSILON:g}, about their mean. The paper prints neither blocks "
            "nor epsilon; these were chosen so that steps can be seen in all vectors. Each is "
            "sorted, and moved and scaled to mean 0 and standard deviation 1. NMF and LG coincide: "
            "on a complete matrix they are one vector.",
            Picture("vectors", draw_vectors(found), "Sorted vectors u and v of four methods"),
            f"How much hangs on that choice: NMI of the three clusters of u / v with the groups, "
            f"mean over {N_DRAWS} draws, for the block means of D1 and D2.",
            Table(
                ("", *(f"blocks of {means}" for means in BLOCKS)),
                [
                    (name, *("{:.3f} / {:.3f}".format(*table[means, name]) for means in BLOCKS))
                    for name in METHODS | OTHER_EPSILON
                ],
            ),
        ],
    )
