"""Random matrices for attacks: with blocks, and degenerate ones."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

from rankone.typing import FloatArray

Random = np.random.Generator


def blocks(rng: Random, least: int = 10, most: int = 80) -> FloatArray:
    """Return a matrix with blocks of real numbers or counts, some with missing entries."""
    m, n = (int(size) for size in rng.integers(least, most + 1, 2))
    k, number = (int(size) for size in rng.integers(1, 5, 2))
    rows, columns = rng.integers(0, k, m), rng.integers(0, number, n)
    if rng.random() < 0.4:
        rates = rng.gamma(2.0, rng.choice([0.3, 1.0, 3.0]), (k, number))
        margins = np.outer(rng.lognormal(0, 0.4, m), rng.lognormal(0, 0.4, n))
        a = rng.poisson(rates[rows][:, columns] * margins).astype(float)
    else:
        means = 2.0 * rng.normal(size=(k, number))
        a = means[rows][:, columns] + rng.choice([0.3, 1.0, 2.0]) * rng.normal(size=(m, n))
        a = np.abs(a) if rng.random() < 0.3 else a
    if rng.random() < 0.3:
        a[rng.random((m, n)) < rng.uniform(0.05, 0.5)] = np.nan
        a[np.isnan(a).all(axis=1)] = 0.0
        a[:, np.isnan(a).all(axis=0)] = 0.0
    return a


def degenerate(rng: Random) -> FloatArray:
    """Return a matrix in which much is equal, zero, missing, tiny or huge."""
    m, n = (int(size) for size in rng.integers(1, 13, 2))
    kinds: dict[str, FloatArray] = {
        "constant": np.full((m, n), float(rng.choice([0.0, 1.0, -2.5, 0.1]))),
        "binary": (rng.random((m, n)) < rng.uniform(0.05, 0.95)).astype(float),
        "rank one": np.outer(rng.uniform(0, 3, m), rng.uniform(0, 3, n)),
        "rank one counts": np.outer(rng.integers(0, 4, m), rng.integers(0, 4, n)).astype(float),
        "few values": rng.choice([0.1, 0.2, 0.3], (m, n)),
        "one entry": np.where(np.arange(m * n).reshape(m, n) == rng.integers(m * n), 7.0, 0.0),
        "identity": np.eye(m, n),
        "equal rows": np.repeat(rng.normal(size=(1, n)), m, axis=0),
        "outlier": rng.normal(size=(m, n)) + np.where(rng.random((m, n)) < 0.05, 1e6, 0.0),
        "wide": rng.normal(size=(m, n)) * 10.0 ** rng.uniform(-30, 30, (m, n)),
        "offset": 1e9 + rng.normal(size=(m, n)),
    }
    a = kinds[str(rng.choice(list(kinds)))] * float(rng.choice([1.0, 1.0, 1.0, 1e-60, 1e60, -1.0]))
    if rng.random() < 0.25:
        a[rng.random((m, n)) < rng.uniform(0.0, 0.8)] = np.nan
    return a + 0.0


def guise(rng: Random, a: FloatArray) -> Any:
    """Return a matrix as it is, in another memory layout, or, if nothing is missing, sparse."""
    layouts: list[Any] = [np.ascontiguousarray, np.asfortranarray, np.ascontiguousarray]
    if not np.isnan(a).any():
        layouts += [sp.csr_array, sp.csc_array]
    return layouts[int(rng.integers(len(layouts)))](a)
