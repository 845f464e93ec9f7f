"""Scaling vectors of transport, against POT and against the claims of the paper."""

import numpy as np
import ot
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy.spatial.distance import cdist, pdist, squareform
from sklearn.exceptions import ConvergenceWarning

from rankone.vectors import CCOT, CCOTGW, Marginal, transport_loss
from rankone.vectors._sinkhorn import scale, scale_kernel


def blocks(rng, m, n):
    rows, columns = np.arange(m) * 2 // m, np.arange(n) * 2 // n
    return rng.normal(np.array([[1.0, 0.5], [0.3, 1.2]])[np.ix_(rows, columns)], 0.5)


def ignore(step, error):
    pass


@pytest.mark.parametrize(
    ("metric", "epsilon"),
    [
        ("euclidean", 10.0),
        ("euclidean", 1.0),
        ("euclidean", 0.2),
        ("sqeuclidean", 50.0),
        ("sqeuclidean", 2.0),
    ],
)
def test_ccot_like_pot(metric, epsilon):
    rng = np.random.default_rng(0)
    a = blocks(rng, 30, 30)
    vectors = CCOT(epsilon=epsilon, metric=metric, max_iter=100000).extract(a)
    cost, weights = cdist(a, a.T, metric), np.full(30, 1 / 30)
    plan = ot.bregman.sinkhorn_log(
        weights, weights, cost, epsilon, numItermax=100000, stopThr=1e-11
    )
    np.testing.assert_allclose(vectors.plan, plan, atol=1e-9)
    u, v = np.exp(vectors.log_row), np.exp(vectors.log_column)
    np.testing.assert_allclose(u[:, None] * np.exp(-cost / epsilon) * v, plan, atol=1e-9)
    np.testing.assert_allclose(vectors.row, u / u.mean(), rtol=1e-9)
    assert vectors.objective == pytest.approx(transport_loss(plan, cost, weights, weights, epsilon))


def test_small_epsilon_is_stable():
    rng = np.random.default_rng(0)
    a = blocks(rng, 25, 25)
    vectors = CCOT(epsilon=0.02, max_iter=100000, tol=1e-6).extract(a)
    cost, weights = cdist(a, a.T), np.full(25, 1 / 25)
    assert np.abs(vectors.plan.sum(1) - 1 / 25).sum() < 1e-6
    assert np.abs(vectors.plan.sum(0) - 1 / 25).sum() < 1e-6
    assert np.isfinite(vectors.log_row).all()
    assert np.isfinite(vectors.row).all()
    # Close to what no plan can undercut: unregularised transport.
    cheapest = ot.emd2(weights, weights, cost)
    paid = (cost * vectors.plan).sum()
    assert cheapest - 1e-4 <= paid <= cheapest + 0.02 * np.log(25)


@pytest.mark.parametrize("max_iter", range(1, 40))
def test_what_is_returned_belongs_together_wherever_it_stops(max_iter):
    rng = np.random.default_rng(0)
    cost, a = 300.0 * rng.uniform(size=(8, 8)), np.full(8, 1 / 8)
    scaling = scale(-cost, a, a, 1e-12, max_iter, ignore)
    plan = np.exp(scaling.log_u[:, None] + scaling.log_v - cost)
    np.testing.assert_allclose(plan, scaling.plan, rtol=1e-9, atol=1e-300)
    np.testing.assert_allclose(plan.sum(1), a, rtol=1e-9)
    assert np.abs(plan.sum(0) - a).sum() == pytest.approx(scaling.error, abs=1e-12)


@given(st.integers(1, 9), st.integers(1, 9), st.floats(0.05, 50.0), st.integers(0, 2**32 - 1))
@example(5, 6, 0.059768676757838445, 0)  # the error stays the same for hundreds of iterations
def test_scaled_kernel_has_the_sums(m, n, epsilon, seed):
    rng = np.random.default_rng(seed)
    cost, a, b = rng.uniform(size=(m, n)) * 5, rng.uniform(0.1, 1, m), rng.uniform(0.1, 1, n)
    a, b = a / a.sum(), b / b.sum()
    scaling = scale_kernel(cost, a, b, epsilon, 1e-8, 100000, ignore)
    plan = np.exp(scaling.log_u[:, None] + scaling.log_v - cost / epsilon)
    np.testing.assert_allclose(plan, scaling.plan, rtol=1e-9, atol=1e-300)
    assert np.abs(plan.sum(1) - a).sum() < 1e-7
    assert np.abs(plan.sum(0) - b).sum() < 1e-7


def kernel(a):
    distances = squareform(pdist(a))
    width = pdist(a).mean()
    return np.exp(-(distances**2) / (2 * width**2))


@pytest.mark.parametrize(("m", "n"), [(40, 25), (25, 40)])
@pytest.mark.parametrize("epsilon", [1.0, 0.1, 0.02])
def test_ccot_gw_like_pot(m, n, epsilon):
    rng = np.random.default_rng(0)
    a = blocks(rng, m, n)
    vectors = CCOTGW(epsilon=epsilon).extract(a)
    rows, columns = kernel(a), kernel(a.T)
    p, q = np.full(m, 1 / m), np.full(n, 1 / n)
    plan, log = ot.gromov.entropic_gromov_wasserstein(
        rows, columns, p, q, epsilon=epsilon, log=True, tol=1e-11, max_iter=5000, stopThr=1e-12
    )
    np.testing.assert_allclose(vectors.plan, plan, atol=1e-7 / n)
    expected = log["gw_dist"] + transport_loss(plan, np.zeros((m, n)), p, q, epsilon)
    assert vectors.objective == pytest.approx(float(expected), rel=1e-6)
    # The plan is the Gibbs kernel of its own gradient, scaled by these vectors.
    gradient = 2 * ((rows**2 @ p)[:, None] + columns**2 @ q - 2 * rows @ plan @ columns)
    scaled = np.exp(vectors.log_row[:, None] + vectors.log_column - gradient / epsilon)
    np.testing.assert_allclose(scaled, plan, rtol=1e-4, atol=1e-7 / n)


@pytest.mark.parametrize("epsilon", [0.1, 0.02])
def test_ccot_gw_by_barycenter_is_stationary_in_plans_and_similarities(epsilon):
    rng = np.random.default_rng(0)
    a, k = blocks(rng, 20, 15), 6
    vectors = CCOTGW(epsilon, barycenter=k, max_iter=100000).extract(a)
    assert vectors.converged
    target = np.zeros((k, k))
    for similar, plan, log_scaling, scores in (
        (kernel(a), vectors.row_plan, vectors.log_row, vectors.row),
        (kernel(a.T), vectors.column_plan, vectors.log_column, vectors.column),
    ):
        size = similar.shape[0]
        p, q = np.full(size, 1 / size), np.full(k, 1 / k)
        again = ot.gromov.entropic_gromov_wasserstein(
            similar, vectors.barycenter, p, q, epsilon=epsilon, G0=plan, tol=1e-11, stopThr=1e-12
        )
        np.testing.assert_allclose(plan, again, atol=1e-6 / k)
        np.testing.assert_allclose(scores, np.exp(log_scaling) / np.exp(log_scaling).mean())
        target += k**2 / 2 * plan.T @ similar @ plan
    np.testing.assert_allclose(vectors.barycenter, target, atol=1e-7)
    np.testing.assert_allclose(vectors.plan.sum(1), np.full(20, 1 / 20), atol=1e-8)
    np.testing.assert_allclose(vectors.plan.sum(0), np.full(15, 1 / 15), atol=1e-8)


def test_points_of_the_barycenter_are_told_apart_only_for_small_epsilon():
    a = blocks(np.random.default_rng(0), 20, 15)
    large, small = (CCOTGW(e, barycenter=6, max_iter=100000).extract(a) for e in (4.0, 0.02))
    assert np.ptp(small.barycenter) > 0.1
    assert np.ptp(large.barycenter) < 1e-8
    # A barycentre of equal similarities has a closed form, in sums of similarities.
    rows, columns = kernel(a), kernel(a.T)
    level = (rows.mean() + columns.mean()) / 2
    for similar, scores in ((rows, large.row), (columns, large.column)):
        log_scores = (2 * (similar**2).mean(1) - 4 * level * similar.mean(1)) / 4.0
        np.testing.assert_allclose(scores, np.exp(log_scores) / np.exp(log_scores).mean())


def test_half_the_squared_loss_and_no_factor_two_divide_epsilon_by_four():
    """Iterate as Peyre, Cuturi and Solomon do, with their epsilon of 1."""
    a = blocks(np.random.default_rng(0), 20, 15)
    rows, columns = kernel(a), kernel(a.T)
    plan = np.full((20, 15), 1 / 300)
    for _ in range(100):
        cost = (rows**2).mean(1)[:, None] / 2 + (columns**2).mean(0) / 2 - rows @ plan @ columns
        plan = ot.sinkhorn(np.full(20, 1 / 20), np.full(15, 1 / 15), cost, 1.0, stopThr=1e-14)
    np.testing.assert_allclose(CCOTGW(epsilon=4.0).extract(a).plan, plan, rtol=1e-7)


def test_uniform_cost_with_the_marginals_gives_the_vectors_of_largest_gaps():
    rng = np.random.default_rng(0)
    a = rng.uniform(size=(12, 9))
    rows, columns = a.sum(1) / a.sum(), a.sum(0) / a.sum()
    scaling = scale_kernel(np.ones((12, 9)), rows, columns, 0.7, 1e-13, 1000, ignore)
    marginal = Marginal().extract(a)
    u, v = np.exp(scaling.log_u), np.exp(scaling.log_v)
    np.testing.assert_allclose(u / u.mean(), marginal.row / marginal.row.mean(), rtol=1e-12)
    np.testing.assert_allclose(v / v.mean(), marginal.column / marginal.column.mean(), rtol=1e-12)


def test_ccot_minimises_the_loss():
    rng = np.random.default_rng(0)
    a = blocks(rng, 12, 12)
    vectors = CCOT(epsilon=0.5, tol=1e-11).extract(a)
    cost, w = cdist(a, a.T), np.full(12, 1 / 12)
    least = transport_loss(vectors.plan, cost, w, w, 0.5)
    for _ in range(50):
        other = scale_kernel(rng.uniform(size=(12, 12)) * 9, w, w, 1.0, 1e-12, 100000, ignore).plan
        for step in (1e-3, 0.1, 1.0):  # all plans between the two have the same sums
            plan = (1 - step) * vectors.plan + step * other
            assert transport_loss(plan, cost, w, w, 0.5) > least


def test_first_order_of_the_scaling_vectors_as_epsilon_grows():
    """The kernel becomes (1/u)(1/v)^T mn: epsilon log u tends to the centred row means of M."""
    rng = np.random.default_rng(0)
    a = blocks(rng, 14, 14)
    cost = cdist(a, a.T)
    centred = cost.mean(1) - cost.mean()
    errors = []
    for epsilon in (1e3, 1e4):
        vectors = CCOT(epsilon=epsilon, tol=1e-14).extract(a)
        log_u = epsilon * (vectors.log_row - vectors.log_row.mean())
        errors.append(np.abs(log_u - centred).max() / np.abs(centred).max())
        factor = np.outer(np.exp(-vectors.log_row), np.exp(-vectors.log_column)) / 14**2
        gap = np.abs(factor - np.exp(-cost / epsilon)).max()
        assert gap < 2 * np.ptp(cost) / epsilon
    assert errors[1] < 0.2 * errors[0] < 0.01


def test_loss_by_its_definition():
    rng = np.random.default_rng(0)
    plan, cost = rng.uniform(size=(3, 4)), rng.uniform(size=(3, 4))
    a, b = rng.uniform(size=3), rng.uniform(size=4)
    expected = sum(
        cost[i, j] * plan[i, j]
        + 0.3 * (plan[i, j] * np.log(plan[i, j] / (a[i] * b[j])) - plan[i, j] + a[i] * b[j])
        for i in range(3)
        for j in range(4)
    )
    assert transport_loss(plan, cost, a, b, 0.3) == pytest.approx(expected)


def test_loss_refuses_what_has_none():
    with pytest.raises(ValueError, match=r"their shapes are \(2, 2\) and \(2, 3\)"):
        transport_loss(np.ones((2, 2)), np.ones((2, 3)), np.ones(2), np.ones(2), 1.0)
    with pytest.raises(ValueError, match="must not be negative"):
        transport_loss(-np.ones((1, 1)), np.ones((1, 1)), np.ones(1), np.ones(1), 1.0)


@pytest.mark.parametrize("method", [CCOT(epsilon=0.05, max_iter=2), CCOTGW(0.05, max_iter=2)])
def test_what_is_not_reached_is_said(method):
    rng = np.random.default_rng(0)
    with pytest.warns(ConvergenceWarning, match="still off by"):
        vectors = method.extract(blocks(rng, 20, 20))
    assert not vectors.converged
    assert vectors.marginal_error > method.tol


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("max_iter", [1, 2, 7, 300])
@pytest.mark.parametrize("make", [CCOT, CCOTGW])
def test_max_iter_bounds_the_scalings_of_all_stages_together(make, max_iter, monkeypatch):
    """Neither the costs of CCOTGW nor the larger epsilon of CCOT have iterations of their own."""
    n_scalings = []

    def counted(*arguments, **options):
        scaling = scale(*arguments, **options)
        n_scalings.append(scaling.n_iter)
        return scaling

    for module in ("gromov", "_sinkhorn"):
        monkeypatch.setattr(f"rankone.vectors.{module}.scale", counted)
    a = np.random.default_rng(0).normal(size=(5, 5))
    vectors = make(epsilon=1e-4, max_iter=max_iter).extract(a)
    assert vectors.n_iter == sum(n_scalings) <= max_iter


def test_ccotgw_warns_when_all_iterations_are_spent():
    a = np.random.default_rng(0).normal(size=(6, 5))
    with pytest.warns(
        ConvergenceWarning, match="after 2000 iterations; increase max_iter or epsilon"
    ):
        vectors = CCOTGW(epsilon=1e-4, max_iter=2000).extract(a)
    assert vectors.n_iter == 2000
    assert not vectors.converged


@pytest.mark.parametrize("method", [CCOT(epsilon=1e-6), CCOTGW(epsilon=1e-20)])
def test_costs_that_doubles_cannot_resolve_are_refused(method):
    X = 10.0 ** np.random.default_rng(0).uniform(-25, 25, (6, 6))
    with pytest.raises(ValueError, match=r"times epsilon, too much .*; increase epsilon"):
        method.extract(X)
