"""What all displays have in common: their axes, what they refuse, and matplotlib."""

import subprocess
import sys

import matplotlib.pyplot as plt
import numpy as np
import pytest
from sklearn.exceptions import NotFittedError

from rankone import RankOneClustering, RankOneCoclustering, sorted_potts_path
from rankone.plotting import BlocksDisplay, PathDisplay, VectorDisplay
from tests.plotting.drawing import DATA


def test_given_axes_are_used(model):
    figure, axes = plt.subplots(1, 3)
    displays = [
        VectorDisplay.from_estimator(model, ax=axes[0]),
        BlocksDisplay.from_estimator(model, DATA, ax=axes[1]),
        PathDisplay.from_estimator(model, ax=axes[2]),
    ]
    assert [display.ax_ for display in displays] == list(axes)
    assert all(display.figure_ is figure for display in displays)
    assert plt.get_fignums() == [figure.number]


DRAW = [
    VectorDisplay.from_estimator,
    lambda model: BlocksDisplay.from_estimator(model, DATA),
    PathDisplay.from_estimator,
]


@pytest.mark.parametrize("draw", DRAW)
def test_learners_that_are_not_fitted_are_refused(draw):
    for model in (RankOneCoclustering(), RankOneClustering()):
        with pytest.raises(NotFittedError):
            draw(model)


@pytest.mark.parametrize("draw", DRAW)
def test_what_is_no_learner_is_refused(draw):
    with pytest.raises(ValueError, match="model must be a fitted RankOneCoclustering or"):
        draw(3)


def test_unknown_side_is_refused(model):
    for display in (VectorDisplay, PathDisplay):
        with pytest.raises(ValueError, match="side must be one of 'rows', 'columns'"):
            display.from_estimator(model, "row")


def test_columns_are_refused_where_only_rows_have_clusters(rows_only):
    for display in (VectorDisplay, PathDisplay):
        with pytest.raises(ValueError, match="RankOneClustering has no clusters of columns"):
            display.from_estimator(rows_only, "columns")


PATH = sorted_potts_path([0.0, 1.0, 5.0])


X = [[1.0, 2.0], [3.0, 4.0]]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: VectorDisplay([1.0, np.nan], [0, 1]), r"scores\[1\] = nan is NaN"),
        (lambda: VectorDisplay([1.0, 2.0], [0]), r"labels must be 2 labels, but its shape is \(1,"),
        (lambda: VectorDisplay([1.0], [0.5]), "labels must be integers"),
        (lambda: VectorDisplay([1.0], [0], name=3), "name must be a string, but it is 3"),
        (lambda: VectorDisplay([1.0], [0], partition=[0]), "partition must be a Partition"),
        (
            lambda: VectorDisplay([1.0], [0], partition=PATH.at(n_clusters=2)),
            "partition.labels must be 1 labels",
        ),
        (lambda: VectorDisplay([1.0], [0]).plot(ax=3), "ax must be matplotlib axes, but it is 3"),
        (lambda: BlocksDisplay([1.0], [0], [0]), "X must be a matrix"),
        (lambda: BlocksDisplay(X, [0], [0, 1]), "row_labels must be 2 labels"),
        (lambda: BlocksDisplay(X, [0, 1], [[0, 1]]), "column_labels must be 2 labels"),
        (lambda: BlocksDisplay(X, [0, 1], [0, 1], [1.0]), "row_scores must be 2 numbers"),
        (lambda: BlocksDisplay(X, [0, 1], [0, 1], None, [np.inf, 1.0]), r"column_scores\[0\]"),
        (lambda: BlocksDisplay(X, [0, 1], [0, 1], missing="zero"), "missing must be one of"),
        (lambda: BlocksDisplay(X, [0, 1], [0, 1]).plot(max_cells=0), "max_cells must be a whole"),
        (lambda: PathDisplay([1, 2]), "path must be a SortedPottsPath"),
        (lambda: PathDisplay(PATH, [1.0, 2.0]), "criterion must be 3 numbers"),
        (lambda: PathDisplay(PATH, chosen=4), "chosen is 4, but the number of clusters on this"),
        (lambda: PathDisplay(PATH, criterion_name=None), "criterion_name must be a string"),
    ],
)
def test_unusable_parameters_are_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_without_matplotlib_the_message_says_what_to_install(monkeypatch):
    for name in [name for name in sys.modules if name.split(".")[0] == "matplotlib"]:
        monkeypatch.setitem(sys.modules, name, None)
    for display in (
        VectorDisplay([1.0], [0]),
        BlocksDisplay(X, [0, 1], [0, 1]),
        PathDisplay(PATH),
    ):
        with pytest.raises(
            ImportError, match=r"matplotlib; install it with: pip install 'rankone\[plot\]'"
        ):
            display.plot()


def test_import_does_not_load_matplotlib():
    code = "import sys, rankone.plotting; print('matplotlib' in sys.modules)"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert result.stdout.strip() == "False", result.stderr
