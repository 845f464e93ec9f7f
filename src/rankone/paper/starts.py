r"""Figure 6: the mean and spread of NMF over 100 random starts, and the Potts signal of the mean.

The paper runs the factorisation 100 times, because it "is known to be sensitive to initialisation",
and cuts the mean vector. With rank one and the Kullback-Leibler loss, it is not: one update of u
gives

.. math:: u = \frac{A \mathbf 1}{\mathbf 1^T v},

which is proportional to the row sums for every v. The start only affects the scale :math:`1 /
\mathbf 1^T v`. More generally, with :math:`u_i v_j = e^{x_i + y_j}` the loss is convex in x and y
for every beta from 0 to 1, with or without missing entries, so that there is one minimum; and for
beta = 2 on a complete matrix, the leading singular pair is the only positive one. In other cases,
the start could matter.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rankone.cuts import Partition
from rankone.datasets import make_paper
from rankone.paper.cells import Cell, Cells
from rankone.paper.lam import GRID, OURS, choose_by, path_along_grid
from rankone.paper.page import Picture, Section, Table
from rankone.paper.pictures import draw_starts
from rankone.selection import silhouette
from rankone.typing import FloatArray
from rankone.vectors import NMF
from rankone.vectors.nmf import NMFVectors

CELLS: tuple[Cell, ...] = ()

#: The number of starts for the picture, and for each of the other losses.
N_STARTS, N_OTHERS = 100, 20

NOISE_LEVEL, MISSING = 1.0, 0.5
BETAS = (0.5, 1.0, 1.5, 2.0)

#: The spread from which on the start matters, relative to the standard deviation of the scores.
VISIBLE = 1e-3


@dataclass(frozen=True, eq=False)
class Starts:
    """The mean and spread of the row scores over many starts, and a cut of the mean.

    Attributes
    ----------
    mean, spread : ndarray
        The mean and standard deviation of vectors normalised to mean one, as `NMF` returns them.
    raw_mean, raw_spread : ndarray
        The same for the vectors after one update, each with its own scale.
    partition : Partition
        The sorted l1-Potts partition of the mean with the largest silhouette.
    on_grid : Partition
        The one with the largest silhouette of the paper's penalties.
    silhouettes : tuple of float
        The silhouettes of the two.
    """

    mean: FloatArray
    spread: FloatArray
    raw_mean: FloatArray
    raw_spread: FloatArray
    partition: Partition
    on_grid: Partition
    silhouettes: tuple[float, float]


def many_starts(seed: int = 0) -> Starts:
    """Factorise one noisy D4 from 100 random starts.

    Examples
    --------
    >>> float(many_starts().spread.max()) < 1e-12
    True
    """
    data = _data("D4", 0.0, seed)
    vectors = _extract(data, 1.0, N_STARTS, seed)
    random = np.random.RandomState(seed)
    scales = [1.0 / np.sum(random.uniform(size=data.shape[1])) for _ in range(N_STARTS)]
    raw = data.sum(axis=1) * np.array(scales)[:, None]
    path = path_along_grid(vectors.row)
    best, on_grid = (path.at(n_clusters=choose_by(rule, path)) for rule in (OURS, GRID))
    assert vectors.row_spread is not None
    return Starts(
        vectors.row,
        vectors.row_spread,
        raw.mean(axis=0),
        raw.std(axis=0),
        best,
        on_grid,
        (silhouette(vectors.row, best), silhouette(vectors.row, on_grid)),
    )


def spreads(seed: int = 0) -> dict[tuple[float, str], tuple[float, float]]:
    """Return the largest spread of any row and column score, by beta and by missingness.

    It is the largest over D1 to D4, relative to the standard deviation of the scores.
    """
    largest = {}
    for beta in BETAS:
        for kind, missing in (("complete", 0.0), ("half missing", MISSING)):
            shares = []
            for name in ("D1", "D2", "D3", "D4"):
                vectors = _extract(_data(name, missing, seed), beta, N_OTHERS, seed)
                assert vectors.row_spread is not None
                assert vectors.column_spread is not None
                shares.append(
                    (
                        vectors.row_spread.max() / vectors.row.std(),
                        vectors.column_spread.max() / vectors.column.std(),
                    )
                )
            rows, columns = np.max(shares, axis=0)
            largest[beta, kind] = float(rows), float(columns)
    return largest


def _data(name: str, missing: float, seed: int) -> FloatArray:
    data = make_paper(name, NOISE_LEVEL, missing=missing, random_state=seed).data
    return np.asarray(data - min(float(np.nanmin(data)), 0.0))


def _extract(data: FloatArray, beta: float, n_starts: int, seed: int) -> NMFVectors:
    vectors = NMF(beta, n_init=n_starts, random_state=seed).extract(data)
    assert isinstance(vectors, NMFVectors)
    return vectors


def section(cells: Cells, seed: int) -> Section:
    """Describe whether starts matter."""
    starts, table = many_starts(seed), spreads(seed)
    largest = max(max(pair) for pair in table.values())
    scale = float((starts.raw_spread / starts.raw_mean).max())
    return Section(
        "Figure 6: random starts of NMF",
        "NMF is sensitive to its start, so the paper cuts the mean over 100 starts.",
        float(np.mean([max(pair) > VISIBLE for pair in table.values()])),
        "With the Kullback-Leibler loss, the standard deviation over "
        f"{N_STARTS} starts is {starts.spread.max():.0e} of the mean score, a rounding error. For "
        "all losses tested, with or without missing entries, it is at most "
        f"{largest:.0e} of the standard deviation of the scores.",
        [
            "For rank one, the paper's objective has a closed-form solution, the row and column "
            "sums, which a single update reaches from every start. If the vectors are not "
            "normalised before averaging, only their *scale* varies between runs "
            f"({scale:.1%} here), which may explain the grey area in the paper's figure. It "
            "affects all scores alike and does not change the clusters.",
            Picture(
                "starts",
                draw_starts(starts),
                "Mean and spread of NMF over 100 starts, normalised and not normalised",
            ),
            _why_so_few(starts),
            f"The largest standard deviation of any row / column score over {N_OTHERS} starts, "
            "relative to the standard deviation of the scores, over D1 to D4 with s = "
            f"{NOISE_LEVEL:g}. For beta from 0 to 1, the problem is convex in the logarithms of "
            "the factors, also with missing entries, so that the start cannot matter. For larger "
            "beta and missing entries it could; on these data it "
            f"{'does not' if largest < VISIBLE else 'does'}.",
            Table(
                ("beta", "complete", "half missing"),
                [
                    (
                        f"{beta:g}",
                        *(
                            " / ".join(f"{x:.0e}" for x in table[beta, kind])
                            for kind in ("complete", "half missing")
                        ),
                    )
                    for beta in BETAS
                ],
            ),
        ],
    )


def _why_so_few(starts: Starts) -> str:
    """Say why the picture shows as many clusters as it does."""
    best, on_grid = starts.partition.n_clusters, starts.on_grid.n_clusters
    largest, other = starts.silhouettes
    if best == on_grid:
        return f"The picture shows {best} clusters, by both rules for λ_reg."
    return (
        f"The picture shows {best} clusters because that number has the largest silhouette of 2 to "
        f"20 on this draw, {largest:.3f}; D4 has five groups of rows, and the silhouette of "
        f"{on_grid} clusters, which the paper's interval of λ_reg selects, is {other:.3f}. With "
        "noise, few wide clusters often have a larger silhouette than the true ones (see Figure 7)."
    )
