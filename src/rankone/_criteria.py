"""What the criteria for numbers of clusters share."""

from __future__ import annotations


def scarcity(n_clusters: int, size: int) -> float:
    """Return what is to be subtracted from a criterion where there are few rows for a cluster.

    Penalties of information criteria are meant for many observations for each parameter; this is
    the correction of Hurvich and Tsai (1989), with two parameters for a cluster.
    """
    n_parameters = 2 * n_clusters
    if n_clusters == 1:
        return 0.0
    return n_parameters * (n_parameters + 1) / (2 * max(size - n_parameters - 1, 1))
