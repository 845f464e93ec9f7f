"""Fitted learners to draw; figures that are drawn and closed after each test."""

import matplotlib as mpl
import matplotlib.pyplot as plt
import pytest

from rankone import RankOneClustering, RankOneCoclustering
from tests.plotting.drawing import DATA

mpl.use("Agg")


@pytest.fixture(autouse=True)
def _closed():
    """Draw everything that was plotted, which must not warn, and close it."""
    yield
    for number in plt.get_fignums():
        plt.figure(number).canvas.draw()
    plt.close("all")


@pytest.fixture(scope="session")
def model():
    return RankOneCoclustering().fit(DATA)


@pytest.fixture(scope="session")
def rows_only():
    return RankOneClustering(3).fit(DATA)
