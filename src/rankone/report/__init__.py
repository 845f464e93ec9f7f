"""A report: one HTML file in which a person sees and explores the clusters.

It opens offline in any browser. The number of clusters of each side can be moved along the exact
path, and everything follows at once.
"""

from __future__ import annotations

import html
import os
import platform
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

from rankone import __version__
from rankone._atomic import replacing
from rankone.checks import briefly
from rankone.matrix import Matrix
from rankone.report.page import page_of
from rankone.report.payload import payload_of, side_of

__all__ = ["Report", "report"]


@dataclass(frozen=True)
class Report:
    """A page, which shows itself in notebooks.

    Attributes
    ----------
    html : str
    """

    html: str

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the page, whole or not at all."""
        with replacing(path) as file:
            file.write(self.html.encode(errors="replace"))

    def _repr_html_(self) -> str:
        """Return a frame of its own for the page, so that notebook and page stay apart."""
        return (
            f'<iframe srcdoc="{html.escape(self.html)}" sandbox="allow-scripts allow-downloads" '
            'title="Report of rankone" width="100%" height="760" style="border: 0"></iframe>'
        )

    def __repr__(self) -> str:
        """Say how large the page is."""
        return f"Report({len(self.html) / 1e6:.2g} MB)"


def report(
    model: Any,
    matrix: Matrix,
    *,
    title: str = "Clusters of rows and columns",
    row_names: Sequence[str] | None = None,
    column_names: Sequence[str] | None = None,
) -> Report:
    """Make the report of a fitted co-clustering.

    Parameters
    ----------
    model : RankOneCoclustering
    matrix : Matrix
        What it was fitted to.
    title : str
    row_names, column_names : sequence of str, optional
        Numbers from 1, if there are none.

    Returns
    -------
    Report
    """
    if not isinstance(title, str):
        raise ValueError(f"title must be a text, but it is {briefly(title)}.")
    for size, names, side in zip(
        matrix.shape, (row_names, column_names), ("row", "column"), strict=True
    ):
        if names is not None and len(names) != size:
            raise ValueError(f"{side}_names must be {size} names, but there are {len(names)}.")
    named = [
        [str(i + 1) for i in range(size)] if names is None else [str(name) for name in names]
        for size, names in zip(matrix.shape, (row_names, column_names), strict=True)
    ]
    sides = side_of(model, "row_", named[0]), side_of(model, "column_", named[1])
    m, n = matrix.shape
    clusters = f"{model.n_row_clusters_} x {model.n_column_clusters_} clusters"
    return Report(
        page_of(
            payload_of(matrix, sides),
            title,
            f"{m} rows x {n} columns in {clusters}. Written by rankone {__version__}.",
            _how(model, matrix),
        )
    )


def _how(model: Any, matrix: Matrix) -> dict[str, str]:
    """Say how a result was got."""
    learned = model._learned
    missing = f"{matrix.n_missing} ({matrix.n_missing / (matrix.shape[0] * matrix.shape[1]):.1%})"
    how = {"missing entries": missing if matrix.n_missing else "none"}
    for side, scores, partition, choice in zip(
        ("rows", "columns"), learned.scores, learned.partitions, learned.choices, strict=True
    ):
        chosen = "given" if choice is None else f"selected by {choice.selection}"
        state = "" if scores.converged else ", not converged"
        how[f"scores of {side}"] = f"{scores.method}{state}"
        how[f"clusters of these scores ({side})"] = f"{partition.n_clusters}, {chosen}"
    blocks = learned.blocks
    if learned.refined:
        state = "converged" if blocks.converged else "not converged"
        how["refinement"] = f"{blocks.loss} blocks, {blocks.n_iter} sweeps, {state}"
        how["objective"] = f"integrated classification likelihood {blocks.criterion:.6g}"
    else:
        how["refinement"] = "none"
    how["parameters"] = " ".join(str(model).split())
    how["versions"] = ", ".join(
        [f"rankone {__version__}", f"Python {platform.python_version()}"]
        + [f"{name} {version(name)}" for name in ("numpy", "scipy", "scikit-learn", "numba")]
    )
    return how
