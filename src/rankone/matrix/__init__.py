"""What a matrix may be: dense, sparse, with missing entries, memory-mapped.

`as_matrix` takes whatever a user has and returns what Step 1 sees: a `Matrix`, known by its shape,
its transpose, its products with vectors, and its sums. The matrix is checked, and summed, in one
sweep.
"""

from rankone.matrix.base import Matrix
from rankone.matrix.groups import Groups, comparable_groups
from rankone.matrix.observed import Observed
from rankone.matrix.reading import as_matrix
from rankone.matrix.totals import Totals

__all__ = ["Groups", "Matrix", "Observed", "Totals", "as_matrix", "comparable_groups"]
