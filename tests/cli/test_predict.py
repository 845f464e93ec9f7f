"""``rankone predict``: new rows in the clusters of a saved model."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from rankone.datasets import make_counts
from tests.cli.running import failure, run


@pytest.mark.parametrize("prepare", ["", "--standardise", "--log --standardise"])
def test_training_rows_are_placed_in_their_cluster(wine, prepare, capsys):
    run(f"fit wine.csv {prepare} --out out --quiet --no-pictures")
    wine.iloc[:20, ::-1].to_csv("new.csv")  # some of the rows, columns in another order
    run("predict out/model.npz new.csv")
    lines = capsys.readouterr().out.splitlines()
    table = pd.DataFrame([line.split(",") for line in lines[1:]], columns=lines[0].split(","))
    assert list(table.name) == list(wine.index[:20])
    expected = pd.read_csv("out/rows.csv")[:20]
    np.testing.assert_array_equal(table.label.astype(int), expected.label)
    np.testing.assert_allclose(table.confidence.astype(float), expected.confidence, rtol=1e-6)


@pytest.fixture
def model(wine):
    """Return the table that the model in ``out`` was fitted to."""
    run("fit wine.csv --out out --quiet --no-pictures")
    return wine


def test_json_has_the_labels_of_the_table(model):
    run("predict out/model.npz wine.csv --json --out labels.json")
    expected = pd.read_csv("out/rows.csv").label
    assert json.loads(Path("labels.json").read_text())["label"] == expected.tolist()


def test_a_column_of_the_model_that_is_not_in_the_file_is_named(model, capsys):
    model.iloc[:3, 1:].to_csv("less.csv")
    assert failure(capsys, "predict out/model.npz less.csv") == (
        'rankone: less.csv: it has no column "alcohol", which the model needs.'
    )


def test_repeated_titles_are_not_guessed_at(model, capsys):
    model.assign(copy=0.0).rename(columns={"copy": "alcohol"}).to_csv("new.csv")
    assert "titles of columns are repeated" in failure(capsys, "predict out/model.npz new.csv")


def test_existing_labels_are_not_overwritten(model, capsys):
    Path("labels.csv").write_text("mine")
    line = "predict out/model.npz wine.csv --out labels.csv"
    assert "labels.csv already exists" in failure(capsys, line)
    assert Path("labels.csv").read_text() == "mine"


def test_a_file_that_is_not_a_model_is_refused(wine, capsys):
    assert "damaged" in failure(capsys, "predict wine.csv wine.csv")


def test_new_rows_in_triplets_may_lack_columns(capsys):
    blocks = make_counts((80, 30), [[5, 1], [1, 4]], mean=4, random_state=0)
    frame = pd.DataFrame(
        blocks.data + 1, [f"u{i}" for i in range(80)], [f"i{j}" for j in range(30)]
    )
    long = frame.stack().rename_axis(["user", "item"]).rename("stars").reset_index()
    long.to_csv("all.csv", index=False)
    run("fit all.csv --triplets --absent missing --out out --quiet --no-pictures")
    long[(long.user == "u3") & (long.item != "i7")].to_csv("new.csv", index=False)
    run("predict out/model.npz new.csv --triplets --absent missing")
    name, label, *_ = capsys.readouterr().out.splitlines()[1].split(",")
    assert name == "u3"
    assert int(label) == pd.read_csv("out/rows.csv", index_col="name").label["u3"]
