"""Data frames of any library: what is made of them, and what in them is no number."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from rankone.errors import Input, InputError
from rankone.typing import FloatArray, IntArray
from rankone.wording import quoted

__all__ = ["framed_like", "is_frame", "naming_text", "taken"]

#: The number of columns of text that a message names.
MOST_NAMED = 8


def is_frame(X: Any) -> bool:
    """Say whether something is a data frame of pandas or polars, held in memory."""
    return hasattr(X, "columns") and (hasattr(X, "iloc") or hasattr(X, "schema"))


def framed_like(X: Any, values: FloatArray) -> Any:
    """Return values as a frame with the names of X, if X is a frame; otherwise as they are."""
    if not is_frame(X):
        return values
    if hasattr(X, "iloc"):
        return type(X)(values, index=X.index, columns=X.columns)
    return type(X)(values, schema=list(X.columns))


def taken(X: Any, rows: IntArray, columns: IntArray) -> Any:
    """Return some rows and columns of a frame."""
    return X.iloc[rows, columns] if hasattr(X, "iloc") else X[rows.tolist(), columns.tolist()]


@contextmanager
def naming_text(X: Any) -> Iterator[None]:
    """Let an error name the columns of X that hold text, if that is why it was raised."""
    try:
        yield
    except ValueError as error:
        texts = _texts(X)
        if not texts:
            raise
        raise _of_text(X, texts) from error


def _texts(X: Any) -> dict[Any, str]:
    """Return the columns that cannot be read as numbers, each with one of its texts."""
    if is_frame(X):
        columns = ((name, X[name]) for name in X.columns)
    elif isinstance(X, np.ndarray) and X.ndim == 2 and X.dtype.kind in "OU":
        columns = ((j, X[:, j]) for j in range(X.shape[1]))
    else:
        return {}
    return {name: text for name, column in columns if (text := _text_in(column)) is not None}


def _text_in(column: Any) -> str | None:
    """Return a text of a column that is no number."""
    try:
        np.asarray(column, np.float64)
        return None
    except (TypeError, ValueError):
        return next((str(value) for value in column if _is_text(value)), None)


def _is_text(value: Any) -> bool:
    if not isinstance(value, str):
        return False
    try:
        float(value)
    except ValueError:
        return True
    return False


def _of_text(X: Any, texts: dict[Any, str]) -> InputError:
    """Return the error that names columns of text, and says what to pass instead."""
    names = list(texts)
    listed = ", ".join(f"{name!r} ({quoted(texts[name])})" for name in names[:MOST_NAMED])
    call = f"np.delete(X, {names!r}, axis=1)"
    if is_frame(X):
        call = f"X.drop(columns={names!r})" if hasattr(X, "iloc") else f"X.drop({names!r})"
    return InputError(
        "{X} must hold real numbers, but {there} text: {listed}",
        "pass {call}",
        X=Input(),
        there="a column holds" if len(names) == 1 else f"{len(names)} columns hold",
        listed=listed + (", ..." if len(names) > MOST_NAMED else ""),
        call=call,
    )
