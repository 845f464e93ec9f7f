"""Sorted cuts of a few values, compared with rational arithmetic.

A case is a vector of up to twelve values: ordinary ones, ties, magnitudes far apart, tight
clusters, or near-ties, where two partitions differ by little; mostly with weights, whose ratio may
be as large as the library accepts. It is cut for every number of clusters, alone and along the
path, and for some penalties. A failure is

- a partition into k clusters whose fit exceeds the least one by more than 1e-12 of it,
- a partition for a penalty whose objective exceeds the least one by more than 1e-12 of it, or whose
  fit exceeds the least one with as many clusters by more than 1e-12 of that fit,
- a cost or a penalty of the path that is further from the true one than 1e-9 of the cost.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import accumulate, pairwise

import numpy as np

from rankone.cuts import Partition, SortedPotts, sorted_potts_path
from rankone.typing import FloatArray

#: How much a fit, or an objective, may exceed the least one, as a share of it.
TOLERANCE = Fraction(1, 10**12)

#: How far the costs and the penalties of a path may be from the true ones, as a share of the cost.
REPORTED = Fraction(1, 10**9)

#: The least weight that the library accepts, as a share of the largest.
LEAST_WEIGHT = -40


class ExactCosts:
    """The least costs of all numbers of intervals of values, as rational numbers."""

    def __init__(self, u: FloatArray, weights: FloatArray, p: int) -> None:
        totals: dict[Fraction, Fraction] = {}
        for x, w in zip(u.tolist(), weights.tolist(), strict=True):
            totals[Fraction(x)] = totals.get(Fraction(x), Fraction(0)) + Fraction(w)
        self.points = sorted(totals.items())
        self.p, n = p, len(totals)
        self.pieces = {
            (i, j): self._cost(self.points[i:j]) for i in range(n) for j in range(i + 1, n + 1)
        }
        best = {j: self.pieces[0, j] for j in range(1, n + 1)}
        self.least = [best[n]]
        for k in range(2, n + 1):
            best = {
                j: min(best[i] + self.pieces[i, j] for i in range(k - 1, j))
                for j in range(k, n + 1)
            }
            self.least.append(best[n])

    def _cost(self, points: list[tuple[Fraction, Fraction]]) -> Fraction:
        """Return the cost of one piece, about its mean or its median."""
        weight = sum((w for _, w in points), Fraction(0))
        if self.p == 2:
            level = sum((w * x for x, w in points), Fraction(0)) / weight
        else:
            running = list(accumulate(w for _, w in points))
            level = next(x for (x, _), w in zip(points, running, strict=True) if 2 * w >= weight)
        return sum((w * abs(x - level) ** self.p for x, w in points), Fraction(0))

    def of(self, part: Partition, u: FloatArray) -> Fraction:
        """Return the cost of a partition, whose clusters must be intervals of values."""
        clusters: dict[int, set[Fraction]] = {}
        for x, label in zip(u.tolist(), part.labels.tolist(), strict=True):
            clusters.setdefault(label, set()).add(Fraction(x))
        sizes = [len(clusters[label]) for label in sorted(clusters)]
        ends = [0, *accumulate(sizes)]
        assert ends[-1] == len(self.points), "equal values have different labels"
        return sum((self.pieces[i, j] for i, j in pairwise(ends)), Fraction(0))

    def at_levels(self, part: Partition, u: FloatArray) -> Fraction:
        """Return the cost of a partition about the levels that it reports, which are rounded."""
        levels = dict(zip(u.tolist(), part.signal.tolist(), strict=True))
        return sum(
            (w * abs(x - Fraction(levels[float(x)])) ** self.p for x, w in self.points),
            Fraction(0),
        )


def attack(rng: np.random.Generator) -> None:
    """Cut one random vector in every way."""
    u = _values(rng)
    weights = _weights(rng, u.size)
    for p in (1, 2):
        exact = ExactCosts(u, np.ones(u.size) if weights is None else weights, p)
        case = f"u = {u.tolist()}, weights = {weights if weights is None else weights.tolist()}"
        _attack_numbers(u, weights, p, exact, case)
        _attack_penalties(rng, u, weights, p, exact, case)


def _attack_numbers(
    u: FloatArray, weights: FloatArray | None, p: int, exact: ExactCosts, case: str
) -> None:
    path = sorted_potts_path(u, p=p, weights=weights)
    assert len(path) == len(exact.least), f"path of {len(path)} clusters, p = {p}, {case}"
    following = [*exact.least[1:], Fraction(0)]
    for k, (least, after) in enumerate(zip(exact.least, following, strict=True), start=1):
        alone = SortedPotts(p=p, n_clusters=k).cut(u, weights)
        for how, part in (("alone", alone), ("on the path", path.at(n_clusters=k))):
            fit = exact.of(part, u)
            assert part.n_clusters == k, f"{part.n_clusters} clusters, not {k}, p = {p}, {case}"
            _compare(fit, least, f"fit of {k} clusters {how}, p = {p}, {case}")
        for name, reported, true in (
            ("cost", path.cost[k - 1], least),
            ("penalty", path.lam[k - 1], least - after),
            ("objective", alone.objective, exact.at_levels(alone, u)),
        ):
            wrong = abs(Fraction(float(reported)) - true) > REPORTED * least
            assert not wrong, f"{name} of {k} clusters is {reported}, p = {p}, {case}"


def _attack_penalties(
    rng: np.random.Generator,
    u: FloatArray,
    weights: FloatArray | None,
    p: int,
    exact: ExactCosts,
    case: str,
) -> None:
    for cost, following in pairwise(exact.least):
        lam = float(cost - following) * float(rng.choice([0.3, 0.9, 1.2, 1e3]))
        part = SortedPotts(p=p, lam=lam).cut(u, weights)
        fit = exact.of(part, u)
        objective = fit + (part.n_clusters - 1) * Fraction(lam)
        least = min(cost + k * Fraction(lam) for k, cost in enumerate(exact.least))
        _compare(objective, least, f"objective for lam = {lam}, p = {p}, {case}")
        k = part.n_clusters
        _compare(fit, exact.least[k - 1], f"fit of {k} for lam = {lam}, p = {p}, {case}")


def _compare(cost: Fraction, least: Fraction, what: str) -> None:
    if cost > least * (1 + TOLERANCE):
        excess = float(cost / least - 1) if least else float("inf")
        raise AssertionError(f"{what}: {excess:.3g} above the least")


def _values(rng: np.random.Generator) -> FloatArray:
    """Return a vector of one of several unpleasant kinds."""
    n = int(rng.integers(1, 13))
    kind = rng.integers(7)
    if kind == 0:
        return rng.normal(size=n)
    if kind == 1:
        return rng.integers(-4, 5, n) / float(rng.integers(1, 4))
    if kind == 2:
        span = float(rng.choice([2, 5, 10, 20]))
        return np.asarray(rng.choice([-1.0, 1.0], n) * 10.0 ** rng.uniform(-span, span, n))
    if kind == 3:
        tightness = 10.0 ** -float(rng.integers(1, 10))
        return np.asarray(rng.integers(0, 3, n) + tightness * rng.normal(size=n))
    if kind == 4:
        return _between_clusters(rng, n)
    if kind == 5:
        nudge = 10.0 ** -rng.uniform(3, 14) * rng.integers(-1, 2, n)
        return np.asarray(rng.integers(0, 12, n) + nudge)
    return np.asarray(1e8 * rng.integers(0, 2, n) + np.round(rng.normal(size=n), 2))


def _between_clusters(rng: np.random.Generator, n: int) -> FloatArray:
    """Return values of which some are almost in the middle between two others."""
    u = rng.integers(0, 4, n).astype(np.float64)
    middle = rng.random(n) < 0.3
    offset = rng.choice([-1.0, 1.0], n) * 10.0 ** -rng.uniform(2, 13, n)
    u[middle] += 0.5 + offset[middle]
    return u


def _weights(rng: np.random.Generator, n: int) -> FloatArray | None:
    """Return weights of one of several kinds, or none."""
    kind = rng.integers(5)
    if kind == 0:
        return None
    if kind == 1:
        return rng.integers(1, 5, n).astype(np.float64)
    if kind == 2:
        return np.asarray(2.0 ** rng.uniform(LEAST_WEIGHT, 0, n))
    if kind == 3:
        return np.where(rng.random(n) < 0.5, 1.0, 2.0 ** float(rng.integers(LEAST_WEIGHT, 0)))
    return np.asarray(10.0 ** rng.integers(0, 7, n).astype(np.float64))
