"""Scores in ascending order, with the levels of their clusters."""

import numpy as np
import pytest

from rankone.plotting import COLOURS, VectorDisplay
from tests.plotting.drawing import labels_of


def test_vector_is_sorted_and_coloured():
    scores, labels = np.array([5.0, 0.0, 4.0, 1.0, 9.0]), np.array([1, 0, 1, 0, 7])
    display = VectorDisplay(scores, labels).plot()
    assert display.figure_ is display.ax_.figure
    assert [list(line.get_xdata()) for line in display.points_] == [[0, 1], [2, 3], [4]]
    assert [list(line.get_ydata()) for line in display.points_] == [[0, 1], [4, 5], [9]]
    assert [line.get_color() for line in display.points_] == list(COLOURS[:3])
    assert [text.get_text() for text in display.ax_.get_legend().get_texts()] == ["0", "1", "7"]


def test_steps_are_means_as_wide_as_clusters_are_large():
    rng = np.random.default_rng(0)
    scores, labels = rng.normal(size=50), labels_of(rng, 50, 4)  # clusters that are no intervals
    values, edges, _ = VectorDisplay(scores, labels).plot().steps_.get_data()
    means = np.array([scores[labels == k].mean() for k in range(4)])
    order = np.argsort(means)
    np.testing.assert_allclose(values, means[order])
    np.testing.assert_allclose(np.diff(edges), np.bincount(labels)[order])


@pytest.mark.parametrize("side", ["rows", "columns"])
@pytest.mark.parametrize("refined", [True, False])
def test_vector_of_a_learner_shows_its_cut_and_its_labels(model, side, refined):
    display = VectorDisplay.from_estimator(model, side, refined=refined)
    prefix = side[:-1] + "_"
    cut = getattr(model, prefix + "partition_")
    values, edges, _ = display.steps_.get_data()
    np.testing.assert_allclose(values, cut.levels)
    np.testing.assert_allclose(np.diff(edges), cut.sizes)
    labels = getattr(model, prefix + "labels_") if refined else cut.labels
    assert [line.get_xdata().size for line in display.points_] == list(np.bincount(labels))
    assert side in display.ax_.get_title(loc="left")


def test_many_clusters_have_no_legend():
    scores = np.arange(40.0)
    assert VectorDisplay(scores, np.arange(40) // 2).plot().ax_.get_legend() is None


def test_legend_may_be_left_out():
    scores = np.arange(40.0)
    assert VectorDisplay(scores, np.arange(40) // 20).plot(legend=False).ax_.get_legend() is None


def test_one_score_is_one_step():
    assert VectorDisplay([3.0], [0]).plot().steps_.get_data().values.tolist() == [3.0]


@pytest.mark.parametrize("sizes", [(4, 96), (96, 4), (4, 92, 4), (50, 50)])
def test_levels_are_written_beside_the_steps(sizes):
    labels = np.repeat(np.arange(len(sizes)), sizes)
    scores = 12.34 * labels + np.linspace(0, 1, 100)
    display = VectorDisplay(scores, labels).plot(legend=False)
    display.figure_.draw_without_rendering()
    levels, edges, _ = display.steps_.get_data()
    pixels = display.ax_.transData.transform
    for text in display.ax_.texts:
        box = text.get_window_extent()
        for edge, lower, upper in zip(edges[1:-1], levels[:-1], levels[1:], strict=True):
            (x, low), (_, high) = pixels((edge, lower)), pixels((edge, upper))
            assert not (box.x0 < x < box.x1 and box.y0 < high and low < box.y1)
