"""What else is known of rows and columns: classes and numbers, drawn as coloured bars."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any

import numpy as np
import numpy.typing as npt

from rankone.errors import InputError, Setting
from rankone.metrics import align_labels
from rankone.typing import IntArray
from rankone.wording import quoted

__all__ = ["Track", "read_tracks"]

#: Whole numbers with at most so many different values are classes.
MOST_CODES = 12

#: The most classes of an annotation, and the letters of their names that are kept.
MOST_CLASSES, LONGEST = 500, 200

#: The code of rows whose class is not known.
UNKNOWN = 2**16 - 1


@dataclass(frozen=True, eq=False)
class Track:
    """One annotation of the rows, or of the columns.

    Attributes
    ----------
    name : str
    values : ndarray of shape (n,)
        The class of each row, as an index, or `UNKNOWN`; or a number, NaN if it is not known.
    classes : tuple of str or None
        The names of the classes; None if values are numbers.
    colours : tuple of int
        The colour of each class: that of the cluster that matches it best.
    """

    name: str
    values: npt.NDArray[Any]
    classes: tuple[str, ...] | None = None
    colours: tuple[int, ...] = ()

    @classmethod
    def of(cls, name: str, values: Sequence[Any], labels: IntArray) -> Track:
        """Read an annotation of rows with the given clusters."""
        is_known = np.array([_is_known(value) for value in values])
        known = [value for value, there in zip(values, is_known, strict=True) if there]
        if _are_numbers(known):
            numbers = np.full(len(values), np.nan, np.float32)
            numbers[is_known] = known
            return cls(name, numbers)
        texts = np.array([str(value)[:LONGEST] for value in known], dtype=object)
        classes, codes = np.unique(texts, return_inverse=True)
        if classes.size > MOST_CLASSES:
            raise InputError(
                f"the annotation {quoted(name)} has {classes.size} different values, but a class "
                f"may have {MOST_CLASSES} at most",
                "leave it out of {annotations}",
                annotations=Setting("row_annotations"),
            )
        full = np.full(len(values), UNKNOWN, np.uint16)
        full[is_known] = codes
        return cls(name, full, tuple(map(str, classes)), _colours(codes, labels[is_known]))


def read_tracks(annotations: Any, size: int, labels: IntArray, parameter: str) -> tuple[Track, ...]:
    """Read annotations: a frame, or a mapping from names to sequences of one value per row."""
    if annotations is None:
        return ()
    columns: Mapping[Any, Any] = annotations
    if hasattr(annotations, "columns"):
        columns = {name: annotations[name] for name in annotations.columns}
    tracks = []
    for name, values in columns.items():
        values = values.tolist() if hasattr(values, "tolist") else list(values)
        if len(values) != size:
            raise InputError(
                f"{{annotations}} must have {size} values each, but {quoted(str(name))} has "
                f"{len(values)}",
                annotations=Setting(parameter),
            )
        tracks.append(Track.of(str(name), values, labels))
    return tuple(tracks)


def _are_numbers(values: Sequence[Any]) -> bool:
    """Say whether values are numbers, and not codes of a few classes."""
    if not values or not all(isinstance(x, Real) and not isinstance(x, bool) for x in values):
        return False
    whole = all(isinstance(x, Integral) for x in values)
    return not whole or len(set(values)) > MOST_CODES


def _is_known(value: Any) -> bool:
    """Say whether a value is neither None, nor NaN, nor empty."""
    return value is not None and value == value and str(value) not in ("", "<NA>")


def _colours(codes: IntArray, labels: IntArray) -> tuple[int, ...]:
    """Return the colour of each class: the label of the cluster that matches it best."""
    if not codes.size:
        return ()
    matched = align_labels(labels, codes)
    return tuple(int(matched[np.argmax(codes == code)]) for code in range(int(codes.max()) + 1))
