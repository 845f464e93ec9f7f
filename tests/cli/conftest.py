"""Every command runs in a folder of its own."""

import pandas as pd
import pytest
from sklearn.datasets import load_wine


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def wine():
    data = load_wine()
    frame = pd.DataFrame(data.data, [f"w{i}" for i in range(178)], data.feature_names)
    frame.to_csv("wine.csv")
    return frame
