"""Plots of vectors, blocks and paths, modelled on scikit-learn's display classes.

A display is created from data, or from a fitted learner with ``from_estimator``. ``plot`` draws it
on the given axes or on a new figure and returns the display, whose attributes then hold the
matplotlib artists. Matplotlib is imported only when something is drawn.
"""

from rankone.plotting._common import COLOURS, MISSING
from rankone.plotting.blocks import BlocksDisplay
from rankone.plotting.paths import PathDisplay
from rankone.plotting.vectors import VectorDisplay

__all__ = ["COLOURS", "MISSING", "BlocksDisplay", "PathDisplay", "VectorDisplay"]
