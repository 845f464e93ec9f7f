"""Interactive report: a single HTML file in which to explore the clusters.

The file works offline in any browser. The number of clusters of each side can be changed along the
exact path, and all views follow immediately.
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
from rankone.report.page import render_page
from rankone.report.payload import build_payload, build_side

__all__ = ["Report", "report"]


@dataclass(frozen=True)
class Report:
    """An HTML report, which notebooks display.

    Attributes
    ----------
    html : str
        The page.
    """

    html: str

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the page to a file, which is replaced only once it is complete."""
        with replacing(path) as file:
            file.write(self.html.encode(errors="replace"))

    def _repr_html_(self) -> str:
        """Return the page in a frame, which isolates it from the notebook."""
        return (
            f'<iframe srcdoc="{html.escape(self.html)}" sandbox="allow-scripts allow-downloads" '
            'title="Report of rankone" width="100%" height="760" style="border: 0"></iframe>'
        )

    def __repr__(self) -> str:
        """Return a description with the size of the page."""
        return f"Report({len(self.html) / 1e6:.2g} MB)"


def report(
    model: Any,
    matrix: Matrix,
    *,
    title: str = "Clusters of rows and columns",
    row_names: Sequence[str] | None = None,
    column_names: Sequence[str] | None = None,
) -> Report:
    """Create the report of a fitted co-clustering.

    Parameters
    ----------
    model : RankOneCoclustering
        The fitted learner.
    matrix : Matrix
        The matrix that the learner was fitted to.
    title : str
        The title of the page.
    row_names, column_names : sequence of str, optional
        The names of the rows and columns; numbers from 1 by default.

    Returns
    -------
    Report
    """
    if not isinstance(title, str):
        raise ValueError(f"title must be a string, but it is {briefly(title)}.")
    for size, names, side in zip(
        matrix.shape, (row_names, column_names), ("row", "column"), strict=True
    ):
        if names is not None and len(names) != size:
            raise ValueError(f"{side}_names must be {size} names, but there are {len(names)}.")
    names_of_sides = [
        [str(i + 1) for i in range(size)] if names is None else [str(name) for name in names]
        for size, names in zip(matrix.shape, (row_names, column_names), strict=True)
    ]
    sides = (
        build_side(model, "row_", names_of_sides[0]),
        build_side(model, "column_", names_of_sides[1]),
    )
    m, n = matrix.shape
    clusters = f"{model.n_row_clusters_} x {model.n_column_clusters_} clusters"
    return Report(
        render_page(
            build_payload(matrix, sides),
            title,
            f"{m} rows x {n} columns in {clusters}. Written by rankone {__version__}.",
            _provenance(model, matrix),
        )
    )


def _provenance(model: Any, matrix: Matrix) -> dict[str, str]:
    """Describe how a result was obtained."""
    learned = model._learned
    missing = f"{matrix.n_missing} ({matrix.n_missing / (matrix.shape[0] * matrix.shape[1]):.1%})"
    facts = {"missing entries": missing if matrix.n_missing else "none"}
    for side, scores, partition, choice in zip(
        ("rows", "columns"), learned.scores, learned.partitions, learned.choices, strict=True
    ):
        chosen = "given" if choice is None else f"selected by {choice.selection}"
        state = "" if scores.converged else ", not converged"
        facts[f"scores of {side}"] = f"{scores.method}{state}"
        noun = "cluster" if partition.n_clusters == 1 else "clusters"
        facts[f"cut of {side}"] = f"{partition.n_clusters} {noun}, {chosen}"
    blocks = learned.blocks
    if learned.refined:
        state = "converged" if blocks.converged else "not converged"
        facts["refinement"] = f"{blocks.loss} blocks, {blocks.n_iter} sweeps, {state}"
        facts["objective"] = f"integrated classification likelihood {blocks.criterion:.6g}"
    else:
        facts["refinement"] = "none"
    facts["parameters"] = " ".join(str(model).split())
    facts["versions"] = ", ".join(
        [f"rankone {__version__}", f"Python {platform.python_version()}"]
        + [f"{name} {version(name)}" for name in ("numpy", "scipy", "scikit-learn", "numba")]
    )
    return facts
