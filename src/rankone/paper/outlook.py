"""Outlook: what further rank-one steps tell, and a tree of them.

The paper closes with the question "what supplementary information is provided by rank-k
decomposition", and with the idea of "a hierarchical model of rank-one methods that provide
different views for the same mode of a data matrix". A *view* is one rank-one step: view 0 are the
margins, whose vector is that of the paper's NMF and Marginal; views 1 and 2 are the leading
singular pairs of what the margins leave. Each is cut on its own, and what it adds is measured in
bits: the conditional entropy H(view | earlier views) is what it tells that the earlier ones do not,
and H(z_R | views so far) is what is still unknown of the true groups.
"""

from __future__ import annotations

import numpy as np

from rankone.cuts import sorted_potts_path
from rankone.datasets import Blocks, make_paper
from rankone.matrix import as_matrix
from rankone.paper.candidates import MAX_CLUSTERS
from rankone.paper.cells import DATA, Cell, Cells
from rankone.paper.draws import Figures, cut_by_silhouette, nmi
from rankone.paper.page import Section, Table
from rankone.selection import choose
from rankone.selection.noise import entry_noise
from rankone.tree import grow
from rankone.typing import FloatArray, IntArray
from rankone.vectors import Fiedler, Marginal
from rankone.views import view

EXPERIMENT = "outlook"

#: Blocks whose margins are constant, and the size of the matrix.
CONSTANT, MEANS, SHAPE = "[[4, 1], [1, 4]]", np.array([[4.0, 1.0], [1.0, 4.0]]), (200, 100)

LEVELS = (0.0, 1.0, 2.0)
CELLS: tuple[Cell, ...] = (
    *((data, noise) for data in DATA for noise in LEVELS),
    *((CONSTANT, noise) for noise in LEVELS[1:]),
)

#: How the page writes the blocks.
SHOWN = {CONSTANT: f"`{CONSTANT}`"}

#: The number of views after the margins.
N_VIEWS = 2

#: What is smaller, in bits, is no information but the chance of a misplaced row.
NOTICEABLE = 0.05


def draw(data: str, noise: float, seed: int) -> Figures:
    """Cut each view of one draw on its own, and grow a tree of the rows."""
    blocks = (
        _constant(noise, seed) if data == CONSTANT else make_paper(data, noise, random_state=seed)
    )
    truth, seen = blocks.row_labels, np.zeros((blocks.row_labels.size, 0), np.intp)
    figures = {"truth": entropy(truth[:, None])}
    for number, labels in enumerate(cut_views(blocks.data)):
        before, seen = entropy(seen), np.column_stack([seen, labels])
        figures[f"view {number}/adds"] = entropy(seen) - before
        unknown = entropy(np.column_stack([truth, seen])) - entropy(seen)
        figures[f"view {number}/left"] = max(0.0, unknown)
        figures[f"view {number}/clusters"] = float(labels.max() + 1)
        figures[f"view {number}/rows"] = nmi(truth, labels)
    labels = grow(as_matrix(blocks.data)).cut()
    figures["tree/rows"], figures["tree/clusters"] = nmi(truth, labels), float(labels.max() + 1)
    for name, method in (("Marginal", Marginal()), ("Fiedler", Fiedler())):
        labels = cut_by_silhouette(method.extract(blocks.data).row, 1)
        figures[f"{name}/rows"] = nmi(truth, labels)
    return {name: round(value, 6) for name, value in figures.items()}


def cut_views(data: FloatArray) -> list[IntArray]:
    """Cut the scores of the rows in each view; the noise of the entries says into how many.

    A score of view 0 is a mean of n entries, and one of another view a product with a unit vector,
    so that their variances are those of an entry over n, and of an entry.
    """
    matrix = as_matrix(data)
    means = Marginal().extract(data).row
    variance = float(np.median(entry_noise(matrix, means)))
    views = view(matrix, N_VIEWS)
    noisy = [(means, variance / data.shape[1]), *((scores, variance) for scores in views.scores.T)]
    labels = []
    for scores, noise in noisy:
        path = sorted_potts_path(scores, 2, MAX_CLUSTERS)
        variances = np.full(data.shape[0], noise)
        choice = choose(path, "noise", variances.copy)
        labels.append(path.at(n_clusters=choice.n_clusters).labels)
    return labels


def entropy(labels: IntArray) -> float:
    """Return the joint entropy of the columns of an array of labels, in bits.

    Examples
    --------
    >>> entropy(np.array([[0, 0], [0, 0], [1, 0], [1, 1]]))
    1.5
    """
    if not labels.shape[1]:
        return 0.0
    _, counts = np.unique(labels, axis=0, return_counts=True)
    shares = counts / counts.sum()
    return abs(float(shares @ np.log2(shares)))


def _constant(noise: float, seed: int) -> Blocks:
    """Draw a matrix of two equal groups of rows and of columns whose margins are constant."""
    m, n = SHAPE
    random = np.random.RandomState(seed)
    rows, columns = random.permutation(np.arange(m) % 2), random.permutation(np.arange(n) % 2)
    data = MEANS[np.ix_(rows, columns)] + noise * random.standard_normal(SHAPE)
    return Blocks(data, rows, columns, MEANS)


def section(cells: Cells, seed: int) -> Section:
    """Describe what each view tells that the earlier ones do not."""
    telling = [
        (cell, number)
        for cell in CELLS
        for number in range(1, N_VIEWS + 1)
        if cells.mean(cell, f"view {number - 1}/left") - cells.mean(cell, f"view {number}/left")
        > NOTICEABLE
    ]
    by_tree = [cells.mean(cell, "tree/rows") for cell in CELLS]
    by_margins = [cells.mean(cell, "view 0/rows") for cell in CELLS]
    constant = (CONSTANT, 1.0)
    return Section(
        "Outlook: views and trees",
        "",
        0.0,
        _listed(telling) + f" On {SHOWN[CONSTANT]} with s = 1, view 0 leaves "
        f"{cells.mean(constant, 'view 0/left'):.2f} of 1 bit unknown and view 1 leaves "
        f"{cells.mean(constant, 'view 1/left'):.2f}; the NMI is "
        f"{cells.mean(constant, 'Marginal/rows'):.2f} for Marginal and "
        f"{cells.mean(constant, 'Fiedler/rows'):.2f} for Fiedler. The mean NMI over all "
        f"{len(CELLS)} cells is {np.mean(by_margins):.3f} for view 0 alone and "
        f"{np.mean(by_tree):.3f} for the tree.",
        [
            "A *view* is one rank-one step. View 0 are the margins, the vector of NMF and "
            "Marginal; views 1 and 2 are the leading singular pairs of the matrix less its column "
            "means. Each is cut on its own by sorted l2-Potts, into as many clusters as the noise "
            "of the entries supports, which may be one. The *tree* (`RankOneTree`) cuts rows in "
            "two by rank-one steps of the views, again and again, into as many clusters as "
            "replicate: the paper's hierarchical model of rank-one methods.",
            "**Bits.** *Adds*: H(view | earlier views), what a view tells that the earlier ones do "
            "not. *Left*: H(z_R | views so far), what is still unknown of the true groups, whose "
            f"entropy is in the column z_R. Means over {cells.n_draws} draws.",
            _bits(cells),
            f"**NMI of the rows.** {SHOWN[CONSTANT]} are two equal groups of rows and of columns, "
            f"of size {SHAPE[0]} x {SHAPE[1]}, whose margins are constant: view 0 has nothing to "
            "tell, and one cluster is the right answer there; methods that always cut into two or "
            "more clusters divide noise.",
            _agreement(cells),
        ],
    )


def _listed(telling: list[tuple[Cell, int]]) -> str:
    if not telling:
        return "No view after the margins tells anything about the groups that earlier ones do not."
    named = ", ".join(f"{SHOWN.get(d, d)} at s = {s:g} (view {k})" for (d, s), k in telling)
    return (
        f"Views after the margins tell more than {NOTICEABLE:g} bits about the groups that earlier "
        f"ones do not in {len({cell for cell, _ in telling})} of {len(CELLS)} cells: {named}."
    )


def _bits(cells: Cells) -> Table:
    views = range(N_VIEWS + 1)
    header = ("", "s", "z_R", *(f"view {k}: {what}" for k in views for what in ("adds", "left")))
    rows = []
    for cell in CELLS:
        names = [f"view {k}/{what}" for k in views for what in ("adds", "left")]
        figures = [f"{cells.mean(cell, name):.2f}" for name in ("truth", *names)]
        rows.append((SHOWN.get(cell[0], cell[0]), f"{cell[1]:g}", *figures))
    return Table(header, rows, n_names=2)


def _agreement(cells: Cells) -> Table:
    names = ("Marginal", "Fiedler", *(f"view {k}" for k in range(N_VIEWS + 1)), "tree")
    rows = [
        (
            SHOWN.get(cell[0], cell[0]),
            f"{cell[1]:g}",
            *(f"{cells.mean(cell, f'{name}/rows'):.3f}" for name in names),
            f"{np.median(cells.values(cell, 'tree/clusters')):g}",
        )
        for cell in CELLS
    ]
    return Table(("", "s", *names, "tree: clusters (median)"), rows, n_names=2)
