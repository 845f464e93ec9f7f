"""Corrections shared by the criteria for the number of clusters."""

from __future__ import annotations


def scarcity(n_clusters: int, size: int) -> float:
    """Return the small-sample correction to subtract from a criterion.

    The penalties of information criteria assume many observations per parameter. This is the
    correction of Hurvich and Tsai (1989), with two parameters per cluster.
    """
    n_parameters = 2 * n_clusters
    if n_clusters == 1:
        return 0.0
    return n_parameters * (n_parameters + 1) / (2 * max(size - n_parameters - 1, 1))
