"""Simulate the dip of uniform samples, and write the table of quantiles behind its p-values.

``python -m benchmarks.dip_null`` takes some seven minutes on two cores and writes
``src/rankone/selection/_dip_null.py``.

For each sample size, the table holds quantiles of ``sqrt(n) dip`` at equally spaced values of t,
where the p-value is ``exp(-t^2)``: t is nearly linear in ``sqrt(n) dip``. In large samples a
quantile is nearly a quadratic polynomial in ``1 / sqrt(n)``. It is fitted to the simulated
quantiles, replaces them, and continues them to infinitely many values.
"""

from __future__ import annotations

import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

import rankone.selection
from rankone._atomic import replacing
from rankone._kernel import kernel
from rankone.selection._unimodal import closest_unimodal
from rankone.typing import FloatArray

TABLE = Path(rankone.selection.__file__).with_name("_dip_null.py")

#: The sample sizes, and how many samples of each are drawn.
SIZES = {
    **dict.fromkeys([*range(4, 16), 17, 20, 25, 30, 40, 50, 70, 100], 2_000_000),
    **dict.fromkeys([150, 250, 500, 1000], 1_000_000),
    2500: 400_000,
    5000: 200_000,
    10_000: 100_000,
    40_000: 30_000,
}

#: Sizes from this one on are smoothed, and continued to infinity.
LARGE = 250

#: p = exp(-t^2) of the quantiles, from .99 down to .0001.
T = np.linspace(0.1, 3.0, 30)

SEED = 1985
CORES = 2


def main() -> None:
    """Simulate all sizes and write the table."""
    rows = [simulate(n, draws) for n, draws in SIZES.items()]
    with replacing(TABLE) as file:
        file.write(module(np.array([*SIZES, np.inf]), smooth(np.array(rows))).encode())


def simulate(n: int, draws: int, seed: int = SEED) -> FloatArray:
    """Return the quantiles of sqrt(n) dip of uniform samples of n values."""
    started = time.perf_counter()
    generators = np.random.default_rng([seed, n]).spawn(CORES)
    with ThreadPoolExecutor(CORES) as pool:
        dips = list(pool.map(lambda rng: uniform_dips(rng, n, draws // CORES), generators))
    print(f"{n} values: {time.perf_counter() - started:.1f} s", file=sys.stderr, flush=True)
    quantiles: FloatArray = np.quantile(np.concatenate(dips), 1 - np.exp(-(T**2)))
    return quantiles * np.sqrt(n)


@kernel
def uniform_dips(rng, n, draws):
    """Return the dips of uniform samples, sorted by construction: sums of exponential gaps."""
    dips = np.empty(draws)
    values, below = np.empty(n), np.arange(n + 1.0)
    for draw in range(draws):
        value = 0.0
        for i in range(n):
            value += rng.standard_exponential()
            values[i] = value
        dips[draw] = closest_unimodal(values, below)[0] / (2 * n)
    return dips


def smooth(rows: FloatArray) -> FloatArray:
    """Return the rows with those of large sizes smoothed, and a row for infinity."""
    sizes = np.array([*SIZES])
    large = sizes >= LARGE
    draws = np.array([*SIZES.values()])[large]
    powers = np.vander(np.append(sizes[large], np.inf) ** -0.5, 3)
    root = np.sqrt(draws)[:, None]
    fit = np.linalg.lstsq(root * powers[:-1], root * rows[large], rcond=None)[0]
    return np.concatenate([rows[~large], powers @ fit])


def module(sizes: FloatArray, rows: FloatArray) -> str:
    """Return the text of the module that holds the table."""
    return "\n".join(
        [
            '"""Quantiles of the dip of uniform samples, by `python -m benchmarks.dip_null`."""',
            "",
            "import numpy as np",
            "",
            "# fmt: off",
            "#: The numbers of values in a sample, one for each row.",
            *_array("SIZES", [f"{n:g}" if np.isfinite(n) else "np.inf" for n in sizes]),
            "",
            "#: sqrt(-log(p)), one for each column.",
            *_array("T", [f"{t:g}" for t in T]),
            "",
            "#: sqrt(n) dip, row after row.",
            *_array("QUANTILES", [f"{x:.4f}" for x in rows.ravel()], ".reshape(SIZES.size, -1)"),
            "",
        ]
    )


def _array(name: str, numbers: list[str], shape: str = "") -> list[str]:
    """Return the lines that define an array, ten numbers in each."""
    lines = [f"    {', '.join(numbers[i : i + 10])}," for i in range(0, len(numbers), 10)]
    return [f"{name} = np.array([", *lines, f"]){shape}"]


if __name__ == "__main__":
    main()
