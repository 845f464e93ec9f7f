import subprocess
import sys

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from matplotlib.colors import to_rgba
from sklearn.exceptions import NotFittedError

from rankone import RankOneClustering, RankOneCoclustering, sorted_potts_path
from rankone.datasets import make_paper
from rankone.plotting import COLOURS, MISSING, BlocksDisplay, PathDisplay, VectorDisplay

mpl.use("Agg")
DATA = make_paper("D4", noise=1, missing=0.2, random_state=0).data


@pytest.fixture(autouse=True)
def _closed():
    """Draw everything that was plotted, which must not warn, and close it."""
    yield
    for number in plt.get_fignums():
        plt.figure(number).canvas.draw()
    plt.close("all")


@pytest.fixture(scope="module")
def model():
    return RankOneCoclustering().fit(DATA)


@pytest.fixture(scope="module")
def rows_only():
    return RankOneClustering(3).fit(DATA)


def labels_of(rng, n, k):
    """Return labels of which each occurs, in random order."""
    return rng.permutation(np.concatenate([np.arange(k), rng.integers(0, k, n - k)]))


def positions(lines, axis):
    return [segment[0, axis] for segment in lines.get_segments()]


def brute_force(dense, display):
    """Average all entries of each cell, one cell after the other."""
    sorted_ = dense[display.row_order_][:, display.column_order_]
    rows, columns = display.row_edges_, display.column_edges_
    means = np.full((rows.size - 1, columns.size - 1), np.nan)
    for i in range(rows.size - 1):
        for j in range(columns.size - 1):
            cell = sorted_[rows[i] : rows[i + 1], columns[j] : columns[j + 1]]
            if not np.isnan(cell).all():
                means[i, j] = np.nanmean(cell)
    return means


# Vectors


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
def test_vector_of_a_learner(model, side, refined):
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
    assert VectorDisplay(scores, np.arange(40) // 20).plot(legend=False).ax_.get_legend() is None


def test_one_score():
    assert VectorDisplay([3.0], [0]).plot().steps_.get_data().values.tolist() == [3.0]


# Blocks


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


def test_missing_entries_are_grey():
    X = np.array([[1.0, np.nan], [3.0, 4.0]])
    display = BlocksDisplay(X, [0, 1], [0, 1]).plot()
    assert np.isnan(display.cells_).tolist() == [[False, True], [False, False]]
    shown = display.image_.to_rgba(display.image_.get_array())
    np.testing.assert_allclose(shown[0, 1], to_rgba(MISSING))
    assert "grey" in display.ax_.get_title(loc="left")
    full = BlocksDisplay(np.nan_to_num(X), [0, 1], [0, 1]).plot()
    assert "grey" not in full.ax_.get_title(loc="left")


@pytest.mark.parametrize("kind", ["array", "fortran", "list", "frame", "integers"])
def test_dense_kinds_give_one_picture(kind):
    rng = np.random.default_rng(0)
    X = rng.integers(0, 9, (12, 7)).astype(float)
    given = {
        "array": X,
        "fortran": np.asfortranarray(X),
        "list": X.tolist(),
        "frame": pd.DataFrame(X),
        "integers": X.astype(np.int8),
    }[kind]
    before = np.array(given)
    rows, columns = labels_of(rng, 12, 3), labels_of(rng, 7, 2)
    for most in (1000, 5):
        display = BlocksDisplay(given, rows, columns).plot(max_cells=most)
        np.testing.assert_allclose(display.cells_, brute_force(X, display))
    np.testing.assert_array_equal(np.array(given), before)


@pytest.mark.parametrize("most", [1, 7, 40, 1000])
def test_means_of_cells_with_missing_entries(most, monkeypatch):
    rng = np.random.default_rng(0)
    monkeypatch.setattr("rankone.matrix.dense.BLOCK", 200)  # cells are read in several parts
    X = rng.normal(size=(60, 45))
    X[rng.random(X.shape) < 0.6] = np.nan
    X[0], X[:, 0] = 0.0, 0.0  # no row or column is empty
    display = BlocksDisplay(X, labels_of(rng, 60, 4), labels_of(rng, 45, 3)).plot(max_cells=most)
    np.testing.assert_allclose(display.cells_, brute_force(X, display), atol=1e-12)


@pytest.mark.parametrize("form", ["csr", "csc", "coo"])
@pytest.mark.parametrize("missing", ["nan", "absent"])
@pytest.mark.parametrize("most", [9, 1000])
def test_means_of_cells_of_a_sparse_matrix(form, missing, most):
    rng = np.random.default_rng(0)
    X = sp.random_array((50, 40), density=0.2, rng=rng, format="csr")
    X = X + sp.eye_array(50, 40) + sp.coo_array((np.ones(10), (range(40, 50), [0] * 10)), X.shape)
    display = BlocksDisplay(
        X.asformat(form), labels_of(rng, 50, 3), labels_of(rng, 40, 2), missing=missing
    ).plot(max_cells=most)
    dense = X.toarray()
    if missing == "absent":
        dense[dense == 0] = np.nan
        assert most == 9 or np.isnan(display.cells_).any()
    np.testing.assert_allclose(display.cells_, brute_force(dense, display), atol=1e-12)


def test_large_sparse_matrix(monkeypatch):
    rng = np.random.default_rng(0)
    X = sp.random_array((5000, 3000), density=0.002, rng=rng, format="csr")

    def refuse(self, *args, **kwargs):
        assert np.prod(self.shape) <= 1010**2, "A sparse matrix was made dense as a whole."
        return toarray(self, *args, **kwargs)

    toarray = sp.csr_array.toarray
    monkeypatch.setattr(sp.csr_array, "toarray", refuse)
    rows = np.repeat(np.arange(4), [2, 1998, 2500, 500])  # one is smaller than a cell
    display = BlocksDisplay(X, rng.permutation(rows), labels_of(rng, 3000, 5)).plot()
    assert 990 <= display.cells_.shape[0] <= 1004
    assert 990 <= display.cells_.shape[1] <= 1005
    for edges, labels, order, lines, axis in (
        (display.row_edges_, display.row_labels, display.row_order_, display.row_lines_, 1),
        (
            display.column_edges_,
            display.column_labels,
            display.column_order_,
            display.column_lines_,
            0,
        ),
    ):
        ends = np.cumsum(np.bincount(labels))[:-1]
        assert (edges[0], edges[-1]) == (0, labels.size)
        assert edges[np.array(positions(lines, axis), int)].tolist() == ends.tolist()
        starts = labels[order][edges[:-1]]
        assert (starts == labels[order][edges[1:] - 1]).all()  # no cell is in two clusters
    cells = np.outer(np.diff(display.row_edges_), np.diff(display.column_edges_))
    assert (display.cells_ * cells).sum() == pytest.approx(X.sum())
    low, high = display.image_.get_clim()
    assert low < high


def test_colours():
    rng = np.random.default_rng(0)

    def clim_and_name(X):
        display = BlocksDisplay(X, np.zeros(len(X), int), np.zeros(len(X[0]), int)).plot()
        return *display.image_.get_clim(), display.image_.get_cmap().name

    X = rng.normal(size=(100, 100))
    most = np.abs(np.percentile(X, [1, 99])).max()
    assert clim_and_name(X) == (-most, most, "RdBu_r")
    X = np.abs(X)
    assert clim_and_name(X) == (*np.percentile(X, [1, 99]), "viridis")
    X[0, 0] = 1e9  # changes little
    assert clim_and_name(X)[1] < 10
    few = np.zeros((50, 50))
    few[3, 4] = 7.0  # which the percentiles do not see
    assert clim_and_name(few) == (0, 7, "viridis")
    assert clim_and_name(np.ones((3, 3)))[2] == "viridis"


def test_own_colours():
    display = BlocksDisplay([[1, 2]], [0], [0, 1]).plot(cmap="cividis", colorbar=False)
    assert display.image_.get_cmap().name == "cividis"
    assert display.colorbar_ is None
    assert len(display.figure_.axes) == 1


def test_blocks_of_sparse_learner_use_its_missing():
    X = sp.csr_array(np.nan_to_num(DATA))
    model = RankOneCoclustering(2, 2, missing="absent").fit(X)
    display = BlocksDisplay.from_estimator(model, X, max_cells=300)
    np.testing.assert_allclose(display.cells_, brute_force(DATA, display))
    assert np.isnan(display.cells_).any()


def test_blocks_of_rows_only(rows_only):
    display = BlocksDisplay.from_estimator(rows_only, pd.DataFrame(DATA))
    assert display.column_order_.tolist() == list(range(300))
    assert positions(display.column_lines_, 0) == []
    assert positions(display.row_lines_, 1) == list(np.cumsum(np.bincount(rows_only.labels_))[:-1])


# Paths


@pytest.mark.parametrize("side", ["rows", "columns"])
def test_path_of_a_learner(model, side):
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


def test_path_of_a_given_number(rows_only):
    assert rows_only.selection_ is None
    display = PathDisplay.from_estimator(rows_only)
    assert display.criterion_ax_ is None
    assert display.chosen_.get_ydata() == [3]


def test_number_beyond_the_path_is_not_marked():
    model = RankOneCoclustering(5, 2, max_clusters=3).fit(DATA)
    display = PathDisplay.from_estimator(model)
    assert display.chosen_ is None
    assert display.stairs_.get_data().values.tolist() == [3, 2, 1]


def test_zero_penalty_on_a_log_axis():
    path = sorted_potts_path([0.0, 1.0, 5.0], max_clusters=3)
    assert path.lam[-1] == 0
    display = PathDisplay(path, criterion=[np.nan, 0.5, -np.inf], chosen=3).plot()
    edges = display.stairs_.get_data().edges
    assert (np.diff(edges) > 0).all()
    np.testing.assert_allclose(edges[1:3], path.lam[:2][::-1])
    assert 0 < edges[0] < display.chosen_.get_xdata()[0] < edges[1]


@pytest.mark.parametrize("u", [[2.0, 2.0], [1.0, 2.0, 4.0]])
def test_path_of_one_cluster(u):
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


# All


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


@pytest.mark.parametrize(
    "draw",
    [
        VectorDisplay.from_estimator,
        lambda model: BlocksDisplay.from_estimator(model, DATA),
        PathDisplay.from_estimator,
    ],
)
def test_unfitted(draw):
    for model in (RankOneCoclustering(), RankOneClustering()):
        with pytest.raises(NotFittedError):
            draw(model)
    with pytest.raises(ValueError, match="model must be a fitted RankOneCoclustering or"):
        draw(3)


def test_side(model, rows_only):
    for display in (VectorDisplay, PathDisplay):
        with pytest.raises(ValueError, match="side must be one of 'rows', 'columns'"):
            display.from_estimator(model, "row")
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
def test_parameters(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_without_matplotlib(monkeypatch, model):
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
