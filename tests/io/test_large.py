"""Matrices that are larger than memory: rows are read in blocks, texts are written to disk."""

import gzip
import os
import pickle
import warnings

import anndata
import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
import zarr

from rankone import RankOneCoclustering
from rankone._stored import Stored
from rankone.datasets import make_blocks, make_counts
from rankone.io import FileError, read_matrix
from rankone.matrix import as_matrix

DENSE = make_blocks((300, 40), [[0, 3], [3, 0], [1, 4]], sigma=1.0, random_state=0).data
COUNTS = make_counts((300, 40), [[5, 1], [1, 4]], mean=0.7, random_state=0).data
NAMES = [f"row {i}" for i in range(300)], [f"column {j}" for j in range(40)]


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    """Make blocks of a few rows."""
    monkeypatch.setattr("rankone.io.blocks.BLOCK_BYTES", 8 * 40 * 70)


def written_npy(path, values):
    np.save(path / "a.npy", values)
    return path / "a.npy"


def written_zarr(path, values):
    array = zarr.create_array(path / "a.zarr", shape=values.shape, chunks=(50, 30), dtype="f8")
    array[:] = values
    return path / "a.zarr"


def written_parquet(path, values):
    frame = pd.DataFrame(values, columns=NAMES[1])
    frame.to_parquet(path / "a.parquet", row_group_size=64)
    return path / "a.parquet"


def written_folder(path, values):
    frame = pd.DataFrame(values, columns=NAMES[1], index=NAMES[0])
    (path / "parts").mkdir()
    for number, start in enumerate((0, 100, 290)):
        stop = (100, 290, 300)[number]
        frame[start:stop].to_parquet(path / "parts" / f"part-{number}.parquet", row_group_size=64)
    return path / "parts"


def annotated(values, sparse):
    values = sp.csr_matrix(values) if sparse else values
    obs, var = (pd.DataFrame(index=names) for names in NAMES)
    return anndata.AnnData(values, obs=obs, var=var)


def written_h5ad(path, values, sparse=False):
    annotated(values, sparse).write_h5ad(path / "a.h5ad")
    return path / "a.h5ad"


def written_anndata_zarr(path, values, sparse=False):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of defaults of anndata that will change
        annotated(values, sparse).write_zarr(path / "ad.zarr", chunks=None if sparse else (50, 40))
    return path / "ad.zarr"


def sparse_h5ad(path, values):
    return written_h5ad(path, values, sparse=True)


def sparse_zarr(path, values):
    return written_anndata_zarr(path, values, sparse=True)


WRITERS = [
    *(written_npy, written_zarr, written_parquet, written_folder),
    *(written_h5ad, sparse_h5ad, written_anndata_zarr, sparse_zarr),
]


@pytest.mark.parametrize("write", WRITERS)
def test_blocks_of_a_file_are_the_rows_of_the_matrix(write, tmp_path):
    path = write(tmp_path, COUNTS)
    table, whole = read_matrix(path, lazy=True), read_matrix(path)
    assert isinstance(table.values, Stored)
    assert len(table.values.blocks) > 2
    assert table.values.shape == COUNTS.shape
    assert (table.row_names, table.column_names) == (whole.row_names, whole.column_names)
    entries = as_matrix(table.values).values()
    np.testing.assert_array_equal(entries.toarray() if sp.issparse(entries) else entries, COUNTS)
    values = whole.values.toarray() if sp.issparse(whole.values) else whole.values
    np.testing.assert_array_equal(values, COUNTS)


@pytest.mark.parametrize("write", WRITERS)
def test_readers_of_blocks_can_be_sent_to_other_processes(write, tmp_path, monkeypatch):
    stored = read_matrix(write(tmp_path, COUNTS), lazy=True).values
    monkeypatch.chdir("/")
    blocks = [pickle.loads(pickle.dumps(block)).read() for block in stored.blocks]
    blocks = [block.toarray() if sp.issparse(block) else block for block in blocks]
    np.testing.assert_array_equal(np.concatenate(blocks), COUNTS)
    largest = max(block.nbytes for block in blocks)
    assert stored.block_bytes >= (largest if write not in (sparse_h5ad, sparse_zarr) else 1)


@pytest.mark.parametrize("write", [written_zarr, sparse_h5ad])
@pytest.mark.parametrize("turned", [False, True])
def test_fits_of_blocks_are_those_of_the_matrix(write, turned, tmp_path):
    values = DENSE if write is written_zarr else COUNTS
    table = read_matrix(write(tmp_path, values), lazy=True)
    table, values = (table.T, values.T) if turned else (table, values)
    ours, theirs = RankOneCoclustering().fit(table), RankOneCoclustering().fit(values)
    np.testing.assert_array_equal(ours.row_labels_, theirs.row_labels_)
    np.testing.assert_array_equal(ours.column_labels_, theirs.column_labels_)


def test_missing_entries_of_blocks_stay_missing(tmp_path):
    holes = np.where(np.random.default_rng(0).random(DENSE.shape) < 0.2, np.nan, DENSE)
    table = read_matrix(written_zarr(tmp_path, holes), lazy=True)
    np.testing.assert_array_equal(
        RankOneCoclustering().fit(table).row_labels_,
        RankOneCoclustering().fit(holes).row_labels_,
    )


def test_a_matrix_is_read_in_blocks_if_it_takes_much_of_the_memory(tmp_path, monkeypatch):
    path = written_zarr(tmp_path, DENSE)
    assert isinstance(read_matrix(path).values, np.ndarray)
    monkeypatch.setenv("RANKONE_MEMORY", str(2 * DENSE.nbytes))
    assert isinstance(read_matrix(path).values, Stored)


def test_chunks_that_do_not_fit_into_memory_are_refused(tmp_path, monkeypatch):
    path = written_zarr(tmp_path, DENSE)
    monkeypatch.setenv("RANKONE_MEMORY", "40K")
    with pytest.raises(FileError, match=r"rows that are stored together take .* GB, too much"):
        read_matrix(path)


def test_a_block_that_cannot_be_read_is_named(tmp_path):
    path = written_zarr(tmp_path, DENSE)
    stored = read_matrix(path, lazy=True).values
    (path / "c" / "4" / "1").write_bytes(b"damaged")
    with pytest.raises(ValueError, match=r"rows 200 to 249 of X cannot be used: "):
        RankOneCoclustering().fit(stored)


def test_an_infinite_entry_of_a_block_is_named(tmp_path):
    values = DENSE.copy()
    values[260, 7] = np.inf
    stored = read_matrix(written_zarr(tmp_path, values), lazy=True).values
    with pytest.raises(ValueError, match=r"X\[260, 7\] is infinite"):
        as_matrix(stored)
    with pytest.raises(ValueError, match=r"X\[7, 260\] is infinite"):
        as_matrix(stored.T)


def test_files_of_a_folder_must_have_the_same_columns(tmp_path):
    folder = written_folder(tmp_path, DENSE)
    pd.DataFrame(DENSE[:3, :5]).rename(columns=str).to_parquet(folder / "part-9.parquet")
    with pytest.raises(FileError, match=r"part-9.parquet: its columns are not those of the first"):
        read_matrix(folder)


def test_pickled_objects_in_a_zarr_folder_are_refused(tmp_path):
    path = tmp_path / "old.zarr"
    zarr.create_array(path, shape=(4, 3), chunks=(2, 3), dtype="f8", zarr_format=2)[:] = 1.0
    metadata = path / ".zarray"
    filters = '"filters": [{"id": "pickle"}]'
    metadata.write_text(metadata.read_text().replace('"filters": null', filters))
    with pytest.raises(FileError, match="pickle"):
        read_matrix(path)


TEXT = pd.DataFrame(DENSE, columns=NAMES[1], index=NAMES[0])


@pytest.mark.parametrize("with_arrow", [True, False])
@pytest.mark.parametrize("compressed", [True, False])
def test_a_large_text_is_written_to_disk_and_mapped(with_arrow, compressed, tmp_path, monkeypatch):
    if not with_arrow:
        monkeypatch.setattr("rankone.io.delimited.arrow_suits", lambda *_: False)
    path = tmp_path / ("a.csv.gz" if compressed else "a.csv")
    content = TEXT.to_csv().encode()
    path.write_bytes(gzip.compress(content) if compressed else content)
    folder = tmp_path / "cache"
    folder.mkdir()
    table = read_matrix(path, lazy=True, cache=str(folder))
    assert isinstance(table.values, np.memmap)
    np.testing.assert_array_equal(table.values, DENSE)
    assert table.row_names == NAMES[0]
    assert table.column_names == NAMES[1]
    assert table.how["kept on disk in"] == str(folder)
    assert os.listdir(folder) == []  # the file has no name, and is gone with its last user


def test_a_text_that_does_not_fit_into_memory_is_mapped(tmp_path, monkeypatch):
    (tmp_path / "a.csv").write_bytes(b"a,b\n" + 400_000 * b"1,2\n")
    monkeypatch.setenv("RANKONE_MEMORY", "4M")
    table = read_matrix(tmp_path / "a.csv")
    assert isinstance(table.values, np.memmap)
    assert table.values.shape == (400_000, 2)


def test_a_wrong_cell_far_down_a_large_text_is_named(tmp_path):
    (tmp_path / "a.csv").write_bytes(b"a,b\n" + 30_000 * b"1,2\n" + b"1,two\n")
    with pytest.raises(FileError, match=r'line 30002, column 2 .*"two" is not a finite number'):
        read_matrix(tmp_path / "a.csv", lazy=True)


def test_a_folder_without_space_is_named(tmp_path, monkeypatch):
    (tmp_path / "a.csv").write_bytes(b"a,b\n" + 400_000 * b"1,2\n")
    usage = type("usage", (), {"free": 1000})
    monkeypatch.setattr("shutil.disk_usage", lambda _: usage)
    message = r"a.csv: its numbers take about .* GB on disk, more than is free in .*; give another"
    with pytest.raises(FileError, match=message):
        read_matrix(tmp_path / "a.csv", lazy=True)


def test_a_disk_that_fills_up_is_named(tmp_path):
    if not os.path.exists("/dev/full"):
        pytest.skip("needs /dev/full")
    from rankone.io.spilling import Spill

    with Spill("a.csv", str(tmp_path), 2) as spill:
        spill.file.close()
        spill.file = open("/dev/full", "wb", buffering=0)  # noqa: SIM115
        with pytest.raises(FileError, match=r"a.csv: its numbers take more than 0 GB on disk"):
            spill.write(np.ones((3, 2)))
