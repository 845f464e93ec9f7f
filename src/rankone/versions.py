"""The versions that a result was computed with."""

from __future__ import annotations

import platform
from importlib.metadata import version

from rankone import __version__


def versions() -> dict[str, str]:
    """Return the versions of rankone, of Python and of what both compute with."""
    libraries = ("numpy", "scipy", "scikit-learn", "numba")
    return {
        "rankone": __version__,
        "Python": platform.python_version(),
        **{name: version(name) for name in libraries},
    }
