"""
The vectors of Step 1
=====================

Each method gives one score to every row of a matrix. On a noisy matrix with three groups of rows,
the scores of most methods have three steps; those of CCOT-GW are blurred.
"""

import matplotlib.pyplot as plt
import numpy as np

from rankone import CCOTGW, NMF, SVD, Fiedler, Marginal, PageRank, SortedPotts
from rankone.datasets import make_paper
from rankone.metrics import error_rate
from rankone.plotting import COLOURS

blocks = make_paper("D1", noise=1, random_state=0)
data = blocks.data - blocks.data.min()
methods = Marginal(), NMF(beta=2), SVD(), PageRank(), Fiedler("rbf"), CCOTGW(epsilon=1.0)

figure, panels = plt.subplots(2, 3, figsize=(8.6, 4.8), layout="constrained")
for method, axes in zip(methods, panels.flat, strict=True):
    score = method.extract(data).row
    labels = SortedPotts(n_clusters=3).cut(score).labels
    order, colours = np.argsort(score), np.array(COLOURS)[blocks.row_labels]
    axes.scatter(np.arange(score.size), score[order], s=4, c=colours[order])
    title = f"{type(method).__name__}: error {error_rate(blocks.row_labels, labels):.1%}"
    axes.set_title(title, loc="left", fontsize=10)
    axes.spines[["top", "right"]].set_visible(False)
    axes.set_xticks([])

# %%
# Sorted scores, coloured by the true groups. The error is the share of rows in the wrong cluster,
# after the exact cut into three. See :doc:`the guide </vectors>` for what each method computes and
# accepts, and :doc:`the paper </paper>` for all of them on all data sets and levels of noise.
