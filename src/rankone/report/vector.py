"""The report of a vector that was cut into clusters."""

from __future__ import annotations

import html
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from rankone.cuts import Partition, SortedPottsPath
from rankone.errors import InputError, Setting
from rankone.plotting.colours import COLOURS
from rankone.report.curves import choice_curve
from rankone.report.matrix import check_title
from rankone.report.page import Page, answer_of, control_of
from rankone.report.payload import Payload, encode_cells
from rankone.report.sides import ReportSide
from rankone.report.templates import fill
from rankone.report.walks import GIVEN, Walk, fixed_walk, path_walk
from rankone.report.written import Report
from rankone.selection import Choice
from rankone.typing import FloatArray
from rankone.versions import versions
from rankone.wording import count

__all__ = ["cut_report"]

#: More values than these are rounded to 16 bits; more than the latter are refused.
EXACT, MOST = 100_000, 1_000_000

#: The bars and the size of the picture that needs no script.
BARS, WIDTH, HEIGHT = 120, 900, 320


def cut_report(
    values: FloatArray,
    partition: Partition,
    path: SortedPottsPath | None = None,
    choice: Choice | None = None,
    *,
    title: str = "Clusters of values",
    names: Sequence[str] | None = None,
    provenance: Mapping[str, str] | None = None,
) -> Report:
    """Create the report of a vector.

    Parameters
    ----------
    values : ndarray of shape (n,)
        The vector that was cut; at most a million values.
    partition : Partition
        Its clusters.
    path : SortedPottsPath, optional
        The best partitions into all numbers of clusters, which the slider walks; without it, the
        page shows the clusters alone.
    choice : Choice, optional
        How the number of clusters was selected, with the curve of the criterion.
    title : str
        The title of the page.
    names : sequence of str, optional
        The names of the values; numbers from 1 by default.
    provenance : mapping, optional
        How the clusters were obtained.

    Returns
    -------
    Report

    Examples
    --------
    >>> import numpy as np
    >>> from rankone import sorted_potts_path
    >>> u = np.array([0.0, 1.0, 5.0, 6.0, 20.0])
    >>> path = sorted_potts_path(u, max_clusters=4)
    >>> "3 clusters of values" in cut_report(u, path.at(n_clusters=3), path).html
    True
    """
    check_title(title)
    if values.size > MOST:
        raise InputError(
            f"a {{report}} shows {MOST} values at most, but there are {values.size}",
            report=Setting("report"),
        )
    if names is not None and len(names) != values.size:
        raise InputError(
            f"{{names}} must be {values.size} names, but there are {len(names)}",
            names=Setting("names"),
        )
    walk = _walk(values, partition, path, choice)
    side = ReportSide("rows", values.size, walk, names, noun="value")
    ranges = _ranges(side.walk, values, partition, path)
    header = {**side.header(), "levels": ranges}
    payload = Payload({"kind": "vector", "palette": COLOURS, "sides": [header]})
    payload.arrays |= side.arrays(side.walk.pieces)
    if values.size <= EXACT:
        payload.arrays["rows/scores"] = values
    else:
        payload.arrays["rows/codes"], payload.header["values"] = encode_cells(values)
    sentences = [_in_words(ranges[name]) for name in side.walk.answer.ids]
    least, largest = values.min(), values.max()
    page = Page(
        "vector",
        title,
        f"{count(values.size, 'value')} from {least:.5g} to {largest:.5g}.",
        answer_of(side, sentences),
        control_of(side),
        fill("vector"),
        "".join(_picture(values, partition)),
        provenance={
            **(provenance or {}),
            "versions": ", ".join(f"{name} {version}" for name, version in versions().items()),
        },
    )
    return Report(page.render(payload))


def _walk(
    values: FloatArray, partition: Partition, path: SortedPottsPath | None, choice: Choice | None
) -> Walk:
    """Return the partitions that the slider shows."""
    reason = GIVEN if choice is None else f"selected by {choice.selection}"
    curve = None if choice is None else choice_curve(choice)
    if path is None or partition.boundaries is None:
        return fixed_walk(partition.labels, values, partition.confidence(values), reason)
    return path_walk(path, values, partition, reason, curve)


def _ranges(
    walk: Walk, values: FloatArray, partition: Partition, path: SortedPottsPath | None
) -> dict[str, dict[str, float]]:
    """Return the least and the largest value of each cluster of each stop, and its level."""
    pieces, number = walk.pieces, int(walk.pieces.max()) + 1
    least, largest = np.full(number, np.inf), np.full(number, -np.inf)
    np.minimum.at(least, pieces, values)
    np.maximum.at(largest, pieces, values)
    ranges = {}
    for stop in walk.stops:
        k = stop.n_clusters
        levels = partition.levels
        if path is not None and k != partition.n_clusters:
            levels = path.at(n_clusters=k).levels
        for label, name in enumerate(stop.ids):
            inside = stop.clusters == label
            ranges[name] = {
                "least": float(least[inside].min()),
                "largest": float(largest[inside].max()),
                "level": float(levels[label]),
            }
    return ranges


def _in_words(of: Mapping[str, float]) -> str:
    return f"from {of['least']:.5g} to {of['largest']:.5g}, level {of['level']:.5g}"


def _picture(values: FloatArray, partition: Partition) -> Iterator[str]:
    """Yield a histogram, coloured by cluster, as SVG."""
    edges = np.histogram_bin_edges(values, BARS)
    counts = np.array(
        [
            np.histogram(values[partition.labels == label], edges)[0]
            for label in range(partition.n_clusters)
        ]
    )
    tallest, width = counts.sum(axis=0).max(), (WIDTH - 40) / BARS
    yield f'<svg class="static" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
    yield 'aria-label="A histogram of the values, coloured by cluster" font-size="12">'
    for bar in range(BARS):
        base = HEIGHT - 30.0
        for label in np.flatnonzero(counts[:, bar]):
            height = counts[label, bar] / tallest * (HEIGHT - 50)
            base -= height
            yield f'<rect x="{20 + bar * width:.1f}" y="{base:.1f}" width="{width - 0.8:.1f}" '
            yield f'height="{height:.1f}" fill="{COLOURS[label % len(COLOURS)]}"/>'
    for at, value in ((20, edges[0]), (WIDTH - 20, edges[-1])):
        anchor = "start" if at == 20 else "end"
        text = html.escape(f"{value:.5g}")
        yield f'<text x="{at}" y="{HEIGHT - 8}" text-anchor="{anchor}" fill="currentColor">'
        yield f"{text}</text>"
    yield "</svg>"
