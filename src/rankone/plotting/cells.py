"""The cells of a matrix in colours."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rankone.plotting._common import MISSING
from rankone.plotting.colours import ONE_SIGN, PALE
from rankone.typing import FloatArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.image import AxesImage

__all__ = ["draw_cells"]


def draw_cells(
    ax: Axes, drawn: FloatArray, means: FloatArray, limits: tuple[float, float], cmap: Any
) -> tuple[AxesImage, AxesImage | None]:
    """Draw cells in colours; missing ones are pale, in the colour of their block.

    Parameters
    ----------
    ax : Axes
    drawn, means : ndarray
        The cells, NaN where they are missing, and the means of their blocks.
    limits : pair of float
        The values of the first and the last colour.
    cmap : str, Colormap or None

    Returns
    -------
    pair of AxesImage
        The cells, and what is behind those that are missing; None if none is.
    """
    k, n = drawn.shape
    # Cells that are larger than pixels stay sharp; smaller ones are averaged. Averages would smear
    # cells that are small in one direction only along the other one.
    is_fine = n > ax.bbox.width or k > ax.bbox.height
    if is_fine:
        for axis, pixels in enumerate((ax.bbox.height, ax.bbox.width)):
            times = int(np.ceil(2 * pixels / drawn.shape[axis]))
            drawn, means = np.repeat(drawn, times, axis), np.repeat(means, times, axis)
    how: dict[str, Any] = {
        "vmin": limits[0],
        "vmax": limits[1],
        "extent": (0, n, k, 0),  # so that cell i covers the interval from i to i + 1
        "aspect": "auto",
        "interpolation": "antialiased" if is_fine else "nearest",
    }
    colours, missing = _colours(limits, cmap), None
    if np.isnan(drawn).any():
        behind = colours.with_extremes(bad=MISSING)  # of blocks without observed cells
        missing = ax.imshow(means, cmap=behind, alpha=PALE, **how)
    bad = (0.0, 0.0, 0.0, 0.0)
    return ax.imshow(drawn, cmap=colours.with_extremes(bad=bad), **how), missing


def _colours(limits: tuple[float, float], cmap: Any) -> Any:
    """Return the colours that were asked for, or those for values of one sign, or of both."""
    from matplotlib import colormaps
    from matplotlib.colors import LinearSegmentedColormap

    if cmap is None and not limits[0] < 0 < limits[1]:
        anchors = np.array(ONE_SIGN) / 255
        return LinearSegmentedColormap.from_list("rankone", [tuple(rgb) for rgb in anchors])
    return colormaps.get_cmap("RdBu_r" if cmap is None else cmap)
