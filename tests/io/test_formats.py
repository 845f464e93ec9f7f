"""Binary formats and triplets, against the libraries that write them."""

import gzip
import sys
import zipfile

import anndata
import h5py
import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.io
import scipy.sparse as sp

from rankone.io import FileError, read_labels, read_matrix

VALUES = np.random.default_rng(0).poisson(0.7, (9, 7)).astype(float)
VALUES[0, :] = VALUES[:, 0] = 1.0
ROWS, COLUMNS = [f"r{i}" for i in range(9)], [f"c{j}" for j in range(7)]


def dense(table):
    return table.values.toarray() if sp.issparse(table.values) else np.asarray(table.values)


@pytest.mark.parametrize("dtype", ["f8", ">f4", "i2", "u1", "?"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_npy_files_are_read_in_every_type_and_order(dtype, order, tmp_path):
    np.save(tmp_path / "a.npy", np.array(VALUES, dtype=dtype, order=order))
    table = read_matrix(tmp_path / "a.npy")
    np.testing.assert_array_equal(table.values, VALUES.astype(dtype))
    assert isinstance(table.values, np.memmap)
    packed = tmp_path / "a.npy.gz"
    packed.write_bytes(gzip.compress((tmp_path / "a.npy").read_bytes()))
    np.testing.assert_array_equal(read_matrix(packed).values, VALUES.astype(dtype))


def test_an_array_of_an_archive_is_chosen_by_key(tmp_path):
    path = tmp_path / "a.npz"
    np.savez_compressed(path, X=VALUES)
    np.testing.assert_array_equal(read_matrix(path).values, VALUES)
    np.savez(path, X=VALUES, Y=2 * VALUES)
    np.testing.assert_array_equal(read_matrix(path, key="Y").values, 2 * VALUES)
    with pytest.raises(FileError, match="several arrays; choose one by key: X, Y"):
        read_matrix(path)
    with pytest.raises(FileError, match='no array "Z"; choose one of X, Y'):
        read_matrix(path, key="Z")


@pytest.mark.parametrize("kind", ["csr", "csc", "coo", "bsr", "dia"])
@pytest.mark.parametrize("flavour", ["matrix", "array"])
def test_sparse_matrices_of_scipy_are_read(kind, flavour, tmp_path):
    made = getattr(sp, f"{kind}_{flavour}")(VALUES)
    sp.save_npz(tmp_path / "a.npz", made)
    table = read_matrix(tmp_path / "a.npz")
    assert sp.issparse(table.values)
    np.testing.assert_array_equal(dense(table), VALUES)


def test_objects_are_refused(tmp_path):
    class Harm:
        def __reduce__(self):
            return (exec, ("raise AssertionError('pickle was loaded')",))

    np.save(tmp_path / "a.npy", np.array([[Harm()]], dtype=object), allow_pickle=True)
    np.savez(tmp_path / "a.npz", np.array([[Harm()]], dtype=object))
    for name in ("a.npy", "a.npz"):
        with pytest.raises(FileError, match="Python objects, which could run code"):
            read_matrix(tmp_path / name)


@pytest.mark.parametrize(
    "array", [np.zeros((2, 2, 2)), np.array([["a"]]), np.array([[1j]]), np.zeros((0, 3))]
)
def test_arrays_that_are_not_matrices_are_refused(array, tmp_path):
    np.save(tmp_path / "a.npy", array)
    with pytest.raises(FileError, match=r"not a matrix|real numbers|no entries"):
        read_matrix(tmp_path / "a.npy")


def test_headers_that_announce_too_much_are_refused(tmp_path):
    path = tmp_path / "a.npy"
    np.save(path, VALUES)
    whole = path.read_bytes()
    path.write_bytes(whole.replace(b"(9, 7)", b"(9, 7000000)".ljust(6))[: len(whole)])
    with pytest.raises(FileError, match=r"damaged|truncated"):
        read_matrix(path)
    path.write_bytes(whole[:-8])
    with pytest.raises(FileError, match="truncated"):
        read_matrix(path)
    with zipfile.ZipFile(tmp_path / "b.npz", "w") as archive:
        archive.writestr("X.npy", whole.replace(b"(9, 7), }  ", b"(9, 70000), }"[:11]))
    with pytest.raises(FileError, match=r"damaged|truncated"):
        read_matrix(tmp_path / "b.npz")
    market = tmp_path / "c.mtx"
    market.write_text("%%MatrixMarket matrix coordinate real general\n9 9 4000000000\n1 1 2.0\n")
    with pytest.raises(FileError, match="truncated"):
        read_matrix(market)
    market.write_text(f"%%MatrixMarket matrix coordinate real general\n{10**17} 9 1\n1 1 2.0\n")
    with pytest.raises(FileError, match="memory"):
        read_matrix(market)


@pytest.mark.parametrize("matrix", [sp.coo_array(VALUES), VALUES, sp.coo_array(VALUES != 0)])
@pytest.mark.parametrize("packed", [False, True])
def test_matrix_market_files_are_read(matrix, packed, tmp_path):
    path = tmp_path / "a.mtx"
    scipy.io.mmwrite(path, matrix)
    if packed:
        (tmp_path / "a.mtx.gz").write_bytes(gzip.compress(path.read_bytes()))
        path = tmp_path / "a.mtx.gz"
    expected = matrix.toarray() if sp.issparse(matrix) else matrix
    np.testing.assert_array_equal(dense(read_matrix(path)), expected)


@pytest.mark.parametrize("packed", [False, True])
def test_a_folder_of_10x_is_read_with_its_names(packed, tmp_path):
    scipy.io.mmwrite(tmp_path / "matrix.mtx", sp.coo_array(VALUES))
    symbols = [f"G{i}" for i in range(9)]
    lines = [f"{row}\t{symbol}\tGene Expression" for row, symbol in zip(ROWS, symbols, strict=True)]
    (tmp_path / "features.tsv").write_text("\n".join(lines) + "\n")
    (tmp_path / "barcodes.tsv").write_text("\n".join(COLUMNS) + "\n")
    if packed:
        for path in list(tmp_path.iterdir()):
            path.with_name(path.name + ".gz").write_bytes(gzip.compress(path.read_bytes()))
            path.unlink()
    table = read_matrix(tmp_path)
    np.testing.assert_array_equal(dense(table), VALUES)
    assert table.row_names == symbols
    assert table.column_names == COLUMNS
    assert table.T.row_names == COLUMNS


def test_names_of_10x_must_fit_the_matrix(tmp_path):
    scipy.io.mmwrite(tmp_path / "matrix.mtx", sp.coo_array(VALUES))
    (tmp_path / "genes.tsv").write_text("".join(f"{row}\tsame\n" for row in ROWS))
    assert read_matrix(tmp_path / "matrix.mtx").row_names == ROWS
    (tmp_path / "genes.tsv").write_text("a\tb\n")
    with pytest.raises(FileError, match=r"genes\.tsv: it has 1 names, but the matrix has 9 rows"):
        read_matrix(tmp_path)


def test_duplicates_in_matrix_market_files_are_summed_only_on_request(tmp_path):
    path = tmp_path / "a.mtx"
    path.write_text("%%MatrixMarket matrix coordinate real general\n2 2 3\n1 1 2\n1 1 3\n2 2 1\n")
    with pytest.raises(FileError, match="more than once"):
        read_matrix(path)
    np.testing.assert_array_equal(dense(read_matrix(path, duplicates="sum")), [[5, 0], [0, 1]])
    path.write_text("%%MatrixMarket matrix coordinate real general\n2 2 1\n1 x 2\n")
    with pytest.raises(FileError, match="Line 3"):
        read_matrix(path)


@pytest.mark.parametrize("kind", ["dense", "csr", "csc"])
def test_h5ad_files_are_read(kind, tmp_path):
    held = VALUES if kind == "dense" else getattr(sp, f"{kind}_matrix")(VALUES)
    data = anndata.AnnData(
        held,
        obs=pd.DataFrame(index=ROWS),
        var=pd.DataFrame(index=COLUMNS),
        layers={"twice": 2 * held},
    )
    data.write_h5ad(tmp_path / "a.h5ad")
    table = read_matrix(tmp_path / "a.h5ad")
    assert sp.issparse(table.values) == (kind != "dense")
    np.testing.assert_array_equal(dense(table), VALUES)
    assert table.row_names == ROWS
    assert table.column_names == COLUMNS
    np.testing.assert_array_equal(
        dense(read_matrix(tmp_path / "a.h5ad", key="layers/twice")), 2 * VALUES
    )
    with pytest.raises(FileError, match='no matrix "layers/none"'):
        read_matrix(tmp_path / "a.h5ad", key="layers/none")


def test_links_in_h5ad_files_are_not_followed(tmp_path):
    with h5py.File(tmp_path / "secret.h5", "w") as file:
        file["X"] = VALUES
    with h5py.File(tmp_path / "a.h5ad", "w") as file:
        file["X"] = h5py.ExternalLink("secret.h5", "X")
    with pytest.raises(FileError, match="link, which is not followed"):
        read_matrix(tmp_path / "a.h5ad")
    (tmp_path / "raw").write_bytes(VALUES.tobytes())
    with h5py.File(tmp_path / "b.h5ad", "w") as file:
        outside = [(str(tmp_path / "raw"), 0, h5py.h5f.UNLIMITED)]
        file.create_dataset("X", VALUES.shape, "f8", external=outside)
    with pytest.raises(FileError, match="lies in another file"):
        read_matrix(tmp_path / "b.h5ad")


def test_damaged_h5ad_files_are_refused(tmp_path, monkeypatch):
    with h5py.File(tmp_path / "a.h5ad", "w") as file:
        file["X"] = ["a", "b"]
    with pytest.raises(FileError, match="does not hold numbers"):
        read_matrix(tmp_path / "a.h5ad")
    with h5py.File(tmp_path / "a.h5ad", "w") as file:
        group = file.create_group("X")
        group.attrs.update({"encoding-type": "csr_matrix", "shape": (3, 3)})
        group["data"], group["indices"], group["indptr"] = [1.0, 2.0], [0, 99], [0, 1, 2, 2]
    with pytest.raises(FileError, match="ind"):
        read_matrix(tmp_path / "a.h5ad")
    monkeypatch.setitem(sys.modules, "h5py", None)
    with pytest.raises(FileError, match="needs h5py"):
        read_matrix(tmp_path / "a.h5ad")


@pytest.mark.parametrize(
    "fate", ["import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", "while True: pass", "1 / 0"]
)
def test_a_crash_of_the_hdf5_library_is_an_error_of_the_file(fate, tmp_path, monkeypatch):
    with h5py.File(tmp_path / "a.h5ad", "w") as file:
        file["X"] = VALUES
    (tmp_path / "reader.py").write_text(fate)
    monkeypatch.setattr("rankone.io.h5ad.READER", tmp_path / "reader.py")
    monkeypatch.setattr("rankone.io.h5ad.SECONDS", 1)
    with pytest.raises(FileError, match="the library that reads HDF5 fails on it"):
        read_matrix(tmp_path / "a.h5ad")


@pytest.mark.parametrize("writer", ["pandas", "polars"])
def test_parquet_files_are_read(writer, tmp_path):
    path = tmp_path / "a.parquet"
    frame = pd.DataFrame(VALUES, ROWS, COLUMNS)
    if writer == "pandas":
        frame.to_parquet(path)
    else:
        pl.from_pandas(frame.reset_index()).write_parquet(path)
    table = read_matrix(path)
    np.testing.assert_array_equal(table.values, VALUES)
    assert table.row_names == ROWS
    assert table.column_names == COLUMNS


def test_columns_of_parquet_files_are_chosen(tmp_path):
    path = tmp_path / "a.parquet"
    pd.DataFrame({"x": [1, None, 3], "kind": ["a", "b", "c"], "y": [True, False, True]}).to_parquet(
        path
    )
    with pytest.raises(FileError, match=r'column 2 \("kind"\): it holds .*string'):
        read_matrix(path)
    table = read_matrix(path, drop=["kind"])
    np.testing.assert_array_equal(table.values, [[1, 1], [np.nan, 0], [3, 1]])
    assert read_matrix(path, index="kind").row_names == ["a", "b", "c"]
    assert read_matrix(path, keep=["y"]).column_names == ["y"]
    with pytest.raises(FileError, match="no column"):
        read_matrix(path, drop=["z"])


def test_two_levels_of_a_parquet_index_are_joined(tmp_path):
    levels = pd.MultiIndex.from_tuples([("a", 1), ("a", 2), ("b", 1)], names=["g", "h"])
    pd.DataFrame(np.eye(3), index=levels, columns=list("xyz")).to_parquet(tmp_path / "a.parquet")
    table = read_matrix(tmp_path / "a.parquet")
    assert table.column_names == ["x", "y", "z"]
    assert table.row_names == ["a / 1", "a / 2", "b / 1"]


def test_compressed_archives(tmp_path):
    np.savez(tmp_path / "a.npz", X=VALUES)
    (tmp_path / "a.npz.gz").write_bytes(gzip.compress((tmp_path / "a.npz").read_bytes()))
    np.testing.assert_array_equal(read_matrix(tmp_path / "a.npz.gz").values, VALUES)


def test_raw_data_of_h5ad(tmp_path):
    data = anndata.AnnData(VALUES, var=pd.DataFrame(index=COLUMNS))
    data.raw = data
    data[:, :4].copy().write_h5ad(tmp_path / "a.h5ad")
    table = read_matrix(tmp_path / "a.h5ad", key="raw/X")
    np.testing.assert_array_equal(dense(table), VALUES)
    assert table.column_names == COLUMNS


def test_spreadsheets_of_other_kinds_are_named(tmp_path):
    with zipfile.ZipFile(tmp_path / "a.ods", "w") as archive:
        archive.writestr("content.xml", "<office/>")
    (tmp_path / "a.xls").write_bytes(bytes.fromhex("d0cf11e0a1b11ae1") + bytes(600))
    for name in ("a.ods", "a.xls"):
        with pytest.raises(FileError, match=r"spreadsheet of a kind .*; save it as xlsx or csv"):
            read_matrix(tmp_path / name)


def test_labels_of_an_array_may_be_missing(tmp_path):
    np.save(tmp_path / "labels.npy", np.array([1.0, np.nan, 2.5]))
    assert list(read_labels(tmp_path / "labels.npy").labels) == ["1", "nan", "2.5"]
