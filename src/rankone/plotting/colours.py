"""The colours of clusters and of entries, the same in pictures and reports."""

from __future__ import annotations

import numpy as np

from rankone._arithmetic import ratio
from rankone.tree import Tree
from rankone.typing import FloatArray, IntArray

#: The colours of clusters 0, 1, ...: six of Okabe and Ito, then those that are farthest from all
#: before, as seen by people with normal vision and with any of the three kinds of colour
#: blindness. They differ in hue and lightness; pictures number their clusters as well.
COLOURS = (
    *("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#6B2910", "#B5DE8C"),
    *("#3A3A52", "#EFC5C5", "#9484FF", "#AD5A31", "#6B4A42", "#003AA5", "#B5A54A", "#10E6F7"),
    *("#73197B", "#8CAD6B", "#9C4A84", "#CED65A", "#F77B94", "#6B5ACE", "#EFA5CE", "#946B52"),
)

#: Colours of entries from low to high: of one sign, and of both signs.
ONE_SIGN = ((246, 248, 250), (189, 214, 236), (98, 163, 209), (33, 104, 168), (9, 44, 98))
TWO_SIGNS = ((5, 48, 97), (67, 147, 195), (247, 247, 247), (214, 96, 77), (103, 0, 31))


#: How much of the colour of its block a missing entry has; the rest is white.
PALE = 0.38


def block_means(cells: FloatArray, row_borders: IntArray, column_borders: IntArray) -> FloatArray:
    """Return the mean of the observed cells of its block, for each cell; NaN if there is none.

    Examples
    --------
    >>> block_means(np.array([[1.0, np.nan, 5.0]]), np.array([0, 1]), np.array([0, 2, 3]))
    array([[1., 1., 5.]])
    """
    observed = ~np.isnan(cells)

    def sums(of_cells: FloatArray) -> FloatArray:
        of_rows = np.add.reduceat(of_cells, row_borders[:-1], axis=0)
        return np.asarray(np.add.reduceat(of_rows, column_borders[:-1], axis=1))

    means = ratio(sums(np.where(observed, cells, 0.0)), sums(observed.astype(float)))
    means[sums(observed.astype(float)) == 0] = np.nan
    rows, columns = np.diff(row_borders), np.diff(column_borders)
    return np.repeat(np.repeat(means, rows, axis=0), columns, axis=1)


def colour_limits(cells: FloatArray) -> tuple[float, float]:
    """Return the least and the largest value that has a colour of its own.

    These are the first and last percentiles; if zero lies between them, they are symmetric around
    it. NaN stands for cells without a value.

    Examples
    --------
    >>> colour_limits(np.array([[-1.0, 3.0], [np.nan, 3.0]]))
    (-3.0, 3.0)
    """
    values = cells[~np.isnan(cells)]
    low, high = np.percentile(values, [1, 99])
    if low == high:  # few entries differ from the rest, as those of a sparse matrix from zero
        low, high = values.min(), values.max()
    if low < 0 < high:
        low, high = min(low, -high), max(-low, high)
    return float(low), float(high)


def ratio_limits(cells: FloatArray) -> tuple[float, float]:
    """Return the same for logarithms (base 2) of ratios: symmetric, from 8 to 16 times.

    Examples
    --------
    >>> ratio_limits(np.array([[-9.0, 0.5]])), ratio_limits(np.array([[-0.1, 0.5]]))
    ((-4.0, 4.0), (-3.0, 3.0))
    """
    end = float(np.clip(np.abs(colour_limits(cells)).max(), 3.0, 4.0))
    return -end, end


def node_colours(tree: Tree) -> IntArray:
    """Return the number of the colour of each node of a tree.

    Clusters of the answer have the colours of their labels. A node above them has the colour of its
    larger part; of two parts below, the larger one keeps the colour, and the other one has a colour
    of its own. So clusters keep their colours where a tree is cut into another number.

    Examples
    --------
    >>> from rankone.matrix import as_matrix
    >>> from rankone.tree import grow
    >>> tree = grow(as_matrix([[9.0, 1.0], [9.0, 2.0], [1.0, 8.0], [2.0, 8.0], [1.0, 7.0]]), 2)
    >>> node_colours(tree)[tree.nodes_at(2)]
    array([0, 1])
    """
    colours = np.zeros(2 * tree.n_leaves - 1, np.intp)
    answer = tree.nodes_at(tree.n_clusters)
    colours[answer] = np.arange(tree.n_clusters)
    first_split = 2 * tree.n_leaves - tree.n_clusters  # this node and later ones are undone
    following = tree.n_clusters
    for node in range(first_split - 1, tree.n_leaves - 1, -1):
        larger, smaller = _by_size(tree, node)
        colours[larger], colours[smaller] = colours[node], following
        following += 1
    for node in range(first_split, 2 * tree.n_leaves - 1):
        colours[node] = colours[_by_size(tree, node)[0]]
    return colours


def _by_size(tree: Tree, node: int) -> tuple[int, int]:
    """Return the larger and the smaller part of a node."""
    lower, upper = (int(child) for child in tree.children[node - tree.n_leaves])
    return (lower, upper) if tree.sizes[lower] >= tree.sizes[upper] else (upper, lower)
