"""Kernels that find which columns are joined by ones of a row."""

from __future__ import annotations

import numpy as np

from rankone._kernel import inlined, kernel


@kernel
def join_pattern(indices, indptr, n):
    """Return a root for each column of a sparse pattern: columns joined by rows have the same.

    Stop as soon as all columns are joined, which is early in most matrices.
    """
    parents = np.arange(n)
    apart = n
    for i in range(indptr.size - 1):
        if apart == 1:
            break
        first = -1
        for e in range(indptr[i], indptr[i + 1]):
            first, joined = join(parents, first, np.int64(indices[e]))
            apart -= joined
    point_to_roots(parents)
    return parents


@kernel
def join_packed(bits, n):
    """Do the same for packed bits; bit k of byte g belongs to column 8 g + k."""
    m, width = bits.shape
    parents = np.arange(n)
    apart = n
    for i in range(m):
        if apart == 1:
            break
        first = -1
        for g in range(width):
            byte = bits[i, g]
            if byte == 0:
                continue
            for k in range(8):
                if byte >> k & 1:
                    first, joined = join(parents, first, 8 * g + k)
                    apart -= joined
    point_to_roots(parents)
    return parents


@inlined
def join(parents, first, node):
    """Join a node to the root ``first`` (-1 if there is none yet); return the root, and 0 or 1.

    It is 1 if the node and the root were apart before.
    """
    root = find_root(parents, node)
    if first < 0:
        return root, 0
    if root == first:
        return first, 0
    parents[root] = first
    return first, 1


@inlined
def find_root(parents, node):
    """Follow the parents to the root, and shorten the path for the next call."""
    while parents[node] != node:
        parents[node] = parents[parents[node]]
        node = parents[node]
    return node


@inlined
def point_to_roots(parents):
    """Make the root of each node its parent."""
    for node in range(parents.size):
        parents[node] = find_root(parents, node)
