"""Clusters of the rows and the columns of a matrix, found from one vector per side.

Step 1 summarises a matrix by a score for each row and each column (`rankone.vectors`). Step 2 cuts
the scores into clusters of similar ones (`rankone.cuts`); its cuts minimise an objective and find
its global optimum, for one penalty or for all of them at once, and a selection says how many
clusters there are. Each step can be used alone: `rankone.cuts` clusters any vector of numbers.

Names are loaded when they are first used, so that the import itself takes no time.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rankone import (
        cuts,
        datasets,
        io,
        matrix,
        metrics,
        paper,
        plotting,
        refinement,
        report,
        selection,
        vectors,
    )
    from rankone.cuts import (
        LargestGaps,
        Multiscale,
        Partition,
        Potts,
        PottsPath,
        Quantiles,
        Sign,
        SortedPotts,
        SortedPottsPath,
        Threshold,
        TotalVariation,
        gap_threshold,
        potts_path,
        sorted_potts_path,
    )
    from rankone.estimators import (
        RankOneClustering,
        RankOneCoclustering,
        RankOneTree,
        RankOneViews,
    )
    from rankone.preparation import Prepare
    from rankone.selection import silhouette, silhouette_path
    from rankone.vectors import CCOT, CCOTGW, NMF, SVD, Fiedler, Marginal, PageRank, Vectors

__version__ = "0.1.0"

__all__ = [
    "CCOT",
    "CCOTGW",
    "NMF",
    "SVD",
    "Fiedler",
    "LargestGaps",
    "Marginal",
    "Multiscale",
    "PageRank",
    "Partition",
    "Potts",
    "PottsPath",
    "Prepare",
    "Quantiles",
    "RankOneClustering",
    "RankOneCoclustering",
    "RankOneTree",
    "RankOneViews",
    "Sign",
    "SortedPotts",
    "SortedPottsPath",
    "Threshold",
    "TotalVariation",
    "Vectors",
    "cuts",
    "datasets",
    "gap_threshold",
    "io",
    "matrix",
    "metrics",
    "paper",
    "plotting",
    "potts_path",
    "refinement",
    "report",
    "selection",
    "silhouette",
    "silhouette_path",
    "sorted_potts_path",
    "vectors",
]

#: Where names are defined; those that are neither here nor modules are in `cuts`.
_HOMES = {
    "estimators": ("RankOneClustering", "RankOneCoclustering", "RankOneTree", "RankOneViews"),
    "preparation": ("Prepare",),
    "selection": ("silhouette", "silhouette_path"),
    "vectors": ("CCOT", "CCOTGW", "NMF", "SVD", "Fiedler", "Marginal", "PageRank", "Vectors"),
}


def __getattr__(name: str) -> Any:
    """Load a public name from the module that defines it."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if find_spec(f"{__name__}.{name}") is not None:
        return import_module(f"{__name__}.{name}")
    module = next((home for home, names in _HOMES.items() if name in names), "cuts")
    value = globals()[name] = getattr(import_module(f"{__name__}.{module}"), name)
    return value


def __dir__() -> list[str]:
    """List the public names, whether they are loaded yet or not."""
    return sorted({*__all__, "__version__"})
