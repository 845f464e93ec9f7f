"""Numbers of clusters along the penalty."""

import numpy as np
import pytest

from rankone import RankOneCoclustering, sorted_potts_path
from rankone.plotting import PathDisplay
from tests.plotting.drawing import DATA


@pytest.mark.parametrize("side", ["rows", "columns"])
def test_path_of_a_learner_shows_its_numbers_criterion_and_choice(model, side):
    display = PathDisplay.from_estimator(model, side)
    prefix = side[:-1] + "_"
    path, choice = getattr(model, prefix + "path_"), getattr(model, prefix + "selection_")
    values, edges, _ = display.stairs_.get_data()
    assert values.tolist() == path.n_clusters[::-1].tolist()
    np.testing.assert_allclose(edges[:-1], path.lam[::-1])
    np.testing.assert_allclose(display.criterion_stairs_.get_data().values[::-1], choice.criterion)
    lam, number = display.chosen_.get_xydata()[0]
    assert number == choice.n_clusters
    assert path.at(lam=lam).n_clusters == number
    assert display.ax_.get_xscale() == "log"
    assert choice.selection in display.criterion_ax_.get_ylabel()


def test_given_number_is_marked_without_a_criterion(rows_only):
    assert rows_only.selection_ is None
    display = PathDisplay.from_estimator(rows_only)
    assert display.criterion_ax_ is None
    assert display.chosen_.get_ydata() == [3]


def test_number_beyond_the_path_is_not_marked():
    model = RankOneCoclustering(5, 2, max_clusters=3).fit(DATA)
    display = PathDisplay.from_estimator(model)
    assert display.chosen_ is None
    assert display.stairs_.get_data().values.tolist() == [3, 2, 1]


def test_zero_penalty_has_a_place_on_the_log_axis():
    path = sorted_potts_path([0.0, 1.0, 5.0], max_clusters=3)
    assert path.lam[-1] == 0
    display = PathDisplay(path, criterion=[np.nan, 0.5, -np.inf], chosen=3).plot()
    edges = display.stairs_.get_data().edges
    assert (np.diff(edges) > 0).all()
    np.testing.assert_allclose(edges[1:3], path.lam[:2][::-1])
    assert 0 < edges[0] < display.chosen_.get_xdata()[0] < edges[1]


@pytest.mark.parametrize("u", [[2.0, 2.0], [1.0, 2.0, 4.0]])
def test_path_of_one_cluster_is_one_step(u):
    path = sorted_potts_path(u, max_clusters=1)
    display = PathDisplay(path, criterion=[np.nan], chosen=1).plot()
    values, edges, _ = display.stairs_.get_data()
    assert values.tolist() == [1]
    assert edges[0] < display.chosen_.get_xdata()[0] < edges[1]
    assert display.criterion_ax_ is None
    assert "1 cluster chosen" in display.ax_.get_title(loc="left")


def test_number_that_no_penalty_chooses_has_a_mark():
    path = sorted_potts_path([0.0, 1.0, 2.0, 3.0], max_clusters=4)
    low, high = path.intervals[2]
    assert low == high
    assert PathDisplay(path, chosen=3).plot().chosen_.get_xydata()[0].tolist() == [
        pytest.approx(low),
        3,
    ]
