"""Values of many magnitudes, against rational arithmetic: right or refused."""

from fractions import Fraction
from itertools import accumulate, pairwise

import numpy as np
import pytest

from rankone.cuts import Potts, SortedPotts, potts_partitions, sorted_potts_path

NEARLY = 1 + Fraction(1, 10**9)


class Exact:
    """The best costs of contiguous pieces of a few weighted numbers, as rational numbers."""

    def __init__(self, u, p, weights=None):
        weights = np.ones(len(u)) if weights is None else weights
        points = [(Fraction(x), Fraction(w)) for x, w in zip(u, weights, strict=True)]
        self.p, self.n = p, len(u)
        self.pieces = {
            (i, j): self._cost(sorted(points[i:j]))
            for i in range(self.n)
            for j in range(i + 1, self.n + 1)
        }
        best = {j: self.pieces[0, j] for j in range(1, self.n + 1)}
        self.best = [best[self.n]]
        for k in range(2, self.n + 1):
            best = {
                j: min(best[i] + self.pieces[i, j] for i in range(k - 1, j))
                for j in range(k, self.n + 1)
            }
            self.best.append(best[self.n])

    def _cost(self, points):
        weight = sum(w for _, w in points)
        level = sum(w * x for x, w in points) / weight
        if self.p == 1:
            running = list(accumulate(w for _, w in points))
            level = next(x for (x, _), w in zip(points, running, strict=True) if 2 * w >= weight)
        return sum(w * abs(x - level) ** self.p for x, w in points)

    def cost(self, breakpoints):
        return sum(self.pieces[i, j] for i, j in pairwise([0, *breakpoints, self.n]))

    def objective(self, lam):
        return min(cost + k * Fraction(lam) for k, cost in enumerate(self.best))


def unpleasant(kind, rng):
    """Return distinct values, ascending, that no double can hold side by side in a sum."""
    n = int(rng.integers(2, 12))
    if kind == "magnitudes":
        span = rng.choice([3, 10, 20, 60])
        u = rng.choice([-1, 1], n) * 10.0 ** rng.uniform(-span, span, n)
    elif kind == "sentinel":
        u = np.round(rng.normal(size=n), 2)
        u[rng.integers(n)] = rng.choice([-1, 1]) * 10.0 ** rng.choice([8, 12, 16, 20, 36])
    elif kind == "offsets":
        u = rng.choice([0.0, 1.0, 1e10], n) + rng.normal(size=n) * 10.0 ** -rng.integers(1, 10, n)
    else:
        u = np.concatenate([1e9 + 1e-6 * rng.normal(size=n), rng.normal(size=3)])
    return np.unique(u)


KINDS = ["magnitudes", "sentinel", "offsets", "far clusters"]


@pytest.mark.parametrize("p", [1, 2])
@pytest.mark.parametrize("kind", KINDS)
def test_sorted_potts_is_exact_on_values_of_many_magnitudes(kind, p):
    rng = np.random.default_rng([p, KINDS.index(kind)])
    for _ in range(40):
        u = unpleasant(kind, rng)
        exact = Exact(u, p)
        path = sorted_potts_path(u, p=p)
        for k in range(1, u.size + 1):
            for part in (SortedPotts(p=p, n_clusters=k).cut(u), path.at(n_clusters=k)):
                breakpoints = np.flatnonzero(np.diff(part.labels)) + 1
                assert exact.cost(breakpoints.tolist()) <= exact.best[k - 1] * NEARLY
        for cost, following in pairwise(exact.best):
            lam = float(cost - following) * rng.choice([0.3, 0.9, 1.2])
            part = SortedPotts(p=p, lam=lam).cut(u)
            breakpoints = np.flatnonzero(np.diff(part.labels)) + 1
            objective = exact.cost(breakpoints.tolist()) + len(breakpoints) * Fraction(lam)
            assert objective <= exact.objective(lam) * NEARLY


@pytest.mark.parametrize("p", [1, 2])
@pytest.mark.parametrize("kind", KINDS)
def test_potts_is_exact_on_values_of_many_magnitudes(kind, p):
    rng = np.random.default_rng([p, KINDS.index(kind)])
    for _ in range(40):
        u = rng.permutation(unpleasant(kind, rng))
        exact = Exact(u, p)
        for k in range(1, u.size + 1):
            part = Potts(p=p, n_clusters=k).cut(u)
            assert exact.cost(part.breakpoints.tolist()) <= exact.best[k - 1] * NEARLY
        for cost, following in pairwise(exact.best):
            lam = float(cost - following) * rng.choice([0.3, 0.9, 1.2])
            part = Potts(p=p, lam=lam).cut(u)
            objective = exact.cost(part.breakpoints.tolist())
            objective += part.breakpoints.size * Fraction(lam)
            assert objective <= exact.objective(lam) * NEARLY


@pytest.mark.parametrize("p", [1, 2])
@pytest.mark.parametrize("spread", [4, 11.9])
def test_cuts_are_exact_for_uneven_weights(p, spread):
    rng = np.random.default_rng([p, int(spread)])
    for _ in range(60):
        u = np.unique(np.round(rng.normal(size=rng.integers(2, 15)), 2))
        w = 10.0 ** rng.uniform(-spread, 0, u.size)
        for make, order in ((SortedPotts, np.arange(u.size)), (Potts, rng.permutation(u.size))):
            exact = Exact(u[order], p, w[order])
            for k in range(1, u.size + 1):
                part = make(p=p, n_clusters=k).cut(u[order], w[order])
                breakpoints = np.flatnonzero(np.diff(part.labels)) + 1
                assert exact.cost(breakpoints.tolist()) <= exact.best[k - 1] * NEARLY
            for cost, following in pairwise(exact.best):
                lam = float(cost - following) * rng.choice([0.3, 0.9, 1.2])
                part = make(p=p, lam=lam).cut(u[order], w[order])
                breakpoints = np.flatnonzero(np.diff(part.labels)) + 1
                objective = exact.cost(breakpoints.tolist()) + len(breakpoints) * Fraction(lam)
                assert objective <= exact.objective(lam) * NEARLY


@pytest.mark.parametrize("p", [1, 2])
def test_a_heavy_point_beside_a_light_one_does_not_decide_by_rounding(p):
    """The cost of a merger is found where it is 1e-12 of what the heavy point costs elsewhere."""
    light, heavy = 2.0**-39, 1.0
    u, w = np.array([0.0, 0.13335603803237275, 2.03]), np.array([light, heavy, heavy])
    critical = Exact(u[:2], p, w[:2]).best[0]
    for change in (1e-11, -1e-11):
        part = Potts(p=p, lam=float(critical) * (1 + change)).cut(u, w)
        assert part.breakpoints.tolist() == ([2] if change > 0 else [1, 2])


@pytest.mark.parametrize("p", [1, 2])
def test_potts_is_exact_for_two_scales_of_weights(p):
    rng = np.random.default_rng(p)
    for _ in range(150):
        n = int(rng.integers(3, 10))
        u = rng.choice([0.0, 1.0, 1e6], n) + rng.normal(size=n) * 10.0 ** -rng.integers(0, 10, n)
        w = rng.choice([1.0, 2.0**-39], n) * (1 + rng.integers(0, 3, n) * 2.0**-52)
        exact = Exact(u, p, w)
        for part in potts_partitions(u, p, max_clusters=n, weights=w):
            fit = exact.cost(part.breakpoints.tolist())
            assert fit <= exact.best[part.n_clusters - 1] * NEARLY
        for cost, following in pairwise(exact.best):
            lam = float(cost - following) * (1 + rng.choice([-1e-11, 0.0, 1e-11]))
            part = Potts(p=p, lam=lam).cut(u, w)
            fit = exact.cost(part.breakpoints.tolist())
            assert fit <= exact.best[part.breakpoints.size] * NEARLY
            assert fit + part.breakpoints.size * Fraction(lam) <= exact.objective(lam) * NEARLY


@pytest.mark.parametrize(
    ("u", "w"),
    [
        (
            [3.0000000000000018, 1.000000000000001, 3.0000000000000014, 0.0, 3.0000000000000018],
            [2.0**-39, 2.0**-39 * (1 + 2.0**-51), 1.0, 2.0**-39, 1.0],
        ),
        (
            [
                999999.8762641435,
                0.938322661565181,
                1.0000003648921265,
                -1e10,
                -1.09e-08,
                -10000000000.000002,
                -1e10,
                -9999999999.999998,
                1.004240706005419,
                1000000.0160588127,
            ],
            [1.0, 1.0, 2.0**-39, 1.0, 2.0**-39, 1.0, 2.0**-39, 1.0, 2.0**-39, 1.0],
        ),
    ],
    ids=["neighbouring doubles", "far apart"],
)
def test_levels_next_to_the_end_of_an_arc_are_not_lost(u, w):  # fmt: skip
    exact = Exact(u, 1, w)
    for part in potts_partitions(u, p=1, max_clusters=len(u), weights=w):
        fit = exact.cost(part.breakpoints.tolist())
        assert fit <= exact.best[part.n_clusters - 1] * NEARLY


@pytest.mark.parametrize("scale", [1e-30, 1e-7, 1e-2, 1.0, 1e3])
@pytest.mark.parametrize("p", [10, 30, 50, 100])
def test_large_powers_are_scaled_before_they_leave_the_range_of_a_double(p, scale):
    u = np.array([1.0, 1.2, 1.1, 5.0, 5.3, 9.0, 9.7])
    part = SortedPotts(p=p, n_clusters=3).cut(u * scale)
    assert part.labels.tolist() == [0, 0, 0, 1, 1, 2, 2]
    assert part.levels == pytest.approx(np.array([1.1, 5.15, 9.35]) * scale, rel=1e-9)


@pytest.mark.parametrize(
    ("p", "u"),
    [
        (100, [0.0, 1.0, 3.0, 1e4]),
        (2, [1e-300, 2e-300, 9e-300, 1e200]),
        (1, [1e-300, 2e-300, 9e-300, 1e300]),
        (2, [1e-250, 5e-250, 6e-250, 2e-249, 1e30]),
    ],
)
def test_costs_that_underflow_are_refused(p, u):
    with pytest.raises(ValueError, match=r"spread so widely.*Cut the parts of u one by one"):
        SortedPotts(p=p, n_clusters=3).cut(u)
    alone = SortedPotts(p=p, lam=0).cut(u)
    assert alone.levels.tolist() == u


@pytest.mark.parametrize(
    "u",
    [
        [1e8, 1e8 + 3e-8, 1e8 + 6e-8, 1e8 + 3e-7, 1e8 + 5e-7],
        [0.0, 1e-7, 3e-7, 1e8, 1e8 + 1e-7, 1e8 + 4e-7],
        [-1e8, -1e8 + 1e-7, 1e-9, 3e-9, 1e8, 1e8 + 2e-7],
        [1e-300, 2e-300, 5e-300, 6e-300, 2e-299],
        [-3e150, 1e150, 1.5e150, 9e150, 9.5e150],
        [5e-324, 1e-323, 5e-323, 1e-322],
        [1.0, 1.0 + 2**-52, 1.0 + 2**-50, 1.0 + 2**-49, 2.0],
        [*np.arange(30) * 1e-25, 1.0],
    ],
)
def test_sorted_potts_is_exact_on_vectors_that_were_once_hard(u):
    exact = Exact(u, 2)
    for k in range(1, len(u) + 1):
        breakpoints = np.flatnonzero(np.diff(SortedPotts(n_clusters=k).cut(u).labels)) + 1
        assert exact.cost(breakpoints.tolist()) <= exact.best[k - 1] * NEARLY


@pytest.mark.parametrize("scale", [1e-300, 1e-160, 1e160, 1e300])
@pytest.mark.parametrize(
    ("make", "p"), [(SortedPotts, 1), (SortedPotts, 2), (SortedPotts, 3), (Potts, 1), (Potts, 2)]
)
def test_the_magnitude_of_values_does_not_matter(make, p, scale):
    """All is as for ordinary values, unless the objective itself is beyond the largest double."""
    u = np.array([1.0, 1.2, 1.1, 5.0, 5.3, 9.0])
    expected = make(p=p, n_clusters=3).cut(u)
    if np.log10(expected.objective) + p * np.log10(scale) > 308:
        with pytest.raises(ValueError, match=r"larger than the largest double.*divide u by"):
            make(p=p, n_clusters=3).cut(u * scale)
        return
    part = make(p=p, n_clusters=3).cut(u * scale)
    assert np.array_equal(part.labels, expected.labels)
    assert part.levels == pytest.approx(expected.levels * scale, rel=1e-12)


def test_extreme_penalties_give_one_cluster_or_all():
    u = np.array([1e300, 2e300, 3e300]) / 1e200
    assert SortedPotts(lam=1e-300).cut(u).n_clusters == 3
    tiny = np.array([1e-300, 2e-300, 3e-300])
    for make in (SortedPotts, Potts):
        assert make(lam=1e-300).cut(tiny).n_clusters == 1
        assert make(lam=0).cut(tiny).n_clusters == 3
        assert make(p=1, lam=1.5e-300).cut(tiny).n_clusters == 1
        assert make(p=1, lam=0.5e-300).cut(tiny).n_clusters == 3


@pytest.mark.parametrize("p", [1, 2])
@pytest.mark.parametrize("sentinel", [-1e20, 1e20])
def test_a_sentinel_changes_nothing_for_the_others(p, sentinel):
    u = np.random.default_rng(0).normal(size=3000)
    lam = 20.0
    for make in (SortedPotts, Potts):
        alone = make(p=p, lam=lam).cut(u)
        part = make(p=p, lam=lam).cut(np.append(u, sentinel))
        assert part.n_clusters == alone.n_clusters + 1
        assert part.objective == pytest.approx(alone.objective + lam, rel=1e-12)


def test_penalties_are_taken_in_units_of_their_own():
    u = [1.0, 2.0, 5.0, 10.0, 1e170]
    assert SortedPotts(lam=3).cut(u).objective == 9.5
    with pytest.raises(ValueError, match=r"lam = 3 is too small for values that are spread so"):
        Potts(lam=3).cut(u)
    with pytest.raises(ValueError, match="The cost of 3 pieces is too small for values"):
        Potts(n_clusters=3).cut([1e-300, 2e-300, 5e-300, 1e140])


def test_objectives_of_extreme_weights_are_in_range():
    for make in (SortedPotts, Potts):
        assert make(n_clusters=1).cut([0, 1e-200], [1e300, 1e300]).objective == pytest.approx(
            5e-101
        )
        assert make(n_clusters=1).cut([0, 1e200], [1e-300, 1e-300]).objective == pytest.approx(5e99)
    with pytest.raises(ValueError, match="weights add up to more than the largest double"):
        SortedPotts(p=1, n_clusters=2).cut([0, 0, 1, 3], [1.7e308] * 4)


def test_the_closer_pair_is_merged_among_many():
    """An almost straight edge of the hull: f falls by 1/2, and once by a little less."""
    n = 10**5
    x = np.repeat(4.0 * np.arange(n), 2)
    x[1::2] += 1.0
    x[2 * (n // 3) + 1] -= 1e-6
    part = SortedPotts(n_clusters=2 * n - 1).cut(x)
    assert part.objective == pytest.approx(0.5 * (1 - 1e-6) ** 2, rel=1e-9)


def test_what_rounding_would_decide_is_refused():
    """An even grid with one close pair, so long that no cut of it is certain."""
    u = np.append(np.arange(1_500_000.0), 1e-4)
    with pytest.raises(ValueError, match=r"lost in rounding\. Cut the parts of u one by one"):
        SortedPotts(lam=1e-6).cut(u)
    u = np.cumsum(np.where(np.arange(20_000) % 7, 1e-6, 1.0))
    with pytest.raises(ValueError, match=r"lost in rounding\. Cut the parts of u one by one"):
        Potts(lam=1e-4).cut(u)


def test_heavy_weights_do_not_magnify_the_rounding_of_tiny_squares():
    u, weights = np.array([2.980029986015007e-162, -8.047754197771711e-163]), np.full(2, 1e150)
    part = SortedPotts(n_clusters=1).cut(u, weights)
    half = Fraction(u[0]) - Fraction(u[1])
    assert part.objective == pytest.approx(float(half**2 / 2 * Fraction(1e150)), rel=1e-12)
