"""Figure: the sorted vectors of NMF on D4, with and without white noise.

The paper does not say how much noise; all levels of the grid are drawn. A shift makes entries
positive before they are factorised, and is undone here, so that scores are in units of the entries.
"""

from __future__ import annotations

import numpy as np

from rankone.datasets import make_paper
from rankone.paper.cells import NOISE, Cell, Cells
from rankone.paper.page import Picture, Section, Table
from rankone.paper.pictures import draw_noise
from rankone.paper.published import D4_SCORES
from rankone.typing import FloatArray
from rankone.vectors import NMF

CELLS: tuple[Cell, ...] = ()


def sorted_vectors(seed: int = 0) -> dict[float, tuple[FloatArray, FloatArray]]:
    """Return the sorted scores of rows and columns of D4, for each level of noise.

    Examples
    --------
    >>> u, v = sorted_vectors()[0.0]
    >>> bool(np.all(np.diff(u) >= 0)), u.size, v.size
    (True, 300, 300)
    """
    found = {}
    for noise in NOISE:
        data = make_paper("D4", noise, random_state=seed).data
        shift = min(float(data.min()), 0.0)
        vectors = NMF(negative="shift").extract(data)
        mean = float(data.mean()) - shift
        found[noise] = np.sort(vectors.row) * mean + shift, np.sort(vectors.column) * mean + shift
    return found


def section(cells: Cells, seed: int) -> Section:
    """Say where the steps are, and what noise makes of them."""
    found = sorted_vectors(seed)
    clean = found[0.0][0]
    steps = _steps(clean), _steps(found[0.0][1])
    inside = (clean.min() >= D4_SCORES[0]) and (clean.max() <= D4_SCORES[1])
    return Section(
        "The sorted vectors of D4",
        f"Clear steps without noise, blurred ones with it; u lies between {D4_SCORES[0]:g} and "
        f"{D4_SCORES[1]:g}.",
        (float(steps == (5, 4)) + float(inside)) / 2,
        f"Without noise, u has {steps[0]} steps and v {steps[1]} (truth: 5 and 4). u lies between "
        f"{clean.min():.2f} and {clean.max():.2f}, "
        + ("as in the paper." if inside else "not as in the paper, whose blocks must be others."),
        [
            "Scores in units of the entries, one draw of D4. A *step* is a gap between sorted "
            "scores wider than a tenth of their range.",
            Picture("noise", draw_noise(found), "Sorted vectors u and v of D4, by level of noise"),
            Table(
                ("s", "u from", "to", "steps", "v from", "to", "steps"),
                [
                    (
                        f"{noise:g}",
                        *(
                            text
                            for w in (u, v)
                            for text in (f"{w.min():.2f}", f"{w.max():.2f}", str(_steps(w)))
                        ),
                    )
                    for noise, (u, v) in found.items()
                ],
            ),
        ],
    )


def _steps(scores: FloatArray) -> int:
    return int((np.diff(scores) > 0.1 * np.ptp(scores)).sum()) + 1
