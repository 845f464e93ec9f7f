"""The learners, as scikit-learn estimators."""

from rankone.estimators.clustering import RankOneClustering
from rankone.estimators.coclustering import RankOneCoclustering

__all__ = ["RankOneClustering", "RankOneCoclustering"]
