"""Warnings that point at the line of whoever called into this package."""

from __future__ import annotations

import sys
import warnings


def warn(message: str, category: type[Warning]) -> None:
    """Warn, on behalf of the first caller outside of this package."""
    level, frame = 2, sys._getframe(1)
    # Methods of estimators are called through decorators of scikit-learn.
    inner = (f"{__package__}.", "sklearn.")
    while frame.f_back and frame.f_globals.get("__name__", "").startswith(inner):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, category, stacklevel=level)
