"""Zarr folders: read by chunks, on this machine or by a cluster."""

import numpy as np
import pandas as pd
import pytest
import zarr

from rankone import RankOneCoclustering
from rankone.cli import main
from rankone.datasets import make_blocks
from rankone.io import FileError, read_matrix
from tests.cli.running import failure, run

BLOCKS = make_blocks((300, 80), [[0, 3], [3, 0]], sigma=1.0, random_state=0).data


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Return a folder of zarr's with a matrix in chunks, which is the current one's ``a.zarr``."""
    monkeypatch.chdir(tmp_path)
    array = zarr.create_array("a.zarr", shape=BLOCKS.shape, chunks=(70, 80), dtype="f8")
    array[:] = BLOCKS
    return tmp_path / "a.zarr"


def test_a_folder_is_recognised_and_read_when_needed(folder):
    table = read_matrix(folder, lazy=True)
    assert table.how == {"format": "zarr", "chunks": "70 x 80"}
    assert [block.n_rows % 70 for block in table.values.blocks[:-1]] == []
    np.testing.assert_array_equal(read_matrix(folder).values, BLOCKS)


def test_the_clusters_are_those_of_the_array(folder):
    run("fit a.zarr --out out --quiet --no-pictures")
    labels = pd.read_csv("out/rows.csv").label
    np.testing.assert_array_equal(labels, RankOneCoclustering().fit(BLOCKS).row_labels_)


def test_the_array_of_a_group_is_named(tmp_path):
    group = zarr.create_group(str(tmp_path / "g.zarr"))
    group.create_array("counts", data=BLOCKS)
    group.create_array("other", data=BLOCKS[:2])
    with pytest.raises(FileError, match="a group of arrays: counts, other; name one by key"):
        read_matrix(tmp_path / "g.zarr")
    assert read_matrix(tmp_path / "g.zarr", key="counts").values.shape == BLOCKS.shape


@pytest.mark.parametrize("damage", ["metadata", "chunk"])
def test_a_damaged_folder_is_refused_in_one_line(folder, damage, capsys):
    if damage == "metadata":
        (folder / "zarr.json").write_text("{")
    else:
        next(path for path in (folder / "c").rglob("*") if path.is_file()).write_bytes(b"damaged")
    assert "a.zarr" in failure(capsys, "fit a.zarr --out out --quiet --no-pictures")


def test_a_scheduler_that_does_not_answer_is_named(folder, capsys, monkeypatch):
    monkeypatch.setattr("rankone.cli.resources.CONNECTING", 0.5)
    message = failure(capsys, "fit a.zarr --scheduler tcp://127.0.0.1:9 --out out --no-pictures")
    assert "no Dask scheduler answers at tcp://127.0.0.1:9" in message
    assert main(["tree", "a.zarr", "--scheduler", "nonsense", "--quiet"]) == 1
