"""Interactive report: a single HTML file that explains the clusters, and in which to explore them.

The file works offline in any browser. The number of clusters of each side can be changed along the
tree through the clusters or, if these are cuts of scores, along the exact path of the cuts; all
views follow immediately. What can be said without scripts is there without scripts.
"""

from rankone.report.matrix import report
from rankone.report.vector import cut_report
from rankone.report.written import Report

__all__ = ["Report", "cut_report", "report"]
