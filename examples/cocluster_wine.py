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
from rankone.plotting import BlocksDisplay, PathDisplay, VectorDisplay
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
    save(draw(model, values), PICTURE)
    print(f"\nThe picture is in {os.path.relpath(PICTURE)}")


def draw(model: RankOneCoclustering, values: FloatArray) -> Figure:
    """Draw the matrix sorted into blocks, the scores of the wines, and the path."""
    figure = Figure(
        figsize=(13, 4.2), dpi=150, layout=ConstrainedLayoutEngine(w_pad=0.12, h_pad=0.1)
    )
    blocks, scores, path = figure.subplots(1, 3)
    BlocksDisplay.from_estimator(model, values, ax=blocks)
    VectorDisplay.from_estimator(model, ax=scores)
    PathDisplay.from_estimator(model, ax=path)
    return figure


if __name__ == "__main__":
    main()
