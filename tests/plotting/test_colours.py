"""Colours of clusters can be told apart, also by the colour-blind, and stay with a cluster."""

import numpy as np
import pytest

from rankone.matrix import as_matrix
from rankone.plotting import COLOURS
from rankone.plotting.colours import node_colours
from rankone.tree import grow

#: Linear RGB as seen with three kinds of colour blindness (Machado, Oliveira and Fernandes 2009).
VISION = {
    "normal": np.eye(3),
    "protanopia": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deuteranopia": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "tritanopia": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
}
TO_XYZ = [
    [0.4124564, 0.3575761, 0.1804375],
    [0.2126729, 0.7151522, 0.0721750],
    [0.0193339, 0.1191920, 0.9503041],
]


def lab(colours, vision):
    """Return colours in CIELAB, as seen with some kind of vision."""
    rgb = np.array([[int(colour[i : i + 2], 16) for i in (1, 3, 5)] for colour in colours]) / 255
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    seen = np.clip(linear @ np.array(VISION[vision]).T, 0, 1)
    xyz = seen @ np.array(TO_XYZ).T / [0.95047, 1.0, 1.08883]
    f = np.where(xyz > 216 / 24389, np.cbrt(xyz), (24389 / 27 * xyz + 16) / 116)
    return np.column_stack(
        [116 * f[:, 1] - 16, 500 * (f[:, 0] - f[:, 1]), 200 * (f[:, 1] - f[:, 2])]
    )


@pytest.mark.parametrize("vision", VISION)
def test_colours_of_clusters_can_be_told_apart(vision):
    """A difference of 2.3 is just noticeable; neighbours in a picture have successive numbers."""
    points = lab(COLOURS, vision)
    distances = np.sqrt(((points[:, None] - points) ** 2).sum(axis=2))
    np.fill_diagonal(distances, np.inf)
    assert len(COLOURS) >= 20
    assert distances.min() > 12
    assert np.diag(distances, 1).min() > 17


def test_clusters_keep_their_colours_when_the_tree_is_cut_elsewhere():
    rng = np.random.default_rng(0)
    centres = rng.normal(scale=3, size=(4, 6))
    tree = grow(as_matrix(centres[rng.integers(0, 4, 80)] + rng.normal(size=(80, 6))), 4, 10)
    colours = node_colours(tree)
    assert colours[tree.nodes_at(4)].tolist() == [0, 1, 2, 3]
    for k in range(1, tree.n_leaves + 1):
        assert np.unique(colours[tree.nodes_at(k)]).size == k
    for node in range(tree.n_leaves, 2 * tree.n_leaves - 1):
        parts = tree.children[node - tree.n_leaves]
        larger = parts[tree.sizes[parts].argmax()]
        assert colours[node] == colours[larger]
