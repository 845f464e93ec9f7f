"""Figure 5: the sorted vectors of NMF on D4, with and without white noise.

The paper does not state its level of noise; all levels of the grid are drawn. Entries are shifted
to be nonnegative before the factorisation. The shift is undone here, so that scores are in units of
the entries.
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
    """Return the sorted row and column scores of D4 for each level of noise.

    Examples
    --------
    >>> u, v = sorted_vectors()[0.0]
    >>> bool(np.all(np.diff(u) >= 0)), u.size, v.size
    (True, 300, 300)
    """
    scores = {}
    for noise in NOISE:
        data = make_paper("D4", noise, random_state=seed).data
        shift = min(float(data.min()), 0.0)
        vectors = NMF(negative="shift").extract(data)
        mean = float(data.mean()) - shift
        scores[noise] = np.sort(vectors.row) * mean + shift, np.sort(vectors.column) * mean + shift
    return scores


def section(cells: Cells, seed: int) -> Section:
    """Describe the steps with and without noise."""
    scores = sorted_vectors(seed)
    clean = scores[0.0][0]
    steps = _steps(clean), _steps(scores[0.0][1])
    in_range = (clean.min() >= D4_SCORES[0]) and (clean.max() <= D4_SCORES[1])
    return Section(
        "Figure 5: sorted u and v of D4",
        f"The steps are clear without noise and blurred with noise; u lies between "
        f"{D4_SCORES[0]:g} and {D4_SCORES[1]:g}.",
        (float(steps == (5, 4)) + float(in_range)) / 2,
        f"Without noise, u has {steps[0]} steps and v has {steps[1]} (true numbers: 5 and 4). u "
        f"lies between {clean.min():.2f} and {clean.max():.2f}, "
        + ("as in the paper." if in_range else "unlike in the paper, whose blocks must differ."),
        [
            "Scores in units of the entries, for one draw of D4. A new *step* starts at each gap "
            "between sorted scores that is wider than a tenth of their range.",
            Picture("noise", draw_noise(scores), "Sorted vectors u and v of D4, by level of noise"),
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
                    for noise, (u, v) in scores.items()
                ],
            ),
        ],
    )


def _steps(scores: FloatArray) -> int:
    return int((np.diff(scores) > 0.1 * np.ptp(scores)).sum()) + 1
