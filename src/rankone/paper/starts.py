r"""Figure: the mean and spread of NMF over 100 random starts, and the Potts signal of the mean.

The paper runs the factorisation 100 times, because it "is known to be sensitive to initialisation",
and cuts the mean vector. Of rank one, and with Kullback-Leibler loss, it is not: one update of u
gives

.. math:: u = \frac{A \mathbf 1}{\mathbf 1^T v},

the row sums, whatever v was. All that a start leaves behind is the scale :math:`1 / \mathbf 1^T v`.
More generally, with :math:`u_i v_j = e^{x_i + y_j}` the loss is convex in x and y for every beta
from 0 to 1, with or without missing entries, so that there is one minimum; and for beta = 2 on a
complete matrix, the leading singular pair is the only positive one. Elsewhere, starts could matter.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rankone.cuts import Partition, sorted_potts_path
from rankone.datasets import make_paper
from rankone.paper.candidates import MAX_CLUSTERS
from rankone.paper.cells import Cell, Cells
from rankone.paper.page import Picture, Section, Table
from rankone.paper.pictures import draw_starts
from rankone.selection import choose
from rankone.typing import FloatArray
from rankone.vectors import NMF
from rankone.vectors.nmf import NMFVectors

CELLS: tuple[Cell, ...] = ()

#: Starts of the picture, and of each other loss.
N_STARTS, N_OTHERS = 100, 20

NOISE_LEVEL, MISSING = 1.0, 0.5
BETAS = (0.5, 1.0, 1.5, 2.0)

#: A spread that could be seen, as a share of how much scores differ.
VISIBLE = 1e-3


@dataclass(frozen=True, eq=False)
class Starts:
    """The scores of the rows over many starts: their mean and spread, and a cut of the mean.

    Attributes
    ----------
    mean, spread : ndarray
        Of vectors of mean one, as `NMF` returns them.
    raw_mean, raw_spread : ndarray
        Of the vectors as one update from a start leaves them, each with a scale of its own.
    partition : Partition
        Sorted l1-Potts of the mean, by the largest silhouette.
    """

    mean: FloatArray
    spread: FloatArray
    raw_mean: FloatArray
    raw_spread: FloatArray
    partition: Partition


def many_starts(seed: int = 0) -> Starts:
    """Factorise one noisy D4 from 100 random starts.

    Examples
    --------
    >>> float(many_starts().spread.max()) < 1e-12
    True
    """
    data = _data("D4", 0.0, seed)
    found = _extract(data, 1.0, N_STARTS, seed)
    random = np.random.RandomState(seed)
    scales = [1.0 / np.sum(random.uniform(size=data.shape[1])) for _ in range(N_STARTS)]
    raw = data.sum(axis=1) * np.array(scales)[:, None]
    path = sorted_potts_path(found.row, 1, MAX_CLUSTERS)
    partition = path.at(n_clusters=choose(path, "silhouette").n_clusters)
    assert found.row_spread is not None
    return Starts(found.row, found.row_spread, raw.mean(axis=0), raw.std(axis=0), partition)


def spreads(seed: int = 0) -> dict[tuple[float, str], tuple[float, float]]:
    """Return the largest spread of any score, for each beta, and complete or half missing data.

    It is the largest of D1 to D4, of rows and of columns, as a share of how much scores differ: of
    their standard deviation.
    """
    largest = {}
    for beta in BETAS:
        for kind, missing in (("complete", 0.0), ("half missing", MISSING)):
            shares = []
            for name in ("D1", "D2", "D3", "D4"):
                found = _extract(_data(name, missing, seed), beta, N_OTHERS, seed)
                assert found.row_spread is not None
                assert found.column_spread is not None
                shares.append(
                    (
                        found.row_spread.max() / found.row.std(),
                        found.column_spread.max() / found.column.std(),
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
    """Say whether starts matter."""
    found, table = many_starts(seed), spreads(seed)
    most = max(max(pair) for pair in table.values())
    scale = float((found.raw_spread / found.raw_mean).max())
    return Section(
        "Random starts of NMF",
        "NMF is sensitive to its start, so the mean of 100 runs is cut.",
        float(np.mean([max(pair) > VISIBLE for pair in table.values()])),
        f"With Kullback-Leibler loss the spread over {N_STARTS} starts is {found.spread.max():.0e} "
        f"of the mean score: rounding. Over all losses tried, also with half of the entries "
        f"missing, it is at most {most:.0e} of how much scores differ.",
        [
            "The objective that the paper states has a closed form of rank one, the row and column "
            "sums, which one update reaches from every start: no spread is left but that of the "
            f"*scale* of each run ({scale:.1%} here), if vectors are not normalised before they "
            "are averaged. A grey area as in the paper's figure could be this. It moves all scores "
            "alike, and no cluster.",
            Picture(
                "starts",
                draw_starts(found),
                "Mean and spread of NMF over 100 starts, normalised and as they are",
            ),
            f"The largest spread of any score of rows / columns over {N_OTHERS} starts, as a share "
            f"of the standard deviation of the scores; the largest of D1 to D4, s = "
            f"{NOISE_LEVEL:g}. For beta from 0 to 1 the problem is convex in the logarithms of the "
            "factors, with missing entries too, so that no start can matter. For larger beta "
            "nothing rules it out when entries are missing; on these data it "
            f"{'does not happen' if most < VISIBLE else 'happens'}.",
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
