"""The paper, reproduced end to end: one file for each of its tables, figures and claims.

*Rank-one partitioning: formalization, illustrative examples, and a new cluster enhancing strategy*
(Laclau, Iutzeler and Redko, 2020). `reproduce` computes what is asked for and writes a page with
the paper's values beside ours. Each result is a module of this package with the name that it has in
`RESULTS`: functions that return data, and a ``section`` that says in words what they show.

Nothing is loaded before `reproduce` is called.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rankone.paper.running import reproduce

__all__ = ["QUICK_DRAWS", "RESULTS", "reproduce"]

#: The results by name, in the order of the page.
RESULTS: dict[str, str] = {
    "vectors": "the vectors of NMF, PageRank, CCOT and the marginals side by side (figure)",
    "potts": "contiguous, unsorted, sorted and sorted-Potts clustering of a vector (figure)",
    "nmi": "Table 1: NMI of the rows, five methods, D1 to D4, clean and noisy",
    "errors": "co-clustering errors of NMF and CCOT-GW (bars)",
    "noise": "the sorted vectors of NMF on D4, with and without noise (figure)",
    "starts": "the mean and spread of NMF over 100 random starts (figure)",
    "lam": "the number of steps and the silhouettes along lam, on noisy D4 (figure)",
    "cuts": "claim: Potts is the better Step 2; every cut on every vector",
    "norms": "claim: l1 is more robust to noise than l2",
    "sorting": "claim: sorting gains robustness; rows shuffled and contiguous",
    "beta": "claim: NMF with the Euclidean loss gives similar results",
    "times": "claim: NMF costs much less than CCOT-GW",
}

#: Draws of each data set for a first look.
QUICK_DRAWS = 3


def __getattr__(name: str) -> Any:
    """Load `reproduce` when it is first used."""
    if name != "reproduce":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from rankone.paper.running import reproduce

    return reproduce
