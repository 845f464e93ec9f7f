"""Attack every other cut with extreme vectors: denormals, 1e300, offsets, ties, wide weights.

A cut must give a partition that its own `Partition.check` confirms, or raise a ValueError of one
sentence; no other exception, and no warning, may come out of it. Silhouettes must lie between -1
and 1. Cuts with a known answer are compared with it.
"""

from __future__ import annotations

import warnings
from itertools import pairwise

import numpy as np

from rankone.cuts import (
    Cut,
    LargestGaps,
    Multiscale,
    Partition,
    Quantiles,
    Sign,
    Threshold,
    TotalVariation,
)
from rankone.selection import silhouette
from rankone.typing import FloatArray


def attack(rng: np.random.Generator) -> None:
    """Cut one extreme vector with one random cut."""
    u, weights = extreme_vector(rng), None
    if rng.random() < 0.6:
        weights = extreme_weights(u.size, rng)
    cut = random_cut(u, rng)
    shown = None if weights is None else weights.tolist()
    case = f"{cut!r}, u = {u.tolist()}, weights = {shown}"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            part = cut.cut(u, weights)
        except ValueError as error:
            assert_one_sentence(error, case)
            return
        except Exception as error:
            raise AssertionError(f"{error!r} from {case}") from error
        try:
            _check(part, cut, u, weights)
        except Exception as error:
            raise AssertionError(f"{error!r} from {case}") from error


def _check(part: Partition, cut: Cut, u: FloatArray, weights: FloatArray | None) -> None:
    part.check(u, weights)
    assert part.sizes.sum() == u.size
    seen = u if weights is None else u[weights > 0]
    rounding = 1e-15 * float(np.abs(seen).max())
    low, high = seen.min() - rounding, seen.max()
    assert ((low <= part.levels) & (part.levels - rounding <= high)).all(), (
        "a level is out of range"
    )
    if isinstance(cut, Sign) and part.n_clusters > 1:
        assert np.array_equal(part.labels, u >= 0.0), "the labels are not the signs"
    if isinstance(cut, (LargestGaps, Quantiles)):
        assert part.n_clusters == cut.n_clusters
    if isinstance(cut, (Threshold, LargestGaps)) and weights is None:
        _check_gaps(part, u, cut.eps if isinstance(cut, Threshold) else None)
    if part.boundaries is not None and part.n_clusters > 1:
        _check_silhouette(part, u)


def _check_silhouette(part: Partition, u: FloatArray) -> None:
    try:
        value = silhouette(u, part)
    except ValueError as error:
        assert_one_sentence(error, "silhouette")
        return
    assert -1.0 <= value <= 1.0, "the silhouette is out of range"


def _check_gaps(part: Partition, u: FloatArray, eps: float | None) -> None:
    """Compare the gaps between clusters with those within them."""
    ends = [(float(u[part.labels == c].min()), float(u[part.labels == c].max()))
            for c in range(part.n_clusters)]  # fmt: skip
    with np.errstate(over="ignore"):  # one gap at most is infinite
        between = [float(np.subtract(after[0], before[1])) for before, after in pairwise(ends)]
        gaps = np.sort(np.diff(np.unique(u)))
    if eps is not None:
        assert sum(gaps > eps) == len(between) == sum(gap > eps for gap in between), "wrong gaps"
        return
    assert sorted(between) == gaps[gaps.size - len(between) :].tolist(), "a wider gap was left"


def random_cut(u: FloatArray, rng: np.random.Generator) -> Cut:
    """Return a cut with parameters that suit the vector, mostly."""
    half_range = float(0.5 * u.max() - 0.5 * u.min())
    share = float(10.0 ** rng.uniform(-6, 1))
    kind = rng.integers(7)
    if kind == 0:
        return Sign()
    if kind == 1:
        return Threshold(eps=min(1e308, share * half_range))
    if kind == 2:
        return LargestGaps(n_clusters=int(rng.integers(1, 5)))
    if kind == 3:
        return Quantiles(n_clusters=int(rng.integers(1, 5)))
    if kind == 4:
        return Multiscale(denoise=[None, "linear", "pph"][rng.integers(3)])
    lam = share if rng.random() < 0.3 else min(1e308, share * half_range)
    return TotalVariation(lam=lam)


def extreme_vector(rng: np.random.Generator) -> FloatArray:
    """Return a vector that strains the arithmetic of doubles."""
    n = int(rng.choice([1, 2, 3, 5, 12, 40]))
    kind = rng.integers(8)
    u: FloatArray = rng.normal(size=n)
    if kind == 0:
        u = np.asarray(rng.integers(-3, 4, n) * 5e-324, np.float64)
    elif kind == 1:
        u = u * 10.0 ** rng.choice([300, 307, 154, 150, -150, -154, -162, -300, -308, -320])
    elif kind == 2:
        u = u + rng.choice([1e15, -1e15, 1e9])
    elif kind == 3:
        u = rng.integers(-2, 3, n).astype(np.float64)
    elif kind == 4:
        u = u * 10.0 ** rng.uniform(-320, 307, n)
    elif kind == 5:
        u = rng.choice([1.7e308, -1.7e308, 0.0, 1.0], n)
    elif kind == 6:
        u = np.asarray(1.0 + rng.integers(-2, 3, n) * 2.0**-52, np.float64)
    return np.asarray(u, dtype=np.float64)


def extreme_weights(n: int, rng: np.random.Generator) -> FloatArray:
    """Return weights with zeros, of every magnitude, or as wide as they may be."""
    w: FloatArray = np.exp(rng.uniform(-27.0, 0.0, n))
    if rng.random() < 0.5:
        w = np.asarray(rng.integers(0, 3, n), np.float64)
        w[rng.integers(n)] = 1.0
    return w * float(10.0 ** rng.choice([0, 0, 0, 290, -290, -150, 150]))


def assert_one_sentence(error: ValueError, case: str) -> None:
    """Assert that a message is one line that ends as a sentence does."""
    message = str(error)
    good = message.endswith(".") and "\n" not in message and len(message) < 400
    assert good, f"the message {message!r} from {case}"
