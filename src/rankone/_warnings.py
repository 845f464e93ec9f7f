"""Warnings that point at the line of the user's code that called this package."""

from __future__ import annotations

import sys
import warnings

from rankone.errors import Worded


def warn(message: str | Worded, category: type[Warning]) -> None:
    """Issue a warning attributed to the first caller outside this package.

    Another interface than Python words the fields of a message its own way: see `message_of`.
    """
    level, frame = 2, sys._getframe(1)
    # Methods of estimators are called through decorators of scikit-learn, kernels by numba.
    internal = (f"{__package__}.", "sklearn.", "numba.", "contextlib", "functools")
    while frame.f_back and frame.f_globals.get("__name__", "").startswith(internal):
        level, frame = level + 1, frame.f_back
    warning = category(str(message))
    warning.__dict__["message"] = message
    warnings.warn(warning, stacklevel=level)


def message_of(warning: Warning | str) -> str | Worded:
    """Return the message of a warning, with its fields if it has any."""
    message = getattr(warning, "message", None)
    return message if isinstance(message, Worded) else str(warning)
