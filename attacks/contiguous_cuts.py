"""Attack the contiguous cuts with short signals whose optimum is known in rational arithmetic.

`Potts` and `potts_partitions` fail if another partition has a smaller objective, or with as many
pieces a smaller fit, by more than a share of 1e-12; if `Partition.check` disagrees; or if they
raise anything but the ValueError that says what double precision cannot resolve. `TotalVariation`
fails if its result misses the conditions of optimality, which decide for this convex problem.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from attacks._rational import RationalPotts
from rankone.cuts import Partition, Potts, TotalVariation, potts_partitions
from rankone.typing import FloatArray

#: How much worse than the optimum a result may be, relative to the optimum.
NEARLY = 1 + Fraction(1, 10**12)

#: What the refusals of signals that double precision cannot resolve say.
REFUSALS = ("is too small for values that are spread so widely", "larger than the largest double")


def attack(rng: np.random.Generator) -> None:
    """Cut one random signal in one random way, and compare with the optimum."""
    u, weights = signal(rng)
    p = int(rng.integers(1, 3))
    case = f"u = {u.tolist()}, weights = {None if weights is None else weights.tolist()}, p = {p}"
    try:
        if rng.random() < 0.1:
            _attack_total_variation(u, weights, rng)
        else:
            _attack_potts(u, weights, p, rng)
    except ValueError as error:
        if not any(text in str(error) for text in REFUSALS):
            raise AssertionError(f"{error} ({case})") from error
    except AssertionError as error:
        raise AssertionError(f"{error} ({case})") from error


def _attack_potts(
    u: FloatArray, weights: FloatArray | None, p: int, rng: np.random.Generator
) -> None:
    w = np.ones(u.size) if weights is None else weights
    exact = RationalPotts(u, w, p)
    kind = rng.integers(3)
    if kind == 0:
        lam = penalty(exact, rng)
        part = Potts(p=p, lam=lam).cut(u, weights)
        part.check(u, weights)
        k = part.n_clusters - 1
        assert part.breakpoints is not None
        fit = exact.fit(part.breakpoints.tolist())
        objective, best = fit + k * Fraction(lam), exact.objective(lam)
        assert objective <= best * NEARLY, _worse("objective", objective, best, lam)
        assert fit <= exact.best[k] * NEARLY, _worse("fit", fit, exact.best[k], lam)
        return
    most = 1 + int(np.count_nonzero(np.diff(u)))
    if kind == 1:
        parts = [Potts(p=p, n_clusters=int(rng.integers(1, most + 1))).cut(u, weights)]
    else:
        parts = potts_partitions(u, p, max_clusters=most, weights=weights)
        assert [part.n_clusters for part in parts] == list(range(1, most + 1))
    for part in parts:
        part.check(u, weights)
        assert part.breakpoints is not None
        fit, best = exact.fit(part.breakpoints.tolist()), exact.best[part.n_clusters - 1]
        assert fit <= best * NEARLY, _worse("fit", fit, best, part.n_clusters)


def _worse(what: str, value: Fraction, best: Fraction, given: float) -> str:
    share = float(value / best - 1) if best else float("inf")
    return f"the {what} exceeds the optimum by a share of {share:.1e} for {given!r}"


def _attack_total_variation(
    u: FloatArray, weights: FloatArray | None, rng: np.random.Generator
) -> None:
    lam = float(np.ptp(u) * 10.0 ** rng.uniform(-4, 1))
    part = TotalVariation(lam=lam).cut(u, weights)
    part.check(u, weights)
    w = np.ones(u.size) if weights is None else weights
    _certify(part, u, w, lam)


def _certify(part: Partition, u: FloatArray, w: FloatArray, lam: float) -> None:
    """Sum the slopes from the left: between -lam and lam, and there where the signal jumps."""
    signal = part.signal
    dual = np.cumsum(2 * w * (signal - u))
    slack = 1e-9 * lam + 1e-12 * float(w.sum()) * float(np.abs(u).max())
    jumps = np.sign(np.diff(signal))
    assert np.abs(dual).max() <= lam + slack, f"the dual exceeds lam = {lam!r}"
    assert abs(dual[-1]) <= slack, f"the slopes do not sum to zero for lam = {lam!r}"
    assert (np.abs(dual[:-1] - lam * jumps)[jumps != 0] <= slack).all(), f"slopes at lam = {lam!r}"


def penalty(exact: RationalPotts, rng: np.random.Generator) -> float:
    """Return a penalty, mostly near one at which the number of pieces changes."""
    i, j = sorted(rng.integers(0, len(exact.best), 2))
    critical = float((exact.best[i] - exact.best[j]) / max(1, j - i))
    kind = rng.integers(5)
    if kind == 0:
        return critical
    if kind == 1:
        return float(critical * (1 + rng.normal() * 10.0 ** rng.uniform(-16, -6)))
    if kind == 2:
        return float(critical * rng.uniform(0.3, 2))
    if kind == 3:
        return float(exact.best[0]) * float(10.0 ** rng.uniform(-14, 1))
    return float(np.exp(rng.uniform(-30, 30)))


def signal(rng: np.random.Generator) -> tuple[FloatArray, FloatArray | None]:
    """Return a short signal of an unpleasant kind, and its weights."""
    n = int(rng.integers(2, 13))
    kind = rng.integers(7)
    u = rng.normal(size=n)
    if kind == 1:
        u = rng.integers(-3, 4, n) / 2
    elif kind == 2:  # ties but for rounding
        u = rng.integers(0, 4, n) * (1 + rng.integers(-4, 5, n) * 2.0**-52)
    elif kind == 3:  # clusters far apart
        u = rng.choice([0.0, 1.0, 1e6, -1e10], n) + u * 10.0 ** -rng.integers(0, 10, n)
    elif kind == 4:
        u = u * 10.0 ** rng.uniform(-12, 12, n)
    elif kind == 5:  # a staircase with duplicated neighbours
        u = np.repeat(np.round(u, 1), rng.integers(1, 4, n))[:n]
    elif kind == 6:
        u = np.sort(u)
    u = u + rng.choice([0.0, 0.0, 0.0, 1.0, 1e9])
    return u * 10.0 ** rng.choice([0, 0, 0, -9, 9, -100, 100]), _weights(n, rng)


def _weights(n: int, rng: np.random.Generator) -> FloatArray | None:
    kind = rng.integers(5)
    if kind == 0:
        return None
    if kind == 1:
        return rng.integers(1, 4, n).astype(float)
    if kind == 2:
        return np.asarray(10.0 ** rng.uniform(-11.9, 0, n))
    if kind == 3:  # two scales, and near-equal weights within each
        scale = rng.choice([1.0, 2.0**-39], n)
        return np.asarray(scale * (1 + rng.integers(0, 3, n) * 2.0**-52))
    return np.asarray(rng.random(n) + 0.05)
