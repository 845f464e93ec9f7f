"""Fits with random parameters, on degenerate matrices and on such with blocks.

A fit gives a result or refuses with a ValueError of one sentence. It is a failure if anything else
is raised, if NumPy warns, if a fit takes longer than half a minute, or if the result is not what
was promised: labels from 0 on without an empty cluster, as many clusters as were asked for, none
smaller than was allowed, finite scores and values, confidences between 0 and 1, and a label for
each row from `predict`.
"""

from __future__ import annotations

import time
import warnings
from typing import Any

import numpy as np

from attacks._matrices import Random, blocks, degenerate, guise
from rankone import (
    LargestGaps,
    Potts,
    RankOneClustering,
    RankOneCoclustering,
    SortedPotts,
    Threshold,
    TotalVariation,
)
from rankone.methods import VECTORS
from rankone.refinement import LOSSES
from rankone.selection import SELECTIONS
from rankone.typing import IntArray

#: The seconds of work after which a fit hangs; the first ones may have to compile kernels.
LONGEST = 120.0


def attack(rng: Random) -> None:
    """Fit one random matrix by one random learner."""
    a = degenerate(rng) if rng.random() < 0.7 else blocks(rng, 2, 30)
    both = bool(rng.random() < 0.6)
    if both and rng.random() < 0.2 and a.shape[0] == a.shape[1]:
        a = a + a.T
    parameters = _parameters(rng, a, both)
    case = f"{parameters} on {np.array2string(a, threshold=200, precision=17)}"
    start = time.process_time()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            warnings.simplefilter("ignore", UserWarning)
            _check(_learner(both, parameters), guise(rng, a), a.shape, parameters)
    except ValueError as error:
        message = str(error)
        assert message.endswith("."), f"{message!r} is no sentence: {case}"
        assert "\n" not in message, f"{message!r} is more than a sentence: {case}"
        assert "  " not in message, f"{message!r} is no sentence: {case}"
    except Exception as error:
        error.add_note(case)
        raise
    seconds = time.process_time() - start
    assert seconds < LONGEST, f"{seconds:.0f} seconds: {case}"


def _parameters(rng: Random, a: Any, both: bool) -> dict[str, Any]:
    """Return parameters of a learner, mostly those that can be combined."""
    number = int(rng.integers(1, 5)) if rng.random() < 0.5 else None
    parameters: dict[str, Any] = {
        "n_row_clusters" if both else "n_clusters": number,
        "vectors": str(rng.choice(["auto", *VECTORS])) if rng.random() < 0.6 else "auto",
        "cut": _cut(rng, number),
        "selection": str(rng.choice(SELECTIONS)),
        "refine": bool(rng.random() < 0.6),
        "loss": str(rng.choice(LOSSES)),
        "max_clusters": int(rng.choice([1, 2, 5, 20])),
        "min_cluster_size": int(rng.choice([1, 1, 1, 2, 3, 5])),
        "random_state": int(rng.integers(5)),
    }
    if both:
        parameters["symmetric"] = bool(np.array_equal(a, a.T, equal_nan=True))
        if not parameters["symmetric"]:
            needs = number is not None or isinstance(parameters["cut"], Potts | LargestGaps)
            parameters["n_column_clusters"] = int(rng.integers(1, 4)) if needs else None
    return parameters


def _cut(rng: Random, number: int | None) -> Any:
    if rng.random() < 0.5:
        return "sorted-potts"
    if number is not None:
        cuts: list[Any] = [SortedPotts(p=1), SortedPotts(p=1.5)]
        cuts += ["potts", "largest-gaps", "quantiles"]
    else:
        lam = float(10.0 ** rng.uniform(-3, 2))
        cuts = ["sign", "multiscale", Threshold(eps=lam), TotalVariation(lam=lam)]
        cuts += [SortedPotts(lam=lam), SortedPotts(p=1), Potts(lam=lam)]
    return cuts[int(rng.integers(len(cuts)))]


def _learner(both: bool, parameters: dict[str, Any]) -> Any:
    return RankOneCoclustering(**parameters) if both else RankOneClustering(**parameters)


def _check(model: Any, X: Any, shape: tuple[int, int], parameters: dict[str, Any]) -> None:
    """Fit, and compare the result with what was promised."""
    model.fit(X)
    least = parameters["min_cluster_size"]
    if isinstance(model, RankOneCoclustering):
        number = model.n_row_clusters if model.symmetric else model.n_column_clusters
        _check_side(model.row_labels_, model.row_confidence_, shape[0], model.n_row_clusters, least)
        _check_side(model.column_labels_, model.column_confidence_, shape[1], number, least)
        assert model.block_values_.shape == (model.n_row_clusters_, model.n_column_clusters_)
        assert np.isfinite(model.row_vector_).all(), "a row score is not finite"
        assert np.isfinite(model.column_vector_).all(), "a column score is not finite"
    else:
        _check_side(model.labels_, model.confidence_, shape[0], model.n_clusters, least)
        assert np.isfinite(model.vector_).all(), "a score is not finite"
    assert np.isfinite(model.block_values_).all(), "a value of a block is not finite"
    if hasattr(model, "predict"):
        labels = model.predict(X)
        assert labels.shape == (shape[0],), "predict has not one label for each row"
        assert labels.min() >= 0, "predict gave a label below 0"
        assert labels.max() < model.block_values_.shape[0], "predict gave an unknown label"


def _check_side(
    labels: IntArray, confidence: Any, size: int, number: int | None, least: int
) -> None:
    """Compare the labels of one side with what was asked for."""
    assert labels.shape == confidence.shape == (size,), "not one label for each row"
    sizes = np.bincount(labels)
    assert sizes.min() > 0, f"cluster {sizes.argmin()} is empty"
    assert number in (None, sizes.size), f"{sizes.size} clusters, but {number} were asked for"
    assert sizes.size == 1 or sizes.min() >= least, f"sizes {sizes}, but {least} was the least"
    assert np.isfinite(confidence).all(), "a confidence is not finite"
    assert confidence.min() >= 0, "a confidence is negative"
    assert confidence.max() <= 1, "a confidence is above one"
