"""Attack every vector method with degenerate matrices.

Zero, constant and rank-one matrices, single rows and columns, duplicates, missing entries, extreme
magnitudes and sparse kinds must give finite vectors of the right length, or a ValueError of one
sentence, within a bound of process time. Only warnings of this package's own kinds may be shown.
Where a method is deterministic and the matrix is generic, permuting the rows permutes the result.
"""

from __future__ import annotations

import time
import warnings
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.exceptions import ConvergenceWarning

from attacks.other_cuts import assert_one_sentence
from rankone.typing import FloatArray
from rankone.vectors import (
    CCOT,
    CCOTGW,
    NMF,
    SVD,
    DisconnectedGraphWarning,
    Fiedler,
    IncomparableScoresWarning,
    Marginal,
    PageRank,
    VectorMethod,
    Vectors,
)

#: Seconds of process time that a case may take.
TIME_BOUND = 20.0

OUR_WARNINGS = (ConvergenceWarning, DisconnectedGraphWarning, IncomparableScoresWarning)


def attack(rng: np.random.Generator) -> None:
    """Extract the vectors of one matrix with one method."""
    method = random_method(rng)
    dense, generic = random_matrix(rng)
    matrix = random_kind(dense, rng)
    case = f"{method!r} of {type(matrix).__name__}({dense.tolist()})"
    began = time.process_time()
    vectors = _extract(method, matrix, case)
    taken = time.process_time() - began
    assert taken < TIME_BOUND, f"{taken:.0f} seconds for {case}"
    if vectors is None:
        return
    assert vectors.row.shape == (dense.shape[0],), f"the length of row from {case}"
    assert vectors.column.shape == (dense.shape[1],), f"the length of column from {case}"
    finite = np.isfinite(vectors.row).all() and np.isfinite(vectors.column).all()
    assert finite, f"an infinite score from {case}"
    # The plans of CCOTGW are stationary points, of which there may be several; a graph in which
    # all of few rows are neighbours has an eigenvalue of many vectors.
    complete = getattr(method, "similarity", "") == "knn"
    identifiable = generic and not complete and not isinstance(method, CCOTGW)
    if identifiable and vectors.converged and not method.capabilities.joint:
        _compare_permuted(method, dense, vectors, case, rng)


def _extract(method: VectorMethod, matrix: Any, case: str) -> Vectors | None:
    """Return the vectors, or None if the matrix was refused in one sentence."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for kind in OUR_WARNINGS:
            warnings.simplefilter("ignore", kind)
        try:
            return method.extract(matrix)
        except ValueError as error:
            assert_one_sentence(error, case)
            return None
        except Exception as error:
            raise AssertionError(f"{error!r} from {case}") from error


def _compare_permuted(
    method: VectorMethod, dense: FloatArray, vectors: Vectors, case: str, rng: np.random.Generator
) -> None:
    order = rng.permutation(dense.shape[0])
    permuted = _extract(method, dense[order], case)
    assert permuted is not None, f"refused when its rows are permuted: {case}"
    if not permuted.converged:
        return
    pairs = ((vectors.row[order], permuted.row), (vectors.column, permuted.column))
    for ours, theirs in pairs:
        near = np.allclose(ours, theirs, rtol=1e-4, atol=1e-4 * np.abs(ours).max())
        assert near, f"the order of rows changes {case}"


def random_method(rng: np.random.Generator) -> VectorMethod:
    """Return a method with one of its variants of parameters."""
    epsilon = float(10.0 ** rng.uniform(-4, 2))
    methods: list[VectorMethod] = [
        Marginal(),
        NMF(beta=float(rng.choice([0.0, 0.5, 1.0, 1.5, 2.0]))),
        SVD(),
        PageRank(walk=str(rng.choice(["auto", "two-step"]))),
        Fiedler(str(rng.choice(["rbf", "cosine", "linear", "bipartite", "knn"]))),
        Fiedler(str(rng.choice(["rbf", "linear"])), doubly_stochastic=True),
        CCOT(epsilon=epsilon, metric=str(rng.choice(["euclidean", "sqeuclidean"]))),
        CCOTGW(epsilon=epsilon),
    ]
    return methods[rng.integers(len(methods))]


def random_matrix(rng: np.random.Generator) -> tuple[FloatArray, bool]:
    """Return a matrix, mostly degenerate, and whether it is generic."""
    m, n = (int(x) for x in rng.choice([1, 2, 3, 6, 9], 2))
    if rng.random() < 0.4:
        n = m
    a: FloatArray = rng.normal(size=(m, n)) if rng.random() < 0.3 else rng.random((m, n)) + 0.1
    kind = rng.integers(9)
    if kind == 0:
        return a + np.outer(np.arange(m), np.arange(n)), min(m, n) > 2 and bool((a > 0).all())
    if kind == 1:
        a = np.full((m, n), float(rng.choice([0.0, 1.0, -2.0, 1e-50])))
    elif kind == 2:
        a = np.outer(a[:, 0], a[0])
    elif kind == 3:
        a = a[rng.integers(0, m, m)][:, rng.integers(0, n, n)]
    elif kind == 4:
        a = np.where(rng.random((m, n)) < 0.5, np.nan, a)
    elif kind == 5:
        a = a * float(10.0 ** rng.choice([-320, -300, -150, -100, -30, 30, 99, 150, 300, 307]))
    elif kind == 6:
        a = rng.poisson(0.5, (m, n)).astype(float)
    elif kind == 7:
        a = a * 10.0 ** rng.uniform(-30, 30, (m, n))
    else:
        a[:, rng.integers(n)] = 0.0
        a[rng.integers(m)] = 0.0
    return a, False


def random_kind(dense: FloatArray, rng: np.random.Generator) -> Any:
    """Return the matrix as one of the kinds that can be given."""
    kind = rng.integers(6)
    if kind == 0:
        return sp.csr_array(dense)
    if kind == 1:
        return sp.csc_matrix(dense)
    if kind == 2:
        return np.asfortranarray(dense)
    return dense
