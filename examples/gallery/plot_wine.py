"""
Wines and their measurements
============================

178 wines from three growers, with 13 chemical measurements each. Rows and columns are clustered
together, nothing is said about the numbers of clusters, and the model never sees the growers.
"""

import pandas as pd
from sklearn.datasets import load_wine

from rankone import Prepare, RankOneCoclustering

wine = load_wine(as_frame=True)
wines = wine.data.rename("wine {}".format)
model = RankOneCoclustering(prepare=Prepare(standardise="columns")).fit(wines)
print(model.explain(n=2))

# %%
# The measurements have different units, so columns are standardised, as a part of the model: new
# wines are prepared alike. How the clusters of wines compare with the growers:
print(pd.crosstab(model.row_labels_, wine.target, rownames=["cluster"], colnames=["grower"]))

# %%
# The matrix sorted into blocks, with the trees of both sides; dashed branches are sections of a
# gradient. Trees go on where the answer ends: ``model.row_tree_.cut(5)`` has five clusters.
import matplotlib.pyplot as plt

from rankone.plotting import BlocksDisplay

figure, axes = plt.subplots(figsize=(8.6, 5.4), layout="constrained")
captions = [
    f"{cluster.size} wines\n" + cluster.words.replace("; ", "\n")
    for cluster in model.explain(n=2).rows.clusters
]
display = BlocksDisplay.from_estimator(model, ax=axes, row_captions=captions)

# %%
# ``model.report("wine.html")`` writes all of this as a page to explore, and
# ``rankone fit wine.csv --standardise --report wine.html`` does it from a file.
