"""Trees: their branches, what is written at them, and that texts stay apart."""

from itertools import combinations, pairwise
from types import SimpleNamespace

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.figure import Figure
from sklearn.base import BaseEstimator
from sklearn.exceptions import NotFittedError

from rankone.matrix import as_matrix
from rankone.plotting import COLOURS, DendrogramDisplay, dendrogram
from rankone.tree import grow

LONG = [
    f"{what} of the {who} in {where}"
    for what in ("Mean concentration", "Total number", "Median age")
    for who in ("untreated control group", "elderly", "second sample")
    for where in ("region North (mg/l)", "all households", "WWWWWWWWWWWWWWWW")
]


def tree_of(k, seed=3, **parameters):
    rng = np.random.default_rng(seed)
    labels = np.repeat(np.arange(k), rng.integers(8, 40, k))
    a = 2.0 * rng.normal(size=(k, 27))[labels] + rng.normal(size=(labels.size, 27))
    return grow(as_matrix(a), k, **parameters)


@pytest.fixture(scope="module")
def tree():
    return tree_of(4, max_clusters=9)


def boxes(display):
    """Return where texts are, in pixels of the drawn figure."""
    display.figure_.canvas.draw()
    return {node: text.get_window_extent() for node, text in display.texts_.items()}


@pytest.mark.parametrize("k", [2, 3, 6, 12, 20])
@pytest.mark.parametrize("size", [None, (6.4, 4.8), (4.0, 3.0)])
def test_texts_with_long_names_stay_apart_and_within_the_figure(k, size):
    ax = None if size is None else plt.figure(figsize=size).subplots()
    display = dendrogram(tree_of(k), LONG, ax=ax)
    drawn = boxes(display)
    assert len(drawn) == 2 * k - 2
    assert not [pair for pair in combinations(drawn.values(), 2) if pair[0].overlaps(pair[1])]
    width = display.figure_.bbox.width
    assert all(box.x0 >= 0 and box.x1 <= width for box in drawn.values())


def test_letters_of_a_new_figure_can_be_read_however_many_clusters_there_are():
    for k in (3, 20):
        sizes = {text.get_fontsize() for text in dendrogram(tree_of(k), LONG).texts_.values()}
        assert sizes == {9.0}


@pytest.mark.parametrize("k", [3, 12])
def test_no_branch_crosses_a_text(k):
    display = dendrogram(tree_of(k), LONG)
    drawn = boxes(display)
    for line in display.branches_.values():
        corners = display.ax_.transData.transform(line.get_xydata())
        for box in drawn.values():
            for (x0, y0), (x1, y1) in pairwise(corners):
                apart = max(x0, x1) < box.x0 or box.x1 < min(x0, x1)
                assert apart or max(y0, y1) < box.y0 or box.y1 < min(y0, y1)


def test_clusters_are_those_of_the_answer_with_their_sizes(tree):
    display = dendrogram(tree)
    sizes = np.bincount(tree.cut())
    texts = [text.get_text() for text in display.texts_.values()]
    shown = [text.split(":")[0] for text in texts if text.startswith("cluster")]
    assert shown == [f"cluster {i}, {size} rows" for i, size in enumerate(sizes)]
    assert display.ax_.get_title(loc="left") == f"Tree of {sizes.sum()} rows: 4 clusters"


def test_more_clusters_can_be_drawn_and_have_the_colour_of_their_cluster(tree):
    display = dendrogram(tree, n_clusters=9)
    assert len(display.branches_) == 8
    for split in tree.splits:
        colour = display.branches_[split.node].get_color()
        cluster = tree.leaf_clusters(4)[tree.leaves_of(split.node)[0]]
        assert (colour == COLOURS[cluster]) == (not split.in_answer)


@pytest.mark.parametrize("k", [1, 2, 4, 7])
def test_the_cut_crosses_as_many_branches_as_there_are_clusters(k):
    for seed in range(5):
        display = dendrogram(tree_of(k, seed, max_clusters=9))
        at, crossed = display.cut_.get_xdata()[0], 0
        for line in display.branches_.values():
            lower, height, _, upper = line.get_xdata()
            crossed += sum(child < at < height for child in (lower, upper))
        assert crossed == (k if k > 1 else 0)


def test_each_node_names_the_columns_that_are_higher_than_at_its_sibling(tree):
    names = [f"c{j}" for j in range(27)]
    display = dendrogram(tree, names, n_words=2)
    for split in tree.splits[:3]:
        drivers = tree.drivers(split.node)
        for child, order in zip(
            split.children, (np.argsort(drivers), np.argsort(-drivers)), strict=True
        ):
            words = display.texts_[child].get_text().split(": ")[1]
            assert words == ", ".join(names[j] for j in order[:2])


def test_sections_of_a_gradient_are_dashed_and_groups_are_not(tree):
    rng = np.random.default_rng(0)
    a = np.outer(rng.normal(size=80), rng.normal(size=20)) + rng.normal(size=(80, 20))
    gradient = dendrogram(grow(as_matrix(a), 3))
    assert {line.get_linestyle() for line in gradient.branches_.values()} == {"--"}
    assert "dashed" in gradient.ax_.get_xlabel()
    solid = dendrogram(tree)
    for split in tree.splits[:3]:
        style = solid.branches_[split.node].get_linestyle()
        assert style == ("-" if split.kind == "groups" else "--")


def test_a_tree_of_one_cluster_is_a_point():
    display = dendrogram(grow(as_matrix(np.ones((5, 3)))))
    assert [text.get_text() for text in display.texts_.values()] == ["cluster 0, 5 rows"]
    assert display.branches_ == {}


def test_names_are_shown_as_they_are():
    a = np.array([[9.0, 1.0], [9.0, 2.0], [1.0, 8.0], [2.0, 8.0]])
    display = dendrogram(grow(as_matrix(a), 2), ["cost_$ or $x^2$", "line\nbreak"])
    boxes(display)
    texts = " ".join(text.get_text() for text in display.texts_.values())
    assert "cost_$ or $x^2$" in texts
    assert "line\N{REPLACEMENT CHARACTER}break" in texts


class Learner(BaseEstimator):
    """A learner that has grown a tree."""

    def __init__(self, axis="rows"):
        self.axis = axis

    def fit(self, tree, names):
        self.tree_, self.feature_names_in_ = tree, np.array(names, object)
        self.row_names_in_ = self.feature_names_in_
        return self


def test_a_learner_gives_its_tree_and_its_names(tree):
    names = [f"gene {j}" for j in range(27)]
    display = dendrogram(Learner().fit(tree, names))
    assert all("gene" in text.get_text() for text in display.texts_.values())
    assert display.tree is tree
    columns = dendrogram(Learner("columns").fit(tree, names))
    assert all("columns: gene" in text.get_text() for text in columns.texts_.values())


def test_given_axes_are_used(tree):
    ax = Figure().subplots()
    display = DendrogramDisplay(tree).plot(ax)
    assert display.ax_ is ax
    assert display.figure_ is ax.figure


def test_unusable_parameters_are_refused(tree):
    with pytest.raises(ValueError, match="model must be a Tree or a fitted RankOneTree"):
        dendrogram(3)
    with pytest.raises(NotFittedError):
        dendrogram(Learner())
    with pytest.raises(ValueError, match="tree must be a Tree"):
        DendrogramDisplay(SimpleNamespace())
    with pytest.raises(ValueError, match="names must be 27 names, but there are 2"):
        dendrogram(tree, ["a", "b"])
    with pytest.raises(ValueError, match="n_words must be a whole number"):
        dendrogram(tree, n_words=-1)
    with pytest.raises(ValueError, match="n_clusters is 10, but the number of leaves of this tree"):
        dendrogram(tree, n_clusters=10)
