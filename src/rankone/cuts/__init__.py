"""Step 2: cuts, which turn a vector into a partition of its coordinates."""

from rankone.cuts.base import Cut, CutCapabilities
from rankone.cuts.gaps import LargestGaps, Sign, Threshold, gap_threshold
from rankone.cuts.multiscale import Multiscale
from rankone.cuts.partition import Partition
from rankone.cuts.path import SortedPottsPath, sorted_potts_path
from rankone.cuts.potts import Potts, potts_partitions
from rankone.cuts.potts_path import PottsPath, potts_path
from rankone.cuts.quantiles import Quantiles
from rankone.cuts.sorted_potts import SortedPotts
from rankone.cuts.total_variation import TotalVariation

__all__ = [
    "Cut",
    "CutCapabilities",
    "LargestGaps",
    "Multiscale",
    "Partition",
    "Potts",
    "PottsPath",
    "Quantiles",
    "Sign",
    "SortedPotts",
    "SortedPottsPath",
    "Threshold",
    "TotalVariation",
    "gap_threshold",
    "potts_partitions",
    "potts_path",
    "sorted_potts_path",
]
