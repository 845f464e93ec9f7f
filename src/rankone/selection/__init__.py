"""Selection of the number of clusters: by silhouettes, or by the noise of the scores."""

from rankone.selection.choice import PENALTIES, SELECTIONS, Choice, MaxClustersWarning, choose
from rankone.selection.dip import DipTest, dip_test
from rankone.selection.mixtures import MixtureCurve, mixture_curve
from rankone.selection.noise import score_noise
from rankone.selection.silhouettes import silhouette, silhouette_path

__all__ = [
    "PENALTIES",
    "SELECTIONS",
    "Choice",
    "DipTest",
    "MaxClustersWarning",
    "MixtureCurve",
    "choose",
    "dip_test",
    "mixture_curve",
    "score_noise",
    "silhouette",
    "silhouette_path",
]
