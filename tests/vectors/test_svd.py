"""The leading singular pair, against LAPACK and a general optimiser."""

import numpy as np
import pytest
from scipy.optimize import minimize

from rankone.vectors import SVD


@pytest.mark.parametrize("shape", [(50, 40), (40, 50), (200, 7), (7, 200)])
def test_like_lapack(shape):
    rng = np.random.default_rng(0)
    a = rng.normal(size=shape) + 2 * np.outer(rng.normal(size=shape[0]), rng.normal(size=shape[1]))
    vectors = SVD().extract(a)
    u, s, vt = np.linalg.svd(a, full_matrices=False)
    sign = np.sign(u[:, 0] @ vectors.row)
    np.testing.assert_allclose(vectors.row, sign * u[:, 0], atol=1e-9)
    np.testing.assert_allclose(vectors.column, sign * vt[0], atol=1e-9)
    assert vectors.singular_value == pytest.approx(s[0])
    assert vectors.objective == pytest.approx((s[1:] ** 2).sum())


def test_missing_like_a_general_optimiser():
    rng = np.random.default_rng(0)
    a = np.outer(rng.normal(size=9), rng.normal(size=8)) + 0.1 * rng.normal(size=(9, 8))
    exists = rng.random(a.shape) < 0.7

    def objective(x):
        return ((a - np.outer(x[:9], x[9:]))[exists] ** 2).sum()

    vectors = SVD().extract(np.where(exists, a, np.nan))
    best = min(minimize(objective, rng.normal(size=17), tol=1e-12).fun for _ in range(10))
    assert vectors.objective == pytest.approx(best, rel=1e-6)
    assert vectors.converged


def test_scores_rise_with_the_sums():
    rng = np.random.default_rng(0)
    a = rng.uniform(1, 2, (20, 15))
    vectors = SVD().extract(a)
    assert (vectors.row > 0).all()
    assert (vectors.column > 0).all()


def test_sets_of_entries_that_share_nothing_are_refused():
    n = np.nan
    with pytest.raises(ValueError, match="fall into 2 sets that share no row and no column"):
        SVD().extract([[1, 2, n, n], [2, 5, n, n], [n, n, 1, 2], [n, n, 2, 4]])
