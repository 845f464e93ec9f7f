"""How far two partitions agree: the adjusted Rand index, and mutual information beyond chance."""

from __future__ import annotations

import numpy as np
from sklearn.metrics.cluster import expected_mutual_information

from rankone._kernel import kernel
from rankone.typing import IntArray

__all__ = ["adjusted_rand", "agree_by_chance", "compare"]


def compare(first: IntArray, second: IntArray) -> tuple[float, float, float]:
    """Return the mutual information less its expectation, the adjusted Rand index, and E[I]."""
    agreement, information = agreement_of(first, second)
    expected = float(expected_mutual_information(contingency(first, second), first.size))
    return information - expected, agreement, expected


def adjusted_rand(first: IntArray, second: IntArray) -> float:
    """Return the adjusted Rand index of two partitions."""
    return agreement_of(first, second)[0]


def agreement_of(first: IntArray, second: IntArray) -> tuple[float, float]:
    """Return the adjusted Rand index and the mutual information of two partitions."""
    return agree(first, second, int(first.max()) + 1, int(second.max()) + 1)


def contingency(first: IntArray, second: IntArray) -> IntArray:
    """Return how many rows are in each pair of groups."""
    shape = int(first.max()) + 1, int(second.max()) + 1
    counts = np.bincount(first * shape[1] + second, minlength=shape[0] * shape[1])
    return counts.reshape(shape).astype(np.int64)


@kernel
def agree(first, second, n_first, n_second):
    """Return the adjusted Rand index and the mutual information, in nats, of two partitions."""
    m = first.size
    table = np.zeros((n_first, n_second))
    for i in range(m):
        table[first[i], second[i]] += 1.0
    rows, columns = table.sum(axis=1), table.sum(axis=0)
    together, information = 0.0, 0.0
    for a in range(n_first):
        for b in range(n_second):
            together += table[a, b] * (table[a, b] - 1.0) / 2
            if table[a, b] > 0.0:
                information += table[a, b] * np.log(table[a, b] * m / (rows[a] * columns[b]))
    in_rows, in_columns = (rows * (rows - 1.0)).sum() / 2, (columns * (columns - 1.0)).sum() / 2
    pairs = m * (m - 1.0) / 2
    expected = in_rows * in_columns / pairs if pairs > 0.0 else 0.0
    largest = (in_rows + in_columns) / 2
    index = (together - expected) / (largest - expected) if largest > expected else 0.0
    return index, information / m


@kernel
def agree_by_chance(first, second, orders, expected):
    """Return the products of information and agreement with a partition in random orders.

    The information is that beyond its expectation; neither factor is negative.
    """
    n_first, n_second = first.max() + 1, second.max() + 1
    products = np.empty(orders.shape[0])
    for t in range(orders.shape[0]):
        index, information = agree(first, second[orders[t]], n_first, n_second)
        products[t] = max(index, 0.0) * max(information - expected, 0.0)
    return products
