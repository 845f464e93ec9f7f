"""Benchmarks of Step 1: one function per table."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
import ot
import scipy.sparse as sp
from scipy.sparse.linalg import svds
from sklearn.decomposition import NMF as ScikitLearnNMF
from sklearn.metrics.pairwise import euclidean_distances
from sknetwork.ranking import PageRank as NetworkPageRank

from benchmarks.measure import Row, faster, peak_memory, progress, slower, take_turns
from rankone.typing import FloatArray
from rankone.vectors import CCOT, CCOTGW, NMF, Fiedler, Marginal, PageRank, VectorMethod
from rankone.vectors.transport import TransportVectors

ITERATIONS = 10**5


def dense() -> Iterator[Row]:
    """Compare extraction from a complete dense matrix with its row and column sums."""
    a = np.random.default_rng(0).random((10**4, 10**4))
    for method in (Marginal(), NMF()):
        what = f"{method} of 10000 x 10000"
        progress(what)
        yield slower(
            what, "A.sum(0), A.sum(1)", partial(method.extract, a), partial(_sums, a), "<= 0.8"
        )
    small = a[:2000, :1000].copy()
    theirs = ScikitLearnNMF(
        1, solver="mu", beta_loss="kullback-leibler", init="random", random_state=0
    )
    what = "NMF() of 2000 x 1000"
    progress(what)
    row = NMF().extract(small).row
    w = theirs.fit_transform(small)[:, 0]
    assert np.allclose(row, w / w.mean(), rtol=1e-2)
    ours = partial(NMF().extract, small)
    yield faster(what, "scikit-learn NMF", ours, partial(theirs.fit_transform, small), ">= 300")


def incomplete() -> Iterator[Row]:
    """Measure the factorisation of a matrix with half of its entries missing."""
    a = _half(10**4)
    what = "NMF() of 10000 x 10000, half missing"
    progress(what)
    yield slower(what, "A.sum()", partial(NMF().extract, a), a.sum, "<= 15")
    half = _half(5000)
    ours, quarter = partial(NMF().extract, a), partial(NMF().extract, half)
    yield slower("the same", "of 5000 x 5000", ours, quarter, "")
    for beta in (1.5, 2):
        what = f"NMF(beta={beta}) of 5000 x 5000, half missing"
        progress(what)
        yield slower(what, "A.sum()", partial(NMF(beta=beta).extract, half), half.sum, "")


_SETUP = """
from rankone.vectors import NMF
data = rng.random((6000, 6000))
data[rng.random(data.shape) < {share}] = np.nan
NMF().extract(data[:100])
"""


def memory() -> Iterator[Row]:
    """Measure the peak memory that an extraction allocates."""
    for share, target in ((0.0, "<= 0.05"), (0.5, "<= 0.25")):
        what = f"NMF() of 6000 x 6000, {share:.0%} missing, bytes"
        progress(what)
        peak, size = peak_memory(_SETUP.format(share=share), "NMF().extract(data)")
        yield Row(what, "the matrix", peak, size, peak / size, target)


def sparse() -> Iterator[Row]:
    """Measure sums and eigenvectors of a large sparse matrix."""
    a = _topics(10**6, 10**5, 50)
    size = f"{a.shape[0]:.0e} x {a.shape[1]:.0e} with {a.nnz:.0e} entries"
    for method in (Marginal(), NMF()):
        what = f"{method} of {size}"
        progress(what)
        yield slower(
            what, "A.sum(0), A.sum(1)", partial(method.extract, a), partial(_sums, a), "<= 3"
        )
    yield _fiedler(a, size)


def _fiedler(a: Any, size: str) -> Row:
    """Compare Fiedler with the two leading singular triplets of both scaled matrices."""
    what = f"Fiedler('linear') of {size}"
    progress(what)
    scaled = [_scaled(side) for side in (a, a.T.tocsr())]
    results: dict[str, Any] = {}

    def ours() -> None:
        results["ours"] = Fiedler("linear", tol=1e-10).extract(a)

    def theirs() -> None:
        # A tolerance of 1e-5 for singular values corresponds to 1e-10 for their squares.
        results["theirs"] = [svds(b, k=2, tol=1e-5, random_state=0)[0][:, 0] for b in scaled]

    seconds = take_turns(ours, theirs)
    vectors = results["ours"].row, results["ours"].column
    residuals = [
        max(_residual(b, u) for b, u in zip(scaled, us, strict=True))
        for us in (vectors, results["theirs"])
    ]
    than = f"svds, k = 2 (residuals {residuals[0]:.0e} and {residuals[1]:.0e})"
    return Row(what, than, seconds[0], seconds[1], seconds[0] / seconds[1], "<= 1.2")


def _scaled(a: Any) -> Any:
    degrees = a @ (a.T @ np.ones(a.shape[0]))
    return sp.diags_array(1 / np.sqrt(degrees + degrees.mean())) @ a


def _residual(b: Any, u: FloatArray) -> float:
    image = b @ (b.T @ u)
    return float(np.linalg.norm(image - (u @ image) * u))


def pagerank() -> Iterator[Row]:
    """Compare PageRank of both sides of a large graph, at equal tolerances."""
    rng = np.random.default_rng(0)
    n, edges = 10**6, 10**7
    targets = (n * rng.random(edges) ** 2).astype(np.int32)  # a few pages have many links to them
    graph = sp.csr_array((np.ones(edges), (rng.integers(0, n, edges), targets)), shape=(n, n))
    # A ring gives every page a link, because scikit-network 0.33 treats dangling pages differently.
    graph += sp.csr_array((np.ones(n), (np.arange(n), np.roll(np.arange(n), 1))), shape=(n, n))
    flipped = graph.T.tocsr()
    theirs = NetworkPageRank(n_iter=1000, tol=1e-10)
    what = "PageRank() of 1e+06 nodes and 1e+07 edges"
    progress(what)
    expected = theirs.fit_predict(sp.csr_matrix(graph)) * n
    assert np.allclose(PageRank().extract(graph).column, expected, rtol=1e-4, atol=1e-6)
    sides = sp.csr_matrix(graph), sp.csr_matrix(flipped)

    def both() -> None:
        for side in sides:
            theirs.fit_predict(side)

    yield faster(what, "scikit-network", partial(PageRank().extract, graph), both, ">= 1")


def transport() -> Iterator[Row]:
    """Compare transport plans at equal errors of their marginals."""
    rng = np.random.default_rng(0)
    a = rng.random((500, 500)) + np.kron([[0.7, 0.0], [0.0, 0.5]], np.ones((250, 250)))
    weights, cost = np.full(500, 1 / 500), euclidean_distances(a, a.T)
    for epsilon in (1.0, 0.1):
        ccot = CCOT(epsilon=epsilon, max_iter=ITERATIONS)
        theirs = partial(_sinkhorn_log, weights, cost, epsilon)
        assert np.allclose(_plan(ccot, a), theirs(), atol=1e-8)
        yield _timed(f"CCOT(epsilon={epsilon}) of 500 x 500", ccot, a, "sinkhorn_log", theirs, 3)
    a = rng.random((600, 300)) + np.kron([[0.7, 0.0], [0.0, 0.5]], np.ones((300, 150)))
    for epsilon in (1.0, 0.1, 0.05, 0.01):
        gw = CCOTGW(epsilon=epsilon)
        theirs = partial(_gromov, a, epsilon)
        assert np.allclose(_plan(gw, a), theirs(), atol=1e-8)
        what = f"CCOTGW(epsilon={epsilon}) of 600 x 300"
        yield _timed(what, gw, a, "entropic_gromov_wasserstein", theirs, 2)


def _plan(method: CCOT | CCOTGW, a: FloatArray) -> FloatArray:
    vectors = method.extract(a)
    assert isinstance(vectors, TransportVectors)
    return vectors.plan


def _timed(
    what: str, method: VectorMethod, a: FloatArray, name: str, theirs: Any, target: int
) -> Row:
    progress(what)
    return faster(what, f"POT {name}", partial(method.extract, a), theirs, f">= {target}")


def _sinkhorn_log(weights: FloatArray, cost: FloatArray, epsilon: float) -> Any:
    return ot.bregman.sinkhorn_log(
        weights, weights, cost, epsilon, stopThr=1e-9, numItermax=ITERATIONS, warn=False
    )


def _gromov(a: FloatArray, epsilon: float) -> Any:
    """Compute the similarities too, as `CCOTGW` does."""
    m, n = a.shape
    return ot.gromov.entropic_gromov_wasserstein(
        _gaussian(a),
        _gaussian(a.T),
        np.full(m, 1 / m),
        np.full(n, 1 / n),
        epsilon=epsilon,
        tol=1e-9,
        warn=False,
    )


def _gaussian(a: FloatArray) -> Any:
    distances = euclidean_distances(a)
    width = distances.sum() / (len(a) * (len(a) - 1))
    return np.exp(-((distances / width) ** 2) / 2)


def _sums(a: Any) -> Any:
    return a.sum(0), a.sum(1)


def _half(n: int) -> FloatArray:
    rng = np.random.default_rng(0)
    a = rng.random((n, n))
    a[rng.random((n, n)) < 0.5] = np.nan
    return a


def _topics(m: int, n: int, length: int) -> Any:
    """Return a document-term matrix in which most words of a document are from one half."""
    rng = np.random.default_rng(0)
    half = rng.integers(0, 2, m)
    words = rng.integers(0, n, (m, length), dtype=np.int32)
    from_half = rng.random((m, length)) < 0.6
    words[from_half] = (words // 2 + half[:, None] * (n // 2))[from_half]
    a = sp.csr_array(
        (np.ones(m * length), words.ravel(), np.arange(0, m * length + 1, length)), shape=(m, n)
    )
    a.sum_duplicates()
    return a


TABLES = {
    "Vectors of a complete dense matrix": dense,
    "Vectors of an incomplete matrix": incomplete,
    "Peak memory of vectors": memory,
    "Vectors of a sparse matrix": sparse,
    "PageRank": pagerank,
    "Optimal transport": transport,
}
