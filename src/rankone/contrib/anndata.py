"""Annotated data, as scanpy uses it: clusters of cells, and the genes that mark them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from rankone.contrasts import Contrasts
from rankone.estimators import RankOneClustering
from rankone.io import Table
from rankone.matrix import as_matrix

if TYPE_CHECKING:
    from anndata import AnnData

__all__ = ["cluster", "markers"]


def cluster(
    adata: AnnData, estimator: Any = None, *, layer: str | None = None, key: str = "rankone"
) -> Any:
    """Cluster the cells of annotated data, and write the labels where scanpy looks for them.

    Parameters
    ----------
    adata : AnnData
        Changed in place: ``obs[key]`` has the labels as categories, ``obs[key + "_confidence"]``
        their probabilities; and ``var[key]`` the clusters of genes, if the estimator finds any.
    estimator : estimator, optional
        By default ``RankOneClustering()``; `rankone.RankOneCoclustering` clusters genes, too.
    layer : str, optional
        The layer that is clustered, instead of ``X``; ``"raw"`` for ``adata.raw``.
    key : str
        The name of the new columns.

    Returns
    -------
    estimator
        The fitted learner, with names of cells and genes: ``explain()`` and ``report()`` work.

    Examples
    --------
    >>> from anndata import AnnData
    >>> from rankone.contrib.anndata import cluster, markers
    >>> from rankone.datasets import make_counts
    >>> cells = make_counts((90, 40), [[4, 1], [2, 5], [1, 9]], mean=3, random_state=0)
    >>> adata = AnnData(cells.data)
    >>> model = cluster(adata)
    >>> adata.obs["rankone"].nunique()
    3
    """
    values, names = _entries(adata, layer)
    model = RankOneClustering() if estimator is None else estimator
    model.fit(Table(values, adata.obs_names.astype(str).tolist(), names))
    adata.obs[key] = pd.Categorical(model.labels_.astype(str))
    if hasattr(model, "confidence_"):
        adata.obs[f"{key}_confidence"] = model.confidence_
    if hasattr(model, "column_labels_") and layer != "raw":
        adata.var[key] = pd.Categorical(model.column_labels_.astype(str))
    return model


def markers(
    adata: AnnData, key: str = "rankone", n: int = 5, *, layer: str | None = None
) -> pd.DataFrame:
    """Return the genes that set clusters of cells apart.

    Parameters
    ----------
    adata : AnnData
    key : str
        The column of ``obs`` with the clusters, of this package or of any other.
    n : int
        The number of genes that are named as high, and as low, in each cluster.
    layer : str, optional
        The layer that is compared, instead of ``X``; ``"raw"`` for ``adata.raw``.

    Returns
    -------
    DataFrame
        With the columns *cluster*, *gene*, *direction* (high or low) and *effect*: where zero means
        absence the lift, a ratio; otherwise the difference from all cells in standard deviations.
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
