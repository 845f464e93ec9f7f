"""``rankone tree``: the tree of a matrix in a file, its labels and its model."""

import os
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import scipy.io
import scipy.sparse as sp

from rankone import Prepare, RankOneTree
from rankone.cli import main
from rankone.datasets import make_counts
from tests.cli.running import failure, printed_json, run


@pytest.fixture
def counts():
    """Return counts in three by three blocks, which are in ``counts.npy``."""
    means = [[6, 1, 1], [1, 5, 1], [1, 1, 4]]
    data = make_counts((60, 30), means, mean=2, random_state=0).data
    np.save("counts.npy", data)
    return data


def test_the_tree_of_the_learner_is_printed(wine, capsys):
    run("tree wine.csv --standardise --words 3")
    printed = capsys.readouterr().out
    model = RankOneTree(prepare=Prepare(standardise="columns")).fit(wine)
    assert printed == (
        f"wine.csv: 178 rows x 13 columns, named rows, nothing missing\n\n{model.explain(n=3)}\n"
    )
    assert model.summary() in printed


def test_labels_are_written_with_the_names_of_rows(wine):
    run("tree wine.csv --standardise --out labels.csv --quiet")
    model = RankOneTree(prepare=Prepare(standardise="columns")).fit(wine)
    table = pd.read_csv("labels.csv")
    assert list(table.name) == list(wine.index)
    np.testing.assert_array_equal(table.label, model.labels_)
    np.testing.assert_allclose(table.confidence, model.confidence_)
    assert {*os.listdir()} == {"wine.csv", "labels.csv"}


def test_the_columns_can_be_clustered(wine, capsys):
    run("tree wine.csv --standardise --columns -k 3 --out labels.csv")
    assert "\n13 columns | " in capsys.readouterr().out
    table = pd.read_csv("labels.csv")
    assert list(table.name) == list(wine.columns)
    assert table.label.nunique() == 3


def test_columns_without_titles_are_numbered_from_one(counts, capsys):
    splits = printed_json(capsys, "tree counts.npy --json --words 30")["splits"]
    assert {*splits[0]["lower"], *splits[0]["upper"]} == {str(j) for j in range(1, 31)}


@pytest.mark.parametrize("flag", ["-k 4", "--clusters 4", "--n-clusters 4"])
def test_a_given_number_of_clusters_is_found(counts, flag, capsys):
    assert len(printed_json(capsys, f"tree counts.npy --json {flag}")["clusters"]) == 4


def test_json_holds_the_splits_and_what_drives_them(counts, capsys):
    tree = printed_json(capsys, "tree counts.npy --json --words 2")
    model = RankOneTree().fit(counts)
    assert tree["summary"] == model.summary()
    assert [cluster["size"] for cluster in tree["clusters"]] == np.bincount(model.labels_).tolist()
    assert [split["node"] for split in tree["splits"]] == list(model.explain().splits)
    assert all(len(split["upper"]) == 2 for split in tree["splits"])


@pytest.mark.parametrize("side", ["", "--columns"])
def test_a_saved_tree_places_rows_or_columns(wine, side, capsys):
    run(f"tree wine.csv --standardise {side} --save tree.npz --out labels.csv --quiet")
    run("predict tree.npz wine.csv --out placed.csv")
    placed, labels = pd.read_csv("placed.csv"), pd.read_csv("labels.csv")
    pd.testing.assert_frame_equal(placed, labels[["name", "label", "confidence"]])


def test_every_format_gives_the_same_tree(counts, capsys):
    expected = printed_json(capsys, "tree counts.npy --json")
    pd.DataFrame(counts).to_csv("counts.csv", index=False)
    sp.save_npz("counts.npz", sp.csr_array(counts))
    scipy.io.mmwrite("counts.mtx", sp.coo_array(counts))
    i, j = np.nonzero(counts >= 0)
    pd.DataFrame({"r": i, "c": j, "v": counts[i, j]}).to_csv("long.csv", index=False)
    for line in ("counts.csv", "counts.npz", "counts.mtx", "long.csv --triplets --absent zero"):
        found = printed_json(capsys, f"tree {line} --json")
        assert found["clusters"] == expected["clusters"], line


def test_absent_triplets_may_be_missing(counts, capsys):
    i, j = np.nonzero(counts)
    pd.DataFrame({"r": i, "c": j, "v": counts[i, j]}).to_csv("long.csv", index=False)
    run("tree long.csv --triplets --absent missing")
    assert "missing (" in capsys.readouterr().out


def test_columns_in_other_units_are_noted(wine, capsys):
    run("tree wine.csv")
    assert "standardise them with --standardise." in capsys.readouterr().err


def test_quiet_prints_nothing(counts, capsys):
    run("tree counts.npy --quiet --save tree.npz")
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("flag", ["--out", "--save"])
def test_existing_files_are_not_overwritten_unless_forced(counts, flag, capsys):
    Path("mine").write_text("mine")
    assert "mine already exists" in failure(capsys, f"tree counts.npy {flag} mine")
    assert Path("mine").read_text() == "mine"
    run(f"tree counts.npy {flag} mine --force --quiet")
    assert Path("mine").read_bytes() != b"mine"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("-k 61", "counts.npy: 61 clusters of rows were asked for, but the matrix has 60 rows"),
        ("--columns -k 31", "31 clusters of columns were asked for"),
        ("--missing absent", "--missing absent is for sparse matrices"),
    ],
)
def test_errors_are_worded_for_the_command_line(counts, arguments, message, capsys):
    assert message in failure(capsys, f"tree counts.npy {arguments}")


def test_rows_that_cannot_be_told_apart_are_refused(capsys):
    np.save("a.npy", np.ones((4, 3)))
    assert "the rows of the matrix cannot be told apart into more than 1" in failure(
        capsys, "tree a.npy -k 2"
    )


def test_wrong_usage_ends_with_code_2(counts):
    assert main(["tree", "counts.npy", "-k", "0"]) == 2


@pytest.mark.parametrize("name", ["tree.png", "tree.svg"])
def test_a_picture_of_the_tree_is_drawn(name, counts):
    run(f"tree counts.npy --quiet --plot {name}")
    begin = Path(name).read_bytes()[:8]
    assert begin in (b"\x89PNG\r\n\x1a\n", b"<?xml ve")


def test_a_picture_must_have_a_known_ending(counts, capsys):
    assert main(["tree", "counts.npy", "--plot", "tree.txt"]) == 2
    assert "name a file that ends with .png, .pdf, .svg" in capsys.readouterr().err
    assert not Path("tree.txt").exists()
