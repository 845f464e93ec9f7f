"""Step 2: cuts, which turn a vector into a partition of its coordinates."""

from rankone.cuts.base import Cut, Partition
from rankone.cuts.path import SortedPottsPath, sorted_potts_path
from rankone.cuts.potts import Potts
from rankone.cuts.sorted_potts import SortedPotts

__all__ = [
    "Cut",
    "Partition",
    "Potts",
    "SortedPotts",
    "SortedPottsPath",
    "sorted_potts_path",
]
