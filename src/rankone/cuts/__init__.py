from rankone.cuts.sorted_potts import SortedPotts
from rankone.cuts.path import sorted_potts_path
