"""One draw of one data set: all of its vectors, and the figures derived from them.

Table 1, the bars and the claims use the same draws, so that they can be compared and nothing is
computed twice. The result of a draw is a flat mapping from names to numbers.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import cache

import numpy as np
from sklearn.metrics.cluster import contingency_matrix

from rankone.cuts import SortedPotts, Threshold, gap_threshold, sorted_potts_path
from rankone.datasets import PAPER, Blocks, make_paper
from rankone.matrix import as_matrix
from rankone.metrics import coclustering_error
from rankone.paper.candidates import (
    COUNTING,
    MAX_CLUSTERS,
    OF_NEIGHBOURS,
    OF_VALUES,
    choose_candidate,
)
from rankone.selection import choose, score_noise
from rankone.typing import FloatArray, IntArray
from rankone.vectors import CCOTGW, NMF, Fiedler, Marginal, PageRank, VectorMethod

#: The numbers of one draw, by name.
Figures = dict[str, float]

#: The Step 1 methods of Table 1, followed by those needed for the claims.
VECTORS: dict[str, VectorMethod] = {
    "CCOT-GW": CCOTGW(),
    "NMF": NMF(negative="shift"),
    "Fiedler": Fiedler(),
    "Fiedler DS": Fiedler(doubly_stochastic=True),
    "Marginal": Marginal(),
    "NMF, beta = 2": NMF(beta=2, negative="shift"),
    "PageRank": PageRank(walk="two-step"),
    "NMF, clipped": NMF(),
    "CCOT-GW, barycentre": CCOTGW(epsilon=4, barycenter=10),
}

#: The vectors on which all cuts are compared; that of NMF equals Marginal's up to an affine map.
CUT_VECTORS = ("CCOT-GW", "Fiedler", "Fiedler DS", "Marginal", "NMF, beta = 2", "PageRank")

#: NMF with the paper's number of random starts.
MANY_STARTS = NMF(negative="shift", n_init=100, random_state=0)

#: A mixture of two Gaussians whose means differ by less than this many standard deviations has a
#: single mode.
ONE_MODE = 2.0

IN_ORDER, SHUFFLED = ", blocks in order", ", shuffled"

#: Largest Gaps as its authors run it: the noise of the marginals determines the number of clusters.
GAP_RULE = "Threshold, gap rule"


def draw(data: str, noise: float, seed: int) -> Figures:
    """Draw a data set, extract all vectors, and return the figures derived from them."""
    _compile()
    blocks = make_paper(data, noise, random_state=seed)
    figures = identifiable(blocks, float(np.hypot(PAPER[data].sigma, noise)))
    labels = {}
    for name, method in VECTORS.items():
        start = time.process_time()
        vectors = method.extract(_prepare(name, method, blocks.data))
        figures[f"{name}/seconds"] = time.process_time() - start
        for p in (1, 2):
            labels[name, p] = [cut_by_silhouette(u, p) for u in (vectors.row, vectors.column)]
            for figure, value in agreement(blocks, *labels[name, p]).items():
                figures[f"{name}/SortedPotts l{p}/{figure}"] = value
        if name in CUT_VECTORS:
            for cut, value in all_cuts(vectors.row, blocks.row_labels):
                figures[f"{name}/{cut}"] = value
    figures[f"Marginal/{GAP_RULE}/rows"] = nmi(blocks.row_labels, cut_by_gap_rule(blocks.data))
    figures["NMF equals Marginal"] = float(
        all(
            np.array_equal(by_nmf, by_marginal)
            for p in (1, 2)
            for by_nmf, by_marginal in zip(labels["NMF", p], labels["Marginal", p], strict=True)
        )
    )
    start = time.process_time()
    MANY_STARTS.extract(blocks.data)
    figures["NMF, 100 starts/seconds"] = time.process_time() - start
    return {name: round(value, 6) for name, value in figures.items()}


def cut_by_silhouette(u: FloatArray, p: int) -> IntArray:
    """Cut a vector by sorted Potts into the number of clusters with the largest silhouette."""
    path = sorted_potts_path(u, p, MAX_CLUSTERS)
    return path.at(n_clusters=choose(path, "silhouette").n_clusters).labels


def cut_by_gap_rule(data: FloatArray) -> IntArray:
    """Cut the row means where a gap is too wide for the noise of the entries."""
    vectors = Marginal().extract(data)
    variances, _ = score_noise(as_matrix(data), Marginal(), vectors)
    deviation = float(np.sqrt(np.median(variances)))
    return Threshold(gap_threshold(vectors.row.size, deviation)).cut(vectors.row).labels


def agreement(blocks: Blocks, rows: IntArray, columns: IntArray) -> Figures:
    """Compare labels with the true groups."""
    truth = blocks.row_labels, blocks.column_labels
    right = [
        _count(labels) == _count(true) for labels, true in zip((rows, columns), truth, strict=True)
    ]
    return {
        "rows": nmi(truth[0], rows),
        "columns": nmi(truth[1], columns),
        "error": coclustering_error(*truth, rows, columns),
        "row clusters": float(_count(rows)),
        "right": float(all(right)),
    }


def all_cuts(u: FloatArray, truth: IntArray) -> Iterator[tuple[str, float]]:
    """Yield the NMI of every cut of a vector, with a selected and with the true number."""
    order, number = np.argsort(truth, kind="stable"), _count(truth)
    cases = {cut: (u, truth, partitions(u)) for cut, partitions in OF_VALUES.items()}
    for cut, partitions in OF_NEIGHBOURS.items():
        cases[cut + SHUFFLED] = u, truth, partitions(u)
        cases[cut + IN_ORDER] = u[order], truth[order], partitions(u[order])
    for cut, (vector, groups, candidates) in cases.items():
        yield f"{cut}/rows", nmi(groups, choose_candidate(vector, candidates))
        if cut.startswith(COUNTING):
            given = next(part for part in candidates if part.n_clusters == number)
            yield f"{cut}/number given", nmi(groups, given.labels)
    for p in (1, 2):
        given = SortedPotts(p, n_clusters=number).cut(u)
        yield f"SortedPotts l{p}/number given", nmi(truth, given.labels)


def identifiable(blocks: Blocks, deviation: float) -> Figures:
    """Determine whether all groups of a draw can be identified from its marginals.

    If the expected marginals of two groups differ by less than two standard deviations of a
    marginal, their scores have a single mode, and no cut of the marginals separates them.
    """
    m, n = blocks.data.shape
    rows = blocks.means @ np.bincount(blocks.column_labels, minlength=blocks.means.shape[1]) / n
    columns = blocks.means.T @ np.bincount(blocks.row_labels, minlength=blocks.means.shape[0]) / m
    return {
        "rows identifiable": float(np.diff(np.sort(rows)).min() > ONE_MODE * deviation / n**0.5),
        "columns identifiable": float(
            np.diff(np.sort(columns)).min() > ONE_MODE * deviation / m**0.5
        ),
    }


def nmi(truth: IntArray, labels: IntArray) -> float:
    """Return the mutual information of two partitions, divided by the mean of their entropies.

    This equals scikit-learn's ``normalized_mutual_info_score``, without the input checks, which
    would take most of the time of a draw.

    Examples
    --------
    >>> round(nmi(np.array([0, 0, 1, 1]), np.array([0, 0, 1, 2])), 4)
    0.8
    """
    shares = contingency_matrix(truth, labels) / truth.size
    joint, rows, columns = (_entropy(p) for p in (shares.ravel(), shares.sum(1), shares.sum(0)))
    return 2.0 - 2.0 * joint / (rows + columns) if rows + columns else 1.0


def _entropy(shares: FloatArray) -> float:
    positive = shares[shares > 0]
    return float(-(positive @ np.log(positive)))


def _count(labels: IntArray) -> int:
    return int(np.unique(labels).size)


def _prepare(name: str, method: VectorMethod, data: FloatArray) -> FloatArray:
    """Return entries that a method accepts: unchanged, minus their minimum, or clipped at zero."""
    if name == "NMF, clipped":
        return np.maximum(data, 0.0)
    return data if method.capabilities.negative else data - min(float(data.min()), 0.0)


@cache
def _compile() -> None:
    """Extract all vectors once per process, so that measured times exclude compilation."""
    data = make_paper("D3", 1.0, random_state=0).data[:60, :40]
    for name, method in VECTORS.items():
        method.extract(_prepare(name, method, data))
    MANY_STARTS.extract(data)
