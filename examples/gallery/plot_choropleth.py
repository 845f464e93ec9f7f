"""
Classes of a map
================

A choropleth map divides values into classes of similar ones. Fisher and Jenks' classes have the
least squared deviation from their means; here they are exact, weighted by population if you like,
and their number can be found. Values are incomes per head of the 48 contiguous United States, in
2009.
"""

import geopandas
import libpysal
import mapclassify
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from rankone.contrib.geopandas import exact_scheme
from rankone.contrib.mapclassify import ExactFisherJenks

states = geopandas.read_file(libpysal.examples.get_path("us48.shp"))
incomes = pd.read_csv(libpysal.examples.get_path("usjoin.csv")).set_index("Name")
states["income"] = states["STATE_NAME"].map(incomes["2009"]).astype(float)
classes = ExactFisherJenks(states["income"], k=5)
print(classes)

# %%
# ``exact_scheme`` gives ``GeoDataFrame.plot`` the same classes, as ``scheme="UserDefined"``.
figure, axes = plt.subplots(figsize=(8.6, 4.4), layout="constrained")
style = {"edgecolor": "#999999", "linewidth": 0.4, "legend": True}
legend = {"loc": "lower left", "fontsize": 8, "fmt": "{:.0f}", "frameon": False}
options = exact_scheme(states["income"], k=5)
states.plot("income", ax=axes, cmap="YlGnBu", legend_kwds=legend, **style, **options)
axes.set_title("Income per head, 2009, in dollars", loc="left", fontsize=11)
axes.set_axis_off()

# %%
# How many classes? Without ``k``, the number with the largest silhouette is taken.
print("classes:", ExactFisherJenks(states["income"]).k)

# %%
# Weights
# -------
# Rates of small counties are noisy. Classes of the rates of sudden infant death in North Carolina,
# 1974 to 1978, are better weighted by births: a county with twice the births counts twice.
counties = geopandas.read_file(libpysal.examples.get_path("sids2.shp"))
rate, births = counties["SIDR74"], counties["BIR74"]
figure, panels = plt.subplots(2, 1, figsize=(8.6, 6.0), layout="constrained")
legend |= {"fmt": "{:.1f}"}
titles = "not weighted", "weighted by births"
for axes, weights, title in zip(panels, (None, births), titles, strict=True):
    options = exact_scheme(rate, k=4, weights=weights)
    counties.plot("SIDR74", ax=axes, cmap="OrRd", legend_kwds=legend, **style, **options)
    axes.set_title(f"Deaths per 1000 births, classes {title}", loc="left", fontsize=11)
    axes.set_axis_off()

# %%
# Why exact?
# ----------
# Sums of squares lose digits if values are large compared with their differences. With 60 values
# around an offset, we compare the squared deviations within the classes of mapclassify's own
# FisherJenks with the least ones. Without an offset, both are the optimum.


def cost(y: np.ndarray, labels: np.ndarray) -> float:
    """Return the squared deviations from the means of classes."""
    return sum(((y[labels == k] - y[labels == k].mean()) ** 2).sum() for k in np.unique(labels))


rng = np.random.default_rng(0)
print("mapclassify", mapclassify.__version__)
print("  offset   optimal draws   largest ratio")
for offset in (0, 200, 2000, 20000):
    ratios = []
    for _ in range(20):
        y = offset + rng.normal(size=60)
        theirs, ours = mapclassify.FisherJenks(y, 5).yb, ExactFisherJenks(y, 5).yb
        ratios.append(cost(y, theirs) / cost(y, ours))
    optimal = sum(ratio < 1 + 1e-6 for ratio in ratios)
    print(f"{offset:8d} {optimal:12d} of 20 {max(ratios):15.2f}")

# %%
# Centring the values first (``y - y.mean()``) is a good habit with any package.
