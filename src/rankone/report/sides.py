"""The rows, or the columns, of a report: their order, their clusters, and what is said of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rankone.plotting.colours import node_colours
from rankone.report.annotations import Track
from rankone.report.walks import Walk
from rankone.typing import FloatArray, IntArray
from rankone.wording import plural

__all__ = ["ReportSide"]

#: Confidences at all stops are included if there are at most so many, otherwise at the answer only.
MOST_CONFIDENCES = 400_000


@dataclass(frozen=True, eq=False)
class ReportSide:
    """The rows or the columns of a report.

    Attributes
    ----------
    what : {"rows", "columns"}
    size : int
        The number of rows.
    walk : Walk
        The partitions that the slider shows.
    names : sequence of str or None
        None if rows have no names.
    scores : ndarray of shape (n,) or None
    prominence : ndarray of shape (n,) or None
        How much a row differs between the clusters of columns, from 1 to 255; prominent ones are
        examples.
    tracks : tuple of Track
    noun : str
        What one of them is called; by default, a row or a column.
    """

    what: str
    size: int
    walk: Walk
    names: Sequence[str] | None = None
    scores: FloatArray | None = None
    prominence: npt.NDArray[np.uint8] | None = None
    tracks: tuple[Track, ...] = ()
    noun: str = ""

    @property
    def thing(self) -> str:
        """What one of them is called."""
        return self.noun or self.what.removesuffix("s")

    @property
    def things(self) -> str:
        """What several of them are called."""
        return plural(self.thing)

    @property
    def labels(self) -> IntArray:
        """The labels of the answer."""
        return self.walk.answer.clusters[self.walk.pieces]

    @property
    def shown_names(self) -> Sequence[str]:
        """The names, or numbers from 1."""
        if self.names is None:
            return [f"{self.thing} {i + 1}" for i in range(self.size)]
        return self.names

    def typical(self, label: int, n: int) -> IntArray:
        """Return members of a cluster of the answer that are certain and prominent."""
        members = np.flatnonzero(self.labels == label)
        worth = np.ones(self.size) if self.prominence is None else self.prominence
        confidence = self.walk.confidence(self.walk.chosen)
        if confidence is not None:
            worth = worth * confidence.round(3)
        return members[np.argsort(-worth[members], kind="stable")[:n]]

    def units(self, most: int | None = None) -> IntArray:
        """Return the unit of each row: its place in the picture, or one that several rows share.

        Units do not mix pieces, so that each has a single label at every stop.

        Parameters
        ----------
        most : int, optional
            The approximate number of units; by default, each row is one.
        """
        n, pieces = self.size, self.walk.pieces
        order = np.lexsort((self.walk.key, pieces))
        units = np.empty(n, np.intp)
        if most is None or n <= most:
            units[order] = np.arange(n)
            return units
        sizes = np.bincount(pieces)
        counts = np.maximum(1, sizes * most // n)
        starts, firsts = np.cumsum(sizes) - sizes, np.cumsum(counts) - counts
        piece = pieces[order]
        position = np.arange(n) - starts[piece]
        units[order] = firsts[piece] + position * counts[piece] // sizes[piece]
        return units

    def header(self) -> dict[str, Any]:
        """Return what the page says of the side, but for its words."""
        walk = self.walk
        curve = walk.curve
        return {
            "what": self.what,
            "thing": self.thing,
            "things": self.things,
            "size": self.size,
            "names": None if self.names is None else list(self.names),
            "kind": walk.kind,
            "chosen": walk.chosen,
            "reason": walk.reason,
            "stops": [
                {"clusters": stop.clusters.tolist(), "ids": stop.ids, "note": stop.note}
                for stop in walk.stops
            ],
            "curve": None
            if curve is None
            else {
                "name": curve.name,
                "values": [_finite(value) for value in curve.values.tolist()],
                "threshold": curve.threshold,
                "steep": curve.steep,
            },
            "colours": {}
            if walk.tree is None
            else {str(node): int(c) for node, c in enumerate(node_colours(walk.tree))},
            "tracks": [
                {"name": track.name, "classes": track.classes, "colours": track.colours}
                for track in self.tracks
            ],
        }

    def arrays(self, units: IntArray) -> dict[str, npt.NDArray[Any]]:
        """Return what the page needs to know of each row, by name."""
        arrays: dict[str, npt.NDArray[Any]] = {
            "units": units.astype(np.uint16 if units.max() < 2**16 else np.uint32)
        }
        pieces = np.empty(int(units.max()) + 1, np.uint16)
        pieces[units] = self.walk.pieces
        arrays["pieces"] = pieces
        if self.scores is not None:
            arrays["scores"] = self.scores.astype(np.float32)
        if self.prominence is not None:
            arrays["prominence"] = self.prominence
        for i, track in enumerate(self.tracks):
            arrays[f"track-{i}"] = track.values
        numbers = [stop.n_clusters for stop in self.walk.stops]
        if len(numbers) * self.size > MOST_CONFIDENCES:
            numbers = [self.walk.chosen]
        for k in numbers:
            confidence = self.walk.confidence(k)
            if confidence is not None:
                arrays[f"confidence-{k}"] = np.rint(1000 * confidence).astype(np.uint16)
        return {f"{self.what}/{name}": array for name, array in arrays.items()}


def _finite(x: float) -> float | None:
    return x if np.isfinite(x) else None
