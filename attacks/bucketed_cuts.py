"""Sorted cuts of a few values in a few buckets, compared with rational arithmetic.

The cases and failures are those of ``sorted_cuts``. Buckets are meant for large vectors: here, two
to 64 of them are used for up to twelve values, however many values are then looked at one by one.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from attacks import sorted_cuts
from rankone.cuts import bucketed_values, buckets, curve

#: Settings by which buckets are used whether they pay or not.
ALWAYS = {"FEWEST": 4, "FEWEST_ABSOLUTE": 4, "FEWEST_PATH": 4, "_CLUSTERS": 0.5} | {
    "_LEAST_WIDTH": 2.0**-5
}
ANY_VALUES = {"PER_BUCKET": 1, "_GATHERED": 2.0, "_IN_TAILS": 1.0, "_DISTINCT": 0.0}


def attack(rng: np.random.Generator) -> None:
    """Draw a vector and a number of buckets, and cut it in all ways."""
    n_buckets = int(rng.choice([2, 3, 5, 16, 64]))
    with (
        settings(bucketed_values, **ALWAYS),
        settings(buckets, MOST_BUCKETS=n_buckets, **ANY_VALUES),
        settings(curve, _PATIENCE=1e9),  # the dynamic program would sort
    ):
        sorted_cuts.attack(rng)


@contextmanager
def settings(module: Any, **values: float) -> Iterator[None]:
    """Change constants of a module for a while."""
    before = {name: getattr(module, name) for name in values}
    for name, value in values.items():
        setattr(module, name, value)
    try:
        yield
    finally:
        for name, value in before.items():
            setattr(module, name, value)
