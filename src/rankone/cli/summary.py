"""The summary of a fit as data, which records how each result was obtained."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import numpy as np
import scipy.sparse as sp

from rankone import RankOneCoclustering
from rankone.contrasts import SideExplanation
from rankone.io import Table
from rankone.result import Side
from rankone.versions import versions

#: The number of members of a cluster that are named, and of what is high and low in it.
TYPICAL, NAMED = 5, 4


def summary_of(
    arguments: Namespace, table: Table, model: RankOneCoclustering, seconds: float
) -> dict[str, Any]:
    """Return what a reader needs to understand a result, and to reproduce it."""
    result, explanation = model.result_, model.explain(NAMED)
    assert explanation.columns is not None
    return {
        "input": {
            "file": arguments.matrix,
            **table.how,
            "shape": list(table.values.shape),
            "sparse": sp.issparse(table.values),
            "missing": model.matrix_.n_missing,
        },
        "before the fit": {
            "normalise": arguments.normalise,
            "log": arguments.log,
            "standardise": arguments.standardise,
        },
        "parameters": {
            name: value if isinstance(value, (int, float, str, type(None))) else str(value)
            for name, value in model.get_params(deep=False).items()
        },
        "how": result.describe(),
        "result": {
            "n_row_clusters": result.rows.n_clusters,
            "n_column_clusters": result.columns.n_clusters,
            "block_values": result.blocks.values,
            "loss": result.blocks.loss,
            "refined": result.refined,
            "criterion": result.criterion,
            "converged": result.converged,
            "sweeps": result.n_iter,
        },
        "scores": {side.name: _obtained(side) for side in result.sides},
        "clusters": {
            side.name: _clusters(side, table.names(side.request.axis), explained)
            for side, explained in zip(
                result.sides, (explanation.rows, explanation.columns), strict=True
            )
        },
        "seconds": round(seconds, 3),
        "made": datetime.now(UTC).isoformat(timespec="seconds"),
        "versions": {name.lower(): version for name, version in versions().items()},
    }


def _obtained(side: Side) -> dict[str, Any]:
    """Return how the scores of a side were obtained and cut."""
    choice = side.selection
    return {
        "method": str(side.scores.method),
        "converged": side.scores.converged,
        "clusters before refinement": side.partition.n_clusters,
        "selection": None if choice is None else choice.selection,
        "criterion by number of clusters": None if choice is None else choice.criterion,
    }


def _clusters(
    side: Side, names: Sequence[str], explanation: SideExplanation
) -> list[dict[str, Any]]:
    """Return what sets each cluster apart, its size, mean score and most certain members."""
    assert side.confidence is not None
    labels, scores, confidence = side.labels, side.scores.values, side.confidence.round(6)
    clusters = []
    for label, explained in enumerate(explanation.clusters):
        members = np.flatnonzero(labels == label)
        level = float(scores[members].mean())
        distance = np.abs(scores[members] - level)
        distance = (distance / (distance.max() or 1.0)).round(9)  # equal up to rounding is equal
        order = np.lexsort((distance, -confidence[members]))
        clusters.append(
            {
                "label": label,
                "size": members.size,
                "high": {contrast.name: contrast.effect for contrast in explained.high},
                "low": {contrast.name: contrast.effect for contrast in explained.low},
                "in words": explained.words,
                "mean score": level,
                "for example": [names[i] for i in members[order[:TYPICAL]]],
            }
        )
    return clusters
