"""The report of a fitted learner, or of a tree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from rankone.checks import briefly
from rankone.errors import InputError, Setting
from rankone.matrix import Matrix
from rankone.matrix.cells import Strips, cell_means
from rankone.report.annotations import read_tracks
from rankone.report.curves import replication_curve
from rankone.report.page import (
    Page,
    answer_of,
    blocks_table,
    control_of,
    sentences_of,
    tree_in_words,
)
from rankone.report.payload import Payload, matrix_payload
from rankone.report.sides import ReportSide
from rankone.report.static import matrix_picture
from rankone.report.templates import fill
from rankone.report.walks import Walk, no_walk, tree_walk, walk_of, why_so_many
from rankone.report.words import Words, tree_header
from rankone.report.written import Report
from rankone.result import SIDES
from rankone.tree.explanation import TreeExplanation
from rankone.typing import FloatArray
from rankone.versions import versions
from rankone.wording import count

__all__ = ["report"]


def report(
    model: Any,
    matrix: Matrix,
    *,
    original: Matrix | None = None,
    title: str = "Clusters of rows and columns",
    row_names: Sequence[str] | None = None,
    column_names: Sequence[str] | None = None,
    row_annotations: Any = None,
    column_annotations: Any = None,
    nouns: tuple[str, str] = ("row", "column"),
) -> Report:
    """Create the report of a fitted learner.

    Parameters
    ----------
    model : RankOneCoclustering, RankOneClustering or RankOneTree
        The fitted learner.
    matrix : Matrix
        The matrix that was clustered: prepared, if the learner prepares it.
    original : Matrix, optional
        The matrix before its preparation.
    title : str
        The title of the page.
    row_names, column_names : sequence of str, optional
        The names of the rows and columns; numbers from 1 by default.
    row_annotations, column_annotations : DataFrame or mapping, optional
        Classes or numbers, one for each row (column), by name; drawn beside the clusters.
    nouns : pair of str
        What a row is called, and a column.

    Returns
    -------
    Report
    """
    check_title(title)
    names, annotations = (row_names, column_names), (row_annotations, column_annotations)
    sides = [
        replace(side, noun=str(noun))
        for side, noun in zip(_sides(model, matrix, names, annotations), nouns, strict=True)
    ]
    words = [
        Words.of(side.walk, *(_turned(each, axis) for each in (matrix, original)))
        if side.walk.kind != "none"
        else None
        for axis, side in enumerate(sides)
    ]
    sides = _ordered(sides, words)
    headers = _headers(sides, words)
    payload = matrix_payload(matrix, sides, headers, original=original, shared=_is_shared(model))
    page = _page(model, matrix, sides, words, payload, title)
    return Report(page.render(payload))


def check_title(title: str) -> None:
    """Refuse a title that is no text."""
    if not isinstance(title, str):
        raise InputError(
            "{title} must be a string, but it is {value}",
            title=Setting("title"),
            value=briefly(title),
        )


def _is_shared(model: Any) -> bool:
    """Say whether rows and columns have one partition."""
    return bool(getattr(model, "symmetric", False))


def _turned(matrix: Matrix | None, axis: int) -> Any:
    return matrix if matrix is None or axis == 0 else matrix.T


def _sides(
    model: Any, matrix: Matrix, names: Sequence[Any], annotations: Sequence[Any]
) -> list[ReportSide]:
    """Return what is shown of the rows and of the columns."""
    sides = []
    for axis, what in enumerate(SIDES):
        walk, scores = _walk(model, matrix, axis)
        side = ReportSide(what, matrix.shape[axis], walk, scores=scores)
        tracks = read_tracks(
            annotations[axis], side.size, side.labels, f"{what.removesuffix('s')}_annotations"
        )
        sides.append(replace(side, names=_names(side, names[axis]), tracks=tracks))
    return sides


def _walk(model: Any, matrix: Matrix, axis: int) -> tuple[Walk, FloatArray | None]:
    """Return the partitions of a side, and its scores, if it has any."""
    result = getattr(model, "result_", None)
    if result is not None:
        side = result.sides[axis]
        walk = walk_of(side, result, matrix, _is_shared(model))
        return walk, None if walk.kind == "none" else side.scores.values
    if model.axis != SIDES[axis]:
        return no_walk(matrix.shape[axis]), None
    tree = model.tree_
    return tree_walk(tree, model.confidence_, why_so_many(tree), replication_curve(tree)), None


def _names(side: ReportSide, names: Sequence[str] | None) -> list[str] | None:
    """Return the names of a side as texts."""
    if names is None:
        return None
    if len(names) != side.size:
        raise InputError(
            f"{{names}} must be {side.size} names, but there are {len(names)}",
            names=Setting(f"{side.what.removesuffix('s')}_names"),
        )
    return [str(name) for name in names]


def _ordered(sides: list[ReportSide], words: list[Words | None]) -> list[ReportSide]:
    """Return the sides; one that is not clustered is ordered by where it stands out."""
    ordered = []
    for axis, side in enumerate(sides):
        other = words[1 - axis]
        if other is not None:
            side = replace(side, prominence=other.prominence())
            if side.walk.kind == "none":
                side = replace(side, walk=replace(side.walk, key=other.places_of_columns()))
        ordered.append(side)
    return ordered


def _headers(sides: list[ReportSide], words: list[Words | None]) -> list[dict[str, Any]]:
    """Return what the page is told of each side."""
    headers = []
    for axis, (side, said) in enumerate(zip(sides, words, strict=True)):
        header = side.header()
        if said is not None:
            header["words"] = said.header()
        if side.walk.tree is not None:
            header["tree"] = tree_header(side.walk.tree, sides[1 - axis].shown_names)
        headers.append(header)
    return headers


def _page(
    model: Any,
    matrix: Matrix,
    sides: list[ReportSide],
    words: list[Words | None],
    payload: Payload,
    title: str,
) -> Page:
    """Return what the page consists of."""
    shown = [
        None if said is None else said.sentences(sides[1 - axis].shown_names, side.thing)
        for axis, (side, said) in enumerate(zip(sides, words, strict=True))
    ]
    said = {axis: explanation for axis, explanation in enumerate(shown) if explanation is not None}
    visible = list(said)[: 1 if payload.header["shared"] else 2]
    below = []
    if len(visible) == 2 or payload.header["shared"]:
        labels = [Strips.of(side.labels) for side in sides]
        below.append(blocks_table(cell_means(matrix, *labels)[0]))
    for axis in visible:
        tree = sides[axis].walk.tree
        if tree is not None and tree.n_leaves > 1:
            names = list(sides[1 - axis].shown_names)
            text = TreeExplanation.of(tree, names, 4, tree.n_clusters, sides[axis].what)
            below.append(tree_in_words(sides[axis].what, str(text)))
    return Page(
        "matrix",
        title,
        _subtitle(model, matrix, sides),
        "".join(answer_of(sides[axis], sentences_of(said[axis])) for axis in visible),
        "".join(control_of(sides[axis]) for axis in visible),
        fill(
            "matrix",
            ratio="" if payload.header["relative"] else "hidden disabled",
            units=_units(payload, sides),
            measure=_measure(model),
        ),
        matrix_picture(matrix, sides, shown),
        "".join(below),
        _provenance(model, matrix),
    )


def _units(payload: Payload, sides: list[ReportSide]) -> str:
    """Say how many rows and columns a cell stands for, if there are several."""
    sizes = [side.size / payload.arrays[f"{side.what}/pieces"].size for side in sides]
    if max(sizes) == 1:
        return ""
    lines = [
        f"{size:.2g} {side.things}" for side, size in zip(sides, sizes, strict=True) if size > 1
    ]
    return (
        f"The matrix is large: each cell is the mean of about {' x '.join(lines)} that are "
        "neighbours in the picture."
    )


def _measure(model: Any) -> str:
    """Say in which units prepared entries are."""
    prepare = model.prepare_
    if prepare is None:
        return ""
    if prepare.standardise is not None:
        return "standard deviations"
    return "log(1 + x)" if prepare.log else ""


def _subtitle(model: Any, matrix: Matrix, sides: list[ReportSide]) -> str:
    """Say what was clustered, and what was done to it before."""
    m, n = matrix.shape
    share = 100 * matrix.n_missing / (m * n)
    missing = f"{share:.3g} % of entries" if share else "nothing"
    size = f"{count(m, sides[0].thing)} x {count(n, sides[1].thing)}, {missing} missing."
    prepare = model.prepare_
    if prepare is not None and prepare.describe():
        size += f" Clustered after: {prepare.describe()}; tooltips show original values."
    for side in sides:
        if side.walk.kind == "none":
            size += f" The {side.things} are not clustered, but sorted by where they stand out."
    if any(side.walk.kind == "path" for side in sides):
        size += (
            " Clusters are exact cuts of scores: sliders walk the path of these cuts, not a tree."
        )
    return size


def _provenance(model: Any, matrix: Matrix) -> dict[str, str]:
    """Describe how a result was obtained."""
    missing = f"{matrix.n_missing} ({matrix.n_missing / (matrix.shape[0] * matrix.shape[1]):.1%})"
    result = getattr(model, "result_", None)
    return {
        "missing entries": missing if matrix.n_missing else "none",
        **({"clusters": model.summary()} if result is None else result.describe()),
        "parameters": " ".join(str(model).split()),
        "versions": ", ".join(f"{name} {version}" for name, version in versions().items()),
    }
