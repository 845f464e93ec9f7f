"""Warnings that point at the line of the user's code that called this package."""

from __future__ import annotations

import sys
import warnings


def warn(message: str | Warning, category: type[Warning]) -> None:
    """Issue a warning attributed to the first caller outside this package."""
    level, frame = 2, sys._getframe(1)
    # Methods of estimators are called through decorators of scikit-learn.
    internal = (f"{__package__}.", "sklearn.")
    while frame.f_back and frame.f_globals.get("__name__", "").startswith(internal):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, category, stacklevel=level)
