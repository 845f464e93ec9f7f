"""Figure 7: the number of steps and the silhouettes along lam, on noisy D4.

The paper increases lam along the interval [0.1, 1.5], in 15 steps, and stops "when the silhouette
stabilizes or starts decreasing". Three readings of this rule are compared with the largest
silhouette over 2 to 20 clusters, which our learners use (``selection="silhouette"``), as do all
other results of this package. The rule depends on the scale of the vector, which the paper does not
state, and the largest silhouette over numbers of clusters does not.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rankone.cuts import SortedPotts, SortedPottsPath, sorted_potts_path
from rankone.datasets import make_paper
from rankone.paper.candidates import MAX_CLUSTERS
from rankone.paper.cells import NOISE, UNIT, Cell, Cells
from rankone.paper.draws import Figures, nmi
from rankone.paper.page import Picture, Section, Table
from rankone.paper.pictures import draw_lam
from rankone.selection import PENALTIES, choose, silhouette_path
from rankone.selection.choice import TOLERANCE
from rankone.typing import FloatArray
from rankone.vectors import NMF, Marginal, Vectors

EXPERIMENT = "stopping"
CELLS = tuple(("D4", noise) for noise in NOISE)

#: The level of noise in the picture, and the power p of the objective, as in the paper's figures.
SHOWN, P = UNIT, 1

#: The rules, and the scales of u on which they are compared; the first of each is that of the rest
#: of the page.
OURS, FALL, STABLE, GRID = (
    "largest of 2 to 20 clusters",
    "first fall on the grid",
    "first fall or standstill on the grid",
    "largest on the grid",
)
RULES = (OURS, FALL, STABLE, GRID)
SCALES = ("NMF, mean one", "Marginal, mean one", "Marginal, as extracted")


def draw(data: str, noise: float, seed: int) -> Figures:
    """Select the numbers of clusters by each rule on each scale, for one draw of a data set."""
    blocks = make_paper(data, noise, random_state=seed)
    figures: Figures = {}
    for scale, vectors in on_scales(blocks.data).items():
        for side, u, truth in (
            ("rows", vectors.row, blocks.row_labels),
            ("columns", vectors.column, blocks.column_labels),
        ):
            path = path_along_grid(u)
            for rule in RULES:
                k = choose_by(rule, path)
                figures[f"{scale}/{side}/{rule}/number"] = float(k)
                figures[f"{scale}/{side}/{rule}/NMI"] = nmi(truth, path.at(n_clusters=k).labels)
    return {name: round(value, 6) for name, value in figures.items()}


def on_scales(data: FloatArray) -> dict[str, Vectors]:
    """Return the vectors of a matrix on each scale."""
    by_nmf, by_marginal = NMF(negative="shift"), Marginal()
    methods = (
        by_nmf.extract(data),
        by_marginal.extract(data, scale="mean"),
        by_marginal.extract(data),
    )
    return dict(zip(SCALES, methods, strict=True))


def path_along_grid(u: FloatArray, p: int = P) -> SortedPottsPath:
    """Return a path with all numbers of clusters that the penalties of the grid choose."""
    most = SortedPotts(p, lam=PENALTIES[0]).cut(u).n_clusters
    return sorted_potts_path(u, p, max(most, MAX_CLUSTERS))


def choose_by(rule: str, path: SortedPottsPath) -> int:
    """Return the number of clusters that a rule selects on a path.

    Examples
    --------
    >>> path = path_along_grid(np.repeat([1.0, 2.0, 4.0], 20))
    >>> [choose_by(rule, path) for rule in RULES]
    [3, 3, 3, 3]
    """
    if rule == FALL:
        return choose(path, "silhouette-first", tolerance=-TOLERANCE).n_clusters
    if rule == STABLE:
        return choose(path, "silhouette-first").n_clusters
    silhouettes = silhouette_path(path)
    if rule == OURS:
        return int(np.nanargmax(silhouettes[:MAX_CLUSTERS])) + 1
    numbers = np.array([path.at(lam=lam).n_clusters for lam in PENALTIES])
    several = numbers[numbers > 1]
    return int(several[np.argmax(silhouettes[several - 1])]) if several.size else 1


@dataclass(frozen=True, eq=False)
class Along:
    """The path of one side of one draw.

    Attributes
    ----------
    path : SortedPottsPath
        The path from 1 to 20 clusters or more.
    silhouettes : ndarray
        The silhouette for each number of clusters, NaN for a single cluster.
    truth : int
        The true number of groups.
    """

    path: SortedPottsPath
    silhouettes: FloatArray
    truth: int

    @property
    def normalised(self) -> FloatArray:
        """The silhouettes rescaled to the range from 0 to 1, as in the paper."""
        low, high = np.nanmin(self.silhouettes), np.nanmax(self.silhouettes)
        return np.asarray((self.silhouettes - low) / (high - low))


def along_lam(seed: int = 0) -> tuple[Along, Along]:
    """Compute the paths of the rows and columns of one noisy D4.

    Examples
    --------
    >>> rows, columns = along_lam()
    >>> rows.truth, columns.truth, bool((np.diff(rows.path.lam) <= 0).all())
    (5, 4, True)
    """
    blocks = make_paper("D4", SHOWN, random_state=seed)
    vectors = NMF(negative="shift").extract(blocks.data)
    rows, columns = (
        Along(path, silhouette_path(path), int(np.unique(truth).size))
        for path, truth in (
            (path_along_grid(vectors.row), blocks.row_labels),
            (path_along_grid(vectors.column), blocks.column_labels),
        )
    )
    return rows, columns


def section(cells: Cells, seed: int) -> Section:
    """Describe the numbers of clusters that the rules select."""
    shown = along_lam(seed)
    decreases = all((np.diff(side.path.lam) <= 0).all() for side in shown)
    cell = ("D4", SHOWN)
    right = {rule: _share(cells, cell, rule) for rule in RULES}
    listed = "; ".join(
        f"{rule}, {right[rule]:.0%} (NMI {cells.mean(cell, _name(SCALES[0], 'rows', rule)):.3f})"
        for rule in RULES
    )
    return Section(
        "Figure 7: the number of clusters along λ_reg",
        "The number of steps decreases with λ_reg, and the silhouette shows where to stop.",
        (float(decreases) + float(np.mean([right[rule] for rule in (FALL, STABLE, GRID)]))) / 2,
        f"The share of draws of D4 at s = {SHOWN:g} in which each rule finds the five groups of "
        f"rows, with u of NMF of mean one: {listed}. On other scales of u, the paper's interval "
        "selects other numbers.",
        [
            "The appendix raises λ_reg along the interval [0.1, 1.5], with 15 points on the axis "
            f"of its figure: {PENALTIES[0]:g}, {PENALTIES[1]:g}, ..., {PENALTIES[-1]:g}. It stops "
            'when the silhouette "stabilizes or starts decreasing". *First fall* stops before the '
            f"silhouette falls by more than {TOLERANCE:g}. *Standstill* also stops where it rises "
            f"by no more than {TOLERANCE:g}, in particular where two penalties choose the same "
            'clusters; this is `selection="silhouette-first"`. *Largest on the grid* takes the '
            "penalty with the largest silhouette of the 15. *Largest of 2 to 20 clusters* needs "
            'no interval and no scale; this is `selection="silhouette"`, and the rule of Table '
            "1 and of the claims.",
            f"One draw of D4 with s = {SHOWN:g}, u and v of NMF, sorted l1-Potts. The path is "
            "exact: it contains the best partition for every penalty. The shaded band is the "
            "paper's interval, and dots are its 15 penalties. Silhouettes are rescaled to the "
            "range from 0 to 1, as in the paper.",
            Picture("lam", draw_lam(*shown), "Numbers of steps and silhouettes along lambda_reg"),
            f"**By level of noise** (u and v of NMF, mean one; {cells.n_draws} draws of D4): the "
            "number of clusters that each rule selects, median, for rows / columns, with the mean "
            "NMI in parentheses. The true numbers are 5 / 4.",
            Table(("s", *RULES), [(f"{s:g}", *_texts(cells, (d, s))) for d, s in CELLS]),
            f"**By scale** (rows, s = {SHOWN:g}, {cells.n_draws} draws): the median number of "
            "clusters, the share of draws with the correct number, and the NMI. *NMF, mean one*: "
            "the minimum of the matrix is subtracted before the factorisation. *Marginal, mean "
            "one*: row means divided by their mean, the closed form of NMF without subtraction. "
            "*Marginal, as extracted*: row means. The three differ only by an affine map.",
            _by_scale(cells),
        ],
    )


def _name(scale: str, side: str, rule: str, figure: str = "NMI") -> str:
    return f"{scale}/{side}/{rule}/{figure}"


def _share(cells: Cells, cell: Cell, rule: str, scale: str = SCALES[0]) -> float:
    """Return the share of draws in which a rule finds the five groups of rows."""
    return float((cells.values(cell, _name(scale, "rows", rule, "number")) == 5).mean())


def _by_scale(cells: Cells) -> Table:
    cell, rows = ("D4", SHOWN), []
    for scale in SCALES:
        texts = []
        for rule in RULES:
            number = np.median(cells.values(cell, _name(scale, "rows", rule, "number")))
            agreement = cells.mean(cell, _name(scale, "rows", rule))
            texts.append(f"{number:g}; {_share(cells, cell, rule, scale):.0%}; {agreement:.3f}")
        rows.append((scale, *texts))
    return Table(("", *RULES), rows)


def _texts(cells: Cells, cell: Cell) -> list[str]:
    texts, sides = [], ("rows", "columns")
    for rule in RULES:
        names = [_name(SCALES[0], side, rule, "number") for side in sides]
        numbers = " / ".join(f"{np.median(cells.values(cell, name)):g}" for name in names)
        means = [cells.mean(cell, _name(SCALES[0], side, rule)) for side in sides]
        texts.append(f"{numbers} ({means[0]:.3f} / {means[1]:.3f})")
    return texts
