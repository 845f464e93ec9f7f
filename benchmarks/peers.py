"""Other methods of clustering rows, with which the learner is compared on real data.

Some are told the number of clusters, others find it. All are given seed 0.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import igraph
import leidenalg
import numpy as np
from scipy.sparse import issparse, triu
from sklearn.cluster import KMeans, SpectralCoclustering
from sklearn.decomposition import NMF, PCA, TruncatedSVD
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.metrics import silhouette_score
from sklearn.neighbors import kneighbors_graph
from sklearn.preprocessing import normalize

from rankone.typing import FloatArray

Labels = Any
Values = Any  # An array, or a sparse matrix.

N_COMPONENTS = 50
N_NEIGHBOURS = 15
SILHOUETTE_COMPONENTS = 20
SILHOUETTE_NUMBERS = range(2, 21)


@dataclass(frozen=True, eq=False)
class Outcome:
    """Labels of the rows, or None if the method failed, and the seconds that it computed."""

    labels: Labels
    seconds: float


def attempt(method: Callable[..., Labels], *arguments: Any) -> Outcome:
    """Run a method; what it raises on data that it cannot handle is an outcome, not an error."""
    start = time.process_time()
    try:
        return run(method, *arguments)
    except Exception:
        return Outcome(None, time.process_time() - start)


def run(method: Callable[..., Labels], *arguments: Any) -> Outcome:
    """Run a method, and measure its process time."""
    start = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        labels = np.asarray(method(*arguments))
    return Outcome(labels, time.process_time() - start)


def k_means(values: Values, n_clusters: int) -> Labels:
    """Return labels of k-means with ten starts."""
    return KMeans(n_clusters, n_init=10, random_state=0).fit(values).labels_


def embedded_k_means(values: Values, n_clusters: int) -> Labels:
    """Return labels of k-means in the embedding."""
    return k_means(embedding(values), n_clusters)


def spectral_coclustering(values: Values, n_clusters: int) -> Labels:
    """Return labels of the rows by the spectral co-clustering of Dhillon (2001)."""
    return SpectralCoclustering(n_clusters, random_state=0).fit(values).row_labels_


def largest_factor(values: Values, n_clusters: int) -> Labels:
    """Return the largest of the factors of each row in a non-negative factorisation."""
    return NMF(n_clusters, random_state=0).fit_transform(values).argmax(axis=1)


def leiden(values: Values) -> Labels:
    """Return communities of the graph of nearest neighbours in the embedding."""
    points = embedding(values)
    neighbours = kneighbors_graph(points, min(N_NEIGHBOURS, len(points) - 1))
    edges = np.transpose(triu(neighbours + neighbours.T, k=1).nonzero())
    graph = igraph.Graph(len(points), edges)
    return leidenalg.find_partition(
        graph, leidenalg.RBConfigurationVertexPartition, seed=0
    ).membership


def silhouette_k_means(values: Values) -> Labels:
    """Return labels of k-means in the embedding, with the number of the best silhouette."""
    points = embedding(values, SILHOUETTE_COMPONENTS)
    candidates = [k_means(points, k) for k in SILHOUETTE_NUMBERS if k < len(points)]
    return max(candidates, key=lambda labels: silhouette_score(points, labels))


def embedding(values: Values, n_components: int = N_COMPONENTS) -> FloatArray:
    """Return latent semantic analysis of a sparse matrix, principal components of an array."""
    if issparse(values):
        weights = TfidfTransformer(sublinear_tf=True).fit_transform(values)
        n_components = min(n_components, min(weights.shape) - 1)
        points = normalize(TruncatedSVD(n_components, random_state=0).fit_transform(weights))
    else:
        points = PCA(min(n_components, *values.shape), random_state=0).fit_transform(values)
    return np.asarray(points, dtype=float)


TOLD: dict[str, Callable[[Values, int], Labels]] = {
    "k-means": k_means,
    "embedding + k-means": embedded_k_means,
    "coclustering": spectral_coclustering,
    "NMF": largest_factor,
}
FINDING: dict[str, Callable[[Values], Labels]] = {
    "Leiden": leiden,
    "silhouette": silhouette_k_means,
}
