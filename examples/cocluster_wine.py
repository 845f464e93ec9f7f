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
from matplotlib.layout_engine import ConstrainedLayoutEngine
from sklearn.datasets import load_wine
from sklearn.preprocessing import StandardScaler

from rankone import RankOneCoclustering
from rankone.plotting import BlocksDisplay, dendrogram
from rankone.typing import FloatArray

PICTURE = Path(__file__).parents[1] / "demo" / "wine.png"


def main() -> None:
    """Load the data, fit the model, and show the result."""
    wine = load_wine()
    values = StandardScaler().fit_transform(wine.data)
    model = RankOneCoclustering().fit(values)

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
    save(draw(model, values, wine.feature_names), PICTURE)
    print(f"\nThe picture is in {os.path.relpath(PICTURE)}")


def draw(model: RankOneCoclustering, values: FloatArray, names: list[str]) -> Figure:
    """Draw the matrix sorted into blocks, and the tree of the wines."""
    figure = Figure(
        figsize=(13, 4.2), dpi=150, layout=ConstrainedLayoutEngine(w_pad=0.12, h_pad=0.1)
    )
    blocks, tree = figure.subplots(1, 2, width_ratios=[1, 1.6])
    BlocksDisplay.from_estimator(model, values, ax=blocks)
    dendrogram(model.row_tree_, names=names, ax=tree)
    return figure


if __name__ == "__main__":
    main()
