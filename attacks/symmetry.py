"""Permuted and transposed matrices have permuted and transposed clusters.

A matrix with blocks (real numbers, counts, missing entries; dense or sparse) is fitted as it is,
with its rows and columns in another order, and transposed. It is a failure if labels differ by more
than the numbers of clusters, or if the criterion differs by more than rounding.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from attacks._matrices import Random, blocks, guise
from rankone import RankOneCoclustering
from rankone.typing import IntArray


def attack(rng: Random) -> None:
    """Fit one random matrix in three orders."""
    a = blocks(rng)
    parameters = _parameters(rng)
    i, j = rng.permutation(a.shape[0]), rng.permutation(a.shape[1])
    expected = _fit(guise(rng, a), parameters)
    moved = _fit(guise(rng, a[i][:, j]), parameters)
    turned = _fit(guise(rng, a.T), parameters)
    case = f"{parameters} on {a.shape}"
    if not isinstance(expected, RankOneCoclustering):
        assert type(moved) is type(turned) is type(expected), f"{case}: {expected} in one order"
        return
    rows, columns = expected.row_labels_, expected.column_labels_
    for what, model, labels in (
        ("permutation", moved, (rows[i], columns[j])),
        ("transposition", turned, (columns, rows)),
    ):
        assert isinstance(model, RankOneCoclustering), f"{case}: {what} raised {model}"
        for side, ours in zip(labels, (model.row_labels_, model.column_labels_), strict=True):
            assert _same(side, ours), f"{case}: {what} changed labels from {side} to {ours}"
        one, other = (fit.result_.criterion for fit in (expected, model))
        assert np.isclose(one, other, rtol=1e-7, atol=1e-7), f"{case}: {what}, {one} to {other}"


def _parameters(rng: Random) -> dict[str, Any]:
    return {
        "refine": bool(rng.random() < 0.8),
        "min_cluster_size": int(rng.choice([1, 1, 3])),
        "random_state": int(rng.integers(3)),
        "vectors": str(rng.choice(["auto", "auto", "marginal", "svd"])),
    }


def _fit(a: Any, parameters: dict[str, Any]) -> RankOneCoclustering | ValueError:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        try:
            model: RankOneCoclustering = RankOneCoclustering(**parameters).fit(a)
            return model
        except ValueError as error:
            return error


def _same(one: IntArray, other: IntArray) -> bool:
    """Say whether labels are the same up to the numbers of clusters."""
    pairs = np.unique(np.column_stack([one, other]), axis=0)
    return bool(pairs.shape[0] == np.unique(one).size == np.unique(other).size)
