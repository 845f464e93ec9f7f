"""Which entries are observed, in parts on top of each other."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components

from rankone.matrix.observed import Everything, Observed, PackedBits
from rankone.typing import FloatArray, IntArray


class Stacked(Observed):
    """M as matrices of zeros and ones on top of each other.

    Parameters
    ----------
    parts : sequence of Observed
        Of the same number of columns.
    """

    def __init__(self, parts: Sequence[Observed]):
        self.parts = tuple(parts)
        ends = np.cumsum([0, *(part.shape[0] for part in parts)]).tolist()
        self._rows = [slice(a, b) for a, b in pairwise(ends)]
        self.shape = (ends[-1], parts[0].shape[1])

    def dot(self, v: FloatArray) -> FloatArray:
        """Return M v."""
        return np.concatenate([part.dot(v) for part in self.parts])

    def dot_transposed(self, u: FloatArray) -> FloatArray:
        """Return M^T u."""
        pairs = zip(self.parts, self._rows, strict=True)
        products = (part.dot_transposed(u[places]) for part, places in pairs)
        return sum(products, np.zeros((self.shape[1], *u.shape[1:])))

    def between(self, rows: IntArray, columns: IntArray, n_groups: int) -> Any:
        """Return which groups of rows meet which groups of columns."""
        pairs = zip(self.parts, self._rows, strict=True)
        return sum(part.between(rows[places], columns, n_groups) * 1.0 for part, places in pairs)

    def within(self, rows: IntArray, columns: IntArray) -> Observed:
        """Return the ones within groups."""
        pairs = zip(self.parts, self._rows, strict=True)
        return Stacked([part.within(rows[places], columns) for part, places in pairs])

    def joined(self) -> tuple[IntArray, IntArray, int]:
        """Return the groups of rows and columns that ones join.

        The groups of the parts, and the columns, are the nodes of a graph; a column joins all
        groups that it is in.
        """
        n = self.shape[1]
        groups, columns, row_nodes, n_nodes = [], [], [], n
        for part in self.parts:
            in_rows, in_columns, n_groups = part.joined()
            seen = np.flatnonzero(in_columns >= 0)
            columns.append(seen)
            groups.append(n_nodes + in_columns[seen])
            row_nodes.append(np.where(in_rows >= 0, n_nodes + in_rows, -1))
            n_nodes += n_groups
        j, g, of_rows = (np.concatenate(arrays) for arrays in (columns, groups, row_nodes))
        graph = sp.coo_array((np.ones(j.size), (j, g)), (n_nodes, n_nodes))
        _, roots = connected_components(graph, directed=False)
        has_one = np.isin(np.arange(n), j)
        names, numbers = np.unique(roots[:n][has_one], return_inverse=True)
        of_columns = np.full(n, -1)
        of_columns[has_one] = numbers
        number_of = np.full(n_nodes, -1)
        number_of[names] = np.arange(names.size)
        return np.where(of_rows >= 0, number_of[roots[of_rows]], -1), of_columns, int(names.size)


def stack(parts: Sequence[Observed]) -> Observed:
    """Return matrices of zeros and ones as one, on top of each other."""
    n = parts[0].shape[1]
    if len(parts) == 1:
        return parts[0]
    if all(isinstance(part, Everything) for part in parts):
        return Everything((sum(part.shape[0] for part in parts), n))
    packed = [part.bits for part in parts if isinstance(part, PackedBits)]
    return PackedBits(np.concatenate(packed), n) if len(packed) == len(parts) else Stacked(parts)
