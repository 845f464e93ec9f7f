"""
Cells and their markers
=======================

700 blood cells and 765 genes, in the annotated data (AnnData) of scanpy: labels go into
``adata.obs``, and markers are the genes that set clusters apart. There is no resolution to choose.
"""

import pandas as pd
import scanpy as sc

from rankone import RankOneClustering
from rankone.contrib.anndata import markers

adata = sc.datasets.pbmc68k_reduced()
model = RankOneClustering().fit(adata.raw.to_adata())
model.annotate(adata)
print(adata.obs[["rankone", "rankone_confidence"]].head())
print()
print(model.explain(n=4))

# %%
# Compared with the types of cells that came with the data: lymphocytes (T and NK cells, then B
# cells), dendritic cells, and monocytes. Subtypes of T cells are not told apart by as few genes and
# cells as these; the learner does not pretend to.
print(pd.crosstab(adata.obs["bulk_labels"], adata.obs["rankone"]))

# %%
# ``markers`` works with any column of ``obs``, here with the clusters that came with the data. Its
# effect is a lift: how much more of a gene there is than the sums of cells and genes lead one to
# expect.
table = markers(adata, "louvain", n=3, layer="raw")
print(table[table["direction"] == "high"].head(6).to_string(index=False))

# %%
# Labels are categories, which scanpy's functions accept as they are. Here they colour the embedding
# that came with the data; the legend names three markers of each cluster.
import matplotlib.pyplot as plt

from rankone.plotting import COLOURS

figure, axes = plt.subplots(figsize=(8.6, 4.6), layout="constrained")
place = adata.obsm["X_umap"]
for k, name in enumerate(adata.obs["rankone"].cat.categories):
    chosen = (adata.obs["rankone"] == name).to_numpy()
    genes = ", ".join(contrast.name for contrast in model.explain(n=3).rows.clusters[k].high)
    axes.scatter(*place[chosen].T, s=8, color=COLOURS[k], label=f"{name}: {genes}")
axes.legend(frameon=False, fontsize=8, loc="upper right", markerscale=2)
axes.set(xticks=[], yticks=[], xlabel="UMAP 1", ylabel="UMAP 2")
axes.spines[["top", "right"]].set_visible(False)
