"""Small files that stand for much: what they cost is counted, and refused in one line."""

import gzip
import subprocess
import sys
import zipfile

import h5py
import numpy as np
import pyarrow as pa
import pytest
import scipy.io
import scipy.sparse as sp
from pyarrow import parquet

from rankone import _memory
from rankone.io import FileError, read_matrix

LIMITED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, ({limit}, {limit}))
from rankone.io import FileError, read_matrix
try:
    print(read_matrix(sys.argv[1]).values.shape)
except FileError as error:
    print(error)
status = open("/proc/self/status").read().split()
print(int(status[status.index("VmHWM:") + 1]) // 1024)
"""


def read_limited(path, limit, seconds=60):
    """Return what a process prints that may take so much memory, and the MB that it took.

    Its `ru_maxrss` would be no less than the memory of this process, from which it was started.
    """
    words = [sys.executable, "-c", LIMITED.format(limit=limit), str(path)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=seconds, check=False)
    assert done.returncode == 0, done.stderr
    answer, peak = done.stdout.splitlines()
    return answer, int(peak)


def repeated_name(path, n):
    """Write a Parquet file in which one name of a million letters is that of all rows."""
    codes = pa.array(np.zeros(n, np.int32))
    names = pa.DictionaryArray.from_arrays(codes, pa.array(["x" * 1_000_000]))
    table = pa.table({"name": names, "value": np.arange(float(n))})
    parquet.write_table(table, path, store_schema=False, compression="zstd")


def test_a_text_that_parquet_repeats_is_counted_each_time(tmp_path):
    repeated_name(tmp_path / "a.parquet", 6400)
    answer, peak = read_limited(tmp_path / "a.parquet", 4 * 2**30)
    assert "over a thousand times its size" in answer
    assert peak < 600
    without = read_matrix(tmp_path / "a.parquet", index=0, drop=["name"])
    assert without.values.shape == (6400, 1)


def test_entries_that_were_never_written_are_counted(tmp_path):
    with h5py.File(tmp_path / "a.h5ad", "w") as file:
        file.create_dataset("X", (100_000, 10_000), chunks=(1000, 1000), dtype=float)
    with pytest.raises(FileError, match=r"unpacks to 8 GB .*RANKONE_MEMORY"):
        read_matrix(tmp_path / "a.h5ad")


def test_comments_without_end_are_refused(tmp_path):
    content = b"%%MatrixMarket matrix coordinate real general\n" + b"%\n" * 20_000_000
    (tmp_path / "a.mtx.gz").write_bytes(gzip.compress(content, 1))
    with pytest.raises(FileError, match="comments before the matrix are longer than 8 MB"):
        read_matrix(tmp_path / "a.mtx.gz")


def test_a_small_compressed_matrix_is_read_under_a_limit_of_address_space(tmp_path):
    scipy.io.mmwrite(tmp_path / "a.mtx", sp.coo_array(np.arange(6.0).reshape(3, 2)))
    (tmp_path / "a.mtx.gz").write_bytes(gzip.compress((tmp_path / "a.mtx").read_bytes()))
    answer, _ = read_limited(tmp_path / "a.mtx.gz", 12 * 2**30)
    assert answer == "(3, 2)"


@pytest.mark.parametrize("n", [300_000, 1_000_000])
def test_many_columns_take_memory_as_their_bytes_do(n, tmp_path):
    (tmp_path / "a.csv").write_text("\n".join([",".join(["1"] * n)] * 2))
    answer, peak = read_limited(tmp_path / "a.csv", 4 * 2**30)
    assert answer == f"(2, {n})"
    assert peak < 900


def test_lines_of_a_compressed_text_are_counted(tmp_path):
    (tmp_path / "a.csv.gz").write_bytes(gzip.compress(b"a,b\n" + b"1,2\n" * 250_000_000, 1))
    answer, peak = read_limited(tmp_path / "a.csv.gz", 4 * 2**30, 120)
    assert "does not fit into memory" in answer
    assert peak < 4000


def test_a_huge_row_below_ordinary_ones_is_refused(tmp_path):
    content = b"a,b\n" + b"1,2\n" * 50_000 + b"1," * 100_000_000
    (tmp_path / "a.csv.gz").write_bytes(gzip.compress(content, 1))
    answer, peak = read_limited(tmp_path / "a.csv.gz", 5 * 2**30)
    assert "longer than 64 MB" in answer
    assert peak < 2500


def test_the_limit_of_a_user_is_obeyed(tmp_path, monkeypatch):
    np.savez_compressed(tmp_path / "a.npz", np.zeros((1000, 1000)))
    monkeypatch.setenv("RANKONE_MEMORY", "7M")
    with pytest.raises(FileError, match=r"needs 0\.008 GB or more, and 0\.00734 GB may be taken"):
        read_matrix(tmp_path / "a.npz")
    monkeypatch.setenv("RANKONE_MEMORY", "9M")
    assert read_matrix(tmp_path / "a.npz").values.shape == (1000, 1000)
    monkeypatch.setenv("RANKONE_MEMORY", "much")
    with pytest.raises(ValueError, match="RANKONE_MEMORY must be a size such as 500M or 4G"):
        read_matrix(tmp_path / "a.npz")


def test_archives_that_numpy_does_not_write_are_refused(tmp_path):
    np.save(tmp_path / "a.npy", np.zeros((3, 2)))
    with zipfile.ZipFile(tmp_path / "a.npz", "w", zipfile.ZIP_LZMA) as archive:
        archive.write(tmp_path / "a.npy", "a.npy")
    with pytest.raises(FileError, match="in a way that numpy does not use"):
        read_matrix(tmp_path / "a.npz")


def test_free_memory_respects_the_limits_of_a_process():
    script = (
        "import resource; resource.setrlimit(resource.RLIMIT_AS, (2**31, 2**31)); "
        "from rankone._memory import available_memory; print(available_memory())"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert 0 < float(done.stdout) < 2**31


def test_free_memory_respects_the_limits_of_a_container(tmp_path):
    (tmp_path / "memory.max").write_text("1000000\n")
    (tmp_path / "memory.current").write_text("700000\n")
    (tmp_path / "memory.stat").write_text("anon 1\ninactive_file 200000\n")
    files = ("memory.max", "memory.current", "inactive_file")
    assert list(_memory._left(tmp_path, *files)) == [500000.0]
    (tmp_path / "memory.max").write_text("max\n")
    assert list(_memory._left(tmp_path, *files)) == []
