"""Plots of vectors, blocks, paths and trees, modelled on scikit-learn's display classes.

A display is created from data, or from a fitted learner with ``from_estimator``. ``plot`` draws it
on the given axes or on a new figure and returns the display, whose attributes then hold the
matplotlib artists. Matplotlib is imported only when something is drawn.
"""

from rankone.plotting._common import MISSING
from rankone.plotting.blocks import BlocksDisplay
from rankone.plotting.colours import COLOURS
from rankone.plotting.dendrogram import DendrogramDisplay, dendrogram
from rankone.plotting.paths import PathDisplay
from rankone.plotting.vectors import VectorDisplay

__all__ = [
    "COLOURS",
    "MISSING",
    "BlocksDisplay",
    "DendrogramDisplay",
    "PathDisplay",
    "VectorDisplay",
    "dendrogram",
]
