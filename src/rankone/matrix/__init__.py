"""Matrices of any kind: dense, sparse, with missing entries, memory-mapped.

`as_matrix` checks and sums whatever a user has, in one sweep, and returns a `Matrix`. A kind of
matrix provides its entries tile by tile (`tiled.py`); `products.py` derives what Step 1 needs,
`grouped.py` what refinement needs.
"""

from rankone.matrix.base import Matrix
from rankone.matrix.dense_tile import DenseTile
from rankone.matrix.groups import Groups, comparable_groups
from rankone.matrix.observed import Observed
from rankone.matrix.reading import as_matrix, submatrix
from rankone.matrix.sparse_tile import SparseTile
from rankone.matrix.tiles import Tile
from rankone.matrix.totals import Totals

__all__ = [
    "DenseTile",
    "Groups",
    "Matrix",
    "Observed",
    "SparseTile",
    "Tile",
    "Totals",
    "as_matrix",
    "comparable_groups",
    "submatrix",
]
