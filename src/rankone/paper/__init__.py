"""Reproduction of the paper, with one module per table, figure and claim.

*Rank-one partitioning: formalization, illustrative examples, and a new cluster enhancing strategy*
(Laclau, Iutzeler and Redko, 2020). `reproduce` computes the requested results and writes a page
that shows them next to the published values. Each key of `RESULTS` names a module of this package,
with functions that return data and a function ``section`` that describes them in words.

The modules are imported only when `reproduce` is called.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rankone.paper.running import reproduce

__all__ = ["QUICK_DRAWS", "RESULTS", "reproduce"]

#: The results by name, in the order of the page.
RESULTS: dict[str, str] = {
    "table": "Table 1: NMI of the rows, five methods, D1 to D4, clean and noisy",
    "data": "Figure 1: the two steps; and the parameters of D1 to D4",
    "vectors": "Figure 2: the vectors of NMF, PageRank, CCOT and the marginals compared",
    "potts": "Figure 3: contiguous, unsorted, sorted and sorted-Potts clustering of a vector",
    "nmi": "Table 1 at every level of noise, with sorted l1- and l2-Potts",
    "errors": "Figure 4: co-clustering errors of NMF and CCOT-GW",
    "noise": "Figure 5: the sorted vectors of NMF on D4, with and without noise",
    "starts": "Figure 6: the mean and spread of NMF over 100 random starts",
    "lam": "Figure 7: the number of steps and the silhouettes along lam, on noisy D4",
    "cuts": "claim: sorted Potts is the best Step 2; every cut on every vector",
    "norms": "claim: l1 is more robust to noise than l2",
    "sorting": "claim: sorting improves robustness; rows shuffled and contiguous",
    "beta": "claim: NMF with the Euclidean loss gives similar results",
    "times": "claim: NMF costs much less than CCOT-GW",
    "afterwards": "Table 1, found afterwards: settings that come close to the paper's values",
    "outlook": "outlook: what further views tell, and a tree of them",
    "slips": "slips of the paper",
}

#: The number of draws of each data set in a quick run.
QUICK_DRAWS = 3


def __getattr__(name: str) -> Any:
    """Import `reproduce` on first use."""
    if name != "reproduce":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from rankone.paper.running import reproduce

    return reproduce
