"""Classes of maps: against enumeration, and as mapclassify and geopandas use them."""

from itertools import combinations

import numpy as np
import pytest
from matplotlib.figure import Figure
from sklearn.metrics import silhouette_score

from rankone.contrib.geopandas import exact_scheme

mapclassify = pytest.importorskip("mapclassify")
from rankone.contrib.mapclassify import ExactFisherJenks  # noqa: E402


def cost(y, labels, weights):
    """Return the weighted squared deviations from the means of classes."""
    total = 0.0
    for label in np.unique(labels):
        values, w = y[labels == label], weights[labels == label]
        total += (w * (values - np.average(values, weights=w)) ** 2).sum()
    return total


@pytest.mark.parametrize("offset", [0.0, 20_000.0])
@pytest.mark.parametrize("weighted", [False, True])
def test_no_other_division_into_classes_is_better(offset, weighted):
    rng = np.random.default_rng(0)
    y = offset + rng.normal(size=11)
    weights = rng.integers(1, 5, 11).astype(float) if weighted else None
    w = np.ones(11) if weights is None else weights
    found = ExactFisherJenks(y, 4, weights)
    values = np.sort(y)
    best = min(
        cost(y, np.searchsorted(values[list(ends)], y, side="right"), w)
        for ends in combinations(range(1, 11), 3)
    )
    assert cost(y, found.yb, w) == pytest.approx(best, rel=1e-7)
    assert found.counts.tolist() == np.bincount(found.yb).tolist()


def test_agrees_with_mapclassify_where_values_have_no_offset():
    y = np.random.default_rng(1).normal(size=80)
    theirs = mapclassify.FisherJenks(y, 5)
    ours = ExactFisherJenks(y, 5)
    assert ours.yb.tolist() == theirs.yb.tolist()
    assert ours.bins == pytest.approx(theirs.bins)


def test_the_number_of_classes_has_the_largest_silhouette():
    rng = np.random.default_rng(2)
    y = rng.choice([0.0, 5.0, 9.0, 20.0], size=60) + rng.normal(scale=0.4, size=60)
    silhouettes = {k: silhouette_score(y[:, None], ExactFisherJenks(y, k).yb) for k in range(2, 10)}
    assert ExactFisherJenks(y).k == max(silhouettes, key=silhouettes.get)


def test_a_classifier_is_made_updated_and_asked_for_new_values():
    y = [1.0, 2.0, 3.0, 20.0, 21.0, 60.0]
    assert ExactFisherJenks.make(k=3)(y).tolist() == [0, 0, 0, 1, 1, 2]
    classifier = ExactFisherJenks(y, 3)
    assert classifier.find_bin([2.5, 20.5]).tolist() == [0, 1]
    classifier.update([61.0], k=3, inplace=True)
    assert classifier.bins.tolist() == [3.0, 21.0, 61.0]


def test_medians_differ_from_means_where_there_is_an_outlier():
    y = [0.0, 1.0, 2.0, 10.0, 11.0, 12.0, 100.0]
    assert ExactFisherJenks(y, 2).bins.tolist() == [12.0, 100.0]
    assert ExactFisherJenks(y, 3, p=1).counts.tolist() == [3, 3, 1]


def test_the_legend_of_a_map_lists_the_classes():
    geopandas = pytest.importorskip("geopandas")
    y = np.array([1.0, 2.0, 3.0, 20.0, 21.0, 60.0])
    frame = geopandas.GeoDataFrame({"y": y}, geometry=geopandas.points_from_xy(y, y))
    axes = Figure().subplots()
    frame.plot("y", ax=axes, legend=True, **exact_scheme(y, k=3))
    entries = [entry.get_text().split(",")[1].strip() for entry in axes.get_legend().get_texts()]
    assert entries == ["3.00", "21.00", "60.00"]
