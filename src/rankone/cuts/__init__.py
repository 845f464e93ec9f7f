"""Step 2: cuts, which turn a vector into a partition of its coordinates."""

from rankone.cuts.base import Cut, Partition
from rankone.cuts.gaps import LargestGaps, Sign, Threshold
from rankone.cuts.multiscale import Multiscale
from rankone.cuts.path import SortedPottsPath, sorted_potts_path
from rankone.cuts.potts import Potts, potts_partitions
from rankone.cuts.sorted_potts import SortedPotts
from rankone.cuts.total_variation import TotalVariation

__all__ = [
    "Cut",
    "LargestGaps",
    "Multiscale",
    "Partition",
    "Potts",
    "Sign",
    "SortedPotts",
    "SortedPottsPath",
    "Threshold",
    "TotalVariation",
    "potts_partitions",
    "sorted_potts_path",
]
