"""Annotated data, as scanpy uses it: the genes that mark clusters of cells."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from rankone.contrasts import Contrasts
from rankone.matrix import as_matrix

if TYPE_CHECKING:
    from anndata import AnnData

__all__ = ["markers"]


def markers(
    adata: AnnData, key: str = "rankone", n: int = 5, *, layer: str | None = None
) -> pd.DataFrame:
    """Return the genes that set clusters of cells apart.

    Parameters
    ----------
    adata : AnnData
        Cells, with their clusters in ``obs``, and genes.
    key : str
        The column of ``obs`` with the clusters, those of ``model.annotate(adata)`` or any other.
    n : int
        The number of genes that are named as high, and as low, in each cluster.
    layer : str, optional
        The layer that is compared, instead of ``X``; ``"raw"`` for ``adata.raw``.

    Returns
    -------
    DataFrame
        With the columns *cluster*, *gene*, *direction* (high or low) and *effect*: where zero means
        absence the lift, a ratio; otherwise the difference from all cells in standard deviations.

    Examples
    --------
    >>> from anndata import AnnData
    >>> from rankone import RankOneClustering
    >>> from rankone.contrib.anndata import markers
    >>> from rankone.datasets import make_counts
    >>> cells = make_counts((90, 40), [[4, 1], [2, 5], [1, 9]], mean=3, random_state=0)
    >>> adata = AnnData(cells.data)
    >>> RankOneClustering().fit(adata).annotate(adata)
    >>> markers(adata, n=1).columns.tolist()
    ['cluster', 'gene', 'direction', 'effect']
    """
    values, names = _entries(adata, layer)
    clusters = pd.Categorical(adata.obs[key]).remove_unused_categories()
    labels = np.asarray(clusters.codes, np.intp)
    if (labels < 0).any():
        raise ValueError(
            f"{(labels < 0).sum()} cells have no label in obs[{key!r}]; leave them out."
        )
    explained = Contrasts.of(as_matrix(values), labels).explain(names, n, "cell")
    rows = [
        (clusters.categories[cluster.label], contrast.name, direction, contrast.effect)
        for cluster in explained.clusters
        for direction, contrasts in (("high", cluster.high), ("low", cluster.low))
        for contrast in contrasts
    ]
    return pd.DataFrame(rows, columns=["cluster", "gene", "direction", "effect"])


def _entries(adata: AnnData, layer: str | None) -> tuple[Any, list[str]]:
    """Return the entries of a layer, and the names of its genes."""
    if layer == "raw":
        return adata.raw.X, adata.raw.var_names.astype(str).tolist()
    values = adata.X if layer is None else adata.layers[layer]
    return values, adata.var_names.astype(str).tolist()
