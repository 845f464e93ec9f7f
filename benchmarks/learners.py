"""Benchmarks of the learners, with and without refinement."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.cluster import KMeans, SpectralCoclustering

from benchmarks.measure import Row, faster, progress, slower
from rankone import RankOneCoclustering
from rankone.datasets import PAPER, make_blocks
from rankone.metrics import error_rate
from rankone.typing import FloatArray, IntArray


def dense() -> Iterator[Row]:
    """Measure complete fits of a dense matrix, including the selection of the numbers."""
    blocks = make_blocks((10**4, 5000), PAPER["D4"].means, sigma=1.0, random_state=0)
    a = blocks.data
    what = "fit of 10000 x 5000, refine=False"
    progress(what)
    plain = RankOneCoclustering(refine=False)
    yield slower(what, "A.sum(0), A.sum(1)", partial(plain.fit, a), partial(_sums, a), "<= 10")
    half = a[:5000]
    yield slower("the same", "of 5000 x 5000", partial(plain.fit, a), partial(plain.fit, half), "")
    what = "fit of 10000 x 5000, refined"
    progress(what)
    refined, peer = RankOneCoclustering(), KMeans(5, n_init=1, random_state=0)
    assert error_rate(blocks.row_labels, refined.fit(a).row_labels_) == 0
    ours = partial(refined.fit, a)
    yield slower(what, "scikit-learn KMeans(5, n_init=1)", ours, partial(peer.fit, a), "<= 0.8")
    yield slower("the same", "of 5000 x 5000", ours, partial(refined.fit, half), "")


def sparse() -> Iterator[Row]:
    """Measure complete fits of sparse counts, including the selection of the numbers."""
    a, rows = sparse_counts(10**5, 2 * 10**4, 10**7, 5)
    peer = SpectralCoclustering(5, random_state=0)
    kept = sp.csr_matrix(a)[:, np.flatnonzero(a.sum(axis=0))]  # it fails on empty columns
    for refine in (False, True):
        what = f"fit of sparse 100000 x 20000, 1e7 entries, refine={refine}"
        progress(what)
        model = RankOneCoclustering(refine=refine)
        row = faster(
            what, "SpectralCoclustering", partial(model.fit, a), partial(peer.fit, kept), ">= 1"
        )
        yield row
    ours, theirs = error_rate(rows, model.row_labels_), error_rate(rows, peer.row_labels_)
    ratio = ours / theirs
    yield Row("its error rate of rows", "SpectralCoclustering's", ours, theirs, ratio, "")


def sparse_counts(m: int, n: int, n_counts: int, k: int) -> tuple[Any, IntArray]:
    """Draw counts with lognormal margins and k groups of rows and of columns."""
    rng = np.random.default_rng(0)
    z, w = rng.integers(0, k, m), rng.integers(0, k, n)
    row_margins, column_margins = rng.lognormal(0, 0.5, m), rng.lognormal(0, 1, n)
    rows = rng.choice(m, n_counts, p=row_margins / row_margins.sum())
    matching = z[rows]
    # The rate in the matching group of columns is five times that in each other group.
    share = 5 / (5 + k - 1)
    different = (matching + rng.integers(1, k, n_counts)) % k
    group = np.where(rng.random(n_counts) < share, matching, different)
    columns = np.empty(n_counts, np.int64)
    for c in range(k):
        members = np.flatnonzero(w == c)
        p = column_margins[members] / column_margins[members].sum()
        columns[group == c] = rng.choice(members, int((group == c).sum()), p=p)
    counts = sp.coo_array((np.ones(n_counts), (rows, columns)), shape=(m, n)).tocsr()
    kept = np.flatnonzero(counts.sum(axis=1))
    return counts[kept], z[kept]


def _sums(a: FloatArray) -> tuple[FloatArray, FloatArray]:
    return a.sum(0), a.sum(1)


TABLES = {
    "Learners, dense": dense,
    "Learners, sparse": sparse,
}
