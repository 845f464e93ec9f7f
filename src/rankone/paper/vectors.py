"""Figure 2: the vectors of four methods on one matrix of 3 x 3 blocks.

The paper draws NMF, PageRank, CCOT ("OT") and the marginals of Largest Gaps ("LG") of a simulated
matrix of 60 rows and 60 columns, and finds "similar changes in slope" in all of them. The matrix is
square, so the transport is CCOT itself, between rows and columns, rather than its
Gromov-Wasserstein version. CCOT identifies the i-th row with the i-th column, so the groups are not
shuffled.

The paper specifies neither the blocks nor epsilon. The picture uses the block means of D2 and an
epsilon close to the mean distance between a row and a column, for which the scores of CCOT vary as
little as those of the other methods, as in the paper's figure. The table shows how the result
depends on these choices: other blocks and another epsilon, over several draws.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.stats import spearmanr

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

#: The block means of the picture, those of the table, and its number of draws.
SHOWN, BLOCKS, N_DRAWS = "D2", ("D1", "D2"), 10

#: The Step 1 methods, by their names in the paper's legend.
METHODS: dict[str, VectorMethod] = {
    "NMF": NMF(),
    "PageRank": PageRank(),
    "OT (CCOT)": CCOT(EPSILON),
    "LG (marginals)": Marginal(),
}
OTHER_EPSILON = {"OT (CCOT), epsilon = 1": CCOT(1.0)}

#: The number of times that rows and columns are scaled, many more than convergence needs.
N_SCALINGS = 500

#: The NMI from which on the steps of a vector count as the true groups.
AGREES = 0.9


@dataclass(frozen=True, eq=False)
class Compared:
    """The vectors of one matrix by method, standardised to mean 0 and standard deviation 1."""

    rows: dict[str, FloatArray]
    columns: dict[str, FloatArray]


def compare_vectors(seed: int = 0) -> Compared:
    """Extract the vectors of all methods from one matrix.

    Examples
    --------
    >>> vectors = compare_vectors()
    >>> bool(np.allclose(vectors.rows["NMF"], vectors.rows["LG (marginals)"]))
    True
    """
    _, extracted = _draw_and_extract(SHOWN, METHODS, seed)
    return Compared(
        {name: _standardise(vectors.row) for name, vectors in extracted.items()},
        {name: _standardise(vectors.column) for name, vectors in extracted.items()},
    )


def agreements(seed: int = 0) -> dict[tuple[str, str], tuple[float, float]]:
    """Return the mean NMI of three clusters of each vector with the groups of rows and columns.

    The mean is over ten draws; the keys are the block means and the method.
    """
    methods = METHODS | OTHER_EPSILON
    cut = SortedPotts(1, n_clusters=3).cut
    result = {}
    for means in BLOCKS:
        values: dict[str, list[tuple[float, float]]] = {name: [] for name in methods}
        for i in range(seed, seed + N_DRAWS):
            blocks, extracted = _draw_and_extract(means, methods, i)
            for name, vectors in extracted.items():
                rows = nmi(blocks.row_labels, cut(vectors.row).labels)
                values[name].append((rows, nmi(blocks.column_labels, cut(vectors.column).labels)))
        for name, pairs in values.items():
            rows, columns = np.mean(pairs, axis=0)
            result[means, name] = float(rows), float(columns)
    return result


def sinkhorn_scores(data: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return one over the vectors that scale a matrix to be doubly stochastic.

    A row that contributes much to the stationary distribution of a walk must be scaled down much to
    make that distribution uniform (Knight, 2008).

    Examples
    --------
    >>> row, column = sinkhorn_scores(np.array([[4.0, 2.0], [2.0, 4.0]]))
    >>> bool(np.allclose(row, row[0]) and np.allclose(column, column[0]))
    True
    """
    row, column = np.ones(data.shape[0]), np.ones(data.shape[1])
    for _ in range(N_SCALINGS):
        row = data @ (1.0 / column)
        column = data.T @ (1.0 / row)
    return row, column


def rank_correlations(seed: int = 0) -> dict[str, tuple[float, float]]:
    """Return the median rank correlations of PageRank and Sinkhorn's vectors, for rows and columns.

    The keys are the block means; the median is over ten draws.
    """
    medians = {}
    for means in BLOCKS:
        pairs = []
        for i in range(seed, seed + N_DRAWS):
            blocks, extracted = _draw_and_extract(means, {"PageRank": PageRank()}, i)
            scores, ranks = sinkhorn_scores(np.maximum(blocks.data, 0.0)), extracted["PageRank"]
            sides = zip(scores, (ranks.row, ranks.column), strict=True)
            pairs.append([float(spearmanr(*side).statistic) for side in sides])
        rows, columns = np.median(pairs, axis=0)
        medians[means] = float(rows), float(columns)
    return medians


def _draw_and_extract(
    means: str, methods: dict[str, VectorMethod], seed: int
) -> tuple[Blocks, dict[str, Vectors]]:
    """Draw a matrix, clip it at zero for NMF and PageRank, and extract its vectors."""
    blocks = make_blocks(
        (SIZE, SIZE), PAPER[means].means, sigma=SIGMA, shuffle=False, random_state=seed
    )
    data = np.maximum(blocks.data, 0.0)
    return blocks, {name: method.extract(data) for name, method in methods.items()}


def _standardise(scores: FloatArray) -> FloatArray:
    return np.asarray((scores - scores.mean()) / scores.std())


def section(cells: Cells, seed: int) -> Section:
    """Describe how similar the vectors are."""
    vectors, table = compare_vectors(seed), agreements(seed)
    values = [value for pair in table.values() for value in pair]
    agree = sum(value >= AGREES for value in values)
    worst = min(table, key=lambda key: min(table[key]))
    links = rank_correlations(seed)
    return Section(
        "Figure 2: u and v of four methods",
        "All vectors show similar steps, for u and for v.",
        agree / len(values),
        f"In {agree} of {len(values)} cases (methods, blocks, u and v), the three steps match the "
        f"three groups (NMI of at least {AGREES:g}). The lowest NMI is {min(table[worst]):.2f}, of "
        f"{worst[1]} on the blocks of {worst[0]}. The rank correlation of PageRank and Sinkhorn's "
        f"scaling vectors is {min(min(pair) for pair in links.values()):.2f} or more (medians).",
        [
            f"One matrix of size {SIZE} x {SIZE} with the block means of {SHOWN} and standard "
            f"deviation {SIGMA:g}. The matrix is square, so OT is CCOT itself, not CCOT-GW; its "
            f"costs are distances, and epsilon = {EPSILON:g} is close to their mean. The paper "
            "specifies neither blocks nor epsilon; these were chosen such that steps are visible "
            "in all vectors. Each vector is sorted and standardised to mean 0 and standard "
            "deviation 1. NMF and LG coincide, as always on a complete matrix.",
            Picture("vectors", draw_vectors(vectors), "Sorted vectors u and v of four methods"),
            "How the result depends on these choices: NMI of the three clusters of u / v with the "
            f"groups, mean over {N_DRAWS} draws, for the block means of D1 and D2.",
            Table(
                ("", *(f"blocks of {means}" for means in BLOCKS)),
                [
                    (name, *("{:.3f} / {:.3f}".format(*table[means, name]) for means in BLOCKS))
                    for name in METHODS | OTHER_EPSILON
                ],
            ),
            "**PageRank and Sinkhorn.** The paper mentions, with Knight (2008), that PageRank's "
            "vector is linked to the vectors r and c that scale A to be doubly stochastic, "
            "diag(r) A diag(c): what is scaled down most would otherwise be visited most. Rank "
            "correlation of PageRank (damping 0.85) with 1 / r for u, and with 1 / c for v, median "
            f"over {N_DRAWS} draws:",
            Table(
                ("", "u and 1 / r", "v and 1 / c"),
                [(f"blocks of {m}", f"{a:.3f}", f"{b:.3f}") for m, (a, b) in links.items()],
            ),
        ],
        draws=N_DRAWS,
    )
