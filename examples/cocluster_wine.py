"""Co-cluster wines and their measurements without specifying the numbers of clusters.

The data are 178 wines from three growers, with 13 standardised chemical measurements each. The
model never sees the growers. Run it with ``make demo``.
"""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
from cut_a_vector import save
from matplotlib.figure import Figure
from sklearn.datasets import load_wine

from rankone import Prepare, RankOneCoclustering
from rankone.plotting import BlocksDisplay

PICTURE = Path(__file__).parents[1] / "demo" / "wine.png"


def main() -> None:
    """Load the data, fit the model, and show the result."""
    wine = load_wine(as_frame=True)
    model = RankOneCoclustering(prepare=Prepare(standardise="columns")).fit(wine.data)

    print("cluster: number of wines from each grower")
    for k in range(model.n_row_clusters_):
        print(f"   {k}  ", np.bincount(wine.target[model.row_labels_ == k], minlength=3))
    print("\nmean of each cluster of wines, for each cluster of measurements")
    for column in range(model.n_column_clusters_):
        names = [
            name
            for name, label in zip(wine.feature_names, model.column_labels_, strict=True)
            if label == column
        ]
        means = " ".join(f"{mean:6.2f}" for mean in model.block_values_[:, column])
        print(f"   {means}   {', '.join(names)}")
    print("\nwhat sets the clusters apart")
    print(model.explain(n=3).rows)
    save(draw(model), PICTURE)
    print(f"\nThe picture is in {os.path.relpath(PICTURE)}")


def draw(model: RankOneCoclustering) -> Figure:
    """Draw the matrix sorted into blocks, with the trees of both sides and what each cluster is."""
    figure = Figure(figsize=(8.6, 5.6), dpi=200, layout="constrained")
    captions = [
        f"{cluster.size} wines\n" + cluster.words.replace("; ", "\n")
        for cluster in model.explain(n=2).rows.clusters
    ]
    BlocksDisplay.from_estimator(model, ax=figure.subplots(), row_captions=captions)
    return figure


if __name__ == "__main__":
    main()
