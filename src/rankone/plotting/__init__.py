"""Pictures of vectors, blocks and paths, in the manner of scikit-learn's displays.

A display is made from data, or from a fitted learner by ``from_estimator``. ``plot`` draws it, on
given axes or on a new figure, and returns the display, whose attributes then hold what was drawn.
Matplotlib is loaded when something is drawn, not before.
"""

from rankone.plotting._common import COLOURS, MISSING
from rankone.plotting.blocks import BlocksDisplay
from rankone.plotting.paths import PathDisplay
from rankone.plotting.vectors import VectorDisplay

__all__ = ["COLOURS", "MISSING", "BlocksDisplay", "PathDisplay", "VectorDisplay"]
