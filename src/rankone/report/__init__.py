"""Interactive report: a single HTML file in which to explore the clusters.

The file works offline in any browser. The number of clusters of each side can be changed along the
tree through the clusters or, if these are cuts of scores, along the exact path of the cuts; all
views follow immediately.
"""

from __future__ import annotations

import html
import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rankone import __version__
from rankone._atomic import replacing
from rankone.checks import briefly
from rankone.errors import InputError, Setting
from rankone.matrix import Matrix
from rankone.report.page import render_page
from rankone.report.payload import ReportSide, build_payload
from rankone.result import Result, Side
from rankone.versions import versions

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
    original: Matrix | None = None,
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
        The matrix that was clustered: prepared, if the learner prepares it.
    original : Matrix, optional
        The matrix before its preparation.
    title : str
        The title of the page.
    row_names, column_names : sequence of str, optional
        The names of the rows and columns; numbers from 1 by default.

    Returns
    -------
    Report
    """
    if not isinstance(title, str):
        raise InputError(
            "{title} must be a string, but it is {value}",
            title=Setting("title"),
            value=briefly(title),
        )
    result: Result = model.result_
    sides = [
        ReportSide.of(side, result.method, _names(side, names))
        for side, names in zip(result.sides, (row_names, column_names), strict=True)
    ]
    m, n = matrix.shape
    clusters = " x ".join(str(side.n_clusters) for side in result.sides)
    prepared = ""
    if result.preparation:
        prepared = (
            f" Clustered after: {result.preparation}; hover over a cell for its original value."
        )
    return Report(
        render_page(
            build_payload(matrix, sides, original),
            title,
            f"{m} rows x {n} columns in {clusters} clusters.{prepared} "
            f"Written by rankone {__version__}.",
            _provenance(model, matrix),
        )
    )


def _names(side: Side, names: Sequence[str] | None) -> list[str]:
    """Return the names of a side as texts; numbers from 1 by default."""
    size = side.labels.size
    if names is None:
        return [str(i + 1) for i in range(size)]
    if len(names) != size:
        raise InputError(
            f"{{names}} must be {size} names, but there are {len(names)}",
            names=Setting(f"{side.name.removesuffix('s')}_names"),
        )
    return [str(name) for name in names]


def _provenance(model: Any, matrix: Matrix) -> dict[str, str]:
    """Describe how a result was obtained."""
    missing = f"{matrix.n_missing} ({matrix.n_missing / (matrix.shape[0] * matrix.shape[1]):.1%})"
    return {
        "missing entries": missing if matrix.n_missing else "none",
        **model.result_.describe(),
        "parameters": " ".join(str(model).split()),
        "versions": ", ".join(f"{name} {version}" for name, version in versions().items()),
    }
