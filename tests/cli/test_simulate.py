"""``rankone simulate``: the data of the paper, with the true clusters."""

import os

import numpy as np
import pandas as pd
import pytest

from rankone.datasets import make_paper
from tests.cli.running import failure, run


def test_simulate_writes_the_data_of_the_library():
    run("simulate D3 --noise 1 --missing .3 --seed 4 --out sub/d3.tsv.gz")
    blocks = make_paper("D3", 1, missing=0.3, random_state=4)
    frame = pd.read_csv("sub/d3.tsv.gz", sep="\t", index_col=0, dtype=str).astype(float)
    np.testing.assert_array_equal(frame, blocks.data)


def test_simulate_writes_the_true_labels():
    run("simulate D3 --seed 4 --out d3.csv")
    blocks = make_paper("D3", random_state=4)
    np.testing.assert_array_equal(pd.read_csv("d3.rows.csv").label, blocks.row_labels)
    np.testing.assert_array_equal(pd.read_csv("d3.columns.csv").label, blocks.column_labels)


def test_contiguous_groups_are_not_shuffled():
    run("simulate D3 --contiguous --out d3.npy --quiet")
    expected = make_paper("D3", shuffle=False, random_state=0).data
    np.testing.assert_array_equal(np.load("d3.npy"), expected)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("D3 --out d3.xls", "must end in one of"),
        ("D3 --missing 1 --out e.csv", "less than 1"),
        (f"D1 --seed {2**32} --out a.csv", "less than 2^32"),
        ("D1 --noise 1e308 --out a.csv", "too large"),
    ],
)
def test_wrong_usage_is_explained_and_writes_nothing(arguments, message, capsys):
    assert message in failure(capsys, f"simulate {arguments}", 2)
    assert os.listdir() == []


def test_existing_files_are_overwritten_only_by_force(capsys):
    run("simulate D3 --out d3.npy")
    assert "d3.npy already exists" in failure(capsys, "simulate D3 --out d3.npy")
    run("simulate D3 --out d3.npy --force")
