"""Kernels of the tree: principal directions of groups of points, exact cuts in two, and k-means."""

from __future__ import annotations

import numpy as np

from rankone._kernel import inlined, kernel

#: The principal directions of a group along which a cut is tried.
DIRECTIONS = 3

#: Rounds of power iteration in which the leading direction of a group is found, roughly.
ROUNDS = 10


@kernel
def scatter_of(points, weights, members, mean):
    """Write the mean of some points to ``mean``, and return their scatter matrix."""
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
    return scatter


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


@inlined
def project(points, members, mean, direction, scores):
    """Write the scores of some points along a direction from their mean."""
    for i in range(members.size):
        scores[i] = 0.0
        for a in range(direction.size):
            scores[i] += direction[a] * (points[members[i], a] - mean[a])


@kernel
def rough_gains(points, weights, order, starts):
    """Return what cuts of groups along their leading directions explain, roughly.

    Group g holds the points ``order[starts[g]:starts[g + 1]]``. Its leading direction is that of a
    few rounds of power iteration, which take a fraction of the time of `bisect`.
    """
    r, n_groups = points.shape[1], starts.size - 1
    gains, mean = np.zeros(n_groups), np.empty(r)
    for g in range(n_groups):
        members = order[starts[g] : starts[g + 1]]
        if members.size < 2 or r == 0:
            continue
        scatter = scatter_of(points, weights, members, mean)
        direction = scatter[np.argmax(np.diag(scatter))].copy()
        for _ in range(ROUNDS):
            length = np.sqrt((direction * direction).sum())
            if length == 0.0:
                break
            direction = scatter @ (direction / length)
        if length > 0.0:
            scores = np.empty(members.size)
            project(points, members, mean, direction / np.sqrt((direction**2).sum()), scores)
            gains[g] = cut_in_two(scores, weights[members])[0]
    return gains


@kernel
def bisect(points, weights, members, least):
    """Cut a group of points in two, where its projection on a principal direction says.

    Each projection is cut exactly, and the one whose cut explains most is kept.

    Parameters
    ----------
    points : ndarray of shape (m, r)
    weights : ndarray of shape (m,)
    members : ndarray of int
        The points of the group.
    least : float
        What a cut must explain; nothing else is looked for.

    Returns
    -------
    gain : float
        The squared distance that the cut of the projection explains; zero if there is no such cut.
    upper : ndarray of bool
        Which of the members are above the cut.
    """
    r = points.shape[1]
    best, upper = 0.0, np.zeros(members.size, np.bool_)
    if members.size < 2 or r == 0:
        return best, upper
    mean, scores, sizes = np.empty(r), np.empty(members.size), weights[members]
    values, directions = np.linalg.eigh(scatter_of(points, weights, members, mean))
    for d in range(r - 1, max(r - 1 - DIRECTIONS, -1), -1):
        if values[d] <= max(best, least):  # no cut along this direction explains more than that
            break
        project(points, members, mean, directions[:, d], scores)
        gain, threshold = cut_in_two(scores, sizes)
        if gain > max(best, least):
            best, upper = gain, scores > threshold
    return best, upper


@kernel
def lloyd(points, weights, labels, n_groups, max_iter):
    """Move points to the nearest mean until none moves (k-means); return the labels.

    A group that loses all its points stays empty.
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
