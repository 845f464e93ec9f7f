"""What was done and found, as data: the summary that says how everything was got."""

from __future__ import annotations

import platform
from argparse import Namespace
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any

import numpy as np
import scipy.sparse as sp

from rankone import RankOneCoclustering, __version__
from rankone.io import Table
from rankone.matrix import Matrix
from rankone.typing import FloatArray, IntArray

#: How many members of a cluster are named.
TYPICAL = 5


def summary_of(
    arguments: Namespace,
    table: Table,
    matrix: Matrix,
    model: RankOneCoclustering,
    seconds: float,
) -> dict[str, Any]:
    """Return all that a reader needs to understand a result, and to get it again."""
    learned = model._learned
    return {
        "input": {
            "file": arguments.matrix,
            **table.how,
            "shape": list(table.values.shape),
            "sparse": sp.issparse(table.values),
            "missing": matrix.n_missing,
        },
        "before the fit": {"log": arguments.log, "standardise": arguments.standardise},
        "parameters": {
            name: value if isinstance(value, (int, float, str, type(None))) else str(value)
            for name, value in model.get_params(deep=False).items()
        },
        "result": {
            "n_row_clusters": model.n_row_clusters_,
            "n_column_clusters": model.n_column_clusters_,
            "block_values": model.block_values_,
            "loss": model.loss_,
            "refined": learned.refined,
            "criterion": learned.blocks.criterion,
            "converged": model.converged_,
            "sweeps": model.n_iter_,
        },
        "scores": {
            side: {
                "method": str(scores.method),
                "converged": scores.converged,
                "clusters before refinement": partition.n_clusters,
                "selection": None if choice is None else choice.selection,
                "criterion by number of clusters": None if choice is None else choice.criterion,
            }
            for side, scores, partition, choice in zip(
                ("rows", "columns"),
                learned.scores,
                learned.partitions,
                learned.choices,
                strict=True,
            )
        },
        "clusters": {
            "rows": _clusters(
                table.names(0), model.row_labels_, model.row_vector_, model.row_confidence_
            ),
            "columns": _clusters(
                table.names(1), model.column_labels_, model.column_vector_, model.column_confidence_
            ),
        },
        "seconds": round(seconds, 3),
        "made": datetime.now(UTC).isoformat(timespec="seconds"),
        "versions": {
            "rankone": __version__,
            "python": platform.python_version(),
            **{name: version(name) for name in ("numpy", "scipy", "scikit-learn", "numba")},
        },
    }


def _clusters(
    names: Sequence[str], labels: IntArray, scores: FloatArray, confidence: FloatArray
) -> list[dict[str, Any]]:
    """Return the size and the mean score of each cluster, and who is most surely in it."""
    found = []
    for label in range(int(labels.max()) + 1):
        members = np.flatnonzero(labels == label)
        level = float(scores[members].mean())
        order = np.lexsort((np.abs(scores[members] - level), -confidence[members].round(6)))
        found.append(
            {
                "label": label,
                "size": members.size,
                "mean score": level,
                "for example": [names[i] for i in members[order[:TYPICAL]]],
            }
        )
    return found
