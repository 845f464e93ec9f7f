"""The learners, as scikit-learn estimators."""

from rankone.estimators.clustering import RankOneClustering
from rankone.estimators.coclustering import RankOneCoclustering
from rankone.estimators.tree import RankOneTree
from rankone.estimators.views import RankOneViews

__all__ = ["RankOneClustering", "RankOneCoclustering", "RankOneTree", "RankOneViews"]
