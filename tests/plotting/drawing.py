"""Data to draw, and what the tests of several displays need."""

import numpy as np

from rankone.datasets import make_paper

DATA = make_paper("D4", noise=1, missing=0.2, random_state=0).data


def labels_of(rng, n, k):
    """Return labels of which each occurs, in random order."""
    return rng.permutation(np.concatenate([np.arange(k), rng.integers(0, k, n - k)]))


def positions(lines, axis):
    return [segment[0, axis] for segment in lines.get_segments()]


def brute_force(dense, display):
    """Average all entries of each cell, one cell after the other."""
    sorted_ = dense[display.row_order_][:, display.column_order_]
    rows, columns = display.row_edges_, display.column_edges_
    means = np.full((rows.size - 1, columns.size - 1), np.nan)
    for i in range(rows.size - 1):
        for j in range(columns.size - 1):
            cell = sorted_[rows[i] : rows[i + 1], columns[j] : columns[j + 1]]
            if not np.isnan(cell).all():
                means[i, j] = np.nanmean(cell)
    return means
