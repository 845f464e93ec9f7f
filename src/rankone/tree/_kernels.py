"""Kernels of the tree: principal directions of groups of points, exact cuts in two, and k-means."""

from __future__ import annotations

import numpy as np

from rankone._kernel import kernel

#: The principal directions of a group along which a cut is tried.
DIRECTIONS = 3

#: Steps of the power iteration, and the squared change of a direction at which it ends.
POWER_STEPS, SETTLED = 60, 1e-10


@kernel
def scatter_of(points, weights, members, mean):
    """Write the mean of some points to ``mean``; return their scatter matrix and their weight."""
    r = points.shape[1]
    scatter, total = np.zeros((r, r)), 0.0
    mean[:] = 0.0
    for i in members:
        total += weights[i]
        for a in range(r):
            mean[a] += weights[i] * points[i, a]
    mean /= total
    deviation = np.empty(r)
    for i in members:
        for a in range(r):
            deviation[a] = points[i, a] - mean[a]
        for a in range(r):
            scaled = weights[i] * deviation[a]
            for b in range(a + 1):
                scatter[a, b] += scaled * deviation[b]
    for a in range(r):
        for b in range(a):
            scatter[b, a] = scatter[a, b]
    return scatter, total


@kernel
def principal_direction(scatter, direction):
    """Write the leading eigenvector of a scatter matrix to ``direction``; return its eigenvalue."""
    r = scatter.shape[0]
    widest = 0
    for a in range(r):
        if scatter[a, a] > scatter[widest, widest]:
            widest = a
    if scatter[widest, widest] <= 0.0:
        return 0.0
    direction[:] = scatter[widest]
    direction /= np.sqrt((direction * direction).sum())
    product, value = np.empty(r), 0.0
    for _ in range(POWER_STEPS):
        for a in range(r):
            product[a] = 0.0
            for b in range(r):
                product[a] += scatter[a, b] * direction[b]
        value = np.sqrt((product * product).sum())
        if value == 0.0:
            return 0.0
        change = 0.0
        for a in range(r):
            product[a] /= value
            change += (product[a] - direction[a]) ** 2
            direction[a] = product[a]
        if change < SETTLED:
            break
    return value


@kernel
def cut_in_two(values, weights):
    """Return what the best cut of values in two explains, and a value between the two pieces."""
    order = np.argsort(values)
    total, size = 0.0, 0.0
    for i in range(values.size):
        total += weights[i] * values[i]
        size += weights[i]
    best, threshold = 0.0, 0.0
    below, left = 0.0, 0.0
    for j in range(values.size - 1):
        i = order[j]
        below += weights[i] * values[i]
        left += weights[i]
        lower, upper = values[i], values[order[j + 1]]
        if lower < upper:
            gap = below / left - (total - below) / (size - left)
            gain = gap * gap * left * (size - left) / size
            if gain > best:
                middle = 0.5 * (lower + upper)
                best, threshold = gain, middle if middle < upper else lower
    return best, threshold


@kernel
def best_bisection(points, weights, order, starts):
    """Return the group that a cut in two explains most of, and the side of each of its members.

    Each group is projected on its principal directions, and each projection is cut exactly.

    Parameters
    ----------
    points : ndarray of shape (m, r)
    weights : ndarray of shape (m,)
    order : ndarray of shape (m,)
        The points, group by group.
    starts : ndarray of shape (k + 1,)
        Where each group starts in ``order``.

    Returns
    -------
    group : int
        -1 if no group can be cut.
    upper : ndarray of bool
        Which of its members are above the cut.
    """
    r = points.shape[1]
    mean, direction = np.empty(r), np.empty(r)
    best, group, upper = 0.0, -1, np.zeros(0, np.bool_)
    for g in range(starts.size - 1):
        members = order[starts[g] : starts[g + 1]]
        if members.size < 2:
            continue
        scatter, _ = scatter_of(points, weights, members, mean)
        trace = np.trace(scatter)
        if trace <= best:  # no cut explains more than all there is
            continue
        own = weights[members]
        scores = np.empty(members.size)
        for _ in range(min(DIRECTIONS, r)):
            value = principal_direction(scatter, direction)
            if value <= 1e-14 * trace or value <= best:
                break
            for i in range(members.size):
                score = 0.0
                for a in range(r):
                    score += direction[a] * (points[members[i], a] - mean[a])
                scores[i] = score
            gain, threshold = cut_in_two(scores, own)
            if gain > best:
                best, group, upper = gain, g, scores > threshold
            for a in range(r):
                for b in range(r):
                    scatter[a, b] -= value * direction[a] * direction[b]
    return group, upper


@kernel
def lloyd(points, weights, labels, n_groups, max_iter):
    """Move points to the nearest mean until none moves; return the labels and what is left.

    A group never loses its last member: a point alone is at its own mean.
    """
    m, r = points.shape
    labels = labels.copy()
    means, sizes, half = np.empty((n_groups, r)), np.empty(n_groups), np.empty(n_groups)
    for _ in range(max_iter):
        means[:], sizes[:] = 0.0, 0.0
        for i in range(m):
            g = labels[i]
            sizes[g] += weights[i]
            for a in range(r):
                means[g, a] += weights[i] * points[i, a]
        for g in range(n_groups):
            half[g] = np.inf
            if sizes[g] > 0.0:
                means[g] /= sizes[g]
                half[g] = 0.5 * (means[g] * means[g]).sum()
        products = points @ means.T
        moved = 0
        for i in range(m):
            best = labels[i]
            value = products[i, best] - half[best]
            for g in range(n_groups):
                if products[i, g] - half[g] > value:
                    value, best = products[i, g] - half[g], g
            if best != labels[i]:
                labels[i] = best
                moved += 1
        if moved == 0:
            break
    return labels
