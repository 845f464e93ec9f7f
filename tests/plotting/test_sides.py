"""What is drawn along the sides of a matrix: clusters in their colours, trees, and names."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_hex

from rankone import Prepare, RankOneCoclustering
from rankone.datasets import make_counts
from rankone.plotting import COLOURS, BlocksDisplay
from tests.plotting.drawing import DATA


def wine():
    from sklearn.datasets import load_wine

    return load_wine(as_frame=True).data


@pytest.fixture(scope="module")
def wines():
    return RankOneCoclustering(prepare=Prepare(standardise="columns")).fit(wine())


def overlapping(texts):
    """Return pairs of tick labels that overlap, as they are drawn; slanted ones by their feet."""
    boxes = [text.get_window_extent() for text in texts if text.get_text()]
    return [(a, b) for i, a in enumerate(boxes) for b in boxes[i + 1 :] if a.overlaps(b)]


def test_bars_have_the_colours_of_their_clusters(model):
    display = BlocksDisplay.from_estimator(model, DATA)
    for bars, number in (
        (display.row_bars_, model.n_row_clusters_),
        (display.column_bars_, model.n_column_clusters_),
    ):
        colours = [to_hex(bar.get_facecolor()).upper() for bar in bars]
        assert colours == list(COLOURS[:number])


def test_each_split_of_a_tree_is_a_line_beside_the_matrix(wines):
    display = BlocksDisplay.from_estimator(wines)
    assert len(display.row_branches_) == wines.row_tree_.n_leaves - 1
    assert len(display.column_branches_) == wines.column_tree_.n_leaves - 1
    display.figure_.canvas.draw()
    matrix = display.ax_.bbox
    for line in display.row_branches_:
        assert line.get_window_extent().x1 < matrix.x0
    for line in display.column_branches_:
        assert line.get_window_extent().y0 > matrix.y1


@pytest.mark.parametrize("side", ["row", "column"])
def test_dashes_are_explained_where_there_are_any(wines, side):
    labels = wines.row_labels_, wines.column_labels_
    tree = {f"{side}_tree": getattr(wines, f"{side}_tree_")}
    display = BlocksDisplay(wines.matrix_, *labels, **tree).plot()
    styles = {line.get_linestyle() for line in getattr(display, f"{side}_branches_")}
    assert ("--" in styles) == ("dashed" in display.ax_.get_xlabel()) == (side == "column")


def test_rows_are_in_the_order_of_the_tree(wines):
    display = BlocksDisplay.from_estimator(wines)
    for tree, order in (
        (wines.row_tree_, display.row_order_),
        (wines.column_tree_, display.column_order_),
    ):
        assert (np.diff(tree.pieces[order]) >= 0).all()


def test_columns_are_named_where_there_is_room_and_rows_are_not(wines):
    display = BlocksDisplay.from_estimator(wines)
    names = [text.get_text() for text in display.ax_.get_xticklabels()]
    assert names == [wine().columns[j] for j in display.column_order_]
    assert [text.get_text() for text in display.ax_.get_yticklabels()] == []


def test_names_of_rows_do_not_overlap():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(18, 30)), [f"row {i}" for i in range(18)])
    display = BlocksDisplay(X, [0] * 9 + [1] * 9, [0] * 30, row_names=X.index).plot()
    display.figure_.canvas.draw()
    labels = display.ax_.get_yticklabels()
    assert len([label for label in labels if label.get_text()]) == 18
    assert overlapping(labels) == []
    plt.close("all")


def test_captions_stand_beside_their_clusters(wines):
    captions = ["first", "second", "third"]
    display = BlocksDisplay.from_estimator(wines, row_captions=captions)
    assert [text.get_text() for text in display.ax_.get_yticklabels()] == captions
    ends = np.cumsum(np.bincount(wines.row_labels_))
    middles = (ends + np.concatenate([[0], ends[:-1]])) / 2
    np.testing.assert_allclose(display.ax_.get_yticks(), middles)


def test_cells_larger_than_pixels_are_not_smeared(wines):
    display = BlocksDisplay.from_estimator(wines)
    assert display.image_.get_interpolation() == "nearest"
    display.figure_.canvas.draw()
    pixels = np.asarray(display.figure_.canvas.buffer_rgba())[..., :3]
    height = pixels.shape[0]
    bar = display.column_bars_[0]  # columns of the first cluster, away from its borders
    x0, x1 = bar.get_window_extent().x0, bar.get_window_extent().x1
    box, columns = display.ax_.bbox, display.column_order_.size
    y = int(height - (box.y0 + box.y1) / 2)
    first = pixels[y, int(x0) + 3 : int(x0 + box.width / columns) - 2]
    assert (first == first[0]).all()
    assert x1 - x0 > box.width / columns


def test_counts_are_drawn_relative_to_their_margins():
    counts = make_counts((60, 40), [[5, 1], [1, 4]], mean=0.7, random_state=0).data
    model = RankOneCoclustering(2, 2).fit(counts)
    display = BlocksDisplay.from_estimator(model)
    rows, columns = display.row_order_, display.column_order_
    sorted_counts = counts[rows][:, columns]
    expected = np.outer(sorted_counts.sum(1), sorted_counts.sum(0)) / counts.sum()
    np.testing.assert_allclose(
        np.asarray(display.image_.get_array()), np.log2((sorted_counts + 1) / (expected + 1))
    )
    assert "relative to their margins" in display.ax_.get_title(loc="left")
    with pytest.raises(ValueError, match="some are zero, none negative"):
        BlocksDisplay([[1.0, -2.0]], [0], [0, 1]).plot(relative=True)
