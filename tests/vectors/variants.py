"""Every method of Step 1, with parameters that matter, and matrices that it accepts."""

import numpy as np
import pytest

from rankone.vectors import CCOT, CCOTGW, NMF, SVD, Fiedler, Marginal, PageRank

VARIANTS = [
    Marginal(),
    NMF(),
    NMF(beta=2),
    NMF(beta=0.5),
    NMF(beta=1.5),
    SVD(),
    PageRank(),
    PageRank(walk="two-step"),
    Fiedler("rbf"),
    Fiedler("rbf", doubly_stochastic=True),
    Fiedler("cosine"),
    Fiedler("linear"),
    Fiedler("linear", doubly_stochastic=True),
    Fiedler("knn", n_neighbors=25),
    Fiedler("bipartite"),
    Fiedler("bipartite", normalization="random-walk", regularization=0),
    Fiedler("precomputed"),
    CCOT(epsilon=10),
    CCOT(epsilon=500, metric="sqeuclidean"),
    CCOTGW(),
    CCOTGW(barycenter=5),
]
IDS = [repr(method) for method in VARIANTS]
every_method = pytest.mark.parametrize("method", VARIANTS, ids=IDS)


def blocks(m, n, seed=0):
    """Return small counts in two blocks of rows and two of columns, and no zero row or column."""
    rng = np.random.default_rng(seed)
    means = np.array([[6.0, 2.0], [1.0, 8.0]])
    rows, columns = np.arange(m) * 2 // m, np.arange(n) * 2 // n
    return rng.poisson(means[np.ix_(rows, columns)]).astype(float) + np.eye(m, n)


def matrix_for(method, m=41, n=37):
    """Return what the method takes: a square, or a symmetric, matrix where it needs one."""
    if not method.capabilities.rectangular:
        n = m
    a = blocks(m, n)
    return a + a.T if getattr(method, "similarity", "") == "precomputed" else a


def same(ours, theirs, rtol=1e-6):
    for a, b in ((ours.row, theirs.row), (ours.column, theirs.column)):
        np.testing.assert_allclose(a, b, rtol=rtol, atol=rtol * np.abs(b).max())
