"""Clusters of the rows and the columns of a matrix, found from one vector per side.

A vector that gives each row (or each column) one score is cut into clusters of similar scores. The
cuts minimise an objective and find its global optimum, for one penalty or for all of them at once,
and a selection says how many clusters there are. Each step can be used alone: `rankone.cuts`
clusters any vector of numbers.

Names are loaded when they are first used, so that the import itself takes no time.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rankone import cuts, selection
    from rankone.cuts import (
        LargestGaps,
        Multiscale,
        Partition,
        Potts,
        Sign,
        SortedPotts,
        SortedPottsPath,
        Threshold,
        TotalVariation,
        sorted_potts_path,
    )
    from rankone.selection import silhouette, silhouette_path

__version__ = "0.1.0"

__all__ = [
    "LargestGaps",
    "Multiscale",
    "Partition",
    "Potts",
    "Sign",
    "SortedPotts",
    "SortedPottsPath",
    "Threshold",
    "TotalVariation",
    "cuts",
    "selection",
    "silhouette",
    "silhouette_path",
    "sorted_potts_path",
]

_MODULES = ("cuts", "selection")
_SELECTION = ("silhouette", "silhouette_path")


def __getattr__(name: str) -> Any:
    """Load a public name from the module that defines it."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if name in _MODULES:
        return import_module(f"{__name__}.{name}")
    module = "selection" if name in _SELECTION else "cuts"
    value = globals()[name] = getattr(import_module(f"{__name__}.{module}"), name)
    return value


def __dir__() -> list[str]:
    """List the public names, whether they are loaded yet or not."""
    return sorted({*__all__, "__version__"})
