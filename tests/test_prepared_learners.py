"""Learners that prepare their matrix: its prepared clusters, in original units."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from matplotlib.figure import Figure
from sklearn.base import clone

from rankone import Prepare, RankOneClustering, RankOneCoclustering
from rankone.datasets import make_blocks
from rankone.io import Table
from rankone.plotting import BlocksDisplay

#: Some learners are fitted to columns in different units on purpose.
pytestmark = pytest.mark.filterwarnings("ignore:Some columns of X vary far more")


def in_different_units(missing=0.0):
    """Return blocks whose columns are in different units, on an exponential scale."""
    rng = np.random.default_rng(0)
    blocks = make_blocks((60, 40), [[0, 2], [3, 1]], sigma=0.2, missing=missing, random_state=0)
    return np.exp(np.maximum(blocks.data, -3.0) + rng.uniform(0, 5, 40))


STEPS = [
    Prepare(log=True),
    Prepare(standardise="columns"),
    Prepare(standardise="rows"),
    Prepare(normalise="rows", log=True, standardise="columns"),
]


@pytest.mark.parametrize("prepare", STEPS)
def test_clusters_are_those_of_the_prepared_matrix(prepare):
    a = in_different_units(missing=0.1)
    model = RankOneCoclustering(prepare=prepare).fit(a)
    prepared = clone(prepare).fit_transform(a)
    expected = RankOneCoclustering().fit(prepared)
    assert np.array_equal(model.row_labels_, expected.row_labels_)
    assert np.array_equal(model.column_labels_, expected.column_labels_)
    assert np.array_equal(model.block_values_, expected.block_values_)
    assert np.array_equal(model.predict(a), expected.predict(prepared))
    assert np.array_equal(model.transform(a), expected.transform(prepared))


@pytest.mark.parametrize("prepare", STEPS)
def test_imputed_entries_are_in_original_units(prepare):
    full = in_different_units()
    gaps = np.random.default_rng(1).random(full.shape) < 0.2
    a = np.where(gaps, np.nan, full)
    model = RankOneCoclustering(prepare=prepare).fit(a)
    filled = model.impute(a)
    assert np.array_equal(filled[~gaps], a[~gaps])
    inner = RankOneCoclustering().fit(model.prepare_.transform(a))
    expected = model.prepare_.inverse_transform(inner.impute(model.prepare_.transform(a)), a)
    assert np.allclose(filled[gaps], expected[gaps], rtol=1e-12)


def test_columns_in_different_units_are_imputed_well():
    full = in_different_units()
    gaps = np.random.default_rng(1).random(full.shape) < 0.2
    a = np.where(gaps, np.nan, full)
    prepare = Prepare(log=True, standardise="columns")
    filled = RankOneCoclustering(prepare=prepare).fit(a).impute(a)
    errors = np.log(filled[gaps] / full[gaps])
    assert np.sqrt(np.mean(errors**2)) < 0.3  # entries of a block vary by 0.2


def test_the_given_preparation_is_not_changed():
    prepare = Prepare(standardise="columns")
    model = RankOneClustering(prepare=prepare).fit(in_different_units())
    assert not hasattr(prepare, "mean_")
    assert model.prepare is prepare
    assert model.set_params(prepare__log=True).prepare.log


def test_absent_entries_are_missing_for_the_preparation_too():
    a = in_different_units(missing=0.3)
    sparse = sp.csr_array(np.nan_to_num(a))
    prepare = Prepare(log=True, standardise="columns")
    dense_model = RankOneCoclustering(prepare=prepare).fit(a)
    model = RankOneCoclustering(prepare=prepare, missing="absent").fit(sparse)
    assert np.array_equal(model.row_labels_, dense_model.row_labels_)
    assert np.allclose(model.impute(sparse), dense_model.impute(a))


def test_what_is_no_preparation_is_refused():
    with pytest.raises(ValueError, match="prepare must be a Prepare or None, but it is 'log'"):
        RankOneCoclustering(prepare="log").fit(np.eye(3))
    with pytest.raises(ValueError, match=r"log=True does not accept .* X\[1, 0\] is -2"):
        RankOneCoclustering(prepare=Prepare(log=True)).fit([[1.0, 2.0], [-2.0, 3.0]])


def test_infinite_entries_are_named_before_they_are_prepared():
    with pytest.raises(ValueError, match=r"X\[1, 0\] is infinite"):
        RankOneCoclustering(prepare=Prepare(log=True)).fit([[1.0, 2.0], [np.inf, 3.0]])


@pytest.mark.parametrize("prepare", STEPS)
def test_the_preparation_is_saved(prepare, tmp_path):
    a = in_different_units(missing=0.1)
    model = RankOneCoclustering(prepare=prepare).fit(a)
    model.save(tmp_path / "model.npz")
    again = RankOneCoclustering.load(tmp_path / "model.npz")
    assert str(again) == str(model)
    assert np.array_equal(again.predict(a), model.predict(a))
    assert np.array_equal(again.impute(a), model.impute(a))
    assert again.result_.preparation == prepare.describe()


def test_pictures_have_the_colours_of_prepared_entries_and_say_what_was_done():
    a = in_different_units()
    prepare = Prepare(log=True, standardise="columns")
    model = RankOneCoclustering(prepare=prepare).fit(a)
    display = BlocksDisplay.from_estimator(model, ax=Figure().subplots())
    prepared = prepare.fit_transform(a)[display.row_order_][:, display.column_order_]
    assert np.allclose(display.cells_, prepared)
    assert "prepared: log(1 + x), columns standardised" in display.ax_.get_title("left")


def test_a_report_says_what_was_done():
    model = RankOneCoclustering(prepare=Prepare(log=True, standardise="columns"))
    page = model.fit(in_different_units()).report().html
    assert "Clustered after: log(1 + x), columns standardised" in page


def test_tables_bring_their_names():
    a = in_different_units()
    rows, columns = [f"r{i}" for i in range(60)], [f"c{j}" for j in range(40)]
    frame = pd.DataFrame(a, rows, columns)
    for values in (a, sp.csr_array(a)):
        table = Table(values, rows, columns)
        model = RankOneCoclustering().fit(table)
        assert list(model.row_names_in_) == rows
        assert list(model.feature_names_in_) == columns
        assert np.array_equal(model.predict(table), model.predict(frame))
        assert model.predict(Table(a)).shape == (60,)
        with pytest.raises(ValueError, match="names of the columns are not those"):
            model.predict(Table(a, rows, columns[::-1]))
        assert not hasattr(model.fit(a), "feature_names_in_")
