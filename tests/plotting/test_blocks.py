"""Where the rows, columns and clusters of a matrix are drawn, and in which colours."""

import numpy as np
import pandas as pd
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure

from rankone.plotting import MISSING, BlocksDisplay
from tests.plotting.drawing import DATA, labels_of, positions


def test_order_is_by_label_then_by_score():
    rng = np.random.default_rng(0)
    X, rows, columns = rng.normal(size=(30, 20)), labels_of(rng, 30, 3), labels_of(rng, 20, 4)
    u, v = rng.normal(size=30), rng.normal(size=20)
    display = BlocksDisplay(X, rows, columns, u, v)  # known before anything is drawn
    for order, labels, scores in (
        (display.row_order_, rows, u),
        (display.column_order_, columns, v),
    ):
        expected = sorted(range(labels.size), key=lambda i: (labels[i], scores[i]))
        assert order.tolist() == expected
    np.testing.assert_array_equal(
        display.plot().image_.get_array(), X[display.row_order_][:, display.column_order_]
    )


def test_without_scores_order_stays():
    display = BlocksDisplay(np.ones((4, 3)), [1, 0, 1, 0], [0, 0, 0])
    assert display.row_order_.tolist() == [1, 3, 0, 2]
    assert display.column_order_.tolist() == [0, 1, 2]


def test_lines_are_where_clusters_end(model):
    display = BlocksDisplay.from_estimator(model, DATA)
    sizes = np.bincount(model.row_labels_), np.bincount(model.column_labels_)
    assert positions(display.row_lines_, 1) == list(np.cumsum(sizes[0])[:-1])
    assert positions(display.column_lines_, 0) == list(np.cumsum(sizes[1])[:-1])
    assert (np.diff(model.row_labels_[display.row_order_]) >= 0).all()
    assert (np.diff(model.column_labels_[display.column_order_]) >= 0).all()
    assert display.image_.get_extent() == [0, 300, 300, 0]
    assert display.colorbar_.mappable is display.image_


def test_clusters_of_rows_only_leave_columns_in_their_order(rows_only):
    display = BlocksDisplay.from_estimator(rows_only, pd.DataFrame(DATA))
    assert display.column_order_.tolist() == list(range(300))
    assert positions(display.column_lines_, 0) == []
    assert positions(display.row_lines_, 1) == list(np.cumsum(np.bincount(rows_only.labels_))[:-1])


def test_missing_entries_have_the_colour_of_their_block_and_are_pale():
    X = np.array([[1.0, np.nan, 2.0], [3.0, 4.0, np.nan]])
    display = BlocksDisplay(X, [0, 1], [0, 0, 1]).plot()
    assert np.isnan(display.cells_).tolist() == [[False, True, False], [False, False, True]]
    assert display.image_.to_rgba(display.image_.get_array())[0, 1, 3] == 0.0  # what is behind
    behind = display.missing_.to_rgba(display.missing_.get_array())
    np.testing.assert_allclose(behind[0, 1], display.image_.to_rgba(1.0))
    np.testing.assert_allclose(behind[1, 2], to_rgba(MISSING))  # nothing is known of this block
    assert display.missing_.get_alpha() < 0.5
    assert "missing: pale" in display.ax_.get_title(loc="left")


def test_missing_entries_are_not_mentioned_where_there_are_none():
    full = BlocksDisplay([[1.0, 0.0], [3.0, 4.0]], [0, 1], [0, 1]).plot()
    assert "missing" not in full.ax_.get_title(loc="left")


def test_fine_rows_do_not_smear_along_columns():
    rng = np.random.default_rng(0)
    X = np.repeat(np.tile([0.0, 9.0], 4)[None], 900, axis=0) + 0.01 * rng.normal(size=(900, 8))
    figure = Figure(figsize=(4, 3), dpi=50)
    display = BlocksDisplay(X, np.zeros(900, int), np.zeros(8, int)).plot(figure.subplots())
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    drawn = np.asarray(canvas.buffer_rgba())[:, :, :3].astype(int)
    box = display.ax_.get_window_extent()
    line = drawn[int(150 - (box.y0 + box.y1) / 2), int(box.x0) + 1 : int(box.x1) - 1]
    different = np.abs(np.diff(line, axis=0)).max(axis=1) > 8
    # Seven borders between columns, each of which a pixel or two on either side may blur.
    assert different.sum() <= 21


@pytest.mark.parametrize("n_columns", [8, 20, 40, 55, 90])
def test_names_of_columns_do_not_overlap(n_columns):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(30, n_columns)))
    frame.columns = [f"measurement {j}" for j in range(n_columns)]
    figure = Figure(figsize=(9, 7), layout="constrained")
    display = BlocksDisplay(
        frame, np.zeros(30, int), np.arange(n_columns) % 2, column_names=list(frame.columns)
    ).plot(figure.subplots())
    FigureCanvasAgg(figure).draw()
    labels = display.ax_.get_xticklabels()
    assert len(labels) in (0, n_columns)
    assert bool(labels) == (n_columns <= 55)
    for label in labels:
        turned = np.radians(label.get_rotation())
        height = label.get_fontsize() * figure.dpi / 72
        step = display.ax_.get_window_extent().width / n_columns
        assert not turned or height <= step * np.sin(turned) * 1.05


def limits_and_colour_map(X):
    display = BlocksDisplay(X, np.zeros(len(X), int), np.zeros(len(X[0]), int)).plot()
    return *display.image_.get_clim(), display.image_.get_cmap().name


def test_colours_of_signed_entries_diverge_from_zero():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(100, 100))
    most = np.abs(np.percentile(X, [1, 99])).max()
    assert limits_and_colour_map(X) == (-most, most, "RdBu_r")


def test_colours_of_entries_of_one_sign_span_their_percentiles():
    rng = np.random.default_rng(0)
    X = np.abs(rng.normal(size=(100, 100)))
    assert limits_and_colour_map(X) == (*np.percentile(X, [1, 99]), "rankone")


def test_one_large_entry_hardly_changes_the_colours():
    rng = np.random.default_rng(0)
    X = np.abs(rng.normal(size=(100, 100)))
    X[0, 0] = 1e9
    assert limits_and_colour_map(X)[1] < 10


def test_colours_span_a_single_entry_that_is_not_zero():
    few = np.zeros((50, 50))
    few[3, 4] = 7.0  # which the percentiles do not see
    assert limits_and_colour_map(few) == (0, 7, "rankone")


def test_constant_matrix_has_colours():
    assert limits_and_colour_map(np.ones((3, 3)))[2] == "rankone"


def test_given_colour_map_is_used():
    display = BlocksDisplay([[1, 2]], [0], [0, 1]).plot(cmap="cividis")
    assert display.image_.get_cmap().name == "cividis"


def test_colour_bar_may_be_left_out():
    display = BlocksDisplay([[1, 2]], [0], [0, 1]).plot(colorbar=False)
    assert display.colorbar_ is None
    assert len(display.figure_.axes) == 1
